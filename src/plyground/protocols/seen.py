"""What learning environments show of a state: planes seen by a player, and a mask of the legal actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.core.rules import actions, as_seen, distinct_actions, planes, planes_shape, to_move
from plyground.errors import BrokenRule

__all__ = ["action_mask", "legal_within", "seen_planes"]


def seen_planes(state: Any, player: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The state as `planes` writes it, of shape (channels, rows, columns), seen by a player.

    A game writes what the player to move sees. Where that is two planes, its own pieces and the others', the other one
    sees them exchanged; other games show everybody the same. Where not everything is seen, it is what the player sees.
    """
    state = as_seen(state, player)
    out = np.zeros(planes_shape(state), np.float32)
    planes(state, out)
    exchanged = out.shape[0] == 2 and type(state) in planes.implementations and player != int(to_move(state))
    return out[::-1].copy() if exchanged else out


def legal_within(state: Any) -> list[int]:
    """The legal actions, checked to be numbers below `distinct_actions`."""
    options, count = actions(state), distinct_actions(state)
    if options and not 0 <= min(options) <= max(options) < count:
        raise BrokenRule(
            f"{type(state).__name__} has an action {max(options)}, but distinct_actions says {count}; "
            f"write the rule: @distinct_actions.rule({type(state).__name__})"
        )
    return options


def action_mask(state: Any) -> np.ndarray[Any, np.dtype[np.int8]]:
    """1 for every legal action, by its number."""
    mask = np.zeros(distinct_actions(state), np.int8)
    mask[legal_within(state)] = 1
    return mask
