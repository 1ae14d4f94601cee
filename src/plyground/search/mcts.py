"""Monte Carlo tree search: UCT (Kocsis and Szepesvari 2006) and its variants, for any game.

One simulation is four steps: *selection* from the root to a leaf by upper confidence bounds, *expansion* by one child,
*simulation* of the rest of the game by a playout, and *backpropagation* of the result. Every number is kept from the
point of view of the player who made the move into the node, so that each player maximises its own; passes and
extra moves need no sign to be flipped, and any number of players and general sums work alike. Chance nodes are drawn
by their probabilities.

The tree is one array of 32-byte records. The children of a node lie next to each other; a node's children get their
place at its second visit. The states are not stored: a descent replays them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyground.core.limits import Budget
from plyground.core.recording import credited, descended, proved, rewarded, simulation_started
from plyground.core.rules import (
    CHANCE,
    action_buffer,
    legal_actions,
    max_actions,
    promising,
    result,
    state_hash,
    terminal,
    to_move,
)
from plyground.native.compiling import compiled, inlined
from plyground.native.randomness import random_below
from plyground.search.endgame_table import NO_TABLE, EndgameTable, NoTable
from plyground.search.mcts_playout import AMAF_ACTIONS, playout
from plyground.search.mcts_rewards import best, order_by_prior, worst
from plyground.search.mcts_selection import chosen_child, drawn_child, puct_child
from plyground.search.mcts_tree import Tree, add_total, add_visits, publish_first, table_slot, take_places
from plyground.search.mcts_variant import GAME, MctsSettings, MctsVariant
from plyground.search.playout import NO_POLICY

__all__ = ["grow"]

LONGEST_PATH = 1024
DONE, FULL, SOLVED = range(3)


@compiled
def grow(
    tree: Tree,
    state: Any,
    settings: MctsSettings,
    variant: MctsVariant,
    rng: Any,
    budget: Budget,
    endgame: EndgameTable | NoTable = NO_TABLE,
    learned: Any = NO_POLICY,
) -> int:
    """Run simulations from `state`, the root, until the budget is spent (DONE), the tree is FULL or SOLVED.

    One simulation spends one node of the budget. In a parallel variant threads may grow one tree together, each with
    a stream of its own. A leaf that is in the `endgame` table, which holds scores where the reward is the margin and
    utilities otherwise, is not played out but has its exact value. `learned` is the policy of a LEARNED variant.
    """
    nodes = tree.nodes
    path = np.zeros(LONGEST_PATH, np.int64)
    movers = np.zeros(LONGEST_PATH, np.int64)
    rewards = np.zeros(variant.players)
    played = np.zeros((variant.players, AMAF_ACTIONS if variant.rave else 1), np.int64)
    simulation = 0
    room = 2 * max_actions(state)  # what one simulation may need
    while True:
        if variant.solver and not math.isnan(nodes[0]["exact"]):
            return SOLVED
        if tree.used[0] + room > len(nodes):
            return FULL
        if budget.spend():
            return DONE
        simulation += 1
        simulation_started(state)

        now, depth, full = descend(tree, state, -1, settings, variant, rng, path, movers)
        if full:
            take_back_losses(nodes, path, depth, settings, variant)
            return FULL
        node = path[depth]

        # Simulation and backpropagation.
        if variant.solver and depth > 0 and not math.isnan(nodes[node]["exact"]):
            exact = nodes[node]["exact"]
            for player in range(variant.players):
                rewards[player] = exact if player == movers[depth] else worst(variant) + best(variant) - exact
                rewarded(player, rewards[player])
            back_up(nodes, path, movers, depth, rewards, settings.virtual_loss, variant)
        elif variant.expand_all and nodes[node]["first"] == 0 and not terminal(now):
            if not expand(tree, node, now, settings, variant, rng):
                take_back_losses(nodes, path, depth, settings, variant)
                return FULL
            for child in range(nodes[node]["first"], nodes[node]["first"] + nodes[node]["count"]):
                path[depth + 1] = child
                movers[depth + 1] = to_move(now)
                after = result(now, int(nodes[child]["action"]))
                descended(after, child, depth + 1, True)
                made = playout(after, settings, variant, rng, rewards, played, simulation, budget, endgame, learned)
                back_up(nodes, path, movers, depth + 1, rewards, 0, variant)
                if variant.solver and made == 0:
                    nodes[child]["exact"] = rewards[movers[depth + 1]]
                    proved(child, rewards[movers[depth + 1]])
            take_back_losses(nodes, path, depth, settings, variant)
        else:
            made = 0
            for rollout in range(settings.rollouts):
                made = playout(now, settings, variant, rng, rewards, played, simulation, budget, endgame, learned)
                last_one = rollout == settings.rollouts - 1 or budget.halted()
                back_up(nodes, path, movers, depth, rewards, settings.virtual_loss if last_one else 0, variant)
                if last_one:
                    break
            if variant.solver and made == 0:
                nodes[node]["exact"] = rewards[movers[depth]]
                proved(node, rewards[movers[depth]])
            if variant.rave:
                last = to_move(now) if made else CHANCE
                update_amaf(tree, path, movers, depth, last, rewards, played, simulation)
        if variant.solver:
            prove(tree, path, movers, depth, variant)


@inlined
def descend(
    tree: Tree, state: Any, forced: int, settings: MctsSettings, variant: MctsVariant, rng: Any, path: Any, movers: Any
) -> tuple[Any, int, bool]:
    """Selection, with expansion on the way: down to a node that was never visited, or to the end of the game.

    Writes the nodes and who moved into them, and returns the state reached, the depth, and whether there was no room
    to go on. A `forced` child of the root is taken whatever its bound; -1 for none. With `puct` the way ends where
    children are missing, because only the network can expand.
    """
    nodes = tree.nodes
    now, node, depth, full = state, 0, 0, False
    path[0] = 0
    movers[0] = to_move(state)
    while depth < len(path) - 2:
        if nodes[node]["first"] == 0:
            if variant.puct or terminal(now):
                break
            if not expand(tree, node, now, settings, variant, rng):
                full = True
                break
        mover = to_move(now)
        if variant.chance and mover == CHANCE:
            node = drawn_child(nodes, node, now, rng)
        elif depth == 0 and forced >= 0:
            node = forced
        elif variant.puct:
            node = puct_child(nodes, node, settings, variant)
        else:
            node = chosen_child(nodes, tree.amaf, node, settings, variant, rng)
        depth += 1
        path[depth] = node
        movers[depth] = mover
        now = result(now, int(nodes[node]["action"]))
        fresh = nodes[node]["visits"] == 0
        descended(now, node, depth, fresh)
        if variant.parallel:
            add_visits(nodes, node, settings.virtual_loss)
        if fresh or (variant.solver and not math.isnan(nodes[node]["exact"])):
            break
    return now, depth, full


@compiled
def expand(tree: Tree, node: int, state: Any, settings: MctsSettings, variant: MctsVariant, rng: Any) -> bool:
    """Give the children of a node their places, in random order or best first; False if there is no room.

    Where playouts are those of the game, promising actions come first, and the node's own `prior`, which nothing else
    uses, says how many they are; 0 for all.
    """
    nodes = tree.nodes
    options = action_buffer(state)
    count = legal_actions(state, options)
    slot, key = 0, np.uint64(0)
    if variant.policy == GAME and not variant.guided:
        worthy = 0
        for i in range(count):
            worthy += promising(state, options[i])
        nodes[node]["prior"] = worthy if worthy < count else 0
    if variant.transpositions:
        key = np.uint64(state_hash(state))
        slot = table_slot(tree, key)
        if tree.blocks[slot] != 0 and tree.keys[slot] == key:
            nodes[node]["count"] = count  # the same position was met on another way: share what is below it
            nodes[node]["first"] = tree.blocks[slot]
            return True
    first = take_places(tree.used, count)
    if first + count > len(nodes):  # nothing is given back: another thread may have taken what follows
        return False
    if not variant.guided:
        for i in range(count):
            other = i + random_below(rng, count - i)
            options[i], options[other] = options[other], options[i]
        if variant.policy == GAME and nodes[node]["prior"] > 0.0:
            first_of_rest = 0
            for i in range(count):
                if promising(state, options[i]):
                    options[i], options[first_of_rest] = options[first_of_rest], options[i]
                    first_of_rest += 1
    for i in range(count):
        child = nodes[first + i]
        child["total"] = 0.0
        child["visits"] = 0
        child["first"] = 0
        child["action"] = options[i]
        child["exact"] = np.nan
    if variant.guided:
        order_by_prior(nodes, first, count, state, settings, variant)
    nodes[node]["count"] = count
    if publish_first(nodes, node, first) and variant.transpositions and tree.blocks[slot] == 0:
        tree.keys[slot] = key
        tree.blocks[slot] = first
    return True


@inlined
def back_up(nodes: Any, path: Any, movers: Any, depth: int, rewards: Any, loss: int, variant: MctsVariant) -> None:
    """Backpropagation: N += 1 and Q += the reward of whoever moved there, from the leaf to the root.

    Where threads share the tree, the virtual `loss` is taken back in the same step.
    """
    for d in range(depth, -1, -1):
        reward = rewards[max(0, movers[d])]
        if variant.parallel:
            more = 1 - loss if d > 0 else 1
            if more != 0:
                add_visits(nodes, path[d], more)
            if d > 0:  # nobody reads the root's sum, and everybody would wait for it
                add_total(nodes, path[d], reward)
        else:
            nodes[path[d]]["visits"] += 1
            nodes[path[d]]["total"] += reward
        credited(path[d], d, max(0, movers[d]), reward, nodes[path[d]]["visits"], nodes[path[d]]["total"])


@inlined
def take_back_losses(nodes: Any, path: Any, depth: int, settings: MctsSettings, variant: MctsVariant) -> None:
    """Undo the visits that kept other threads away from this path."""
    if variant.parallel:
        for d in range(1, depth + 1):
            add_visits(nodes, path[d], -settings.virtual_loss)


@compiled
def update_amaf(
    tree: Tree, path: Any, movers: Any, depth: int, last: int, rewards: Any, played: Any, simulation: int
) -> None:
    """Credit every child whose action its mover played later, in the tree or in the playout."""
    for d in range(depth, -1, -1):
        mover = movers[d + 1] if d < depth else last
        node = tree.nodes[path[d]]
        if mover != CHANCE and node["first"] != 0:
            for child in range(node["first"], node["first"] + node["count"]):
                action = tree.nodes[child]["action"]
                if 0 <= action < AMAF_ACTIONS and played[mover, action] == simulation:
                    tree.amaf[child]["visits"] += 1
                    tree.amaf[child]["total"] += rewards[mover]
        if d > 0 and movers[d] != CHANCE and 0 <= node["action"] < AMAF_ACTIONS:
            played[movers[d], node["action"]] = simulation


@compiled
def prove(tree: Tree, path: Any, movers: Any, depth: int, variant: MctsVariant) -> None:
    """MCTS-Solver (Winands, Bjornsson, Saito 2008): carry a proven value up while it decides the node above."""
    nodes = tree.nodes
    for d in range(depth - 1, -1, -1):
        if math.isnan(nodes[path[d + 1]]["exact"]):
            return
        first, value, decided = nodes[path[d]]["first"], -math.inf, True
        for child in range(first, first + nodes[path[d]]["count"]):
            exact = nodes[child]["exact"]
            if math.isnan(exact):
                decided = False
            else:
                value = max(value, exact)
        if not decided and value < best(variant):
            return
        same_side = movers[d] == movers[d + 1]
        nodes[path[d]]["exact"] = value if same_side else worst(variant) + best(variant) - value
        proved(path[d], nodes[path[d]]["exact"])
