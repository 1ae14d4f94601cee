"""Minimax (von Neumann 1928): the value of a position when both sides play their best.

    MINIMAX(s) = UTILITY(s, MAX)                        if TERMINAL(s)
                 max over a of MINIMAX(RESULT(s, a))     if PLAYER(s) = MAX
                 min over a of MINIMAX(RESULT(s, a))     if PLAYER(s) = MIN

Time O(b^m), memory O(bm), for branching factor b and depth m. The depth limit replaces UTILITY by the game's
evaluation, which is from the point of view of the side to move. An endgame table answers for the positions in it.
"""

from __future__ import annotations

import math
import time as clock
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from plyground.core.limits import Budget, Limit
from plyground.core.recording import backed_up, chose, entered, evaluated, looked_up
from plyground.core.rules import action_buffer, legal_actions, result, terminal, to_move, utility
from plyground.native.compiling import compiled
from plyground.native.lending import Lent
from plyground.native.overloads import Static
from plyground.search.anytime import deepened, root_actions
from plyground.search.endgame_table import NO_TABLE, EndgameTable, NoTable, endgame_value
from plyground.search.evaluations import leaf_evaluation, on_one_scale
from plyground.search.glimpse import Progress
from plyground.search.lines import LONGEST_LINE, extend_line
from plyground.search.result import RootResult, all_equal
from plyground.search.scale import UNCHECKED, Scale

__all__ = ["MinimaxVariant", "minimax_search", "minimax_value"]


@dataclass(frozen=True)
class MinimaxVariant(Static):
    """`evaluation` is a name from `plyground.search.evaluations`, "" the game's own; `lines` says to keep the lines."""

    evaluation: str = ""
    lines: bool = False


class Lines(Lent):
    """The best line of the node that was searched last with n plies left is in row ``LONGEST_LINE - n``.

    `horizon` is 1 if the depth limit has ended a line.
    """

    arrays: ClassVar[dict[str, tuple[Any, int]]] = {
        "line": (np.int64, 2),
        "lengths": (np.int64, 1),
        "horizon": (np.int64, 1),
    }
    line: Any
    lengths: Any
    horizon: Any

    def after(self, action: int, depth: int) -> tuple[int, ...]:
        """The action, and the best line below it, which has just been searched with this many plies left."""
        row = LONGEST_LINE - depth
        return (action, *self.line[row, : self.lengths[row]].tolist()) if row >= 0 else (action,)


def new_lines() -> Lines:
    """Room for lines."""
    room = LONGEST_LINE + 1
    line, lengths = np.zeros((room, LONGEST_LINE), np.int64), np.zeros(room, np.int64)
    return Lines(line=line, lengths=lengths, horizon=np.zeros(1, np.int64))


UNREAD = new_lines()
"""For those who want the value alone."""


@compiled
def minimax_value(
    state: Any,
    depth: int,
    player: int,
    budget: Budget,
    endgame: EndgameTable | NoTable = NO_TABLE,
    variant: MinimaxVariant = MinimaxVariant(),
    scale: Scale = UNCHECKED,
    lines: Lines = UNREAD,
) -> float:
    """The value of `state` to `player` (MAX) when both sides look `depth` plies ahead."""
    entered(state)
    if budget.spend():
        return 0.0
    row = LONGEST_LINE - depth
    if variant.lines and row >= 0:
        lines.lengths[row] = 0
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
        if variant.lines:
            lines.horizon[0] = 1
        value = scale.checked(leaf_evaluation(state, variant))
        if not maximising:
            value = 0.0 - value
        evaluated(state, value)
        return value
    options = action_buffer(state)
    best, best_action = -math.inf if maximising else math.inf, -1
    for i in range(legal_actions(state, options)):
        value = minimax_value(result(state, options[i]), depth - 1, player, budget, endgame, variant, scale, lines)
        backed_up(state, options[i], value)
        if value > best if maximising else value < best:
            best, best_action = value, options[i]
            if variant.lines and row >= 0:
                extend_line(lines, row, best_action)
    chose(state, best_action, best)
    return best


def minimax_search(
    state: Any,
    limit: Limit,
    endgame: EndgameTable | NoTable = NO_TABLE,
    variant: MinimaxVariant = MinimaxVariant(),
    scale: Scale | None = None,
    progress: Progress | None = None,
) -> RootResult:
    """Minimax from `state` within a limit: straight to the depth given, or deeper and deeper if time or nodes count.

    The answer is that of the deepest search that was completed; if not even one ply was, all actions count as equal.
    Without a depth it goes on until the whole tree has been seen. With the `scale` of a game, evaluations may lie
    outside of the range of its utilities. `progress` is kept up to date for whoever looks on.
    """
    options = root_actions(state)
    budget = Budget(limit.nodes)
    player = int(to_move(state))
    scale = scale or Scale()
    progress = progress or Progress()
    progress.scale, progress.budget = scale, budget
    variant, lines = replace(variant, lines=True), new_lines()
    minimax_value.prepare(state, 0, player, budget, endgame, variant, scale, lines)
    before = 0

    def look(depth: int) -> tuple[RootResult, bool]:
        nonlocal before

        def values(budget: Budget) -> dict[int, float]:
            found = {}
            progress.begin(depth)
            lines.horizon[0] = 0
            for action in options:
                after = result(state, action)
                found[action] = minimax_value(after, depth - 1, player, budget, endgame, variant, scale, lines)
                follows[action] = lines.after(action, depth - 1)
                if not budget.stopped:
                    progress.finish(action, found[action], follows[action])
            return found

        follows: dict[int, tuple[int, ...]] = {}
        so_far, factor = budget.nodes, scale.factor
        found = on_one_scale(values, budget, scale, variant)
        spent = budget.nodes - so_far
        # One ply more has shown nothing new: the tree ended before it.
        same, before = spent == before and scale.factor == factor, spent
        best = max(found.values())
        told = {action: scale.told(value) for action, value in found.items()}
        leading = tuple(action for action, value in found.items() if value == best)
        facts = {"depth": depth - same, "nodes": budget.nodes, "complete": not lines.horizon[0]}
        return RootResult.choose(leading[0], told, best=leading, lines=follows, **facts), same

    start = clock.perf_counter()
    found = deepened(look, all_equal(options), limit, budget, choices=len(options))
    return replace(found, nodes=budget.nodes, time=clock.perf_counter() - start)
