"""The home page: a game of two programs that everybody sees, taking it over, and where to go on."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from plyground.web.games.demonstration import Demonstration
from web_client import another, app_in, until


def test_one_game_is_played_for_all_who_watch_and_for_nobody_none(tmp_path: Any) -> None:
    with app_in(tmp_path) as first:
        state: Any = first.client.app.state  # type: ignore[attr-defined]
        made = Demonstration(
            state.pool,
            2,
            lambda: True,
            game="tictactoe",
            players=["mcts:simulations=30", "random"],
            pause=0.0,
            rest=0.0,
        )
        state.demonstration = made
        second = another(first)
        with first.socket("/ws/demonstration") as one, second.socket("/ws/demonstration") as two:
            two.send_text('{"tree":"zh"}')
            begun = until(one, lambda message: message["type"] == "game")
            over = until(one, lambda message: message["type"] == "game" and message["over"])
            assert over["id"] == begun["id"]
            assert len(over["moves"].split()) >= 5
            assert until(two, lambda message: message["type"] == "game" and message["over"])["moves"] == over["moves"]
            picture = until(two, lambda message: message["type"] == "tree")
            assert picture["lang"] == "zh"
            assert until(one, lambda message: message["type"] == "game" and message["id"] != begun["id"])
            assert made.watched
        while made.watched:
            first.get("/health")
        first.client.portal.call(state.demonstration.close)  # type: ignore[union-attr]


def test_the_demonstration_waits_while_others_search(tmp_path: Any) -> None:
    class Busy:
        waiting, running = 0, 1

        def submit(self, *_: Any, **__: Any) -> None:
            raise AssertionError("whoever plays comes first")

    with app_in(tmp_path) as visitor:
        state: Any = visitor.client.app.state  # type: ignore[attr-defined]
        state.demonstration = Demonstration(
            Busy(), 2, lambda: True, game="tictactoe", players=["random"] * 2, pause=0.0
        )  # type: ignore[arg-type]
        with visitor.socket("/ws/demonstration") as socket:
            assert socket.receive_json()["moves"] == ""
            for _ in range(20):
                visitor.get("/health")
        visitor.client.portal.call(state.demonstration.close)  # type: ignore[union-attr]


def test_a_click_takes_the_game_over_and_the_card_leads_on(visit: Any) -> None:
    visitor = visit("/")
    page = visitor.page
    expect(page.locator(".doors h2")).to_have_text(["Learn", "Play", "Research"])
    expect(page.locator(".gallery .home-picture")).to_have_count(page.locator(".gallery .view").count())
    play = visitor.button("Let them play")  # by itself it begins only for those who do not mind motion
    expect(play).to_be_visible()
    play.click()
    expect(page.locator(".demo .cell.playable").first).to_be_visible()
    visitor.button("Pause").click()
    expect(play).to_be_visible()
    visitor.accessible()
    visitor.fits()
    page.locator(".demo .cell:not(.playable)").first.click(force=True)  # anywhere on the board is enough
    expect(page).to_have_url(re.compile(r"/play/[\w-]+$"))
    expect(page.locator("h1.status")).to_have_text("Your move")
    visitor.open("/")
    play.click()
    page.locator(".demo .cell.playable").first.click()
    expect(page).to_have_url(re.compile(r"/play/[\w-]+$"))
    expect(page.locator(".board .piece.disc")).not_to_have_count(4)
    known = {
        "read": {"games": True},
        "last": "minimax",
        "places": {"minimax": {"at": "3", "section": 2, "furthest": 2}},
    }
    page.evaluate("text => localStorage.setItem('plyground.lessons', text)", json.dumps(known, separators=(",", ":")))
    visitor.open("/")
    expect(page.locator(".home-games .game-row")).to_have_count(2)
    card = page.locator(".home-continue .learn-card")
    expect(card).to_contain_text("Minimax")
    card.click()
    expect(page).to_have_url(re.compile("/learn/minimax$"))


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width", "locale"), [("dark", 390, "zh-CN"), ("light", 768, "en-GB")])
def test_the_home_page_fits_and_axe_finds_nothing(visit: Any, scheme: str, width: int, locale: str) -> None:
    visitor = visit("/", color_scheme=scheme, width=width, locale=locale)
    expect(visitor.page.locator(".demo-tools button").first).to_be_visible()
    visitor.accessible()
    visitor.fits()
