"""Boards as SVG: the rule `svg`, and how a grid is drawn."""

from __future__ import annotations

import functools
import html
import json
import math
from pathlib import Path
from typing import Any

from plyground.core.grid import EMPTY, Grid, column_name
from plyground.core.rules import grid, text
from plyground.native.dispatch import optional

__all__ = ["LAST_MOVE", "NIGHT", "ON_PAPER", "grid_svg", "svg", "text_svg"]

LAST_MOVE = "#f59e0b"
"""The colour of the dot on the last move."""
CHECK = "#b91c1c"
"""The colour of the ring around a king in check."""

COLOURS = {
    "marks": {"board": "#f7f5f0", "line": "#8a8478", "first": "#c2410c", "second": "#1d4ed8", "text": "#3f3a33"},
    "discs": {"board": "#1f7a4d", "line": "#14573a", "first": "#111827", "second": "#f9fafb", "text": "#334155"},
    "slots": {"board": "#1e4fa3", "line": "#163b7a", "first": "#f4b400", "second": "#d93025", "text": "#334155"},
    "boxes": {"board": "#f7f5f0", "line": "#d6d1c4", "first": "#b91c1c", "second": "#1d4ed8", "text": "#3f3a33"},
    "chess": {"board": "#efe4d2", "line": "#b08d69", "first": "#fffdf8", "second": "#37322d", "text": "#3f3a33"},
    "hex": {"board": "#f7f5f0", "line": "#8a8478", "first": "#b91c1c", "second": "#1d4ed8", "text": "#3f3a33"},
}
"""One palette for each style; the sides differ in lightness or shape too, for eyes that do not tell the hues apart."""
ON_PAPER = "on-paper"
"""The class of pictures on white paper: a page in the dark may give them the colours of the `NIGHT` instead."""
NIGHT = {
    "#ffffff": "#171c22",
    "#f7f5f0": "#1f262e",
    "#8a8478": "#56616d",
    "#d6d1c4": "#39434e",
    "#c2410c": "#ff9a5c",
    "#b91c1c": "#f4776c",
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
    if grid.style == "hex":
        return _hexagons_svg(grid, cell)
    if grid.style == "boxes":
        return _boxes_svg(grid, cell)
    colours = COLOURS[grid.style]
    height, width = len(grid.cells), len(grid.cells[0])
    left = 26 if grid.rows else 8
    top = 26 if grid.columns else 8
    total_width, total_height = left + width * cell + 8, top + height * cell + 8
    parts = [
        _opening(grid, total_width, total_height),
        f'<rect x="{left}" y="{top}" width="{width * cell}" height="{height * cell}" fill="{colours["board"]}"/>',
    ]
    parts += [_name(grid, left + c * cell + cell / 2, top - 8, name) for c, name in enumerate(grid.columns)]
    parts += [_name(grid, left / 2, top + r * cell + cell / 2 + 4.5, name) for r, name in enumerate(grid.rows)]
    if grid.style == "chess":
        dark = "".join(
            f"M{left + c * cell} {top + r * cell}h{cell}v{cell}h{-cell}z"
            for r in range(height)
            for c in range(width)
            if (r + c) % 2
        )
        parts.append(f'<path d="{dark}" fill="{colours["line"]}"/>')
        for r, c in filter(None, (grid.left, grid.last)):
            place = f'x="{left + c * cell}" y="{top + r * cell}" width="{cell}" height="{cell}"'
            parts.append(f'<rect {place} fill="{LAST_MOVE}" fill-opacity="0.45"/>')
        if grid.check is not None:
            r, c = grid.check
            middle = f'cx="{left + c * cell + cell / 2:g}" cy="{top + r * cell + cell / 2:g}"'
            parts.append(
                f'<circle {middle} r="{cell * 0.46:g}" fill="none" stroke="{CHECK}" stroke-width="{cell / 12:g}"/>'
            )
    elif grid.style != "slots":
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
            if grid.last == (r, c) and grid.style != "chess":
                parts.append(f'<circle cx="{centre_x:g}" cy="{centre_y:g}" r="{cell * 0.09:g}" fill="{LAST_MOVE}"/>')
    return "".join(parts) + "</svg>"


def _opening(grid: Grid, width: float, height: float) -> str:
    detail = ' data-detail="1.6"' if grid.style == "chess" else ""  # pieces are read less easily than discs
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{ON_PAPER}"{detail} viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" aria-label="{html.escape(_label(grid))}">'
        f'<rect width="{width:g}" height="{height:g}" rx="6" fill="#ffffff"/>'
    )


def _name(grid: Grid, x: float, y: float, name: str) -> str:
    """The name of a row or column; `y` is its base line."""
    style = f'font-family="system-ui, sans-serif" font-size="13" fill="{COLOURS[grid.style]["text"]}"'
    return f'<text x="{x:g}" y="{y:g}" {style} text-anchor="middle">{html.escape(name)}</text>'


def _hexagons_svg(grid: Grid, cell: int) -> str:
    """A rhombus of hexagons that stand on a corner, between edges in their owners' colours."""
    colours = COLOURS[grid.style]
    height, width = len(grid.cells), len(grid.cells[0])
    half, radius = cell / 2, cell / math.sqrt(3)
    rim = cell * 0.14
    left, top = rim + (22 if grid.rows else 6), rim + (18 if grid.columns else 6)
    right = left if grid.rows else rim + 6
    total_width = left + (width + (height - 1) / 2) * cell + right
    total_height = top + (1.5 * (height - 1) + 2) * radius + rim + 6

    def centre(r: int, c: int) -> tuple[float, float]:
        return left + half + c * cell + r * half, top + radius + 1.5 * r * radius

    def corners(r: int, c: int) -> list[tuple[float, float]]:
        """From the top, clockwise."""
        x, y = centre(r, c)
        ways = ((0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5))
        return [(x + a * half, y + b * radius) for a, b in ways]

    def path(points: list[tuple[float, float]]) -> str:
        return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)

    rows, columns = range(height), range(width)
    edges = {
        "first": (
            [corners(0, c)[i] for c in columns for i in (5, 0, 1)],
            [corners(height - 1, c)[i] for c in columns for i in (4, 3, 2)],
        ),
        "second": (
            [corners(r, 0)[i] for r in rows for i in (5, 4)],
            [corners(r, width - 1)[i] for r in rows for i in (1, 2)],
        ),
    }
    parts = [_opening(grid, total_width, total_height)]
    for side, (one, other) in edges.items():
        stroke = f'stroke="{colours[side]}" stroke-width="{2 * rim:g}" stroke-linejoin="round"'
        parts.append(f'<path d="{path(one)}{path(other)}" fill="none" {stroke}/>')
    cells = "".join(path(corners(r, c)) + "Z" for r in rows for c in columns)
    parts.append(f'<path d="{cells}" fill="{colours["board"]}" stroke="{colours["line"]}" stroke-width="1.5"/>')
    parts += [_name(grid, centre(0, c)[0], top - rim - 5, name) for c, name in enumerate(grid.columns)]
    for r, name in enumerate(grid.rows):
        x, y = centre(r, 0)
        parts.append(_name(grid, x - half - rim - 10, y + 4.5, name))
    dots = set(grid.dots)
    for r, row in enumerate(grid.cells):
        for c, symbol in enumerate(row):
            x, y = centre(r, c)
            parts.append(_cell_svg(grid, symbol, x, y, cell, (r, c) in dots))
            if grid.last == (r, c):
                parts.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{cell * 0.09:g}" fill="{LAST_MOVE}"/>')
    return "".join(parts) + "</svg>"


def _boxes_svg(grid: Grid, cell: int) -> str:
    """Dots, the lines drawn between them over pale ones, and the initials of owners on boxes in their colours."""
    colours = COLOURS[grid.style]
    height, width = len(grid.cells), len(grid.cells[0])
    pitch = cell / 2
    left, top = (34 if grid.rows else 14), (34 if grid.columns else 14)
    parts = [_opening(grid, left + (width - 1) * pitch + 14, top + (height - 1) * pitch + 14)]
    parts += [_name(grid, left + c * pitch, top - 14, name) for c, name in enumerate(grid.columns) if name]
    parts += [_name(grid, left - 20, top + r * pitch + 4.5, name) for r, name in enumerate(grid.rows) if name]
    lines = {"pale": "", "drawn": "", "last": ""}
    for r, row in enumerate(grid.cells):
        for c, symbol in enumerate(row):
            x, y = left + c * pitch, top + r * pitch
            if symbol in grid.symbols:
                side = colours["first" if symbol == grid.symbols[0] else "second"]
                place = f'x="{x - pitch:g}" y="{y - pitch:g}" width="{cell}" height="{cell}"'
                parts.append(f'<rect {place} fill="{side}" fill-opacity="0.22"/>')
                letter = f'font-family="system-ui, sans-serif" font-size="{cell * 0.42:g}" font-weight="600"'
                where = f'x="{x:g}" y="{y + cell * 0.15:g}" text-anchor="middle"'
                parts.append(f'<text {where} {letter} fill="{side}">{html.escape(symbol)}</text>')
            elif r % 2 != c % 2:
                kind = "pale" if symbol == EMPTY else "last" if grid.last == (r, c) else "drawn"
                standing = r % 2
                lines[kind] += (
                    f"M{x:g} {y - pitch:g}V{y + pitch:g}" if standing else f"M{x - pitch:g} {y:g}H{x + pitch:g}"
                )
    strokes = {"pale": (colours["line"], 1.5), "drawn": (colours["text"], 4), "last": (LAST_MOVE, 5)}
    for kind, (colour, wide) in strokes.items():
        if lines[kind]:
            stroke = f'stroke="{colour}" stroke-width="{wide}" stroke-linecap="round"'
            parts.append(f'<path d="{lines[kind]}" fill="none" {stroke}/>')
    for r in range(0, height, 2):
        for c in range(0, width, 2):
            parts.append(
                f'<circle cx="{left + c * pitch:g}" cy="{top + r * pitch:g}" r="4.5" fill="{colours["text"]}"/>'
            )
    return "".join(parts) + "</svg>"


def _cell_svg(grid: Grid, symbol: str, x: float, y: float, cell: int, dotted: bool) -> str:
    colours = COLOURS[grid.style]
    if symbol == EMPTY:
        if grid.style == "slots":
            return f'<circle cx="{x:g}" cy="{y:g}" r="{cell * 0.4:g}" fill="#ffffff"/>'
        return f'<circle cx="{x:g}" cy="{y:g}" r="{cell * 0.08:g}" fill="#00000073"/>' if dotted else ""
    if grid.style == "chess":
        return _piece_svg(symbol, x - cell / 2, y - cell / 2, cell)
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
    if grid.style == "hex":
        stone = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{cell * 0.38:g}" fill="{colour}"/>'
        if side == "first":
            return stone
        ring = f'fill="none" stroke="#ffffff" stroke-opacity="0.75" stroke-width="{cell * 0.06:g}"'
        return f'{stone}<circle cx="{x:.2f}" cy="{y:.2f}" r="{cell * 0.22:g}" {ring}/>'
    edge = ' stroke="#9ca3af" stroke-width="1"' if grid.style == "discs" and side == "second" else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{cell * 0.4:g}" fill="{colour}"{edge}/>'


@functools.cache
def _pieces() -> dict[str, tuple[str, str]]:
    """The shapes of chess pieces: what is filled, and the lines inside."""
    text = Path(__file__).with_name("static").joinpath("chess_pieces.js").read_text("utf-8")
    return {kind: (shape, lines) for kind, (shape, lines) in json.loads(text[text.index("{") : -2]).items()}


def _piece_svg(symbol: str, x: float, y: float, cell: int) -> str:
    shape, lines = _pieces()[symbol.upper()]
    colours = COLOURS["chess"]
    face, edge, inner = (
        (colours["first"], "#2b2620", "#2b2620") if symbol.isupper() else (colours["second"], "#171411", "#efe4d2")
    )
    stroke = 'stroke-width="3.5" stroke-linejoin="round" stroke-linecap="round"'
    inside = f'<path d="{lines}" fill="none" stroke="{inner}"/>' if lines else ""
    return (
        f'<g transform="translate({x:g} {y:g}) scale({cell / 100:g})" {stroke}>'
        f'<path d="{shape}" fill="{face}" stroke="{edge}"/>{inside}</g>'
    )


def _label(grid: Grid) -> str:
    if grid.style == "chess":
        return f"chess board, {_placed(grid, 0)}; {_placed(grid, 1)}"
    first = sum(row.count(grid.symbols[0]) for row in grid.cells)
    second = sum(row.count(grid.symbols[1]) for row in grid.cells)
    if grid.style == "boxes":
        size = f"{len(grid.cells) // 2} by {len(grid.cells[0]) // 2} boxes"
    else:
        size = f"{len(grid.cells)} by {len(grid.cells[0])}"
    return f"board {size}, {first} {grid.symbols[0]}, {second} {grid.symbols[1]}"


def _placed(grid: Grid, side: int) -> str:
    """The pieces of a side and where they are, kings first."""
    placed = [
        f"{symbol.upper().replace('P', '')}{column_name(c)}{len(grid.cells) - r}"
        for symbol in grid.symbols[side]
        for r, row in enumerate(grid.cells)
        for c, there in enumerate(row)
        if there == symbol
    ]
    return f"{('white', 'black')[side]} {' '.join(placed)}"


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
