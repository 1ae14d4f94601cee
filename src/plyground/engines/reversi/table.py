"""The engine's transposition table: bounds on positions, shared by all threads without a lock.

An entry is two words: the position's key xor the data, and the data. If two threads write one entry at the same time,
its words do not fit each other and nobody finds it (R. Hyatt and T. Mann, "A lockless transposition table
implementation for parallel search", ICGA Journal 25, 2002). Four entries share a cache line; of these a new one
replaces the least deep, those of earlier searches first.

The data: lower and upper bound in discs, for the side to move; the depth searched, in plies; the confidence it was
searched with; the best move; the number of the search. A result whose depth is the number of empty squares, with the
greatest confidence, is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.native.atomics import load_word, save_word
from plyground.native.bits import mix64
from plyground.native.compiling import compiled

__all__ = [
    "NO_MOVE",
    "Table",
    "confidence_of",
    "depth_of",
    "find",
    "key_of",
    "lower_of",
    "move_of",
    "store",
    "upper_of",
]

NO_MOVE = 64
BUCKET = 64


class Table:
    """Memory for the entries; `size` is in bytes and is rounded down to a power of two."""

    def __init__(self, size: int) -> None:
        buckets = 1 << max(0, (size // BUCKET).bit_length() - 1)
        self._words = np.zeros(8 * (buckets + 1), np.uint64)
        self.address = -(-self._words.ctypes.data // BUCKET) * BUCKET  # a bucket is a cache line
        self.mask = buckets - 1
        self.search = 0

    @property
    def size(self) -> int:
        """How many bytes the entries take."""
        return BUCKET * (self.mask + 1)

    def clear(self) -> None:
        """Forget everything."""
        self._words[:] = 0
        self.search = 0

    def data(self, key: int) -> int:
        """What is known of the position with this key, as `find` answers, but for plain Python; 0 if nothing is."""
        first = (self.address - self._words.ctypes.data) // 8 + (key & self.mask) * (BUCKET // 8)
        for place in range(first, first + BUCKET // 8, 2):
            data = int(self._words[place + 1])
            if data and int(self._words[place]) ^ data == key:
                return data
        return 0

    def next_search(self) -> None:
        """What is stored from now on stays longer than what was stored before."""
        self.search = (self.search + 1) % (1 << 24)


@compiled
def key_of(own: Any, opponent: Any) -> Any:
    """The 64-bit hash of a position."""
    return mix64(own ^ mix64(opponent))


@compiled
def lower_of(data: Any) -> int:
    """At least this many discs."""
    return np.int64(data & np.uint64(255)) - 128  # type: ignore[return-value]


@compiled
def upper_of(data: Any) -> int:
    """At most this many discs."""
    return np.int64(data >> np.uint64(8) & np.uint64(255)) - 128  # type: ignore[return-value]


@compiled
def depth_of(data: Any) -> int:
    """The plies searched."""
    return np.int64(data >> np.uint64(16) & np.uint64(255))  # type: ignore[return-value]


@compiled
def confidence_of(data: Any) -> int:
    """How far the search that stored this could be trusted; see `probcut`."""
    return np.int64(data >> np.uint64(24) & np.uint64(255))  # type: ignore[return-value]


@compiled
def move_of(data: Any) -> int:
    """The best move found, or `NO_MOVE`."""
    return np.int64(data >> np.uint64(32) & np.uint64(255))  # type: ignore[return-value]


@compiled
def find(memory: Any, key: Any) -> Any:
    """What is known of the position with this key; 0 if nothing is."""
    address = memory.table + (key & memory.table_mask) * np.uint64(BUCKET)
    for _ in range(4):
        data = load_word(address + np.uint64(8))
        if load_word(address) ^ data == key and data:
            return data
        address += np.uint64(16)
    return np.uint64(0)


@compiled
def store(memory: Any, key: Any, depth: int, confidence: int, lower: int, upper: int, move: int) -> None:
    """Remember a result. Bounds of the same depth are joined; a better result is not overwritten."""
    address = memory.table + (key & memory.table_mask) * np.uint64(BUCKET)
    place = address
    least = 1 << 60
    for _ in range(4):
        data = load_word(address + np.uint64(8))
        known_depth, known_confidence = depth_of(data), confidence_of(data)
        if load_word(address) ^ data == key and data:
            if known_depth == depth and known_confidence == confidence:
                lower = max(lower, min(lower_of(data), upper))
                upper = min(upper, max(upper_of(data), lower))
            elif known_depth >= depth and known_confidence >= confidence:
                return
            place = address
            break
        worth = known_depth * 8 + known_confidence + (4096 if data >> np.uint64(40) == memory.search else 0)
        if worth < least:
            least, place = worth, address
        address += np.uint64(16)
    data = np.uint64(lower + 128) | np.uint64(upper + 128) << np.uint64(8) | np.uint64(depth) << np.uint64(16)
    data |= np.uint64(confidence) << np.uint64(24) | np.uint64(move) << np.uint64(32) | memory.search << np.uint64(40)
    save_word(place, key ^ data)
    save_word(place + np.uint64(8), data)
