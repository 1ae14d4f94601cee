"""The nodes of a Monte Carlo tree that are drawn: where each is, its position, and what is below it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.game import Game
from plyground.core.rules import CHANCE, action_text, probability, result, terminal, to_move
from plyground.pictures.tree import Node, Shape
from plyground.watch.sentences import Sentences
from plyground.watch.simulation_numbers import trimmed
from plyground.watch.small_board import small_board

__all__ = ["MOST_CHILDREN", "TOP", "Path", "TreeNodes", "count_below", "visited_children"]

MOST_CHILDREN = 10
"""Children of one node that are drawn; the others are counted."""
MOST_THUMBNAILS = 48
"""Nodes up to which each shows its board."""
Path = tuple[int, ...]
"""A node by the places from the root to it; one place may be reached on several paths if positions are shared."""
TOP: Path = (0,)


def visited_children(nodes: NDArray[Any], place: int) -> list[int]:
    """The places of the children that were visited."""
    first, count = int(nodes[place]["first"]), int(nodes[place]["count"])
    return [child for child in range(first, first + count) if nodes[child]["visits"] > 0] if first else []


def count_below(nodes: NDArray[Any], places: Sequence[int]) -> int:
    """How many nodes that were visited there are at these places and below them."""
    seen = np.zeros(len(nodes), bool)
    frontier = np.array(places, np.int64)
    while frontier.size:
        seen[frontier] = True
        inner = nodes[frontier]
        inner = inner[inner["first"] > 0]
        counts = inner["count"].astype(np.int64)
        before = np.repeat(np.cumsum(counts) - counts, counts)
        below = np.repeat(inner["first"].astype(np.int64), counts) + np.arange(counts.sum()) - before
        frontier = np.unique(below[(nodes["visits"][below] > 0) & ~seen[below]])
    return int(seen.sum())


class TreeNodes:
    """The nodes of a drawing: those on the given paths, in order from left to right, and where each is."""

    def __init__(
        self,
        game: Game,
        root: Any,
        nodes: NDArray[Any],
        paths: Iterable[Path],
        order: Callable[[Path], Any],
        say: Sentences,
        boards: bool | None,
    ) -> None:
        self._say = say
        below: dict[Path, list[Path]] = {TOP: []}
        for path in sorted(set(paths) - {TOP}, key=len):
            below[path] = []
            below[path[:-1]].append(path)
        self.hidden = {
            path: [child for child in visited_children(nodes, path[-1]) if (*path, child) not in below]
            for path in below
        }
        """For each path, the visited children that are not drawn."""
        self.at: dict[Path, int] = {}
        self.states: dict[Path, Any] = {TOP: root}
        self.counts_for: dict[Path, int] = {TOP: max(0, int(to_move(root)))}
        self.places: dict[int, list[Path]] = {}
        self.nodes: list[Node] = []
        self._game = game
        self._boards = len(below) <= MOST_THUMBNAILS if boards is None else boards
        waiting = [TOP]
        while waiting:
            path = waiting.pop()
            self._add(path, nodes)
            waiting += sorted(below[path], key=order, reverse=True)

    def _add(self, path: Path, nodes: NDArray[Any]) -> None:
        parent, action, name, before = None, "", "", None
        if path == TOP:
            mover = int(to_move(self.states[TOP]))
            name = self._say("chance") if mover == CHANCE else self._say("to_move", seat=self._game.seats[mover])
        else:
            before = self.states[path[:-1]]
            move, mover = int(nodes[path[-1]]["action"]), int(to_move(before))
            parent, action = self.at[path[:-1]], self.move(before, move)
            self.states[path] = result(before, move)
            self.counts_for[path] = max(0, mover)
        state = self.states[path]
        shape: Shape = "leaf" if terminal(state) else "chance" if to_move(state) == CHANCE else "player"
        self.at[path] = len(self.nodes)
        self.places.setdefault(path[-1], []).append(path)
        board = small_board(state, before) if self._boards else ""
        self.nodes.append(Node(parent, shape, action, name, board))

    def move(self, state: Any, action: int) -> str:
        """Who makes a move, and the move."""
        mover = int(to_move(state))
        if mover == CHANCE:
            return f"{action_text(state, action)} ({trimmed(probability(state, action), 3)})"
        return f"{self._game.seats[mover]} {action_text(state, action)}"
