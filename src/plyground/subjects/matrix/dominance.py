"""Dominance: strategies that no sensible player uses, and what is left when they have gone, step by step.

A strategy is *strictly* dominated if another one is better against everything, *weakly* if another one is never worse
and at least once better. The other one may be a mixture, even where no pure strategy dominates; a linear program finds
it (Gale, Kuhn and Tucker 1951). What iterated strict dominance leaves does not depend on the order, and every
equilibrium survives; with weak dominance both may fail (Samuelson 1992), so the order here is fixed and shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from plyground.subjects.matrix.exact_lp import maximise
from plyground.subjects.matrix.matrix_game import Matrix, MatrixGame, Mixed
from plyground.subjects.matrix.zero_sum import EXACT, solve_matrix

__all__ = ["Domination", "Elimination", "Kind", "dominations", "iterated_dominance", "unit"]

Kind = Literal["strict", "weak"]


@dataclass(frozen=True)
class Domination:
    """A strategy of a player is dominated by a mixture, which is over all strategies of that player."""

    player: int
    strategy: int
    by: Mixed
    kind: Kind

    @property
    def pure(self) -> int | None:
        """The single strategy that dominates, if it is one."""
        return self.by.index(Fraction(1)) if Fraction(1) in self.by else None


@dataclass(frozen=True)
class Elimination:
    """What iterated dominance does: the steps in their order, and what is left of rows and columns.

    Where a player has more than `EXACT` strategies, only domination by pure strategies is looked for (`mixtures`).
    """

    kind: Kind
    steps: tuple[Domination, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    mixtures: bool

    @property
    def solved(self) -> bool:
        """Whether a single outcome is left."""
        return len(self.rows) == len(self.columns) == 1


def dominations(game: MatrixGame, kind: Kind = "strict") -> list[Domination]:
    """All strategies of both players that are dominated in the game as it is, rows first."""
    left = (tuple(range(game.shape[0])), tuple(range(game.shape[1])))
    return [
        found
        for player in (0, 1)
        for strategy in left[player]
        if (found := _dominated(game, player, strategy, left, kind)) is not None
    ]


def iterated_dominance(game: MatrixGame, kind: Kind = "strict") -> Elimination:
    """Take dominated strategies out one by one until there are none: always the first that is found, rows first."""
    left = (tuple(range(game.shape[0])), tuple(range(game.shape[1])))
    steps: list[Domination] = []
    while found := _first_dominated(game, left, kind):
        steps.append(found)
        fewer = tuple(strategy for strategy in left[found.player] if strategy != found.strategy)
        left = (left[0], fewer) if found.player else (fewer, left[1])
    return Elimination(kind, tuple(steps), *left, mixtures=max(game.shape) <= EXACT)


def _first_dominated(game: MatrixGame, left: tuple[tuple[int, ...], tuple[int, ...]], kind: Kind) -> Domination | None:
    for player in (0, 1):
        for strategy in left[player]:
            if (found := _dominated(game, player, strategy, left, kind)) is not None:
                return found
    return None


def _dominated(
    game: MatrixGame, player: int, strategy: int, left: tuple[tuple[int, ...], tuple[int, ...]], kind: Kind
) -> Domination | None:
    """What dominates a strategy among those that are left, a pure strategy rather than a mixture."""
    own, others = left[player], left[1 - player]
    rivals = [rival for rival in own if rival != strategy]
    if not rivals:
        return None
    utilities = game.utilities[player]
    if max(game.shape) > EXACT:
        array = game.arrays[1].T if player else game.arrays[0]
        pure = _pure_in_floats(array[np.ix_(rivals, others)], array[strategy, others], kind)
        weights: Sequence[Fraction] | None = None if pure is None else unit(len(rivals), pure)
    else:
        # How much better each rival is, against each strategy of the other player.
        gains = tuple(
            tuple(
                utilities[other][rival] - utilities[other][strategy]
                if player
                else utilities[rival][other] - utilities[strategy][other]
                for other in others
            )
            for rival in rivals
        )
        weights = _pure(gains, kind) or _mixture(gains, kind)
    if weights is None:
        return None
    by = [Fraction(0)] * game.shape[player]
    for rival, weight in zip(rivals, weights, strict=True):
        by[rival] = weight
    return Domination(player, strategy, tuple(by), kind)


def unit(count: int, place: int) -> Mixed:
    """The pure strategy of this number as a mixture."""
    return tuple(Fraction(int(number == place)) for number in range(count))


def _pure(gains: Matrix, kind: Kind) -> Mixed | None:
    for number, row in enumerate(gains):
        if all(gain > 0 for gain in row) or (kind == "weak" and min(row) >= 0 and max(row) > 0):
            return unit(len(gains), number)
    return None


def _pure_in_floats(rivals: NDArray[np.float64], mine: NDArray[np.float64], kind: Kind) -> int | None:
    strict, never_worse = (rivals > mine).all(axis=1), (rivals >= mine).all(axis=1)
    fitting = strict if kind == "strict" else never_worse & (rivals > mine).any(axis=1)
    return int(fitting.argmax()) if fitting.any() else None


def _mixture(gains: Matrix, kind: Kind) -> Sequence[Fraction] | None:
    if kind == "strict":
        # The mixture is better against everything exactly if it wins a zero-sum game with the gains as payoffs.
        found = solve_matrix(gains)
        return tuple(Fraction(weight) for weight in found.first) if found.value > 0 else None
    # As much gain as possible in all, without loss anywhere. Weight that is missing stays on the strategy itself.
    count, width = len(gains), len(gains[0])
    rows = [[-gains[rival][other] for rival in range(count)] for other in range(width)] + [[Fraction(1)] * count]
    best = maximise([sum(row, Fraction(0)) for row in gains], rows, [Fraction(0)] * width + [Fraction(1)])
    if best is None or best.value <= 0:
        return None
    total = sum(best.point)
    return [weight / total for weight in best.point]
