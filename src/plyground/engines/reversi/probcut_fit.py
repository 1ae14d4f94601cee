"""The regression behind Multi-ProbCut: how far a shallow search is from a deeper one.

Positions of games are searched to each depth without leaving anything out, and solved if few squares are empty. For
each number of empty squares, depth and shallower depth of the same parity the differences of the two values have a
standard deviation; its logarithm is fitted, by least squares, with

    constant + a * empties + b * log(depth - shallow) + c * shallow

which `plyground.engines.reversi.probcut` has as `FIT`.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.engines.reversi.memory import Memory
from plyground.engines.reversi.positions import UNKNOWN, Games, replay_positions
from plyground.engines.reversi.probcut import PROBE_FROM
from plyground.engines.reversi.self_play import exact_score, full_value, in_order
from plyground.engines.reversi.table import Table
from plyground.engines.reversi.weights import Weights
from plyground.errors import FormatError

__all__ = [
    "DEPTHS",
    "NOTHING_MEASURED",
    "Deviation",
    "Measured",
    "choose_positions",
    "deviations",
    "fit_deviations",
    "fitted",
    "join_measured",
    "measure_positions",
]

DEPTHS = 10
"""Positions are searched to the depths 0 to 9."""
EMPTIES = range(12, 55, 2)
"""The numbers of empty squares of the positions."""
SOLVED = 18
"""With this many empty squares a position is solved as well."""
FEWEST = 8
"""A standard deviation of fewer differences is not fitted."""


class Measured(NamedTuple):
    """n positions: the discs of both sides, the value at each depth (n, 10), the score or `UNKNOWN`; in discs."""

    own: NDArray[np.uint64]
    opponent: NDArray[np.uint64]
    values: NDArray[np.int64]
    scores: NDArray[np.int64]

    @property
    def empties(self) -> NDArray[np.int64]:
        """How many squares are empty in each position."""
        discs: NDArray[np.int64] = np.bitwise_count(self.own | self.opponent).astype(np.int64)
        return 64 - discs


NOTHING_MEASURED = Measured(
    np.zeros(0, np.uint64), np.zeros(0, np.uint64), np.zeros((0, DEPTHS), np.int64), np.zeros(0, np.int64)
)


class Deviation(NamedTuple):
    """The standard deviation, in discs, of the differences between searches to two depths, over n positions."""

    empties: int
    depth: int
    shallow: int
    positions: int
    measured: float
    mean: float


def choose_positions(parts: Sequence[Games], each: int, seed: int) -> list[tuple[int, int]]:
    """`each` different positions of each number of empty squares in `EMPTIES`, own discs and opponent's."""
    replayed = [replay_positions(part) for part in parts]
    rng = np.random.default_rng(seed)
    chosen: list[tuple[int, int]] = []
    for empties in EMPTIES:
        own, opponent, score = (np.concatenate([part[empties][field] for part in replayed]) for field in range(3))
        there = score != UNKNOWN
        boards = np.unique(np.stack([own[there], opponent[there]], axis=1), axis=0)
        rows = np.sort(rng.permutation(len(boards))[:each])
        chosen += [(int(board[0]), int(board[1])) for board in boards[rows]]
    if not chosen:
        raise FormatError("the games have no positions with scores")
    return chosen


def measure_positions(
    boards: Sequence[tuple[int, int]], *, weights: Weights, threads: int = 1
) -> Generator[Measured, None, None]:
    """Each position, measured; leaving the loop stops the threads."""

    def work(number: int, memory: Memory) -> Measured:
        own, opponent = (np.uint64(discs) for discs in boards[number])
        empties = 64 - (boards[number][0] | boards[number][1]).bit_count()
        values: list[int] = []
        for depth in range(DEPTHS):
            guess = values[depth - 2] if depth > 1 else 0
            values.append(int(full_value(own, opponent, depth, guess, memory.record)))
        score = int(exact_score(own, opponent, values[-1], memory.record)) if empties <= SOLVED else UNKNOWN
        return Measured(*(np.array([field]) for field in (own, opponent, values, score)))

    record = Memory(Table(0), weights, np.zeros(16, np.int64)).record
    full_value.prepare(np.uint64(0), np.uint64(0), 0, 0, record)
    exact_score.prepare(np.uint64(0), np.uint64(0), 0, record)
    return in_order(work, range(len(boards)), weights, threads)


def join_measured(parts: Sequence[Measured]) -> Measured:
    """All measurements, one part after the other."""
    return Measured(*(np.concatenate(fields) for fields in zip(NOTHING_MEASURED, *parts, strict=True)))


def deviations(measured: Measured) -> list[Deviation]:
    """What the searches' differences deviate by, for each pair of depths that a search compares."""
    found = []
    for empties in np.unique(measured.empties).tolist():
        here = measured.empties == empties
        values, scores = measured.values[here], measured.scores[here]
        deep = {depth: values[:, depth] for depth in range(PROBE_FROM, DEPTHS) if depth < empties}
        if (scores != UNKNOWN).all():
            deep[empties] = scores
        for depth, result in deep.items():
            for shallow in range(depth % 2, min(depth, DEPTHS), 2):
                difference = (result - values[:, shallow]).astype(np.float64)
                spread = float(difference.std())
                if len(difference) >= FEWEST and spread > 0:
                    found.append(Deviation(empties, depth, shallow, len(difference), spread, float(difference.mean())))
    return found


def fit_deviations(found: Sequence[Deviation]) -> tuple[float, ...]:
    """The four coefficients, in the order of `plyground.engines.reversi.probcut.FIT`."""
    if len(found) < 4:
        raise FormatError(f"there are too few positions to fit anything: at least {FEWEST} of several sizes are needed")
    terms = np.array([[1, row.empties, math.log(row.depth - row.shallow), row.shallow] for row in found])
    logs = np.log([row.measured for row in found])
    solution: list[float] = np.linalg.lstsq(terms, logs, rcond=None)[0].tolist()
    return tuple(solution)


def fitted(fit: Sequence[float], row: Deviation) -> float:
    """What a fit says of the deviation, in discs."""
    logarithm = fit[0] + fit[1] * row.empties + fit[2] * math.log(row.depth - row.shallow) + fit[3] * row.shallow
    return math.exp(logarithm)
