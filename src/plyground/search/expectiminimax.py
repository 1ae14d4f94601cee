"""Expectiminimax (Michie 1966): minimax with chance nodes, and the Star1 and Star2 cuts there (Ballard 1983).

    VALUE(s) = UTILITY(s, MAX)                                  if TERMINAL(s)
               max over a of VALUE(RESULT(s, a))                 if PLAYER(s) = MAX
               min over a of VALUE(RESULT(s, a))                 if PLAYER(s) = MIN
               sum over a of Pr(a) * VALUE(RESULT(s, a))         if PLAYER(s) = CHANCE

MAX is the player that the search is for; MIN is everybody else. Without MIN this is expectimax.

Depth counts decisions: what chance does costs nothing. So a search never stops between a move and the dice that
belong to it; it goes on to the first position where a player decides, and asks the evaluation there.

The contract. Let r be VALUE(s) at this depth, and v what `expectiminimax` answers to the window alpha < beta:

    v <= alpha         means  r <= v       a bound from above
    v >= beta          means  r >= v       a bound from below
    alpha < v < beta   means  r == v

all of it up to rounding, since an average rounds. At a chance node let outcome i have probability p[i], the outcomes
before it the values v[1], ..., v[i-1], and those after it values between L[j] and U[j]. The node's value can only be in
the window if that of outcome i is in the window from

    (alpha - sum over j < i of p[j] v[j] - sum over j > i of p[j] U[j]) / p[i]
    to
    (beta - sum over j < i of p[j] v[j] - sum over j > i of p[j] L[j]) / p[i]

Star1 takes the range of the game's utilities for L and U. Star2 first *probes*: it searches one action after each
outcome. Where MAX moves, the value of that action is a bound L from below; where MIN moves, a bound U from above. What
was probed is not searched again. See also Hauk, Buro and Schaeffer, *Rediscovering \\*-minimax search* (2004).
"""

from __future__ import annotations

import math
import time as clock
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plyground.core.game import Game
from plyground.core.limits import Budget, Limit
from plyground.core.recording import (
    ALPHA_CUT,
    BETA_CUT,
    CHANCE_CUT,
    backed_up,
    chose,
    cut,
    entered,
    evaluated,
    looked_up,
    skipped,
    window,
)
from plyground.core.rules import CHANCE, action_buffer, legal_actions, probability, result, terminal, to_move, utility
from plyground.native.compiling import compiled, interpreted
from plyground.search.anytime import deepened, root_actions
from plyground.search.endgame_table import NO_TABLE, EndgameTable, NoTable, endgame_value
from plyground.search.evaluations import on_one_scale
from plyground.search.glimpse import Progress, RootMove
from plyground.search.lines import (
    BELOW_CHANCE,
    CUTS,
    HORIZON,
    ROOT,
    SEARCHED,
    LineMemory,
    begin_look,
    depth_seen,
    extend_line,
    lent,
    new_line_memory,
    reached_end,
)
from plyground.search.result import RootResult, all_equal
from plyground.search.roots import Root, bounded_moves, keep_line, line_after, new_root
from plyground.search.stakes import JudgingVariant, Stakes, leaf_value, stakes_of, value_buffer

__all__ = ["ExpectiminimaxVariant", "expectiminimax", "expectiminimax_search", "prepare_expectiminimax"]

# Of NumPy's types, so that the recursion has one signature whichever of them it is called with.
WHOLE: Any = np.bool_(False)
PROBE: Any = np.bool_(True)
"""Whether to look at all actions of a node, or at the first one alone."""


@dataclass(frozen=True)
class ExpectiminimaxVariant(JudgingVariant):
    """Which kind of search: compiled code is made for one variant, and holds nothing of the others.

    `star`: 0 searches every outcome of chance in full, 1 is Star1, 2 is Star2. `evaluation` is a name from
    `plyground.search.evaluations`, "" the game's own.
    """

    star: int = 2
    evaluation: str = ""


@compiled
def expectiminimax(
    state: Any,
    depth: int,
    alpha: float,
    beta: float,
    player: int,
    memory: LineMemory,
    stakes: Stakes,
    variant: ExpectiminimaxVariant,
    budget: Budget,
    endgame: EndgameTable | NoTable = NO_TABLE,
) -> float:
    """The value of `state` to `player` (MAX) when everybody looks `depth` decisions ahead; see the contract above.

    The best line, up to the first throw of the dice, is left in ``memory.line[0]``. If the budget was stopped, the
    answer and the line mean nothing. An endgame table is for two players, zero sum and no chance.
    """
    return node_value(
        state, int(depth), float(alpha), float(beta), int(player), ROOT, WHOLE, math.nan, lent(memory), stakes, variant,
        budget, endgame,
    )  # fmt: skip


@compiled
def node_value(
    state: Any,
    depth: int,
    alpha: float,
    beta: float,
    player: int,
    ply: int,
    probing: bool,
    probed: float,
    memory: LineMemory,
    stakes: Stakes,
    variant: ExpectiminimaxVariant,
    budget: Budget,
    endgame: EndgameTable | NoTable,
) -> float:
    """The value of one node. `probing` looks at the first action alone: a bound from the side of whoever moves.

    `probed` is the value of the first action if that has been probed before, and NaN if not.
    """
    entered(state)
    if budget.spend():
        return 0.0
    memory.lengths[ply] = 0
    if terminal(state):
        reached_end(memory, depth)
        value = stakes.scale.of(float(utility(state, player)))
        evaluated(state, value)
        return value
    known = endgame_value(state, endgame)
    if not math.isnan(known):
        reached_end(memory, depth)
        value = stakes.scale.of(known if player == 0 else -known)
        looked_up(state, value)
        return value
    mover = int(to_move(state))
    if depth <= 0 and mover != CHANCE:
        memory.counters[HORIZON] += 1
        value = leaf_value(state, player, stakes, variant)
        evaluated(state, value)
        return value
    window(state, alpha, beta)
    options = action_buffer(state)
    count = legal_actions(state, options)

    if mover != CHANCE:
        maximising = mover == player
        best, chosen = -math.inf if maximising else math.inf, -1
        below = min(ply + 1, BELOW_CHANCE)
        for i in range(count):
            value = probed
            if i > 0 or math.isnan(probed):
                value = node_value(
                    result(state, options[i]), depth - 1, alpha, beta, player, below, WHOLE, math.nan, memory, stakes,
                    variant, budget, endgame,
                )  # fmt: skip
            if budget.stopped:
                return 0.0
            backed_up(state, options[i], value)
            if (value > best) if maximising else (value < best):
                best, chosen = value, options[i]
                extend_line(memory, ply, chosen)
            if best >= beta if maximising else best <= alpha:
                if i + 1 < count:
                    memory.counters[CUTS] += 1
                    cut(state, best, BETA_CUT if maximising else ALPHA_CUT, beta if maximising else alpha)
                break
            if probing:
                for j in range(i + 1, count):
                    skipped(state, options[j])
                break
            if maximising:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            window(state, alpha, beta)
        chose(state, chosen, best)
        return best

    below = BELOW_CHANCE
    chances, lowest, highest = value_buffer(count), value_buffer(count), value_buffer(count)
    probes = value_buffer(count)
    under, over = 0.0, 0.0  # what the outcomes not yet searched add to the average: at least, and at most
    for i in range(count):
        chances[i], probes[i] = probability(state, options[i]), math.nan
        lowest[i], highest[i] = stakes.low, stakes.high
        under += chances[i] * lowest[i]
        over += chances[i] * highest[i]

    too_low = variant.star > 0 and over <= alpha
    too_high = variant.star > 0 and under >= beta
    if variant.star == 2 and depth > 0:  # Star2's probes; at the depth limit there is nothing below the outcomes
        for i in range(count):
            if chances[i] == 0.0 or too_low or too_high:
                continue
            after = result(state, options[i])
            ended = terminal(after)
            next_mover = player if ended else int(to_move(after))
            if next_mover == CHANCE:
                continue
            under -= chances[i] * lowest[i]
            over -= chances[i] * highest[i]
            # Only the bound that the probe can meet narrows its window: then its value is exact if there is no cut.
            low, high = -math.inf, math.inf
            if ended or next_mover != player:
                low = (alpha - over) / chances[i]
            if ended or next_mover == player:
                high = (beta - under) / chances[i]
            value = node_value(
                after, depth, max(low, lowest[i]), min(high, highest[i]), player, below, PROBE, math.nan, memory,
                stakes, variant, budget, endgame,
            )  # fmt: skip
            if budget.stopped:
                return 0.0
            too_low, too_high = value <= low, value >= high
            probes[i] = value
            if ended or next_mover == player:
                lowest[i] = value
            if ended or next_mover != player:
                highest[i] = value
            under += chances[i] * lowest[i]
            over += chances[i] * highest[i]

    average, i = 0.0, 0
    while i < count and not too_low and not too_high:
        chance = chances[i]
        if chance == 0.0:
            skipped(state, options[i])
            i += 1
            continue
        under -= chance * lowest[i]
        over -= chance * highest[i]
        low, high = -math.inf, math.inf
        if variant.star > 0:
            low, high = (alpha - average - over) / chance, (beta - average - under) / chance
        if variant.star == 2 and lowest[i] == highest[i]:
            value = lowest[i]
        else:
            from_, to = low, high
            if variant.star > 0:
                from_, to = max(low, lowest[i]), min(high, highest[i])
            value = node_value(
                result(state, options[i]), depth, from_, to, player, below, WHOLE, probes[i], memory, stakes,
                variant, budget, endgame,
            )  # fmt: skip
            if budget.stopped:
                return 0.0
        backed_up(state, options[i], value)
        average += chance * value
        # Decided by the outcome's window, not by the average, which rounds: a bound must never pass for a value.
        too_low, too_high = value <= low, value >= high
        i += 1
    if too_low:
        average = min(alpha, average + over)
    elif too_high:
        average = max(beta, average + under)
    if i < count:
        memory.counters[CUTS] += 1
        cut(state, average, CHANCE_CUT, alpha if too_low else beta)
    memory.lengths[ply] = 0
    chose(state, -1, average)
    return average


# A whole search ----------------------------------------------------------------------------------------------------


@compiled
def search_root(
    state: Any,
    depth: int,
    slack: float,
    player: int,
    root: Root,
    memory: LineMemory,
    stakes: Stakes,
    variant: ExpectiminimaxVariant,
    budget: Budget,
    endgame: EndgameTable | NoTable = NO_TABLE,
) -> float:
    """Search each action of a root; the value of the best one. All that are worse by at most `slack` get exact values.

    `state` is one where `player` is to move. If the budget was stopped, nothing means anything.
    """
    own = lent(memory)
    entered(state)
    best = -math.inf
    if budget.spend():
        return best
    window(state, best, math.inf)
    for i in range(len(root.actions)):
        root.values[i] = node_value(
            result(state, root.actions[i]), depth - 1, best - slack, math.inf, player, ROOT, WHOLE, math.nan, own,
            stakes, variant, budget, endgame,
        )  # fmt: skip
        if budget.stopped:
            return best
        backed_up(state, root.actions[i], root.values[i])
        keep_line(root, i, own)
        memory.counters[SEARCHED] = i + 1
        best = max(best, root.values[i])
        window(state, best, math.inf)
    return best


def prepare_expectiminimax(
    game: Game, variant: ExpectiminimaxVariant, total: float | None = None, endgame: EndgameTable | NoTable = NO_TABLE
) -> None:
    """Compile for searches of this game, before any clock runs."""
    stakes = stakes_of(game, total)
    arguments = (new_root([0]), new_line_memory(), stakes, _fitting(variant, stakes), Budget(), endgame)
    search_root.prepare(game.initial, 1, 0.0, 0, *arguments)


def _fitting(variant: ExpectiminimaxVariant, stakes: Stakes) -> ExpectiminimaxVariant:
    """Without a finite range there is nothing to cut with at chance nodes."""
    return variant if stakes.bounded else replace(variant, star=0)


def expectiminimax_search(
    game: Game,
    state: Any,
    limit: Limit,
    variant: ExpectiminimaxVariant = ExpectiminimaxVariant(),
    total: float | None = None,
    endgame: EndgameTable | NoTable = NO_TABLE,
    progress: Progress | None = None,
) -> RootResult:
    """Search from `state` within a limit, for the player to move against everybody else.

    Straight to the depth given, or deeper and deeper if time or nodes count. The answer is that of the deepest search
    that was completed; if not even one decision was, all actions count as equal, and the value is the evaluation.
    Its depth counts decisions, its lines are those of the best actions and end at the first throw of the dice. `total`
    is what all utilities add up to in a game that is constant-sum without being zero-sum. An endgame table, of a game
    for two with zero sum and no chance, answers for the positions in it. `progress` is kept up to date for whoever
    looks on.
    """
    options = root_actions(state)
    stakes = stakes_of(game, total)
    variant = _fitting(variant, stakes)
    player, root, memory, budget = int(to_move(state)), new_root(options), new_line_memory(), Budget(limit.nodes)
    prepare_expectiminimax(game, variant, total, endgame)

    def searching() -> tuple[RootMove, ...]:
        searched = int(memory.counters[SEARCHED])
        return bounded_moves(root, searched, root.values.tolist(), stakes.as_scaled().slack, cuts=True)

    progress = progress or Progress()
    progress.kind, progress.scale, progress.budget, progress.player = "averages", stakes.scale, budget, player
    progress.searching = searching

    def look(depth: int) -> tuple[RootResult | None, bool]:
        def look_once(budget: Budget) -> float:
            begin_look(memory, depth)
            progress.begin(depth)
            scaled = stakes.as_scaled()
            return search_root(state, depth, scaled.slack, player, root, memory, scaled, variant, budget, endgame)

        best = on_one_scale(look_once, budget, stakes.scale, variant)
        if budget.stopped:
            return None, True
        progress.complete()
        slack = stakes.as_scaled().slack
        values = dict(zip(root.actions.tolist(), root.values.tolist(), strict=True))
        places = {action: place for place, action in enumerate(root.actions.tolist())}
        leading = [action for action in options if values[action] >= best - slack]
        seen, complete = depth_seen(memory, depth)
        chose(state, leading[0], best)
        lines = {action: line_after(root, places[action]) for action in leading}
        root.actions[:] = sorted(options, key=lambda action: -values[action])  # the best first, next time
        told = {action: stakes.scale.told(value, complete) for action, value in values.items()}
        facts = {"value": stakes.scale.told(best, complete), "depth": seen, "complete": complete}
        return RootResult.choose(leading[0], told, best=tuple(leading), lines=lines, **facts), complete

    start = clock.perf_counter()
    found = deepened(look, None, limit, budget, choices=len(options))
    spent = clock.perf_counter() - start
    if found is None:
        with interpreted():  # once is not worth compiling for
            found = all_equal(options, float(leaf_value(state, player, stakes, variant)))
    return replace(found, nodes=budget.nodes, cuts=int(memory.counters[CUTS]), time=spent)
