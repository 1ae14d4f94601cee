"""Pareto's comparison: an outcome is better than another if nobody is worse off and somebody is better off."""

from __future__ import annotations

from fractions import Fraction

from plyground.subjects.matrix.matrix_game import MatrixGame, whole

__all__ = ["pareto_better", "pareto_front"]

Utilities = tuple[Fraction, Fraction]


def pareto_better(one: Utilities, other: Utilities) -> bool:
    """Whether the first is better than the second in Pareto's sense."""
    return one != other and one[0] >= other[0] and one[1] >= other[1]


def pareto_front(game: MatrixGame) -> list[tuple[int, int]]:
    """The outcomes, as (row, column), than which no outcome of the table is better."""
    first, second = (whole(utilities) for utilities in game.utilities)  # whole numbers are quicker to compare
    outcomes = [((first[i][j], second[i][j]), (i, j)) for i in range(game.shape[0]) for j in range(game.shape[1])]
    if game.constant_sum is not None:
        return [cell for _, cell in outcomes]
    # From the first player's best outcome down, the second player must always get more than anybody before.
    front: list[tuple[int, int]] = []
    reached: int | None = None
    level: tuple[int, int] | None = None
    for utilities, cell in sorted(outcomes, key=lambda outcome: (-outcome[0][0], -outcome[0][1])):
        if utilities == level or reached is None or utilities[1] > reached:
            front.append(cell)
            reached, level = utilities[1], utilities
    return sorted(front)
