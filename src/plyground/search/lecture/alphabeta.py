"""Alpha-beta (Knuth and Moore 1975; fail-soft: Fishburn 1983), as a lecture writes it down.

`plyground.search.alphabeta` without its options looks at the same positions in the same order, with the same windows.
"""

from __future__ import annotations

import math
from typing import Any

from plyground.core.recording import backed_up, chose, entered, evaluated, window
from plyground.core.rules import action_buffer, evaluation, legal_actions, result, terminal, to_move, utility
from plyground.native.compiling import compiled

__all__ = ["alphabeta_value"]


@compiled
def alphabeta_value(state: Any, depth: int, alpha: float, beta: float, player: int) -> float:
    """The value of `state` to `player` (MAX) when both sides look `depth` plies ahead.

    It is exact between `alpha` and `beta`, an upper bound if it is at most `alpha`, a lower one if at least `beta`.
    """
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
    window(state, alpha, beta)
    options = action_buffer(state)
    best, best_action = -math.inf if maximising else math.inf, -1
    for i in range(legal_actions(state, options)):
        value = alphabeta_value(result(state, options[i]), depth - 1, alpha, beta, player)
        backed_up(state, options[i], value)
        if value > best if maximising else value < best:
            best, best_action = value, options[i]
        if best >= beta if maximising else best <= alpha:
            break  # the other side has something better above: it will not let us come here
        if maximising:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        window(state, alpha, beta)
    chose(state, best_action, best)
    return best
