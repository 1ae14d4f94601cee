"""The engine: give it a position and a limit, and it says what to play, what that is worth, and what is proven.

    >>> from plyground.games.chess import chess
    >>> report = Engine().search(chess("6k1/5ppp/8/8/8/8/8/R6K w - -").initial, Limit(depth=3))
    >>> report.line, report.mate, report.exact
    ((56,), 1, True)

A search deepens ply by ply. Several threads search the same position with one table, each by itself; what one has
found the others need not search again.
"""

from __future__ import annotations

import math
import threading
import time as clock
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plyground.core.limits import Limit, ending_with
from plyground.core.rules import actions
from plyground.engines.chess.ending_tables import bundled_tables
from plyground.engines.chess.memory import DEEPEST, Memory
from plyground.engines.chess.network import Network
from plyground.engines.chess.search import FOUND, INFINITE, MATE, search_root, set_up
from plyground.engines.chess.table import NO_MOVE, Table
from plyground.engines.chess.techniques import ALL, Techniques
from plyground.errors import BadOption, IllegalAction
from plyground.games.chess.board import Chess
from plyground.games.chess.notation import STANDARD, read_fen
from plyground.search.result import SearchResult

__all__ = ["Engine", "Report", "utility_of"]

DEFAULT_TABLE = 64 << 20
ASPIRATION = 16
"""Half the width, in centipawns, of the window around the value of the step before."""
ASPIRATION_FROM = 4
PER_CENTIPAWN = 0.00368208
"""How fast the chances to win grow with centipawns: 2 / (1 + exp(-x)) - 1, as Lichess has fitted it to games."""
LARGEST_GUESS = 0.9999
"""What a value that is not proven stays below."""
SURE_OF_MATE = 4
"""A mate that is found is looked at again, to twice its length and so many plies: there may be a shorter one."""
ALL_MOVES_UP_TO = 4
PLAIN = read_fen(STANDARD)
BEST_MOVES = 8
"""How many moves are scored to more than this depth, besides those that are asked for."""


def utility_of(centipawns: int) -> float:
    """What a value of the search is worth, from -1 to 1: a mate is a win."""
    if abs(centipawns) >= FOUND:
        return math.copysign(1.0, centipawns)
    return max(-LARGEST_GUESS, min(LARGEST_GUESS, math.tanh(centipawns * PER_CENTIPAWN / 2)))


@dataclass(frozen=True)
class Report:
    """What a search has found, or has found so far.

    `move` is the best one, as an action of the game; `centipawns` is what it is worth to the side to move. If `exact`,
    that is a mate in `plies`, this move counted, negative if the side to move is mated. `line` is the best play
    expected, the move first. `depth` is in plies; `nodes` and `time` (seconds) were spent since the search began.
    """

    move: int
    centipawns: int
    depth: int
    line: tuple[int, ...]
    nodes: int
    time: float

    @property
    def exact(self) -> bool:
        """Whether a mate is proven."""
        return abs(self.centipawns) >= FOUND

    @property
    def plies(self) -> int | None:
        """How long the game lasts with best play, where a mate is proven."""
        return MATE - abs(self.centipawns) if self.exact else None

    @property
    def mate(self) -> int | None:
        """In how many moves the side to move mates; negative if it is mated; None if nothing is proven."""
        if not self.exact:
            return None
        plies = MATE - abs(self.centipawns)
        return (plies + 1) // 2 if self.centipawns > 0 else -(plies // 2)

    @property
    def value(self) -> float:
        """What the move is worth to the side to move, from -1 to 1."""
        return utility_of(self.centipawns)

    @property
    def result(self) -> SearchResult:
        """The same as every search tells it."""
        facts = {"line": self.line, "depth": self.depth, "nodes": self.nodes, "time": self.time, "complete": self.exact}
        return SearchResult.choose(self.move, {self.move: self.value}, **facts)


class Engine:
    """A search with its table and its threads; one search at a time.

    `table` is in bytes; what it holds serves the next search, until `clear`. A `network` takes the
    place of the bundled one.
    """

    def __init__(
        self,
        *,
        table: int = DEFAULT_TABLE,
        threads: int = 1,
        techniques: Techniques = ALL,
        network: Network | None = None,
    ) -> None:
        if threads < 1:
            raise BadOption(f"threads must be at least 1, not {threads}")
        self._table = Table(table)
        self._signal = np.zeros(16, np.int64)
        self._started = 0.0
        self._lock = threading.Lock()
        self._aspiration = techniques.aspiration
        self.latest: Report | None = None
        """What the running search has found so far; None before its first step."""
        self.latest_moves: tuple[Report, ...] = ()
        """The same of every move that is worth a look, while all of them are scored."""
        self._memories = [Memory(self._table, self._signal, network) for _ in range(threads)]
        for memory in self._memories:
            memory.use(techniques)

    def prepare(self) -> None:
        """Compile, or load what was compiled before."""
        record = self._memories[0].record
        set_up.prepare(record, PLAIN)
        search_root.prepare(record, PLAIN, 0, 0, 0)

    def clear(self) -> None:
        """Forget what earlier searches have found."""
        self._table.clear()
        for memory in self._memories:
            memory.forget()

    def stop(self) -> None:
        """End the running search as soon as possible; callable from any thread."""
        self._signal[0] = 1

    @property
    def nodes(self) -> int:
        """Nodes visited since the last search began."""
        return sum(int(memory.record["nodes"]) for memory in self._memories)

    def search(
        self,
        state: Chess,
        limit: Limit | None = None,
        *,
        noise: int = 0,
        seed: int = 0,
        on_report: Callable[[Report], None] | None = None,
    ) -> Report:
        """The best move of a position that is not over, within the limit; without one, until a mate is proven.

        With `noise` every evaluation has an error of up to so many centipawns, drawn by `seed` for each position.
        `on_report` is called after every completed step of the deepening search, from another thread.
        """
        reports: list[Report] = []

        def work() -> None:
            for report in self._deepened(state, limit or Limit()):
                reports.append(report)
                self.latest = report
                if on_report:
                    on_report(report)

        self._run(state, work, limit or Limit(), noise, seed)
        return reports[-1]

    def score_moves(
        self,
        state: Chess,
        limit: Limit | None = None,
        *,
        also: Sequence[int] = (),
        every: bool = False,
        noise: int = 0,
        seed: int = 0,
        on_reports: Callable[[tuple[Report, ...]], None] | None = None,
    ) -> tuple[Report, ...]:
        """What the moves are worth that are worth a look, the best first, each searched to the same depth.

        Those of `also` are looked at anyway, and with `every` all of them. `on_reports` is called after every step that
        has gone through all of these moves, from another thread.
        """
        steps: list[tuple[Report, ...]] = []

        def work() -> None:
            for reports in self._deepened_moves(state, limit or Limit(), also, every):
                steps.append(reports)
                self.latest, self.latest_moves = reports[0], reports
                if on_reports:
                    on_reports(reports)

        self._run(state, work, limit or Limit(), noise, seed)
        return steps[-1]

    def _run(self, state: Chess, work: Callable[[], None], limit: Limit, noise: int, seed: int) -> None:
        """Work in a thread, so that this one can watch the clock and the keyboard."""
        if not actions(state):
            raise IllegalAction("the game is over: there is nothing to search")
        failures: list[BaseException] = []
        entering, given_up = threading.Lock(), False

        def guarded() -> None:
            with entering:
                if given_up:
                    return
            try:
                work()
            except BaseException as error:  # handed on to the caller below
                failures.append(error)
            finally:
                self.stop()

        with self._lock:
            self._begin(state, limit, noise, seed)
            thread = threading.Thread(target=guarded, daemon=True)
            others = [
                threading.Thread(target=self._assist, args=(state, memory, 1 + number % 2), daemon=True)
                for number, memory in enumerate(self._memories[1:])
            ]
            try:
                with ending_with(self.stop):
                    thread.start()
                    for other in others:
                        other.start()
                    thread.join(limit.time)
            finally:
                self.stop()
                with entering:  # interrupted before it has begun, it must not begin later, beside another search
                    given_up = not thread.is_alive()
                for each in [*([] if given_up else [thread]), *others]:
                    if each.ident is not None:
                        each.join()
        if failures:
            raise failures[0]

    def _begin(self, state: Chess, limit: Limit, noise: int, seed: int) -> None:
        self._table.next_search()
        self._signal[0] = 0
        self._started = clock.perf_counter()
        self.latest, self.latest_moves = None, ()
        nodes = None if limit.nodes is None else -(-limit.nodes // len(self._memories))
        for memory in self._memories:
            memory.begin(self._table.search, nodes)
            memory.record["noise"], memory.record["noise_key"] = noise, np.uint64(seed)
            set_up(memory.record, state)

    # Deepening --------------------------------------------------------------------------------------------------------

    def _assist(self, state: Chess, memory: Memory, first: int) -> None:
        """Fill the table from another thread, half of them a ply ahead of the others."""
        value = None
        for depth in range(first, DEEPEST // 2):
            value = self._value(memory, state, depth, value)
            if value is None:
                return

    def _deepened(self, state: Chess, limit: Limit) -> Iterator[Report]:
        """Ever better reports; at least one, even if there is no time at all."""
        main = self._memories[0]
        value: int | None = None
        report = Report(actions(state)[0], 0, 0, (actions(state)[0],), 0, 0.0)
        known = bool(main.record["with_endings"]) and bundled_tables().probe(state) is not None
        for depth in self._depths(limit):
            found = self._value(main, state, depth, value)
            if found is None:
                # A move that has turned out better than the first one before the time was over.
                line = line_of(main)
                if line and line[0] != report.move and report.depth:
                    yield self._report(state, report.centipawns, report.depth, line)
                break
            value = found
            report = self._report(state, value, depth, line_of(main) or report.line[:1])
            yield report
            if report.exact and (known or depth >= 2 * (report.plies or 0) + SURE_OF_MATE):
                break
        if not report.depth:
            yield report

    def _deepened_moves(
        self, state: Chess, limit: Limit, also: Sequence[int], every: bool
    ) -> Iterator[tuple[Report, ...]]:
        """Ever better reports on the moves; at least once, even if there is no time at all."""
        main = self._memories[0]
        order = list(actions(state))
        values: dict[int, int] = {}
        done: tuple[Report, ...] = ()
        for depth in self._depths(limit):
            if depth > ALL_MOVES_UP_TO and not every:
                order = order[:BEST_MOVES] + [move for move in order[BEST_MOVES:] if move in also]
            reports = []
            for move in order:
                main.record["only"] = move
                found = self._value(main, state, depth, values.get(move))
                main.record["only"] = NO_MOVE
                if found is None:
                    break
                values[move] = found
                reports.append(self._report(state, found, depth, line_of(main) or (move,)))
            if len(reports) < len(order):
                break
            done = tuple(sorted(reports, key=lambda report: -report.centipawns))
            order = [report.move for report in done]
            yield done
            if all(report.exact and depth >= 2 * (report.plies or 0) + SURE_OF_MATE for report in done):
                break
        if not done:
            yield tuple(Report(move, 0, 0, (move,), self.nodes, 0.0) for move in order)

    def _depths(self, limit: Limit) -> range:
        return range(1, min(limit.depth or DEEPEST // 2, DEEPEST // 2) + 1)

    def _value(self, memory: Memory, state: Chess, depth: int, guess: int | None) -> int | None:
        """The value of a position, by windows around a guess; None if stopped."""
        low, high, width = -INFINITE, INFINITE, ASPIRATION
        if self._aspiration and guess is not None and depth >= ASPIRATION_FROM and abs(guess) < FOUND:
            low, high = guess - width, guess + width
        while True:
            value = int(search_root(memory.record, state, low, high, depth))
            if memory.record["halted"]:
                return None
            if low < value < high:
                return value
            width *= 3
            if value <= low:
                low = -INFINITE if width > 500 else max(-INFINITE, value - width)
            else:
                high = INFINITE if width > 500 else min(INFINITE, value + width)

    def _report(self, state: Chess, value: int, depth: int, line: tuple[int, ...]) -> Report:
        return Report(line[0], value, depth, line, self.nodes, clock.perf_counter() - self._started)


def line_of(memory: Memory) -> tuple[int, ...]:
    """The best line that the last search of a thread has found."""
    record = memory.record
    return tuple(int(action) for action in record["line"][0, : record["line_length"][0]])
