"""Best responses: what pays most against what the other player does, pure or mixed."""

from __future__ import annotations

from fractions import Fraction

from plyground.subjects.matrix.matrix_game import MatrixGame, Mixed, Profile, expected

__all__ = ["best_responses", "is_equilibrium", "payoffs_against", "pure_equilibria", "regrets"]


def payoffs_against(game: MatrixGame, player: int, other: Mixed) -> list[Fraction]:
    """The utility of each strategy of a player against a mixed strategy of the other one."""
    zero = Fraction(0)
    used = [(number, weight) for number, weight in enumerate(other) if weight]
    if player == 0:
        return [sum((row[number] * weight for number, weight in used), zero) for row in game.utilities[0]]
    table = game.utilities[1]
    return [sum((table[number][own] * weight for number, weight in used), zero) for own in range(game.shape[1])]


def best_responses(game: MatrixGame, player: int, other: Mixed) -> tuple[int, ...]:
    """The strategies of a player that pay most against a mixed strategy of the other one."""
    payoffs = payoffs_against(game, player, other)
    most = max(payoffs)
    return tuple(number for number, payoff in enumerate(payoffs) if payoff == most)


def regrets(game: MatrixGame, profile: Profile) -> tuple[Fraction, Fraction]:
    """How much more each player could have got by another strategy; (0, 0) in an equilibrium, where nobody regrets."""
    first, second = (
        max(payoffs_against(game, player, profile[1 - player])) - expected(game.utilities[player], *profile)
        for player in (0, 1)
    )
    return first, second


def is_equilibrium(game: MatrixGame, profile: Profile) -> bool:
    """Whether nobody can gain by doing something else alone (Nash 1950)."""
    return not any(regrets(game, profile))


def pure_equilibria(game: MatrixGame) -> list[tuple[int, int]]:
    """The outcomes, as (row, column), in which each strategy is a best response to the other; for games of any size."""
    first, second = game.utilities
    best_in_column = [max(row[j] for row in first) for j in range(game.shape[1])]
    best_in_row = [max(row) for row in second]
    return [
        (i, j)
        for i in range(game.shape[0])
        for j in range(game.shape[1])
        if first[i][j] == best_in_column[j] and second[i][j] == best_in_row[i]
    ]
