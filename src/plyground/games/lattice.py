"""What games on boards of cells share: symmetries, names, sets of cells. Row 0 is at the top, column 0 at the left.

A set of cells is as many 64-bit words as the board needs, cell n in bit n % 64 of word n // 64.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from plyground.core.grid import column_name
from plyground.core.rules import with_item

__all__ = [
    "board_cells", "cell_name", "cells_of_word", "has", "no_cells", "symmetric_cell", "symmetry_count",
    "with_cell",
]  # fmt: skip


def no_cells(cells: int) -> tuple[np.uint64, ...]:
    """The empty set of a board with so many cells."""
    return (np.uint64(0),) * ((cells + 63) // 64)


def cells_of_word(word: int, cells: int) -> np.uint64:
    """Which bits of a word stand for cells of a board with so many cells."""
    if cells - 64 * word >= 64:
        return ~np.uint64(0)
    return (np.uint64(1) << np.uint64(cells - 64 * word)) - np.uint64(1)


def has(cells: tuple[np.uint64, ...], cell: int) -> bool:
    """Whether a cell is in the set."""
    return bool(cells[cell >> 6] >> np.uint64(cell & 63) & np.uint64(1))


def with_cell(cells: tuple[np.uint64, ...], cell: int) -> tuple[np.uint64, ...]:
    """The set with one cell more."""
    return with_item(cells, cell >> 6, cells[cell >> 6] | np.uint64(1) << np.uint64(cell & 63))


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
