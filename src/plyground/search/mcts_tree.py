"""The tree of a Monte Carlo tree search: one array of 32-byte records, which several threads may write."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.native.atomics import add_at, put_where_zero
from plyground.native.compiling import compiled
from plyground.native.overloads import native
from plyground.search.mcts_variant import MctsVariant

__all__ = ["AMAF", "NODE", "Tree", "kept_subtree", "new_tree"]

NODE = np.dtype(
    [
        ("total", np.float64),  # sum of rewards to the player who moved here
        ("visits", np.int32),
        ("first", np.int32),  # where the children begin; 0 if they have no place yet
        ("count", np.int32),  # how many children there are
        ("action", np.int32),  # the action that leads here
        ("exact", np.float32),  # the proven reward to the player who moved here; NaN if not proven
        ("prior", np.float32),  # what the evaluation thinks of this move, to the player who makes it
    ]
)
AMAF = np.dtype([("total", np.float32), ("visits", np.int32)])
"""All moves as first: the statistics of an action wherever it was played later."""


class Tree(NamedTuple):
    """The nodes, how many places are taken, all-moves-as-first statistics and the transposition table.

    The last three have one entry where the search does not use them.
    """

    nodes: NDArray[Any]
    used: NDArray[np.int64]
    amaf: NDArray[Any]
    keys: NDArray[np.uint64]
    blocks: NDArray[np.int32]


def new_tree(places: int, variant: MctsVariant = MctsVariant()) -> Tree:  # noqa: B008 - frozen
    """A tree of one unvisited root with room for `places` nodes. Memory is taken as it is used."""
    table = 1 << max(4, (places // 4).bit_length()) if variant.transpositions else 1
    tree = Tree(
        np.zeros(places, NODE),
        np.ones(1, np.int64),
        np.zeros(places if variant.rave else 1, AMAF),
        np.zeros(table, np.uint64),
        np.zeros(table, np.int32),
    )
    tree.nodes["exact"][0] = np.nan
    return tree


@compiled
def kept_subtree(tree: Tree, root: int, least_visits: int, out: Tree) -> int:
    """Copy the tree below `root` into an empty one, without what is below nodes of fewer visits; returns its size.

    Serves two ends: going on with the played move's subtree, and making room when the tree is full.
    """
    source = np.zeros(len(out.nodes), np.int32)
    moved = np.zeros(len(tree.nodes) if len(tree.keys) > 1 else 1, np.int32)
    source[0] = root
    out.nodes[0] = tree.nodes[root]
    used = 1
    here = 0
    while here < used:
        old = tree.nodes[source[here]]
        first, count = old["first"], old["count"]
        if first != 0 and len(moved) > 1 and moved[first] != 0:
            out.nodes[here]["first"] = moved[first]
        elif first != 0 and (old["visits"] >= least_visits or here == 0) and used + count <= len(out.nodes):
            out.nodes[here]["first"] = used
            if len(moved) > 1:
                moved[first] = used
            for i in range(count):
                source[used] = first + i
                out.nodes[used] = tree.nodes[first + i]
                if len(out.amaf) > 1:
                    out.amaf[used] = tree.amaf[first + i]
                used += 1
        else:
            out.nodes[here]["first"] = 0
        here += 1
    out.used[0] = used
    return used


@compiled
def table_slot(tree: Tree, key: Any) -> int:
    """Where a position is, or would be, in the transposition table."""
    slot = np.int64(key % np.uint64(len(tree.keys)))
    for _ in range(64):
        if tree.blocks[slot] == 0 or tree.keys[slot] == key:
            break
        slot = (slot + 1) % len(tree.keys)
    return slot  # type: ignore[return-value]


def take_places(used: Any, count: int) -> int:
    """Reserve places in the tree; returns the first."""
    used[0] += count
    return int(used[0]) - count


def add_visits(nodes: Any, node: int, count: int) -> None:
    """Add visits to a node that other threads may be adding to."""
    nodes[node]["visits"] += count


def add_total(nodes: Any, node: int, reward: float) -> None:
    """Add a reward to a node that other threads may be adding to."""
    nodes[node]["total"] += reward


def publish_first(nodes: Any, node: int, first: int) -> bool:
    """Let a node have its children, unless another thread has just given it some."""
    if nodes[node]["first"] == 0:
        nodes[node]["first"] = first
        return True
    return False


VISITS_AT, FIRST_AT, TOTAL_AT = (NODE.fields[name][1] for name in ("visits", "first", "total"))  # type: ignore[index]
SIZE = NODE.itemsize


@native(take_places)
def _take_places(used: Any, count: Any) -> Any:
    return lambda used, count: add_at(np.uint64(used.ctypes.data), np.int64(count))


@native(add_visits)
def _add_visits(nodes: Any, node: Any, count: Any) -> Any:
    def impl(nodes, node, count):  # type: ignore[no-untyped-def]
        add_at(np.uint64(nodes.ctypes.data) + np.uint64(node * SIZE + VISITS_AT), np.int32(count))

    return impl


@native(add_total)
def _add_total(nodes: Any, node: Any, reward: Any) -> Any:
    def impl(nodes, node, reward):  # type: ignore[no-untyped-def]
        add_at(np.uint64(nodes.ctypes.data) + np.uint64(node * SIZE + TOTAL_AT), np.float64(reward))

    return impl


@native(publish_first)
def _publish_first(nodes: Any, node: Any, first: Any) -> Any:
    def impl(nodes, node, first):  # type: ignore[no-untyped-def]
        return put_where_zero(np.uint64(nodes.ctypes.data) + np.uint64(node * SIZE + FIRST_AT), np.int32(first))

    return impl
