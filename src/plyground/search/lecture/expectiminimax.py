"""Expectiminimax (Michie 1966), as a lecture writes it down: plain, and with alpha-beta between the throws of the dice.

`plyground.search.expectiminimax` without its options looks at the same positions in the same order as the second one,
and as the first one where nothing is cut. For one player, or for two with zero sum.
"""

from __future__ import annotations

import math
from typing import Any

from plyground.core.recording import backed_up, chose, entered, evaluated, skipped, window
from plyground.core.rules import (
    CHANCE,
    action_buffer,
    evaluation,
    legal_actions,
    probability,
    result,
    terminal,
    to_move,
    utility,
)
from plyground.native.compiling import compiled

__all__ = ["expectiminimax_value", "expectiminimax_within"]


@compiled
def expectiminimax_value(state: Any, depth: int, player: int) -> float:
    """The value of `state` to `player` (MAX) when everybody looks `depth` decisions ahead."""
    entered(state)
    if terminal(state):
        value = float(utility(state, player))
        evaluated(state, value)
        return value
    mover = to_move(state)
    if depth == 0 and mover != CHANCE:
        value = float(evaluation(state)) * (1.0 if mover == player else -1.0)  # it is to the player to move
        evaluated(state, value)
        return value
    options = action_buffer(state)
    if mover == CHANCE:
        mean = 0.0
        for i in range(legal_actions(state, options)):
            chance = probability(state, options[i])
            if chance == 0.0:
                skipped(state, options[i])
                continue
            value = expectiminimax_value(result(state, options[i]), depth, player)
            backed_up(state, options[i], value)
            mean += chance * value
        chose(state, -1, mean)
        return mean
    best, best_action = -math.inf if mover == player else math.inf, -1
    for i in range(legal_actions(state, options)):
        value = expectiminimax_value(result(state, options[i]), depth - 1, player)
        backed_up(state, options[i], value)
        if value > best if mover == player else value < best:
            best, best_action = value, options[i]
    chose(state, best_action, best)
    return best


@compiled
def expectiminimax_within(state: Any, depth: int, alpha: float, beta: float, player: int) -> float:
    """The same with alpha and beta, which begin anew below chance: a bound on a mean bounds none of its parts.

    The answer is exact between `alpha` and `beta`, a bound from above if it is at most `alpha`, from below if at least
    `beta`.
    """
    entered(state)
    if terminal(state):
        value = float(utility(state, player))
        evaluated(state, value)
        return value
    mover = to_move(state)
    if depth == 0 and mover != CHANCE:
        value = float(evaluation(state)) * (1.0 if mover == player else -1.0)  # it is to the player to move
        evaluated(state, value)
        return value
    window(state, alpha, beta)
    options = action_buffer(state)
    if mover == CHANCE:
        mean = 0.0
        for i in range(legal_actions(state, options)):
            chance = probability(state, options[i])
            if chance == 0.0:
                skipped(state, options[i])
                continue
            value = expectiminimax_within(result(state, options[i]), depth, -math.inf, math.inf, player)
            backed_up(state, options[i], value)
            mean += chance * value
        chose(state, -1, mean)
        return mean
    best, best_action = -math.inf if mover == player else math.inf, -1
    for i in range(legal_actions(state, options)):
        value = expectiminimax_within(result(state, options[i]), depth - 1, alpha, beta, player)
        backed_up(state, options[i], value)
        if value > best if mover == player else value < best:
            best, best_action = value, options[i]
        if best >= beta if mover == player else best <= alpha:
            break
        if mover == player:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        window(state, alpha, beta)
    chose(state, best_action, best)
    return best
