"""Two people, two browsers, one game: seats, offers, clocks, and everything that a bad network does to them."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from web_browser import Visitor
from web_server import Server

WITHIN = 100
"""Milliseconds: so close must the clocks of both sides be."""
SURE = 0.04
"""Seconds by which a page may be wrong about the server's clock; under load it asks until it knows that well."""


class Restarted:
    """A server that can be killed, and started again on the same port and the same files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = Server(folder, "--port", "0")
        self.address = self.server.address

    def kill(self) -> None:
        self.server.stop(signal.SIGKILL)

    def start(self) -> None:
        self.server = Server(self.folder, "--port", self.address.rpartition(":")[2])


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[Restarted]:
    made = Restarted(tmp_path)
    yield made
    if made.server.process.poll() is None:
        made.server.stop()


class Side:
    """One side's browser."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.page = visitor, visitor.page
        self.status = self.page.locator("h1.status")
        self.detail = self.page.locator(".status-detail")
        self.offer = self.page.locator(".offer")
        self.moves = self.page.locator(".moves .move:not(.start, .branch)")

    def square(self, name: str) -> Any:
        return self.page.get_by_role("gridcell", name=re.compile(rf"^{name}, "))

    def click(self, name: str) -> None:
        expect(self.square(name)).to_have_class(re.compile("playable"))
        self.square(name).click()

    def has(self, name: str, what: str) -> None:
        expect(self.square(name)).to_have_attribute("aria-label", re.compile(f"^{name}, {what}"))

    def flag(self) -> float:
        """The moment at which the clock that runs here would run out, in milliseconds of the clock on the wall."""
        clock = self.page.locator(".seat .clock.running")
        expect(clock).to_have_count(1)
        known = "limit => Number(document.querySelector('.clock.running')?.dataset.error) <= limit"
        self.page.wait_for_function(known, arg=SURE)
        return float(clock.get_attribute("data-until"))

    def button(self, name: str) -> Any:
        return self.visitor.button(name)

    def playable(self) -> Any:
        return self.page.locator(".cell.playable")


class HeldGame:
    """Lets what is said of a game wait on its way to a page, and everything else through."""

    def __init__(self, page: Page) -> None:
        self.held: list[tuple[WebSocketRoute, str]] = []
        self.holds = False
        page.route_web_socket(re.compile("/ws/games/"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        def hear(message: str | bytes) -> None:
            if self.holds and json.loads(message)["type"] == "game":
                self.held.append((socket, str(message)))
            else:
                socket.send(message)

        socket.connect_to_server().on_message(hear)

    def let_go(self) -> None:
        self.holds = False
        for socket, message in self.held:
            socket.send(message)
        self.held.clear()


def same_clocks(one: Side, two: Side) -> None:
    assert abs(one.flag() - two.flag()) <= WITHIN


def test_a_whole_game_with_reloads_without_a_network_and_through_a_restart(browser: Any, restarted: Restarted) -> None:
    one = Side(Visitor(browser, restarted.address).open("/play?game=tictactoe&total=3000"))
    one.page.get_by_role("radio", name="A friend, by a link").check(force=True)
    one.button("Start the game").click()
    expect(one.status).to_have_text("Waiting for your opponent")
    expect(one.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    one.page.wait_for_function("() => document.querySelector('.qr').naturalWidth > 0")
    assert one.playable().count() == 0
    one.visitor.accessible()
    link = one.page.get_by_label("Link to this game").input_value()
    path = link.removeprefix(restarted.address)

    two = Side(Visitor(browser, restarted.address, width=390, height=844))
    late = HeldGame(two.page)
    two.visitor.open(path)
    expect(two.status).to_have_text("X to move")
    expect(one.status).to_have_text("Your move")
    expect(one.page.locator(".waiting-room")).to_be_hidden()
    third = Side(Visitor(browser, restarted.address).open(path))
    expect(third.detail).to_contain_text("You are watching.")
    sides = (one, two, third)

    # Everybody has a seat of their own, and nobody a say in another's.
    one.click("b2")
    for side in sides:
        side.has("b2", "X")
    assert one.playable().count() == third.playable().count() == 0
    expect(two.playable()).to_have_count(8)
    for body in ("move", {"action": 0, "at": 1}), ("resign", {"player": 0}), ("goto", {"node": 0}):
        script = "async ([path, body]) => (await fetch(path, { method: 'POST', body: JSON.stringify(body), "
        script += "headers: { 'Content-Type': 'application/json' } })).status"
        assert third.page.evaluate(script, [f"/api{path.replace('play', 'games')}/{body[0]}", body[1]]) == 403
    two.click("a1")

    # What is long on its way makes no clock late.
    expect(one.status).to_have_text("Your move")
    same_clocks(one, two)
    late.holds = True
    one.click("c1")
    expect(one.page.locator(".seat .clock.running")).to_have_count(1)
    while not late.held:
        two.page.wait_for_timeout(20)
    two.page.wait_for_timeout(1000)
    late.let_go()
    expect(two.status).to_have_text("Your move")
    same_clocks(one, two)

    # Looking back is private.
    two.visitor.press("Home")
    two.has("b2", "empty")
    expect(two.detail).to_contain_text("nobody else sees that")
    assert two.playable().count() == 0
    one.has("b2", "X")
    one.page.reload()
    one.has("b2", "X")
    one.has("c1", "X, last move")
    two.button("Back to the game").click()
    two.has("c1", "X, last move")

    # Taking back is offered.
    one.button("Take back").click()
    expect(two.offer).to_contain_text("Your opponent asks to take back a move.")
    expect(third.offer).to_contain_text("X asks to take back a move.")
    two.visitor.accessible()
    two.button("Decline").click()
    expect(one.offer).to_contain_text("Your opponent does not want to take back a move.")
    two.click("a3")
    expect(one.offer).to_be_hidden()
    two.button("Take back").click()
    one.button("Accept").click()
    two.has("a3", "empty")
    expect(two.status).to_have_text("Your move")

    # A page without a network sends what was done as soon as there is one.
    two.page.context.set_offline(True)
    two.click("a3")
    expect(two.detail).to_contain_text("will be sent as soon as it is back")
    one.has("a3", "empty")
    one.button("Draw").click()
    expect(one.offer).to_be_visible()
    two.page.context.set_offline(False)
    one.has("a3", "O, last move")
    expect(one.offer).to_be_hidden()
    two.has("a3", "O, last move")
    two.page.reload()
    two.has("a3", "O, last move")

    # A server that is killed and comes back finds everybody in their seats.
    restarted.kill()
    expect(one.detail).to_contain_text("The connection is lost")
    restarted.start()
    one.click("a2")
    two.has("a2", "X, last move")
    same_clocks(one, two)
    two.page.close()
    expect(one.page.locator(".seat-note").filter(has_text="away")).to_be_visible()
    two = Side(two.visitor.again().open(path))
    expect(two.status).to_have_text("Your move")
    expect(one.page.locator(".seat-note").filter(has_text="away")).to_have_count(0)

    # A move whose answer is lost is made once.
    lost = []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    two.page.route("**/move", lose)
    two.click("c2")
    one.has("c2", "O, last move")
    expect(one.moves).to_have_count(6)
    two.page.wait_for_timeout(1000)
    assert (lost, two.page.locator(".toast").count()) == ([200], 0)

    # A draw is offered, the offer lapses, and the game is played to its end.
    one.button("Draw").click()
    expect(two.offer).to_contain_text("Your opponent offers a draw.")
    one.click("b3")
    expect(two.offer).to_be_hidden()
    two.click("b1")
    one.click("c3")
    for side in sides[:1]:
        expect(side.status).to_have_text("A draw")
    expect(two.status).to_have_text("A draw")
    two.button("Swap sides").click()
    expect(one.offer).to_contain_text("Your opponent wants a rematch with the sides swapped.")
    one.button("Accept").click()
    for side in (one, two):
        side.page.wait_for_function("path => location.pathname !== path", arg=path)
        expect(side.moves).to_have_count(0)
    expect(two.status).to_have_text("Your move")
    expect(third.page.get_by_role("link", name="Follow to the rematch")).to_be_visible()
    two.button("Resign").click()
    two.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(one.status).to_have_text("You won")
    expect(two.status).to_have_text("You lost")
    for side in (one, two, third):
        expected = ("ERR_", "403", "before receiving a handshake response")  # while the server was away
        assert [line for line in side.visitor.problems if not any(part in line for part in expected)] == []
        side.visitor.context.close()
    assert "Traceback" not in restarted.server.errors.read_text()
