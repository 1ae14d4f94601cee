"""Pac-Man's page: played by keys and buttons, watched as a film; and what the server answers to steps."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from plyground.core.rules import actions, result
from plyground.errors import BadOption
from plyground.web.lab.pacman import maze_game, play_round, position_facts, reached, spec_of, watch_games


def test_a_round_by_hand_is_the_game_s():
    history, waits = play_round("small", ["random", "random"], "", 1, 7)
    assert (len(history), waits) == (3, False)
    assert play_round("small", ["random", "random"], "", 1, 7) == (history, False)
    state = maze_game("small", ["random", "random"]).initial
    for letter in history:
        assert int(letter) in actions(state)
        state = result(state, int(letter))
    facts = position_facts("small", ["random", "random"], history, "", "en")
    assert facts["points"] == state.points == 19
    assert facts["caption"] == "Pac-Man goes east, eats food: +10."
    assert facts["legal"] == actions(state)
    assert position_facts("small", [], "", None, "zh")["caption"].startswith("吃豆人有 10 分")
    assert position_facts("small", [], "", None, "en")["ghosts"] == []


def test_ghosts_that_are_played_wait_for_their_player():
    history, waits = play_round("rooms", ["random", "minimax"], "", 4, 1)
    assert (len(history), waits) == (2, True)


@pytest.mark.parametrize(
    ("details", "what"),
    [
        (("x.txt", [], "", 4), "there is no maze 'x.txt' here"),
        (("../../etc/passwd", [], "", 4), "there is no maze"),
        (("tiny", ["random", "random"], "", 4), "at most 1 of"),
        (("tiny", ["kind"], "", 4), "at most 1 of"),
        (("tiny", [], "1", 4), "a move that is not legal"),
        (("tiny", [], "9", 4), "a move that is not legal"),
        (("tiny", [], "", 1), "cannot go there"),
        (("corridor", [], "3" + "1" * 3, 4), "the game is over"),
    ],
)
def test_what_is_no_step_is_refused(details, what):
    with pytest.raises(BadOption, match=what):
        play_round(*details, 0)


def test_programs_play_films_and_tallies():
    events = []
    watch_games(
        events.append, maze="corridor", ghosts=["random"], player="random", rounds=1, believes=None, games=3, seed=1,
        lang="zh",
    )  # fmt: skip
    assert [event["event"] for event in events if event["event"] != "progress"] == ["started", "film", "tally"]
    film, tally = events[-2], events[-1]
    frames = film["film"]["frames"]
    assert all((film["start"] + frame["svg"]).endswith("</svg>") for frame in frames)
    assert film["start"].startswith("<svg")
    assert tally["cells"][2].endswith(" / 3")
    game = maze_game("rooms", ["random", "random"])
    assert spec_of("alphabeta", 2, game).startswith("alphabeta:depth=6,")
    assert spec_of("expectimax", 2, game).startswith("expectiminimax:depth=2,")
    assert reached("rooms", ["random"], "")[1].ghosts == 1


def test_the_page_is_played_watched_and_accessible(visit):
    visitor = visit("/pacman?seed=5&maze=corridor&ghosts=none")
    page = visitor.page
    caption = page.locator(".pacman-caption")
    expect(caption).to_have_text("Pac-Man has 10 points. Each step costs 1.")
    visitor.press("ArrowLeft")
    expect(caption).to_contain_text("goes west, eats food: +10")
    visitor.press("ArrowUp")  # a wall
    page.get_by_role("button", name="east", exact=True).click()
    expect(caption).to_have_text("Pac-Man goes east.")
    visitor.accessible()
    page.get_by_text("quick", exact=True).click()
    visitor.press("ArrowRight")  # and on by itself, to the end
    expect(caption).to_contain_text("All food is eaten: +1000")
    page.get_by_text("Watch", exact=True).last.click()
    page.get_by_label("Player").select_option("random")
    page.get_by_label("Ghost 1").select_option("random")
    page.get_by_role("button", name="Watch a game").click()
    expect(page.locator(".film-picture svg")).to_be_visible()
    expect(page.locator(".pacman tbody tr")).to_have_count(1)
    visitor.press("End")
    visitor.accessible()


@pytest.mark.slow
def test_the_page_fits_a_phone_in_chinese_and_the_dark(visit):
    visitor = visit("/pacman?seed=5&maze=small", width=360, height=740, locale="zh-CN", color_scheme="dark")
    page = visitor.page
    expect(page.locator(".pacman-caption")).to_contain_text("吃豆人有 10 分")
    visitor.fits()
    # Also where the machine has no Chinese font.
    font = "element => getComputedStyle(element).fontFamily"
    assert "Plyground Chinese" in page.locator(".pacman .pm-text").first.evaluate(font)
    expect(page.get_by_role("img", name="吃豆人的迷宫")).to_be_visible()
    expect(page.get_by_role("button", name="上", exact=True)).to_be_visible()
    visitor.accessible()
