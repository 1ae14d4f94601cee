"""The page of the Wumpus world, as a visitor uses it in a real browser, and what the server tells of a cave."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from plyground.native.compiling import interpreted
from plyground.subjects.wumpus.agents import explore, make_agent
from plyground.subjects.wumpus.by_hand import play_actions
from plyground.subjects.wumpus.world import Cave, is_solvable, make_world, perceive, start
from web_client import app_in


def test_a_visit_to_the_wumpus_world_shows_what_the_agent_thinks(visit):
    visitor = visit("/wumpus?agent=logical&seed=12")
    page = visitor.page
    facts = page.locator(".film-facts")
    expect(facts).to_contain_text("no breeze at 1,1 → no pit at")
    visitor.press("End")
    expect(page.locator(".film-caption")).to_contain_text("It is out of the cave.")
    expect(facts).to_contain_text("960 after 30 actions")
    page.get_by_label("Agent", exact=True).select_option("probabilistic")
    expect(page.locator(".film-count")).to_have_text(re.compile("^0 / "))
    expect(facts).to_contain_text("It believes")
    visitor.accessible()
    page.get_by_label("Caves", exact=True).fill("20")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("tr[data-agent=probabilistic]")).to_contain_text("±")
    page.set_viewport_size({"width": 360, "height": 700})
    visitor.fits()


# By hand ----------------------------------------------------------------------------------------------------------

LETTERS = "lrfgesc"


@pytest.fixture(scope="module")
def visitor(tmp_path_factory):
    with app_in(tmp_path_factory.mktemp("wumpus")) as made:
        yield made


def by_logic(seed: int) -> str:
    """What the logical agent does in a cave, as the letters of a visit."""
    cave = Cave(4, 4)
    with interpreted():
        record = explore(make_world(cave, seed=seed, solvable=True), make_agent("logical", cave, seed), keep_turns=True)
    return "".join(LETTERS[turn.action] for turn in record.turns)


def test_the_map_is_not_sent_before_the_end_or_a_request(visitor):
    # Two caves that nobody can tell apart by what was perceived so far must be answered with the same bytes.
    answers = {}
    for seed in range(60):
        with interpreted():
            world = make_world(Cave(4, 4), seed=seed, solvable=True)
        for actions in ("", "l", "f"):
            said = visitor.post("/api/wumpus/visit", seed=seed, actions=actions, known=True)
            if said["over"]:
                continue
            assert said["shown"] is False
            assert not re.search("wumpus-(pit|truth|beast|dead)", said["svg"])
            assert ("wumpus-gold" in said["svg"]) == ("glitter" in said["percepts"])
            with interpreted():
                seen = play_actions(world, [LETTERS.index(letter) for letter in actions])
            key = (actions, tuple(seen.percept), tuple(perceive(world, start(world))))
            answers.setdefault(key, set()).add(json.dumps({**said, "seed": 0}, sort_keys=True))
    assert answers
    assert all(len(told) == 1 for told in answers.values())
    peeked = visitor.post("/api/wumpus/visit", seed=12, peek=True)
    assert peeked["shown"]
    assert "wumpus-beast" in peeked["svg"]
    left = visitor.post("/api/wumpus/visit", seed=12, actions="c")
    assert (left["over"], left["shown"], left["score"]) == ("out", True, -1)


def test_a_visit_is_judged_as_an_agents_is_and_what_is_wrong_with_one_is_said(visitor):
    done = visitor.post("/api/wumpus/visit", seed=12, actions=by_logic(12))
    assert (done["over"], done["has_gold"]) == ("out", True)
    assert done["score"] == visitor.post("/api/wumpus", seed=12, agent="logical")["score"]
    assert "over before its action 2" in visitor.refused("/api/wumpus/visit", seed=12, actions="cf")
    for wrong in ({"actions": "fx"}, {"actions": "l" * 2000}, {"width": 99}, {"seed": -1}, {"map": True}):
        visitor.refused("/api/wumpus/visit", **{"seed": 12, **wrong})


def test_caves_of_the_page_can_be_solved_unless_somebody_wants_others(visitor):
    cave = Cave(4, 4, 0.2)
    seed = next(seed for seed in range(100) if not is_solvable(make_world(cave, seed=seed)))
    usual, other = (
        visitor.post("/api/wumpus/visit", seed=seed, peek=True, **more) for more in ({}, {"solvable": False})
    )
    assert usual["svg"] != other["svg"]


@pytest.mark.slow
def test_a_cave_is_explored_by_keyboard_alone(visit):
    visitor = visit("/wumpus?mode=hand&seed=12")
    page = visitor.page
    status, score = page.locator(".visit-status"), page.locator(".visit-score")
    expect(status).to_contain_text("You enter the cave")
    assert page.locator(".visit-board .wumpus-beast").count() == 0
    visitor.accessible()
    visitor.press("k")
    expect(page.locator(".visit-known")).to_contain_text("Proven safe")
    expect(page.locator(".visit-proofs")).to_contain_text("no breeze at 1,1 → no pit at")
    visitor.accessible()
    visitor.press("g")
    expect(status).to_contain_text("You grab at nothing.")
    visitor.press("n")
    expect(score).to_contain_text("Score 0 after 0")
    page.goto(f"{visitor.address}/wumpus?mode=hand&seed=12")
    expect(status).to_contain_text("You enter the cave")
    keys = {"l": "ArrowLeft", "r": "ArrowRight", "f": "ArrowUp", "g": "g", "s": "s", "c": "c"}
    done = by_logic(12)
    visitor.press(*(keys[letter] for letter in done[:-1]))  # faster than any answer
    expect(score).to_contain_text(f"after {len(done) - 1} of")
    page.reload()  # the address has all of it
    expect(score).to_contain_text(f"after {len(done) - 1} of")
    visitor.press("c")
    expect(status).to_contain_text("out of the cave, with the gold!")
    expect(page.locator(".visit-board .wumpus-dead")).to_be_visible()
    expect(visitor.button("Grab")).to_be_disabled()
    visitor.accessible()


def test_the_map_is_shown_on_request_and_that_is_remembered(visit):
    visitor = visit("/wumpus?mode=hand&seed=12", locale="zh-CN", color_scheme="dark", width=390, height=800)
    page = visitor.page
    expect(page.locator(".visit-status")).to_contain_text("你从 1,1 进入洞穴")
    visitor.fits()
    visitor.accessible()
    page.get_by_label("显示地图").click()
    expect(page.locator(".visit-board .wumpus-beast")).to_be_visible()
    page.get_by_role("button", name="爬出").click()
    expect(page.locator(".visit-status")).to_contain_text("你看过地图")
    page.get_by_role("radio", name="智能体").check()
    expect(page.locator(".film-count")).to_be_visible()
    assert "seed=12" in page.url
    expect(page.get_by_label("金子可以到达")).to_be_checked()
