"""Squares and symmetries on bitboards, against the same done square by square."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import make_game, transformed
from plyground.engines.reversi.squares import (
    CORNERS,
    NEIGHBOURS,
    mirrored,
    odd_quadrants,
    symmetric,
    symmetric_square,
    transposed,
    upside_down,
)
from plyground.games.reversi.moves import flips
from reversi_reference import FULL, START, legal_squares, squares_of, words

any_word = st.integers(0, 2**64 - 1)
any_symmetry = st.integers(0, 7)
NAMES = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]


def square(name):
    return NAMES.index(name)


def turned(word, index):
    return int(symmetric(np.uint64(word), index))


def bits(squares):
    return sum(1 << place for place in squares)


@pytest.mark.parametrize(
    ("turn", "from_to"),
    [
        (mirrored, {"a1": "h1", "b3": "g3", "h8": "a8"}),
        (upside_down, {"a1": "a8", "b3": "b6", "h8": "h1"}),
        (transposed, {"b1": "a2", "a1": "a1", "c7": "g3"}),
    ],
)
def test_the_three_generators_move_squares_as_they_say(turn, from_to):
    for here, there in from_to.items():
        assert int(turn(np.uint64(1 << square(here)))) == 1 << square(there)
        assert int(turn(np.uint64(1 << square(there)))) == 1 << square(here)


@given(any_word, any_symmetry)
def test_a_word_is_turned_as_its_squares_are(word, index):
    moved = bits(symmetric_square(place, index) for place in squares_of(word))
    assert turned(word, index) == moved


def test_the_eight_symmetries_are_a_group():
    maps = [tuple(symmetric_square(place, index) for place in range(64)) for index in range(8)]
    assert maps[0] == tuple(range(64))
    assert len(set(maps)) == 8
    for first in maps:
        assert sorted(first) == list(range(64))
        assert any(tuple(second[place] for place in first) == maps[0] for second in maps)
        for second in maps:
            assert tuple(second[place] for place in first) in maps


def test_the_symmetries_are_those_of_the_game():
    state = make_game("reversi").initial._replace(own=np.uint64(0x0123456789ABCDEF), opponent=np.uint64(0))
    ours = {turned(state.own, index) for index in range(8)}
    assert ours == {int(transformed(state, index).own) for index in range(8)}
    assert len(ours) == 8


def test_what_is_no_square_stays():
    assert [symmetric_square(64, index) for index in range(8)] == [64] * 8


@given(any_word, any_word, any_symmetry)
def test_moves_turn_with_the_board(own, other, index):
    opponent = other & ~own
    there = legal_squares(*words(turned(own, index), turned(opponent, index)))
    assert int(there) == turned(legal_squares(*words(own, opponent)), index)


def test_corners():
    assert squares_of(CORNERS) == [square(name) for name in ("a1", "h1", "a8", "h8")]


def test_neighbours_touch():
    for here in range(64):
        near = {s for s in range(64) if max(abs(s // 8 - here // 8), abs(s % 8 - here % 8)) == 1}
        assert set(squares_of(NEIGHBOURS[here])) == near


@given(any_word, any_word, st.integers(0, 63))
def test_without_an_opponent_next_to_it_a_move_flips_nothing(own, other, here):
    opponent = other & ~own & ~int(NEIGHBOURS[here])
    assert int(flips(*words(own, opponent), here)) == 0


@given(any_word)
def test_odd_quadrants(empty):
    expected = 0
    for top in (0, 4):
        for left in (0, 4):
            quadrant = [8 * row + column for row in range(top, top + 4) for column in range(left, left + 4)]
            if sum(empty >> place & 1 for place in quadrant) % 2:
                expected |= bits(quadrant)
    assert int(odd_quadrants(np.uint64(empty))) == expected


def test_all_quadrants_of_the_start_are_odd():
    own, opponent = words(*START)
    assert int(odd_quadrants(~(own | opponent))) == int(FULL)  # fifteen empty squares each
