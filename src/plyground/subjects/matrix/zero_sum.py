"""Zero-sum games by linear programming: the value, and a strategy for each side that guarantees it.

Von Neumann (1928): every finite game of two players in which one wins what the other loses has a value V. The first
has a mixed strategy that wins V on average whatever the second does, the second one that loses no more. They are the
two sides of one linear program (Dantzig 1951): raise all payoffs above 0, and

    maximise y_1 + ... + y_n   with   A y <= 1,  y >= 0

Its largest value is 1 / V, y V is the second player's strategy, and the prices times V are the first player's.
Games of up to `EXACT` strategies a side are solved in fractions, larger ones by HiGHS in floating point.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BadOption
from plyground.subjects.matrix.exact_lp import maximise
from plyground.subjects.matrix.matrix_game import Matrix, MatrixGame, Mixed

__all__ = ["EXACT", "Solution", "solve_arrays", "solve_matrix", "solve_zero_sum"]

EXACT = 24
"""Up to this many strategies a side, answers are fractions."""


@dataclass(frozen=True)
class Solution:
    """The value for the first player, and a strategy of each side that guarantees it.

    Fractions where `exact`, otherwise floats as close as floating point comes.
    """

    value: Fraction | float
    first: Mixed | tuple[float, ...]
    second: Mixed | tuple[float, ...]
    exact: bool


def solve_zero_sum(game: MatrixGame) -> Solution:
    """The solution of a game of constant sum, in utilities.

    >>> from plyground.subjects.matrix.matrix_game import zero_sum_game
    >>> found = solve_zero_sum(zero_sum_game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]))
    >>> str(found.value), [str(p) for p in found.first]
    ('0', ['1/3', '1/3', '1/3'])
    """
    if game.constant_sum is None:
        raise BadOption("this is not a zero-sum game: the payoffs of its outcomes do not add up to the same number")
    return solve_matrix(game.utilities[0]) if max(game.shape) <= EXACT else solve_arrays(game.arrays[0])


def solve_matrix(payoffs: Matrix) -> Solution:
    """The first player, who chooses rows, wins these fractions from the second: solved in fractions."""
    raised = 1 - min(min(row) for row in payoffs)
    one = Fraction(1)
    columns = len(payoffs[0])
    best = maximise([one] * columns, [[value + raised for value in row] for row in payoffs], [one] * len(payoffs))
    assert best is not None  # all payoffs are positive now, so the program has a largest value, which is not 0
    value = 1 / best.value
    first, second = (tuple(weight * value for weight in weights) for weights in (best.prices, best.point))
    return Solution(value - raised, first, second, True)


def solve_arrays(payoffs: NDArray[np.float64]) -> Solution:
    """The same by HiGHS, in floating point; payoffs of shape (rows, columns)."""
    from scipy.optimize import linprog

    rows, columns = payoffs.shape
    least, most = float(payoffs.min()), float(payoffs.max())
    scale = most - least or 1.0
    found: Any = linprog(
        -np.ones(columns), A_ub=(payoffs - least) / scale + 1.0, b_ub=np.ones(rows), bounds=(0, None), method="highs"
    )
    if found.status != 0:
        raise BadOption(f"HiGHS could not solve this game: {found.message}")
    first, second = _probabilities(-found.ineqlin.marginals), _probabilities(found.x)
    # The value between what the two strategies guarantee, which is closer than what the program says.
    value = (float((first @ payoffs).min()) + float((payoffs @ second).max())) / 2
    return Solution(value, tuple(first.tolist()), tuple(second.tolist()), False)


def _probabilities(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    clipped = np.clip(weights, 0.0, None)
    return np.asarray(clipped / clipped.sum())
