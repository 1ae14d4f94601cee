"""The best line of play, kept while a search goes on: below each ply of its path, what would be played from there.

A memory is made before the search and lent to it, so that no node allocates anything.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.native.arrays import borrowed
from plyground.native.compiling import inlined

__all__ = [
    "BELOW_CHANCE", "CUTS", "HORIZON", "LONGEST_LINE", "ROOT", "SEARCHED", "LineMemory", "begin_look", "depth_seen",
    "extend_line", "lent", "line_of", "new_line_memory", "reached_end",
]  # fmt: skip

LONGEST_LINE = 256
"""Lines are kept up to this length below the root's action."""

# Of NumPy's types, so that a recursion has one signature whichever of them it is called with.
ROOT: Any = np.int64(0)
BELOW_CHANCE: Any = np.int64(LONGEST_LINE)
"""The `ply` of the root, and of all nodes below a chance node: no line leads through the dice."""

CUTS, HORIZON, LEFT, SEARCHED = range(4)
"""The counters. HORIZON counts values that stem from the depth limit: a search without any has seen the whole game.
LEFT is how much of the depth was left at the deepest end of a game that was seen. SEARCHED counts the root's actions
that this look has finished, for whoever looks on."""


class LineMemory(NamedTuple):
    """What a search leaves behind: the best line below each ply of the current path, its length, and the counters."""

    line: NDArray[np.int64]
    lengths: NDArray[np.int64]
    counters: NDArray[np.int64]


def new_line_memory() -> LineMemory:
    """An empty memory."""
    places = LONGEST_LINE + 1
    return LineMemory(np.zeros((places, LONGEST_LINE), np.int64), np.zeros(places, np.int64), np.zeros(4, np.int64))


@inlined
def lent(memory: LineMemory) -> LineMemory:
    """The same memory for a recursion, which need not count references to it."""
    return LineMemory(borrowed(memory.line), borrowed(memory.lengths), borrowed(memory.counters))


def line_of(memory: LineMemory) -> tuple[int, ...]:
    """The best line of the last search."""
    return tuple(int(action) for action in memory.line[0, : memory.lengths[0]])


@inlined
def extend_line(memory: Any, ply: int, action: int) -> None:
    """The best line from this ply is now the action and the best line below it."""
    if ply < LONGEST_LINE:
        length = min(memory.lengths[ply + 1], LONGEST_LINE - 1)
        memory.line[ply, 0] = action
        for i in range(length):
            memory.line[ply, i + 1] = memory.line[ply + 1, i]
        memory.lengths[ply] = length + 1


@inlined
def reached_end(memory: LineMemory, depth: int) -> None:
    """An end of the game was seen with this much of the depth left."""
    memory.counters[LEFT] = min(memory.counters[LEFT], depth)


def begin_look(memory: LineMemory, depth: int) -> None:
    """Forget what the last look at a root has counted; this one goes to `depth`."""
    memory.counters[HORIZON], memory.counters[LEFT], memory.counters[SEARCHED] = 0, depth - 1, 0


def depth_seen(memory: LineMemory, depth: int) -> tuple[int, bool]:
    """How deep a look to this depth really went, and whether it has seen the whole game."""
    if memory.counters[HORIZON]:
        return depth, False
    return depth - int(memory.counters[LEFT]), True
