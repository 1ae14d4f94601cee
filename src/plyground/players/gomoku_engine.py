"""The player `engine` of Gomoku and other m,n,k games, at any strength."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.engines.gomoku.engine import Engine, Report, obstacle_to
from plyground.engines.gomoku.levels import Level, find_level, play_level
from plyground.errors import BadOption
from plyground.games.mnk import MNK
from plyground.native.randomness import fresh_seed, stream
from plyground.players.engine import EngineOptions, EnginePlayer, HasEngine, ScoredMove, Scores
from plyground.players.player import Move, Player, Position
from plyground.search.glimpse import Glimpse, RootMove
from plyground.search.result import SearchResult

__all__ = ["GomokuEnginePlayer", "gomoku_engine"]

DEFAULT_LIMIT = Limit(time=1.0)
SHARE_OF_REFEREE = 0.1
HANDING_OVER = 0.003
"""Seconds of every limit that are left for the end of the search and the way back to the caller."""
LEAST_SHARE = 0.5
"""The share of a limit, however short, that is spent on the search."""


class EnginesGomoku(HasEngine):
    """Boards that the engine knows, of the games that there are engines for."""

    def obstacle_on_board(self, game: Game) -> str | None:
        return obstacle_to(game.initial)


class GomokuEnginePlayer(EnginePlayer):
    """Searches with `plyground.engines.gomoku.engine`. `table` is in bytes, and is kept from move to move."""

    accepts: ClassVar[Accepts] = EnginesGomoku(players=(2,))

    def __init__(self, limit: Limit, *, level: Level | None = None, table: int, seed: int) -> None:
        self.limit = limit
        self._level = level
        self._table = table
        self._rng = stream(seed)
        self._engines: dict[int, Engine] = {}
        self._latest: Engine | None = None

    def engine(self, in_line: int) -> Engine:
        """The engine for so many in a line, made when it is first needed: its table takes memory."""
        if in_line not in self._engines:
            try:
                self._engines = {in_line: Engine(table=self._table, in_line=in_line)}
            except MemoryError:
                raise BadOption(f"engine: there is no memory for a table of {self._table / 1e6:g}MB") from None
            self._engines[in_line].prepare()
        return self._engines[in_line]

    def prepare(self, game: Game) -> None:
        engine = self.engine(int(game.initial.k))
        engine.score_moves(game.initial, Limit(depth=1))
        engine.clear()  # so that a game does not depend on the games before it

    def find(self, position: Position, limit: Limit) -> SearchResult:
        start = clock.perf_counter()
        engine = self._latest = self.engine(int(position.state.k))
        own = self.limit
        if own is DEFAULT_LIMIT and limit.time is not None:
            own = Limit(time=max(DEFAULT_LIMIT.time or 0.0, limit.time * SHARE_OF_REFEREE))
        allowed = own.within(limit)
        if allowed.time is not None:
            left = allowed.time - (clock.perf_counter() - start) - HANDING_OVER
            allowed = replace(allowed, time=max(left, allowed.time * LEAST_SHARE))
        if self._level:
            found = play_level(engine, position.state, self._level, allowed, self._rng)
        else:
            found = engine.search(position.state, allowed)
        return replace(found.result, time=clock.perf_counter() - start)

    def score_moves(
        self, state: MNK, limit: Limit, on_scores: Callable[[Scores], None] | None = None, also: Sequence[int] = ()
    ) -> Scores:
        def told(reports: tuple[Report, ...]) -> None:
            if on_scores is not None:
                on_scores(scores_of(reports))

        return scores_of(self.engine(int(state.k)).score_moves(state, limit, also=also, on_reports=told))

    def thoughts(self) -> Move | None:
        found = None if self._latest is None else self._latest.latest
        return None if found is None else self.move_of(found.result)

    def glimpse(self) -> Glimpse | None:
        engine = self._latest
        if engine is None or engine.latest is None:
            return None

        def shown(report: Report) -> RootMove:
            return RootMove(report.move, report.value, report.value, line=report.line)

        moves = tuple(map(shown, engine.latest_moves or (engine.latest,)))
        return Glimpse("windows", engine.nodes, engine.latest.depth, moves)


def scores_of(reports: tuple[Report, ...]) -> Scores:
    """What an engine reports of all moves, in utilities."""
    moves = tuple(ScoredMove(report.move, report.value, report.line, report.exact) for report in reports)
    return Scores(moves, reports[0].depth, reports[0].nodes)


def gomoku_engine(options: EngineOptions) -> Player:
    """The Gomoku engine: from a beginner to a player who sees every win by fours, and most by threats."""
    options.refuse("Gomoku", "clock", "threads", "ponder", "book", "tolerance")
    limit, level = options.limit, options.level
    return GomokuEnginePlayer(
        DEFAULT_LIMIT if limit == Limit() and level is None else limit,
        level=None if level is None else find_level(level),
        table=options.table_size,
        seed=fresh_seed() if options.seed is None else options.seed,
    )
