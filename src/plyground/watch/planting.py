"""The counts that a tree file presets, put into a search's tree: so that it goes on from a textbook's figure."""

from __future__ import annotations

from typing import Any

from plyground.core.game import Game
from plyground.core.rules import actions, to_move
from plyground.errors import BadOption
from plyground.games.tree import FIRST_CHILD, PLAYER, Counts, TreeNode, counts_of, node_path
from plyground.native.randomness import random_below
from plyground.search.mcts_tree import Tree
from plyground.search.mcts_variant import MARGIN, WIN_DRAW_LOSS, MctsSettings, MctsVariant
from plyground.watch.simulation_numbers import complement, trimmed

__all__ = ["plant", "planted_room"]

REWARDS = ("win", "signed", "margin")


def planted_room(state: Any) -> int:
    """How many places preset counts take in a search's tree."""
    counts = counts_of(state)
    return 0 if counts is None else len(counts.visits)


def plant(
    tree: Tree, game: Game, state: Any, variant: MctsVariant, settings: MctsSettings, rng: Any
) -> list[tuple[int, ...]]:
    """Put what the file of `state` presets into an empty tree whose root is `state`: the paths to those nodes.

    Children that nobody has visited yet stand in random order, as where the search itself adds them. `BadOption` says
    which count the rewards of this search could never add up to.
    """
    counts = counts_of(state)
    if counts is None or not counts.visits[state.node]:
        return []
    two = game.axes.players == 2 and game.axes.zero_sum
    if not two and (counts.view is not None or state.node):
        raise BadOption('preset counts with a "view", or after --moves, need two players and zero sum')
    paths: list[tuple[int, ...]] = [(0,)]
    waiting: list[tuple[tuple[int, ...], int, int]] = [((0,), state.node, max(0, int(to_move(state))))]
    while waiting:
        path, node, mover = waiting.pop()
        record = tree.nodes[path[-1]]
        record["total"] = _total(counts, state, node, mover, variant, settings, game)
        record["visits"] = counts.visits[node]
        here = state._replace(node=node)
        first_child = int(state.table[node, FIRST_CHILD])
        options = actions(here)
        if not any(counts.visits[first_child + action] for action in options):
            continue
        first = int(tree.used[0])
        tree.used[0] += len(options)
        record["first"], record["count"] = first, len(options)
        for i in range(len(options)):
            other = i + random_below(rng, len(options) - i)
            options[i], options[other] = options[other], options[i]
            child = tree.nodes[first + i]
            child["action"], child["exact"] = options[i], float("nan")
            below = (*path, first + i)
            if counts.visits[first_child + options[i]]:
                paths.append(below)
                waiting.append((below, first_child + options[i], max(0, int(to_move(here)))))
    return paths


def _total(
    counts: Counts,
    state: TreeNode,
    node: int,
    mover: int,
    variant: MctsVariant,
    settings: MctsSettings,
    game: Game,
) -> float:
    """The preset sum of a node as a reward to `mover`."""
    total, visits = float(counts.totals[node]), int(counts.visits[node])
    low, high = (0.0 if variant.reward == WIN_DRAW_LOSS else -1.0), 1.0
    if variant.reward == MARGIN:
        high = max(map(abs, game.utilities)) / settings.scale
        low = -high
    if not low * visits <= total <= high * visits:
        other = "" if variant.reward == MARGIN else "; where Q sums up utilities, write reward=margin,scale=1"
        raise BadOption(
            f"{node_path(state, node, counts)}: Q = {trimmed(total)} cannot be of N = {visits:,}: with reward="
            f"{REWARDS[variant.reward]} a visit adds {trimmed(low)} to {trimmed(high)}{other}"
        )
    above = int(counts.above[node])
    counted = mover if counts.view is None else counts.view
    if counts.view is None and above >= 0 and node == state.node:  # in the file it counts for whoever moved there
        counted = max(0, int(state.table[above, PLAYER]))
    return total if counted == mover else complement(total, visits, variant)
