"""What the tests of the app's pages share: a served app, a real browser, visitors whose problems are noticed."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    Error,
    Locator,
    Page,
    Playwright,
    WebSocket,
    WebSocketRoute,
    expect,
    sync_playwright,
)

from web_server import serving

QUICK_BROWSERS = ("chromium-headless-shell", "chrome-headless-shell")
"""Chromium without windows, as Playwright's own is; what can show windows takes three times as long for each page."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
AXE = Path(__file__).with_name("axe") / "axe.min.js"
PATIENCE = 120_000
"""Milliseconds: time for a slow machine to compile the first search of a kind; a test that fails waits as long."""

USUAL = {"reduced_motion": "reduce", "color_scheme": "light", "locale": "en-GB", "service_workers": "block"}
BLOCKED = "Service Worker registration blocked by Playwright"
"""What a page says whose visitor has no service worker: it would answer before the routes of a test could."""

UNSPOKEN = r"""() => {
  const chinese = document.documentElement.lang.startsWith("zh");
  const isKey = (text) => /^[a-z]\w*(\.[a-z]\w*)+$/.test(text);
  const isEnglish = (text) => !/[\u2e80-\u9fff]/.test(text) && /([a-z]{3,}[^a-z]+){2}[a-z]{3,}/.test(text);
  return [...document.querySelectorAll("[aria-label], [title]")].filter((element) => !element.closest("[lang=en]"))
    .flatMap((element) => [element.getAttribute("aria-label"), element.getAttribute("title")])
    .filter((text) => text && (isKey(text) || (chinese && isEnglish(text))));
}"""
"""Names of things that are no words but keys of a dictionary; and on Chinese pages, English sentences."""

expect.set_options(timeout=PATIENCE)


NO_BROWSER = "no browser for the tests of pages"


def launched(playwright: Playwright, *, quick: bool = False) -> Browser:
    """A Chromium: the first there is of this machine's without windows, Playwright's own, and any of this machine.

    An Error of Playwright if there is none, or with `quick`, if all that there is can show windows.
    """
    shell = next(filter(None, map(shutil.which, QUICK_BROWSERS)), None)
    any_other = None if quick else next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        return playwright.chromium.launch(executable_path=shell, args=["--no-sandbox"])
    except Error:
        if any_other is None:
            raise
        return playwright.chromium.launch(executable_path=any_other, args=["--no-sandbox"])


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium for all tests of a module."""
    with sync_playwright() as playwright:
        try:
            chromium = launched(playwright)
        except Error:
            pytest.skip(NO_BROWSER)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app, served by the command as a user would serve it, to the visitors of all tests."""
    with serving(tmp_path_factory.mktemp("web")) as server:
        yield server.address


class HeldAnswers:
    """What the server says to a page on a socket, which receives it when the test wants it to."""

    def __init__(self, page: Page, path: str) -> None:
        self._page = page
        self._waiting: list[tuple[WebSocketRoute, str]] = []
        self._held = True
        page.route_web_socket(re.compile(f"{path}$"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        def hear(message: str | bytes) -> None:
            if self._held:
                self._waiting.append((socket, str(message)))
            else:
                socket.send(message)

        socket.connect_to_server().on_message(hear)

    def hand_on(self, event: str, instead: str | None = None) -> None:
        """Wait for an event and hand on what came up to it; or something else in its place."""
        while True:
            while not self._waiting:
                self._page.wait_for_timeout(20)
            socket, message = self._waiting.pop(0)
            last = json.loads(message)["event"] == event
            socket.send(instead if last and instead is not None else message)
            if last:
                return

    def let_go(self) -> None:
        """Hand on everything, from now on at once."""
        self._held = False
        while self._waiting:
            socket, message = self._waiting.pop(0)
            socket.send(message)


class Visitor:
    """Somebody with a browser of their own: what it asks of the network, and what goes wrong in it."""

    def __init__(self, browser: Browser, address: str, *, width: int = 1280, height: int = 800, **options: Any) -> None:
        self.address = address
        self.requests: list[str] = []
        self.problems: list[str] = []
        self._answered = False
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            **{**USUAL, **options},
        )
        self.context.set_default_timeout(PATIENCE)
        self.again()

    def again(self) -> Visitor:
        """Open another page, with the same cookies; the one before is forgotten."""
        self.page = self.context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", self._connected)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda message: message.text == BLOCKED or self.problems.append(message.text))
        return self

    def _connected(self, socket: WebSocket) -> None:
        def hear(message: str | bytes) -> None:
            self._answered = self._answered or '"pong"' in str(message)

        self.requests.append(socket.url)
        socket.on("framereceived", hear)

    def open(self, path: str) -> Visitor:
        self.page.goto(self.address + path)
        return self

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def shows_searches(self) -> None:
        """Wait until the server has answered that the page of a game shows searches: a quick one is soon over."""
        while not self._answered:
            self.page.wait_for_timeout(20)

    def hold_answers(self, path: str) -> HeldAnswers:
        """Keep back what the server says on sockets of pages that are opened from now on."""
        return HeldAnswers(self.page, path)

    def leave(self) -> None:
        """Close the browser; nothing may have gone wrong until then, and nothing requested from other servers."""
        self.page.evaluate("0")  # whatever happened before has been reported when this is answered
        problems = list(self.problems)  # a browser that shuts down may tear what is on its way
        self.context.close()
        assert problems == [], problems
        ours = (self.address, self.address.replace("http:", "ws:"), "data:", "blob:")
        assert [url for url in self.requests if not url.startswith(ours)] == []

    def fits(self) -> None:
        """Wait until the page is no wider than the window: after a change of size it is laid out a little later."""
        self.page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth", timeout=20_000)

    def accessible(self) -> None:
        """axe finds nothing serious on the page as it is, and everything has a name in its language."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        # Without preloading: it reads all style sheets once more, for a rule about sound and one that is an experiment.
        found = self.page.evaluate("axe.run(document, { resultTypes: ['violations'], preload: false })")
        serious = [
            {"id": item["id"], "help": item["help"], "nodes": [node["html"][:160] for node in item["nodes"][:5]]}
            for item in found["violations"]
            if item["impact"] in ("serious", "critical")
        ]
        assert not serious, json.dumps(serious, indent=1)
        unspoken = self.page.evaluate(UNSPOKEN)
        assert not unspoken, unspoken


@pytest.fixture
def visit(browser: Browser, served: str) -> Iterator[Any]:
    """visit(path, width=..., locale=...) opens a page as a new visitor; each is checked when the test ends."""
    visitors: list[Visitor] = []

    def come(path: str = "/", **options: Any) -> Visitor:
        visitors.append(Visitor(browser, served, **options))
        return visitors[-1].open(path)

    yield come
    for visitor in visitors:
        visitor.leave()


def main() -> None:
    """Ends with status 0 if there is a browser that starts; with the argument "quick", one without windows."""
    with sync_playwright() as playwright:
        try:
            launched(playwright, quick="quick" in sys.argv[1:]).close()
        except Error:
            sys.exit(1)


if __name__ == "__main__":
    main()
