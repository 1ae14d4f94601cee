"""Fitting the weights of the sum to positions that a teacher has judged (P. Österlund's method for Texel).

The sum is to say how much of a win a position stands for, 1 / (1 + exp(-value / 400)). The weights are those that make
the teacher's shares most likely; a part of the target is how the game ended. All of them are found at once by Newton's
method: there is one best set, and a few steps reach it. A count that is rare stays near the plain values of the pieces.

What is counted in a position is asked of the evaluation itself: with one weight of 1 and all others 0 its sum is that
count. So there is no second list of what it looks at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.engines.chess.evaluation import (
    COUNTS,
    PLACE,
    SUM_FIELDS,
    TERMS,
    WHOLE,
    begin_sum,
    fill_sum,
    fill_weights,
    full_count,
    middlegame_of,
    phase_of,
    sum_value,
    winning_share,
)
from plyground.engines.chess.network import SCALE
from plyground.engines.chess.positions import UNFINISHED, Positions, board_in
from plyground.native.compiling import compiled

__all__ = ["Weights", "fit_weights", "loss_of_shares", "sums_of", "targets_of"]

PLAIN = (80, 300, 310, 480, 950, 0)
"""What a piece is worth on a square that nothing is known of."""
HOLD = 320
"""How firmly a weight is held where it began: as by so many even positions in which it is counted once."""
STEPS = 4
TABLES = ("knight_moves", "bishop_moves", "rook_moves", "queen_moves", "danger", "danger_without_queen")
"""Terms whose weights are learnt as steps from one to the next: what is rare at the end goes on from its neighbour."""
BLOCK = 1 << 15


@dataclass(frozen=True, eq=False)
class Weights:
    """What was learnt, in centipawns, shape (COUNTS,) each."""

    middlegame: NDArray[np.int16]
    endgame: NDArray[np.int16]


def sum_memory() -> Any:
    """A record with nothing but what the sum needs."""
    memory = np.zeros(1, np.dtype(SUM_FIELDS, align=True))
    fill_sum(memory[0])
    return memory[0]


def sums_of(positions: Positions, weights: Weights | None = None) -> NDArray[np.float32]:
    """What the sum says of positions, for the side to move, in units of `SCALE`, by these weights or the bundled."""
    memory = sum_memory()
    if weights is not None:
        fill_weights(memory, weights.middlegame, weights.endgame)
    out = np.empty(len(positions), np.float32)
    _sum_all(memory, positions.sets, positions.turns, out)
    return out / np.float32(SCALE)


def targets_of(positions: Positions, result_share: float) -> NDArray[np.float32]:
    """The share of a win that each position is to have, between 0 and 1, for the side to move."""
    score = 1 / (1 + np.exp(-positions.scores.astype(np.float64) / SCALE))
    result = (positions.results.astype(np.float64) + 1) / 2
    known = positions.results != UNFINISHED
    return np.where(known, (1 - result_share) * score + result_share * result, score).astype(np.float32)


def loss_of_shares(values: NDArray[Any], positions: Positions) -> float:
    """The mean squared error of the shares that values stand for, in units of `SCALE`, against the scores alone."""
    return float(np.mean((1 / (1 + np.exp(-values)) - targets_of(positions, 0.0)) ** 2))


def counts_of(positions: Positions, on_step: Callable[[int, int], None]) -> NDArray[np.int8]:
    """What is counted in positions, White's less Black's, shape (COUNTS, n)."""
    memory, out = sum_memory(), np.empty((COUNTS, len(positions)), np.int8)
    unit = np.zeros(COUNTS, np.int16)
    nothing = np.zeros(COUNTS, np.int16)
    for number in range(COUNTS):
        unit[:] = 0
        unit[number] = 1
        fill_weights(memory, unit, nothing)
        _count_all(memory, positions.sets, positions.turns, number < PLACE["knight_moves"], out[number])
        on_step(number + 1, COUNTS)
    return out


def tied() -> NDArray[np.int64]:
    """For each weight another one that is always equal, or itself: knights to queens do not know left from right."""
    other = np.arange(COUNTS)
    other[64:320] ^= 7
    return other


def tables() -> list[slice]:
    """Where the weights of `TABLES` are."""
    return [slice(PLACE[name], PLACE[name] + size) for name, size in TERMS if name in TABLES]


def plain_weights() -> NDArray[np.float64]:
    """What the fit begins with: pieces by their kind, and nothing else."""
    values = np.zeros(COUNTS)
    for kind, value in enumerate(PLAIN):
        values[64 * kind : 64 * kind + 64] = value
    return values


def fit_weights(
    positions: Positions, result_share: float = 0.2, on_step: Callable[[int, int], None] = lambda done, of: None
) -> Weights:
    """The weights that these positions teach; `on_step` is told the steps done, of how many."""
    total = COUNTS + STEPS
    counts = counts_of(positions, lambda done, _: on_step(done, total))
    phases, white, black = np.empty((3, len(positions)), np.float32)
    _shares_all(sum_memory(), positions.sets, positions.turns, phases, white, black)
    sign = np.where(positions.turns == 0, 1, -1).astype(np.float32)
    targets = targets_of(positions, result_share)
    targets = np.where(sign > 0, targets, 1 - targets)

    for table in tables():
        counts[table] = np.cumsum(counts[table][::-1], axis=0, dtype=np.int8)[::-1]
    kept = np.flatnonzero(tied() >= np.arange(COUNTS))
    for number in kept:
        if tied()[number] != number:
            counts[number] += counts[tied()[number]]
    counts = counts[kept]
    size = len(kept)
    start = np.concatenate([plain_weights()[kept]] * 2) / SCALE
    weights = start.copy()
    hold = np.full(2 * size, HOLD / 4)
    for step in range(STEPS):
        slope, curve = np.zeros(2 * size), np.zeros((2 * size, 2 * size), np.float32)
        for first in range(0, len(positions), BLOCK):
            part = slice(first, first + BLOCK)
            plain = counts[:, part].astype(np.float32)
            endgame = weights[size:].astype(np.float32) @ plain
            late = (1 - phases[part]) * np.where(endgame > 0, white[part], black[part])
            rows = np.concatenate([plain * phases[part], plain * late])
            share = 1 / (1 + np.exp(-(weights.astype(np.float32) @ rows)))
            slope += rows @ (share - targets[part])
            rows *= np.sqrt(share * (1 - share))
            curve += rows @ rows.T
        slope += hold * (weights - start)
        weights -= np.linalg.solve(curve.astype(np.float64) + np.diag(hold), slope)
        on_step(COUNTS + step + 1, total)
    place = np.searchsorted(kept, np.minimum(tied(), np.arange(COUNTS)))
    values = weights.reshape(2, size)[:, place] * SCALE
    for table in tables():
        values[:, table] = np.cumsum(values[:, table], axis=1)
    middlegame, endgame = np.rint(values).astype(np.int16)
    return Weights(middlegame, endgame)


# Compiled -------------------------------------------------------------------------------------------------------------


@compiled
def _sum_all(memory: Any, sets: Any, turns: Any, out: Any) -> None:
    for i in range(len(sets)):
        board = board_in(sets[i], turns[i])
        begin_sum(memory, board, 0)
        out[i] = sum_value(memory, board, 0)


@compiled
def _count_all(memory: Any, sets: Any, turns: Any, on_squares: bool, out: Any) -> None:
    for i in range(len(sets)):
        board = board_in(sets[i], turns[i])
        if on_squares:
            begin_sum(memory, board, 0)
            out[i] = middlegame_of(memory.carried[0])
        else:
            out[i] = middlegame_of(full_count(memory, board))


@compiled
def _shares_all(memory: Any, sets: Any, turns: Any, phases: Any, white: Any, black: Any) -> None:
    for i in range(len(sets)):
        board = board_in(sets[i], turns[i])
        begin_sum(memory, board, 0)
        phases[i] = min(WHOLE, phase_of(memory.carried[0])) / WHOLE
        every = board.pawns | board.knights | board.bishops | board.rooks | board.queens | board.kings
        white[i] = winning_share(board, board.white) / 64
        black[i] = winning_share(board, every ^ board.white) / 64
