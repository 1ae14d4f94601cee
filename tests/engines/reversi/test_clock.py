"""Time for a whole game: texts, what is allotted, and that it never runs out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.core.game_time import GameTime
from plyground.engines.reversi.clock import ENDING, Clock, allot
from plyground.errors import BadOption

seconds = st.floats(0.001, 10_000, allow_nan=False)
increments = st.one_of(st.just(0.0), st.floats(0.0, 60.0))
squares = st.integers(1, 60)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("300", GameTime(300.0)),
        ("300+2", GameTime(300.0, 2.0)),
        ("0.5+.25", GameTime(0.5, 0.25)),
        (" 60 + 1 ", GameTime(60.0, 1.0)),
        ("5.", GameTime(5.0)),
    ],
)
def test_a_text_says_the_time(text, time):
    assert GameTime.parse(text) == time


@pytest.mark.parametrize("text", ["", "five", "300+", "+2", "-5", "300-2", "1e3", "300+2+1", "5:00", "nan", "inf", "."])
def test_a_text_that_is_no_time_is_refused_in_one_line(text):
    with pytest.raises(BadOption, match="such as 300 or 300\\+2, not") as caught:
        GameTime.parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["0", "0+5", "99999999", "10+99999999"])
def test_times_out_of_range_are_refused(text):
    with pytest.raises(BadOption, match="positive number of seconds"):
        GameTime.parse(text)


@given(left=seconds, increment=increments, empties=squares)
def test_no_move_gets_all_that_is_left(left, increment, empties):
    allotment = allot(left, increment, empties)
    assert 0 < allotment.target <= allotment.most <= left / 2


@given(main=st.floats(1.0, 3600.0), increment=increments, overhead=st.floats(0.0, 0.01), first=st.integers(59, 60))
def test_a_player_who_always_takes_the_most_never_runs_out_of_time(main, increment, overhead, first):
    clock = Clock(GameTime(main, increment))
    for empties in range(first, 0, -2):
        spent = clock.allot(empties).most + overhead
        assert spent < clock.left
        clock.spend(spent)
    assert clock.left > 0


@given(main=st.floats(10.0, 3600.0), increment=increments)
def test_a_player_who_keeps_to_the_target_has_a_third_left_for_the_ending(main, increment):
    clock = Clock(GameTime(main, increment))
    for empties in range(60, ENDING, -2):
        clock.spend(clock.allot(empties).target)
    assert clock.left >= main / 3


def test_the_midgame_gets_more_than_the_opening():
    clock = Clock(GameTime(300.0))
    targets = []
    for empties in range(60, ENDING, -2):
        targets.append(clock.allot(empties).target)
        clock.spend(targets[-1])
    assert targets == sorted(targets)
    assert targets[-1] > 2 * targets[0]


def test_the_first_move_of_the_ending_may_take_long_and_the_next_ones_too():
    clock = Clock(GameTime(300.0))
    before = clock.allot(ENDING + 2).target
    assert clock.allot(ENDING).target > 3 * before
    clock.spend(clock.allot(ENDING).most)
    assert clock.allot(ENDING - 2).most > before


def test_an_increment_is_spent_when_nothing_else_is_left():
    clock = Clock(GameTime(0.001, 5.0))
    clock.spend(0.001)
    assert clock.left == 5.0
    assert clock.allot(40).most > 1.0


def test_a_clock_that_has_run_out_shows_nothing_and_a_new_game_fills_it():
    clock = Clock(GameTime(10.0))
    clock.spend(11.0)
    assert clock.left == 0.0
    clock.restart()
    assert clock.left == 10.0
