"""The network that corrects the sum of weights: what patterns are worth together, and not each by itself.

Each content of seven of the shapes has, besides its weight, 16 small numbers. Those of all places on the board are
added up, as the weights are, and a layer of 16 units makes a correction of the sums. So most of the work is a sum of
rows, as in the networks of programs for shogi and chess (Y. Nasu, "Efficiently updatable neural-network-based
evaluation functions for computer shogi", 2018). With the sum of the weights in units of 4 discs / 64

    inputs = the sums of the numbers in 1/64, the sum of the weights, 1
    unit   = max(0, inputs * layer)
    value  = sum of weights + units * output + constant

All of it is in whole numbers, so that every machine computes the same. The numbers belong to the whole game; each stage
has a layer and an output of its own: its *head*.
"""

from __future__ import annotations

import operator
from functools import cache, reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.engines.reversi.patterns import CENTRES, SHAPES, canonical_weights
from plyground.native.vectors import Lanes, load, vectorised, wide_product

__all__ = [
    "HEAD",
    "INPUTS",
    "NUMBERS",
    "NUMBER_CENTRES",
    "NUMBER_FEATURES",
    "ROWS",
    "UNITS",
    "Network",
    "canonical_rows",
    "correction",
    "no_network",
    "quantised",
]

NUMBERS = 16
UNITS = 16
INPUTS = NUMBERS + 2
HEAD = INPUTS * UNITS + 2 * UNITS
"""How many 16-bit numbers a head is: the layer, two inputs side by side for each unit; the output; the constant."""
SHAPES_WITH_NUMBERS = ("edge", "corner", "row 2", "row 3", "row 4", "diagonal 8", "two by five")

INPUT_SCALE, LAYER_SCALE, OUTPUT_SCALE = 64, 256, 64
"""What 1 is in the inputs and in the units, in the layer, and in the output, which is in 1/16 disc."""
MOST_TOTAL = 4096
MOST_UNIT = 8191
MOST_LAYER, MOST_OUTPUT = 16383, 8191
"""Within these no sum overflows."""


def _places() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Which features have numbers, where their rows lie, and which weight each row belongs to."""
    features, centres, weights = [], [], []
    start, first = 0, 0
    for name, shape in SHAPES.items():
        size = 3 ** len(shape.split())
        if name in SHAPES_WITH_NUMBERS:
            for feature in np.flatnonzero((start <= CENTRES) & (start + size > CENTRES)):
                features.append(int(feature))
                centres.append(first + size // 2)
            weights.append(np.arange(start, start + size))
            first += size
        start += size
    return np.array(features), np.array(centres), np.concatenate(weights)


NUMBER_FEATURES, NUMBER_CENTRES, _WEIGHT_OF_ROW = _places()
ROWS = len(_WEIGHT_OF_ROW)
"""Contents that have numbers: the row for content i of a feature is at NUMBER_CENTRES + i."""


@cache
def canonical_rows() -> NDArray[np.int32]:
    """For each row the one that stands for it and for its mirror image."""
    row_of = np.full(int(_WEIGHT_OF_ROW[-1]) + 1, -1, np.int32)
    row_of[_WEIGHT_OF_ROW] = np.arange(ROWS)
    return row_of[canonical_weights()[_WEIGHT_OF_ROW]]


class Network(NamedTuple):
    """`numbers` (rows, numbers) and `heads` (stages, HEAD), as compiled code reads them."""

    numbers: NDArray[np.int8]
    heads: NDArray[np.int16]


def no_network(stages: int) -> Network:
    """One that corrects nothing."""
    return Network(np.zeros((ROWS, NUMBERS), np.int8), np.zeros((stages, HEAD), np.int16))


def quantised(
    numbers: NDArray[np.float32], layer: NDArray[np.float32], output: NDArray[np.float32], unit: int
) -> Network:
    """In whole numbers: `numbers` (rows, numbers), `layer` (stages, inputs, units), `output` (stages, units + 1).

    The output, the constant last, is in discs; `unit` is what a disc is in values.
    """
    stages = len(layer)
    heads = np.zeros((stages, HEAD), np.int16)
    whole = _whole(layer * LAYER_SCALE, MOST_LAYER)
    heads[:, : INPUTS * UNITS] = whole.reshape(stages, INPUTS // 2, 2, UNITS).swapaxes(2, 3).reshape(stages, -1)
    heads[:, INPUTS * UNITS : -UNITS] = _whole(output[:, :UNITS] * unit * OUTPUT_SCALE, MOST_OUTPUT)
    heads[:, -UNITS] = _whole(output[:, UNITS] * unit, MOST_OUTPUT)
    return Network(_whole(numbers * INPUT_SCALE, 127).astype(np.int8), heads)


def _whole(values: NDArray[np.float32], most: int) -> NDArray[np.int16]:
    return np.clip(np.round(values), -most, most).astype(np.int16)


# Compiled -----------------------------------------------------------------------------------------------------------


@vectorised(np.uint64, np.uint64, np.uint64, np.int64, returns=np.int64)
def correction(numbers: Lanes, head: Lanes, features: Lanes, total: Lanes) -> Lanes:
    """What to add to the sum of weights `total`: addresses of all numbers, a stage's head, and a row of features."""

    def row(feature: int, centre: int) -> Lanes:
        content = load(features + 2 * feature, np.int16).to(np.int64)
        return load(numbers + content * NUMBERS + NUMBERS * centre, np.int8, NUMBERS).to(np.int16)

    rows = [row(int(feature), int(centre)) for feature, centre in zip(NUMBER_FEATURES, NUMBER_CENTRES, strict=True)]
    sums = [reduce(operator.add, rows[start::2]) for start in range(2)]  # each addition waits for the one before
    pairs = (sums[0] + sums[1]).bits_as(np.int32)
    four = (total >> 2).clamped(-MOST_TOTAL, MOST_TOTAL).to(np.int32)
    last = four & 0xFFFF | INPUT_SCALE << 16

    def weighted(pair: int) -> Lanes:
        both = last if 2 * pair == NUMBERS else pairs.lane(pair)
        layer = load(head + 4 * UNITS * pair, np.int16, 2 * UNITS)
        # Sums of two products each: one instruction, where the machine has it.
        products = wide_product(both.spread(UNITS).bits_as(np.int16), layer)
        return products.chosen(range(0, 2 * UNITS, 2)) + products.chosen(range(1, 2 * UNITS, 2))

    units = reduce(operator.add, [weighted(pair) for pair in range(INPUTS // 2)])
    units = (units >> LAYER_SCALE.bit_length() - 1).clamped(0, MOST_UNIT)
    output = load(head + 2 * INPUTS * UNITS, np.int16, UNITS).to(np.int32)
    found = (units * output).sum()
    scale = INPUT_SCALE * OUTPUT_SCALE
    found = (found + scale // 2) >> scale.bit_length() - 1
    constant = load(head + 2 * (HEAD - UNITS), np.int16).to(np.int32)
    return (found + constant).to(np.int64)
