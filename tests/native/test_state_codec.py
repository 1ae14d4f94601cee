"""States as rows of words."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from numpy.typing import NDArray

from plyground.core.rules import legal_actions, result, to_move, utility
from plyground.games import make_game
from plyground.native.compiling import compiled
from plyground.native.dispatch import coerced
from plyground.native.state_codec import read_state, states_as_words, word_count, write_state


class Odd(NamedTuple):
    """One field of every kind that a state may have."""

    small: np.int8
    wide: np.uint64
    share: float
    narrow: np.float32
    yes: bool
    cells: tuple[int, ...]
    pairs: tuple[tuple[np.uint16, float], ...]
    table: NDArray[np.float64]


TABLE = np.arange(3.0)


@to_move.rule(Odd)
def _(state: Odd) -> int:
    return 0


legal_actions.rule(Odd)(lambda state, out: 0)
result.rule(Odd)(lambda state, action: state)
utility.rule(Odd)(lambda state, player: 0.0)


@compiled
def through_words(state, words):
    write_state(state, words)
    return read_state(state, words), word_count(state)


@given(
    some.integers(-128, 127),
    some.integers(0, 2**64 - 1),
    some.floats(allow_nan=False),
    some.floats(width=32, allow_nan=False),
    some.booleans(),
    some.tuples(some.integers(-(2**63), 2**63 - 1), some.integers(-(2**63), 2**63 - 1)),
    some.tuples(some.tuples(some.integers(0, 65535), some.floats(allow_nan=False))),
)
def test_a_state_comes_back_from_its_words_compiled_and_interpreted(small, wide, share, narrow, yes, cells, pairs):
    state = coerced(Odd(small, wide, share, narrow, yes, cells, pairs, TABLE))
    slow, fast = np.zeros(9, np.uint64), np.zeros(9, np.uint64)
    write_state(state, slow)
    again = read_state(state, slow)
    assert again[:-1] == state[:-1]
    assert again.table is state.table
    back, count = through_words(state, fast)
    assert count == word_count(state) == 9
    assert coerced(back)[:-1] == state[:-1]
    assert (back.table == TABLE).all()
    assert (fast == slow).all()


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "reversi:size=6"])
def test_games_have_words(name):
    start = make_game(name).initial
    (row,) = states_as_words([start])
    assert read_state(start, row) == coerced(start)
