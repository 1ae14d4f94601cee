"""Alpha-beta in fail-soft form (Knuth and Moore 1975; Fishburn 1983), with every enhancement as an option.

The contract. Let r be the minimax value of the state to `player` at this depth, and v what `alphabeta` answers to the
window alpha < beta:

    v <= alpha         means  r <= v       a bound from above
    v >= beta          means  r >= v       a bound from below
    alpha < v < beta   means  r == v

So a search with the window (-inf, inf) finds the minimax value, whatever the order of moves. The order decides what it
costs: of the b^d leaves of a uniform tree, b^ceil(d/2) + b^floor(d/2) - 1 are seen if the best move is always first.

The enhancements that keep the contract: move ordering, the transposition table, scouting (principal variation search,
see `plyground.search.pvs`). Those that give up some of it: quiescence and singular extensions look deeper than asked;
the beam and the near window look at less. A near cut needs a value inside the window, so it does nothing where all
windows are null.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from plyground.core.game import Game
from plyground.core.limits import Budget
from plyground.core.recording import (
    ALPHA_CUT,
    BETA_CUT,
    NEAR_CUT,
    backed_up,
    chose,
    cut,
    entered,
    evaluated,
    looked_up,
    skipped,
    window,
)
from plyground.core.rules import action_buffer, legal_actions, max_actions, result, terminal, to_move, utility
from plyground.native.bits import mix64
from plyground.native.compiling import compiled, inlined
from plyground.native.lending import Lent
from plyground.native.overloads import Static
from plyground.search.endgame_table import NO_TABLE, EndgameTable, NoTable, endgame_value
from plyground.search.evaluations import leaf_evaluation
from plyground.search.lines import LONGEST_LINE, extend_line
from plyground.search.ordering import HISTORY_ACTIONS, KILLER_PLIES, next_best, note_cut, rank_moves
from plyground.search.quiescence import quiet_value
from plyground.search.scale import UNCHECKED, Scale
from plyground.search.transpositions import (
    ENTRY,
    EXACT,
    LOWER,
    UPPER,
    find_entry,
    fitting,
    new_table,
    position_key,
    store_entry,
)

__all__ = [
    "AlphaBetaMemory",
    "AlphaBetaSettings",
    "AlphaBetaVariant",
    "alphabeta",
    "keep_order",
    "new_memory",
    "settings_for",
]

MOST_EXTENDED = 64
"""How far from the root moves may be extended: a game that repeats would go on for ever."""
CUTS, FIRST_CUTS, TABLE_HITS, EXTENSIONS, HORIZON, SEARCHED, BEFORE, DEEPEST_END = range(8)
"""The counters. HORIZON counts values that stem from a depth limit: a subtree without any is known for good. SEARCHED
is how many root actions this iteration has searched, BEFORE how many the last one had. DEEPEST_END is the ply of the
deepest end of a game that was seen, or that an entry of the table has seen."""


@dataclass(frozen=True)
class AlphaBetaVariant(Static):
    """Which kind of search: compiled code is made for one variant, and holds nothing of the others.

    `evaluation` is a name from `plyground.search.evaluations`, "" the game's own. `table`, `previous`, `killers`,
    `history` and `by_evaluation` are the table and the orders of moves; `scout` is principal variation search. `deeper`
    lets the table answer with the result of a deeper search than asked.
    """

    evaluation: str = ""
    table: bool = False
    deeper: bool = False
    previous: bool = False
    killers: bool = False
    history: bool = False
    by_evaluation: bool = False
    scout: bool = False
    quiescence: bool = False
    beam: bool = False
    near: bool = False
    singular: bool = False

    @property
    def ordered(self) -> bool:
        """Whether moves are searched in another order than the game lists them."""
        return self.previous or self.killers or self.history or self.by_evaluation


class AlphaBetaSettings(NamedTuple):
    """The numbers of a search, which may change without compiling again.

    `low` and `high` are the range of the game's utilities, as `scale` counts them. At the root, the `lines` best moves
    get exact values. `beam` moves are looked at in each position. With the near window, a node is cut when its value is
    inside the window and within `margin` of the bound, which changes the root's value by at most the margin at each
    ply. A remembered best move is singular, and searched one ply deeper, if a search half as deep finds all others
    worse by more than `singular_margin`; this is tried from `singular_depth` on. Quiescence search follows at most
    `quiescence_depth` moves. `age` is the number of the search, for the table. What was stored in another `generation`
    is not found.
    """

    low: float = -1.0
    high: float = 1.0
    lines: int = 1
    beam: int = 0
    margin: float = 0.0
    singular_margin: float = 0.0
    singular_depth: int = 4
    quiescence_depth: int = 8
    age: int = 1
    generation: int = 0
    scale: Scale = UNCHECKED


def settings_for(game: Game, **numbers: Any) -> AlphaBetaSettings:
    """The settings for a game, whose range of utilities they need; the others as given."""
    high = max(map(abs, game.utilities)) or 1.0  # one side's gain is the other's loss
    return AlphaBetaSettings(**numbers)._replace(low=-high, high=high, scale=Scale(-high, high))


NUMBERS = np.dtype(
    [
        ("low", np.float64),
        ("high", np.float64),
        ("lines", np.int64),
        ("beam", np.int64),
        ("margin", np.float64),
        ("singular_margin", np.float64),
        ("singular_depth", np.int64),
        ("quiescence_depth", np.int64),
        ("age", np.int64),
        ("salt", np.uint64),  # tells the entries of a search for one player, of one generation, from all others
    ]
)
"""The settings as a running search reads them."""


class AlphaBetaMemory(Lent):
    """What a search remembers: the table, orders of moves, the best line below each ply, the root's moves, counters.

    `root_actions` are those searched so far, with their values and lines; `before_...` those of the last iteration.
    `numbers` are the settings of the search that is running.
    """

    arrays: ClassVar[dict[str, tuple[Any, int]]] = {
        "table": (ENTRY, 1),
        "killers": (np.int64, 2),
        "history": (np.int64, 2),
        "line": (np.int64, 2),
        "lengths": (np.int64, 1),
        "root_actions": (np.int64, 1),
        "root_values": (np.float64, 1),
        "root_lines": (np.int64, 2),
        "root_lengths": (np.int64, 1),
        "before_actions": (np.int64, 1),
        "before_values": (np.float64, 1),
        "counters": (np.int64, 1),
        "numbers": (NUMBERS, 1),
    }
    table: Any
    killers: Any
    history: Any
    line: Any
    lengths: Any
    root_actions: Any
    root_values: Any
    root_lines: Any
    root_lengths: Any
    before_actions: Any
    before_values: Any
    counters: Any
    numbers: Any


def new_memory(game: Game, table_size: int = 0) -> AlphaBetaMemory:
    """An empty memory with a table of `table_size` bytes."""
    actions = max_actions(game.initial)
    shapes: dict[str, Any] = {
        "killers": (KILLER_PLIES, 2),
        "history": (2, HISTORY_ACTIONS),
        "line": (LONGEST_LINE + 1, LONGEST_LINE),
        "lengths": LONGEST_LINE + 1,
        "root_lines": (actions, LONGEST_LINE),
        "counters": 8,
        "numbers": 1,
    }
    kinds = {name: dtype for name, (dtype, _) in AlphaBetaMemory.arrays.items() if name != "table"}
    arrays = {name: np.zeros(shapes.get(name, actions), dtype) for name, dtype in kinds.items()}
    return AlphaBetaMemory(table=new_table(table_size), **arrays)


@compiled
def alphabeta(
    state: Any,
    depth: int,
    alpha: float,
    beta: float,
    player: int,
    memory: AlphaBetaMemory,
    settings: AlphaBetaSettings,
    variant: AlphaBetaVariant,
    budget: Budget,
    endgame: EndgameTable | NoTable = NO_TABLE,
) -> float:
    """The value of `state` to `player` (MAX) when both sides look `depth` plies ahead; see the contract above.

    The best line is left in ``memory.line[0]``. If the budget was stopped, the answer and the line mean nothing.
    """
    numbers = memory.numbers[0]
    numbers["low"], numbers["high"] = settings.low, settings.high
    numbers["lines"], numbers["beam"], numbers["margin"] = settings.lines, settings.beam, settings.margin
    numbers["singular_margin"], numbers["singular_depth"] = settings.singular_margin, settings.singular_depth
    numbers["quiescence_depth"], numbers["age"] = settings.quiescence_depth, settings.age
    numbers["salt"] = mix64(2 * settings.generation + player)
    memory.counters[SEARCHED] = 0
    root = np.int64(0)  # a plain 0 would be a type of its own, for which everything is compiled again
    return node_value(
        state, depth, float(alpha), float(beta), player, root, memory, settings.scale, variant, budget, endgame
    )


@compiled
def node_value(
    state: Any,
    depth: int,
    alpha: float,
    beta: float,
    player: int,
    ply: Any,
    memory: AlphaBetaMemory,
    scale: Scale,
    variant: AlphaBetaVariant,
    budget: Budget,
    endgame: EndgameTable | NoTable,
) -> float:
    """Alpha-beta at one node, `ply` moves below the root."""
    entered(state)
    if budget.spend():
        return 0.0
    if ply <= LONGEST_LINE:
        memory.lengths[ply] = 0
    if terminal(state):
        saw_end(memory, ply)
        value = scale.of(float(utility(state, player)))
        evaluated(state, value)
        return value
    known = endgame_value(state, endgame)
    if ply > 0 and not math.isnan(known):
        saw_end(memory, ply)
        value = scale.of(known if player == 0 else -known)
        looked_up(state, value)
        return value
    maximising = to_move(state) == player
    if depth <= 0:
        memory.counters[HORIZON] += 1
        if variant.quiescence:
            limit = memory.numbers[0]["quiescence_depth"]
            return quiet_value(state, limit, alpha, beta, player, np.bool_(True), scale, variant, budget)
        value = scale.checked(leaf_evaluation(state, variant))
        if not maximising:
            value = 0.0 - value
        evaluated(state, value)
        return value

    numbers = memory.numbers[0]
    # What the table knows: perhaps the value, perhaps only a good move to begin with.
    key, remembered, place = np.uint64(0), -1, -1
    if variant.table:
        key = position_key(state, numbers["salt"])
        place = find_entry(memory.table, key)
        if place >= 0:
            entry = memory.table[place]
            remembered = int(entry["action"])
            if ply > 0 and fitting(entry, depth, variant):
                value, bound = entry["value"], entry["bound"]
                if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                    note_hit(memory, entry, ply)
                    if ply < LONGEST_LINE:
                        memory.line[ply, 0] = remembered
                        memory.lengths[ply] = 1
                    looked_up(state, value)
                    return value  # type: ignore[no-any-return]

    window(state, alpha, beta)
    options, scores = action_buffer(state), action_buffer(state)
    count = legal_actions(state, options)
    extension = 0
    if variant.singular and place >= 0 and depth >= numbers["singular_depth"] and 0 < ply < MOST_EXTENDED and count > 1:
        entry = memory.table[place]
        if entry["depth"] >= depth - 3 and entry["bound"] != (UPPER if maximising else LOWER):
            seen = float(entry["value"])
            extension = 1
            for i in range(count):
                if options[i] != remembered and extension == 1:
                    if maximising:
                        high_then = seen - numbers["singular_margin"]
                        low_then = float(np.nextafter(high_then, -math.inf))
                    else:
                        low_then = seen + numbers["singular_margin"]
                        high_then = float(np.nextafter(low_then, math.inf))
                    value = node_value(
                        result(state, options[i]), depth // 2 - 1, low_then, high_then,
                        player, ply + 1, memory, scale, variant, budget, endgame,
                    )  # fmt: skip
                    if budget.stopped:
                        return 0.0
                    extension = int(value < high_then if maximising else value > low_then)
            memory.counters[EXTENSIONS] += extension
    if variant.ordered:
        rank_moves(state, options, count, scores, remembered, alpha, beta, player, depth, ply, memory, scale, variant)
        if variant.previous and ply == 0:
            rank_root(options, scores, count, memory, maximising)
    if variant.table and variant.previous and depth > 1 and ply > 0:
        # Enhanced transposition cut: a move whose result the table knows may do without any search.
        for i in range(count):
            place = find_entry(memory.table, position_key(result(state, options[i]), numbers["salt"]))
            if place >= 0 and fitting(memory.table[place], depth - 1, variant):
                entry = memory.table[place]
                value, bound = entry["value"], entry["bound"]
                if (bound != UPPER and value >= beta) if maximising else (bound != LOWER and value <= alpha):
                    note_hit(memory, entry, ply + 1)
                    backed_up(state, options[i], value)
                    cut(state, value, BETA_CUT if maximising else ALPHA_CUT, beta if maximising else alpha)
                    chose(state, options[i], value)
                    return value  # type: ignore[no-any-return]
    looked_at = min(count, numbers["beam"]) if variant.beam else count
    horizon, deepest_end = memory.counters[HORIZON], memory.counters[DEEPEST_END]
    if variant.table:
        memory.counters[DEEPEST_END] = ply  # for this position alone, until its entry is stored
    low, high = alpha, beta
    best, chosen, was_cut = -math.inf if maximising else math.inf, -1, False
    for i in range(looked_at):
        if variant.ordered:
            next_best(options, scores, i, count)
        action = options[i]
        after = result(state, action)
        deeper = depth - 1 + (extension if action == remembered else 0)
        near, far = alpha, beta
        if variant.scout and i > 0 and (ply > 0 or numbers["lines"] == 1):
            # Principal variation search: prove that the move is no better; only if that fails, how much better it is.
            if maximising:
                far = min(beta, float(np.nextafter(alpha, math.inf)))
            else:
                near = max(alpha, float(np.nextafter(beta, -math.inf)))
        while True:
            value = node_value(after, deeper, near, far, player, ply + 1, memory, scale, variant, budget, endgame)
            if budget.stopped:
                return 0.0
            if (near == alpha and far == beta) or not alpha < value < beta:
                break
            near, far = alpha, beta
        backed_up(state, action, value)
        if (value > best) if maximising else (value < best):
            best, chosen = value, action
            extend_line(memory, ply, action)
        if ply == 0:
            note_root(action, value, memory)
        if maximising:
            if best >= beta or (variant.near and best > alpha and best >= beta - numbers["margin"]):
                cut(state, best, BETA_CUT if best >= beta else NEAR_CUT, beta)
                was_cut = True
                break
            if ply == 0 and numbers["lines"] > 1:
                alpha = max(alpha, kth_best(memory.root_values, i + 1, numbers["lines"]))
            else:
                alpha = max(alpha, best)
        else:
            if best <= alpha or (variant.near and best < beta and best <= alpha + numbers["margin"]):
                cut(state, best, ALPHA_CUT if best <= alpha else NEAR_CUT, alpha)
                was_cut = True
                break
            beta = min(beta, best)
        window(state, alpha, beta)
    if was_cut:
        memory.counters[CUTS] += 1
        memory.counters[FIRST_CUTS] += chosen == options[0]
        note_cut(chosen, int(to_move(state)), ply, depth, memory, variant)
    for i in range(looked_at, count):
        skipped(state, options[i])
    if variant.table:
        bound = UPPER if best <= low else LOWER if best >= high else EXACT
        if was_cut:  # a near cut may lie inside the window
            bound = LOWER if maximising else UPPER
        complete = memory.counters[HORIZON] == horizon
        below = memory.counters[DEEPEST_END] - ply if complete else depth
        store_entry(memory.table, key, best, chosen, below, bound, numbers["age"], complete)
        saw_end(memory, deepest_end)
    chose(state, chosen, best)
    return best


@inlined
def note_hit(memory: AlphaBetaMemory, entry: Any, ply: int) -> None:
    """The table has answered for a position at this ply."""
    memory.counters[TABLE_HITS] += 1
    if entry["age"] > 0:
        memory.counters[HORIZON] += 1
    else:
        saw_end(memory, ply + entry["depth"])


@inlined
def saw_end(memory: AlphaBetaMemory, ply: int) -> None:
    """A game has ended at this ply."""
    memory.counters[DEEPEST_END] = max(memory.counters[DEEPEST_END], ply)


@compiled
def note_root(action: int, value: float, memory: AlphaBetaMemory) -> None:
    """Keep what was found of a root action: its value, which is a bound if it is not among the best, and its line."""
    n = memory.counters[SEARCHED]
    memory.root_actions[n] = action
    memory.root_values[n] = value
    length = min(memory.lengths[1], LONGEST_LINE - 1)
    memory.root_lengths[n] = length + 1
    memory.root_lines[n, 0] = action
    for i in range(length):
        memory.root_lines[n, i + 1] = memory.line[1, i]
    memory.counters[SEARCHED] += 1


def keep_order(memory: AlphaBetaMemory) -> None:
    """What this iteration has found of the root's actions is the order of the next one."""
    searched = int(memory.counters[SEARCHED])
    memory.before_actions[:searched] = memory.root_actions[:searched]
    memory.before_values[:searched] = memory.root_values[:searched]
    memory.counters[BEFORE] = searched


@compiled
def rank_root(options: Any, scores: Any, count: int, memory: AlphaBetaMemory, maximising: bool) -> None:
    """Let the last iteration's backed-up values rank the root's actions, best first."""
    before = memory.counters[BEFORE]
    if before < count:  # a null window was cut before all were searched
        return
    for i in range(count):
        for j in range(before):
            if memory.before_actions[j] == options[i]:
                scores[i] = 0
                for k in range(before):
                    less = memory.before_values[k] < memory.before_values[j]
                    more = memory.before_values[k] > memory.before_values[j]
                    # Equal values, most of them bounds, keep the order in which they were found.
                    tied_later = memory.before_values[k] == memory.before_values[j] and k > j
                    scores[i] += (less if maximising else more) or tied_later


@compiled
def kth_best(values: Any, count: int, k: int) -> float:
    """The k-th largest of the first values; -inf if there are fewer."""
    for i in range(count):
        larger, equal = 0, 0
        for j in range(count):
            larger += values[j] > values[i]
            equal += values[j] == values[i]
        if larger < k <= larger + equal:
            return values[i]  # type: ignore[no-any-return]
    return -math.inf
