"""The uniform tree: each node has b children, and the leaves are d plies below the root, their values in any order.

It is no game to play, but one to measure searches on: the order of the leaves decides what alpha-beta can cut.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.game import Game
from plyground.core.rules import evaluation, legal_actions, max_actions, result, state_hash, terminal, to_move, utility
from plyground.native.bits import mix64

__all__ = ["UniformTree", "best_first", "random_leaves", "uniform_tree", "worst_leaves"]


class UniformTree(NamedTuple):
    """A node: how many children each has, where the leaves are, how deep this one is, and its number in its level.

    `leaves` are MAX's values. The tree goes on below them, and a search asks for the evaluation at that depth.
    """

    branching: int
    height: int
    ply: int
    place: int
    leaves: NDArray[np.float64]


def uniform_tree(leaves: NDArray[np.float64], branching: int, depth: int) -> Game:
    """The tree with these leaves from left to right; there must be ``branching ** depth`` of them."""
    return Game("uniform tree", UniformTree(branching, depth, 0, 0, leaves))


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
