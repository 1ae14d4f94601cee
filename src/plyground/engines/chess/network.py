"""The network that judges a position: sums of rows that are carried along a line, and one output.

Each side sees the board its own way: turned upside down for Black, and mirrored so that its own king stands on the
files a to d. A piece on a square is then one of 12 x 64 inputs, times the `BUCKETS` of squares where the own king can
be. Every input has a row of `WIDTH` numbers; the sum of the rows of all pieces, and of a constant row, is what a side
knows of the position (Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi",
2018). A move changes two to four pieces, and so few rows; only when a king goes to another bucket, or across the middle
of the board, is its side's sum made from nothing.

    unit   = (sum between 0 and 1) squared
    value  = units of the side to move * output + units of the other side * output + constant

There is an output for each of `OUTPUTS` ranges of how many pieces are left. All of it is in whole numbers, so that
every machine computes the same.
"""

from __future__ import annotations

import operator
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import Expected, read_arrays, write_arrays
from plyground.games.chess.board import Board
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled
from plyground.native.vectors import Lanes, load, save, vectorised, wide_product

__all__ = [
    "BUCKETS", "INPUTS", "KING_BUCKETS", "LARGEST_SUM", "OUTPUTS", "PACKAGED", "SCALE", "SIDE_INPUTS", "WIDTH",
    "Network", "exact_values", "first_row", "input_number", "load_network", "output_number", "quantised",
    "save_network", "turned",
]  # fmt: skip

WIDTH = 256
"""How many numbers a row has."""
KING_BUCKETS = np.array(
    [
        0, 0, 1, 1, 1, 1, 0, 0,
        2, 2, 2, 2, 2, 2, 2, 2,
        3, 3, 3, 3, 3, 3, 3, 3,
        3, 3, 3, 3, 3, 3, 3, 3,
        3, 3, 3, 3, 3, 3, 3, 3,
        3, 3, 3, 3, 3, 3, 3, 3,
        3, 3, 3, 3, 3, 3, 3, 3,
        3, 3, 3, 3, 3, 3, 3, 3,
    ],
    np.int64,
)  # fmt: skip
"""The bucket of the own king's square, as its side sees it, a1 first."""
BUCKETS = 4
SIDE_INPUTS = 12 * 64
"""Inputs for one bucket: own pieces by kind and square, then the other side's."""
INPUTS = BUCKETS * SIDE_INPUTS
OUTPUTS = 8
SCALE = 400
"""What 1 is in the output, in hundredths of a pawn."""

ONE = 255
"""What 1 is in the sums."""
OUTPUT_ONE = 64
"""What 1 is in the outputs' weights: with |weight| <= 127 the product with a unit fits into 16 bits."""
MOST_WEIGHT = 127
LARGEST_SUM = 1.98
"""No weight is greater than this, in the rows as in the outputs: 32 pieces and the constant stay within 16 bits."""

PACKAGED = Path(__file__).with_name("network.npz")
EXPECTED: Expected = {
    "rows": ("<i2", (INPUTS, WIDTH)),
    "constant_row": ("<i2", (WIDTH,)),
    "outputs": ("<i2", (OUTPUTS, 2 * WIDTH)),
    "constants": ("<i4", (OUTPUTS,)),
}


class Network(NamedTuple):
    """In whole numbers, as compiled code reads it: `rows` and `constant_row` in 1/ONE, `outputs` in 1/OUTPUT_ONE.

    `outputs` has the weights of the side to move, then those of the other side; `constants` are in the product of both.
    """

    rows: NDArray[np.int16]
    constant_row: NDArray[np.int16]
    outputs: NDArray[np.int16]
    constants: NDArray[np.int32]


def load_network(path: Path = PACKAGED) -> Network:
    """A network from its file; `FormatError` if it is not one."""
    found = read_arrays(path, "network for chess", EXPECTED, hint="plyground train chess network writes one")
    return Network(**{name: np.ascontiguousarray(found[name]) for name in EXPECTED})


def save_network(path: Path, network: Network) -> None:
    """Write a network."""
    write_arrays(path, **network._asdict())


def quantised(
    rows: NDArray[np.float32],
    constant_row: NDArray[np.float32],
    outputs: NDArray[np.float32],
    constants: NDArray[np.float32],
) -> Network:
    """The network in whole numbers."""
    return Network(
        np.round(np.clip(rows, -LARGEST_SUM, LARGEST_SUM) * ONE).astype(np.int16),
        np.round(np.clip(constant_row, -LARGEST_SUM, LARGEST_SUM) * ONE).astype(np.int16),
        np.clip(np.round(outputs * OUTPUT_ONE), -MOST_WEIGHT, MOST_WEIGHT).astype(np.int16),
        np.round(constants * ONE * OUTPUT_ONE).astype(np.int32),
    )


# Inputs ---------------------------------------------------------------------------------------------------------


@compiled
def turned(side: int, king: int) -> int:
    """What to change in a square's number for a side to see it its own way, its king being there."""
    return (56 if side == 1 else 0) ^ (7 if king & 4 else 0)


@compiled
def first_row(side: int, king: int) -> int:
    """The first of the inputs for where the side's own king is."""
    return SIDE_INPUTS * KING_BUCKETS[king ^ (56 if side == 1 else 0)]


@compiled
def input_number(side: int, colour: int, kind: int, square: int, turn: int) -> int:
    """The input of a piece as a side sees it, among those of its king's bucket; `turn` is what `turned` says."""
    return ((colour ^ side) * 6 + kind) * 64 + (square ^ turn)


@compiled
def output_number(pieces: int) -> int:
    """Which output judges a position with so many pieces."""
    return min((pieces - 1) >> 2, OUTPUTS - 1)


def exact_values(network: Network, own: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """Values in hundredths of a pawn from the two sums of each position, by NumPy: what compiled code must agree with.

    `own` and `others`, shape (n, WIDTH + 1): the sums, and last the number of the output.
    """
    which = own[:, -1]
    units = np.clip(np.concatenate([own[:, :-1], others[:, :-1]], 1), 0, ONE) ** 2
    total = (units * network.outputs[which].astype(np.int64)).sum(1) // ONE + network.constants[which]
    return total * SCALE // (ONE * OUTPUT_ONE)


# What the search knows of an evaluation -------------------------------------------------------------------------

CHUNK = 32
"""Numbers that are worked on at a time: one register of 512 bits, or two of 256."""


@vectorised(np.uint64, np.uint64)
def copy_row(source: Lanes, target: Lanes) -> None:
    """Copy a sum; all arguments are addresses."""
    for start in range(0, 2 * WIDTH, 2 * CHUNK):
        save(load(source + start, np.int16, CHUNK), target + start)


@vectorised(np.uint64, np.uint64)
def add_row(target: Lanes, plus: Lanes) -> None:
    """Add a row to a sum."""
    for start in range(0, 2 * WIDTH, 2 * CHUNK):
        save(load(target + start, np.int16, CHUNK) + load(plus + start, np.int16, CHUNK), target + start)


@vectorised(np.uint64, np.uint64, np.uint64, np.uint64)
def exchange_one(source: Lanes, target: Lanes, minus: Lanes, plus: Lanes) -> None:
    """A sum after one piece has gone and one has come."""
    for start in range(0, 2 * WIDTH, 2 * CHUNK):
        total = load(source + start, np.int16, CHUNK) - load(minus + start, np.int16, CHUNK)
        save(total + load(plus + start, np.int16, CHUNK), target + start)


@vectorised(np.uint64, np.uint64, np.uint64, np.uint64, np.uint64)
def exchange_taken(source: Lanes, target: Lanes, minus: Lanes, plus: Lanes, taken: Lanes) -> None:
    """A sum after one piece has gone, one has come, and one is taken."""
    for start in range(0, 2 * WIDTH, 2 * CHUNK):
        total = load(source + start, np.int16, CHUNK) - load(minus + start, np.int16, CHUNK)
        total = total - load(taken + start, np.int16, CHUNK)
        save(total + load(plus + start, np.int16, CHUNK), target + start)


@vectorised(np.uint64, np.uint64, np.uint64, returns=np.int64)
def weighted_units(own: Lanes, others: Lanes, weights: Lanes) -> Lanes:
    """The squared units of both sums times the weights of an output."""

    def part(address: Lanes, start: int, first: int) -> Lanes:
        unit = load(address + start, np.int16, CHUNK).clamped(0, ONE)
        # A unit times a weight fits into 16 bits; then sums of two products each: one instruction, where there is one.
        products = wide_product(unit * load(weights + (start + first), np.int16, CHUNK), unit)
        return products.chosen(range(0, CHUNK, 2)) + products.chosen(range(1, CHUNK, 2))

    starts = range(0, 2 * WIDTH, 2 * CHUNK)
    parts = [part(own, start, 0) for start in starts] + [part(others, start, 2 * WIDTH) for start in starts]
    return reduce(operator.add, parts).to(np.int64).sum()
