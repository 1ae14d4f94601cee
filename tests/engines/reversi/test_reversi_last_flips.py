"""The flips of the last move, counted, against the rules."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plyground.engines.reversi.last_flips import last_flips
from plyground.games.reversi.moves import flips
from plyground.native.bits import popcount
from reversi_reference import FULL


def by_the_rules(own, square):
    mine = np.uint64(own)
    theirs = FULL & ~mine & ~np.uint64(1 << square)
    return popcount(flips(mine, theirs, square))


@given(st.integers(0, 2**64 - 1))
def test_last_flips_on_any_full_board(word):
    for square in range(64):
        own = word & ~(1 << square)
        assert int(last_flips(np.uint64(own), square)) == by_the_rules(own, square)


def test_every_content_of_every_line():
    """Two lines at a time: a row with a column, and the two diagonals, each with all 256 contents."""
    for square in range(0, 64, 9):
        row, column = divmod(square, 8)
        for content in range(256):
            spread = sum(1 << 8 * place + column for place in range(8) if content >> place & 1)
            own = (content << 8 * row | spread) & ~(1 << square)
            assert int(last_flips(np.uint64(own), square)) == by_the_rules(own, square)
            falling = sum(1 << 9 * place for place in range(8) if content >> place & 1)
            rising = sum(1 << 7 * place for place in range(1, 9) if content >> place - 1 & 1)
            own = (falling | rising) & ~(1 << square)
            assert int(last_flips(np.uint64(own), square)) == by_the_rules(own, square)


def test_a_move_that_flips_nothing_counts_nothing():
    assert int(last_flips(np.uint64(0), 0)) == 0
    assert int(last_flips(FULL & ~np.uint64(1), 0)) == 0


def test_the_most_that_one_move_flips():
    """In the middle of an empty-handed board whose rim is ours: all on eight rays but the rim."""
    rim = 0xFF818181818181FF
    assert int(last_flips(np.uint64(rim), 27)) == 19 == by_the_rules(rim, 27)
