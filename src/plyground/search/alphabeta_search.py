"""Alpha-beta as a player uses it: deeper and deeper within limits, with a memory that is kept between moves."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from plyground.core.game import Game
from plyground.core.limits import Budget, Interrupted, Limit
from plyground.core.rules import to_move
from plyground.errors import BadOption, BrokenRule
from plyground.native.compiling import interpreted
from plyground.native.randomness import random_below, stream
from plyground.search import alphabeta
from plyground.search.alphabeta import AlphaBetaMemory, AlphaBetaSettings, AlphaBetaVariant, new_memory, settings_for
from plyground.search.anytime import DEEPEST, deepened, root_actions
from plyground.search.endgame_table import NO_TABLE, EndgameTable, NoTable
from plyground.search.evaluations import on_one_scale
from plyground.search.glimpse import Glimpse, Known, RootMove
from plyground.search.result import SearchResult
from plyground.search.transpositions import AGES, LOWER, UPPER, find_entry, position_key

LEAST_TIME = 1e-4
"""Seconds that a search runs at least, however late it begins."""

__all__ = ["AlphaBetaResult", "AlphaBetaSearch"]


@dataclass(frozen=True, kw_only=True)
class AlphaBetaResult(SearchResult):
    """What a search found; its `values` are those of the best moves, best first: as many as were asked for.

    `lines` has what would follow each of them, the move itself first. `depth` is that of the deepest search that was
    completed, 0 if none was. `first_cuts` is how many of the `cuts` the first move made: the better the order, the
    more.
    """

    lines: dict[int, tuple[int, ...]]
    first_cuts: int = 0
    table_hits: int = 0
    extensions: int = 0


Root = Callable[
    [Any, int, float, int, AlphaBetaMemory, AlphaBetaSettings, AlphaBetaVariant, Budget, EndgameTable | NoTable], float
]
"""Searches a root to a depth, given the value of the last iteration; leaves the lines in the memory."""


@dataclass
class AlphaBetaSearch:
    """Searches one game, and keeps its table between moves if it may `reuse` it.

    `table` is in bytes; `root` is how the root is searched, if not with the whole window. With a `seed`, the
    order in which the root's moves are searched first is random, and so is the choice between equally good ones; that
    needs the order `previous`.
    """

    game: Game
    variant: AlphaBetaVariant
    settings: AlphaBetaSettings = field(default_factory=AlphaBetaSettings)
    table: int = 0
    reuse: bool = True
    deepening: bool = True
    root: Root | None = None
    endgame: EndgameTable | NoTable = NO_TABLE
    seed: int | None = None

    def __post_init__(self) -> None:
        self.settings = settings_for(self.game, **self.settings._asdict())
        try:
            self._memory = new_memory(self.game, self.table if self.variant.table else 0)
        except (MemoryError, ValueError):
            raise BadOption(f"there is no room for a table of {self.table / 1e6:g} MB; give it less") from None
        self._age = 0
        self.latest: AlphaBetaResult | None = None
        """What the running search has found so far, its nodes aside; None before its first look is completed."""
        self._rng = stream(self.seed or 0)
        self._budget: Budget | None = None
        self._looking = 0

    def prepare(self) -> None:
        """Compile, before any clock runs."""
        self._search_root(self.game.initial, 1, 0.0, 0, Budget(0))

    def search(self, state: Any, limit: Limit) -> AlphaBetaResult:
        """Search from `state` within a limit: straight to the depth given, or deeper and deeper if time or nodes count.

        With a table, or an order that learns, it always deepens, unless `deepening` is off. Without any limit the whole
        tree is searched straight away: values are then nothing but utilities, which cut more than evaluations do.
        """
        self.prepare()
        start = clock.perf_counter()
        options = root_actions(state)
        if not all(-(2**31) <= action < 2**31 for action in options):
            raise BrokenRule(f"{self.game.name}: the table holds actions of 32 bits, not {max(options, key=abs)}")
        memory = self._memory
        self._age = self._age % (AGES - 1) + 1
        self.settings = self.settings._replace(age=self._age)
        if not self.reuse:
            self._forget()
        memory.killers[:] = 0
        memory.history[:] = 0
        memory.counters[:] = 0
        self.latest = None
        budget = self._budget = Budget(limit.nodes)
        player = int(to_move(state))
        first = options[0]
        found = AlphaBetaResult.choose(first, {first: 0.0}, depth=0, lines={first: (first,)})

        if self.seed is not None:
            self._shuffle(options)
        guess = 0.0

        def look(depth: int) -> tuple[AlphaBetaResult, bool]:
            nonlocal guess
            self._looking = depth

            def look_once(budget: Budget) -> float:
                memory.counters[alphabeta.HORIZON], memory.counters[alphabeta.DEEPEST_END] = 0, 0
                return self._search_root(state, depth, guess, player, budget)

            value = guess = on_one_scale(look_once, budget, self.settings.scale, self.variant, self._forget)
            if budget.stopped:
                return found, True
            complete = bool(memory.counters[alphabeta.HORIZON] == 0)
            values, lines = self._lines(value, complete)
            alphabeta.keep_order(memory)
            seen = min(depth, int(memory.counters[alphabeta.DEEPEST_END])) if complete else depth
            # A won or lost game stays so however deep one looks, and without a depth limit there is no more to see.
            decided = self.settings.lines == 1 and not self.settings.low < value < self.settings.high
            cost = {"depth": seen, "nodes": budget.nodes, "complete": decided or complete}
            self.latest = answer = AlphaBetaResult.choose(next(iter(lines)), values, lines=lines, **cost)
            return answer, answer.complete

        def with_cost(found: AlphaBetaResult) -> AlphaBetaResult:
            counters = memory.counters
            return replace(
                found,
                nodes=budget.nodes,
                cuts=int(counters[alphabeta.CUTS]),
                first_cuts=int(counters[alphabeta.FIRST_CUTS]),
                table_hits=int(counters[alphabeta.TABLE_HITS]),
                extensions=int(counters[alphabeta.EXTENSIONS]),
                time=clock.perf_counter() - start,
            )

        learns = self.deepening and (self.variant.table or self.variant.previous)
        if limit == Limit():
            limit, learns = Limit(depth=DEEPEST), False
        if limit.time is not None:
            limit = replace(limit, time=max(limit.time - (clock.perf_counter() - start), LEAST_TIME))
        try:
            return with_cost(deepened(look, found, limit, budget, choices=len(options), learns=learns))
        except Interrupted as stop:
            raise Interrupted(with_cost(stop.answer)) from None

    def glimpse(self) -> Glimpse | None:
        """The search at this moment; None before the first one."""
        if self._budget is None:
            return None
        counters, settings = self._memory.counters, self.settings
        moves: list[RootMove] = []
        window = None
        if self.root is None:  # MTD(f) asks with windows of its own
            one_best = settings.lines == 1
            low, high = (settings.low, settings.high) if one_best else (-math.inf, math.inf)
            found: list[float] = []
            for place in range(int(counters[alphabeta.SEARCHED])):
                moves.append(self._root_move(place, found, low, high))
                found.append(float(self._memory.root_values[place]))
            window = (max(low, _kth_best(found, settings.lines)), high)
        return Glimpse(
            "windows",
            self._budget.nodes,
            self._looking,
            tuple(moves),
            window=window,
            cuts=int(counters[alphabeta.CUTS]),
            first_cuts=int(counters[alphabeta.FIRST_CUTS]),
            known=self.known,
            scale=settings.scale,
        )

    def _root_move(self, place: int, before: list[float], low: float, high: float) -> RootMove:
        """A move at the root that was searched after those with the values `before`, in the window from low to high."""
        memory = self._memory
        action, value = int(memory.root_actions[place]), float(memory.root_values[place])
        line = tuple(memory.root_lines[place, : memory.root_lengths[place]].tolist())
        alpha = max(low, _kth_best(before, self.settings.lines))
        window = (alpha, high)
        if value <= alpha and before:
            if self.variant.scout and self.settings.lines == 1:
                window = (alpha, math.nextafter(alpha, math.inf))
            return RootMove(action, high=value, window=window, line=line)
        return RootMove(action, value, value, window, line=line)

    def known(self, state: Any) -> Known | None:
        """What the table holds of a position, for the player of the last search; None if it holds nothing."""
        if not self.variant.table:
            return None
        table = self._memory.table
        with interpreted():  # a few looks are not worth compiling for
            place = find_entry(table, position_key(state, self._memory.numbers[0]["salt"]))
        if place < 0:
            return None
        entry = table[place].copy()
        value, bound = float(entry["value"]), int(entry["bound"])
        return Known(
            -math.inf if bound == UPPER else value,
            math.inf if bound == LOWER else value,
            math.inf if entry["age"] < 0 else int(entry["depth"]),
            int(entry["action"]),
        )

    def _forget(self) -> None:
        """What is in the table is not found any more; nothing is written, since that takes its time."""
        scale = self.settings.scale
        self.settings = self.settings._replace(generation=self.settings.generation + 1, low=scale.low, high=scale.high)

    def _shuffle(self, options: list[int]) -> None:
        """Write the root's moves in random order where the last iteration's would be."""
        memory, left = self._memory, list(options)
        for n in range(len(options)):
            memory.before_actions[n] = left.pop(random_below(self._rng, len(left)))
        memory.before_values[: len(options)] = 0.0
        memory.counters[alphabeta.BEFORE] = len(options)

    def _search_root(self, state: Any, depth: int, guess: float, player: int, budget: Budget) -> float:
        root = self.root or _full_window
        return root(state, depth, guess, player, self._memory, self.settings, self.variant, budget, self.endgame)

    def _lines(self, value: float, complete: bool) -> tuple[dict[int, float], dict[int, tuple[int, ...]]]:
        """The values and the lines of the best root moves, as many as have exact values."""
        memory, told = self._memory, self.settings.scale.told
        if self.settings.lines == 1:
            line = tuple(memory.line[0, : memory.lengths[0]].tolist())
            return {line[0]: told(value, complete)}, {line[0]: line}
        ranked = sorted(range(int(memory.counters[alphabeta.SEARCHED])), key=lambda n: -memory.root_values[n])
        places = {int(memory.root_actions[n]): n for n in ranked[: self.settings.lines]}
        values = {action: told(float(memory.root_values[n]), complete) for action, n in places.items()}
        return values, {a: tuple(memory.root_lines[n, : memory.root_lengths[n]].tolist()) for a, n in places.items()}


def _full_window(
    state: Any,
    depth: int,
    guess: float,
    player: int,
    memory: AlphaBetaMemory,
    settings: AlphaBetaSettings,
    variant: AlphaBetaVariant,
    budget: Budget,
    endgame: EndgameTable | NoTable,
) -> float:
    # No value is beyond the range of utilities, so nothing better than a win need be looked for.
    low, high = (settings.low, settings.high) if settings.lines == 1 else (-math.inf, math.inf)
    return alphabeta.alphabeta(state, depth, low, high, player, memory, settings, variant, budget, endgame)


def _kth_best(values: list[float], k: int) -> float:
    """The k-th largest; -inf if there are fewer."""
    return sorted(values, reverse=True)[k - 1] if len(values) >= k else -math.inf
