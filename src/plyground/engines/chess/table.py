"""The engine's transposition table: what earlier searches say of a position, shared by all threads without a lock.

An entry is two words: the position's key xor the data, and the data. If two threads write one entry at the same time,
its words do not fit each other and nobody finds it (R. Hyatt and T. Mann, "A lockless transposition table
implementation for parallel search", ICGA Journal 25, 2002). Four entries share a cache line; of these a new one
replaces the least deep, those of earlier searches first.

The data, from the lowest bit: value (16 bits), static evaluation (16), move (13), depth (8), bound (2), number of the
search (6). Values are centipawns for the side to move; those of mates count from the position itself, not from the
root. A move that is found here is played only where the list of legal moves has it: two positions may share a key.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.native.atomics import load_word, save_word
from plyground.native.compiling import compiled

__all__ = [
    "AT_LEAST", "AT_MOST", "EXACT", "NO_MOVE", "Table", "bound_of", "depth_of", "evaluation_of", "find", "move_of",
    "place_of", "store", "value_of",
]  # fmt: skip

NO_MOVE = 0
"""From a1 to a1 nobody can move."""
AT_MOST, AT_LEAST, EXACT = 1, 2, 3
"""A bound, as a bit each; what is exact is both."""
BUCKET = 64
OFFSET = 1 << 15
SEARCHES = 64


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

    def next_search(self) -> None:
        """What is stored from now on stays longer than what was stored before."""
        self.search = (self.search + 1) % SEARCHES


@compiled
def value_of(data: Any) -> int:
    """The value, or what bounds it."""
    return np.int64(data & np.uint64(0xFFFF)) - OFFSET  # type: ignore[return-value]


@compiled
def evaluation_of(data: Any) -> int:
    """The static evaluation of the position."""
    return np.int64(data >> np.uint64(16) & np.uint64(0xFFFF)) - OFFSET  # type: ignore[return-value]


@compiled
def move_of(data: Any) -> int:
    """The best move found, or `NO_MOVE`."""
    return np.int64(data >> np.uint64(32) & np.uint64(0x1FFF))  # type: ignore[return-value]


@compiled
def depth_of(data: Any) -> int:
    """The plies searched."""
    return np.int64(data >> np.uint64(45) & np.uint64(255))  # type: ignore[return-value]


@compiled
def bound_of(data: Any) -> int:
    """AT_MOST, AT_LEAST or EXACT; 0 if only the evaluation is known."""
    return np.int64(data >> np.uint64(53) & np.uint64(3))  # type: ignore[return-value]


@compiled
def place_of(memory: Any, key: Any) -> Any:
    """The address of the entries where a position would be."""
    return memory.table + (key & memory.table_mask) * np.uint64(BUCKET)


@compiled
def find(memory: Any, key: Any) -> Any:
    """What is known of the position with this key; 0 if nothing is."""
    address = place_of(memory, key)
    for _ in range(4):
        data = load_word(address + np.uint64(8))
        if load_word(address) ^ data == key and data:
            return data
        address += np.uint64(16)
    return np.uint64(0)


@compiled
def store(memory: Any, key: Any, depth: int, bound: int, value: int, evaluation: int, move: int) -> None:
    """Remember a result. Of the same position a bound does not replace what was searched much deeper."""
    address = place_of(memory, key)
    place = address
    least = 1 << 60
    for _ in range(4):
        data = load_word(address + np.uint64(8))
        ours = data >> np.uint64(55) == memory.search
        if load_word(address) ^ data == key and data:
            if move == NO_MOVE:
                move = move_of(data)
            if bound != EXACT and ours and depth_of(data) > depth + 3:
                return
            place = address
            break
        worth = depth_of(data) + (256 if ours else 0)
        if worth < least:
            least, place = worth, address
        address += np.uint64(16)
    data = (
        np.uint64(value + OFFSET) | np.uint64(evaluation + OFFSET) << np.uint64(16) | np.uint64(move) << np.uint64(32)
    )
    data |= np.uint64(depth) << np.uint64(45) | np.uint64(bound) << np.uint64(53) | memory.search << np.uint64(55)
    save_word(place, key ^ data)
    save_word(place + np.uint64(8), data)
