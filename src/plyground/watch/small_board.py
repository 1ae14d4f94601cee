"""A position as a small picture beside a node of a tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from plyground.core.grid import with_last
from plyground.core.rules import grid
from plyground.pictures.board import grid_svg

__all__ = ["small_board"]


def small_board(state: Any, before: Any) -> str:
    """The board without its coordinates, the last move marked; nothing if the game has no board."""
    board = grid(state)
    if board is None:
        return ""
    was = None if before is None else grid(before)
    marked = board if was is None else with_last(was, board)
    return grid_svg(replace(marked, columns=(), rows=(), dots=()))
