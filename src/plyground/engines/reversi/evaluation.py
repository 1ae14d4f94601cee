"""The expected final difference in discs, from the patterns on the board.

The value of a position is the sum of the weights of its 64 features, for the side to move, and what a small network
adds to it. Six plies of the game have two sets of weights, trained by us: one where the number of empty squares is
even, one where it is odd. To have the last move of a region is worth about a disc, and this the patterns alone do not
see.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.engines.reversi.correction import HEAD, correction
from plyground.engines.reversi.patterns import DISCS, ROW_BYTES, WEIGHTS, sum_of_weights, write_moved_features
from plyground.native.compiling import compiled

__all__ = [
    "MOST_CORRECTION",
    "STAGES",
    "UNIT",
    "evaluate",
    "fine_value",
    "plain_value",
    "push_features",
    "stage_of",
    "swap_features",
    "whole_discs",
]

STAGES = 20
UNIT = 16
"""Weights are in this part of a disc."""
HIGHEST = 62
"""Only a finished game is worth all 64."""
MOST_CORRECTION = 2 * UNIT
"""The network adds or takes no more than this, so that it need not be asked where that would change nothing."""


@compiled
def stage_of(empties: int) -> int:
    """Which set of weights is for this many empty squares."""
    return max(60 - empties, 0) // 6 * 2 + empties % 2


@compiled
def plain_value(empties: int, memory: Any) -> int:
    """The sum of the weights of the position whose features lie in the row for `empties`, in 1/16 disc."""
    stage = np.uint64(stage_of(empties))
    row = memory.features_at + np.uint64(empties * ROW_BYTES)
    return sum_of_weights(memory.weights + stage * np.uint64(2 * WEIGHTS), row)  # type: ignore[no-any-return]


@compiled
def corrected(total: int, empties: int, memory: Any) -> int:
    """The same with the correction of the network."""
    head = memory.heads + np.uint64(stage_of(empties)) * np.uint64(2 * HEAD)
    row = memory.features_at + np.uint64(empties * ROW_BYTES)
    added = correction(memory.numbers, head, row, total)
    return total + max(int(-MOST_CORRECTION), min(int(MOST_CORRECTION), added))  # type: ignore[no-any-return]


@compiled
def fine_value(empties: int, memory: Any) -> int:
    """The value of the position whose features lie in the row for this many empty squares, in units of 1/16 disc."""
    return corrected(plain_value(empties, memory), empties, memory)


@compiled
def whole_discs(fine: int) -> int:
    """Rounded, and less than what a finished game may be worth."""
    return max(int(-HIGHEST), min(int(HIGHEST), (fine + UNIT // 2) // UNIT))


@compiled
def evaluate(alpha: int, beta: int, empties: int, memory: Any) -> int:
    """The value in whole discs, if it is inside the window; else a bound, for which the network need not be asked."""
    total = plain_value(empties, memory)
    least, most = whole_discs(total - MOST_CORRECTION), whole_discs(total + MOST_CORRECTION)
    if least >= beta:
        return least
    if most <= alpha:
        return most
    return whole_discs(corrected(total, empties, memory))


@compiled
def push_features(empties: int, square: int, flipped: Any, memory: Any) -> None:
    """Write the features after a move into the row of the position with one empty square less."""
    here = memory.features_at + np.uint64(empties * ROW_BYTES)
    discs = np.uint64(DISCS.ctypes.data)
    write_moved_features(here - np.uint64(ROW_BYTES), here, discs, np.uint64(square), flipped)


@compiled
def swap_features(empties: int, memory: Any) -> None:
    """See the position from the other side: a pass."""
    row = memory.features[empties]
    for feature in range(len(row)):
        row[feature] = -row[feature]
