"""Squares, lines and the eight symmetries of the board.

A square is 8*row + column, a1 at the top left; a set of squares is a uint64, bit for bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.native.bits import popcount
from plyground.native.compiling import compiled

__all__ = [
    "CORNERS",
    "NEIGHBOURS",
    "canonical",
    "mirrored",
    "odd_quadrants",
    "symmetric",
    "symmetric_square",
    "transposed",
    "upside_down",
]

CORNERS = np.uint64(0x8100000000000081)
NORTH_WEST, NORTH_EAST = np.uint64(0x0F0F0F0F), np.uint64(0xF0F0F0F0)
SOUTH_WEST, SOUTH_EAST = np.uint64(0x0F0F0F0F << 32), np.uint64(0xF0F0F0F0 << 32)


def _around(square: int) -> int:
    row, column = divmod(square, 8)
    near = [(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2) if (r, c) != (row, column)]
    return sum(1 << 8 * r + c for r, c in near if 0 <= r < 8 and 0 <= c < 8)


NEIGHBOURS = np.array([_around(square) for square in range(64)], np.uint64)
"""For each square the up to eight squares around it: without an opponent's disc there, nothing is flipped."""


@compiled
def odd_quadrants(empty: Any) -> Any:
    """The quadrants that hold an odd number of empty squares.

    Whoever moves first into such a region usually also has the last word there.
    """
    odd = np.uint64(0)
    if popcount(empty & NORTH_WEST) & 1:
        odd |= NORTH_WEST
    if popcount(empty & NORTH_EAST) & 1:
        odd |= NORTH_EAST
    if popcount(empty & SOUTH_WEST) & 1:
        odd |= SOUTH_WEST
    if popcount(empty & SOUTH_EAST) & 1:
        odd |= SOUTH_EAST
    return odd


@compiled
def mirrored(word: Any) -> Any:
    """Left and right exchanged: a1 becomes h1."""
    for step, mask in ((1, 0x5555555555555555), (2, 0x3333333333333333), (4, 0x0F0F0F0F0F0F0F0F)):
        shift, half = np.uint64(step), np.uint64(mask)
        word = word >> shift & half | (word & half) << shift
    return word


@compiled
def upside_down(word: Any) -> Any:
    """Top and bottom exchanged: a1 becomes a8."""
    for step, mask in ((8, 0x00FF00FF00FF00FF), (16, 0x0000FFFF0000FFFF), (32, 0x00000000FFFFFFFF)):
        shift, half = np.uint64(step), np.uint64(mask)
        word = word >> shift & half | (word & half) << shift
    return word


@compiled
def transposed(word: Any) -> Any:
    """Rows and columns exchanged: b1 becomes a2."""
    for step, mask in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0)):
        shift = np.uint64(step)
        swap = (word ^ word >> shift) & np.uint64(mask)
        word = word ^ swap ^ swap << shift
    return word


@compiled
def symmetric(word: Any, index: int) -> Any:
    """The squares under one of the eight symmetries; 0 changes nothing.

    Bit 2 of the index exchanges rows and columns, then bit 1 top and bottom, then bit 0 left and right.
    """
    word = np.uint64(word)
    if index & 4:
        word = transposed(word)
    if index & 2:
        word = upside_down(word)
    if index & 1:
        word = mirrored(word)
    return word


@compiled
def canonical(own: Any, opponent: Any) -> tuple[Any, Any, int]:
    """Of the eight images of a position the one whose numbers come first, and the symmetry that leads there."""
    first, second, chosen = own, opponent, 0
    for index in range(1, 8):
        image, other = symmetric(own, index), symmetric(opponent, index)
        if image < first or (image == first and other < second):
            first, second, chosen = image, other, index
    return first, second, chosen


def symmetric_square(square: int, index: int) -> int:
    """Where one square goes under that symmetry; what is not a square (64, the pass) stays."""
    if square >= 64:
        return square
    row, column = divmod(square, 8)
    if index & 4:
        row, column = column, row
    return 8 * (row ^ 7 if index & 2 else row) + (column ^ 7 if index & 1 else column)
