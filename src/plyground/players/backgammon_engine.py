"""The player `engine` of backgammon, at any strength."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.engines.backgammon.engine import Engine, Verdict
from plyground.engines.backgammon.levels import Level, find_level
from plyground.errors import BadOption
from plyground.games.backgammon.board import MOVING, Backgammon
from plyground.native.randomness import fresh_seed, random_unit, stream
from plyground.players.engine import EngineOptions, EnginePlayer, HasEngine, ScoredMove, Scores
from plyground.players.player import Move, Player, Position
from plyground.search.glimpse import Glimpse
from plyground.search.result import SearchResult

__all__ = ["BackgammonEnginePlayer", "backgammon_engine"]

MOST_DEPTH = 3


class EnginesBackgammon(HasEngine):
    """The board that the engine knows, of the games that there are engines for."""

    def obstacle_on_board(self, game: Game) -> str | None:
        start: Backgammon = game.initial
        if (start.points, start.men, start.faces) != (24, 15, 6):
            return "the engine knows backgammon with 15 men on 24 points and usual dice alone"
        return None


class BackgammonEnginePlayer(EnginePlayer):
    """Plays by `plyground.engines.backgammon.engine`: a level, or so many plies."""

    accepts: ClassVar[Accepts] = EnginesBackgammon(players=(2,), chance=True)

    def __init__(self, level: Level, seed: int) -> None:
        self._level = level
        self._rng = stream(seed)
        self._engine: Engine | None = None
        self._latest: SearchResult | None = None

    @property
    def engine(self) -> Engine:
        """The engine, with its networks and tables, read when it is first needed."""
        if self._engine is None:
            self._engine = Engine(self._level.plies)
        return self._engine

    def prepare(self, game: Game) -> None:
        state = game.initial._replace(phase=MOVING, roll=2 << 3 | 1)
        self.engine.decide(state, min(self._level.plies, 1))
        self.engine.outputs(state)

    def find(self, position: Position, limit: Limit) -> SearchResult:
        start, counted = clock.perf_counter(), self.engine.counted
        state: Backgammon = position.state
        plies = self._level.plies if limit.depth is None else min(self._level.plies, limit.depth - 1)
        verdicts = self.engine.decide(state, max(plies, 0))
        if self._level.noise and len(verdicts) > 1:
            size = self._level.noise * self._unit(state)
            verdicts.sort(key=lambda verdict: -(verdict.value + size * (2 * random_unit(self._rng) - 1)))
        values = {verdict.action: verdict.value for verdict in verdicts}
        facts: dict[str, Any] = {"depth": verdicts[0].plies + 1, "nodes": self.engine.counted - counted}
        self._latest = SearchResult.choose(
            verdicts[0].action, values, time=clock.perf_counter() - start, complete=len(verdicts) == 1, **facts
        )
        return self._latest

    @staticmethod
    def _unit(state: Backgammon) -> float:
        """About what a point is worth as a utility."""
        return float(state.cube) if state.length == 0 else state.cube / max(state.length, 2)

    def score_moves(
        self,
        state: Backgammon,
        limit: Limit,
        on_scores: Callable[[Scores], None] | None = None,
        also: Sequence[int] = (),
    ) -> Scores:
        counted = self.engine.counted
        verdicts = self.engine.decide(state, 2 if limit.depth is None else max(0, min(2, limit.depth - 1)))
        scores = Scores(tuple(map(scored, verdicts)), verdicts[0].plies + 1, self.engine.counted - counted)
        if on_scores is not None:
            on_scores(scores)
        return scores

    def thoughts(self) -> Move | None:
        return None if self._latest is None else self.move_of(self._latest)

    def glimpse(self) -> Glimpse | None:
        return None


def scored(verdict: Verdict) -> ScoredMove:
    return ScoredMove(verdict.action, verdict.value, (verdict.action,), False)


def backgammon_engine(options: EngineOptions) -> Player:
    """The backgammon engine: networks that learned from their own games, bear-off tables, and the cube."""
    options.refuse("backgammon", "clock", "threads", "ponder", "book", "tolerance", "table", "nodes", "time")
    if options.depth is not None and not 1 <= options.depth <= MOST_DEPTH:
        raise BadOption(f"engine: depth must be from 1 to {MOST_DEPTH} in backgammon, not {options.depth}")
    level = Level((options.depth or MOST_DEPTH) - 1) if options.level is None else find_level(options.level)
    return BackgammonEnginePlayer(level, fresh_seed() if options.seed is None else options.seed)
