"""The transposition table: proven bounds on the scores of positions.

An entry is one word: the position's whole key (49 bits), and the lower and the upper bound of its score (6 bits each).
No part of a key is left out, so nobody takes one position for another; and what is proven stays true, so the entries of
one search serve the next.
"""

from __future__ import annotations

from mmap import mmap
from typing import Any

import numpy as np

from plyground.native.atomics import load_word, save_word
from plyground.native.compiling import compiled

__all__ = ["KEY_BITS", "Table", "find", "lower_of", "store", "upper_of"]

KEY_BITS = 49
BUCKET = 32
"""Bytes of the entries among which a position is looked for: half a cache line."""
BOUND = 6
"""Bits of a bound."""
ZERO = 32
"""What stands for the score 0."""
GOLDEN = 0x9E3779B97F4A7C15


class Table:
    """Memory for the entries; `size` is in bytes and is rounded down to a power of two.

    Entries are read and written whole, so threads can use one table; if it is `shared`, forked processes too.
    """

    def __init__(self, size: int, *, shared: bool = False) -> None:
        bits = max(1, (size // BUCKET).bit_length() - 1)
        count = (BUCKET << bits) // 8 + 8
        self._words = np.frombuffer(mmap(-1, 8 * count), np.uint64) if shared else np.zeros(count, np.uint64)
        self.address = -(-self._words.ctypes.data // 64) * 64  # a bucket lies in one cache line
        self.shift = 64 - bits

    def clear(self) -> None:
        """Forget everything."""
        self._words[:] = 0


@compiled
def lower_of(word: int) -> int:
    """The score is at least this."""
    return (word >> BOUND & (1 << BOUND) - 1) - ZERO


@compiled
def upper_of(word: int) -> int:
    """The score is at most this."""
    return (word & (1 << BOUND) - 1) - ZERO


@compiled
def bucket_of(key: int, memory: Any) -> Any:
    """The address of the entries among which a key is."""
    number = np.uint64(key) * np.uint64(GOLDEN) >> memory.table_shift
    return memory.table + number * np.uint64(BUCKET)


@compiled
def find(key: int, memory: Any) -> int:
    """What is known of a position; 0 if nothing is."""
    address = bucket_of(key, memory)
    for _ in range(BUCKET // 8):
        word = load_word(address)
        if word >> np.uint64(2 * BOUND) == np.uint64(key):
            return np.int64(word)  # type: ignore[return-value]
        address += np.uint64(8)
    return np.int64(0)  # type: ignore[return-value]


@compiled
def store(key: int, lower: int, upper: int, memory: Any) -> None:
    """Remember bounds on a position, in the place of what is known of it, of nothing, or of any other one."""
    address = bucket_of(key, memory)
    place = address + np.uint64(8 * (memory.nodes & 3))
    for _ in range(BUCKET // 8):
        word = load_word(address)
        if word == np.uint64(0) or word >> np.uint64(2 * BOUND) == np.uint64(key):
            place = address
            break
        address += np.uint64(8)
    bounds = lower + ZERO << BOUND | upper + ZERO
    save_word(place, np.uint64(key) << np.uint64(2 * BOUND) | np.uint64(bounds))
