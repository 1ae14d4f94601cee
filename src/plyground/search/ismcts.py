"""Information set Monte Carlo tree search: each player chooses by what it sees, not by what there is.

Every simulation draws a world that may be and plays it to its end. The statistics by which a player chooses belong to
its *information set*, found by the hash of its observation: all worlds that look alike to it share them, so that it
learns one action for all of them. This is the form with many observers (MO-ISMCTS) of Cowling, Powley, Whitehouse,
"Information Set Monte Carlo Tree Search", 2012, with a table instead of one tree for each player. Since players have
perfect recall, an information set is reached by one sequence of their own moves, and all its states have the same
legal actions.
"""

from __future__ import annotations

import math
import time as clock
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.chance import chance_action, random_action
from plyground.core.limits import Budget, Limit
from plyground.core.rules import (
    CHANCE,
    action_buffer,
    legal_actions,
    max_actions,
    observation,
    possible_state,
    result,
    state_hash,
    to_move,
    utility,
)
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, stream
from plyground.search.anytime import root_actions
from plyground.search.result import SearchResult

__all__ = ["IsmctsResult", "Sets", "grow_sets", "ismcts_search"]

LONGEST_PATH = 1024
DEFAULT_PLACES = 1 << 20


class Sets(NamedTuple):
    """Information sets: `keys`, where the statistics of their actions begin, and of each action visits and total.

    `used[0]` places of the statistics are taken, place 0 of them by nobody.
    """

    keys: NDArray[np.uint64]
    first: NDArray[np.int64]
    visits: NDArray[np.int64]
    totals: NDArray[np.float64]
    used: NDArray[np.int64]


def new_sets(places: int) -> Sets:
    """Room for `places` actions, a power of two."""
    return Sets(
        np.zeros(places, np.uint64),
        np.zeros(places, np.int64),
        np.zeros(places, np.int64),
        np.zeros(places),
        np.ones(1, np.int64),
    )


@compiled
def find_set(sets: Sets, key: Any) -> int:
    """The place of a key in the table, taken by it or free."""
    place: Any = np.int64(key & np.uint64(len(sets.keys) - 1))
    while sets.first[place] != 0 and sets.keys[place] != key:
        place = (place + 1) & (len(sets.keys) - 1)
    return place  # type: ignore[no-any-return]


@compiled
def grow_sets(
    sets: Sets, state: Any, player: int, exploration: float, low: float, high: float, rng: Any, budget: Budget
) -> int:
    """Run simulations for the player who is to move in `state`, until the budget is spent or the room is used up.

    Returns how many. Utilities between `low` and `high` become rewards between 0 and 1.
    """
    path, movers = np.zeros(LONGEST_PATH, np.int64), np.zeros(LONGEST_PATH, np.int64)
    options = action_buffer(state)
    simulations, room = 0, max_actions(state)
    while sets.used[0] + room < len(sets.visits) // 2 and not budget.spend():
        now = possible_state(state, player, rng)
        depth, fresh = 0, False
        count = legal_actions(now, options)
        while count:
            mover = to_move(now)
            if mover == CHANCE:
                now = result(now, chance_action(now, options, count, rng))
            elif fresh or depth >= LONGEST_PATH:
                now = result(now, random_action(now, options, count, rng))
            else:
                key = np.uint64(state_hash(observation(now, mover)))
                place = find_set(sets, key)
                fresh = sets.first[place] == 0
                if fresh:
                    sets.keys[place], sets.first[place] = key, sets.used[0]
                    sets.used[0] += count
                first = sets.first[place]
                chosen = choose(sets, first, count, exploration, rng)
                path[depth], movers[depth] = first + chosen, mover
                depth += 1
                now = result(now, options[chosen])
            count = legal_actions(now, options)
        for step in range(depth):
            sets.visits[path[step]] += 1
            sets.totals[path[step]] += (utility(now, movers[step]) - low) / (high - low)
        simulations += 1
    return simulations


@compiled
def choose(sets: Sets, first: int, count: int, exploration: float, rng: Any) -> int:
    """An action that was not tried yet, at random, or else that of the highest upper confidence bound."""
    whole, untried = 0, 0
    for i in range(first, first + count):
        whole += sets.visits[i]
        untried += sets.visits[i] == 0
    if untried:
        skip = random_below(rng, untried)
        for i in range(count):
            if sets.visits[first + i] == 0:
                if skip == 0:
                    return i
                skip -= 1
    chosen, highest = 0, -math.inf
    for i in range(count):
        visits = sets.visits[first + i]
        bound = sets.totals[first + i] / visits + exploration * math.sqrt(math.log(whole) / visits)
        if bound > highest:
            chosen, highest = i, bound
    return chosen


@dataclass(frozen=True, kw_only=True)
class IsmctsResult(SearchResult):
    """The most visited action, and the visits of each; `nodes` are the information sets that were met."""

    simulations: int
    visits: dict[int, int]


def ismcts_search(
    state: Any,
    limit: Limit,
    seed: int = 0,
    *,
    exploration: float = 1.0,
    utilities: tuple[float, float] = (-1.0, 1.0),
    places: int = DEFAULT_PLACES,
) -> IsmctsResult:
    """Search for the player to move, who knows its observation of `state` and no more.

    Ends at the limit, or when the table of `places` (a power of two) is half full.
    """
    options = root_actions(state, chance=True)
    player, (low, high) = int(to_move(state)), utilities
    sets, rng, budget = new_sets(places), stream(seed), Budget(limit.simulations)
    arguments = (sets, state, player, float(exploration), float(low), float(high), rng, budget)
    grow_sets.prepare(*arguments)
    start = clock.perf_counter()
    simulations = budget.run(lambda: grow_sets(*arguments), limit.time)
    place = find_set(sets, np.uint64(state_hash(observation(state, player))))
    first = int(sets.first[place])
    visits = {a: int(sets.visits[first + i]) for i, a in enumerate(options)}
    means = {a: low + (high - low) * float(sets.totals[first + i]) / max(1, visits[a]) for i, a in enumerate(options)}
    best = max(visits, key=lambda action: (visits[action], means[action]))
    nodes, time = int((sets.first > 0).sum()), clock.perf_counter() - start
    return IsmctsResult.choose(best, means, nodes=nodes, time=time, simulations=int(simulations), visits=visits)
