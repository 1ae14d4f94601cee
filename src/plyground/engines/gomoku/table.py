"""The transposition table: what searches have found of positions.

An entry is two words, the position's key and the data: the value for the side to move, the depth in plies, whether the
value is exact or a bound, and the best move. A new entry replaces what is in its place, unless that is of the same
position and deeper.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.native.atomics import load_word, save_word
from plyground.native.compiling import compiled

__all__ = ["AT_LEAST", "AT_MOST", "EXACT", "Table", "bound_of", "depth_of", "find", "move_of", "store", "value_of"]

ENTRY = 16
AT_MOST, AT_LEAST, EXACT = 1, 2, 3
OFFSET = 1 << 15


class Table:
    """Memory for the entries; `size` is in bytes and is rounded down to a power of two."""

    def __init__(self, size: int) -> None:
        entries = 1 << max(0, (size // ENTRY).bit_length() - 1)
        self._words = np.zeros(2 * entries, np.uint64)
        self.address = self._words.ctypes.data
        self.mask = entries - 1

    def clear(self) -> None:
        """Forget everything."""
        self._words[:] = 0


@compiled
def find(memory: Any, key: Any) -> Any:
    """What is known of the position with this key; 0 if nothing is."""
    address = memory.table + (key & memory.table_mask) * np.uint64(ENTRY)
    return load_word(address + np.uint64(8)) if load_word(address) == key else np.uint64(0)


@compiled
def store(memory: Any, key: Any, value: int, depth: int, bound: int, move: int) -> None:
    """Remember a result."""
    address = memory.table + (key & memory.table_mask) * np.uint64(ENTRY)
    if load_word(address) == key and depth_of(load_word(address + np.uint64(8))) > depth:
        return
    data = np.uint64(value + OFFSET) | np.uint64(depth) << np.uint64(16) | np.uint64(bound) << np.uint64(24)
    save_word(address, key)
    save_word(address + np.uint64(8), data | np.uint64(move) << np.uint64(32))


@compiled
def value_of(data: Any) -> int:
    """The value, or what bounds it."""
    return np.int64(data & np.uint64(0xFFFF)) - OFFSET  # type: ignore[return-value]


@compiled
def depth_of(data: Any) -> int:
    """The plies searched."""
    return np.int64(data >> np.uint64(16) & np.uint64(255))  # type: ignore[return-value]


@compiled
def bound_of(data: Any) -> int:
    """AT_MOST, AT_LEAST or EXACT."""
    return np.int64(data >> np.uint64(24) & np.uint64(3))  # type: ignore[return-value]


@compiled
def move_of(data: Any) -> int:
    """The best move; 0, which is no cell of the board, if none is known."""
    return np.int64(data >> np.uint64(32))  # type: ignore[return-value]
