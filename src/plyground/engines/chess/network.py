"""The network that corrects the sum: rows that are added up along a line, and one output.

Each side sees the board its own way: turned upside down for Black, and mirrored so that its own king stands on the
files a to d. A piece on a square is then one of 12 x 64 inputs, each of which has a row of `WIDTH` numbers; the sum of
the rows of all pieces, and of a constant row, is what a side knows of the position (Y. Nasu, "Efficiently updatable
neural-network-based evaluation functions for computer shogi", 2018). A move changes two to four pieces, and so few
rows; only when a king crosses the middle of the board is its side's sum made from nothing.

    unit       = (sum between 0 and 1) squared
    correction = units of the side to move * output + units of the other side * output + constant

There is an output for each of `OUTPUTS` ranges of how many pieces are left. All of it is in whole numbers, so that
every machine computes the same.
"""

from __future__ import annotations

import operator
from functools import cache, reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import Expected, read_arrays, write_arrays
from plyground.engines.chess.exchange import kind_on
from plyground.engines.chess.positions import board_in
from plyground.games.chess.board import Board
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled
from plyground.native.vectors import Lanes, load, save, vectorised, wide_product

__all__ = [
    "INPUTS", "LARGEST_WEIGHT", "NETWORK_FIELDS", "OUTPUTS", "SCALE", "SLOTS", "WIDTH", "Network",
    "begin_network", "bundled_network", "carry_network", "fill_network", "input_number", "load_network",
    "network_value", "network_values", "output_number", "quantised", "save_network", "turned",
]  # fmt: skip

SLOTS = 130
"""Plies from the root for which sums are kept."""
WIDTH = 256
"""How many numbers a row has."""
INPUTS = 12 * 64
"""Own pieces by kind and square, then the other side's."""
OUTPUTS = 8
SCALE = 400
"""What 1 is in the output, in hundredths of a pawn."""

ONE = 255
"""What 1 is in the sums."""
OUTPUT_ONE = 64
"""What 1 is in the outputs' weights: with |weight| <= 127 the product with a unit fits into 16 bits."""
MOST_WEIGHT = 127
LARGEST_WEIGHT = 1.98
"""No weight is greater than this, in the rows as in the outputs: 32 pieces and the constant stay within 16 bits."""

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


@cache
def bundled_network() -> Network:
    """The one that the engine plays with."""
    return load_network(Path(__file__).with_name("network.npz"))


def load_network(path: Path) -> Network:
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
        np.round(np.clip(rows, -LARGEST_WEIGHT, LARGEST_WEIGHT) * ONE).astype(np.int16),
        np.round(np.clip(constant_row, -LARGEST_WEIGHT, LARGEST_WEIGHT) * ONE).astype(np.int16),
        np.clip(np.round(outputs * OUTPUT_ONE), -MOST_WEIGHT, MOST_WEIGHT).astype(np.int16),
        np.round(constants * ONE * OUTPUT_ONE).astype(np.int32),
    )


# Inputs ---------------------------------------------------------------------------------------------------------


@compiled
def turned(side: int, king: int) -> int:
    """What to change in a square's number for a side to see it its own way, its king being there."""
    return (56 if side == 1 else 0) ^ (7 if king & 4 else 0)


@compiled
def input_number(side: int, colour: int, kind: int, square: int, turn: int) -> int:
    """The input of a piece as a side sees it; `turn` is what `turned` says."""
    return ((colour ^ side) * 6 + kind) * 64 + (square ^ turn)


@compiled
def output_number(pieces: int) -> int:
    """Which output judges a position with so many pieces."""
    return min((pieces - 1) >> 2, OUTPUTS - 1)


# Sums that are carried along a line -----------------------------------------------------------------------------

NETWORK_FIELDS = [
    ("sums", np.int16, (SLOTS, 2, WIDTH)),  # of White and of Black, for each ply from the root
    ("summed", np.uint8, SLOTS),  # whether they have been made
    ("seen", np.uint64, (SLOTS, 8)),  # of which board they are: its sets of squares, and who is to move
    ("sums_at", np.uint64),  # address of that
    ("rows", np.uint64),  # addresses of the network's parts
    ("constant_row", np.uint64),
    ("outputs", np.uint64),
    ("output_constant", np.int64, OUTPUTS),
]
"""What the network has in the record of a thread."""


def fill_network(record: Any, network: Network) -> None:
    """Fill what does not change in such a record; the network must live as long as the record is used."""
    record["sums_at"] = record["sums"].ctypes.data
    for name in ("rows", "constant_row", "outputs"):
        record[name] = getattr(network, name).ctypes.data
    record["output_constant"] = network.constants


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


@compiled
def refresh_side(memory: Any, board: Board, slot: int, side: int) -> None:
    """Work out the sum of one side from nothing."""
    white = board.white
    king = bit_index(board.kings & (white if side == 0 else ~white))
    turn = turned(side, king)
    target = memory.sums_at + np.uint64(2 * WIDTH * (2 * slot + side))
    copy_row(memory.constant_row, target)
    add_pieces(memory, target, board.pawns, white, side, 0, turn)
    add_pieces(memory, target, board.knights, white, side, 1, turn)
    add_pieces(memory, target, board.bishops, white, side, 2, turn)
    add_pieces(memory, target, board.rooks, white, side, 3, turn)
    add_pieces(memory, target, board.queens, white, side, 4, turn)
    add_pieces(memory, target, board.kings, white, side, 5, turn)


@compiled
def add_pieces(memory: Any, target: Any, pieces: Any, white: Any, side: int, kind: int, turn: int) -> None:
    """Add the rows of all pieces of a kind."""
    while pieces:
        square = bit_index(pieces)
        pieces &= pieces - np.uint64(1)
        colour = 0 if white >> np.uint64(square) & np.uint64(1) else 1
        add_row(target, row_at(memory, input_number(side, colour, kind, square, turn)))


@compiled
def row_at(memory: Any, number: int) -> Any:
    """The address of an input's row."""
    return memory.rows + np.uint64(2 * WIDTH * number)


@compiled
def begin_network(memory: Any, board: Board, slot: int) -> None:
    """Work out both sums of a board from nothing."""
    note_board(memory, board, slot)
    refresh_side(memory, board, slot, 0)
    refresh_side(memory, board, slot, 1)
    memory.summed[slot] = 1


@compiled
def carry_network(memory: Any, after: Board, slot: int) -> None:
    """Note the board after a move, or after a null move; its sums are made when it is judged, if it ever is."""
    note_board(memory, after, slot + 1)
    memory.summed[slot + 1] = 0


@compiled
def note_board(memory: Any, board: Board, slot: int) -> None:
    """Keep what the sums need to know of a board."""
    seen = memory.seen[slot]
    seen[0], seen[1], seen[2], seen[3] = board.pawns, board.knights, board.bishops, board.rooks
    seen[4], seen[5], seen[6], seen[7] = board.queens, board.kings, board.white, np.uint64(board.turn)


@compiled
def make_sums(memory: Any, slot: int) -> None:
    """Work out the sums of a slot from the last ones that have been made."""
    made = slot
    while not memory.summed[made]:
        made -= 1
    while made < slot:
        here, there = memory.seen[made], memory.seen[made + 1]
        carry_sums(memory, board_in(here, here[7]), board_in(there, there[7]), made)
        made += 1
        memory.summed[made] = 1


@compiled
def carry_sums(memory: Any, before: Board, after: Board, slot: int) -> None:
    """Work out the sums in the next slot, of the board after a move, or after a null move."""
    source = memory.sums_at + np.uint64(4 * WIDTH * slot)
    target = source + np.uint64(4 * WIDTH)
    every = before.pawns | before.knights | before.bishops | before.rooks | before.queens | before.kings
    every_after = after.pawns | after.knights | after.bishops | after.rooks | after.queens | after.kings
    mover = before.turn
    own = before.white if mover == 0 else every ^ before.white
    own_after = after.white if mover == 0 else every_after ^ after.white
    kings_moved = before.kings != after.kings
    if kings_moved and before.rooks & own != after.rooks & own_after:
        carry_castling(memory, before, after, slot, own, own_after)
        return
    gone, come = own & ~own_after, own_after & ~own
    if not gone:
        copy_row(source, target)
        copy_row(source + np.uint64(2 * WIDTH), target + np.uint64(2 * WIDTH))
        return
    start, end = bit_index(gone), bit_index(come)
    kind, kind_after = kind_on(before, start), kind_on(after, end)
    taken = every & ~own & ~every_after | every & ~own & come
    for side in range(2):
        king = bit_index(after.kings & (after.white if side == 0 else ~after.white))
        if kings_moved and side == mover and (start ^ end) & 4:
            refresh_side(memory, after, slot + 1, side)
        else:
            turn = turned(side, king)
            shift = np.uint64(2 * WIDTH * side)
            minus = row_at(memory, input_number(side, mover, kind, start, turn))
            plus = row_at(memory, input_number(side, mover, kind_after, end, turn))
            if taken:
                square = bit_index(taken)
                victim = input_number(side, 1 - mover, kind_on(before, square), square, turn)
                exchange_taken(source + shift, target + shift, minus, plus, row_at(memory, victim))
            else:
                exchange_one(source + shift, target + shift, minus, plus)


@compiled
def carry_castling(memory: Any, before: Board, after: Board, slot: int, own: Any, own_after: Any) -> None:
    """The same after castling; in Chess960 the king or the rook may stay where it is."""
    source = memory.sums_at + np.uint64(4 * WIDTH * slot)
    mover = before.turn
    king, king_end = bit_index(before.kings & own), bit_index(after.kings & own_after)
    rook, rook_end = bit_index(before.rooks & own & ~(after.rooks & own_after)), 0
    rook_end = bit_index(after.rooks & own_after & ~(before.rooks & own))
    for side in range(2):
        if side == mover and (king ^ king_end) & 4:
            refresh_side(memory, after, slot + 1, side)
        else:
            seen = king_end if side == mover else bit_index(after.kings & ~own_after)
            turn = turned(side, seen)
            here = source + np.uint64(2 * WIDTH * side)
            there = here + np.uint64(4 * WIDTH)
            exchange_one(
                here, there,
                row_at(memory, input_number(side, mover, 5, king, turn)),
                row_at(memory, input_number(side, mover, 5, king_end, turn)),
            )  # fmt: skip
            exchange_one(
                there, there,
                row_at(memory, input_number(side, mover, 3, rook, turn)),
                row_at(memory, input_number(side, mover, 3, rook_end, turn)),
            )  # fmt: skip


@compiled
def network_value(memory: Any, board: Board, slot: int) -> int:
    """What the network says, in hundredths of a pawn for the side to move."""
    make_sums(memory, slot)
    every = board.pawns | board.knights | board.bishops | board.rooks | board.queens | board.kings
    which = output_number(popcount(every))
    here = memory.sums_at + np.uint64(4 * WIDTH * slot)
    own, others = here + np.uint64(2 * WIDTH * board.turn), here + np.uint64(2 * WIDTH * (1 - board.turn))
    total = weighted_units(own, others, memory.outputs + np.uint64(4 * WIDTH * which))
    return int((total // ONE + memory.output_constant[which]) * SCALE // (ONE * OUTPUT_ONE))


def network_values(network: Network, sets: NDArray[np.uint64], turns: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The values of many positions: sets of squares, shape (n, 7), White's pieces last, and who is to move."""
    out = np.empty(len(sets), np.int64)
    memory = np.zeros(1, np.dtype(NETWORK_FIELDS, align=True))
    fill_network(memory[0], network)
    _judge_all(memory[0], sets, turns, out)
    return out


@compiled
def _judge_all(memory: Any, sets: Any, turns: Any, out: Any) -> None:
    for i in range(len(sets)):
        board = board_in(sets[i], turns[i])
        begin_network(memory, board, 0)
        out[i] = network_value(memory, board, 0)
