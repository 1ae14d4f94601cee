"""Random playouts: the game played to its end by uniformly random moves, or by a policy that was learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyground.core.rules import action_buffer, drawn_action, result
from plyground.native.compiling import compiled
from plyground.native.overloads import Static

__all__ = ["NO_POLICY", "NoPolicy", "learned_action", "playout", "playouts"]


@dataclass(frozen=True)
class NoPolicy(Static):
    """Stands where playouts follow no learned policy: compiled code then holds nothing of it."""


NO_POLICY = NoPolicy()


def learned_action(state: Any, actions: Any, count: int, policy: Any, rng: Any) -> int:
    """One of the `count` legal actions by a learned policy, such as `engines.reversi.rollout.RolloutPolicy`.

    A policy has a method ``choose(state, actions, count, rng)``; what compiled code does for it is registered for this
    function, where the policy's type is defined.
    """
    return policy.choose(state, actions, count, rng)  # type: ignore[no-any-return]


@compiled
def playout(state: Any, rng: Any) -> Any:
    """The terminal state that a random game from here ends in."""
    actions = action_buffer(state)
    action = drawn_action(state, actions, rng)
    while action >= 0:
        state = result(state, action)
        action = drawn_action(state, actions, rng)
    return state


@compiled
def playouts(state: Any, games: int, rng: Any) -> int:
    """Play many random games; the number of moves in all of them."""
    actions = action_buffer(state)
    moves = 0
    for _ in range(games):
        now = state
        action = drawn_action(now, actions, rng)
        while action >= 0:
            now = result(now, action)
            action = drawn_action(now, actions, rng)
            moves += 1
    return moves
