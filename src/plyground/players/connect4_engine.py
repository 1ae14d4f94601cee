"""The player `engine` of Connect Four, at any strength."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.engines.connect4.engine import Engine, Report
from plyground.engines.connect4.levels import Level, find_level, play_level
from plyground.engines.connect4.memory import obstacle_to
from plyground.errors import BadOption
from plyground.games.connect4 import ConnectFour
from plyground.native.randomness import fresh_seed, stream
from plyground.players.engine import EngineOptions, EnginePlayer, HasEngine, ScoredMove, Scores
from plyground.players.player import Move, Player, Position
from plyground.search.glimpse import Glimpse, RootMove
from plyground.search.result import SearchResult

__all__ = ["ConnectFourEnginePlayer", "connect4_engine"]

DEFAULT_LIMIT = Limit(time=5.0)
"""More than any move takes: what is not in the book is solved in under a second."""
SHARE_OF_REFEREE = 0.1
HANDING_OVER = 0.003
"""Seconds of every limit that are left for the end of the search and the way back to the caller."""
LEAST_SHARE = 0.5
"""The share of a limit, however short, that is spent on the search."""


class EnginesConnectFour(HasEngine):
    """Racks that the engine knows, of the games that there are engines for."""

    def obstacle_on_board(self, game: Game) -> str | None:
        return obstacle_to(int(game.initial.columns), int(game.initial.rows))


class ConnectFourEnginePlayer(EnginePlayer):
    """Solves with `plyground.engines.connect4.engine`. `table` is in bytes, and is kept from move to move."""

    accepts: ClassVar[Accepts] = EnginesConnectFour(players=(2,))

    def __init__(self, limit: Limit, *, level: Level | None = None, table: int, seed: int) -> None:
        self.limit = limit
        self._level = level
        self._table = table
        self._rng = stream(seed)
        self._engines: dict[tuple[int, int], Engine] = {}
        self._latest: Engine | None = None

    def engine(self, columns: int, rows: int) -> Engine:
        """The engine for racks of this size, made when it is first needed: its table takes memory."""
        if (columns, rows) not in self._engines:
            try:
                self._engines = {(columns, rows): Engine(table=self._table, columns=columns, rows=rows)}
            except MemoryError:
                raise BadOption(f"engine: there is no memory for a table of {self._table / 1e6:g}MB") from None
            self._engines[columns, rows].prepare()
        return self._engines[columns, rows]

    def prepare(self, game: Game) -> None:
        self.engine(int(game.initial.columns), int(game.initial.rows)).clear()  # no game depends on those before it

    def find(self, position: Position, limit: Limit) -> SearchResult:
        start = clock.perf_counter()
        state: ConnectFour = position.state
        engine = self._latest = self.engine(int(state.columns), int(state.rows))
        own = self.limit
        if own is DEFAULT_LIMIT and limit.time is not None:
            own = Limit(time=max(DEFAULT_LIMIT.time or 0.0, limit.time * SHARE_OF_REFEREE))
        allowed = own.within(limit)
        if allowed.time is not None:
            left = allowed.time - (clock.perf_counter() - start) - HANDING_OVER
            allowed = replace(allowed, time=max(left, allowed.time * LEAST_SHARE))
        if self._level:
            found = play_level(engine, state, self._level, allowed, self._rng)
        else:
            found = engine.search(state, allowed)
        return replace(found.result, time=clock.perf_counter() - start)

    def score_moves(
        self,
        state: ConnectFour,
        limit: Limit,
        on_scores: Callable[[Scores], None] | None = None,
        also: Sequence[int] = (),
    ) -> Scores:
        def told(reports: tuple[Report, ...]) -> None:
            if on_scores is not None:
                on_scores(scores_of(reports))

        engine = self.engine(int(state.columns), int(state.rows))
        return scores_of(engine.score_moves(state, limit, on_reports=told))

    def thoughts(self) -> Move | None:
        found = () if self._latest is None else self._latest.latest
        return self.move_of(found[0].result) if found else None

    def glimpse(self) -> Glimpse | None:
        engine = self._latest
        if engine is None or not engine.latest:
            return None
        reports = engine.latest
        moves = tuple(RootMove(report.move, report.value, report.value, line=report.line) for report in reports)
        return Glimpse("windows", engine.nodes, reports[0].depth, moves)


def scores_of(reports: tuple[Report, ...]) -> Scores:
    """What an engine reports of all moves, in utilities, and how long each game lasts that is decided."""
    moves = tuple(ScoredMove(report.move, report.value, report.line, report.exact, report.plies) for report in reports)
    return Scores(moves, reports[0].depth, reports[0].nodes)


def connect4_engine(options: EngineOptions) -> Player:
    """The Connect Four engine: from a beginner to a player who wins every won game as fast as can be."""
    options.refuse("Connect Four", "clock", "threads", "ponder", "book", "tolerance")
    limit, level = options.limit, options.level
    return ConnectFourEnginePlayer(
        DEFAULT_LIMIT if limit == Limit() else limit,
        level=None if level is None else find_level(level),
        table=options.table_size,
        seed=fresh_seed() if options.seed is None else options.seed,
    )
