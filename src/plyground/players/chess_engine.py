"""The player `engine` of chess, at any strength, by any kind of clock."""

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
from plyground.core.rules import actions
from plyground.engines.chess.clock import TimeForMove, time_for_move
from plyground.engines.chess.engine import Engine, Report
from plyground.engines.chess.levels import Level, find_level, play_level
from plyground.errors import BadOption
from plyground.games.chess import Chess
from plyground.native.randomness import fresh_seed, stream
from plyground.players.engine import EngineOptions, EnginePlayer, HasEngine, ScoredMove, Scores
from plyground.players.player import Move, Player, Position
from plyground.search.glimpse import Glimpse, RootMove
from plyground.search.result import SearchResult

__all__ = ["ChessEnginePlayer", "chess_engine"]

DEFAULT_LIMIT = Limit(time=1.0)
SHARE_OF_REFEREE = 0.1
SHARE_OF_CLOCK = 0.1
"""A limit for a move that is less than this share of the clock is the tighter one of the two."""
HANDING_OVER = 0.003
"""Seconds of every limit that are left for the end of the search and the way back to the caller."""
LEAST_TIME = 0.001
"""Seconds for a move when the clock has run out: the referee may be more patient."""
LEAST_SHARE = 0.5
"""The share of a limit, however short, that is spent on the search."""
FORGETTING = 0.9
"""What remains, from one move to the next, of the memory that a search ended late: machines are busy for a while."""
FORCED_DEPTH = 6
"""How deep to look at a move without an alternative: enough to say what it is worth."""
WORSE = 30
"""Centipawns by which a move must turn out worse than before to be in doubt."""


class ChessEnginePlayer(EnginePlayer):
    """Searches with `plyground.engines.chess.engine`. `table` is in bytes, and is kept from move to move.

    With a `game_time` the player keeps its own clock, which restarts at `prepare` and with the first move of a game.
    Otherwise it plans by the clock of the game, where there is one and it has no limit of time of its own.
    """

    accepts: ClassVar[Accepts] = HasEngine(players=(2,))
    plans_by_clock: ClassVar[bool] = True

    def __init__(
        self,
        limit: Limit,
        *,
        level: Level | None = None,
        game_time: GameTime | None = None,
        threads: int = 1,
        table: int,
        ponder: bool = False,
        seed: int,
    ) -> None:
        self.limit = limit
        self._level = level
        self._game_time = game_time
        self._left = 0.0 if game_time is None else game_time.main
        self._threads = threads
        self._table = table
        self._ponder = ponder
        self._rng = stream(seed)
        self._lateness = 0.0
        self._deadline = math.inf
        self._engine: Engine | None = None

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
        if actions(game.initial):
            self.engine.search(game.initial, Limit(depth=1))
        self.engine.clear()  # so that a game does not depend on the games before it
        self._restart_clock()

    def _restart_clock(self) -> None:
        if self._game_time is not None:
            self._left = self._game_time.main

    def choose(self, position: Position, limit: Limit) -> Move:
        found = self.find(position, limit)
        return self.move_of(found, found.time)  # which is what its clock has lost

    def find(self, position: Position, limit: Limit) -> SearchResult:
        start = clock.perf_counter()
        engine = self.engine
        if len(position.history) < 2:
            self._restart_clock()
        allowed = self._own_limit(limit).within(limit)
        found = self._found(engine, position.state, allowed, start)
        spent = clock.perf_counter() - start
        self._lateness = max(self._lateness * FORGETTING, spent - self._deadline)
        if self._game_time is not None:
            self._left = max(0.0, self._left - spent) + self._game_time.increment
        return replace(found.result, time=spent)

    def _own_limit(self, limit: Limit) -> Limit:
        if self.limit is DEFAULT_LIMIT and limit.clock is not None:
            return Limit()
        if self.limit is DEFAULT_LIMIT and limit.time is not None:
            return Limit(time=max(DEFAULT_LIMIT.time or 0.0, limit.time * SHARE_OF_REFEREE))
        return self.limit

    def _found(self, engine: Engine, state: Chess, limit: Limit, start: float) -> Report:
        usual = math.inf
        if allotted := self._allotted(state, limit):
            limit = limit.within(Limit(time=max(allotted.most, LEAST_TIME)))
            usual = allotted.usual
        limit = self._for_search(limit, start)
        if len(actions(state)) == 1:
            return engine.search(state, limit.within(Limit(depth=FORCED_DEPTH)))
        if self._level:
            return play_level(engine, state, self._level, limit, self._rng)
        return engine.search(state, limit, on_report=enough(engine, usual))

    def _allotted(self, state: Chess, limit: Limit) -> TimeForMove | None:
        """What a clock leaves for this move; None if the player does not go by one."""
        if self._game_time is not None:
            return time_for_move(self._left, self._game_time.increment)
        face = limit.clock
        if face is None or self.limit.nodes or self.limit.depth or limit.time is None:
            return None
        left = face.left[int(state.turn)]
        if limit.time < SHARE_OF_CLOCK * left:
            return None  # a limit for each move, which is the tighter one
        return time_for_move(min(left, limit.time), face.increment, face.moves)

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
        self, state: Chess, limit: Limit, on_scores: Callable[[Scores], None] | None = None, also: Sequence[int] = ()
    ) -> Scores:
        def told(reports: tuple[Report, ...]) -> None:
            if on_scores is not None:
                on_scores(scores_of(reports))

        return scores_of(self.engine.score_moves(state, limit, also=also, on_reports=told))

    def thoughts(self) -> Move | None:
        found = None if self._engine is None else self._engine.latest
        return None if found is None else self.move_of(found.result)

    def glimpse(self) -> Glimpse | None:
        engine = self._engine
        if engine is None or engine.latest is None:
            return None

        def shown(report: Report) -> RootMove:
            return RootMove(report.move, report.value, report.value, line=report.line)

        moves = tuple(map(shown, engine.latest_moves or (engine.latest,)))
        return Glimpse("windows", engine.nodes, engine.latest.depth, moves)

    def pondering(self, position: Position) -> AbstractContextManager[None]:
        return self._thinking_on(position.state) if self._ponder else nullcontext()

    @contextmanager
    def _thinking_on(self, state: Chess) -> Iterator[None]:
        """Search the position in which the other side chooses: the table then knows the replies to it."""
        engine = self.engine
        thread = threading.Thread(target=engine.search, args=(state,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            while thread.is_alive():  # a search that begins just now misses the first call
                engine.stop()
                thread.join(0.001)


def enough(engine: Engine, usual: float) -> Callable[[Report], None]:
    """What ends a search that has spent its usual time: later if its best move has changed or become worse."""
    before: list[Report] = []
    doubt = 1.0

    def told(report: Report) -> None:
        nonlocal doubt
        doubt = 1.0 + (doubt - 1.0) / 2
        if before and report.depth > 4:
            if report.move != before[-1].move:
                doubt = min(2.5, doubt + 0.6)
            if report.centipawns < before[-1].centipawns - WORSE:
                doubt = min(2.5, doubt + 0.6)
        before.append(report)
        if report.time > 0.6 * usual * doubt:  # the next step would take longer than all before it
            engine.stop()

    return told


def scores_of(reports: tuple[Report, ...]) -> Scores:
    """What an engine reports of moves, in utilities."""
    moves = tuple(ScoredMove(report.move, report.value, report.line, report.exact, report.plies) for report in reports)
    return Scores(moves, reports[0].depth, reports[0].nodes)


def chess_engine(options: EngineOptions) -> Player:
    """The chess engine: from a beginner to far beyond most people."""
    options.refuse("chess", "book", "tolerance")
    limit, level = options.limit, options.level
    return ChessEnginePlayer(
        DEFAULT_LIMIT if limit == Limit() and level is None and not options.clock else limit,
        level=None if level is None else find_level(level),
        game_time=options.game_time,
        threads=options.threads,
        table=options.table_size,
        ponder=options.ponder,
        seed=fresh_seed() if options.seed is None else options.seed,
    )
