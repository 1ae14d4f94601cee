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

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from plyground.engines.reversi.patterns import CENTRES, SHAPES, canonical_weights

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

_WORD, _HALF, _SHORT, _BYTE = ir.IntType(64), ir.IntType(32), ir.IntType(16), ir.IntType(8)


def _vector(kind: ir.Type, size: int) -> ir.VectorType:
    return ir.VectorType(kind, size)


def _splat(kind: ir.Type, size: int, value: int) -> ir.Constant:
    return ir.Constant(_vector(kind, size), [ir.Constant(kind, value)] * size)


def _lanes(numbers: Any) -> ir.Constant:
    numbers = list(numbers)
    return ir.Constant(_vector(_HALF, len(numbers)), [ir.Constant(_HALF, number) for number in numbers])


@intrinsic
def correction(_context: Any, numbers: Any, head: Any, features: Any, total: Any) -> Any:
    """What to add to the sum of weights `total`: addresses of all numbers, a stage's head, and a row of features."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        numbers, head, features, total = args

        def at(address: Any, offset: int, kind: ir.Type) -> Any:
            place = builder.add(address, ir.Constant(_WORD, offset))
            return builder.load(builder.inttoptr(place, kind.as_pointer()), align=1)

        sums = [_splat(_SHORT, NUMBERS, 0)] * 2
        for i, (feature, centre) in enumerate(zip(NUMBER_FEATURES, NUMBER_CENTRES, strict=True)):
            content = builder.sext(at(features, 2 * int(feature), _SHORT), _WORD)
            row = builder.add(numbers, builder.mul(content, ir.Constant(_WORD, NUMBERS)))
            row = at(row, NUMBERS * int(centre), _vector(_BYTE, NUMBERS))
            sums[i % 2] = builder.add(sums[i % 2], builder.sext(row, _vector(_SHORT, NUMBERS)))
        pairs = builder.bitcast(builder.add(*sums), _vector(_HALF, NUMBERS // 2))

        def clamped(value: Any, least: int, most: int, constant: Any) -> Any:
            for bound, relation in ((least, "<"), (most, ">")):
                limit = constant(bound)
                value = builder.select(builder.icmp_signed(relation, value, limit), limit, value)
            return value

        four = builder.ashr(total, ir.Constant(_WORD, 2))
        four = builder.trunc(clamped(four, -MOST_TOTAL, MOST_TOTAL, lambda bound: ir.Constant(_WORD, bound)), _HALF)
        last = builder.or_(builder.and_(four, ir.Constant(_HALF, 0xFFFF)), ir.Constant(_HALF, INPUT_SCALE << 16))
        units = _splat(_HALF, UNITS, 0)
        even, odd = _lanes(range(0, 2 * UNITS, 2)), _lanes(range(1, 2 * UNITS, 2))
        undefined = ir.Constant(_vector(_HALF, UNITS), ir.Undefined)
        for pair in range(INPUTS // 2):
            both = last if 2 * pair == NUMBERS else builder.extract_element(pairs, ir.Constant(_HALF, pair))
            both = builder.insert_element(undefined, both, ir.Constant(_HALF, 0))
            both = builder.shuffle_vector(both, undefined, _lanes([0] * UNITS))
            inputs = builder.bitcast(both, _vector(_SHORT, 2 * UNITS))
            layer = at(head, 4 * UNITS * pair, _vector(_SHORT, 2 * UNITS))
            # Sums of two products each: one instruction, where the machine has it.
            wide = _vector(_HALF, 2 * UNITS)
            products = builder.mul(builder.sext(inputs, wide), builder.sext(layer, wide), flags=["nsw"])
            halves = (builder.shuffle_vector(products, products, lanes) for lanes in (even, odd))
            units = builder.add(units, builder.add(*halves))
        units = builder.ashr(units, _splat(_HALF, UNITS, LAYER_SCALE.bit_length() - 1))
        units = clamped(units, 0, MOST_UNIT, lambda bound: _splat(_HALF, UNITS, bound))
        output = builder.sext(at(head, 2 * INPUTS * UNITS, _vector(_SHORT, UNITS)), _vector(_HALF, UNITS))
        add_all = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(_HALF, [_vector(_HALF, UNITS)]),
            f"llvm.vector.reduce.add.v{UNITS}i32",
        )
        found = builder.call(add_all, [builder.mul(units, output)])
        scale = INPUT_SCALE * OUTPUT_SCALE
        found = builder.add(found, ir.Constant(_HALF, scale // 2))
        found = builder.ashr(found, ir.Constant(_HALF, scale.bit_length() - 1))
        constant = builder.sext(at(head, 2 * (HEAD - UNITS), _SHORT), _HALF)
        return builder.sext(builder.add(found, constant), _WORD)

    return types.int64(types.uint64, types.uint64, types.uint64, types.int64), codegen
