"""The two kernels of Reversi on bitboards: which squares are moves, and which discs a move flips.

A board is two uint64 words, one bit a square: bit 8*row + column, a1 (top left) first. The functions below are plain
Python, one direction after the other. Compiled code runs all eight directions at once instead, as two vectors of
four lanes (east, south-west, south, south-east; and their opposites), which LLVM lowers to AVX2, AVX-512 or NEON.

Boards smaller than 8x8 lie in the top left corner; the squares beyond are never occupied, so that no line crosses
them, and only the moves must be masked.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from plyground.native.bits import MASK64
from plyground.native.overloads import native
from plyground.native.vectors import LEADING_ZEROS_ARE_FAST, Lanes, load, vectorised

__all__ = ["flips", "moves"]

_DIRECTIONS = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)


def _ray(square: int, down: int, right: int) -> list[int]:
    """The squares from `square` (not included) to the edge in one direction."""
    row, column = square // 8 + down, square % 8 + right
    ray = []
    while 0 <= row < 8 and 0 <= column < 8:
        ray.append(8 * row + column)
        row, column = row + down, column + right
    return ray


_RAYS = [[_ray(square, down, right) for down, right in _DIRECTIONS] for square in range(64)]


def flips(own: Any, opponent: Any, square: Any) -> Any:
    """The opponent's discs that a disc of ours on an empty square would flip; 0 if it would flip none."""
    mine, theirs = int(own), int(opponent)
    flipped = 0
    for ray in _RAYS[int(square)]:
        run = 0
        for place in ray:
            if theirs >> place & 1:
                run |= 1 << place
                continue
            if mine >> place & 1:
                flipped |= run
            break
    return np.uint64(flipped)


def moves(own: Any, opponent: Any) -> Any:
    """All empty squares where a disc of ours would flip something."""
    empty = ~(int(own) | int(opponent)) & MASK64
    found = 0
    while empty:
        bit = empty & -empty
        if flips(own, opponent, bit.bit_length() - 1):
            found |= bit
        empty ^= bit
    return np.uint64(found)


# Four directions at a time ----------------------------------------------------------------------------------------

_STEP, _TWO_STEPS, _FOUR_STEPS = (1, 7, 8, 9), (2, 14, 16, 18), (4, 28, 32, 36)
"""Towards higher bits: east, south-west, south, south-east. Towards lower bits: their opposites."""
_INNER = 0x7E7E7E7E7E7E7E7E
"""Discs on the first and last column never lie between two others, except along the column."""
_PASSABLE = (_INNER, _INNER, MASK64, _INNER)

_UP = ((0, 1), (1, -1), (1, 0), (1, 1))
UP_RAYS = np.array([[sum(1 << s for s in _ray(square, *d)) for d in _UP] for square in range(64)], np.uint64)
DOWN_RAYS = np.array([[sum(1 << s for s in _ray(square, -d, -r)) for d, r in _UP] for square in range(64)], np.uint64)
"""For each square the four rays towards higher and towards lower bits, as the lanes of one vector each."""


@vectorised(np.uint64, np.uint64, returns=np.uint64)
def _moves_vector(own: Lanes, opponent: Lanes) -> Lanes:
    mine, passable = own.spread(4), opponent.spread(4) & _PASSABLE

    def reach(shift: Callable[[Lanes, Any], Lanes]) -> Lanes:
        # Parallel prefix: runs of opponents next to ours grow by one step, one step, two steps, two steps.
        run = passable & shift(mine, _STEP)
        run |= passable & shift(run, _STEP)
        pairs = passable & shift(passable, _STEP)
        run |= pairs & shift(run, _TWO_STEPS)
        run |= pairs & shift(run, _TWO_STEPS)
        return shift(run, _STEP)

    return (reach(operator.lshift) | reach(operator.rshift)).union() & ~(own | opponent)


@vectorised(np.uint64, np.uint64, np.uint64, np.uint64, returns=np.uint64)
def _flips_vector(own: Lanes, opponent: Lanes, up_rays: Lanes, down_rays: Lanes) -> Lanes:
    """Flips along the rays at two addresses, four lanes each."""
    mine, theirs = own.spread(4), opponent.spread(4)
    up, down = load(up_rays, np.uint64, 4), load(down_rays, np.uint64, 4)

    # Towards higher bits: a carry runs through the opponent's discs and stops at the first square that is not.
    end = ((theirs | ~up) + 1) & up & mine
    flipped = up & (end + end.where_not_zero())

    # Towards lower bits: the highest square of the ray that is not the opponent's.
    stop = down & ~theirs
    if LEADING_ZEROS_ARE_FAST:
        top = stop.constant(1 << 63) >> (stop | 1).leading_zeros()
    else:
        for steps in (_STEP, _TWO_STEPS, _FOUR_STEPS):
            stop |= stop >> steps
        top = stop & ~(stop >> _STEP)
    end = top & down & mine
    return (flipped | down & -(end << 1)).union()


@native(moves)
def _moves(own: Any, opponent: Any) -> Any:
    return lambda own, opponent: _moves_vector(own, opponent)


@native(flips)
def _flips(own: Any, opponent: Any, square: Any) -> Any:
    def impl(own, opponent, square):  # type: ignore[no-untyped-def]
        # The addresses are taken here, not at import: cached code would keep them into a process where they are void.
        offset = np.uint64(square) * np.uint64(32)
        up, down = np.uint64(UP_RAYS.ctypes.data), np.uint64(DOWN_RAYS.ctypes.data)
        return _flips_vector(own, opponent, up + offset, down + offset)

    return impl
