"""Quiescence search: at the depth limit, look on along noisy moves until the position is quiet.

A guess in the middle of an exchange is worthless: the answer may turn everything (the horizon effect). Which actions
are noisy, the game says (`plyground.core.rules.noisy`). The player to move need not play one of them: it may stand on
the evaluation, so

    QUIET(s) = best of the evaluation and, over noisy actions a, QUIET(RESULT(s, a)).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.core.limits import Budget
from plyground.core.recording import ALPHA_CUT, BETA_CUT, backed_up, chose, cut, entered, evaluated, stood, window
from plyground.core.rules import action_buffer, legal_actions, noisy, result, terminal, to_move, utility
from plyground.native.compiling import compiled
from plyground.search.evaluations import leaf_evaluation
from plyground.search.scale import Scale

__all__ = ["quiet_value"]


@compiled
def quiet_value(
    state: Any,
    depth: int,
    alpha: float,
    beta: float,
    player: int,
    arrived: Any,
    scale: Scale,
    variant: Any,
    budget: Budget,
) -> float:
    """QUIET(state) to `player`, at most `depth` noisy moves further; the contract is alpha-beta's.

    `arrived` is True where the search above has already counted and entered the node.
    """
    if not arrived:
        entered(state)
        if budget.spend():
            return 0.0
        if terminal(state):
            value = scale.of(float(utility(state, player)))
            evaluated(state, value)
            return value
    maximising = to_move(state) == player
    best = scale.checked(leaf_evaluation(state, variant))
    if not maximising:
        best = 0.0 - best
    options = action_buffer(state)
    count = legal_actions(state, options) if depth > 0 else 0
    loud = 0
    for i in range(count):
        if noisy(state, options[i]):
            options[loud] = options[i]
            loud += 1
    if loud == 0:
        evaluated(state, best)
        return best
    stood(state, best)
    window(state, alpha, beta)
    chosen = -1
    for i in range(loud + 1):
        if maximising:
            if best >= beta:
                cut(state, best, BETA_CUT, beta)
                break
            alpha = max(alpha, best)
        else:
            if best <= alpha:
                cut(state, best, ALPHA_CUT, alpha)
                break
            beta = min(beta, best)
        if i == loud:
            break
        value = quiet_value(
            result(state, options[i]), depth - 1, alpha, beta, player, np.bool_(False), scale, variant, budget
        )
        if budget.stopped:
            return 0.0
        backed_up(state, options[i], value)
        if (value > best) if maximising else (value < best):
            best, chosen = value, options[i]
    chose(state, chosen, best)
    return best
