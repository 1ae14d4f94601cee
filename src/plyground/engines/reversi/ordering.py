"""Which move to try first.

In the endgame the move that leaves the opponent the fewest replies is refuted most cheaply if it is wrong, and is often
right ("fastest first"); corners among the replies count twice. Odd quadrants come before even ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.engines.reversi.squares import CORNERS
from plyground.games.reversi.moves import moves
from plyground.native.bits import popcount
from plyground.native.compiling import compiled

__all__ = ["SQUARE_GROUPS", "SQUARE_VALUES", "next_move", "order_value"]

_CORNER_OF_VALUES = ((9, 2, 8, 6), (2, 1, 3, 4), (8, 3, 7, 5), (6, 4, 5, 0))
SQUARE_VALUES = np.array(
    [_CORNER_OF_VALUES[min(s // 8, 7 - s // 8)][min(s % 8, 7 - s % 8)] for s in range(64)], np.int64
)
"""What a square is worth before anything is known of the position; corners most."""
SQUARE_GROUPS = np.array(
    [sum(1 << s for s in range(64) if SQUARE_VALUES[s] == value) for value in range(9, -1, -1)], np.uint64
)
"""The squares of each value, the best first."""

REPLY, POTENTIAL, PARITY, SQUARE = 64, 12, 24, 2
"""What one reply, one empty square next to a disc, an odd quadrant and a point of square value count."""
HASH_MOVE = 1 << 30


@compiled
def frontier(own: Any, opponent: Any) -> Any:
    """The empty squares next to the opponent's discs, where we may come to move: edges hide what lies beyond them."""
    across, along = np.uint64(0x7E7E7E7E7E7E7E7E), np.uint64(0x00FFFFFFFFFFFF00)
    sides, ends, corners = opponent & across, opponent & along, opponent & across & along
    near = sides << np.uint64(1) | sides >> np.uint64(1) | ends << np.uint64(8) | ends >> np.uint64(8)
    near |= corners << np.uint64(7) | corners >> np.uint64(7) | corners << np.uint64(9) | corners >> np.uint64(9)
    return near & ~(own | opponent)


@compiled
def order_value(own: Any, opponent: Any, square: int, odd: Any) -> int:
    """How early to try the move that led to this position, whose side to move is the one to reply; more is earlier."""
    replies = moves(own, opponent)
    value = -(popcount(replies) + popcount(replies & CORNERS)) * REPLY - popcount(frontier(own, opponent)) * POTENTIAL
    value += SQUARE_VALUES[np.uint64(square)] * SQUARE
    return value + PARITY if odd >> np.uint64(square) & np.uint64(1) else value  # type: ignore[no-any-return]


@compiled
def next_move(empties: int, first: int, count: int, memory: Any) -> None:
    """Bring the best of the moves that are left to the front of them."""
    squares, flipped, order = memory.square[empties], memory.flipped[empties], memory.order[empties]
    best = first
    for other in range(first + 1, count):
        if order[other] > order[best]:
            best = other
    squares[first], squares[best] = squares[best], squares[first]
    flipped[first], flipped[best] = flipped[best], flipped[first]
    order[first], order[best] = order[best], order[first]
