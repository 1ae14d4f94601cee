"""What a search finds at its root: a value and a line for each action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.compiling import inlined
from plyground.search.lines import LONGEST_LINE

__all__ = ["Root", "keep_line", "line_after", "new_root"]


class Root(NamedTuple):
    """The root's actions in the order in which they are searched, and for each its value and line.

    Values are numbers, or have one for each player.
    """

    actions: NDArray[np.int64]
    values: NDArray[np.float64]
    lines: NDArray[np.int64]
    lengths: NDArray[np.int64]


def new_root(options: Sequence[int], players: int | None = None) -> Root:
    """A root of which nothing is known yet; `players` if there is a value for each of them."""
    count = len(options)
    return Root(
        np.array(options, np.int64),
        np.zeros(count) if players is None else np.zeros((count, players)),
        np.zeros((count, LONGEST_LINE + 1), np.int64),
        np.zeros(count, np.int64),
    )


@inlined
def keep_line(root: Root, place: int, memory: Any) -> None:
    """Keep the best line below a root's action, which the search has just left in its memory."""
    root.lines[place, 0] = root.actions[place]
    for i in range(memory.lengths[0]):
        root.lines[place, i + 1] = memory.line[0, i]
    root.lengths[place] = memory.lengths[0] + 1


def line_after(root: Root, place: int) -> tuple[int, ...]:
    """The action at a place, and the line after it."""
    return tuple(root.lines[place, : root.lengths[place]].tolist())
