"""The page of hidden information in a real browser: poker, Battleship and bridge, in both languages and on a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from plyground.errors import BadOption
from plyground.web.lab.poker import play_hand


def test_poker_is_solved_and_played(visit: Any) -> None:
    visitor = visit("/hidden", width=360)
    page = visitor.page
    expect(page.get_by_role("row", name=re.compile(r"cfr\+"))).to_contain_text("−0.05556")
    expect(page.locator(".hidden-strategy tbody tr")).to_have_count(12)
    cards = page.locator(".hidden-picture:not(.plot) svg")
    expect(cards).to_have_attribute("aria-label", re.compile(r"\?"))  # the other card lies face down
    actions = page.locator(".hidden-actions button:enabled")
    for _ in range(3):
        expect(actions.last).to_be_visible()
        if page.get_by_role("button", name="Next hand").count():
            break
        actions.last.evaluate("button => { button.click(); button.click(); }")  # the answer is not faster than this
    expect(page.get_by_role("button", name="Next hand")).to_be_visible()
    expect(page.get_by_text(re.compile("You (win|lose)"))).to_be_visible()
    visitor.fits()
    visitor.accessible()


def test_a_fleet_is_sunk_and_a_deal_is_compared(visit: Any) -> None:
    visitor = visit("/hidden?tab=battleship&size=5&seed=3", locale="zh-CN", color_scheme="dark")
    page = visitor.page
    expect(page.locator(".film-caption")).to_contain_text("接下来瞄准")
    visitor.press("End")
    expect(page.locator(".film-caption")).to_contain_text("击沉整个舰队")
    visitor.accessible()
    page.get_by_role("radio", name="桥牌").check()
    expect(page.get_by_text("PIMC 出 HT")).to_contain_text("ISMCTS 出 S7")
    expect(page).to_have_url(re.compile("tab=bridge"))
    visitor.accessible()
    page.get_by_role("radio", name="扑克").check()
    expect(page.locator(".hidden-strategy tbody tr").first).to_contain_text("先手: J · 后手: ? · 行动: 还没有")
    expect(page.locator(".plot")).to_contain_text("可利用度")
    assert "nothing yet" not in page.content()


def shown_hand(**wish: Any) -> dict[str, Any]:
    """What the worker sends for the page."""
    events: list[dict[str, Any]] = []
    play_hand(events.append, **{"game": "kuhn", "moves": [], "seat": 0, "seed": 5, "lang": "en", **wish})
    return events[-1]


def test_the_server_shows_of_a_hand_what_the_visitor_sees() -> None:
    for game in ("kuhn", "leduc"):
        for seat in (0, 1):
            shown = shown_hand(game=game, seat=seat)
            assert not shown["over"]
            assert shown["svg"].count("?</text>") == 1
    with pytest.raises(BadOption, match="cannot be said here"):
        shown_hand(moves=["all in"])
