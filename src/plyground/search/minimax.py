"""Minimax (von Neumann 1928): the value of a position when both sides play their best.

    MINIMAX(s) = UTILITY(s, MAX)                        if TERMINAL(s)
                 max over a of MINIMAX(RESULT(s, a))     if PLAYER(s) = MAX
                 min over a of MINIMAX(RESULT(s, a))     if PLAYER(s) = MIN

Time O(b^m), memory O(bm), for branching factor b and depth m. The depth limit replaces UTILITY by the game's
evaluation, which is from the point of view of the side to move. An endgame table answers for the positions in it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from plyground.compiling import compiled
from plyground.game import action_buffer, legal_actions, result, terminal, to_move, utility
from plyground.limits import Budget, Limit
from plyground.native import Static
from plyground.recording import backed_up, chose, entered, evaluated, looked_up
from plyground.search.anytime import deepened, root_actions
from plyground.search.endgame import NO_TABLE, EndgameTable, NoTable, endgame_value
from plyground.search.evaluations import leaf_evaluation, on_one_scale
from plyground.search.scale import UNCHECKED, Scale

__all__ = ["MinimaxResult", "Variant", "minimax_search", "minimax_value"]


@dataclass(frozen=True)
class Variant(Static):
    """`evaluation` is a name from `plyground.search.evaluations`, "" the game's own."""

    evaluation: str = ""


@compiled
def minimax_value(
    state: Any,
    depth: int,
    player: int,
    budget: Budget,
    endgame: EndgameTable | NoTable = NO_TABLE,
    variant: Variant = Variant(),  # noqa: B008 - frozen
    scale: Scale = UNCHECKED,
) -> float:
    """The value of `state` to `player` (MAX) when both sides look `depth` plies ahead."""
    entered(state)
    if budget.spend():
        return 0.0
    if terminal(state):
        value = scale.of(float(utility(state, player)))
        evaluated(state, value)
        return value
    known = endgame_value(state, endgame)
    if not math.isnan(known):
        value = scale.of(known if player == 0 else -known)
        looked_up(state, value)
        return value
    maximising = to_move(state) == player
    if depth == 0:
        value = scale.checked(leaf_evaluation(state, variant))
        if not maximising:
            value = 0.0 - value
        evaluated(state, value)
        return value
    options = action_buffer(state)
    best, best_action = -math.inf if maximising else math.inf, -1
    for i in range(legal_actions(state, options)):
        value = minimax_value(result(state, options[i]), depth - 1, player, budget, endgame, variant, scale)
        backed_up(state, options[i], value)
        if value > best if maximising else value < best:
            best, best_action = value, options[i]
    chose(state, best_action, best)
    return best


@dataclass(frozen=True)
class MinimaxResult:
    """What a search found: the value to the player to move, that of each action, what it cost, the best actions."""

    value: float
    values: dict[int, float]
    depth: int
    nodes: int
    best: tuple[int, ...]


def minimax_search(
    state: Any,
    limit: Limit,
    endgame: EndgameTable | NoTable = NO_TABLE,
    variant: Variant = Variant(),  # noqa: B008 - frozen
    scale: Scale | None = None,
) -> MinimaxResult:
    """Minimax from `state` within a limit: straight to the depth given, or deeper and deeper if time or nodes count.

    The answer is that of the deepest search that was completed; if not even one ply was, all actions count as equal.
    Without a depth it goes on until the whole tree has been seen. With the `scale` of a game, evaluations may lie
    outside of the range of its utilities.
    """
    options = root_actions(state)
    budget = Budget(limit.nodes)
    player = int(to_move(state))
    scale = scale or Scale()
    minimax_value.prepare(state, 0, player, budget, endgame, variant, scale)
    before = 0

    def look(depth: int) -> tuple[MinimaxResult, bool]:
        nonlocal before

        def values(budget: Budget) -> dict[int, float]:
            return {
                action: minimax_value(result(state, action), depth - 1, player, budget, endgame, variant, scale)
                for action in options
            }

        start, factor = budget.nodes, scale.factor
        found = on_one_scale(values, budget, scale, variant)
        spent = budget.nodes - start
        # One ply more has shown nothing new: the tree ended before it.
        same, before = spent == before and scale.factor == factor, spent
        best = max(found.values())
        told = {action: scale.told(value) for action, value in found.items()}
        leading = tuple(action for action, value in found.items() if value == best)
        return MinimaxResult(scale.told(best), told, depth - same, budget.nodes, leading), same

    nothing = MinimaxResult(0.0, dict.fromkeys(options, 0.0), 0, 0, tuple(options))
    found = deepened(look, nothing, limit, budget, choices=len(options))
    return replace(found, nodes=budget.nodes)
