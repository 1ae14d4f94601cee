"""Self-play of many games at once: all trees step together in compiled code, and the network is asked once for all.

A fleet is arrays with a row for each game. One call of `play_on` gives every game of a part of the fleet the network's
last answer, and takes it to its next question: through backing up, choosing moves, ending games and beginning new
ones. Nothing happens in Python for a single game or move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.game import Game
from plyground.core.rules import (
    action_buffer,
    distinct_actions,
    legal_actions,
    max_actions,
    result,
    terminal,
    to_move,
    utility,
)
from plyground.native.compiling import compiled
from plyground.native.overloads import Static
from plyground.native.randomness import random_below, stream
from plyground.native.state_codec import read_state, word_count, write_state
from plyground.search.endgame_table import endgame_value
from plyground.search.gumbel import draw_gumbels, gumbel_choice, halving_schedule, improved_policy
from plyground.search.mcts_tree import AMAF, NODE, Tree
from plyground.search.mcts_variant import MctsSettings, MctsVariant
from plyground.search.net_search import EXPLORATION, FULL, PUCT, WAITS, Leaves, absorb, add_noise, gather, new_leaves

__all__ = [
    "SHARE",
    "Fleet",
    "Harvest",
    "Plan",
    "Style",
    "longest_game",
    "new_fleet",
    "new_harvest",
    "new_search",
    "play_on",
    "put_roots",
]

SHARE = 65535
"""Probabilities are kept as whole numbers: this is 1."""
LONGEST = 1000
"""Plies after which a game is a draw."""
NEVER = -2.0
"""A threshold below every value: nobody resigns."""


@dataclass(frozen=True)
class Style(Static):
    """How self-play chooses: by `gumbel` numbers and sequential halving, or by noise and temperature."""

    gumbel: bool = True


class Plan(NamedTuple):
    """The numbers of self-play.

    `simulations` of each move beside the one that judges the root. Without gumbel: `noise` is the share of Dirichlet
    noise with this `concentration`, and the first `warm` plies are drawn in proportion to visits. `opening` plies at
    most, a random number, are made at random and not learned from. A player that values its own position below `resign`
    (from -1 to 1) gives up, but in one game of ten nobody does, by which the threshold is measured. After `rounds`
    games a row of the fleet rests; 0 is never.
    """

    simulations: int = 32
    noise: float = 0.25
    concentration: float = 1.0
    warm: int = 20
    opening: int = 0
    resign: float = NEVER
    rounds: int = 0


class Fleet(NamedTuple):
    """Games in progress. What was thought at each ply is kept until the game is over and its result known."""

    roots: NDArray[np.uint64]  # the states, [games, words]
    nodes: NDArray[Any]  # the trees, [games, places]
    used: NDArray[np.int64]  # [games, 1]
    leaves: Leaves
    waiting: NDArray[np.int8]  # whether the game's leaf is with the network
    simulations: NDArray[np.int32]  # of this move
    judged: NDArray[np.float32]  # what the network says of the root, 0 to 1
    gumbels: NDArray[np.float32]
    streams: NDArray[np.uint64]
    finished: NDArray[np.int32]  # games of this row that are over
    lengths: NDArray[np.int32]  # plies kept
    plies: NDArray[np.int32]  # plies made
    words: NDArray[np.uint64]  # [games, plies, words]
    policies: NDArray[np.uint16]  # [games, plies, actions], in shares
    values: NDArray[np.float32]  # what the search thought, to the player to move
    movers: NDArray[np.int8]
    plays_out: NDArray[np.int8]  # nobody resigns here
    lowest: NDArray[np.float32]  # the least that each player thought of its position, [games, 2]


class Harvest(NamedTuple):
    """Positions of finished games: states, policies in shares, results and thoughts to the player to move.

    `counts` are positions, games, plies of these games, plays that first won, drawn, resigned, simulations; `regrets`
    are, of the games in which nobody resigned, what the player who did not lose had thought at worst.
    """

    words: NDArray[np.uint64]
    policies: NDArray[np.uint16]
    results: NDArray[np.float32]
    thoughts: NDArray[np.float32]
    counts: NDArray[np.int64]
    regrets: NDArray[np.float32]


POSITIONS, GAMES, PLIES, FIRST_WON, DRAWN, RESIGNED, SIMULATIONS, REGRETS = range(8)


def new_fleet(game: Game, games: int, plan: Plan, seed: int, longest: int) -> Fleet:
    """A fleet at the start of its games. `longest` is room for the plies of a game; longer ones end drawn."""
    start, simulations = game.initial, plan.simulations
    words, actions = word_count(start), distinct_actions(start)
    # A simulation expands one node; a game has fewer moves on average than at most.
    places = min(1 + (simulations + 1) * max_actions(start), 1 + 3 * max_actions(start) + 20 * simulations)
    fleet = Fleet(
        np.zeros((games, words), np.uint64),
        np.zeros((games, places), NODE),
        np.ones((games, 1), np.int64),
        new_leaves(start, games, simulations + 4),
        np.zeros(games, np.int8),
        np.zeros(games, np.int32),
        np.zeros(games, np.float32),
        np.zeros((games, max_actions(start)), np.float32),
        np.stack([stream(seed, number) for number in range(games)]),
        np.zeros(games, np.int32),
        np.zeros(games, np.int32),
        np.zeros(games, np.int32),
        np.zeros((games, longest, words), np.uint64),
        np.zeros((games, longest, actions), np.uint16),
        np.zeros((games, longest), np.float32),
        np.zeros((games, longest), np.int8),
        np.zeros(games, np.int8),
        np.zeros((games, 2), np.float32),
    )
    begin_games(start, fleet, plan.opening)
    return fleet


def longest_game(game: Game) -> int:
    """Room for the plies of a game, judged by some random ones."""
    random = stream(1)
    most = max(random_game(game.initial, random) for _ in range(200))
    return min(LONGEST, most + most // 4 + 2)


@compiled
def random_game(state: Any, rng: Any) -> int:
    """How long a random game is."""
    plies = 0
    options = action_buffer(state)
    count = legal_actions(state, options)
    while count and plies < LONGEST:
        state = result(state, options[random_below(rng, count)])
        count = legal_actions(state, options)
        plies += 1
    return plies


def put_roots(fleet: Fleet) -> None:
    """Restart the search of every game's present state."""
    fleet.used[:] = 1
    fleet.simulations[:] = 0
    fleet.waiting[:] = 0
    for name, value in (("first", 0), ("count", 0), ("visits", 0), ("total", 0.0), ("exact", np.nan)):
        fleet.nodes[name][:, 0] = value


@compiled
def begin_games(like: Any, fleet: Fleet, opening: int) -> None:
    """Put a first state into every row."""
    for game in range(len(fleet.roots)):
        put_root(fleet, game, fresh_start(like, fleet, game, opening))


def new_harvest(game: Game, games: int, longest: int) -> Harvest:
    """Room for what one call of `play_on` can bring in."""
    rows = games * longest
    start = game.initial
    return Harvest(
        np.zeros((rows, word_count(start)), np.uint64),
        np.zeros((rows, distinct_actions(start)), np.uint16),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.float32),
        np.zeros(8, np.int64),
        np.zeros(2 * games, np.float32),
    )


class Search(NamedTuple):
    """What `play_on` needs beside the games: numbers of the search, and two arrays that no tree of ours uses."""

    settings: MctsSettings
    plan: Plan
    schedule: NDArray[np.int32]
    amaf: NDArray[Any]
    keys: NDArray[np.uint64]
    blocks: NDArray[np.int32]


def new_search(game: Game, plan: Plan, exploration: float = EXPLORATION) -> Search:
    """The search of a plan."""
    low, high = game.utilities
    bound = max(abs(low), abs(high))
    return Search(
        MctsSettings(exploration=exploration, low=-bound, high=bound),
        plan,
        halving_schedule(plan.simulations),
        np.zeros(1, AMAF),
        np.zeros(1, np.uint64),
        np.zeros(1, np.int32),
    )


SELFPLAY = PUCT
"""Each tree has one leaf with the network at a time, so that no virtual losses are needed."""


@compiled
def play_on(
    like: Any,
    fleet: Fleet,
    begin: int,
    end: int,
    logits: Any,
    values: Any,
    search: Search,
    variant: MctsVariant,
    style: Style,
    harvest: Harvest,
    endgame: Any,
) -> None:
    """Take the games from `begin` to `end` to their next questions.

    `like` is the initial state; logits and values answer the last questions, a row for each game of the whole fleet.
    Games end where the endgame table knows the result.
    """
    harvest.counts[:] = 0
    plan = search.plan
    options = action_buffer(like)
    for game in range(begin, end):
        rng = fleet.streams[game]
        tree = Tree(fleet.nodes[game], fleet.used[game], search.amaf, search.keys, search.blocks)
        nodes = tree.nodes
        state = read_state(like, fleet.roots[game])
        if fleet.waiting[game]:
            fleet.waiting[game] = 0
            absorb(tree, like, search.settings, variant, fleet.leaves, game, logits[game], values[game])
            if fleet.simulations[game] == 0:
                fleet.judged[game] = 0.5 + 0.5 * values[game]
                if style.gumbel:
                    draw_gumbels(fleet.gumbels[game], nodes[0]["count"], rng)
                else:
                    add_noise(nodes, plan.noise, plan.concentration, rng)
            fleet.simulations[game] += 1
        while plan.rounds == 0 or fleet.finished[game] < plan.rounds:
            ready = fleet.simulations[game] > plan.simulations or not math.isnan(nodes[0]["exact"])
            if nodes[0]["first"] == 0:
                if legal_actions(state, options) == 1:  # nothing to think about
                    state = moved_to(like, fleet, game, result(state, options[0]), -1, plan.opening, harvest, endgame)
                    continue
            elif ready:
                state = move(like, state, fleet, game, search, style, harvest, endgame)
                continue
            forced = -1
            if style.gumbel and nodes[0]["first"] != 0:
                row = min(nodes[0]["count"], len(search.schedule) - 1)
                forced = gumbel_choice(nodes, fleet.gumbels[game], search.schedule[row, fleet.simulations[game] - 1])
            outcome = gather(tree, state, forced, search.settings, variant, rng, fleet.leaves, game, endgame)
            if outcome == WAITS:
                fleet.waiting[game] = 1
                harvest.counts[SIMULATIONS] += 1
                break
            fleet.simulations[game] += 1
            if outcome == FULL:
                fleet.simulations[game] = plan.simulations + 1


@compiled
def move(
    like: Any, state: Any, fleet: Fleet, game: int, search: Search, style: Style, harvest: Harvest, endgame: Any
) -> Any:
    """Make the move that the search has found, keep what was thought, and return the state to search next."""
    nodes, rng, plan = fleet.nodes[game], fleet.streams[game], search.plan
    first, count = nodes[0]["first"], nodes[0]["count"]
    visits, total, most, chosen = 0, 0.0, -1, first
    for i in range(first, first + count):
        visits += nodes[i]["visits"]
        total += nodes[i]["total"]
        if nodes[i]["visits"] > most:
            chosen, most = i, nodes[i]["visits"]
    here = fleet.lengths[game]
    policy = fleet.policies[game, here]
    policy[:] = 0
    thought = 2.0 * total / visits - 1.0 if visits else 2.0 * fleet.judged[game] - 1.0
    proven = nodes[0]["exact"]
    if style.gumbel:
        wishes = np.zeros(len(policy), np.float32)
        improved_policy(nodes, fleet.judged[game], wishes)
        for action in range(len(policy)):
            policy[action] = np.uint16(wishes[action] * SHARE + 0.5)
        chosen = gumbel_choice(nodes, fleet.gumbels[game], -1)
    else:
        for i in range(first, first + count):
            policy[nodes[i]["action"]] = np.uint16(nodes[i]["visits"] * SHARE / max(1, visits))
        if fleet.plies[game] < plan.warm:
            rest = random_below(rng, max(1, visits))
            for i in range(first, first + count):
                rest -= nodes[i]["visits"]
                if rest < 0:
                    chosen = i
                    break
    if not math.isnan(proven):
        thought = 2.0 * proven - 1.0
        best = -1.0
        for i in range(first, first + count):  # a move that keeps what is proven; the policy learns it too
            if nodes[i]["exact"] > best:
                chosen, best = i, nodes[i]["exact"]
        policy[:] = 0
        policy[nodes[chosen]["action"]] = SHARE
    mover = to_move(state)
    write_state(state, fleet.words[game, here])
    fleet.values[game, here] = thought
    fleet.movers[game, here] = mover
    fleet.lengths[game] = here + 1
    fleet.lowest[game, mover] = min(fleet.lowest[game, mover], thought)
    if thought < plan.resign and not fleet.plays_out[game]:
        return moved_to(like, fleet, game, state, mover, plan.opening, harvest, endgame)
    after = result(state, int(nodes[chosen]["action"]))
    return moved_to(like, fleet, game, after, -1, plan.opening, harvest, endgame)


@compiled
def moved_to(
    like: Any, fleet: Fleet, game: int, state: Any, loser: int, opening: int, harvest: Harvest, endgame: Any
) -> Any:
    """The game is at this state, or ended there if a `loser` has resigned (-1 if not); the state to search next."""
    fleet.plies[game] += 1
    value = math.nan  # to player 0
    if loser >= 0:
        value = -1.0 if loser == 0 else 1.0
    elif terminal(state):
        value = max(-1.0, min(1.0, float(utility(state, 0))))
    else:
        value = endgame_value(state, endgame)
    if not math.isnan(value) or fleet.lengths[game] == fleet.words.shape[1]:
        value = 0.0 if math.isnan(value) else value
        reap(fleet, game, value, loser, harvest)
        fleet.finished[game] += 1
        state = fresh_start(like, fleet, game, opening)
    put_root(fleet, game, state)
    return state


@compiled
def put_root(fleet: Fleet, game: int, state: Any) -> None:
    """Begin the search of a state."""
    write_state(state, fleet.roots[game])
    fleet.used[game, 0] = 1
    fleet.simulations[game] = 0
    fleet.nodes[game, 0]["first"] = 0
    fleet.nodes[game, 0]["count"] = 0
    fleet.nodes[game, 0]["visits"] = 0
    fleet.nodes[game, 0]["total"] = 0.0
    fleet.nodes[game, 0]["exact"] = np.nan


@compiled
def fresh_start(like: Any, fleet: Fleet, game: int, opening: int) -> Any:
    """The first state of a new game."""
    fleet.plies[game] = 0
    fleet.lengths[game] = 0
    fleet.lowest[game] = 1.0
    fleet.plays_out[game] = random_below(fleet.streams[game], 10) == 0
    state = like
    options = action_buffer(like)
    for _ in range(random_below(fleet.streams[game], opening + 1)):
        count = legal_actions(state, options)
        if count == 0:
            return like
        state = result(state, options[random_below(fleet.streams[game], count)])
        fleet.plies[game] += 1
    return like if terminal(state) else state


@compiled
def reap(fleet: Fleet, game: int, value: float, loser: int, harvest: Harvest) -> None:
    """Bring in a game that is over, with what it was worth to player 0."""
    counts = harvest.counts
    for ply in range(fleet.lengths[game]):
        row = counts[POSITIONS]
        harvest.words[row] = fleet.words[game, ply]
        harvest.policies[row] = fleet.policies[game, ply]
        harvest.results[row] = value if fleet.movers[game, ply] == 0 else -value
        harvest.thoughts[row] = fleet.values[game, ply]
        counts[POSITIONS] += 1
    counts[GAMES] += 1
    counts[PLIES] += fleet.plies[game]
    counts[FIRST_WON] += value > 0.0
    counts[DRAWN] += value == 0.0
    counts[RESIGNED] += loser >= 0
    if fleet.plays_out[game]:
        for player in range(2):
            if (value >= 0.0) == (player == 0) or value == 0.0:
                harvest.regrets[counts[REGRETS]] = fleet.lowest[game, player]
                counts[REGRETS] += 1
