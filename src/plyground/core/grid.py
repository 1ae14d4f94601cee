"""The grid as a value: a board of cells, of which plain text, coloured text and SVG are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

__all__ = ["EMPTY", "Grid", "column_name", "grid_parts", "grid_text", "with_last"]

EMPTY = "."


@dataclass(frozen=True)
class Grid:
    """A rectangular board, top row first.

    `cells` holds one character a cell: "." is empty, `symbols` are the two players' own, anything else is drawn as
    it is. `style` is "marks" (X and O), "discs" (on a felt board), "slots" (a rack that discs drop into), "hex"
    (hexagons, each row half a cell further to the right; the first player's edges are top and bottom), "boxes" (a
    lattice of dots where row and column are even, boxes where both are odd, and lines between the dots) or "chess"
    (squares in two colours; a player has several symbols, one for each kind of piece). `dots` are the cells (row,
    column) where the player to move may go, `last` is the last one played. In chess a piece has come there from `left`,
    and `check` is where a king is that is in check.
    """

    cells: tuple[str, ...]
    symbols: tuple[str, str] = ("X", "O")
    style: str = "marks"
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    dots: tuple[tuple[int, int], ...] = ()
    last: tuple[int, int] | None = None
    left: tuple[int, int] | None = None
    check: tuple[int, int] | None = None


def with_last(before: Grid, after: Grid) -> Grid:
    """The later board with the cell marked that was empty before and is not any more; in chess, from where to where."""
    if after.style == "chess":
        left, last = _moved(before, after)
        return replace(after, last=last, left=left)
    for r, (old, new) in enumerate(zip(before.cells, after.cells, strict=True)):
        for c, (was, now) in enumerate(zip(old, new, strict=True)):
            if was == EMPTY != now:
                return replace(after, last=(r, c))
    return after


def _moved(before: Grid, after: Grid) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """From where to where a piece has moved; of two that have castled, the king."""
    places = [(r, c) for r, row in enumerate(after.cells) for c in range(len(row)) if row[c] != before.cells[r][c]]
    filled = [(r, c) for r, c in places if after.cells[r][c] != EMPTY]
    last = max(filled, key=lambda place: after.cells[place[0]][place[1]] in "Kk", default=None)
    if last is None:
        return None, None
    piece = after.cells[last[0]][last[1]]
    # A pawn that was promoted was another piece before; what was taken in passing was the other side's.
    kinds = (piece, "Pp"[piece.islower()])
    own = [(r, c) for r, c in places if before.cells[r][c] in kinds and (r, c) != last]
    return max(own, key=lambda place: before.cells[place[0]][place[1]] == piece, default=None), last


def column_name(index: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    return chr(97 + index) if index < 26 else column_name(index // 26 - 1) + chr(97 + index % 26)


def grid_text(grid: Grid) -> str:
    """The board as plain text: column names on top, row names at the left, the last move in brackets."""
    return "".join(text for text, _ in grid_parts(grid))


def grid_parts(grid: Grid) -> Iterator[tuple[str, str]]:
    """The board as pieces of text, each with what it is.

    That is the name of a column or of a row, a mark, the dot of a legal move, or a cell's symbol.
    """
    if grid.style == "boxes":
        yield from _box_parts(grid)
        return
    margin = max((len(name) for name in grid.rows), default=0)
    if grid.columns:
        yield " " * margin + "".join(f"{name:>2}" for name in grid.columns) + "\n", "column"
    dots = set(grid.dots)
    for r, row in enumerate(grid.cells):
        shift = " " * r if grid.style == "hex" else ""
        yield f"{shift}{grid.rows[r] if grid.rows else '':>{margin}}", "row"
        for c, cell in enumerate(row):
            marked, after_marked = grid.last == (r, c), grid.last == (r, c - 1)
            yield ("[", "mark") if marked else ("]", "mark") if after_marked else (" ", "")
            yield ("·", "dot") if cell == EMPTY and (r, c) in dots else (cell, cell)
        yield ("]" if grid.last == (r, len(row) - 1) else ""), "mark"
        yield ("\n" if r + 1 < len(grid.cells) else ""), ""


def _box_parts(grid: Grid) -> Iterator[tuple[str, str]]:
    """Dots, lines and boxes; the last line is drawn with #."""
    margin = max((len(name) for name in grid.rows), default=0)
    if grid.columns:
        names = "".join(f"{name:<{1 if c % 2 == 0 else 3}}" for c, name in enumerate(grid.columns))
        yield f"{'':{margin}} {names.rstrip()}\n", "column"
    for r, row in enumerate(grid.cells):
        name = f"{grid.rows[r] if grid.rows else '':>{margin}} "
        drawn = row.rstrip(EMPTY + " ")
        yield name if drawn else "", "row"
        for c, cell in enumerate(drawn):
            last = grid.last == (r, c)
            shown = "#" if last else " " if cell == EMPTY else cell
            wide = shown if c % 2 == 0 else f" {shown} " if r % 2 else shown * 3
            yield wide, "mark" if last else cell
        yield ("\n" if r + 1 < len(grid.cells) else ""), ""
