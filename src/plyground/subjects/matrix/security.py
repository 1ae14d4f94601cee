"""Security levels: what a player can make sure of, whatever the other one does (von Neumann and Morgenstern 1944).

With pure strategies: the best of the worst, or maximin. With mixed strategies it is the value of the zero-sum game in
which the other player only wants to harm. In a game of general sum an equilibrium never pays less.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from plyground.subjects.matrix.matrix_game import Matrix, MatrixGame, Mixed, transposed
from plyground.subjects.matrix.zero_sum import EXACT, solve_arrays, solve_matrix

__all__ = ["Security", "security_level"]


@dataclass(frozen=True)
class Security:
    """What one player can guarantee, in utilities: by one pure strategy, and by the best mixture."""

    player: int
    pure: Fraction
    strategy: int
    mixed: Fraction | float
    mixture: Mixed | tuple[float, ...]


def security_level(game: MatrixGame, player: int) -> Security:
    """The security level of a player, 0 or 1."""
    own: Matrix = transposed(game.utilities[1]) if player else game.utilities[0]
    worst = [min(row) for row in own]
    best = max(worst)
    if max(game.shape) <= EXACT:
        found = solve_matrix(own)
    else:
        found = solve_arrays(game.arrays[1].T if player else game.arrays[0])
    return Security(player, best, worst.index(best), found.value, found.first)
