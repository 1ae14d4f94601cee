"""What a search works with: one record, which compiled code is given as one pointer. Nothing is allocated meanwhile.

A cell of the board has the number `FIRST + row * STRIDE + column`: around the board there is room for a line that ends
beyond its edge, so that nobody need ask where the board ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.engines.gomoku.shapes import KEYS, KINDS, SHAPES, fill_kinds, fill_shapes
from plyground.engines.gomoku.table import Table
from plyground.games.mnk import LARGEST

__all__ = ["CELLS", "DEEPEST", "FIRST", "MARGIN", "MOST_MOVES", "RECORD", "STRIDE", "Memory"]

MARGIN = 4
STRIDE = 32
FIRST = MARGIN * STRIDE + MARGIN
CELLS = (LARGEST + 2 * MARGIN) * STRIDE
DEEPEST = 192
"""The plies that lists of moves are kept for."""
MOST_MOVES = LARGEST * LARGEST
PROOFS = 1 << 16
"""Entries of the table of proofs; a power of two."""

WEIGHTS = np.array([0, 1, 2, 3, 9, 12, 45, 50, 230, 500], np.int64)
"""What each shape is worth: to the evaluation on every empty cell where a stone would make it, and to the order of
moves. How they were found is told in docs/engine/gomoku.md."""
TEMPO = 400
"""What it is worth to be on the move."""
assert len(WEIGHTS) == SHAPES

RECORD = np.dtype(
    [
        ("table", np.uint64),  # address, and number of entries less one
        ("table_mask", np.uint64),
        ("hash", np.uint64),
        ("rows", np.int64),
        ("columns", np.int64),
        ("side", np.int64),  # to move: 0 is black
        ("stones", np.int64),
        ("horizon", np.int64),  # the ply beyond which threats are not followed up
        ("fours_at_leaves", np.int64),  # how many positions a leaf may spend on a win by fours
        ("fours_left", np.int64),  # what the running search for a win by fours may still spend
        ("threats_left", np.int64),  # what the running proof may still spend
        ("found", np.int64),  # the first move of a win by fours
        ("tempo", np.int64),  # what it is worth to be on the move
        ("value", np.int64, 2),  # of each side's shapes on all empty cells
        ("count", np.int64, (2, KINDS)),  # how many empty cells are of each kind
        ("cell", np.uint8, CELLS),  # empty, black, white, or the edge
        ("near", np.uint8, CELLS),  # how many stones are at most two cells away
        ("key", np.uint16, (CELLS, 4)),  # the content of the line in each direction
        ("shapes", np.uint16, (2, CELLS)),  # the four shapes of each cell, four bits each
        ("kind", np.uint8, (2, CELLS)),
        ("worth", np.int32, (2, CELLS)),
        ("history", np.int32, (2, CELLS)),
        ("zobrist", np.uint64, (2, CELLS)),
        ("move", np.int16, (DEEPEST, MOST_MOVES)),  # the moves of each position on the way, and what orders them
        ("order", np.int32, (DEEPEST, MOST_MOVES)),
        ("failed", np.uint64, 1 << 14),  # positions without a win by fours
        ("proof_key", np.uint64, PROOFS),
        ("proof", np.uint32, (PROOFS, 2)),  # proof and disproof numbers
        ("weight", np.int64, SHAPES),
        ("shape_of", np.uint8, (2, KEYS)),
        ("kind_of", np.uint8, KEYS),
    ],
    align=True,
)


class Memory:
    """The record of one search. Its board is set up by `plyground.engines.gomoku.board.set_up`."""

    def __init__(self, table: Table, in_line: int) -> None:
        self._kept = table  # compiled code knows addresses only
        self._array = np.zeros(1, RECORD)
        self.record: Any = self._array[0]
        self.record["table"], self.record["table_mask"] = table.address, table.mask
        self.record["zobrist"] = np.random.default_rng(20261118).integers(0, 1 << 63, (2, CELLS), np.int64) * 2 + 1
        self.record["weight"], self.record["tempo"] = WEIGHTS, TEMPO
        fill_shapes(self.record["shape_of"], in_line)
        fill_kinds(self.record["kind_of"])

    def forget(self) -> None:
        """Nothing is proven, nor known to have failed."""
        self.record["failed"] = 0
        self.record["proof_key"] = 0
