"""Boards of cells, drawn as plain text, as coloured text for the terminal and as SVG from one description."""

from __future__ import annotations

import html
from dataclasses import dataclass, replace

from rich.text import Text

__all__ = [
    "LAST_MOVE",
    "NIGHT",
    "ON_PAPER",
    "Grid",
    "column_name",
    "grid_svg",
    "grid_terminal",
    "grid_text",
    "text_svg",
    "with_last",
]

EMPTY = "."
LAST_MOVE = "#f59e0b"
"""The colour of the dot on the last move."""

COLOURS = {
    "marks": {"board": "#f7f5f0", "line": "#8a8478", "first": "#c2410c", "second": "#1d4ed8", "text": "#3f3a33"},
    "discs": {"board": "#1f7a4d", "line": "#14573a", "first": "#111827", "second": "#f9fafb", "text": "#334155"},
    "slots": {"board": "#1e4fa3", "line": "#163b7a", "first": "#f4b400", "second": "#d93025", "text": "#334155"},
}
"""One palette for each style; the two sides differ in lightness too, for eyes that do not tell the hues apart."""
ON_PAPER = "on-paper"
"""The class of pictures on white paper: a page in the dark may give them the colours of the `NIGHT` instead."""
NIGHT = {
    "#ffffff": "#171c22",
    "#f7f5f0": "#1f262e",
    "#8a8478": "#56616d",
    "#c2410c": "#ff9a5c",
    "#1d4ed8": "#8db4ff",
    "#3f3a33": "#aab3bd",
    "#334155": "#aab3bd",
    "#1f2937": "#eceff2",
}


@dataclass(frozen=True)
class Grid:
    """A rectangular board, top row first.

    `cells` holds one character a cell: "." is empty, `symbols` are the two players' own, anything else is drawn as
    it is. `style` is "marks" (X and O), "discs" (on a felt board) or "slots" (a rack that discs drop into). `dots`
    are the cells (row, column) where the player to move may go, `last` is the last one played.
    """

    cells: tuple[str, ...]
    symbols: tuple[str, str] = ("X", "O")
    style: str = "marks"
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    dots: tuple[tuple[int, int], ...] = ()
    last: tuple[int, int] | None = None


def with_last(before: Grid, after: Grid) -> Grid:
    """The later board with the cell marked that was empty before and is not any more."""
    for r, (old, new) in enumerate(zip(before.cells, after.cells, strict=True)):
        for c, (was, now) in enumerate(zip(old, new, strict=True)):
            if was == EMPTY != now:
                return replace(after, last=(r, c))
    return after


def column_name(index: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    return chr(97 + index) if index < 26 else column_name(index // 26 - 1) + chr(97 + index % 26)


def grid_text(grid: Grid) -> str:
    """The board as plain text: column names on top, row names at the left, the last move in brackets."""
    return grid_terminal(grid).plain


def grid_terminal(grid: Grid) -> Text:
    """The board as text with terminal colours."""
    margin = max((len(name) for name in grid.rows), default=0)
    styles = {grid.symbols[0]: "bold bright_red", grid.symbols[1]: "bold bright_blue"}
    if grid.style == "discs":
        styles = {grid.symbols[0]: "bold cyan", grid.symbols[1]: "bold bright_white"}
    elif grid.style == "slots":
        styles = {grid.symbols[0]: "bold bright_yellow", grid.symbols[1]: "bold bright_red"}
    out = Text()
    if grid.columns:
        out.append(" " * margin + "".join(f"{name:>2}" for name in grid.columns) + "\n", "dim")
    dots = set(grid.dots)
    for r, row in enumerate(grid.cells):
        out.append(f"{grid.rows[r] if grid.rows else '':>{margin}}", "dim")
        for c, cell in enumerate(row):
            marked = grid.last == (r, c)
            after_marked = grid.last == (r, c - 1)
            out.append("[" if marked else "]" if after_marked else " ", "bold" if marked or after_marked else "")
            if cell == EMPTY and (r, c) in dots:
                out.append("·", "bold green")
            else:
                out.append(cell, styles.get(cell, "dim" if cell == EMPTY else ""))
        out.append("]" if grid.last == (r, len(row) - 1) else "", "bold")
        out.append("\n" if r + 1 < len(grid.cells) else "")
    return out


def grid_svg(grid: Grid, cell: int = 48) -> str:
    """The board as a stand-alone SVG."""
    colours = COLOURS[grid.style]
    height, width = len(grid.cells), len(grid.cells[0])
    left = 26 if grid.rows else 8
    top = 26 if grid.columns else 8
    total_width, total_height = left + width * cell + 8, top + height * cell + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{ON_PAPER}" viewBox="0 0 {total_width} {total_height}" '
        f'width="{total_width}" height="{total_height}" role="img" aria-label="{html.escape(_label(grid))}">',
        f'<rect width="{total_width}" height="{total_height}" rx="6" fill="#ffffff"/>',
        f'<rect x="{left}" y="{top}" width="{width * cell}" height="{height * cell}" fill="{colours["board"]}"/>',
    ]
    name_style = f'font-family="system-ui, sans-serif" font-size="13" fill="{colours["text"]}" text-anchor="middle"'
    for c, name in enumerate(grid.columns):
        parts.append(f'<text x="{left + c * cell + cell / 2:g}" y="{top - 8}" {name_style}>{html.escape(name)}</text>')
    for r, name in enumerate(grid.rows):
        base = top + r * cell + cell / 2 + 4.5
        parts.append(f'<text x="{left / 2:g}" y="{base:g}" {name_style}>{html.escape(name)}</text>')
    if grid.style != "slots":
        line = f'stroke="{colours["line"]}" stroke-width="1.5"'
        for i in range(height + 1):
            y = top + i * cell
            parts.append(f'<line x1="{left}" y1="{y}" x2="{left + width * cell}" y2="{y}" {line}/>')
        for i in range(width + 1):
            x = left + i * cell
            parts.append(f'<line x1="{x}" y1="{top}" x2="{x}" y2="{top + height * cell}" {line}/>')
    dots = set(grid.dots)
    for r, row in enumerate(grid.cells):
        for c, symbol in enumerate(row):
            centre_x, centre_y = left + c * cell + cell / 2, top + r * cell + cell / 2
            parts.append(_cell_svg(grid, symbol, centre_x, centre_y, cell, (r, c) in dots))
            if grid.last == (r, c):
                parts.append(f'<circle cx="{centre_x:g}" cy="{centre_y:g}" r="{cell * 0.09:g}" fill="{LAST_MOVE}"/>')
    return "".join(parts) + "</svg>"


def _cell_svg(grid: Grid, symbol: str, x: float, y: float, cell: int, dotted: bool) -> str:
    colours = COLOURS[grid.style]
    if symbol == EMPTY:
        if grid.style == "slots":
            return f'<circle cx="{x:g}" cy="{y:g}" r="{cell * 0.4:g}" fill="#ffffff"/>'
        return f'<circle cx="{x:g}" cy="{y:g}" r="{cell * 0.08:g}" fill="#00000073"/>' if dotted else ""
    if symbol not in grid.symbols:
        return (
            f'<text x="{x:g}" y="{y + cell * 0.16:g}" font-family="system-ui, sans-serif" font-size="{cell * 0.45:g}" '
            f'fill="{colours["text"]}" text-anchor="middle">{html.escape(symbol)}</text>'
        )
    side = "first" if symbol == grid.symbols[0] else "second"
    colour = colours[side]
    if grid.style == "marks":
        d = cell * 0.26
        stroke = f'stroke="{colour}" stroke-width="{cell * 0.1:g}" stroke-linecap="round" fill="none"'
        if side == "first":
            return (
                f'<path d="M{x - d:g} {y - d:g}L{x + d:g} {y + d:g}M{x + d:g} {y - d:g}L{x - d:g} {y + d:g}" {stroke}/>'
            )
        return f'<circle cx="{x:g}" cy="{y:g}" r="{cell * 0.28:g}" {stroke}/>'
    edge = ' stroke="#9ca3af" stroke-width="1"' if grid.style == "discs" and side == "second" else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{cell * 0.4:g}" fill="{colour}"{edge}/>'


def _label(grid: Grid) -> str:
    first = sum(row.count(grid.symbols[0]) for row in grid.cells)
    second = sum(row.count(grid.symbols[1]) for row in grid.cells)
    size = f"{len(grid.cells)} by {len(grid.cells[0])}"
    return f"board {size}, {first} {grid.symbols[0]}, {second} {grid.symbols[1]}"


def text_svg(escaped: str) -> str:
    """Plain text, already escaped for HTML, as a stand-alone SVG."""
    lines = escaped.split("\n")
    width = 16 + 9 * max(len(html.unescape(line)) for line in lines)
    height = 16 + 20 * len(lines)
    rows = "".join(f'<tspan x="8" y="{24 + 20 * i}">{line}</tspan>' for i, line in enumerate(lines))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{ON_PAPER}" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}">'
        f'<rect width="{width}" height="{height}" rx="6" fill="#ffffff"/>'
        f'<text font-family="ui-monospace, monospace" font-size="14" fill="#1f2937" xml:space="preserve">{rows}</text>'
        "</svg>"
    )
