"""Boards as SVG: the rule `svg`, and how a grid is drawn."""

from __future__ import annotations

import html
from typing import Any

from plyground.core.grid import EMPTY, Grid
from plyground.core.rules import grid, text
from plyground.native.dispatch import optional

__all__ = ["LAST_MOVE", "NIGHT", "ON_PAPER", "grid_svg", "svg", "text_svg"]

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


@optional(compiles=False)
def svg(state: Any) -> str:
    """The state as an SVG picture."""
    board = grid(state)
    return grid_svg(board) if board is not None else text_svg(html.escape(text(state)))


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
