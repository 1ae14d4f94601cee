"""Which child a Monte Carlo tree search goes down to: by chance, by upper confidence bounds, by a network's priors."""

from __future__ import annotations

import math
from typing import Any

from plyground.core.recording import scored
from plyground.core.rules import probability
from plyground.native.compiling import inlined
from plyground.native.randomness import random_unit
from plyground.search.mcts_rewards import best, worst
from plyground.search.mcts_variant import GAME, PRIOR, ROOT_VISITS, MctsSettings, MctsVariant

__all__ = ["chosen_child", "drawn_child", "puct_child", "upper_bound"]


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
    """Selection where a player moves: an untried child, or else the one with the highest upper confidence bound.

    Of the promising ones, if some are, until all of these are proven to lose.
    """
    first, count, visits = nodes[node]["first"], nodes[node]["count"], nodes[node]["visits"]
    if variant.guided and settings.widening > 0.0:
        count = min(count, max(1, int(settings.widening * (visits + 1.0) ** settings.widening_power)))
    every = first + count
    if variant.policy == GAME and not variant.guided and nodes[node]["prior"] > 0.0:
        count = int(nodes[node]["prior"])
    total_visits = nodes[0]["visits"] if variant.form == ROOT_VISITS else visits
    log_visits = math.log(total_visits) if total_visits > 1 else 0.0
    chosen, highest, whole = first, -math.inf, 0.0
    for i in range(first, every):
        if i >= first + count and highest > -math.inf:
            break
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
    """mean + exploration * sqrt(ln N / n), or mean + exploration * prior / (1 + n), with what the variants add."""
    share = 1.0 / nodes[child]["visits"]
    mean = nodes[child]["total"] * share
    value = mean
    if variant.rave and amaf[child]["visits"] > 0:
        # Gelly and Silver 2011: trust all-moves-as-first while the move itself has few visits.
        weight = math.sqrt(settings.rave / (3.0 * visits + settings.rave))
        value += weight * (amaf[child]["total"] / amaf[child]["visits"] - value)
    if variant.guided:
        value += settings.bias * nodes[child]["prior"] / (nodes[child]["visits"] + 1.0)
    if variant.form == PRIOR:
        exploration = settings.exploration * float(nodes[child]["prior"]) / (nodes[child]["visits"] + 1.0)
    else:
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
    """Selection by a network's priors (Silver et al. 2017): the highest mean + c * prior * sqrt(N) / (1 + n).

    Where the form is PRIOR, the highest mean + c * prior / (1 + n).
    """
    first, count = nodes[node]["first"], nodes[node]["count"]
    visits, total, tried = 0, 0.0, 0.0
    for i in range(first, first + count):
        if nodes[i]["visits"] > 0:
            visits += nodes[i]["visits"]
            total += nodes[i]["total"]
            tried += nodes[i]["prior"]
    # First-play urgency: what was not tried is thought a little worse than what was.
    untried = (total / visits if visits > 0 else 0.5) - settings.fpu * math.sqrt(tried)
    exploration = settings.exploration
    if variant.form != PRIOR:
        exploration = exploration * math.sqrt(max(1.0, float(visits)))
    chosen, highest = first, -math.inf
    for i in range(first, first + count):
        mean = nodes[i]["total"] / nodes[i]["visits"] if nodes[i]["visits"] > 0 else untried
        bonus = exploration * float(nodes[i]["prior"]) / (1.0 + nodes[i]["visits"])
        if variant.solver:
            exact = nodes[i]["exact"]
            if not math.isnan(exact):  # a win is taken, a loss is not, and a draw is worth what it is
                mean = exact
                bonus = math.inf if exact >= best(variant) else -math.inf if exact <= worst(variant) else bonus
        scored(i, mean, bonus, mean + bonus)
        if mean + bonus > highest:
            chosen, highest = i, mean + bonus
    return chosen  # type: ignore[no-any-return]
