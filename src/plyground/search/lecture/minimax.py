"""Minimax (von Neumann 1928), as a lecture writes it down.

`plyground.search.minimax` without its options looks at the same positions in the same order.
"""

from __future__ import annotations

import math
from typing import Any

from plyground.core.recording import backed_up, chose, entered, evaluated
from plyground.core.rules import action_buffer, evaluation, legal_actions, result, terminal, to_move, utility
from plyground.native.compiling import compiled

__all__ = ["minimax_value"]


@compiled
def minimax_value(state: Any, depth: int, player: int) -> float:
    """The value of `state` to `player` (MAX) when both sides look `depth` plies ahead."""
    entered(state)
    if terminal(state):
        value = float(utility(state, player))
        evaluated(state, value)
        return value
    maximising = to_move(state) == player
    if depth == 0:
        value = float(evaluation(state)) * (1.0 if maximising else -1.0)  # it is to the player to move
        evaluated(state, value)
        return value
    options = action_buffer(state)
    best, best_action = -math.inf if maximising else math.inf, -1
    for i in range(legal_actions(state, options)):
        value = minimax_value(result(state, options[i]), depth - 1, player)
        backed_up(state, options[i], value)
        if value > best if maximising else value < best:
            best, best_action = value, options[i]
    chose(state, best_action, best)
    return best
