"""The features of the evaluation: what stands on 64 small groups of squares.

Each of 15 shapes (an edge with its X squares, a corner, rows, diagonals, ...) occurs four times on the board, one of
them eight times; what stands there is a number in balanced ternary, +1 for a disc of the side to move, -1 for the
opponent's, 0 for none. Seen from the other side every number just changes its sign, so that a move is: add what
changes, negate. All 64 numbers are 16 bits wide and are updated together, as one vector. The tradition is Logistello's
(M. Buro, "Improving heuristic search by supervised learning", Artificial Intelligence 134, 2002).

A shape that is its own mirror image has one weight for each pair of mirrored contents.
"""

from __future__ import annotations

import operator
from functools import cache, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.native.bits import bit_index
from plyground.native.compiling import compiled
from plyground.native.vectors import Lanes, fold_bits, load, save, vectorised

__all__ = ["CENTRES", "FEATURES", "SHAPES", "WEIGHTS", "canonical_weights", "write_features", "write_moved_features"]

SHAPES = {
    "edge": "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
    "corner": "a1 b1 c1 a2 b2 c2 a3 b3 c3 d4",
    "triangle": "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4",
    "angle": "a1 b1 c1 d1 e1 a2 b2 a3 a4 a5",
    "block": "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2",
    "arrow": "a1 b1 a2 b2 c2 b3 c3 d3 c4 d4",
    "row 2": "a1 h1 a2 b2 c2 d2 e2 f2 g2 h2",
    "row 3": "b2 g2 a3 b3 c3 d3 e3 f3 g3 h3",
    "row 4": "d3 e3 a4 b4 c4 d4 e4 f4 g4 h4",
    "diagonal 8": "a1 b2 c3 d4 e5 f6 g7 h8 b1 a2",
    "diagonal 7": "b1 c2 d3 e4 f5 g6 h7 a1 h8",
    "diagonal 6": "c1 d2 e3 f4 g5 h6 b1 h7 b2 g7",
    "diagonal 5": "d1 e2 f3 g4 h5 e1 f2 g3 h4 h1",
    "centre": "b2 c2 d2 b3 c3 d3 b4 c4 d4 a1",
    "two by five": "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
}


def _symmetric(square: int, index: int) -> int:
    row, column = divmod(square, 8)
    for _ in range(index % 4):
        row, column = column, 7 - row
    return 8 * row + (7 - column if index >= 4 else column)


def _occurrences(shape: str) -> tuple[list[tuple[int, ...]], tuple[int, ...] | None]:
    """Where a shape occurs, its squares in matching order; and in which order a mirror shows them, if one does."""
    squares = [8 * (int(name[1]) - 1) + "abcdefgh".index(name[0]) for name in shape.split()]
    found: dict[frozenset[int], tuple[int, ...]] = {}
    mirror = None
    for index in range(8):
        place = tuple(_symmetric(square, index) for square in squares)
        known = found.setdefault(frozenset(place), place)
        if known != place:
            mirror = tuple(known.index(square) for square in place)
    return list(found.values()), mirror


_FOUND = [_occurrences(shape) for shape in SHAPES.values()]
_LENGTHS = [len(shape.split()) for shape in SHAPES.values()]
_STARTS = [sum(3**length for length in _LENGTHS[:number]) for number in range(len(_LENGTHS))]
_PLACES = [(number, place) for number, (places, _) in enumerate(_FOUND) for place in places]

FEATURES = len(_PLACES)
WEIGHTS = sum(3**length for length in _LENGTHS)
"""How many weights a stage of the game has, all contents of all shapes."""
CENTRES = np.array([_STARTS[number] + 3 ** _LENGTHS[number] // 2 for number, _ in _PLACES], np.int64)
"""Where the weights of each feature lie: the one for content i is at CENTRES[feature] + i."""
DISCS = np.zeros((64, FEATURES), np.int16)
"""What a disc of the side to move on each square adds to each feature."""
for _feature, (_, _place) in enumerate(_PLACES):
    for _digit, _square in enumerate(_place):
        DISCS[_square, _feature] = 3**_digit


@cache
def canonical_weights() -> NDArray[np.int32]:
    """For each of a stage's weights the one that stands for it and for its mirror image."""
    canonical = np.arange(WEIGHTS, dtype=np.int32)
    for start, length, (_, mirror) in zip(_STARTS, _LENGTHS, _FOUND, strict=True):
        if mirror is not None:
            content = np.arange(3**length)
            twin = sum(content // 3**digit % 3 * 3 ** mirror[digit] for digit in range(length))
            canonical[start : start + 3**length] = start + np.minimum(content, twin)
    return canonical


@compiled
def write_features(own: Any, opponent: Any, out: Any) -> None:
    """Write the features of a position, for the side to move, into a row of `FEATURES` 16-bit numbers."""
    for feature in range(FEATURES):
        out[feature] = 0
    while own:
        square = bit_index(own)
        own &= own - np.uint64(1)
        for feature in range(FEATURES):
            out[feature] += DISCS[square, feature]
    while opponent:
        square = bit_index(opponent)
        opponent &= opponent - np.uint64(1)
        for feature in range(FEATURES):
            out[feature] -= DISCS[square, feature]


# All features as one vector -----------------------------------------------------------------------------------------

ROW_BYTES = 2 * FEATURES


@vectorised(*[np.uint64] * 5)
def write_moved_features(there: Lanes, here: Lanes, discs: Lanes, square: Lanes, flipped: Lanes) -> None:
    """From the features at the address `here` write those after a move, for the other side, at the address `there`."""

    def row(index: Lanes) -> Lanes:
        return load(discs + index * ROW_BYTES, np.int16, FEATURES)

    placed = load(here, np.int16, FEATURES) + row(square)
    turned = fold_bits(flipped, placed.constant(0), lambda total, index: total + row(index))
    # A disc that is flipped turns from -1 to +1.
    save(-(placed + (turned + turned)), there)


@vectorised(np.uint64, np.uint64, returns=np.int64)
def sum_of_weights(weights: Lanes, features: Lanes) -> Lanes:
    """The sum of the weights of all features: addresses of a stage's 16-bit weights and of a row of features."""

    def weight(feature: int) -> Lanes:
        content = load(features + 2 * feature, np.int16).to(np.int64)
        return load(weights + 2 * int(CENTRES[feature]), np.int16, index=content).to(np.int32)

    each = [weight(feature) for feature in range(FEATURES)]
    sums = [reduce(operator.add, each[start::4]) for start in range(4)]  # each addition waits for the one before
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])).to(np.int64)
