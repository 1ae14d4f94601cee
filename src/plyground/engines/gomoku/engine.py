"""The engine: give it a position and a limit, and it says what to play, what that is worth, and what is proven.

    >>> from plyground.games.mnk import gomoku
    >>> from plyground.core.rules import result
    >>> report = Engine().search(result(gomoku().initial, 112), Limit(depth=4))
    >>> report.depth, report.exact
    (4, False)

Before it deepens, and again at every step, it looks for a win by fours and for one by threats; the move that it has
found is played only if the other side has no such win after it, as far as the limit allows to see.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyground.core.limits import Budget, Interrupted, Limit
from plyground.core.rules import terminal
from plyground.engines.gomoku.board import BLACK, EMPTY, WHITE, put_position
from plyground.engines.gomoku.memory import DEEPEST, FIRST, STRIDE, Memory
from plyground.engines.gomoku.roots import (
    best_line,
    fours_line,
    root_moves,
    static_value,
    threats_line,
    value_after,
    win_proven,
)
from plyground.engines.gomoku.search import INFINITE, WIN, WON
from plyground.engines.gomoku.shapes import MAKES_FIVE, UNSTOPPABLE
from plyground.engines.gomoku.table import Table
from plyground.engines.gomoku.threats import PROVEN
from plyground.errors import BadOption, IllegalAction
from plyground.games.lattice import has
from plyground.games.mnk import LARGEST, MNK
from plyground.search.result import SearchResult

__all__ = ["Engine", "Report", "Sight", "obstacle_to"]

DEFAULT_TABLE = 64 << 20
HALF_WON = 900
"""The value at which a side is halfway between even and won, as people are shown it."""
LARGEST_GUESS = 0.98
"""What a value that is not proven stays below."""
FORCED_DEPTH = 4
AT_ONCE = WIN - 4
"""A win, or a loss, that is not farther away than this: a five, or what cannot be stopped, made now or in answer."""
LONGEST_LINE = 60
ROOT_WIDTH = 40
"""How many moves are looked at where nothing must be answered."""
BEYOND = 8
"""How many plies below its depth a search follows up threats."""
SHORTEST_LINE, SHORTEST_SIDE = 3, 5


@dataclass(frozen=True)
class Report:
    """What a search has found, or has found so far.

    `move` is the best one, as an action of the game, and `value` what it is worth to the side to move, from -1 to 1; if
    `exact`, the game is won or lost with best play, and proven to be. `line` is the best play expected, the move first.
    `depth` is in plies; `nodes` and `time` (seconds) were spent since the search began.
    """

    move: int
    value: float
    depth: int
    exact: bool
    line: tuple[int, ...]
    nodes: int
    time: float

    @property
    def result(self) -> SearchResult:
        """The same as every search tells it."""
        facts = {"line": self.line, "depth": self.depth, "nodes": self.nodes, "time": self.time, "complete": self.exact}
        return SearchResult.choose(self.move, {self.move: self.value}, **facts)


@dataclass(frozen=True)
class Sight:
    """How many positions a search may spend on a win by fours, and on one by threats, before its first step.

    With every step it is half as much again. At every leaf it may spend `leaves` on a win by fours.
    """

    fours: int = 2000
    threats: int = 3000
    leaves: int = 40

    def at(self, depth: int) -> Sight:
        """The same at a later step."""
        growth = 1.5 ** min(depth - 1, 16)
        return Sight(int(self.fours * growth), int(self.threats * growth), self.leaves)


def obstacle_to(state: MNK) -> str | None:
    """What keeps the engine from playing on this board, as the end of a sentence; None if nothing does."""
    if not SHORTEST_LINE <= state.k <= SHORTEST_SIDE:
        return f"its engine knows lines of 3 to 5 only (k: needs 3, 4 or 5, not {state.k})"
    if min(state.rows, state.columns) < SHORTEST_SIDE:
        return f"its engine needs a board of at least 5 x 5 (not {state.columns} x {state.rows})"
    return None


class Engine:
    """A search with its tables; one search at a time. What they hold serves the next search, until `clear`.

    `table` is in bytes; `in_line` stones win.
    """

    def __init__(self, *, table: int = DEFAULT_TABLE, in_line: int = 5) -> None:
        self._table = Table(table)
        self._in_line = in_line
        self._memory = Memory(self._table, in_line)
        self._budget = Budget()
        self._started = 0.0
        self.latest: Report | None = None
        """What the running search has found so far; None before its first step."""
        self.latest_moves: tuple[Report, ...] = ()
        """The same of every move that is worth a look, while all of them are scored."""

    def prepare(self) -> None:
        """Compile, or load what was compiled before."""
        record, budget, out = self._memory.record, Budget(), np.zeros(1, np.int64)
        put_position.prepare(record, 15, 15, out)
        root_moves.prepare(record, out)
        value_after.prepare(record, budget, 0, 0, 0, 0)
        win_proven.prepare(record, budget, 0, 0)
        threats_line.prepare(record, 0, out)
        fours_line.prepare(record, budget, 0, out)
        best_line.prepare(record, 0, out)
        static_value.prepare(record)

    def clear(self) -> None:
        """Forget what earlier searches have found."""
        self._table.clear()
        self._memory.forget()

    def stop(self) -> None:
        """End the running search as soon as possible; callable from any thread."""
        self._budget.stop()

    @property
    def nodes(self) -> int:
        """Positions looked at since the last search began."""
        return self._budget.nodes

    def search(
        self,
        state: MNK,
        limit: Limit | None = None,
        *,
        sight: Sight = Sight(),
        on_report: Callable[[Report], None] | None = None,
    ) -> Report:
        """The best move of a position that is not over, within the limit; without one, until a win is proven.

        `on_report` is called after every completed step of the deepening search, from another thread.
        """
        found: list[Report] = []

        def work() -> None:
            for report in self._deepened(limit or Limit(), sight):
                found.append(report)
                self.latest = report
                if on_report:
                    on_report(report)

        self._run(state, work, limit or Limit())
        return found[-1]

    def score_moves(
        self,
        state: MNK,
        limit: Limit | None = None,
        *,
        sight: Sight = Sight(),
        also: Sequence[int] = (),
        on_reports: Callable[[tuple[Report, ...]], None] | None = None,
    ) -> tuple[Report, ...]:
        """What every move is worth that is worth a look, the best first, each searched to the same depth.

        Where something must be answered, every other move loses; those of `also` are looked at anyway. `on_reports` is
        called after every step that has gone through all moves, from another thread.
        """
        steps: list[tuple[Report, ...]] = []

        def work() -> None:
            for reports in self._deepened_moves(limit or Limit(), sight, also):
                steps.append(reports)
                self.latest, self.latest_moves = reports[0], reports
                if on_reports:
                    on_reports(reports)

        self._run(state, work, limit or Limit())
        return steps[-1]

    def proof(self, state: MNK, positions: int, *, fours: bool = False) -> tuple[int, ...]:
        """The line of a win that the side to move can force by threats, or by fours alone; empty if none is seen.

        At most so many `positions` are looked at.
        """
        lines: list[tuple[int, ...]] = []
        self._run(state, lambda: lines.append(self._winning_line(positions, 0 if fours else positions)), Limit())
        return lines[0]

    def _run(self, state: MNK, work: Callable[[], None], limit: Limit) -> None:
        if obstacle := obstacle_to(state):
            raise BadOption(f"the position cannot be searched: {obstacle}")
        if terminal(state):
            raise IllegalAction("the game is over: there is nothing to search")
        if state.k != self._in_line:
            raise BadOption(f"this engine was made for {self._in_line} in a line, not {state.k}")
        self.latest, self.latest_moves = None, ()
        self._budget = Budget(limit.nodes)
        self._started = clock.perf_counter()
        put_position(self._memory.record, int(state.rows), int(state.columns), stones_of(state))
        try:
            self._budget.run(work, limit.time)
        except KeyboardInterrupt:
            raise Interrupted(self.latest) from None

    # What is proven ---------------------------------------------------------------------------------------------------

    def _winning_line(self, fours: int, threats: int, after: int = 0) -> tuple[int, ...]:
        """The line of a win of the side to move, or of the other side after a move; empty if none is seen."""
        record, out = self._memory.record, np.zeros(LONGEST_LINE, np.int64)
        length = 0
        if after == 0 and fours:
            length = int(fours_line(record, self._budget, fours, out))
        if length == 0 and threats and win_proven(record, self._budget, after, threats) == PROVEN:
            length = int(threats_line(record, after, out))
        return tuple(self._action(cell) for cell in out[:length])

    def _refuted(self, cell: int, threats: int) -> bool:
        """Whether the other side is proven to win after a move."""
        return bool(threats and win_proven(self._memory.record, self._budget, cell, threats) == PROVEN)

    # Deepening --------------------------------------------------------------------------------------------------------

    def _deepened(self, limit: Limit, sight: Sight) -> Iterator[Report]:
        """Ever better reports; at least one, even if there is no time at all."""
        self._memory.record["fours_at_leaves"] = sight.leaves
        moves, must_answer = self._moves()
        lost: set[int] = set()
        value = None
        for depth in self._depths(limit, moves):
            see = sight.at(depth)
            if line := self._winning_line(see.fours, see.threats):
                yield self._won(line, depth)
                return
            values = self._values(moves, depth, lost)
            while values:
                best = max(values, key=values.__getitem__)
                if self._budget.stopped or abs(values[best]) > WON or not self._refuted(best, see.threats):
                    moves.sort(key=lambda cell: cell != best)
                    value = values[best]
                    yield self._report(best, value, depth, must_answer and len(lost) == len(moves))
                    break
                lost.add(best)
                values = self._values(moves, depth, lost) if len(lost) < len(moves) else {}
            if self._budget.stopped or (value is not None and abs(value) > WON) or len(lost) >= len(moves) - 1:
                break
        if value is None:
            yield self._report(moves[0], -WON if lost else 0, 0, False)

    def _deepened_moves(self, limit: Limit, sight: Sight, also: Sequence[int]) -> Iterator[tuple[Report, ...]]:
        """Ever better reports on all moves; at least once, even if there is no time at all."""
        self._memory.record["fours_at_leaves"] = sight.leaves
        moves, _ = self._moves()
        moves += [cell for cell in map(self._cell, also) if cell not in moves]
        done: tuple[Report, ...] = ()
        lost: set[int] = set()
        for depth in self._depths(limit, moves):
            see = sight.at(depth)
            line = self._winning_line(see.fours, see.threats)
            reports = []
            for cell in moves:
                if line and self._action(cell) == line[0]:
                    reports.append(self._won(line, depth))
                    continue
                value = int(value_after(self._record(depth), self._budget, cell, -INFINITE, INFINITE, depth))
                if self._budget.stopped:
                    break
                if cell not in lost and abs(value) < WON and self._refuted(cell, see.threats // len(moves)):
                    lost.add(cell)
                exact = cell in lost or abs(value) >= AT_ONCE
                reports.append(self._report(cell, -WON if cell in lost else value, depth, exact))
            if len(reports) < len(moves):
                break
            done = tuple(sorted(reports, key=lambda report: -report.value))
            yield done
        if not done:
            yield tuple(self._report(cell, 0, 0, False) for cell in moves)

    def _moves(self) -> tuple[list[int], bool]:
        """The cells that are worth a look, the most promising first, and whether every other move loses.

        Of an empty board it is the middle.
        """
        record, out = self._memory.record, np.zeros(LARGEST * LARGEST, np.int64)
        count = int(root_moves(record, out))
        if count == 0:
            rows, columns = int(record["rows"]), int(record["columns"])
            return [FIRST + rows // 2 * STRIDE + columns // 2], False
        other = 1 - int(record["side"])
        must_answer = bool(record["count"][other, MAKES_FIVE] or record["count"][other, UNSTOPPABLE])
        return [int(cell) for cell in out[:count]][: None if must_answer else ROOT_WIDTH], must_answer

    def _depths(self, limit: Limit, moves: list[int]) -> range:
        """The depths to search; a move without an alternative is looked at only to say what it is worth."""
        deepest = limit.depth or DEEPEST // 2
        return range(1, (min(deepest, FORCED_DEPTH) if len(moves) == 1 else deepest) + 1)

    def _values(self, moves: list[int], depth: int, lost: set[int]) -> dict[int, int]:
        """What the moves that are not lost are worth, exactly for the best; none if there was no time for the first."""
        record, values = self._record(depth), dict[int, int]()
        best = -INFINITE
        for cell in moves:
            if cell in lost:
                continue
            high = INFINITE if not values else best + 1
            value = int(value_after(record, self._budget, cell, best, high, depth))
            if values and value > best and not self._budget.stopped:
                value = int(value_after(record, self._budget, cell, best, INFINITE, depth))
            if self._budget.stopped:
                break
            values[cell], best = value, max(best, value)
        return values

    def _record(self, depth: int) -> Any:
        """The record, for a search of this depth."""
        self._memory.record["horizon"] = depth + BEYOND
        return self._memory.record

    def _report(self, cell: int, value: int, depth: int, exact: bool) -> Report:
        out = np.zeros(LONGEST_LINE, np.int64)
        length = int(best_line(self._memory.record, cell, out))
        line = tuple(self._action(move) for move in out[:length])
        worth = float(np.sign(value)) if exact else LARGEST_GUESS * value / (abs(value) + HALF_WON)
        return self._told(line, worth, depth, exact)

    def _won(self, line: tuple[int, ...], depth: int) -> Report:
        return self._told(line, 1.0, max(depth, len(line)), True)

    def _told(self, line: tuple[int, ...], value: float, depth: int, exact: bool) -> Report:
        time = clock.perf_counter() - self._started
        return Report(line[0], value, depth, exact, line, self.nodes, time)

    def _cell(self, action: int) -> int:
        """The cell of an action of the game."""
        row, column = divmod(action, int(self._memory.record["columns"]))
        return FIRST + row * STRIDE + column

    def _action(self, cell: int) -> int:
        """The action of the game on a cell."""
        row, column = divmod(int(cell) - FIRST, STRIDE)
        return row * int(self._memory.record["columns"]) + column


def stones_of(state: MNK) -> Any:
    """What stands on every action's cell."""
    black, white = (state.theirs, state.mine) if state.taken & 1 else (state.mine, state.theirs)
    return np.array(
        [
            BLACK if has(black, action) else WHITE if has(white, action) else EMPTY
            for action in range(state.rows * state.columns)
        ],
        np.int64,
    )
