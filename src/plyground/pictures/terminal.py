"""The terminal: boards in colours, and texts of others that do nothing to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.status import Status
from rich.text import Text

from plyground.core.grid import EMPTY, Grid, grid_parts
from plyground.visible_text import visible

__all__ = ["Terminal", "grid_terminal"]

SIDES = {
    "marks": ("bold bright_red", "bold bright_blue"),
    "discs": ("bold cyan", "bold bright_white"),
    "slots": ("bold bright_yellow", "bold bright_red"),
    "hex": ("bold bright_red", "bold bright_blue"),
    "boxes": ("bold bright_red", "bold bright_blue"),
    "chess": ("bold bright_white", "bold cyan"),
}
STYLES = {"column": "dim", "row": "dim", "mark": "bold", "dot": "bold green", EMPTY: "dim"}
EDGES = {"column": "bright_red", "row": "bright_blue"}
"""Where each side has edges of its own, the names along them have its colour."""


def grid_terminal(grid: Grid) -> Text:
    """The board as text with terminal colours."""
    sides = {letter: look for own, look in zip(grid.symbols, SIDES[grid.style], strict=True) for letter in own}
    styles = STYLES | sides | (EDGES if grid.style == "hex" else {})
    return Text.assemble(*((text, styles.get(part, "")) for text, part in grid_parts(grid)))


class Terminal(Console):
    """A stream that only we colour: what acts on a terminal is spelled out in texts of others, and `:x:` stays."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(highlight=False, emoji=False, **settings)

    @property
    def encoding(self) -> str:
        return (getattr(self.file, "encoding", None) or "utf-8").lower()

    def render_str(self, text: str, **settings: Any) -> Text:
        return super().render_str(visible(text), **settings)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))

    def status(self, status: RenderableType, **settings: Any) -> Status:
        return super().status(self.render_str(status) if isinstance(status, str) else status, **settings)

    def on_broken_pipe(self) -> None:
        raise  # noqa: PLE0704 - it is called while that is handled, and not every program ends with its reader
