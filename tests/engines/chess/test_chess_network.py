"""The network of the chess engine: what is carried along a line, and what the numbers come to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import chess as python_chess
from plyground.engines.chess.network import (
    INPUTS,
    NETWORK_FIELDS,
    OUTPUTS,
    WIDTH,
    Network,
    begin_network,
    carry_network,
    fill_network,
    load_network,
    network_value,
    network_values,
    quantised,
    save_network,
)
from plyground.errors import FormatError
from plyground.games.chess.board import Board, Chess
from plyground.games.chess.moves import list_moves, placed
from plyground.games.chess.notation import STANDARD, read_fen, shuffled_fen
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, stream

FENS = (
    STANDARD,
    "r2q1rk1/pp2ppbp/2np1np1/8/2BNP1b1/2N1BP2/PPPQ2PP/R3K2R w KQ - 0 10",
    "8/5k2/8/3K4/8/4P3/8/8 b - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/7K w - - 0 1",
)


@pytest.fixture(scope="module")
def network() -> Network:
    """One with random numbers, as large as learnt ones are, so that no row is like another."""
    rng = np.random.default_rng(7)
    rows, row = rng.normal(scale=0.1, size=(INPUTS, WIDTH)), rng.normal(scale=0.1, size=WIDTH)
    outputs, constants = rng.normal(scale=0.2, size=(OUTPUTS, 2 * WIDTH)), rng.normal(size=OUTPUTS)
    return quantised(*(array.astype(np.float32) for array in (rows, row, outputs, constants)))


def sets_of(fens: tuple[str, ...]) -> tuple[Any, Any]:
    states = [read_fen(fen) for fen in fens]
    return np.array([state[:7] for state in states], np.uint64), np.array([state.turn for state in states], np.uint8)


def value_by_the_book(network: Network, fen: str) -> int:
    """What the module's text says, worked out from python-chess's board without a single set of squares."""
    board = python_chess.Board(fen)
    total = 0
    which = min((len(board.piece_map()) - 1) // 4, OUTPUTS - 1)
    for number, side in enumerate((board.turn, not board.turn)):
        king = board.king(side)
        assert king is not None
        flip = 7 if python_chess.square_file(king) > 3 else 0
        sums = network.constant_row.astype(np.int64)
        for square, piece in board.piece_map().items():
            seen = (square if side else python_chess.square_mirror(square)) ^ flip
            kind = piece.piece_type - 1 + (0 if piece.color == side else 6)
            sums = sums + network.rows[64 * kind + seen]
        units = np.clip(sums, 0, 255) ** 2
        total += int(units @ network.outputs[which, number * WIDTH : (number + 1) * WIDTH].astype(np.int64))
    return (total // 255 + int(network.constants[which])) * 400 // (255 * 64)


def test_values_are_what_the_text_says(network: Network) -> None:
    sets, turns = sets_of(FENS)
    assert network_values(network, sets, turns).tolist() == [value_by_the_book(network, fen) for fen in FENS]


def test_a_position_with_exchanged_colours_has_the_same_value(network: Network) -> None:
    mirrored = tuple(python_chess.Board(fen).mirror().fen() for fen in FENS)
    values, others = (network_values(network, *sets_of(fens)) for fens in (FENS, mirrored))
    assert values.tolist() == others.tolist()
    assert len(set(values.tolist())) == len(FENS)


@compiled
def faults(memory: Any, state: Chess, rng: Any, plies: int, moves: Any, seen: Any) -> int:
    """Play random moves, and count after how many the sums that were carried are not those of the position."""
    board = Board(
        state.pawns, state.knights, state.bishops, state.rooks, state.queens, state.kings, state.white,
        state.castling, state.turn, state.passant, state.clock, state.shuffled,
    )  # fmt: skip
    begin_network(memory, board, 0)
    wrong = 0
    for ply in range(plies):
        count = list_moves(board, moves)
        if count == 0:
            break
        action = moves[random_below(rng, count)]
        kind = 0 if action >= 4096 else 1 if action & 63 == board.passant and board.passant >= 0 else 2
        after = placed(board, action)
        if kind == 2 and board.castling != after.castling and board.rooks != after.rooks and board.kings != after.kings:
            kind = 3
        seen[kind] += 1
        carry_network(memory, after, ply)
        board = after
        if random_below(rng, 3) == 0:
            continue  # not every position is judged: the sums of the next one come from further back
        value = network_value(memory, after, ply + 1)
        carried = memory.sums[ply + 1].copy()
        begin_network(memory, after, ply + 1)
        same = value == network_value(memory, after, ply + 1)
        for side in range(2):
            for j in range(WIDTH):
                same = same and carried[side, j] == memory.sums[ply + 1, side, j]
        wrong += not same
    return wrong


def test_sums_that_are_carried_are_those_of_the_position(network: Network) -> None:
    memory = np.zeros(1, np.dtype(NETWORK_FIELDS, align=True))
    fill_network(memory[0], network)
    rng, moves, seen = stream(5), np.zeros(256, np.int64), np.zeros(4, np.int64)
    for number in range(400):
        start = read_fen(shuffled_fen(number), shuffled=True) if number % 2 else read_fen(FENS[number // 2 % len(FENS)])
        assert faults(memory[0], start, rng, 120, moves, seen) == 0
    underpromotions, passing, usual, castling = seen.tolist()
    assert underpromotions > 100
    assert passing > 3
    assert castling > 50
    assert usual > 10_000


def test_no_weights_that_can_be_written_overflow() -> None:
    """All weights as large as they get, and all pieces on the board."""
    one = np.float32(100)
    rows = np.full((INPUTS, WIDTH), one)
    largest = quantised(rows, rows[0], np.full((OUTPUTS, 2 * WIDTH), one), np.zeros(OUTPUTS, np.float32))
    sets, turns = sets_of((STANDARD,))
    assert network_values(largest, sets, turns).tolist() == [value_by_the_book(largest, STANDARD)]


def test_a_network_is_read_as_it_was_written(network: Network, tmp_path: Any) -> None:
    save_network(tmp_path / "n.npz", network)
    again = load_network(tmp_path / "n.npz")
    assert all(np.array_equal(one, other) for one, other in zip(network, again, strict=True))
    (tmp_path / "n.npz").write_bytes(b"no network")
    with pytest.raises(FormatError, match=r"n\.npz is not a network for chess"):
        load_network(tmp_path / "n.npz")
