"""What one thread of the engine works with: one record, which compiled code is given as one pointer.

Nothing is allocated while a search runs. Rows are numbered by empty squares: every position of a line has its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.engines.reversi.patterns import FEATURES
from plyground.engines.reversi.stability import new_edge_table
from plyground.engines.reversi.table import Table
from plyground.engines.reversi.weights import Weights

__all__ = ["MOST_MOVES", "RECORD", "Memory", "edge_table"]

MOST_MOVES = 60
UNLIMITED = 1 << 62

RECORD = np.dtype(
    [
        ("nodes", np.uint64),
        ("allowed", np.uint64),  # nodes after which this thread stops
        ("halted", np.int64),  # whether it has stopped: what a function returns then is void
        ("signal", np.uint64),  # the address of the word that stops all threads
        ("table", np.uint64),  # address, number of buckets less one, number of this search
        ("table_mask", np.uint64),
        ("search", np.uint64),
        ("weights", np.uint64),  # addresses of the evaluation's weights, stage by stage; and of its network
        ("numbers", np.uint64),
        ("heads", np.uint64),
        ("busy", np.uint64),  # address of the moves that some thread is searching; 0 where there is only one
        ("confidence", np.int64),
        ("deviations", np.float64),  # the standard deviations that go with it
        ("features_at", np.uint64),  # address of the next field
        ("features", np.int16, (64, FEATURES)),
        ("square", np.int64, (64, MOST_MOVES)),  # the moves of each position on the way, and what orders them
        ("flipped", np.uint64, (64, MOST_MOVES)),
        ("order", np.int64, (64, MOST_MOVES)),
        ("edges", np.uint8, 65536),
        ("padding", np.uint8, 128),  # no cache line is shared with another thread
    ],
    align=True,
)


class Memory:
    """The record of one thread, and what it points to. Without weights it is for solving alone: nothing is judged."""

    def __init__(self, table: Table, weights: Weights | None, signal: NDArray[np.int64], busy: Any = None) -> None:
        self._kept = table, weights, signal, busy  # compiled code knows addresses only
        self._array = np.zeros(1, RECORD)
        self.record: Any = self._array[0]
        record = self.record
        record["allowed"] = UNLIMITED
        record["signal"] = signal.ctypes.data
        record["table"], record["table_mask"] = table.address, table.mask
        if weights is not None:
            record["weights"] = weights.patterns.ctypes.data
            record["numbers"] = weights.network.numbers.ctypes.data
            record["heads"] = weights.network.heads.ctypes.data
        record["busy"] = 0 if busy is None else busy.ctypes.data
        fields = RECORD.fields
        assert fields is not None
        record["features_at"] = self._array.ctypes.data + fields["features"][1]
        record["edges"] = edge_table()

    def begin(self, search: int, nodes: int | None) -> None:
        """A new search: count from nothing."""
        self.record["nodes"], self.record["halted"], self.record["search"] = 0, 0, search
        self.record["allowed"] = UNLIMITED if nodes is None else nodes


_edges: list[Any] = []


def edge_table() -> Any:
    """What `new_edge_table` has found, made once."""
    if not _edges:
        _edges.append(new_edge_table())
    return _edges[0]
