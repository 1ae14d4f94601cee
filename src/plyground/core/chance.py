"""Actions drawn at random: the outcomes of chance by their probabilities, anybody else's evenly."""

from __future__ import annotations

from typing import Any

from plyground.core.rules import CHANCE, probability, to_move
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, random_unit

__all__ = ["chance_action", "random_action"]


@compiled
def chance_action(state: Any, actions: Any, count: int, rng: Any) -> int:
    """One of the outcomes at a chance node, drawn with its probability."""
    rest = random_unit(rng)
    for i in range(count - 1):
        rest -= probability(state, actions[i])
        if rest < 0.0:
            return actions[i]  # type: ignore[no-any-return]
    return actions[count - 1]  # type: ignore[no-any-return]


@compiled
def random_action(state: Any, actions: Any, count: int, rng: Any) -> int:
    """One of the `count` legal actions: uniformly random, or by their probabilities where chance moves."""
    if to_move(state) == CHANCE:
        return chance_action(state, actions, count, rng)
    return actions[random_below(rng, count)]  # type: ignore[no-any-return]
