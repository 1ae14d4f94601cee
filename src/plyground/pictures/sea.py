"""Boards of Battleship as SVG: ships, shots, and how likely a ship lies in each cell."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.core.grid import column_name
from plyground.pictures.lettering import escaped

__all__ = ["sea_svg"]

CELL, MARGIN, TITLE, GAP = 34, 26, 26, 22
WATER, LINE, SHIP, HIT, SUNK, INK, PAPER = "#dbeafe", "#93b4dc", "#64748b", "#dc2626", "#7f1d1d", "#1f2937", "#ffffff"
WARM = (234, 88, 12)
FONT = 'font-family="system-ui, sans-serif"'


def sea_svg(
    boards: Sequence[tuple[str, Sequence[str]]],
    *,
    rows: int,
    columns: int,
    chances: Sequence[float] | None = None,
    target: int = -1,
) -> str:
    """Boards side by side, each a title and a character a cell: ``.`` water, a letter a ship, ``o``, ``x``, ``#``.

    `chances` colour the water of the first board by how likely a hit is, the warmer the likelier; `target` is a cell
    of it that is ringed.
    """
    wide, high = MARGIN + columns * CELL, TITLE + MARGIN + rows * CELL
    width, height = len(boards) * (wide + GAP) - GAP + 16, high + 12
    label = "; ".join(f"{name}: {_spoken(cells)}" for name, cells in boards)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escaped(label)}">',
        f'<rect class="sea-paper" width="{width}" height="{height}" rx="6" fill="{PAPER}"/>',
    ]
    for number, (name, cells) in enumerate(boards):
        left, top = 4 + number * (wide + GAP) + MARGIN, TITLE + MARGIN
        bold = f'class="sea-label" {FONT} font-size="15" font-weight="600" fill="{INK}"'
        parts.append(f'<text x="{left}" y="20" {bold}>{escaped(name)}</text>')
        style = f'class="sea-label" {FONT} font-size="12" fill="{INK}" text-anchor="middle"'
        for c in range(columns):
            parts.append(f'<text x="{left + c * CELL + CELL / 2:g}" y="{top - 7}" {style}>{column_name(c)}</text>')
        for r in range(rows):
            parts.append(f'<text x="{left - 12}" y="{top + r * CELL + CELL / 2 + 4:g}" {style}>{r + 1}</text>')
        heat = chances if number == 0 else None
        open_cells = [heat[cell] for cell, mark in enumerate(cells) if mark == "."] if heat is not None else []
        most = max(open_cells, default=0.0)
        for cell, mark in enumerate(cells):
            x, y = left + cell % columns * CELL, top + cell // columns * CELL
            chance = heat[cell] if heat is not None else None
            parts.append(_cell(x, y, mark, chance, most))
        if number == 0 and target >= 0:
            x, y = left + target % columns * CELL, top + target // columns * CELL
            parts.append(
                f'<rect x="{x + 1.5}" y="{y + 1.5}" width="{CELL - 3}" height="{CELL - 3}" fill="none" stroke="{INK}" '
                f'stroke-width="3"/>'
            )
    return "".join(parts) + "</svg>"


def _cell(x: float, y: float, mark: str, chance: float | None, most: float) -> str:
    fill = WATER
    if mark.isupper():
        fill = SHIP
    elif chance is not None and mark == "." and most > 0:
        part = chance / most
        fill = "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip((219, 234, 254), WARM, strict=True))
    box = f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{LINE}"/>'
    cx, cy = x + CELL / 2, y + CELL / 2
    if mark == "o":
        return f'{box}<circle cx="{cx:g}" cy="{cy:g}" r="4" fill="{INK}" fill-opacity="0.55"/>'
    if mark in "x#":
        colour = HIT if mark == "x" else SUNK
        back = f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" fill="{colour}"/>'
        d = CELL * 0.22
        cross = f"M{cx - d:g} {cy - d:g}L{cx + d:g} {cy + d:g}M{cx + d:g} {cy - d:g}L{cx - d:g} {cy + d:g}"
        return f'{box}{back}<path d="{cross}" stroke="{PAPER}" stroke-width="3" stroke-linecap="round"/>'
    if mark.isupper():
        return box + _written(mark, cx, cy, 13, PAPER)
    if chance is not None:
        number = "0" if chance <= 0 else f"{100 * chance:.0f}" if chance >= 0.005 else "<1"
        return box + _written(number, cx, cy, 11, INK)
    return box


def _written(text: str, x: float, y: float, size: int, colour: str) -> str:
    style = f'{FONT} font-size="{size}" fill="{colour}" text-anchor="middle"'
    return f'<text x="{x:g}" y="{y + 4.5:g}" {style}>{escaped(text)}</text>'


def _spoken(cells: Sequence[str]) -> str:
    names = {"misses": "o", "hits": "x", "cells sunk": "#"}
    return ", ".join(f"{list(cells).count(mark)} {name}" for name, mark in names.items())
