"""Boards in the terminal, in colours."""

from __future__ import annotations

from rich.text import Text

from plyground.core.grid import EMPTY, Grid, grid_parts

__all__ = ["grid_terminal"]

SIDES = {
    "marks": ("bold bright_red", "bold bright_blue"),
    "discs": ("bold cyan", "bold bright_white"),
    "slots": ("bold bright_yellow", "bold bright_red"),
}
STYLES = {"name": "dim", "mark": "bold", "dot": "bold green", EMPTY: "dim"}


def grid_terminal(grid: Grid) -> Text:
    """The board as text with terminal colours."""
    styles = STYLES | dict(zip(grid.symbols, SIDES[grid.style], strict=True))
    return Text.assemble(*((text, styles.get(part, "")) for text, part in grid_parts(grid)))
