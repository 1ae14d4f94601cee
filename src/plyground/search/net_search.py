"""Tree search whose leaves a network judges (AlphaGo 2016, AlphaGo Zero 2017), in batches, on `search.mcts`'s tree.

A simulation has two halves. `gather` descends to a leaf and writes it down for the network; `absorb` takes the
network's answer, gives the leaf its children with their priors, and backs the value up. Between the two halves many
leaves, of one tree or of many games, are judged by one call of the network. What is known without it, such as
the end of the game, is backed up at once. As in AlphaGo of 2016 a playout from the leaf can have a say in its value:
``(1 - mix) * value + mix * reward``; `play_out` then comes between the halves.

A network is any function ``judge(planes) -> (logits, values)``: planes (n, channels, rows, columns) as the game's rule
writes them, logits (n, distinct actions), values (n,) from -1 to 1 for the player to move.
"""

from __future__ import annotations

import math
import threading
import time as clock
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.game import Game
from plyground.core.limits import Budget, Limit, ending_with
from plyground.core.recording import proved, rewarded, simulation_started
from plyground.core.rules import (
    action_buffer,
    distinct_actions,
    legal_actions,
    max_actions,
    planes,
    planes_shape,
    result,
    terminal,
    to_move,
)
from plyground.errors import BadOption
from plyground.native.compiling import compiled
from plyground.native.randomness import random_unit, stream
from plyground.native.state_codec import read_state, word_count, write_state
from plyground.search.endgame_table import NO_TABLE, endgame_value
from plyground.search.mcts import LONGEST_PATH, back_up, descend, prove, take_back_losses
from plyground.search.mcts_playout import playout
from plyground.search.mcts_rewards import reward_of
from plyground.search.mcts_tree import Tree, kept_subtree, new_tree, publish_first, take_places
from plyground.search.mcts_variant import GAME, OWN_VISITS, WIN_DRAW_LOSS, MctsSettings, MctsVariant
from plyground.search.tree_search import TreeSearch

__all__ = ["Judge", "Leaves", "NetSearch", "absorb", "add_noise", "gather", "new_leaves", "play_out"]

Judge = Callable[[NDArray[np.float32]], tuple[NDArray[np.float32], NDArray[np.float32]]]

WAITS, KNOWN, MET, FULL = range(4)
"""What became of a descent: its leaf waits for the network; it needs none; its leaf waits already; there is no room."""

PENDING = -1
"""The number of children of a node that waits for the network."""

PUCT = MctsVariant(reward=WIN_DRAW_LOSS, puct=True, solver=True)
EXPLORATION = 0.625
"""AlphaZero's 1.25, for means from 0 to 1 instead of -1 to 1."""
LONGEST_PLAYOUT = 4096
"""Moves after which a playout is ended by the evaluation, so that a game without an end is not a trap."""


class Leaves(NamedTuple):
    """Leaves that wait for the network, a row each: the state, its planes, the way there, and a playout's rewards."""

    words: NDArray[np.uint64]
    planes: NDArray[np.float32]
    path: NDArray[np.int32]
    movers: NDArray[np.int8]
    depth: NDArray[np.int32]
    rewards: NDArray[np.float64]


def new_leaves(state: Any, rows: int, longest: int = LONGEST_PATH) -> Leaves:
    """Room for `rows` leaves of the game of this state, none deeper than `longest`."""
    return Leaves(
        np.zeros((rows, word_count(state)), np.uint64),
        np.zeros((rows, *planes_shape(state)), np.float32),
        np.zeros((rows, longest), np.int32),
        np.zeros((rows, longest), np.int8),
        np.zeros(rows, np.int32),
        np.zeros((rows, 2)),
    )


@compiled
def gather(
    tree: Tree,
    state: Any,
    forced: int,
    settings: MctsSettings,
    variant: MctsVariant,
    rng: Any,
    leaves: Leaves,
    row: int,
    endgame: Any = NO_TABLE,
) -> int:
    """The first half of a simulation from `state`, the root; `forced` is a child of the root to begin with, or -1.

    WAITS: the leaf is in this row. KNOWN: the simulation is complete. MET and FULL: nothing has changed.
    """
    nodes, path, movers = tree.nodes, leaves.path[row], leaves.movers[row]
    if tree.used[0] + 2 * max_actions(state) > len(nodes):
        return FULL
    simulation_started(state)
    now, depth, _ = descend(tree, state, forced, settings, variant, rng, path, movers)
    node = path[depth]
    exact = math.nan
    if variant.solver and depth > 0:
        exact = nodes[node]["exact"]
    if math.isnan(exact):
        if terminal(now):
            exact = reward_of(now, movers[depth], settings, variant)
        elif depth > 0:  # of the root's moves one is wanted, however well the root is known
            known = endgame_value(now, endgame)  # to player 0
            if not math.isnan(known):
                share = (known - settings.low) / (settings.high - settings.low)
                exact = share if movers[depth] == 0 else 1.0 - share
        if not math.isnan(exact) and variant.solver and depth > 0:
            nodes[node]["exact"] = exact
            proved(node, exact)
    if not math.isnan(exact):
        credit(tree, path, movers, depth, exact, settings, variant)
        return KNOWN
    if nodes[node]["count"] == PENDING:
        take_back_losses(nodes, path, depth, settings, variant)
        return MET
    nodes[node]["count"] = PENDING
    leaves.depth[row] = depth
    write_state(now, leaves.words[row])
    leaves.planes[row] = 0.0
    planes(now, leaves.planes[row])
    return WAITS


@compiled
def gather_many(
    tree: Tree,
    state: Any,
    settings: MctsSettings,
    variant: MctsVariant,
    rng: Any,
    leaves: Leaves,
    most: int,
    endgame: Any,
) -> tuple[int, int, int]:
    """First halves until `most` simulations wait or are complete, or no more can begin, or the root is proven.

    How many wait, in the first rows, how many are complete, and what became of the last descent.
    """
    waiting, completed, outcome = 0, 0, WAITS
    while waiting + completed < most and outcome < MET:
        outcome = gather(tree, state, -1, settings, variant, rng, leaves, waiting, endgame)
        waiting += outcome == WAITS
        completed += outcome == KNOWN
        if not math.isnan(tree.nodes[0]["exact"]):
            break
    return waiting, completed, outcome


@compiled
def play_out(
    like: Any,
    settings: MctsSettings,
    variant: MctsVariant,
    leaves: Leaves,
    rows: int,
    rng: Any,
    budget: Budget,
    endgame: Any,
    learned: Any,
) -> None:
    """Play the games of the first rows to their ends, by the variant's policy, and keep both players' rewards.

    `like` is any state of the game.
    """
    played = np.zeros((2, 1), np.int64)
    for row in range(rows):
        state = read_state(like, leaves.words[row])
        playout(state, settings, variant, rng, leaves.rewards[row], played, 0, budget, endgame, learned)


@compiled
def absorb(
    tree: Tree,
    like: Any,
    settings: MctsSettings,
    variant: MctsVariant,
    leaves: Leaves,
    row: int,
    logits: Any,
    value: float,
) -> None:
    """The second half: the leaf in this row has these logits, and this value to whoever is to move there.

    Where the variant is mixed, the row's playout has `MctsSettings.mix` of the say. `like` is any state of the game.
    """
    path, movers, depth = leaves.path[row], leaves.movers[row], leaves.depth[row]
    state = read_state(like, leaves.words[row])
    known = expand_by_logits(tree, path[depth], state, logits, settings, variant)
    mover = to_move(state)
    share = 0.5 + 0.5 * float(value) if math.isnan(known) else known
    reward = share if mover == movers[depth] else 1.0 - share
    if not math.isnan(known):
        tree.nodes[path[depth]]["exact"] = reward
        proved(path[depth], reward)
    elif variant.mixed:
        reward = (1.0 - settings.mix) * reward + settings.mix * leaves.rewards[row, movers[depth]]
    credit(tree, path, movers, depth, reward, settings, variant)


@compiled
def absorb_many(
    tree: Tree,
    like: Any,
    settings: MctsSettings,
    variant: MctsVariant,
    leaves: Leaves,
    rows: int,
    logits: Any,
    values: Any,
) -> None:
    """The second halves of the first rows."""
    for row in range(rows):
        absorb(tree, like, settings, variant, leaves, row, logits[row], values[row])


@compiled
def expand_by_logits(
    tree: Tree, node: int, state: Any, logits: Any, settings: MctsSettings, variant: MctsVariant
) -> float:
    """Give a node its children, with the network's logits as probabilities of the moves; none if there is no room.

    Moves that end the game are known at once, however unlikely the network thinks them: one that wins would otherwise
    be found only when its turn comes. What that proves of the node, to the player to move, 0 to 1; NaN if nothing.
    """
    nodes = tree.nodes
    options = action_buffer(state)
    count = legal_actions(state, options)
    first = take_places(tree.used, count)
    if first + count > len(nodes):
        nodes[node]["count"] = 0
        return math.nan
    highest = -math.inf
    for i in range(count):
        highest = max(highest, float(logits[options[i]]))
    whole = 0.0
    for i in range(count):
        whole += math.exp(float(logits[options[i]]) - highest)
    mover, ends, most = to_move(state), 0, 0.0
    for i in range(count):
        child = nodes[first + i]
        child["total"] = 0.0
        child["visits"] = 0
        child["first"] = 0
        child["count"] = 0
        child["action"] = options[i]
        child["exact"] = np.nan
        child["prior"] = math.exp(float(logits[options[i]]) - highest) / whole
        if variant.solver:
            after = result(state, options[i])
            if terminal(after):
                child["exact"] = reward_of(after, mover, settings, variant)
                ends, most = ends + 1, max(most, float(child["exact"]))
    nodes[node]["count"] = count
    publish_first(nodes, node, first)
    return most if ends and (ends == count or most == 1.0) else math.nan


@compiled
def credit(
    tree: Tree, path: Any, movers: Any, depth: int, reward: float, settings: MctsSettings, variant: MctsVariant
) -> None:
    """Back up what a leaf is worth to the player who moved there, and what is proven by it."""
    rewards = (reward, 1.0 - reward) if movers[depth] == 0 else (1.0 - reward, reward)
    for player in range(2):
        rewarded(player, rewards[player])
    back_up(tree.nodes, path, movers, depth, rewards, settings.virtual_loss, variant)
    if variant.solver:
        prove(tree, path, movers, depth, variant)


@compiled
def add_noise(nodes: Any, share: float, concentration: float, rng: Any) -> None:
    """Mix Dirichlet noise into the priors of the root's new children: self-play tries what the network would not.

    `concentration` is the noise's alpha: 10 divided by the usual number of moves is customary.
    """
    first, count = nodes[0]["first"], nodes[0]["count"]
    whole = 0.0
    for i in range(first, first + count):
        nodes[i]["total"] = random_gamma(concentration, rng)  # lent, until the sum is known: nobody has been there yet
        whole += nodes[i]["total"]
    for i in range(first, first + count):
        noise = nodes[i]["total"] / whole if whole > 0.0 else 1.0 / count
        nodes[i]["prior"] = (1.0 - share) * nodes[i]["prior"] + share * noise
        nodes[i]["total"] = 0.0


@compiled
def random_gamma(shape: float, rng: Any) -> float:
    """A gamma-distributed number (Marsaglia and Tsang 2000)."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - random_unit(rng)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        # Box and Muller's normal number
        x = math.sqrt(-2.0 * math.log(1.0 - random_unit(rng))) * math.cos(2.0 * math.pi * random_unit(rng))
        v = 1.0 + c * x
        if v > 0.0:
            v = v * v * v
            if math.log(1.0 - random_unit(rng)) < 0.5 * x * x + d - d * v + d * math.log(v):
                return boost * d * v


class NetSearch(TreeSearch):
    """A search of one game with a network; `batch` leaves are judged together, and threads are the network's own.

    `mix` is the weight of a playout in the value of a leaf, from 0 (none is played) to 1 (nothing else counts);
    playouts follow the game's own policy, or the `learned` one. `more` are arguments of every `TreeSearch`.
    """

    def __init__(
        self,
        game: Game,
        judge: Judge,
        *,
        batch: int = 8,
        exploration: float = EXPLORATION,
        fpu: float = 0.1,
        mix: float = 0.0,
        policy: int = GAME,
        form: int = OWN_VISITS,
        **more: Any,
    ) -> None:
        if batch < 1:
            raise BadOption(f"batch must be at least 1, not {batch}")
        if not 0.0 <= mix <= 1.0:
            raise BadOption(f"mix must be from 0 to 1, not {mix:g}")
        settings, variant = MctsSettings(exploration=exploration, fpu=fpu), replace(PUCT, form=form)
        if mix:
            settings = settings._replace(mix=mix, rollout_depth=LONGEST_PLAYOUT)
            variant = replace(variant, mixed=True, shortened=True, policy=policy)
        super().__init__(game, variant, settings, **more)
        self.variant = replace(self.variant, parallel=batch > 1)
        self.judge = judge
        self._leaves = new_leaves(game.initial, batch)
        self._budget = Budget()

    def prepare(self) -> None:
        tiny, random = new_tree(64, self.variant), stream(0)
        start, settings, variant, leaves = self.game.initial, self.settings, self.variant, self._leaves
        logits, values = np.zeros((1, distinct_actions(start)), np.float32), np.zeros(1, np.float32)
        gather_many.prepare(tiny, start, settings, variant, random, leaves, 1, self.endgame)
        if variant.mixed:
            play_out.prepare(start, settings, variant, leaves, 1, random, self._budget, NO_TABLE, self.learned)
        absorb_many.prepare(tiny, start, settings, variant, leaves, 1, logits, values)
        kept_subtree.prepare(tiny, 0, 0, tiny)

    def _run(self, trees: list[Tree], state: Any, limit: Limit, start: float) -> int:
        wanted = threading.Event()
        with ending_with(wanted.set):
            return self._run_until(wanted, trees, state, limit, start)

    def _run_until(self, wanted: threading.Event, trees: list[Tree], state: Any, limit: Limit, start: float) -> int:
        """Grow the tree until a limit is reached or its answer is `wanted`."""
        self._searches += 1
        random = stream(self._seed, self._searches)
        done = 0
        while limit.simulations is None or done < limit.simulations:
            late = limit.time is not None and clock.monotonic() - start >= limit.time
            if late or self._halted or wanted.is_set() or not math.isnan(trees[0].nodes[0]["exact"]):
                break
            most = len(self._leaves.depth)
            if limit.simulations is not None:
                most = min(most, limit.simulations - done)
            completed, full = self._round(trees[0], state, random, most)
            done += completed
            if full:
                if limit.nodes is not None:
                    break
                trees[0] = self._with_room(trees[0])
        return done

    def _round(self, tree: Tree, state: Any, random: Any, most: int) -> tuple[int, bool]:
        """Gather leaves, ask the network once, absorb its answers; simulations done, and whether the tree is full."""
        leaves, settings, variant = self._leaves, self.settings, self.variant
        waiting, completed, outcome = gather_many(tree, state, settings, variant, random, leaves, most, self.endgame)
        if waiting:
            if variant.mixed:
                # No table: what it knows has been asked already.
                play_out(state, settings, variant, leaves, waiting, random, self._budget, NO_TABLE, self.learned)
            logits, values = map(np.ascontiguousarray, self.judge(leaves.planes[:waiting]))
            absorb_many(tree, state, settings, variant, leaves, waiting, logits, values)
        return waiting + completed, outcome == FULL
