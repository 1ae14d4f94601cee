"""What one search works with: one record, which compiled code is given as one pointer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.engines.connect4.table import KEY_BITS, Table
from plyground.errors import BadOption

__all__ = ["RECORD", "Memory", "obstacle_to"]

MOST_COLUMNS, MOST_ROWS = 7, 8
MOST_CELLS = KEY_BITS
UNLIMITED = 1 << 62

RECORD = np.dtype(
    [
        ("nodes", np.int64),
        ("allowed", np.int64),  # nodes after which the search stops
        ("halted", np.int64),  # whether it has stopped: what a function returns then is void
        ("signal", np.uint64),  # the address of the word that stops it from outside
        ("table", np.uint64),  # address, and by how much a hash is shifted to number a bucket
        ("table_shift", np.uint64),
        ("columns", np.int64),
        ("rows", np.int64),
        ("cells", np.int64),
        ("board", np.int64),  # all cells
        ("bottom", np.int64),  # those of the lowest row
        ("column", np.int64),  # the first column with its spare bit
        ("middle", np.int64),  # the column that is its own mirror image, with its spare bit
        ("odd_rows", np.int64),  # the first, third, fifth row from below, as people count
        ("from_third", np.int64),  # the third row and all above it
        ("from_fifth", np.int64),
        ("even_height", np.int64),  # whether columns have an even number of cells
        ("move", np.int64, (MOST_CELLS + 1, MOST_COLUMNS)),  # of each position on the way its moves, best first
        ("wins", np.int64, (MOST_CELLS + 1, MOST_COLUMNS)),  # the cells that would win after each of them
        ("order", np.int64, (MOST_CELLS + 1, MOST_COLUMNS)),  # and what orders them
        ("padding", np.uint8, 128),  # no cache line is shared with another thread
    ],
    align=True,
)


def obstacle_to(columns: int, rows: int) -> str | None:
    """What keeps the engine from a rack of this size, in words; None if nothing does."""
    if 1 <= columns <= MOST_COLUMNS and 1 <= rows <= MOST_ROWS and columns * (rows + 1) <= KEY_BITS:
        return None
    return f"its engine knows racks of up to 7 x 6, 6 x 7 or 5 x 8, not {columns} x {rows} (columns x rows)"


class Memory:
    """The record for a board of this size, and what it points to."""

    def __init__(self, table: Table, signal: NDArray[np.int64], columns: int = 7, rows: int = 6) -> None:
        if obstacle := obstacle_to(columns, rows):
            raise BadOption(obstacle)
        self._kept = table, signal  # compiled code knows addresses only
        self._array = np.zeros(1, RECORD)
        self.record: Any = self._array[0]
        record = self.record
        record["allowed"] = UNLIMITED
        record["signal"] = signal.ctypes.data
        record["table"], record["table_shift"] = table.address, table.shift
        record["columns"], record["rows"], record["cells"] = columns, rows, columns * rows

        def rows_from(first: int, step: int = 1) -> int:
            column = sum(1 << row for row in range(first, rows, step))
            return sum(column << (rows + 1) * number for number in range(columns))

        record["board"], record["bottom"] = rows_from(0), rows_from(0, rows)
        record["odd_rows"], record["from_third"], record["from_fifth"] = rows_from(0, 2), rows_from(2), rows_from(4)
        record["column"] = whole = (1 << rows + 1) - 1
        record["middle"] = whole << (rows + 1) * (columns // 2) if columns % 2 else 0
        record["even_height"] = rows % 2 == 0

    def begin(self, nodes: int | None = None) -> None:
        """A new search: count from nothing."""
        self.record["nodes"], self.record["halted"] = 0, 0
        self.record["allowed"] = UNLIMITED if nodes is None else nodes
