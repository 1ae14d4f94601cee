"""Learning to play a game by playing it: what two learners do on average, and how far that is from an equilibrium.

The learners are those of `fictitious_play` and `regret_matching`. In a zero-sum game the averages of both go to
optimal strategies, and what they guarantee closes in on the value from both sides. In other games nothing like it is
promised, and sometimes it fails (Shapley 1964).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BadOption
from plyground.subjects.matrix.matrix_game import MatrixGame

__all__ = ["LEARNERS", "Learner", "LearningRun", "Snapshot", "learn", "learning_run", "snapshot_times"]

Learner = Literal["fictitious", "regret"]
LEARNERS: tuple[Learner, ...] = ("fictitious", "regret")
MOST_STEPS = 10**9
PIECE = 200_000_000
"""Steps times strategies between two looks at the keyboard: a fraction of a second."""
A_DECADE = 12
"""Snapshots while the number of steps grows tenfold."""


@dataclass(frozen=True)
class Snapshot:
    """After `time` steps: the average strategy of each player, shapes (rows,) and (columns,), in utilities.

    `gap` is how much both players together could gain by best responses to the averages, 0 in an equilibrium. `low` is
    what the first player's average guarantees and `high` what the second one's concedes: in a zero-sum game, where
    alone they mean something, the value lies between them.
    """

    time: int
    first: NDArray[np.float64]
    second: NDArray[np.float64]
    gap: float
    low: float
    high: float


@dataclass(frozen=True)
class LearningRun:
    """A learner's snapshots, at times that grow by the same factor."""

    game: MatrixGame
    learner: Learner
    seed: int
    snapshots: tuple[Snapshot, ...]

    @property
    def last(self) -> Snapshot:
        """How it ended."""
        return self.snapshots[-1]


def snapshot_times(steps: int) -> list[int]:
    """1, 2, 3, ... 10, ... to `steps`, evenly on a logarithmic scale."""
    times = {round(10 ** (number / A_DECADE)) for number in range(1 + int(A_DECADE * np.log10(steps)))}
    return sorted(times | {steps})


def learn(game: MatrixGame, learner: Learner, *, steps: int, seed: int = 0) -> Iterator[Snapshot]:
    """Both players learn at the same time; a snapshot now and then, the last one after all steps."""
    if learner not in LEARNERS:
        raise BadOption(f"a learner is one of {', '.join(LEARNERS)}, not '{learner}'")
    if not 1 <= steps <= MOST_STEPS:
        raise BadOption(f"learning takes 1 to {MOST_STEPS:,} steps, not {steps:,}")
    first, second = (np.ascontiguousarray(array) for array in game.arrays)
    play, counts = _player(learner, first, second, seed)
    done = 0
    piece = max(1, PIECE // (100 + sum(game.shape)))
    for time in snapshot_times(steps):
        while done < time:
            play(min(piece, time - done))
            done = min(time, done + piece)
        yield _snapshot(time, first, second, counts[0] / time, counts[1] / time)


def learning_run(
    game: MatrixGame,
    learner: Learner,
    *,
    steps: int,
    seed: int = 0,
    on_snapshot: Callable[[Snapshot], None] = lambda snapshot: None,
) -> LearningRun:
    """All snapshots of `learn`; `on_snapshot` is called with each.

    >>> from plyground.subjects.matrix.named_games import named_game
    >>> run = learning_run(named_game("matching-pennies"), "fictitious", steps=100_000)
    >>> bool(run.last.low <= 0 <= run.last.high), run.last.gap < 0.02
    (True, True)
    """
    snapshots = []
    for snapshot in learn(game, learner, steps=steps, seed=seed):
        snapshots.append(snapshot)
        on_snapshot(snapshot)
    return LearningRun(game, learner, seed, tuple(snapshots))


def _player(
    learner: Learner, first: NDArray[np.float64], second: NDArray[np.float64], seed: int
) -> tuple[Callable[[int], None], tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """What plays this many steps more, and the counts of both players' strategies, to which it adds."""
    rows, columns = first.shape
    counts, totals = (np.zeros(rows), np.zeros(columns)), (np.zeros(rows), np.zeros(columns))
    if learner == "fictitious":
        from plyground.subjects.matrix.fictitious_play import play_fictitiously

        return lambda steps: play_fictitiously(first, second, *counts, *totals, steps), counts
    from plyground.native.randomness import stream
    from plyground.subjects.matrix.regret_matching import match_regrets

    rng = stream(seed)
    return lambda steps: match_regrets(first, second, *counts, *totals, rng, steps), counts


def _snapshot(
    time: int, first: NDArray[np.float64], second: NDArray[np.float64], x: NDArray[np.float64], y: NDArray[np.float64]
) -> Snapshot:
    against_y, against_x = first @ y, x @ second
    gap = float(against_y.max() - x @ against_y + against_x.max() - against_x @ y)
    return Snapshot(time, x, y, max(0.0, gap), float((x @ first).min()), float(against_y.max()))
