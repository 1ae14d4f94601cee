"""The engine: give it a position and a limit, and it says what to play, how the game ends, and in how many moves.

    >>> from plyground.games.connect4 import connect4
    >>> report = Engine(columns=5, rows=4).search(connect4(columns=5, rows=4).initial)
    >>> report.value, report.exact
    (0.0, True)

What the book holds is known at once. Otherwise it first looks for short wins and losses, a ply farther each time: a
question about a score so high has its answer within so many plies. What is still open then is solved. A move on which
there was no time to decide is guessed at: by the game's own evaluation, after the reply that is worst for it.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from plyground.core.limits import Budget, Interrupted, Limit
from plyground.core.rules import actions, evaluation, result
from plyground.engines.connect4.book import ScoreBook, load_book
from plyground.engines.connect4.lines import canonical, key_of
from plyground.engines.connect4.memory import Memory
from plyground.engines.connect4.search import exceeds, solve
from plyground.engines.connect4.table import Table
from plyground.errors import BadOption, IllegalAction
from plyground.games.connect4 import ConnectFour, has_four, landing_cell
from plyground.native.compiling import interpreted
from plyground.search.result import SearchResult

__all__ = ["Engine", "Report"]

DEFAULT_TABLE = 64 << 20
LARGEST_GUESS = 0.98
"""What a value that is not proven stays below."""
SHORT = 14
"""Plies within which wins and losses are looked for before everything is solved."""
LONGEST_LINE = 8
LINE_NODES = 3_000_000
"""Positions that may be looked at for the lines of all moves, when their values are proven."""


@dataclass(frozen=True)
class Report:
    """What is known of a move: `value` is what it is worth to the side to move, from -1 to 1.

    If `exact`, it wins (1), draws (0) or loses (-1), and with best play the game is over after `plies` plies, this move
    counted: the winner is as quick, and the loser as slow, as can be. `line` is best play, this move first. `depth` is
    how many plies the search has looked ahead; `nodes` and `time` (seconds) were spent since it began.
    """

    move: int
    value: float
    exact: bool
    plies: int | None
    line: tuple[int, ...]
    depth: int
    nodes: int
    time: float

    @property
    def rank(self) -> tuple[float, int]:
        """Greater for a better move: a quick win, a slow loss."""
        return self.value, 0 if self.plies is None else -self.plies if self.value > 0 else self.plies

    @property
    def result(self) -> SearchResult:
        """The same as every search tells it."""
        facts = {"line": self.line, "depth": self.depth, "nodes": self.nodes, "time": self.time, "complete": self.exact}
        return SearchResult.choose(self.move, {self.move: self.value}, **facts)


class SignalledBudget(Budget, dtype=np.int64):
    """A budget whose end is also written where the compiled search looks for it."""

    def __init__(self, signal: NDArray[np.int64]) -> None:
        super().__init__()
        self._signal = signal

    def stop(self) -> None:
        self._signal[0] = 1


class Engine:
    """A search with its table, for racks of one size; one search at a time. What it has proven serves the next one.

    `table` is in bytes. Without a `book` of its own it has the package's on the rack that this is for.
    """

    def __init__(
        self, *, table: int = DEFAULT_TABLE, columns: int = 7, rows: int = 6, book: ScoreBook | None = None
    ) -> None:
        self._size = columns, rows
        self._cells = columns * rows
        self._table = Table(table)
        self._signal = np.zeros(16, np.int64)
        self._memory = Memory(self._table, self._signal, columns, rows)
        self._book = load_book() if book is None and (columns, rows) == (7, 6) else book
        self._started = 0.0
        self.latest: tuple[Report, ...] = ()
        """What the running search has found so far of all moves, the best first; empty before its first step."""

    def prepare(self) -> None:
        """Compile, or load what was compiled before."""
        solve.prepare(0, 0, self._memory.record)
        exceeds.prepare(0, 0, 0, self._memory.record)
        key_of.prepare(0, 0, self._memory.record)
        canonical.prepare(0, self._memory.record)

    def clear(self) -> None:
        """Forget what earlier searches have found."""
        self._table.clear()

    def stop(self) -> None:
        """End the running search as soon as possible; callable from any thread."""
        self._signal[0] = 1

    @property
    def nodes(self) -> int:
        """Positions looked at since the last search began."""
        return int(self._memory.record["nodes"])

    def search(self, state: ConnectFour, limit: Limit | None = None) -> Report:
        """The best move of a position that is not over, within the limit; without one, until it is proven."""
        return self._run(state, limit or Limit(), only_best=True)[0]

    def score_moves(
        self,
        state: ConnectFour,
        limit: Limit | None = None,
        *,
        on_reports: Callable[[tuple[Report, ...]], None] | None = None,
    ) -> tuple[Report, ...]:
        """What every move is worth, the best first; `on_reports` is called after every step, from another thread."""
        return self._run(state, limit or Limit(), on_reports=on_reports)

    def _run(
        self,
        state: ConnectFour,
        limit: Limit,
        *,
        only_best: bool = False,
        on_reports: Callable[[tuple[Report, ...]], None] | None = None,
    ) -> tuple[Report, ...]:
        if (int(state.columns), int(state.rows)) != self._size:
            raise BadOption(f"this engine was made for a rack of {self._size[0]} x {self._size[1]}")
        guesses = {action: guess(state, action) for action in moves_of(state)}
        if not guesses:
            raise IllegalAction("the game is over: there is nothing to search")
        self.latest = ()
        self._signal[0] = 0
        self._memory.begin(limit.nodes)
        self._started = clock.perf_counter()

        def work() -> None:
            for reports in self._steps(state, limit, guesses, only_best):
                self.latest = reports
                if on_reports:
                    on_reports(reports)

        try:
            SignalledBudget(self._signal).run(work, limit.time)
        except KeyboardInterrupt:
            raise Interrupted(self.latest[0] if self.latest else None) from None
        return self.latest

    # The search ------------------------------------------------------------------------------------------------------

    def _steps(
        self, state: ConnectFour, limit: Limit, guesses: dict[int, float], only_best: bool
    ) -> Iterator[tuple[Report, ...]]:
        """Ever better reports on all moves; at least once, even if there is no time at all."""
        left = self._cells - discs_in(state)
        farthest = min(limit.depth or left, left)
        order = sorted(guesses, key=lambda action: (-guesses[action], abs(action - self._size[0] // 2)))
        found = {action: self._report(action, guesses[action], 0) for action in order}
        children = {action: after(state, action) for action in order}
        best: int | None = None  # the move that is proven to be as good as any, whatever others seem to be worth

        def ranked() -> tuple[Report, ...]:
            nodes, spent = self.nodes, clock.perf_counter() - self._started
            reports = [replace(one, nodes=nodes, time=spent) for one in found.values()]
            return tuple(sorted(reports, key=lambda one: (one.move == best, one.rank), reverse=True))

        def settled() -> bool:
            won = only_best and any(one.exact and one.value > 0 for one in found.values())
            return won or all(one.exact for one in found.values())

        if farthest == left:
            for action, child in children.items():
                score = self._known(child)
                if score is not None:
                    found[action] = self._scored(action, -score, left)
        yield ranked()
        for depth in range(1, (min(left, SHORT) if farthest == left else farthest) + 1):
            if settled() or self._halted:
                break
            undecided = [action for action in children if not found[action].exact]
            for action, child in children.items():
                if found[action].exact or self._halted:
                    continue
                if self._decided(child, depth, left):
                    found[action] = self._report(action, 1.0 if depth % 2 else -1.0, depth, depth)
                elif not self._halted:
                    found[action] = replace(found[action], depth=depth)
            if any(found[action].exact for action in undecided):
                yield ranked()
        if farthest == left and not settled() and not self._halted:
            waiting = [action for action in children if not found[action].exact]
            if only_best:
                score = self._solved(state)
                best = None if score is None else self._reaching(score, children, waiting)
                if score is not None and best is not None:
                    found[best] = self._scored(best, score, left)
            else:
                for action in waiting:
                    score = self._solved(children[action])
                    if score is None:
                        break
                    found[action] = self._scored(action, -score, left)
                    yield ranked()
        self._memory.record["allowed"] = min(self._memory.record["allowed"], self.nodes + LINE_NODES)
        for report in ranked()[: 1 if only_best else None]:
            if report.exact and not self._halted:
                found[report.move] = replace(report, line=self._line(state, report, left))
        yield ranked()

    def _reaching(self, score: int, children: dict[int, ConnectFour], moves: list[int]) -> int | None:
        """A move that is worth as much as the position; None if there was no time to see which."""
        if len(moves) == 1:
            return moves[0]
        return next((action for action in moves if self._at_most(children[action], -score)), None)

    @property
    def _halted(self) -> bool:
        return bool(self._memory.record["halted"])

    def _decided(self, child: ConnectFour, depth: int, left: int) -> bool:
        """Whether the move that led here wins (`depth` is odd) or loses (it is even) within so many plies."""
        magnitude = left - depth + 2 >> 1
        if depth % 2:
            return self._at_most(child, -magnitude)
        return not self._at_most(child, magnitude - 1) and not self._halted

    def _at_most(self, state: ConnectFour, alpha: int) -> bool:
        """Whether a position, over or not, has at most this score; void if halted."""
        known = self._known(state)
        if known is not None:
            return known <= alpha
        above = exceeds(int(state.mine), int(state.mine | state.theirs), alpha, self._memory.record)
        return not above and not self._halted

    def _solved(self, state: ConnectFour) -> int | None:
        """The score of a position, over or not; None if there was no time."""
        known = self._known(state)
        if known is not None:
            return known
        score = int(solve(int(state.mine), int(state.mine | state.theirs), self._memory.record))
        return None if self._halted else score

    def _known(self, state: ConnectFour) -> int | None:
        """The score of a position that is over or in the book, or from which forced moves lead there."""
        moves = moves_of(state)
        if not moves:
            return final_score(state)
        discs = discs_in(state)
        if self._book is None or discs > self._book.plies:
            return None
        cells = [landing_cell(state, column) for column in moves]
        if any(has_four(state.mine | cell, state.rows) for cell in cells):
            return self._cells + 1 - discs >> 1
        forced = [move for move, cell in zip(moves, cells, strict=True) if has_four(state.theirs | cell, state.rows)]
        if len(forced) > 1:
            return -(self._cells - discs >> 1)
        if forced:
            score = self._known(after(state, forced[0]))
            return None if score is None else -score
        record = self._memory.record
        return self._book.find(int(canonical(key_of(int(state.mine), int(state.mine | state.theirs), record), record)))

    def by_heart(self, state: ConnectFour) -> dict[int, float]:
        """What the book says of the moves, as utilities to the player who makes them; none of a position beyond it."""
        scores = {move: self._known(after(state, move)) for move in moves_of(state)}
        return {move: float(np.sign(-score)) for move, score in scores.items() if score is not None}

    # What it tells ---------------------------------------------------------------------------------------------------

    def _line(self, state: ConnectFour, report: Report, left: int) -> tuple[int, ...]:
        """Best play, the move first, as far as there is time to prove it and people like to read."""
        line, here, score = [report.move], after(state, report.move), -score_of(report, left)
        while len(line) < LONGEST_LINE:
            moves = sorted(moves_of(here), key=lambda column: abs(column - self._size[0] // 2))
            chosen = self._reaching(score, {move: after(here, move) for move in moves}, moves)
            if chosen is None:
                break
            here, score = after(here, chosen), -score
            line.append(chosen)
        return tuple(line)

    def _scored(self, action: int, score: int, left: int) -> Report:
        """A move that makes the game end with this score of the side to move."""
        if score == 0:
            return self._report(action, 0.0, left, left)
        own = (left + 1 if score > 0 else left) >> 1
        moves = own - abs(score) + 1
        return self._report(action, 1.0 if score > 0 else -1.0, left, 2 * moves - 1 if score > 0 else 2 * moves)

    def _report(self, action: int, value: float, depth: int, plies: int | None = None) -> Report:
        return Report(action, value, plies is not None, plies, (action,), depth, 0, 0.0)


def score_of(report: Report, left: int) -> int:
    """The score of a proven move where so many cells are free: the reverse of how it was told."""
    if report.value == 0 or report.plies is None:
        return 0
    magnitude = left - report.plies + 2 >> 1
    return magnitude if report.value > 0 else -magnitude


def discs_in(state: ConnectFour) -> int:
    """How many discs are in the rack."""
    return int(state.mine | state.theirs).bit_count()


def moves_of(state: ConnectFour) -> list[int]:
    """The columns in which a disc can be dropped; none if the game is over."""
    with interpreted():
        return actions(state)


def after(state: ConnectFour, column: int) -> ConnectFour:
    """The position after a disc."""
    with interpreted():
        return result(state, column)  # type: ignore[no-any-return]


def final_score(state: ConnectFour) -> int:
    """The score, to the player who would be to move, of a game that is over."""
    if not has_four(state.theirs, state.rows):
        return 0
    return -(state.columns * state.rows + 2 - discs_in(state) >> 1)


def guess(state: ConnectFour, action: int) -> float:
    """What a move seems to be worth: the evaluation after the reply that is worst for it."""
    child = after(state, action)
    with interpreted():
        values = [float(evaluation(result(child, reply))) for reply in actions(child)]
    return LARGEST_GUESS * min(values, default=0.0)
