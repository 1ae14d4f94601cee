"""The page of hidden information in a real browser: poker, Battleship and bridge, in both languages and on a phone."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from plyground import make_game
from plyground.core.rules import CHANCE, actions, possible_state, result, to_move
from plyground.errors import BadOption
from plyground.native.randomness import random_below, stream
from plyground.web.lab.bridge import deal_facts, dealt, play_deal
from plyground.web.lab.poker import hand_facts, play_hand


def test_poker_is_solved_and_played(visit: Any) -> None:
    visitor = visit("/hidden", width=360)
    page = visitor.page
    expect(page.get_by_role("row", name=re.compile(r"cfr\+"))).to_contain_text("−0.05556")
    expect(page.locator(".hidden-strategy tbody tr")).to_have_count(12)
    assert page.locator(".hidden-picture.plot").evaluate("place => place.scrollWidth <= place.clientWidth")
    expect(page.locator(".hidden-strategy")).to_be_hidden()  # nobody is to read off what to do
    expect(page.get_by_text("It is shown when your hand is over.")).to_be_visible()
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
    expect(page.locator(".hidden-strategy")).to_be_visible()
    expect(page.locator(".hidden-decisions li").first).to_contain_text(re.compile(r"You: \w+\. CFR\+: .*costs"))
    expect(page.locator(".hidden-totals")).to_have_text(
        re.compile(r"^1 hand played: you stand at −?\d\. From your seats")
    )
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
    expect(page.locator(".plot")).to_contain_text("一个计划（ISMCTS）")
    visitor.accessible()
    page.get_by_role("radio", name="扑克").check()
    expect(page.locator(".hidden-strategy tbody tr").first).to_contain_text("先手: J · 后手: ? · 行动: 还没有")
    expect(page.locator(".plot")).to_contain_text("可利用度")
    assert "nothing yet" not in page.content()


def test_a_deal_of_bridge_is_played_and_judged(visit: Any) -> None:
    visitor = visit("/hidden?tab=bridge", width=390)
    page = visitor.page
    cards = page.locator(".card-button:enabled")
    picture = page.locator(".hidden-picture svg").first
    expect(picture).to_have_attribute("aria-label", re.compile(r"East: \?[ ?]*;"))
    for _ in range(10):  # five cards of North and five of South
        expect(cards.first).to_be_visible()
        cards.first.evaluate("button => { button.click(); button.click(); }")
    expect(
        page.get_by_text(re.compile("You have won . of 5 tricks. With open cards it would have been "))
    ).to_be_visible()
    expect(picture).not_to_have_attribute("aria-label", re.compile(r"\?"))
    expect(page.get_by_role("heading", name="What each of your cards has cost")).to_be_visible()
    expect(page.get_by_role("button", name="Next deal")).to_be_focused()
    visitor.fits()
    visitor.accessible()


def test_messages_say_nothing_of_cards_that_the_visitor_does_not_see() -> None:
    """Dealt again as the visitor may think, hidden cards change no byte of what is sent before the end."""
    rng, compared = stream(1), 0
    for game in ("kuhn", "leduc"):
        for _ in range(30):
            state, said = make_game(game).initial, []
            while options := actions(state):
                for seat in (0, 1) if to_move(state) != CHANCE else ():
                    other = possible_state(state, seat, rng)
                    compared += other != state
                    assert json.dumps(hand_facts(state, said, seat)) == json.dumps(hand_facts(other, said, seat))
                action = options[random_below(rng, len(options))]
                said = (
                    said if to_move(state) == CHANCE else [*said, {"player": int(to_move(state)), "text": str(action)}]
                )
                state = result(state, action)
    for seed in range(6):
        state = dealt(5, "none", seed)
        while options := actions(state):
            other = possible_state(state, 0, rng)
            if to_move(state) == 0:
                compared += other != state
                assert json.dumps(deal_facts(state)) == json.dumps(deal_facts(other))
            state = result(state, options[random_below(rng, len(options))])
    assert compared > 100


def played_deal(**wish: Any) -> dict[str, Any]:
    events: list[dict[str, Any]] = []
    play_deal(events.append, **{"cards": 5, "trump": "none", "moves": [], "seed": 1, "lang": "en", **wish})
    return events[-1]


def test_a_deal_loses_against_open_cards_what_its_cards_have_cost() -> None:
    lost = 0
    for seed in range(4):
        moves: list[str] = []
        rng = stream(seed)
        while not (shown := played_deal(seed=seed, moves=moves))["over"]:
            assert "deal" not in shown
            assert "review" not in shown
            moves.append(shown["cards"][random_below(rng, len(shown["cards"]))]["name"])
        costs = sum(one["cost"] for one in shown["review"])
        assert shown["tricks"] == shown["open"] - costs  # the defence gives nothing back
        lost += costs
    assert lost > 0
    with pytest.raises(BadOption, match="legal: "):
        played_deal(moves=["S9"])


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
