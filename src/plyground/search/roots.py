"""What a search finds at its root: a value and a line for each action."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.native.compiling import inlined
from plyground.search.glimpse import RootMove
from plyground.search.lines import LONGEST_LINE

__all__ = ["Root", "bounded_moves", "keep_line", "line_after", "new_root"]


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


def bounded_moves(
    root: Root, searched: int, worth: Sequence[float], slack: float, *, cuts: bool
) -> tuple[RootMove, ...]:
    """The actions that were searched first, each with what it is `worth` to whoever chooses.

    If the search `cuts`, an action that is worse by more than `slack` than the best before it has only a bound from
    above.
    """
    moves: list[RootMove] = []
    best = -math.inf
    for place in range(searched):
        value = float(worth[place])
        bound = cuts and value <= best - slack
        moves.append(
            RootMove(
                int(root.actions[place]),
                -math.inf if bound else value,
                value,
                (best, math.inf) if cuts and root.values.ndim == 1 else None,
                line=line_after(root, place),
                values=tuple(root.values[place].tolist()) if root.values.ndim == 2 and not bound else None,
            )
        )
        best = max(best, value)
    return tuple(moves)
