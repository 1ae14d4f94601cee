"""How alpha-beta's work grows with the depth: the laws of the best, a random and the worst order, measured.

The trees are uniform: each node has b children, and the leaves are d plies below the root, their values all different.

*Best order.* The best child of every node comes first. Then alpha-beta sees b^ceil(d/2) + b^floor(d/2) - 1 leaves, the
fewest that any search can do with (Knuth and Moore 1975): about the square root of all.

*Random order.* The leaves are in a random order. The number is about b^(3d/4) for the branching factors of most games
(Pearl 1982 has the exact law of its growth).

*Worst order.* No cut ever happens, and all b^d leaves are seen. It is not enough that the worst child comes first: here
also the values below a node lie between those below its neighbours, so that every value is inside every window.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.bits import mix64
from plyground.errors import BadOption
from plyground.game import Game, evaluation, legal_actions, max_actions, result, state_hash, terminal, to_move, utility
from plyground.limits import Budget
from plyground.search.alphabeta import HORIZON, Settings, Variant, alphabeta, new_memory

__all__ = ["GrowthRow", "best_first", "fewest_leaves", "leaves_seen", "measure_growth", "random_leaves", "worst_leaves"]

MOST_LEAVES = 4_000_000
"""The largest tree that is measured."""


class UniformTree(NamedTuple):
    """A node: how many children each has, where the leaves are, how deep this one is, and its number in its level.

    `leaves` are MAX's values. The tree goes on below them, and a search asks for the evaluation at that depth.
    """

    branching: int
    height: int
    ply: int
    place: int
    leaves: NDArray[np.float64]


@to_move.rule(UniformTree)
def _(state: UniformTree) -> int:
    return state.ply & 1


@max_actions.rule(UniformTree)
def _(state: UniformTree) -> int:
    return state.branching


@legal_actions.rule(UniformTree)
def _(state: UniformTree, out: Any) -> int:
    for action in range(state.branching):
        out[action] = action
    return state.branching


@result.rule(UniformTree)
def _(state: UniformTree, action: int) -> UniformTree:
    place = state.place * state.branching + action
    return UniformTree(state.branching, state.height, state.ply + 1, place, state.leaves)


@terminal.rule(UniformTree)
def _(state: UniformTree) -> bool:
    return False


@utility.rule(UniformTree)
def _(state: UniformTree, player: int) -> float:
    return 0.0


@evaluation.rule(UniformTree)
def _(state: UniformTree) -> float:
    value = state.leaves[state.place]
    return float(-value if state.ply & 1 else value)


@state_hash.rule(UniformTree)
def _(state: UniformTree) -> Any:
    return mix64((state.ply << 48) ^ state.place)


# Leaves in different orders --------------------------------------------------------------------------------------


def random_leaves(branching: int, depth: int, seed: int) -> NDArray[np.float64]:
    """The values 0, 1, ... in a random order."""
    return np.random.default_rng([seed % 2**64, branching, depth]).permutation(branching**depth).astype(np.float64)


def best_first(leaves: NDArray[np.float64], branching: int) -> NDArray[np.float64]:
    """The leaves of the same tree after the children of every node were sorted, the best for its player first."""
    depth = round(math.log(len(leaves), branching)) if branching > 1 else 0
    values = leaves
    for level in range(depth - 1, -1, -1):
        families = values.reshape(-1, branching)
        maximising = level % 2 == 0
        order = np.argsort(-families if maximising else families, axis=1)
        blocks = leaves.reshape(len(families), branching, -1)
        leaves = np.take_along_axis(blocks, order[:, :, None], axis=1).reshape(-1)
        values = families.max(axis=1) if maximising else families.min(axis=1)
    return leaves


def worst_leaves(branching: int, depth: int) -> NDArray[np.float64]:
    """Leaves that are all seen: below MAX the children's values rise from left to right, below MIN they fall."""
    ranks = np.zeros(1)
    for level in range(depth):
        digits = np.arange(branching) if level % 2 == 0 else np.arange(branching)[::-1]
        ranks = (ranks[:, None] * branching + digits).reshape(-1)
    return ranks


def fewest_leaves(branching: int, depth: int) -> int:
    """How many leaves alpha-beta sees if the order is perfect."""
    return int(branching ** math.ceil(depth / 2) + branching ** math.floor(depth / 2) - 1)


def leaves_seen(leaves: NDArray[np.float64], branching: int, depth: int) -> int:
    """How many of the leaves alpha-beta looks at, from left to right."""
    state = UniformTree(branching, depth, 0, 0, leaves)
    memory = new_memory(Game("uniform tree", state))
    alphabeta(state, depth, -math.inf, math.inf, 0, memory, Settings(), Variant(), Budget())
    return int(memory.counters[HORIZON])


# Measuring -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GrowthRow:
    """Leaves seen in trees of one size. `random` has one number for each random tree."""

    branching: int
    depth: int
    best: int
    random: tuple[int, ...]
    worst: int

    @property
    def mean(self) -> float:
        """The mean for random orders."""
        return sum(self.random) / len(self.random)


def measure_growth(
    branching: int, depths: Sequence[int], trees: int, seed: int, on_progress: Callable[[float], None] | None = None
) -> list[GrowthRow]:
    """A row for each depth, with so many random trees."""
    if branching < 2 or trees < 1 or not depths or min(depths) < 1:
        raise BadOption("a tree that grows needs at least 2 children a node, 1 ply and 1 tree")
    if branching ** max(depths) > MOST_LEAVES:
        raise BadOption(f"{branching}^{max(depths)} leaves are more than the {MOST_LEAVES:,} that are measured here")
    rows, whole, done = [], sum(branching**depth for depth in depths) * (trees + 2), 0
    for depth in depths:
        seen = []
        for tree in range(trees):
            leaves = random_leaves(branching, depth, seed + tree)
            seen.append(leaves_seen(leaves, branching, depth))
            done += branching**depth
            if on_progress:
                on_progress(done / whole)
        best = leaves_seen(best_first(leaves, branching), branching, depth)
        worst = leaves_seen(worst_leaves(branching, depth), branching, depth)
        done += 2 * branching**depth
        rows.append(GrowthRow(branching, depth, best, tuple(seen), worst))
    return rows
