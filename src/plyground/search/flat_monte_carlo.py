"""Flat Monte Carlo: random games after each move at the root, and the move with the best average."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import Any

import numpy as np

from plyground.core.chance import random_action
from plyground.core.limits import Budget, Limit
from plyground.core.rules import action_buffer, legal_actions, result, to_move, utility
from plyground.native.compiling import compiled
from plyground.native.randomness import stream
from plyground.search.anytime import root_actions
from plyground.search.glimpse import Glimpse, RootMove
from plyground.search.result import SearchResult, best_mean

__all__ = ["flat_search", "sample"]


@compiled
def sample(state: Any, choices: Any, totals: Any, visits: Any, player: int, rng: Any, budget: Budget) -> None:
    """Play random games after each of the `choices` in turn, until the budget is spent; add up player's utilities."""
    options = action_buffer(state)
    while True:
        for i in range(len(choices)):
            if budget.spend():
                return
            now = result(state, choices[i])
            count = legal_actions(now, options)
            while count:
                now = result(now, random_action(now, options, count, rng))
                count = legal_actions(now, options)
            totals[i] += utility(now, player)
            visits[i] += 1


def flat_search(
    state: Any, limit: Limit, seed: int = 0, show: Callable[[Callable[[], Glimpse]], None] | None = None
) -> SearchResult:
    """Flat Monte Carlo from `state`, the playouts dealt evenly to the moves, within a limit of time or simulations.

    `show` is given a function that says, from any thread, how the search stands.
    """
    options = root_actions(state, chance=True)
    choices, player = np.array(options, np.int64), int(to_move(state))
    totals, visits = np.zeros(len(options)), np.zeros(len(options), np.int64)
    budget, rng = Budget(limit.simulations), stream(seed)

    def glimpse() -> Glimpse:
        means = (totals / np.maximum(visits, 1)).tolist()
        counted = zip(options, means, visits.tolist(), strict=True)
        moves = tuple(RootMove(action, mean, mean, visits=count) for action, mean, count in counted if count)
        return Glimpse("playouts", int(visits.sum()), moves=moves)

    if show is not None:
        show(glimpse)
    sample.prepare(state, choices, totals, visits, player, rng, budget)
    start = clock.perf_counter()
    budget.run(lambda: sample(state, choices, totals, visits, player, rng, budget), limit.time)
    means = {a: float(t / n) for a, t, n in zip(options, totals, visits, strict=True) if n} or {options[0]: 0.0}
    return best_mean(means, int(visits.sum()), clock.perf_counter() - start, depth=1)
