"""How many discs the last move of a game flips: no more than that is needed of the last ply.

All other squares are full, so that whatever is not ours is the opponent's, and each of the four lines through the
square is looked up by our discs in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.native.compiling import compiled

__all__ = ["last_flips"]


def _flipped(place: int, own: int) -> int:
    """Discs flipped in a line of eight, full but for one place."""
    flipped = 0
    for step in (-1, 1):
        run, there = 0, place + step
        while 0 <= there < 8 and not own >> there & 1:
            run, there = run + 1, there + step
        if 0 <= there < 8:
            flipped += run
    return flipped


LINE_FLIPS = np.array([_flipped(place, own) for place in range(8) for own in range(256)], np.uint8)
DIAGONALS = np.array([sum(1 << t for t in range(64) if t // 8 - t % 8 == s // 8 - s % 8) for s in range(64)], np.uint64)
ANTIDIAGONALS = np.array(
    [sum(1 << t for t in range(64) if t // 8 + t % 8 == s // 8 + s % 8) for s in range(64)], np.uint64
)
FIRST_COLUMN = np.uint64(0x0101010101010101)
TO_TOP_BYTE = np.uint64(0x0102040810204080)
"""A product with this brings the bits of the first column together in the top byte; one with `FIRST_COLUMN` those of a
diagonal."""


@compiled
def last_flips(own: Any, square: Any) -> int:
    """How many discs our disc on the only empty square flips."""
    here = np.uint64(square)
    row, column = here >> np.uint64(3), here & np.uint64(7)
    top = np.uint64(56)
    by_row, by_column = row << np.uint64(8), column << np.uint64(8)
    flipped = LINE_FLIPS[by_column | own >> (here & top) & np.uint64(255)]
    flipped += LINE_FLIPS[by_row | (own >> column & FIRST_COLUMN) * TO_TOP_BYTE >> top]
    flipped += LINE_FLIPS[by_column | (own & DIAGONALS[here]) * FIRST_COLUMN >> top]
    flipped += LINE_FLIPS[by_column | (own & ANTIDIAGONALS[here]) * FIRST_COLUMN >> top]
    return np.int64(flipped)  # type: ignore[return-value]
