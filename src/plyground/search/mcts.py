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
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.chance import random_action
from plyground.core.game import (
    CHANCE,
    action_buffer,
    evaluation,
    legal_actions,
    max_actions,
    playout_action,
    probability,
    result,
    score,
    state_hash,
    terminal,
    to_move,
    utility,
)
from plyground.core.limits import Budget
from plyground.core.recording import credited, descended, playout_moved, proved, rewarded, scored, simulation_started
from plyground.native.atomics import add_at, put_where_zero
from plyground.native.compiling import compiled, inlined
from plyground.native.overloads import Static, native
from plyground.native.randomness import random_below, random_unit
from plyground.search.endgame_table import NO_TABLE, EndgameTable, NoTable, endgame_value
from plyground.search.playout import NO_POLICY, learned_action

__all__ = ["NODE", "MctsSettings", "MctsVariant", "Tree", "grow", "kept_subtree", "new_tree"]

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

LONGEST_PATH = 1024
AMAF_ACTIONS = 4096
"""Actions beyond this number take no part in all-moves-as-first statistics."""

WIN_DRAW_LOSS, SIGNED, MARGIN = range(3)
UNIFORM, GAME, GREEDY, LEARNED = range(4)
DONE, FULL, SOLVED = range(3)


@dataclass(frozen=True)
class MctsVariant(Static):
    """Which kind of search: compiled code is made for one variant, and holds nothing of the others.

    `reward`: WIN_DRAW_LOSS is 1, 1/2, 0; SIGNED is 1, 0, -1; MARGIN is the game's score over `MctsSettings.scale`.
    `policy` of playouts: UNIFORM, the GAME's own, GREEDY on the evaluation with probability 1 - epsilon, or LEARNED.
    `proportional` samples children in proportion to their bounds instead of taking the highest. `guided` uses the
    evaluation as a prior, for progressive bias and widening. `shortened` playouts end after `rollout_depth` moves of
    the settings, with the evaluation. `parallel` lets several threads grow one tree, or one thread wait for several
    leaves. `puct` selects by the priors of a network, which also judges the leaves; where it is `mixed`, a playout has
    a say in that: see `plyground.search.net_search`.
    """

    players: int = 2
    chance: bool = False
    reward: int = WIN_DRAW_LOSS
    policy: int = UNIFORM
    proportional: bool = False
    expand_all: bool = False
    guided: bool = False
    shortened: bool = False
    rave: bool = False
    solver: bool = False
    transpositions: bool = False
    parallel: bool = False
    puct: bool = False
    mixed: bool = False


class MctsSettings(NamedTuple):
    """The numbers of a search, which may change without compiling again.

    The exploration term is ``exploration * sqrt(ln N / n)``; the form c * sqrt(2 ln N / n) is the same with
    exploration = c * sqrt(2). `low` and `high` are the range of the game's utilities. 0 switches `bias`
    and `widening` off; `widening` children are looked at per (visits ** widening_power). With `puct` the exploration
    term is ``exploration * prior * sqrt(N) / (1 + n)``, and a child without visits counts as much as its siblings less
    `fpu` times the root of what share of the priors they have; `mix` is the weight of the playout where a leaf's value
    is mixed.
    """

    exploration: float = math.sqrt(2.0)
    low: float = -1.0
    high: float = 1.0
    scale: float = 1.0
    rollouts: int = 1
    rollout_depth: int = 0
    epsilon: float = 0.1
    rave: float = 300.0
    bias: float = 0.0
    widening: float = 0.0
    widening_power: float = 0.5
    virtual_loss: int = 1
    fpu: float = 0.1
    mix: float = 0.5


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
    """A tree of one unvisited root with room for so many nodes. Memory is taken as it is used."""
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


# The four steps ---------------------------------------------------------------------------------------------------


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
    """Give the children of a node their places, in random order or best first; False if there is no room."""
    nodes = tree.nodes
    options = action_buffer(state)
    count = legal_actions(state, options)
    slot, key = 0, np.uint64(0)
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
    for i in range(count):
        if not variant.guided:
            other = i + random_below(rng, count - i)
            options[i], options[other] = options[other], options[i]
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
def drawn_child(nodes: Any, node: int, state: Any, rng: Any) -> int:
    """Selection where chance moves: a child with the probability of its action."""
    first, count = nodes[node]["first"], nodes[node]["count"]
    rest = random_unit(rng)
    drawn = first
    for i in range(first, first + count):
        drawn = i
        rest -= probability(state, int(nodes[i]["action"]))
        if rest < 0.0:
            break
    return drawn  # type: ignore[no-any-return]


@inlined
def chosen_child(nodes: Any, amaf: Any, node: int, settings: MctsSettings, variant: MctsVariant, rng: Any) -> int:
    """Selection where a player moves: an untried child, or else the one with the highest upper confidence bound."""
    first, count, visits = nodes[node]["first"], nodes[node]["count"], nodes[node]["visits"]
    if variant.guided and settings.widening > 0.0:
        count = min(count, max(1, int(settings.widening * (visits + 1.0) ** settings.widening_power)))
    log_visits = math.log(visits) if visits > 1 else 0.0
    chosen, highest, whole = first, -math.inf, 0.0
    for i in range(first, first + count):
        if nodes[i]["visits"] == 0:
            chosen, whole = i, 0.0
            break
        bound = upper_bound(nodes, amaf, i, visits, log_visits, settings, variant)
        if variant.proportional:
            whole += max(1e-9, bound)
        if bound > highest:
            chosen, highest = i, bound
    if variant.proportional and whole > 0.0 and highest < math.inf:
        rest = random_unit(rng) * whole
        for i in range(first, first + count):
            rest -= max(1e-9, upper_bound(nodes, amaf, i, visits, log_visits, settings, variant))
            if rest < 0.0:
                chosen = i
                break
    return chosen  # type: ignore[no-any-return]


@inlined
def upper_bound(
    nodes: Any, amaf: Any, child: int, visits: int, log_visits: float, settings: MctsSettings, variant: MctsVariant
) -> float:
    """mean + exploration * sqrt(ln N / n), with what the variants add."""
    share = 1.0 / nodes[child]["visits"]
    mean = nodes[child]["total"] * share
    value = mean
    if variant.rave and amaf[child]["visits"] > 0:
        # Gelly and Silver 2011: trust all-moves-as-first while the move itself has few visits.
        weight = math.sqrt(settings.rave / (3.0 * visits + settings.rave))
        value += weight * (amaf[child]["total"] / amaf[child]["visits"] - value)
    if variant.guided:
        value += settings.bias * nodes[child]["prior"] / (nodes[child]["visits"] + 1.0)
    exploration = settings.exploration * math.sqrt(log_visits * share)
    value += exploration
    if variant.solver:
        exact = nodes[child]["exact"]
        if not math.isnan(exact):  # a win is taken; anything else needs no more visits
            value = math.inf if exact >= best(variant) else -math.inf
    scored(child, mean, exploration, value)
    return value  # type: ignore[no-any-return]


@inlined
def puct_child(nodes: Any, node: int, settings: MctsSettings, variant: MctsVariant) -> int:
    """Selection by a network's priors (Silver et al. 2017): the highest mean + c * prior * sqrt(N) / (1 + n)."""
    first, count = nodes[node]["first"], nodes[node]["count"]
    visits, total, tried = 0, 0.0, 0.0
    for i in range(first, first + count):
        if nodes[i]["visits"] > 0:
            visits += nodes[i]["visits"]
            total += nodes[i]["total"]
            tried += nodes[i]["prior"]
    # First-play urgency: what was not tried is thought a little worse than what was.
    untried = (total / visits if visits > 0 else 0.5) - settings.fpu * math.sqrt(tried)
    exploration = settings.exploration * math.sqrt(max(1.0, float(visits)))
    chosen, highest = first, -math.inf
    for i in range(first, first + count):
        mean = nodes[i]["total"] / nodes[i]["visits"] if nodes[i]["visits"] > 0 else untried
        bonus = exploration * nodes[i]["prior"] / (1.0 + nodes[i]["visits"])
        if variant.solver:
            exact = nodes[i]["exact"]
            if not math.isnan(exact):  # a win is taken, a loss is not, and a draw is worth what it is
                mean = exact
                bonus = math.inf if exact >= best(variant) else -math.inf if exact <= worst(variant) else bonus
        scored(i, mean, bonus, mean + bonus)
        if mean + bonus > highest:
            chosen, highest = i, mean + bonus
    return chosen  # type: ignore[no-any-return]


@compiled
def playout(
    state: Any,
    settings: MctsSettings,
    variant: MctsVariant,
    rng: Any,
    rewards: Any,
    played: Any,
    simulation: int,
    budget: Budget,
    endgame: EndgameTable | NoTable,
    learned: Any,
) -> int:
    """Simulation: play to the end, or to the depth limit, and write each player's reward; returns the moves made.

    0 if the reward is exact: the game is over, or the endgame table knows how it ends.
    """
    known = endgame_value(state, endgame)
    if not math.isnan(known):
        for player in range(variant.players):
            value = known if player == 0 else -known
            rewards[player] = value / settings.scale if variant.reward == MARGIN else scaled(value, settings, variant)
            rewarded(player, rewards[player])
        return 0
    options = action_buffer(state)
    count = legal_actions(state, options)
    made = 0
    while count:
        mover = to_move(state)
        enough = variant.shortened and made >= settings.rollout_depth
        if mover != CHANCE and (enough or (made & 1023 == 1023 and budget.halted())):
            guess = float(evaluation(state))
            for player in range(variant.players):
                value = guess if player == mover else settings.low + settings.high - guess
                rewards[player] = scaled(value, settings, variant)
                rewarded(player, rewards[player])
            return made
        action = playout_choice(state, options, count, settings, variant, rng, learned)
        if variant.rave and mover != CHANCE and 0 <= action < AMAF_ACTIONS:
            played[mover, action] = simulation
        playout_moved(state, action)
        state = result(state, action)
        made += 1
        count = legal_actions(state, options)
    for player in range(variant.players):
        rewards[player] = reward_of(state, player, settings, variant)
        rewarded(player, rewards[player])
    return made


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


# Rewards, priors and playout policies -----------------------------------------------------------------------------


@inlined
def best(variant: MctsVariant) -> float:
    """The highest reward there is."""
    return 1.0


@inlined
def worst(variant: MctsVariant) -> float:
    """The lowest reward there is."""
    return 0.0 if variant.reward == WIN_DRAW_LOSS else -1.0


@inlined
def scaled(value: float, settings: MctsSettings, variant: MctsVariant) -> float:
    """The reward of a utility."""
    share = (value - settings.low) / (settings.high - settings.low)
    return share if variant.reward == WIN_DRAW_LOSS else 2.0 * share - 1.0


@inlined
def reward_of(state: Any, player: int, settings: MctsSettings, variant: MctsVariant) -> float:
    """The reward of a finished game to a player."""
    if variant.reward == MARGIN:
        reward = float(score(state, player)) / settings.scale
    else:
        reward = scaled(float(utility(state, player)), settings, variant)
    return reward


@compiled
def prior_of(state: Any, action: int, settings: MctsSettings, variant: MctsVariant) -> float:
    """What the evaluation makes of an action, as a reward to the player who takes it."""
    following = result(state, action)
    mover = to_move(state)
    if mover == CHANCE:
        return 0.0
    if terminal(following):
        return scaled(float(utility(following, mover)), settings, variant)
    guess = float(evaluation(following))
    return scaled(guess if to_move(following) == mover else settings.low + settings.high - guess, settings, variant)


@compiled
def order_by_prior(
    nodes: Any, first: int, count: int, state: Any, settings: MctsSettings, variant: MctsVariant
) -> None:
    """Sort new children, best first, by what the evaluation makes of them."""
    for i in range(count):
        action = int(nodes[first + i]["action"])
        prior = np.float32(prior_of(state, action, settings, variant))  # as it is stored, so that ties stay ties
        j = i
        while j > 0 and nodes[first + j - 1]["prior"] < prior:
            nodes[first + j]["action"] = nodes[first + j - 1]["action"]
            nodes[first + j]["prior"] = nodes[first + j - 1]["prior"]
            j -= 1
        nodes[first + j]["action"] = action
        nodes[first + j]["prior"] = prior


@compiled
def greedy_action(state: Any, options: Any, count: int, settings: MctsSettings, variant: MctsVariant) -> int:
    """The action that the evaluation likes best."""
    chosen, highest = options[0], -math.inf
    for i in range(count):
        value = prior_of(state, options[i], settings, variant)
        if value > highest:
            chosen, highest = options[i], value
    return chosen  # type: ignore[no-any-return]


def playout_choice(
    state: Any, options: Any, count: int, settings: MctsSettings, variant: MctsVariant, rng: Any, learned: Any
) -> int:
    """One action of a playout, by the variant's policy; chance is always drawn."""
    if variant.policy == UNIFORM or to_move(state) == CHANCE:
        return random_action(state, options, count, rng)
    if variant.policy == GAME:
        return playout_action(state, options, count, rng)
    if variant.policy == LEARNED:
        return learned_action(state, options, count, learned, rng)
    if random_unit(rng) < settings.epsilon:
        return random_action(state, options, count, rng)
    return greedy_action(state, options, count, settings, variant)


@native(playout_choice)
def _playout_choice(state: Any, options: Any, count: Any, settings: Any, variant: Any, rng: Any, learned: Any) -> Any:
    def uniform(state, options, count, settings, variant, rng, learned):  # type: ignore[no-untyped-def]
        return options[random_below(rng, count)]

    def uniform_with_chance(state, options, count, settings, variant, rng, learned):  # type: ignore[no-untyped-def]
        return random_action(state, options, count, rng)

    def by_game(state, options, count, settings, variant, rng, learned):  # type: ignore[no-untyped-def]
        if to_move(state) == CHANCE:
            return random_action(state, options, count, rng)
        return playout_action(state, options, count, rng)

    def by_learning(state, options, count, settings, variant, rng, learned):  # type: ignore[no-untyped-def]
        if to_move(state) == CHANCE:
            return random_action(state, options, count, rng)
        return learned_action(state, options, count, learned, rng)

    def greedy(state, options, count, settings, variant, rng, learned):  # type: ignore[no-untyped-def]
        if to_move(state) == CHANCE or random_unit(rng) < settings.epsilon:
            return random_action(state, options, count, rng)
        return greedy_action(state, options, count, settings, variant)

    without_policy = uniform_with_chance if variant.value.chance else uniform
    return {UNIFORM: without_policy, GAME: by_game, GREEDY: greedy, LEARNED: by_learning}[variant.value.policy]


# Memory -----------------------------------------------------------------------------------------------------------


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
