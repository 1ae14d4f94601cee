"""UCT (Kocsis and Szepesvari 2006), as a lecture writes it down: plain Python, a node is an object.

`plyground.search.mcts` without its options, and with playouts at random, grows the same tree from the same seed: that
of `uct`, or with all children at once that of `uct_all`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from plyground.core.rules import actions, result, terminal, to_move, utility
from plyground.native.randomness import random_below
from plyground.search.playout import playout

__all__ = ["Node", "uct", "uct_all"]


@dataclass
class Node:
    """A state, the action that leads to it and who took that; how often it was visited, and with what reward in all.

    Rewards are to the `mover`, from 0 for the worst to 1 for the best.
    """

    state: Any
    mover: int
    action: int | None = None
    visits: int = 0
    total: float = 0.0
    children: list[Node] = field(default_factory=list)


def uct(state: Any, simulations: int, rng: Any, c: float = 1.0, low: float = -1.0, high: float = 1.0) -> Node:
    """Grow a tree by `simulations`; its root. Utilities are from `low` to `high`, `rng` is a random stream."""
    root = Node(state, to_move(state))
    for _ in range(simulations):
        path = select(root, c, rng)
        end = playout(path[-1].state, rng)
        for node in reversed(path):  # backup
            node.visits += 1
            node.total += (utility(end, node.mover) - low) / (high - low)
    return root


def uct_all(state: Any, simulations: int, rng: Any, c: float = 1.0, low: float = -1.0, high: float = 1.0) -> Node:
    """The same, but a node that is reached for the first time gets all its children, and each of them a playout."""
    root = Node(state, to_move(state))
    for _ in range(simulations):
        path = select(root, c, rng)
        if not terminal(path[-1].state):
            expand(path[-1], rng)
        for way in [[*path, child] for child in path[-1].children] or [path]:
            end = playout(way[-1].state, rng)
            for node in reversed(way):  # backup
                node.visits += 1
                node.total += (utility(end, node.mover) - low) / (high - low)
    return root


def select(root: Node, c: float, rng: Any) -> list[Node]:
    """The way from the root along the highest bounds to a node that was never visited, or to the end of the game."""
    path = [root]
    while not terminal(path[-1].state):
        if not path[-1].children:
            expand(path[-1], rng)
        path.append(highest(path[-1], c))
        if path[-1].visits == 0:
            break
    return path


def expand(node: Node, rng: Any) -> None:
    """Add the children, in random order."""
    options, mover = actions(node.state), to_move(node.state)
    for i in range(len(options)):
        other = i + random_below(rng, len(options) - i)
        options[i], options[other] = options[other], options[i]
        node.children.append(Node(result(node.state, options[i]), mover, options[i]))


def highest(node: Node, c: float) -> Node:
    """The child with the highest upper confidence bound, mean + c * sqrt(ln N / n); of one never visited, infinity."""

    def bound(child: Node) -> float:
        if child.visits == 0:
            return math.inf
        share = 1.0 / child.visits
        return child.total * share + c * math.sqrt(math.log(node.visits) * share)

    return max(node.children, key=bound)
