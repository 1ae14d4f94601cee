"""Exact endings: near the end of a game that has a solver, searches and self-play ask it instead of a network."""

from __future__ import annotations

from typing import Any

from plyground.core.game import Game
from plyground.core.registry import SOLVERS

__all__ = ["solved_endings", "solver_of"]


def solver_of(game: Game) -> Any:
    """The class that solves the endings of a game, made with the most squares that may be empty; None if none does."""
    solver: Any = SOLVERS.factory(game.name) if game.name in SOLVERS else None
    return solver if solver is not None and solver.knows(game) else None


def solved_endings(game: Game, most: int) -> Any:
    """What answers for positions with at most this many empty squares, as an endgame table does; None if nothing."""
    solver = solver_of(game)
    return solver(most) if solver is not None and most else None
