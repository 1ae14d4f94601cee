"""The player `engine` of Reversi, at any strength, by any kind of clock."""

from __future__ import annotations

import math
import threading
import time as clock
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.game_time import GameTime
from plyground.core.limits import Limit
from plyground.core.rules import actions, terminal
from plyground.engines.reversi.book import book_move, load_book
from plyground.engines.reversi.clock import Clock
from plyground.engines.reversi.engine import Engine, Report
from plyground.engines.reversi.levels import Level, find_level, play_level
from plyground.errors import BadOption
from plyground.games.reversi import Reversi, final_score, on_8x8
from plyground.native.randomness import fresh_seed, stream
from plyground.players.engine import EngineOptions, EnginePlayer, HasEngine, ScoredMove, Scores
from plyground.players.player import Move, Player, Position
from plyground.search.glimpse import Glimpse, Known, RootMove
from plyground.search.result import SearchResult

__all__ = ["OnlyReversi", "ReversiEnginePlayer", "reversi_engine"]

DEFAULT_LIMIT = Limit(time=1.0)
SHARE_OF_REFEREE = 0.1
HANDING_OVER = 0.002
"""Seconds of every limit that are left for the end of the search and the way back to the caller."""
LEAST_TIME = 0.001
"""Seconds for a move when the clock has run out: the referee may be more patient."""
LEAST_SHARE = 0.5
"""The share of a limit, however short, that is spent on the search."""
FORGETTING = 0.9
"""What remains, from one move to the next, of the memory that a search ended late: machines are busy for a while."""
FORCED_DEPTH = 4
"""How deep to look at a move without an alternative: enough to say what it is worth."""
OPENING_DISCS = 5
"""The discs on the board when the first move of either side is due."""


class OnlyReversi(Accepts):
    """Of all games one: Reversi on the full board."""

    def obstacle_in(self, game: Game) -> str | None:
        if on_8x8(game):
            return None
        return "it knows one game only (game: needs reversi on the 8x8 board)"


class EnginesReversi(HasEngine):
    """Reversi on the full board, of the games that there are engines for."""

    def obstacle_on_board(self, game: Game) -> str | None:
        return None if on_8x8(game) else "its engine knows one board only (size: needs 8)"


class ReversiEnginePlayer(EnginePlayer):
    """Searches with `plyground.engines.reversi.engine`. `table` is in bytes, and is kept from move to move.

    With a `tolerance`, in discs, it plays from the opening book, if the book knows a move that loses no more than that.
    With a `game_time` the player keeps its own clock, which restarts at `prepare` and with the first move of a game.
    """

    accepts: ClassVar[Accepts] = EnginesReversi(players=(2,))

    def __init__(
        self,
        limit: Limit,
        *,
        level: Level | None = None,
        game_time: GameTime | None = None,
        threads: int = 1,
        table: int,
        ponder: bool = False,
        tolerance: float | None = None,
        seed: int,
    ) -> None:
        self.limit = limit
        self._level = level
        self.clock = None if game_time is None else Clock(game_time)
        self._threads = threads
        self._table = table
        self._ponder = ponder
        self._tolerance = tolerance
        self._rng = stream(seed)
        self._lateness = 0.0
        self._deadline = math.inf
        self._engine: Engine | None = None
        self._seat, self._by_heart = 0, False

    @property
    def engine(self) -> Engine:
        """The engine, made when it is first needed: its table takes memory."""
        if self._engine is None:
            try:
                self._engine = Engine(table=self._table, threads=self._threads)
            except MemoryError:
                raise BadOption(f"engine: there is no memory for a table of {self._table / 1e6:g}MB") from None
            self._engine.prepare()
        return self._engine

    def prepare(self, game: Game) -> None:
        self.engine.score_moves(game.initial, Limit(depth=1))
        self.engine.clear()  # so that a game does not depend on the games before it
        if self._tolerance is not None:
            load_book().find(game.initial)
        if self.clock:
            self.clock.restart()

    def choose(self, position: Position, limit: Limit) -> Move:
        found = self.find(position, limit)
        return self.move_of(found, found.time)  # which is what its clock has lost

    def find(self, position: Position, limit: Limit) -> SearchResult:
        start = clock.perf_counter()
        state = position.state
        engine = self.engine
        self._seat, self._by_heart = int(state.turn), False
        empties = 64 - (int(state.own) | int(state.opponent)).bit_count()
        if self.clock and 64 - empties <= OPENING_DISCS:
            self.clock.restart()
        allowed = self._own_limit(limit).within(limit)
        found = self._found(engine, state, empties, allowed, start)
        spent = clock.perf_counter() - start
        self._lateness = max(self._lateness * FORGETTING, spent - self._deadline)
        if self.clock:
            self.clock.spend(spent)
        return replace(found.result, time=spent)

    def _own_limit(self, limit: Limit) -> Limit:
        if self.limit is DEFAULT_LIMIT and limit.time is not None:
            return Limit(time=max(DEFAULT_LIMIT.time or 0.0, limit.time * SHARE_OF_REFEREE))
        return self.limit

    def _found(self, engine: Engine, state: Reversi, empties: int, limit: Limit, start: float) -> Report:
        if self._tolerance is not None and (known := book_move(state, self._rng, self._tolerance)):
            engine.latest, self._by_heart = known, True
            return known
        target = math.inf
        if self.clock:
            allotment = self.clock.allot(empties)
            limit = limit.within(Limit(time=max(allotment.most, LEAST_TIME)))
            target = allotment.target if allotment.target < allotment.most else math.inf
        limit = self._for_search(limit, start)
        if len(actions(state)) == 1:
            return engine.search(state, limit.within(Limit(depth=FORCED_DEPTH)))
        if self._level:
            return play_level(engine, state, self._level, limit, self._rng)

        def enough(report: Report) -> None:
            if report.time > target / 2:
                engine.stop()

        return engine.search(state, limit, on_report=enough)

    def _for_search(self, limit: Limit, start: float) -> Limit:
        """The limit of a search that begins now, if everything since `start` has to be done in time."""
        self._deadline = math.inf
        if limit.time is None:
            return limit
        left = limit.time - (clock.perf_counter() - start) - HANDING_OVER - self._lateness
        left = max(left, limit.time * LEAST_SHARE)
        self._deadline = clock.perf_counter() - start + left + HANDING_OVER
        return replace(limit, time=left)

    def score_moves(
        self, state: Reversi, limit: Limit, on_scores: Callable[[Scores], None] | None = None, also: Sequence[int] = ()
    ) -> Scores:
        def told(reports: tuple[Report, ...]) -> None:
            if on_scores is not None:
                on_scores(scores_of(reports))

        return scores_of(self.engine.score_moves(state, limit, on_reports=told))

    def thoughts(self) -> Move | None:
        found = None if self._engine is None else self._engine.latest
        return None if found is None else self.move_of(found.result)

    def glimpse(self) -> Glimpse | None:
        engine = self._engine
        if engine is None or engine.latest is None:
            return None
        moves = tuple(
            RootMove(report.move, report.value, report.value, line=report.line) for report in engine.latest_moves
        )
        if self._by_heart:
            return Glimpse("book", 0, unit="discs")
        return Glimpse("windows", engine.nodes, engine.latest.depth, moves, known=self._known, unit="discs")

    def _known(self, state: Reversi) -> Known | None:
        """What the table holds, or how the game has ended, as the player that is to choose sees it."""
        found = None if self._engine is None else self._engine.known(state)
        if terminal(state):
            discs = float(final_score(state.own, state.opponent))
            found = Known(discs, discs, math.inf)
        if found is None or int(state.turn) == self._seat:
            return found
        return replace(found, low=-found.high, high=-found.low)

    def pondering(self, position: Position) -> AbstractContextManager[None]:
        return self._thinking_on(position.state) if self._ponder else nullcontext()

    @contextmanager
    def _thinking_on(self, state: Reversi) -> Iterator[None]:
        """Search the position in which the other side chooses: every reply to it is then known to the table."""
        engine = self.engine
        thread = threading.Thread(target=engine.search, args=(state,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            while thread.is_alive():  # a search that begins just now misses the first call
                engine.stop()
                thread.join(0.001)


def scores_of(reports: tuple[Report, ...]) -> Scores:
    """What an engine reports of all moves, in discs."""
    moves = tuple(ScoredMove(report.move, report.value, report.line, report.exact) for report in reports)
    return Scores(moves, reports[0].depth, reports[0].nodes, "discs", reports[0].confidence)


def reversi_engine(options: EngineOptions) -> Player:
    """The Reversi engine: from a beginner to far beyond people, with the last 24 squares solved."""
    level, limit = options.level, options.limit
    if not 0 <= options.tolerance <= 64:
        raise BadOption(f"engine: tolerance must be from 0 to 64 discs, not {options.tolerance:g}")
    strength = None if level is None else find_level(level)
    book = options.book
    if book is None:
        book = limit.depth is None and limit.nodes is None and (strength is None or strength.noise == 0)
    return ReversiEnginePlayer(
        DEFAULT_LIMIT if limit == Limit() and level is None and not options.clock else limit,
        level=strength,
        game_time=options.game_time,
        threads=options.threads,
        table=options.table_size,
        ponder=options.ponder,
        tolerance=options.tolerance if book else None,
        seed=fresh_seed() if options.seed is None else options.seed,
    )
