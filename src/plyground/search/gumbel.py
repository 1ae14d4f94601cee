"""Choosing the root's moves with few simulations: Gumbel noise and sequential halving (Danihelka et al. 2022).

Each move of the root gets a Gumbel number; the moves with the highest number + logit are a sample without
repetition from the network's policy. They are tried equally often; then the better half is, and so on. What is
played is the move that is best in the end, and what the network learns is the improved policy, in which every move
that was not tried counts as much as the position: with this the policy gets better even from two simulations.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.native.compiling import compiled, inlined
from plyground.native.randomness import random_unit

__all__ = ["CONSIDERED", "draw_gumbels", "gumbel_choice", "halving_schedule", "improved_policy"]

CONSIDERED = 16
"""Moves that are tried at most."""
VISIT_OFFSET, VALUE_SCALE = 50.0, 0.1
"""How much values, from 0 to 1, count against logits: (offset + most visits) * scale. With a scale of 1 the policy
to learn is sure of whatever a young network's values say: in Connect Four, after seven minutes, that cost 70 Elo."""


def halving_schedule(simulations: int, considered: int = CONSIDERED) -> NDArray[np.int32]:
    """How many visits a move must have to be tried next: [number of moves, simulation].

    Row m is for a root of m moves; from `considered` moves on the last row holds.
    """
    table = np.zeros((considered + 1, simulations), np.int32)
    for moves in range(1, considered + 1):
        table[moves] = _halving(moves, simulations)
    return table


def _halving(moves: int, simulations: int) -> list[int]:
    if moves == 1:
        return list(range(simulations))
    phases = math.ceil(math.log2(moves))
    still, visits = moves, [0] * moves
    order: list[int] = []
    while len(order) < simulations:
        for _ in range(max(1, simulations // (phases * still))):
            order += visits[:still]
            for i in range(still):
                visits[i] += 1
        still = max(2, still // 2)
    return order[:simulations]


@compiled
def draw_gumbels(out: Any, count: int, rng: Any) -> None:
    """Gumbel-distributed numbers for the first moves of the root."""
    for i in range(count):
        out[i] = -math.log(-math.log(max(1e-300, random_unit(rng))))


@inlined
def gumbel_value(nodes: Any, child: int, most: int) -> float:
    """What a move's mean counts beside its logit."""
    exact = nodes[child]["exact"]
    mean = nodes[child]["total"] / max(1, nodes[child]["visits"]) if math.isnan(exact) else exact
    return (VISIT_OFFSET + most) * VALUE_SCALE * mean  # type: ignore[no-any-return]


@compiled
def gumbel_choice(nodes: Any, gumbels: Any, wanted: int) -> int:
    """The child of the root with the highest Gumbel number + logit + value, of those with `wanted` visits.

    -1 asks for those with most visits: what is played in the end. If none has that many visits, the next fewer.
    """
    first, count = nodes[0]["first"], nodes[0]["count"]
    most, below = 0, -1
    for i in range(first, first + count):
        most = max(most, nodes[i]["visits"])
    if wanted < 0:
        wanted = most
    for i in range(first, first + count):
        if nodes[i]["visits"] <= wanted:
            below = max(below, nodes[i]["visits"])
    chosen, highest = first, -math.inf
    for i in range(first, first + count):
        if nodes[i]["visits"] == below:
            value = gumbels[i - first] + math.log(max(1e-30, nodes[i]["prior"]))
            if nodes[i]["visits"] > 0 or not math.isnan(nodes[i]["exact"]):
                value += gumbel_value(nodes, i, most)
            if value > highest:
                chosen, highest = i, value
    return chosen  # type: ignore[no-any-return]


@compiled
def improved_policy(nodes: Any, judged: float, out: Any) -> None:
    """Write the improved policy of the root by action, zeros before; `judged` is the network's value of it, 0 to 1.

    A move without visits counts what the position is worth, by the network and by the moves that were tried.
    """
    first, count = nodes[0]["first"], nodes[0]["count"]
    visits, most, weight, mean = 0, 0, 0.0, 0.0
    for i in range(first, first + count):
        tries = nodes[i]["visits"]
        if tries > 0:
            visits += tries
            most = max(most, tries)
            weight += nodes[i]["prior"]
            mean += nodes[i]["prior"] * nodes[i]["total"] / tries
    mixed = judged
    if weight > 0.0:
        mixed = (judged + visits * mean / weight) / (1.0 + visits)
    highest, whole = -math.inf, 0.0
    for sweep in range(3):
        for i in range(first, first + count):
            value = (VISIT_OFFSET + most) * VALUE_SCALE * mixed
            if nodes[i]["visits"] > 0 or not math.isnan(nodes[i]["exact"]):
                value = gumbel_value(nodes, i, most)
            value += math.log(max(1e-30, nodes[i]["prior"]))
            if sweep == 0:
                highest = max(highest, value)
            elif sweep == 1:
                whole += math.exp(value - highest)
            else:
                out[nodes[i]["action"]] = math.exp(value - highest) / whole
