"""Minimax (von Neumann 1928): the value of a position when both sides play their best.

    MINIMAX(s) = UTILITY(s, MAX)                        if TERMINAL(s)
                 max over a of MINIMAX(RESULT(s, a))     if PLAYER(s) = MAX
                 min over a of MINIMAX(RESULT(s, a))     if PLAYER(s) = MIN

Time O(b^m), memory O(bm), for branching factor b and depth m. The depth limit replaces UTILITY by the game's
evaluation, which is from the point of view of the side to move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from plyground.compiling import compiled
from plyground.errors import IllegalAction
from plyground.game import action_buffer, actions, evaluation, legal_actions, result, terminal, to_move, utility
from plyground.limits import Budget, Limit
from plyground.recording import backed_up, chose, entered, evaluated

__all__ = ["MinimaxResult", "minimax_search", "minimax_value"]

DEEPEST = 1000
"""More plies than any search without a depth limit will see."""


@compiled
def minimax_value(state: Any, depth: int, player: int, budget: Budget) -> float:
    """The value of `state` to `player` (MAX) when both sides look `depth` plies ahead."""
    entered(state)
    if budget.spend():
        return 0.0
    if terminal(state):
        value = float(utility(state, player))
        evaluated(state, value)
        return value
    maximising = to_move(state) == player
    if depth == 0:
        value = float(evaluation(state)) if maximising else -float(evaluation(state))
        evaluated(state, value)
        return value
    options = action_buffer(state)
    best, best_action = -math.inf if maximising else math.inf, -1
    for i in range(legal_actions(state, options)):
        value = minimax_value(result(state, options[i]), depth - 1, player, budget)
        backed_up(state, options[i], value)
        if value > best if maximising else value < best:
            best, best_action = value, options[i]
    chose(state, best_action, best)
    return best


@dataclass(frozen=True)
class MinimaxResult:
    """What a search found: the value to the player to move, the value of each action, and what it cost."""

    value: float
    values: dict[int, float]
    depth: int
    nodes: int


def minimax_search(state: Any, limit: Limit) -> MinimaxResult:
    """Minimax from `state` within a limit: straight to the depth given, or deeper and deeper if time or nodes count.

    The answer is that of the deepest search that was completed; if not even one ply was, all actions count as equal.
    Without a depth it goes on until the whole tree has been seen.
    """
    options = actions(state)
    if not options:
        raise IllegalAction("there is nothing to search: the game is over")
    budget = Budget(limit.nodes)
    anytime = limit.time is not None or limit.nodes is not None or limit.depth is None
    deepest = limit.depth or DEEPEST
    found = MinimaxResult(0.0, dict.fromkeys(options, 0.0), 0, 0)

    player = int(to_move(state))
    minimax_value.prepare(state, 0, player, budget)

    def deepen() -> None:
        nonlocal found
        before = 0
        for depth in range(1 if anytime else deepest, deepest + 1):
            start = budget.nodes
            values = {action: minimax_value(result(state, action), depth - 1, player, budget) for action in options}
            if budget.stopped:
                break
            spent = budget.nodes - start
            if spent == before:  # one ply more has shown nothing new: the tree ended before it
                break
            found = MinimaxResult(max(values.values()), values, depth, budget.nodes)
            before = spent

    budget.run(deepen, limit.time)
    return replace(found, nodes=budget.nodes)
