"""All Nash equilibria by support enumeration (Dickhaut and Kaplan 1991; von Stengel 2007, section 3.2).

In an equilibrium of a game that is not degenerate, both players use equally many strategies, their *supports*. Given
the supports, the probabilities follow from linear equations: each strategy in the support of one player pays the
same, because the other one mixes so. What is left to check is that no probability is negative and that no strategy
outside pays more.

There are very many pairs of supports. So the equations of all pairs of one size are first solved together in floating
point, and pairs that fail by a clear margin are left out. Those that remain, few as a rule, are decided in fractions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BadOption
from plyground.subjects.matrix.best_response import best_responses
from plyground.subjects.matrix.matrix_game import Floats, MatrixGame, Mixed, Profile, transposed, whole
from plyground.subjects.matrix.rational import solve_exactly

__all__ = ["MOST_PAIRS", "support_count", "support_equilibria"]

MOST_PAIRS = 3_000_000
"""Pairs of supports; a game with more of them is refused."""
MARGIN = 1e-6
"""A pair is left out if a probability is below minus this, or another strategy pays more than this, where the payoffs
of the game lie between 0 and 1."""
UNSURE = 1e7
"""Equations whose inverse has numbers beyond this magnify rounding too much; they are left to fractions."""
BATCH = 40_000
"""Numbers of a batch of equations: few enough to stay in the cache."""

Supports = tuple[tuple[int, ...], tuple[int, ...]]


def support_count(shape: tuple[int, int]) -> int:
    """How many pairs of supports of equal size a game of this shape has."""
    return math.comb(sum(shape), shape[0]) - 1


def support_equilibria(game: MatrixGame) -> list[Profile]:
    """Every equilibrium whose supports have the same size and determine it, in fractions.

    In a game that is not degenerate these are all equilibria. In a degenerate one there may be more, and
    `plyground.subjects.matrix.vertices` has them all.

    >>> from plyground.subjects.matrix.named_games import named_game
    >>> for x, y in support_equilibria(named_game("battle-of-the-sexes")):
    ...     print([str(p) for p in x], [str(q) for q in y])
    ['1', '0'] ['1', '0']
    ['0', '1'] ['0', '1']
    ['3/5', '2/5'] ['2/5', '3/5']
    """
    if support_count(game.shape) > MOST_PAIRS:
        raise BadOption(
            f"{game.shape[0]}x{game.shape[1]} strategies have {support_count(game.shape):,} pairs of supports; "
            f"at most {MOST_PAIRS:,} are enumerated"
        )
    first, second = whole(game.utilities[0]), whole(transposed(game.utilities[1]))
    found = []
    for rows, columns in _candidates(game):
        # The rows are indifferent because of the second player's probabilities, and the other way round.
        y = _mixture(first, rows, columns, game.shape[1])
        x = None if y is None else _mixture(second, columns, rows, game.shape[0])
        if (
            x is not None
            and y is not None
            and set(rows) <= set(best_responses(game, 0, y))
            and set(columns) <= set(best_responses(game, 1, x))
        ):
            found.append((x, y))
    return found


def _mixture(own: list[list[int]], indifferent: tuple[int, ...], mixed: tuple[int, ...], size: int) -> Mixed | None:
    """Probabilities of `mixed` that make the strategies `indifferent` pay the same, if all of them are positive."""
    base = own[indifferent[0]]
    system = [[own[number][other] - base[other] for other in mixed] + [0] for number in indifferent[1:]]
    solution = solve_exactly([[1] * len(mixed) + [1], *system])
    if solution is None or any(weight <= 0 for weight in solution):
        return None
    mixture = [Fraction(0)] * size
    for other, weight in zip(mixed, solution, strict=True):
        mixture[other] = weight
    return tuple(mixture)


def _candidates(game: MatrixGame) -> Iterator[Supports]:
    """Pairs of supports that floating point cannot rule out."""
    first, second = (_unit_scale(array) for array in game.arrays)
    for size in range(1, min(game.shape) + 1):
        rows = _subsets(game.shape[0], size)
        columns = _subsets(game.shape[1], size)
        step = max(1, BATCH // (len(columns) * size * size))
        for start in range(0, len(rows), step):
            block = rows[start : start + step]
            yield from _passing(first, second, block, columns, size)


def _passing(
    first: Floats, second: Floats, rows: NDArray[np.int64], columns: NDArray[np.int64], size: int
) -> Iterator[Supports]:
    """Those of the pairs of these supports that pass: first all for the one player, then what is left for the other."""
    pairs = np.stack(np.meshgrid(np.arange(len(rows)), np.arange(len(columns)), indexing="ij"), -1).reshape(-1, 2)
    these, those = rows[pairs[:, 0]], columns[pairs[:, 1]]
    kept = _possible(first, these, those, size)
    these, those = these[kept], those[kept]
    if len(these):
        kept = _possible(second.T, those, these, size)
        for one, other in zip(these[kept], those[kept], strict=True):
            yield tuple(int(i) for i in one), tuple(int(j) for j in other)


def _possible(own: Floats, indifferent: NDArray[np.int64], mixed: NDArray[np.int64], size: int) -> NDArray[np.bool_]:
    """For each pair, whether the mixture that makes strategies indifferent may exist and have no better response."""
    count = len(indifferent)
    payoffs = own[indifferent[:, :, None], mixed[:, None, :]]
    system = np.empty((count, size, size))
    system[:, 0] = 1.0
    np.subtract(payoffs[:, 1:], payoffs[:, :1], out=system[:, 1:])
    # The right sides are 1, 0, 0, ...: the solution is the inverse's first column, and the rest says how sure it is.
    inverses = np.full_like(system, np.inf)
    regular = np.linalg.det(system) != 0
    inverses[regular] = np.linalg.inv(system[regular])
    possible = np.abs(inverses).max(axis=(1, 2)) >= UNSURE
    sure = np.flatnonzero(~possible)
    weights = inverses[sure, :, 0]
    answers = np.einsum("kji,kj->ki", own.T[mixed[sure]], weights)
    level = (payoffs[sure, 0] * weights).sum(axis=1)
    possible[sure] = (weights.min(axis=1) > -MARGIN) & (answers.max(axis=1) <= level + MARGIN)
    return np.asarray(possible)


def _subsets(count: int, size: int) -> NDArray[np.int64]:
    return np.array(list(itertools.combinations(range(count), size)), dtype=np.int64)


def _unit_scale(payoffs: Floats) -> Floats:
    least, most = payoffs.min(), payoffs.max()
    return np.asarray((payoffs - least) / (most - least if most > least else 1.0))
