"""Perfect information Monte Carlo: deal what is hidden again and again, solve each deal with open cards, and average.

The bridge programs' way (Levy, "The million pound bridge program", 1989; Ginsberg's GIB, 2001). In each world the
solver plays the rest as if it saw everything. So it may count on finding out later what it never will, and plan to do
different things in states that it cannot tell apart: *strategy fusion* (Frank and Basin, 1998).
"""

from __future__ import annotations

import math
import time as clock
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyground.core.limits import Budget, Limit
from plyground.core.rules import (
    CHANCE,
    action_buffer,
    legal_actions,
    possible_state,
    probability,
    result,
    to_move,
    utility,
)
from plyground.native.compiling import compiled
from plyground.native.dispatch import optional
from plyground.native.overloads import Static
from plyground.native.randomness import stream
from plyground.search.anytime import root_actions
from plyground.search.result import SearchResult, best_mean

__all__ = ["open_value", "pimc_search", "solved"]


@optional()
def open_value(state: Any, player: Any) -> float:
    """What a state is worth to a player if everything lay open and all played their best.

    For games that have a faster way to know it than `solved`, which is used for the others.
    """
    return np.nan


@dataclass(frozen=True)
class Way(Static):
    """How a world is solved: by the game's own rule, or by search. Compiled code holds one of them."""

    known: bool


@compiled
def solved(state: Any, player: int, low: float, high: float) -> float:
    """The same by alpha-beta to the end of the game, for two players and zero sum; exact between `low` and `high`."""
    options = action_buffer(state)
    count = legal_actions(state, options)
    if count == 0:
        return float(utility(state, player))
    mover = to_move(state)
    if mover == CHANCE:
        value = 0.0
        for i in range(count):
            value += probability(state, options[i]) * solved(result(state, options[i]), player, -math.inf, math.inf)
        return value
    best = -math.inf if mover == player else math.inf
    for i in range(count):
        value = solved(result(state, options[i]), player, low, high)
        if mover == player:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if low >= high:
            break
    return best


@compiled
def sample_worlds(state: Any, player: int, choices: Any, totals: Any, way: Way, rng: Any, budget: Budget) -> int:
    """Add up what each choice is worth in worlds that may be, until the budget is spent; how many there were."""
    worlds = 0
    while not budget.spend():
        world = possible_state(state, player, rng)
        for i in range(len(choices)):
            after = result(world, choices[i])
            totals[i] += open_value(after, player) if way.known else solved(after, player, -math.inf, math.inf)
        worlds += 1
    return worlds


def pimc_search(state: Any, limit: Limit, seed: int = 0) -> SearchResult:
    """Choose by a number of worlds (`Limit.simulations`), or as many as the time allows; of equal actions the first.

    The values are averages over the worlds of what an action is worth if all cards are then laid open.
    """
    options = root_actions(state, chance=True)
    choices, totals, player = np.array(options, np.int64), np.zeros(len(options)), int(to_move(state))
    budget, rng = Budget(limit.simulations), stream(seed)
    arguments = (state, player, choices, totals, Way(type(state) in open_value.implementations), rng, budget)
    sample_worlds.prepare(*arguments)
    start = clock.perf_counter()
    worlds = int(budget.run(lambda: sample_worlds(*arguments), limit.time))
    means = {action: float(total / max(1, worlds)) for action, total in zip(options, totals, strict=True)}
    return best_mean(means, worlds, clock.perf_counter() - start)
