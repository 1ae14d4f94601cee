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
from plyground.subjects.battleship.belief import placing_actions, random_fleet
from plyground.web.lab.battleship import battle_facts, placed, play_battle, sea_of
from plyground.web.lab.battleship_api import BattleGame, new_token, seed_of
from plyground.web.lab.bridge import deal_facts, dealt, play_deal
from plyground.web.lab.poker import hand_facts, play_hand
from plyground.web.server.refusals import Refusal
from plyground.web.server.settings import Limits


def test_poker_is_solved_and_played(visit: Any) -> None:
    visitor = visit("/hidden", width=360)
    page = visitor.page
    expect(page.get_by_role("row", name=re.compile(r"cfr\+"))).to_contain_text("−0.05556")
    expect(page.get_by_role("row", name=re.compile(r"cfr\+"))).to_contain_text(re.compile("×10⁻[⁴⁵⁶]"))
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
    expect(page.get_by_text(re.compile(r"(you|CFR\+): \w+\. You (win|lose) \d\."))).to_be_visible()
    expect(page.locator(".hidden-strategy")).to_be_visible()
    expect(page.locator(".hidden-decisions li").first).to_contain_text(re.compile(r"You: \w+\. CFR\+: .*costs"))
    expect(page.locator(".hidden-totals")).to_have_text(
        re.compile(r"^1 hand played: you stand at −?\d\. From your seats")
    )
    visitor.fits()
    visitor.accessible()


def test_no_strategy_is_shown_before_the_cards_are_dealt(visit: Any) -> None:
    visitor = visit("/")
    visitor.hold_answers("/ws/search")
    visitor.open("/hidden")
    expect(visitor.page.get_by_text("It is shown when your hand is over.")).to_be_visible()
    expect(visitor.page.get_by_role("group", name="The strategy of CFR+", include_hidden=True)).to_have_attribute(
        "hidden", ""
    )


def test_the_likeliest_cell_is_the_one_with_the_highest_number_on_the_picture(visit: Any) -> None:
    page = visit("/hidden?tab=battleship&size=8&aim=probable&seed=977106").page
    caption, numbers = page.locator(".film-caption"), page.locator(".film-picture svg text[font-size='11']")
    for _ in range(6):
        expect(caption).to_contain_text("with probability")
        aimed = int(re.search(r"with probability (\d+)%", caption.inner_text())[1])  # type: ignore[index]
        shown = [int(text) for text in numbers.all_text_contents() if text.isdigit()]
        assert len(shown) > 30
        assert aimed == max(shown)
        page.keyboard.press("ArrowRight")


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


def battle(**wish: Any) -> dict[str, Any]:
    """What the browser is sent for a game of Battleship."""
    events: list[dict[str, Any]] = []
    play_battle(events.append, **BattleGame(**wish).work(Limits())[0])
    return events[-1]


def test_a_battle_says_nothing_of_ships_that_were_not_found() -> None:
    """With any other fleet that would have answered the same, no byte of what is sent is different."""
    sea, rng, compared = sea_of(5), stream(3), 0
    own = placing_actions(sea, random_fleet(sea, rng))
    for _ in range(200):
        fleets = [placing_actions(sea, random_fleet(sea, rng)) for _ in range(2)]
        states = [placed(sea, own, fleet) for fleet in fleets]
        for cell in (12, 0, 7, 20):
            states = [result(state, cell) for state in states]
        told = [json.dumps(battle_facts(sea, state, watched=True, helped=True)) for state in states]
        if states[0].log == states[1].log and states[0].ships != states[1].ships:
            compared += 1
            assert told[0] == told[1]
            assert not re.search("[A-Z]", json.loads(told[0])["theirs"])
    assert compared > 5
    token = new_token()
    assert str(seed_of(token)) not in token
    for wrong in ("x", token[:-1] + ("0" if token[-1] != "0" else "1"), "." + token):
        with pytest.raises(Refusal, match="begin another one"):
            seed_of(wrong)


@pytest.mark.parametrize("aim", ["hunt", "probable"])
def test_a_battle_is_played_to_its_end(aim: str) -> None:
    fleet = battle(size=5)["fleet"]
    facts = battle(size=5, aim=aim, fleet=fleet)
    shots: list[int] = []
    while not facts["over"]:
        shots.append(next(cell for cell in range(25) if cell not in shots))
        before, facts = facts, battle(size=5, aim=aim, fleet=fleet, shots=shots, token=facts["token"])
        assert facts["token"] == before["token"]
        assert facts["shots"][1][: len(before["shots"][1])] == before["shots"][1]  # what was fired stays fired
    assert facts["afloat"][0 if facts["over"] == "lost" else 1] == []
    with pytest.raises(BadOption, match="over"):
        battle(size=5, aim=aim, fleet=fleet, shots=[*shots, 24], token=facts["token"])


def test_a_battle_refuses_what_cannot_be() -> None:
    for fleet, line in (([0], "has 2 ships"), ([0, 0], "does not fit"), ([6, 10], "does not fit"), ([199, 0], "fit")):
        with pytest.raises(BadOption, match=line):
            battle(size=5, fleet=fleet)
    for shots in ([3, 3], [77]):
        with pytest.raises(BadOption, match="is not legal here"):
            battle(size=5, fleet=[0, 10], shots=shots)


def test_a_battle_by_keyboard_alone(visit: Any) -> None:
    visitor = visit("/hidden?tab=battleship&mode=play&size=5")
    page = visitor.page
    said, own = page.locator(".battle-status"), page.get_by_role("grid", name="Your waters")
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(str(frame))))
    expect(said).to_have_text("Place the ship of length 3.")
    visitor.press("b", "ArrowDown", "Enter")
    expect(said).to_have_text("Place the ship of length 2.")
    visitor.press("Enter", "Enter")  # takes it up, and puts it back
    visitor.press("r", "ArrowDown", "ArrowRight", "Enter")
    expect(said).to_have_text("All ships are placed.")
    expect(own.get_by_role("gridcell", name="b4, ship")).to_be_visible()
    visitor.accessible()
    page.reload()
    expect(said).to_have_text("All ships are placed.")
    visitor.press("s")
    theirs = page.get_by_role("grid", name="Its waters")
    expect(said).to_have_text("You shoot first: choose a cell of its waters.")
    visitor.press("Enter")
    expect(said).to_have_text(re.compile("You: a1, .* It: .., "))
    visitor.press("h", "w")
    expect(theirs.locator(".sea-chance").first).to_be_visible()
    expect(own.locator(".sea-chance").first).to_be_visible()
    visitor.accessible()
    spoken = said.inner_text()
    page.reload()
    expect(said).to_have_text(spoken)
    cells = [f"{column}{row}" for row in range(1, 6) for column in "abcde"][1:]
    for place, cell in enumerate(cells, 1):
        visitor.press("b", "Home", "PageUp", *["ArrowRight"] * (place % 5), *["ArrowDown"] * (place // 5), "Enter")
        expect(said).to_have_text(re.compile(f"You: {cell}|You (win|lose)"))
        if page.get_by_role("button", name="Rematch").count():
            break
    expect(said).to_have_text(re.compile(r"You (win|lose): .* with \d+ shots"))
    told = [facts for facts in map(json.loads, sent) if facts["event"] == "battleship_game"]
    assert len(told) > 5
    assert not any(re.search("[A-Z]", facts["theirs"]) for facts in told if not facts["over"])
    page.get_by_role("button", name="Rematch").press("Enter")
    expect(said).to_have_text("You shoot first: choose a cell of its waters.")
    page.evaluate("""() => {
        const kept = localStorage.getItem("plyground.battleship");
        localStorage.setItem("plyground.battleship", kept.replace(/"token":"[^"]*"/, '"token":"another server"'));
    }""")
    page.reload()
    expect(page.get_by_text("has forgotten this game")).to_be_visible()
    page.get_by_role("button", name="Begin").press("Enter")
    expect(said).to_have_text("You shoot first: choose a cell of its waters.")


@pytest.mark.slow
def test_a_battle_on_a_phone(visit: Any) -> None:
    visitor = visit("/hidden?tab=battleship", width=390, color_scheme="dark", locale="zh-CN", has_touch=True)
    page = visitor.page
    page.get_by_role("radio", name="与它对战").check()
    page.get_by_role("button", name="随机摆放").tap()
    page.get_by_role("button", name="开始").tap()
    theirs = page.get_by_role("grid", name="它的海域")
    theirs.get_by_role("gridcell", name="c3").tap()
    expect(page.locator(".battle-status")).to_have_text(re.compile("你：c3，"))
    visitor.fits()
    visitor.accessible()
