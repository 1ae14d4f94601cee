"""What games on rectangular boards share: symmetries and names of cells. Row 0 is at the top, column 0 at the left."""

from __future__ import annotations

from collections.abc import Callable

from plyground.core.grid import column_name

__all__ = ["board_cells", "cell_name", "symmetric_cell", "symmetry_count"]


def symmetry_count(rows: int, columns: int) -> int:
    """8 for a square board, 4 for a rectangle."""
    return 8 if rows == columns else 4


def symmetric_cell(cell: int, rows: int, columns: int, index: int) -> int:
    """Where a cell (row * columns + column) goes under symmetry `index`.

    Bit 0 mirrors left and right, bit 1 top and bottom, bit 2 swaps rows and columns (squares only), in this order.
    """
    row, column = cell // columns, cell % columns
    if index & 1:
        column = columns - 1 - column
    if index & 2:
        row = rows - 1 - row
    if index & 4:
        row, column = column, row
    return row * columns + column


def cell_name(row: int, column: int) -> str:
    """a1 at the top left, as in Reversi."""
    return f"{column_name(column)}{row + 1}"


def board_cells(rows: int, columns: int, symbol_at: Callable[[int, int], str]) -> tuple[str, ...]:
    """The rows of a `Grid`, from a function of row and column."""
    return tuple("".join(symbol_at(row, column) for column in range(columns)) for row in range(rows))
