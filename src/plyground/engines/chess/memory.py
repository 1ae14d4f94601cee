"""What one thread of the engine works with: one record, which compiled code is given as one pointer.

Nothing is allocated while a search runs. Rows are numbered by plies from the root: every position of a line has its
own. The board itself is handed down the search as a value.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.engines.chess.ending_tables import bundled_tables
from plyground.engines.chess.judging import EVALUATION_FIELDS, fill_evaluation
from plyground.engines.chess.network import Network, bundled_network
from plyground.engines.chess.table import Table
from plyground.engines.chess.techniques import ALL, Techniques
from plyground.games.chess.board import PAST

__all__ = ["DEEPEST", "KINDS_ON_SQUARES", "MOST_MOVES", "RECORD", "ROOM_FOR_PAST", "TRIED", "Memory"]

DEEPEST = 128
"""The plies from the root that a line can have."""
MOST_MOVES = 256
"""More than the 218 moves of any position."""
ROOM_FOR_PAST = PAST + 1
"""Keys of positions before the root that can come back."""
KINDS_ON_SQUARES = 12 * 64
"""A piece of either side that has arrived on a square: what continuation history is about."""
UNLIMITED = 1 << 62
TRIED = 64

RECORD = np.dtype(
    [
        ("nodes", np.uint64),
        ("allowed", np.uint64),  # nodes after which this thread stops
        ("halted", np.int64),  # whether it has stopped: what a function returns then is void
        ("signal", np.uint64),  # the address of the word that stops all threads
        ("table", np.uint64),  # address, number of buckets less one, number of this search
        ("table_mask", np.uint64),
        ("search", np.uint64),
        ("endings", np.uint64),  # the address of the tables of endings
        ("root_depth", np.int64),
        ("deepest", np.int64),  # the greatest ply that was reached
        ("no_null_before", np.int64),  # the ply from which null moves are allowed again
        ("noise", np.int64),  # what a weak level adds to every evaluation at most, in centipawns
        ("noise_key", np.uint64),
        ("past", np.int64),  # how many positions before the root are among the keys
        ("key", np.uint64, ROOM_FOR_PAST + DEEPEST + 2),  # of the positions before the root, then of each ply
        ("evaluation", np.int64, DEEPEST + 2),
        ("arrived", np.int64, DEEPEST + 8),  # piece and square of the move to each ply, after four that are empty
        ("excluded", np.int64, DEEPEST + 2),  # the move that is left out to see whether it is the only good one
        ("killer", np.int64, (DEEPEST + 2, 2)),
        ("cuts", np.int64, DEEPEST + 4),  # beta cuts among the children of a ply
        ("move", np.int64, (DEEPEST + 2, MOST_MOVES)),  # the moves of each position, and what orders them
        ("order", np.int64, (DEEPEST + 2, MOST_MOVES)),
        ("tried", np.int64, (DEEPEST + 2, TRIED)),  # quiet moves and captures that did not cut
        ("tried_captures", np.int64, (DEEPEST + 2, TRIED)),
        ("line", np.int64, (DEEPEST + 2, DEEPEST + 2)),  # the principal variation from each ply on
        ("line_length", np.int64, DEEPEST + 2),
        ("skipped", np.int64),  # how many moves of the root are left out, and which
        ("skip", np.int64, MOST_MOVES),
        ("only", np.int64),  # the one move of the root that is looked at, if not all are
        ("history", np.int16, (2, 4096)),  # of quiet moves, by side and squares
        ("capture_history", np.int16, (6, 64, 6)),  # by piece, square and victim
        ("continuation", np.int16, (KINDS_ON_SQUARES, KINDS_ON_SQUARES)),  # by a move before, and this one
        ("correction", np.int32, (2, 1 << 14)),  # how wrong the evaluation was, by side and pawns
        ("reduction", np.int64, (64, 64)),  # by depth and number of the move
        *((f"with_{name}", np.uint8) for name in Techniques._fields),
        *EVALUATION_FIELDS,
        ("piece_key", np.uint64, (2, 6, 64)),
        ("castling_key", np.uint64, 64),
        ("passant_key", np.uint64, 64),
        ("turn_key", np.uint64),
        ("padding", np.uint8, 128),  # no cache line is shared with another thread
    ],
    align=True,
)


class Memory:
    """The record of one thread, and what it points to."""

    def __init__(self, table: Table, signal: NDArray[np.int64], network: Network | None = None) -> None:
        endings = bundled_tables()
        network = bundled_network() if network is None else network
        self._kept = table, signal, network, endings  # compiled code knows addresses only
        self._array = np.zeros(1, RECORD)
        self.record: Any = self._array[0]
        record = self.record
        record["allowed"] = UNLIMITED
        record["signal"] = signal.ctypes.data
        record["table"], record["table_mask"] = table.address, table.mask
        record["endings"] = endings.address
        for depth in range(1, 64):
            for number in range(1, 64):
                record["reduction"][depth, number] = int(0.8 + math.log(depth) * math.log(number) / 2.0)
        rng = np.random.default_rng(20261118)
        for name in ("piece_key", "castling_key", "passant_key"):
            record[name] = rng.integers(0, 1 << 64, record[name].shape, np.uint64)
        record["turn_key"] = rng.integers(0, 1 << 64, 1, np.uint64)[0]
        fill_evaluation(record, network)
        self.use(ALL)

    def use(self, techniques: Techniques) -> None:
        """Switch techniques on and off."""
        for name, on in zip(Techniques._fields, techniques, strict=True):
            self.record[f"with_{name}"] = on

    def begin(self, search: int, nodes: int | None) -> None:
        """A new search: count from nothing, and trust what was learnt of moves in the last one half as much."""
        record = self.record
        record["nodes"], record["halted"], record["search"] = 0, 0, search
        record["allowed"] = UNLIMITED if nodes is None else nodes
        record["killer"], record["excluded"], record["skipped"] = 0, 0, 0
        record["only"] = 0
        record["no_null_before"], record["deepest"] = 0, 0
        record["noise"] = 0
        record["arrived"] = -1

    def forget(self) -> None:
        """Forget what earlier searches have learnt of moves."""
        for name in ("history", "capture_history", "continuation", "correction"):
            self.record[name] = 0
