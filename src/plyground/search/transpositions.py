"""The transposition table: what is known of positions that have been searched, in a fixed amount of memory.

Positions are found by their 64-bit hash. A bucket holds two entries; a new one replaces, in this order, an older result
of the same position, an entry of an earlier search, the one that was searched less deep. An entry serves a search to
the same depth only, or, if no evaluation at a depth limit went into it, a search that is at least as deep as the last
end of a game that it has seen: so the table never changes a value, unless the search may take `deeper` results, or is
one whose values depend on its way (near window, beam, singular extensions).
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.rules import state_hash
from plyground.native.compiling import compiled, inlined

__all__ = ["ENTRY", "EXACT", "LOWER", "UPPER", "find_entry", "new_table", "position_key", "store_entry"]

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("value", np.float64),  # to the player that the search is for
        ("action", np.int32),  # the best one, or the one that made the cut
        ("depth", np.int16),  # plies searched below the position; if no depth limit was met, to the last end of a game
        ("bound", np.int8),  # EXACT, LOWER or UPPER; 0 where the entry is empty
        ("age", np.int8),  # the number of the search, from 1, modulo 64; negative if no depth limit was met
    ]
)
EXACT, LOWER, UPPER = 1, 2, 3
AGES = 64


def new_table(size: int) -> NDArray[Any]:
    """An empty table of at most `size` bytes, and at least two entries; `MemoryError` if there is no room for it."""
    if size > available_memory():
        raise MemoryError
    table = np.empty(2 * max(1, size // (2 * ENTRY.itemsize)), ENTRY)
    table.view(np.uint8)[:] = 0  # written, so that the system hands the memory out now, and not while a clock runs
    return table


def available_memory() -> float:
    """The bytes that can be had without swapping, where the system says.

    Linux gives out more than there is, and ends the process that makes use of it.
    """
    try:
        told = re.search(r"MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text())
    except OSError:
        return math.inf
    return 1024 * int(told[1]) if told else math.inf


@inlined
def position_key(state: Any, salt: Any) -> Any:
    """The key of a position; with another `salt`, which every search has of its own or shares with others, another."""
    return np.uint64(state_hash(state)) ^ np.uint64(salt)


@inlined
def find_entry(table: Any, key: Any) -> int:
    """The place of a position in the table, or -1."""
    place = bucket(table, key)
    if table[place]["bound"] != 0 and table[place]["key"] == key:
        return place
    if table[place + 1]["bound"] != 0 and table[place + 1]["key"] == key:
        return place + 1
    return -1


@inlined
def bucket(table: Any, key: Any) -> int:
    """The first of the two places where a position may be."""
    return 2 * np.int64(key % np.uint64(len(table) // 2))  # type: ignore[return-value]


@inlined
def fitting(entry: Any, depth: int, variant: Any) -> bool:
    """Whether an entry can answer a search to this depth."""
    if entry["depth"] < depth:
        return entry["age"] < 0  # type: ignore[no-any-return]
    return entry["depth"] == depth or variant.deeper  # type: ignore[no-any-return]


@compiled
def store_entry(
    table: Any, key: Any, value: float, action: int, depth: int, bound: int, age: int, complete: bool
) -> None:
    """Keep a result; `age` is the number of the search, `complete` that no depth limit was met below the position."""
    place = find_entry(table, key)
    if place < 0:
        place = bucket(table, key)
        first, second = table[place], table[place + 1]
        first_rank = worth(first, age)
        if first_rank > worth(second, age):
            place += 1
    entry = table[place]
    entry["key"] = key
    entry["value"] = value
    entry["action"] = action
    entry["depth"] = depth
    entry["bound"] = bound
    entry["age"] = -age if complete else age


@inlined
def worth(entry: Any, age: int) -> int:
    """How much an entry deserves to be kept."""
    if entry["bound"] == 0:
        return -1
    return int(entry["depth"]) + (1 << 20 if abs(int(entry["age"])) == age else 0)
