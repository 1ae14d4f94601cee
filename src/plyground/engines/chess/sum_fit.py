"""Learning the weights of the lecture's sum from the results of games.

The probability that the side to move wins is taken to be 1 / (1 + exp(-w * x)), x being the differences between what
is counted for both sides (D. R. Cox, "The regression analysis of binary sequences", 1958); a draw is half a win. The
weights that make the results of all positions most likely are found by Newton's method, and then shown in units of a
pawn. How far they can be trusted is seen by leaving out a tenth of the games at a time (the jackknife).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.engines.chess.positions import UNFINISHED, Positions, board_in
from plyground.errors import FormatError
from plyground.games.chess.features import FEATURES, side_features
from plyground.native.compiling import compiled

__all__ = ["LearntSum", "differences", "fit_sum"]

Reals = NDArray[np.float64]
TENTHS = 10
STEPS = 12
"""Steps of Newton's method: more than it takes for the last digits to stand."""
MOST = 10_000
"""Positions that the teacher finds decided, in hundredths of a pawn, are left out: no weight matters any more there."""


@dataclass(frozen=True)
class LearntSum:
    """The weights in pawns, in the order of `FEATURES`, and their standard errors.

    `slope`: what a pawn adds to the logarithm of the odds. `likelihood`: the mean logarithm of the probability that
    these weights gave to the results; -0.693 is what knowing nothing comes to.
    """

    weights: Reals
    errors: Reals
    slope: float
    likelihood: float
    positions: int
    games: int


def differences(positions: Positions) -> NDArray[np.float32]:
    """What is counted for the side to move less what is counted for the other side, shape (n, features)."""
    out = np.empty((len(positions), len(FEATURES)), np.float32)
    _write_differences(positions.sets, positions.turns, out)
    return out


@compiled
def _write_differences(sets: Any, turns: Any, out: Any) -> None:
    for i in range(len(sets)):
        turn = np.int64(turns[i])
        board = board_in(sets[i], turns[i])
        own, others = side_features(board, turn), side_features(board, 1 - turn)
        for j in range(len(own)):
            out[i, j] = own[j] - others[j]


def fit_sum(positions: Positions) -> LearntSum:
    """The weights that the quiet, undecided positions of finished games teach."""
    chosen = positions[
        (positions.quiet == 1) & (positions.results != UNFINISHED) & (np.abs(positions.scores.astype(np.int64)) <= MOST)
    ]
    numbers = np.unique(chosen.games)
    if len(numbers) < 10 * TENTHS:
        raise FormatError(f"{len(numbers)} finished games are too few to learn from; {10 * TENTHS} are the least")
    rows, wins = differences(chosen), (chosen.results.astype(np.float64) + 1) / 2
    whole = _likeliest(rows, wins, np.zeros(rows.shape[1]))
    part = np.searchsorted(numbers, chosen.games) % TENTHS
    others = np.array([_likeliest(rows[part != n], wins[part != n], whole, steps=3) for n in range(TENTHS)])
    others /= others[:, :1]
    weights = whole / whole[0]
    errors = np.sqrt((TENTHS - 1) / TENTHS * ((others - others.mean(0)) ** 2).sum(0))
    odds = rows @ whole
    likelihood = -float(np.mean(wins * np.logaddexp(0, -odds) + (1 - wins) * np.logaddexp(0, odds)))
    return LearntSum(weights, errors, float(whole[0]), likelihood, len(chosen), len(numbers))


def _likeliest(rows: NDArray[np.float32], wins: Reals, weights: Reals, steps: int = STEPS) -> Reals:
    for _ in range(steps):
        share = 1 / (1 + np.exp(-(rows @ weights)))
        slope = rows.T @ (wins - share)
        curve = (rows * (share * (1 - share))[:, None]).T @ rows
        try:
            weights = weights + np.linalg.solve(curve, slope)
        except np.linalg.LinAlgError:
            raise FormatError("the positions do not tell all weights apart; more games would") from None
    return weights
