"""The texts of the lessons, `<name>.md` and `<name>.zh.md`, and their order."""

from __future__ import annotations

__all__ = ["LESSONS"]

LESSONS = (
    "games",
    "formal_games",
    "minimax",
    "alphabeta",
    "ordering",
    "real_time",
    "chance",
    "several_players",
    "bandits",
    "mcts",
    "alphago",
    "alphago_zero",
    "matrix_games",
    "hidden_information",
    "history",
)
"""Every lesson of the course, in the order in which it is taught."""
