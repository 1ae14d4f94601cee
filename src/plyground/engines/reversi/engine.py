"""The engine: give it a position and a limit, and it says what to play, what that is worth, and how sure it is.

    >>> from plyground.games.reversi import reversi
    >>> report = Engine().search(reversi().initial, Limit(depth=6))
    >>> report.depth, report.confidence, report.exact
    (6, '87%', False)

Values are in discs, for the side to move; empty squares at the end go to the winner. Before the end of the game is
reached they are expectations; a report with `exact` set is proven.
"""

from __future__ import annotations

import math
import threading
import time as clock
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyground.core.limits import Limit, ending_with
from plyground.engines.reversi.endgame import CERTAIN
from plyground.engines.reversi.last_plies import LOSS, WIN
from plyground.engines.reversi.memory import Memory
from plyground.engines.reversi.midgame import BUSY_SLOTS, EXACT_BELOW, SHARE_FROM, known_bounds, known_move, search_root
from plyground.engines.reversi.probcut import CONFIDENCES, DEVIATIONS
from plyground.engines.reversi.table import NO_MOVE, Table, confidence_of, depth_of, lower_of, move_of, upper_of
from plyground.engines.reversi.weights import load_weights
from plyground.errors import BadOption, IllegalAction
from plyground.games.reversi import PASS, Reversi, final_score
from plyground.games.reversi.moves import flips, moves
from plyground.native.bits import bit_index, mix64
from plyground.native.compiling import compiled, interpreted
from plyground.search.glimpse import Known
from plyground.search.result import SearchResult

__all__ = ["Engine", "Report", "schedule"]

DEFAULT_TABLE = 64 << 20
MIDGAME = 1
"""The confidence of searches that do not reach the end of the game."""
ASPIRATION = 3
"""Half the width, in discs, of the window around the value of the step before."""
FULL_BOARD = 0xFFFFFFFFFFFFFFFF


@dataclass(frozen=True)
class Report:
    """What a search has found, or has found so far.

    `move` is the best one (64 is the pass) and `value` what it is worth, in discs for the side to move, at this `depth`
    (in plies) and `confidence`; if `exact`, that is the score with best play. `line` is the best play expected, the
    move first. `nodes` and `time` (seconds) were spent since the search began.
    """

    move: int
    value: int
    depth: int
    confidence: str
    exact: bool
    line: tuple[int, ...]
    nodes: int
    time: float

    @property
    def result(self) -> SearchResult:
        """The same as every search tells it: the value is that of the difference in discs, from -1 to 1."""
        facts = {"line": self.line, "depth": self.depth, "nodes": self.nodes, "time": self.time, "complete": self.exact}
        return SearchResult.choose(self.move, {self.move: self.value / 64}, **facts)


def schedule(empties: int, depth: int | None = None) -> Iterator[tuple[int, int]]:
    """The steps of a search that deepens: depth and confidence. Up to `depth`, or until the game is solved."""
    if empties <= EXACT_BELOW and (depth is None or depth >= empties):
        if empties > 6:
            yield 1, MIDGAME  # at least a sensible move, however little time there is
        yield empties, CERTAIN
        return
    last = empties - 8 if empties > 24 else max(8, empties // 2)
    if depth is not None and depth < empties:
        last = depth
    for step in range(1, last + 1):
        yield step, MIDGAME
    if depth is None or depth >= empties:
        for confidence in (0, 2, CERTAIN):
            yield empties, confidence


class Engine:
    """A search with its table and its threads; one search at a time.

    `table` is in bytes. What it holds serves the next search, until `clear`.
    """

    def __init__(self, *, table: int = DEFAULT_TABLE, threads: int = 1, weights: Any = None) -> None:
        if threads < 1:
            raise BadOption(f"threads must be at least 1, not {threads}")
        self._table = Table(table)
        self._signal = np.zeros(16, np.int64)
        self._busy = np.zeros(BUSY_SLOTS, np.uint64)
        self._stopping = False
        self._wld = False
        self._started = 0.0
        self._lock = threading.Lock()
        self.latest: Report | None = None
        """What the running search has found so far; None before its first step."""
        self.latest_moves: tuple[Report, ...] = ()
        """The same of every legal move, while all of them are scored."""
        weights = load_weights() if weights is None else weights
        busy = self._busy if threads > 1 else None
        self._memories = [Memory(self._table, weights, self._signal, busy) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def prepare(self) -> None:
        """Compile, or load what was compiled before."""
        record = self._memories[0].record

        search_root.prepare(np.uint64(0), np.uint64(0), 0, 0, 0, record)
        known_move.prepare(np.uint64(0), np.uint64(0), record)
        known_bounds.prepare(np.uint64(0), np.uint64(0), record)
        squares_to_play.prepare(np.uint64(0), np.uint64(0))
        discs_flipped.prepare(np.uint64(0), np.uint64(0), 0)

    def clear(self) -> None:
        """Forget what earlier searches have found."""
        self._table.clear()

    def stop(self) -> None:
        """End the running search as soon as possible; callable from any thread."""
        self._stopping = True
        self._signal[0] = 1

    @property
    def nodes(self) -> int:
        """Nodes visited since the last search began."""
        return sum(int(memory.record["nodes"]) for memory in self._memories)

    def search(
        self,
        state: Reversi,
        limit: Limit | None = None,
        *,
        wld: bool = False,
        on_report: Callable[[Report], None] | None = None,
    ) -> Report:
        """The best move of a position that is not over, within the limit; without one, until it is solved.

        With `wld` a search to the end asks only for win, loss or draw: its value is 1, -1 or 0. `on_report` is called
        after every completed step of the deepening search, from another thread.
        """
        reports: list[Report] = []

        def work() -> None:
            for report in self._deepened(state, limit or Limit()):
                reports.append(report)
                self.latest = report
                if on_report:
                    on_report(report)

        self._run(state, work, limit or Limit(), wld)
        return reports[-1]

    def score_moves(
        self,
        state: Reversi,
        limit: Limit | None = None,
        *,
        wld: bool = False,
        on_reports: Callable[[tuple[Report, ...]], None] | None = None,
    ) -> tuple[Report, ...]:
        """What every legal move is worth, the best first, each searched to the same depth within the limit.

        The line of each report begins with its move. `wld` is as in `search`. `on_reports` is called after every step
        that has gone through all moves, from another thread.
        """
        steps: list[tuple[Report, ...]] = []

        def work() -> None:
            for reports in self._deepened_moves(state, limit or Limit()):
                steps.append(reports)
                self.latest, self.latest_moves = reports[0], reports
                if on_reports:
                    on_reports(reports)

        self._run(state, work, limit or Limit(), wld)
        return steps[-1]

    def bounds(self, state: Reversi) -> tuple[int, int]:
        """What is proven of the score of a position by what the table holds of its moves; also while a search runs.

        The lower and the upper bound, in discs for the side to move; -64 and 64 where nothing is known.
        """
        own, opponent = int(state.own), int(state.opponent)
        replies = [
            (opponent, own) if move == PASS else after(own, opponent, move) for move in legal_moves(own, opponent)
        ]
        if not replies:
            return (final_score(own, opponent),) * 2
        proven = [self._proven(theirs, ours) for theirs, ours in replies]
        return max(-upper for _, upper in proven), max(-lower for lower, _ in proven)

    def known(self, state: Reversi) -> Known | None:
        """What the table holds of a position, in discs for the side to move; also while a search runs."""
        own, opponent = int(state.own), int(state.opponent)
        data = np.uint64(self._table.data(int(mix64(own ^ int(mix64(opponent))))))
        if not data:
            return None
        with interpreted():
            lower, upper, depth, move = lower_of(data), upper_of(data), depth_of(data), move_of(data)
            solved = depth >= 64 - (own | opponent).bit_count() and confidence_of(data) == CERTAIN
        return Known(
            -math.inf if lower <= LOSS and upper > LOSS else int(lower),
            math.inf if upper >= WIN and lower < WIN else int(upper),
            math.inf if solved else int(depth),
            None if move == NO_MOVE else int(move),
        )

    def _proven(self, own: int, opponent: int) -> tuple[int, int]:
        """The bounds that the table holds of a position, or its score if the game is over."""
        if legal_squares(own, opponent):
            record = self._memories[0].record
            lower, upper = known_bounds(np.uint64(own), np.uint64(opponent), record)
            return int(lower), int(upper)
        if legal_squares(opponent, own):
            lower, upper = self._proven(opponent, own)
            return -upper, -lower
        return (final_score(own, opponent),) * 2

    def _run(self, state: Reversi, work: Callable[[], None], limit: Limit, wld: bool) -> None:
        """Work in a thread, so that this one can watch the clock and the keyboard."""
        if int(state.board) != FULL_BOARD:
            raise BadOption("the engine plays on the 8x8 board only")
        if not legal_moves(int(state.own), int(state.opponent)):
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

        with self._lock:
            self._wld = wld
            self._begin(limit)
            thread = threading.Thread(target=guarded, daemon=True)
            try:
                with ending_with(self.stop):
                    thread.start()
                    thread.join(limit.time)
            finally:
                self.stop()
                with entering:  # interrupted before it has begun, it must not begin later, beside another search
                    given_up = not thread.is_alive()
                if not given_up:
                    thread.join()
        if failures:
            raise failures[0]

    def _begin(self, limit: Limit) -> None:
        self._table.next_search()
        self._busy[:] = 0
        self._stopping = False
        self._signal[0] = 0
        self._started = clock.perf_counter()
        self.latest, self.latest_moves = None, ()
        nodes = None if limit.nodes is None else -(-limit.nodes // len(self._memories))
        for memory in self._memories:
            memory.begin(self._table.search, nodes)

    def _deepened(self, state: Reversi, limit: Limit) -> Iterator[Report]:
        """Ever better reports; at least one, even if there is no time at all."""
        own, opponent = int(state.own), int(state.opponent)
        passing = not legal_squares(own, opponent)
        if passing:
            own, opponent = opponent, own
        empties = 64 - (own | opponent).bit_count()
        value = None
        best: tuple[int, ...] = (bit_index(legal_squares(own, opponent)),)
        for depth, confidence in schedule(empties, limit.depth):
            found = self._value(own, opponent, depth, confidence, value)
            if found is None:
                break
            exact = depth == empties and confidence == CERTAIN
            line = tuple(self._line(own, opponent, found, exact))
            if not line and self._memories[0].record["halted"]:
                break  # between the score and the move that reaches it
            best = line or best[:1]  # a small table may have lost the move
            value = found
            yield self._report(value, depth, confidence, exact, best, passing)
        if value is None:
            yield self._report(0, 0, 0, False, best, passing)

    def _deepened_moves(self, state: Reversi, limit: Limit) -> Iterator[tuple[Report, ...]]:
        """Ever better reports on all moves; at least once, even if there is no time at all."""
        own, opponent = int(state.own), int(state.opponent)
        order = legal_moves(own, opponent)
        values: dict[int, int] = {}
        done: tuple[Report, ...] = ()
        empties = 64 - (own | opponent).bit_count()
        for depth, confidence in schedule(empties, limit.depth):
            reports = []
            for move in order:
                theirs, ours = (opponent, own) if move == PASS else after(own, opponent, move)
                left = depth if move == PASS else depth - 1
                found = self._value_or_score(theirs, ours, left, confidence, values.get(move))
                if found is None:
                    break
                values[move] = found
                exact = depth == empties and confidence == CERTAIN
                line = (move, *self._line(theirs, ours, found, exact))
                reports.append(self._report(-found, depth, confidence, exact, line, False))
            if len(reports) < len(order):
                break
            done = tuple(sorted(reports, key=lambda report: -report.value))
            order = [report.move for report in done]
            yield done
        if not done:
            yield tuple(self._report(0, 0, 0, False, (move,), False) for move in order)

    def _value_or_score(self, own: int, opponent: int, depth: int, confidence: int, guess: int | None) -> int | None:
        """The value of any position: the side to move may have to pass, or the game may be over."""
        if legal_squares(own, opponent):
            return self._value(own, opponent, depth, confidence, guess)
        if legal_squares(opponent, own):
            found = self._value(opponent, own, depth, confidence, None if guess is None else -guess)
            return None if found is None else -found
        score = final_score(own, opponent)
        return outcome(score) if self._wld else score

    def _report(
        self, value: int, depth: int, confidence: int, exact: bool, line: tuple[int, ...], passing: bool
    ) -> Report:
        if passing:
            value, line = -value, (PASS, *line)
        time = clock.perf_counter() - self._started
        return Report(line[0], value, depth, CONFIDENCES[confidence], exact, line, self.nodes, time)

    def _value(self, own: int, opponent: int, depth: int, confidence: int, guess: int | None) -> int | None:
        """The value of a position whose side to move has a move, by windows around a guess; None if stopped."""
        if self._wld and depth >= 64 - (own | opponent).bit_count():
            answer = self._within(own, opponent, -1, 1, depth, confidence)
            return None if answer is None else outcome(answer)
        low, high = (-64, 64) if guess is None else (max(-64, guess - ASPIRATION), min(64, guess + ASPIRATION))
        width = 2 * ASPIRATION
        while True:
            value = self._within(own, opponent, low, high, depth, confidence)
            if value is None or low < value < high:
                return value
            if value <= low and low > -64:
                low = max(-64, value - width)
            elif value >= high and high < 64:
                high = min(64, value + width)
            else:
                return value
            width *= 2

    def _within(self, own: int, opponent: int, alpha: int, beta: int, depth: int, confidence: int) -> int | None:
        """One search by all threads: whoever comes to its end first stops the others."""
        answers: list[int] = []

        def search(memory: Memory) -> None:
            record = memory.record
            record["confidence"] = confidence
            record["deviations"] = DEVIATIONS[confidence] if confidence < CERTAIN else 0.0
            value = search_root(np.uint64(own), np.uint64(opponent), alpha, beta, depth, record)
            if not record["halted"]:
                answers.append(int(value))
                self._signal[0] = 1

        if self._pool and depth > SHARE_FROM:
            waiting = [self._pool.submit(search, memory) for memory in self._memories[1:]]
            search(self._memories[0])
            for future in waiting:
                future.result()
            used = self._memories
        else:
            search(self._memories[0])
            used = self._memories[:1]
        if not answers:
            return None  # the limit was reached; nobody sets the signal back
        for memory in used:
            memory.record["halted"] = 0
        self._signal[0] = 0
        if self._stopping:
            self._signal[0] = 1
        return answers[0]

    def _line(self, own: int, opponent: int, value: int, exact: bool) -> Iterator[int]:
        """The moves that the table, or for the last few squares a search, holds for best."""
        while True:
            legal = legal_squares(own, opponent)
            if not legal:
                if not legal_squares(opponent, own):
                    return
                yield PASS
                own, opponent, value = opponent, own, -value
                continue
            if exact and 64 - (own | opponent).bit_count() <= EXACT_BELOW:
                wanted = -64 if self._wld and value < 0 else value  # a loss is a loss, by however many discs
                move = self._solved_move(own, opponent, legal, wanted)
            else:
                move = int(known_move(np.uint64(own), np.uint64(opponent), self._memories[0].record))
            if move is None or move == NO_MOVE or not legal >> move & 1:
                return
            yield move
            own, opponent = after(own, opponent, move)
            value = -value

    def _solved_move(self, own: int, opponent: int, legal: int, value: int) -> int | None:
        """A move that reaches the known score of an endgame."""
        for move in range(64):
            if legal >> move & 1:
                score = self._score_after(own, opponent, move, value)
                if score is None or score >= value:
                    return move if score is not None else None
        return None

    def _score_after(self, own: int, opponent: int, move: int, value: int) -> int | None:
        """A bound on the score of a move in an endgame: whether it reaches `value`; None if stopped."""
        theirs, ours = after(own, opponent, move)
        if legal_squares(theirs, ours):
            found = self._within(theirs, ours, -value, 1 - value, 64, CERTAIN)
            return None if found is None else -found
        if legal_squares(ours, theirs):
            return self._within(ours, theirs, value - 1, value, 64, CERTAIN)
        return final_score(ours, theirs)


@compiled
def squares_to_play(own: Any, opponent: Any) -> Any:
    """The squares where the side to move may play; the kernel itself is slow outside of compiled code."""
    return moves(own, opponent)


@compiled
def discs_flipped(own: Any, opponent: Any, square: int) -> Any:
    """The discs that a move flips; compiled for the same reason."""
    return flips(own, opponent, square)


def legal_squares(own: int, opponent: int) -> int:
    """The squares where the side to move may play."""
    return int(squares_to_play(np.uint64(own), np.uint64(opponent)))


def legal_moves(own: int, opponent: int) -> list[int]:
    """All legal moves, the pass among them; none if the game is over."""
    squares = legal_squares(own, opponent)
    if not squares:
        return [PASS] if legal_squares(opponent, own) else []
    return [square for square in range(64) if squares >> square & 1]


def after(own: int, opponent: int, move: int) -> tuple[int, int]:
    """The discs of both sides after a move, those of the side that replies first."""
    flipped = int(discs_flipped(np.uint64(own), np.uint64(opponent), move))
    return opponent & ~flipped, own | flipped | 1 << move


def outcome(score: int) -> int:
    """A score as 1 for a win, -1 for a loss and 0 for a draw."""
    return (score > 0) - (score < 0)
