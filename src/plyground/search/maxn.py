"""Max^n (Luckhardt and Irani 1986): any number of players, each of whom maximises its own utility.

    VALUES(s) = (UTILITY(s, 0), ..., UTILITY(s, n-1))               if TERMINAL(s)
                VALUES(RESULT(s, a)) for the a that is best          if a player moves
                sum over a of Pr(a) * VALUES(RESULT(s, a))           if PLAYER(s) = CHANCE

The best action is the one with the largest utility to the player who moves, and of several such the first that the game
lists. Ties matter: what is all the same to the mover need not be to the others, so that another rule for ties may give
other values all the way up. With two players and zero sum this is minimax.

*Coalitions* are a partition of the players. Whoever moves then maximises the sum of its coalition's utilities; if each
player is a coalition of its own, this is max^n.

Depth counts decisions, as in `plyground.search.expectiminimax`.

*Shallow pruning* (Korf 1991) is for games whose utilities add up to at most a total T, each of them at least L. If a
player is sure of x and looks at an action after which another player is sure of y, then the first one gets at most
T - y - (n-2) L there. When that is less than x, it will not play this action, whatever else there is to find. Bounds
of a grandparent must not be used like this: deep pruning is unsound for more than two players. With coalitions
x and y are sums, and n-2 is the number of players outside of both.

Guesses at the depth limit have to keep to T as well. Those of a rule `evaluation_for` need not, so that games with such
a rule are not pruned unless asked to be.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.game import Game
from plyground.core.limits import Budget, Limit
from plyground.core.recording import BETA_CUT, backed_up, chose, cut, entered, evaluated, looked_up, skipped
from plyground.core.rules import (
    CHANCE,
    action_buffer,
    evaluation_for,
    legal_actions,
    probability,
    result,
    terminal,
    to_move,
    utility,
)
from plyground.errors import BadOption
from plyground.native.arrays import borrowed
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
from plyground.search.result import RootResult
from plyground.search.roots import Root, bounded_moves, keep_line, line_after, new_root
from plyground.search.stakes import TIE, JudgingVariant, Stakes, leaf_value, stakes_of, value_buffer

__all__ = [
    "Coalitions",
    "MaxnResult",
    "MaxnVariant",
    "can_prune",
    "check_opponents",
    "coalition_numbers",
    "maxn",
    "maxn_search",
    "prepare_maxn",
]

Coalitions = Sequence[Sequence[int]]
"""A partition of the players, such as ((0, 2), (1,))."""


NOBODY: Any = np.int64(-1)
"""The coalition above a node where none is: at the root, and below the dice."""


@dataclass(frozen=True)
class MaxnVariant(JudgingVariant):
    """Which kind of search: compiled code is made for one variant, and holds nothing of the others.

    `shallow` prunes, which needs a total, and guesses that add up to no more than it. `evaluation` is a name from
    `plyground.search.evaluations`, "" the game's own.
    """

    shallow: bool = False
    evaluation: str = ""


def coalition_numbers(coalitions: Coalitions | None, players: int) -> NDArray[np.int64]:
    """The number of each player's coalition; None is everybody alone. `BadOption` if it is not a partition."""
    if coalitions is None:
        return np.arange(players, dtype=np.int64)
    members = sorted(player for coalition in coalitions for player in coalition)
    if members != list(range(players)):
        raise BadOption(
            f"coalitions must name each of the players 0 to {players - 1} once, not "
            + "/".join("+".join(map(str, coalition)) for coalition in coalitions)
        )
    numbers = np.zeros(players, np.int64)
    for number, coalition in enumerate(coalitions):
        numbers[list(coalition)] = number
    return numbers


def check_opponents(numbers: NDArray[np.int64], endgame: EndgameTable | NoTable) -> None:
    """`BadOption` for an endgame table where everybody is in one coalition: it holds what opponents would do."""
    if not isinstance(endgame, NoTable) and len(set(numbers.tolist())) == 1:
        raise BadOption("an endgame table is for players against each other; leave it out where they play together")


@compiled
def maxn(
    state: Any,
    depth: int,
    values: Any,
    coalitions: Any,
    memory: LineMemory,
    stakes: Stakes,
    variant: MaxnVariant,
    budget: Budget,
    endgame: EndgameTable | NoTable = NO_TABLE,
) -> None:
    """Write into `values` what `state` is worth to each player when everybody looks `depth` decisions ahead.

    `coalitions` has the number of each player's coalition. The best line, up to the first throw of the dice, is left in
    ``memory.line[0]``. If the budget was stopped, the values and the line mean nothing. An endgame table is for two
    players against each other, zero sum and no chance.
    """
    own, out, numbers = lent(memory), borrowed(values), borrowed(coalitions)
    node_values(state, int(depth), NOBODY, -math.inf, ROOT, out, numbers, own, stakes, variant, budget, endgame)


@compiled
def node_values(
    state: Any,
    depth: int,
    above: int,
    sure: float,
    ply: int,
    values: Any,
    coalitions: Any,
    memory: LineMemory,
    stakes: Stakes,
    variant: MaxnVariant,
    budget: Budget,
    endgame: EndgameTable | NoTable,
) -> None:
    """The values of one node. The coalition that moves above it, number `above`, is already `sure` of that much."""
    entered(state)
    if budget.spend():
        return
    memory.lengths[ply] = 0
    if terminal(state):
        reached_end(memory, depth)
        for player in range(stakes.players):
            values[player] = stakes.scale.of(float(utility(state, player)))
        evaluated(state, values)
        return
    known = endgame_value(state, endgame)
    if not math.isnan(known):
        reached_end(memory, depth)
        values[0], values[1] = stakes.scale.of(known), stakes.scale.of(-known)
        looked_up(state, values)
        return
    mover = int(to_move(state))
    if depth <= 0 and mover != CHANCE:
        memory.counters[HORIZON] += 1
        for player in range(stakes.players):
            values[player] = leaf_value(state, player, stakes, variant)
        evaluated(state, values)
        return
    options = action_buffer(state)
    count = legal_actions(state, options)
    found = value_buffer(stakes.players)

    if mover == CHANCE:
        for player in range(stakes.players):
            values[player] = 0.0
        for i in range(count):
            chance = float(probability(state, options[i]))
            if chance == 0.0:
                skipped(state, options[i])
                continue
            node_values(
                result(state, options[i]), depth, NOBODY, -math.inf, BELOW_CHANCE, found, coalitions, memory,
                stakes, variant, budget, endgame,
            )  # fmt: skip
            if budget.stopped:
                return
            backed_up(state, options[i], found)
            for player in range(stakes.players):
                values[player] += chance * found[player]
        memory.lengths[ply] = 0
        chose(state, -1, values)
        return

    own = coalitions[mover]
    slack = 0.0
    enough = math.inf  # with more for the mover, the action that leads here is worse than what is sure above
    if variant.shallow and above not in (NOBODY, own):
        enough = stakes.total - sure
        for player in range(stakes.players):
            if coalitions[player] not in (own, above):
                enough -= stakes.low
        slack = rounding(sure, stakes)
    best, chosen = -math.inf, -1
    for i in range(count):
        node_values(
            result(state, options[i]), depth - 1, own, best, min(ply + 1, BELOW_CHANCE), found, coalitions, memory,
            stakes, variant, budget, endgame,
        )  # fmt: skip
        if budget.stopped:
            return
        backed_up(state, options[i], found)
        together = worth(found, own, coalitions)
        if together > best:
            best, chosen = together, options[i]
            for player in range(stakes.players):
                values[player] = found[player]
            extend_line(memory, ply, chosen)
        if best > enough + slack and i + 1 < count:
            memory.counters[CUTS] += 1
            cut(state, values, BETA_CUT, enough)
            break
    chose(state, chosen, values)


@compiled
def rounding(sure: float, stakes: Stakes) -> float:
    """What sums of utilities may be off: values that are equal on paper must not decide whether there is a cut."""
    largest = max(abs(stakes.low), abs(stakes.high))
    if largest == math.inf:
        largest = 0.0
    return TIE * (abs(stakes.total) + abs(sure) + largest)


@compiled
def worth(values: Any, coalition: int, coalitions: Any) -> float:
    """What the members of a coalition get together."""
    together = 0.0
    for player in range(len(values)):
        if coalitions[player] == coalition:
            together += values[player]
    return together


# A whole search ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class MaxnResult(RootResult):
    """What a search found; its depth counts decisions, its lines end at the first throw of the dice.

    `utilities_after` has for each action a number for each player; `values` has of them what the player to move gets.
    If there was pruning, they may be far off for actions that are not among the best.
    """

    utilities_after: dict[int, tuple[float, ...]]

    @property
    def utilities(self) -> tuple[float, ...]:
        """What each player gets."""
        return self.utilities_after[self.action]


@compiled
def search_root(
    state: Any,
    depth: int,
    slack: float,
    root: Root,
    coalitions: Any,
    memory: LineMemory,
    stakes: Stakes,
    variant: MaxnVariant,
    budget: Budget,
    endgame: EndgameTable | NoTable = NO_TABLE,
) -> float:
    """Search each action of a root; what the best one is worth to the mover's coalition.

    All that are worse by at most `slack` get exact values. If the budget was stopped, nothing means anything.
    """
    kept, numbers, found = lent(memory), borrowed(coalitions), value_buffer(stakes.players)
    own = numbers[int(to_move(state))]
    entered(state)
    best = -math.inf
    if budget.spend():
        return best
    for i in range(len(root.actions)):
        after = result(state, root.actions[i])
        node_values(after, depth - 1, own, best - slack, ROOT, found, numbers, kept, stakes, variant, budget, endgame)
        if budget.stopped:
            return best
        backed_up(state, root.actions[i], found)
        keep_line(root, i, kept)
        for player in range(stakes.players):
            root.values[i, player] = found[player]
        memory.counters[SEARCHED] = i + 1
        best = max(best, worth(found, own, numbers))
    return best


def can_prune(game: Game, stakes: Stakes, evaluation: str = "") -> bool:
    """Whether shallow pruning is sure to change nothing: there is a total, and guesses keep to it."""
    own_guesses = type(game.initial) in evaluation_for.implementations and not evaluation
    return stakes.constant_sum and not own_guesses


def prepare_maxn(
    game: Game, variant: MaxnVariant, total: float | None = None, endgame: EndgameTable | NoTable = NO_TABLE
) -> None:
    """Compile for searches of this game, before any clock runs."""
    players = game.axes.players
    arguments = (
        coalition_numbers(None, players),
        new_line_memory(),
        stakes_of(game, total),
        variant,
        Budget(),
        endgame,
    )
    search_root.prepare(game.initial, 1, 0.0, new_root([0], players), *arguments)


def maxn_search(
    game: Game,
    state: Any,
    limit: Limit,
    variant: MaxnVariant | None = None,
    *,
    coalitions: Coalitions | None = None,
    total: float | None = None,
    endgame: EndgameTable | NoTable = NO_TABLE,
    progress: Progress | None = None,
) -> MaxnResult:
    """Max^n from `state` within a limit. By default it prunes where that is sure to change nothing, see `can_prune`.

    Straight to the depth given, or deeper and deeper if time or nodes count. The answer is that of the deepest search
    that was completed; if not even one decision was, all actions count as equal, and the values are the evaluation's.
    `total` is what all utilities add up to in a game that is constant-sum without being zero-sum. An endgame table, of
    a game for two with zero sum and no chance, answers for the positions in it. `progress` is kept up to date for
    whoever looks on.
    """
    options = root_actions(state)
    stakes = stakes_of(game, total)
    variant = variant or MaxnVariant(shallow=can_prune(game, stakes))
    if variant.shallow and not stakes.constant_sum:
        raise BadOption("shallow pruning needs a game whose utilities always add up to the same total")
    numbers = coalition_numbers(coalitions, stakes.players)
    own = int(numbers[int(to_move(state))])
    root, memory, budget = new_root(options, stakes.players), new_line_memory(), Budget(limit.nodes)
    check_opponents(numbers, endgame)
    prepare_maxn(game, variant, total, endgame)

    def searching() -> tuple[RootMove, ...]:
        searched, worth = int(memory.counters[SEARCHED]), root.values[:, numbers == own].sum(axis=1)
        return bounded_moves(root, searched, worth.tolist(), stakes.as_scaled().slack, cuts=variant.shallow)

    progress = progress or Progress()
    progress.kind, progress.scale, progress.budget = "shares", stakes.scale, budget
    progress.player, progress.searching = int(to_move(state)), searching

    def look(depth: int) -> tuple[MaxnResult | None, bool]:
        def look_once(budget: Budget) -> float:
            begin_look(memory, depth)
            progress.begin(depth)
            scaled = stakes.as_scaled()
            return search_root(state, depth, scaled.slack, root, numbers, memory, scaled, variant, budget, endgame)

        best = on_one_scale(look_once, budget, stakes.scale, variant)
        if budget.stopped:
            return None, True
        progress.complete()
        slack = stakes.as_scaled().slack
        leading = np.flatnonzero(root.values[:, numbers == own].sum(axis=1) >= best - slack).tolist()
        lines = {options[place]: line_after(root, place) for place in leading}
        seen, complete = depth_seen(memory, depth)
        rows = [tuple(stakes.scale.told(value, complete) for value in row) for row in root.values.tolist()]
        answer = answered(dict(zip(options, rows, strict=True)), lines, seen, complete)
        chose(state, answer.action, answer.utilities)
        return answer, complete

    def answered(
        after: dict[int, tuple[float, ...]], lines: dict[int, tuple[int, ...]], depth: int, complete: bool
    ) -> MaxnResult:
        facts = {"depth": depth, "complete": complete, "best": tuple(lines), "lines": lines, "utilities_after": after}
        values = {action: utilities[int(to_move(state))] for action, utilities in after.items()}
        return MaxnResult.choose(next(iter(lines)), values, **facts)

    start = clock.perf_counter()
    found = deepened(look, None, limit, budget, choices=len(options))
    spent = clock.perf_counter() - start
    if found is None:
        with interpreted():  # once is not worth compiling for
            guess = tuple(float(leaf_value(state, player, stakes, variant)) for player in range(stakes.players))
        found = answered(dict.fromkeys(options, guess), {action: (action,) for action in options}, 0, False)
    return replace(found, nodes=budget.nodes, cuts=int(memory.counters[CUTS]), time=spent)
