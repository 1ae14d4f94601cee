"""Solving many positions side by side, each with an engine and a thread of its own, while anybody may look on.

>>> from plyground.formats import read_obf
>>> position = read_obf("XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; % FFO 20")
>>> [solution] = Solving([position], [Engine()])
>>> solution.value, [move_name(move) for move in solution.best], solution.differences
(6, ['h5'], ())
"""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plyground.core.rules import actions
from plyground.engines.reversi.analysis import empty_squares, move_name
from plyground.engines.reversi.engine import Engine, Report, outcome
from plyground.formats.obf import ScoredPosition

__all__ = ["OUTCOMES", "Running", "Solution", "Solving"]

WAIT = 0.1
"""Seconds between two looks at the running searches."""
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


@dataclass(frozen=True)
class Solution:
    """What was found of a position.

    `reports` are on its best move, or on all moves, the best first; there are none if the game is over. With `wld` only
    win, loss or draw was asked for, and values at the end are 1, -1 and 0. `value` is for the side to move, None if
    nothing was found; it is proven if `solved`. `bounds` are what is proven of the score, in discs. `time` is in
    seconds.
    """

    position: ScoredPosition
    wld: bool
    reports: tuple[Report, ...]
    value: int | None
    bounds: tuple[int, int]
    solved: bool
    nodes: int
    time: float

    @property
    def best(self) -> tuple[int, ...]:
        """The moves that are known to be best."""
        return tuple(report.move for report in self.reports if report.depth and report.value == self.value)

    @property
    def line(self) -> tuple[int, ...]:
        """Best play from the position on."""
        return self.reports[0].line if self.best else ()

    def text(self, value: int) -> str:
        """A value as people write it: ``+4``, or ``win``."""
        reached = self.reports[0].depth if self.reports else empty_squares(self.position.state)
        return value_text(value, self.wld and reached >= empty_squares(self.position.state))

    @property
    def differences(self) -> tuple[str, ...]:
        """Sentences on what contradicts the scores that are given with the position.

        If all moves were scored each given score is compared, else the highest with the score of the best move.
        """
        given = self.position.scores
        if not self.solved or self.value is None or not given:
            return ()
        found = {report.move: report.value for report in self.reports}
        if len(found) < len(actions(self.position.state)):
            move, score = max(given, key=lambda pair: pair[1])
            best = self.reports[0].move
            if self._fits(score, self.value):
                return ()
            if move != best:
                stated = f"the best score given is {self._given(score)} ({move_name(move)})"
                return (f"{stated}, and {move_name(best)} has {self.text(self.value)}",)
            found[move] = self.value
            given = ((move, score),)
        return tuple(
            f"the score given for {move_name(move)} is {self._given(score)}, but it is {self.text(found[move])}"
            for move, score in given
            if not self._fits(score, found[move])
        )

    def _given(self, score: int) -> str:
        return self.text(outcome(score) if self.wld else score)

    def _fits(self, score: int, value: int) -> bool:
        return (outcome(score) if self.wld else score) == value


@dataclass(frozen=True)
class Running:
    """A search that is under way: the last report on its best move, what is proven, nodes and seconds spent."""

    index: int
    report: Report | None
    bounds: tuple[int, int]
    nodes: int
    time: float


class Solving:
    """The positions, solved in the order given; iterating gives the solutions in that order, waiting for each.

    With `all_moves` every move is scored; with `wld` only win, loss or draw is found out. After `stop`, a position
    that was begun has an unfinished solution, and the others have none.
    """

    def __init__(
        self,
        positions: Sequence[ScoredPosition],
        engines: Sequence[Engine],
        *,
        all_moves: bool = False,
        wld: bool = False,
    ) -> None:
        self._positions, self._engines = positions, engines
        self._all_moves, self._wld = all_moves, wld
        self._solutions: dict[int, Solution] = {}
        self._begun: dict[int, tuple[Engine, float]] = {}
        self._reports: dict[int, Report] = {}
        self._failures: list[BaseException] = []
        self._waiting = iter(range(len(positions)))
        self._stopping = False
        self._news = threading.Condition()
        self._threads = [threading.Thread(target=self._work, args=(engine,), daemon=True) for engine in engines]
        for thread in self._threads:
            thread.start()

    def __iter__(self) -> Iterator[Solution]:
        for index in range(len(self._positions)):
            while (solution := self.wait(index)) is None:
                pass
            yield solution

    def wait(self, index: int) -> Solution | None:
        """The solution of a position by its index, or None if there is none yet after a moment."""
        with self._news:
            if index not in self._solutions and not self._failures:
                self._news.wait(WAIT)
            if self._failures:
                raise self._failures[0]
            return self._solutions.get(index)

    def stop(self) -> dict[int, Solution]:
        """End all searches; returns what is known of each position that was begun, by its index."""
        self._stopping = True
        for engine, thread in zip(self._engines, self._threads, strict=True):
            while thread.is_alive():
                engine.stop()  # again and again: a search that is just beginning misses it
                thread.join(0.005)
        return self._solutions

    def running(self) -> list[Running]:
        """The searches that are under way, in the order of their positions."""
        found = []
        for index, (engine, start) in sorted(self._begun.copy().items()):
            bounds = engine.bounds(self._positions[index].state)
            spent = clock.perf_counter() - start
            found.append(Running(index, self._reports.get(index), bounds, engine.nodes, spent))
        return found

    def _work(self, engine: Engine) -> None:
        try:
            while not self._stopping:
                with self._news:
                    index = next(self._waiting, None)
                    if index is None:
                        return
                    self._begun[index] = engine, clock.perf_counter()
                solution = self._solve(index, engine)
                with self._news:
                    del self._begun[index]
                    self._solutions[index] = solution
                    self._news.notify()
        except BaseException as error:  # raised again by `wait`
            with self._news:
                self._failures.append(error)
                self._news.notify()

    def _solve(self, index: int, engine: Engine) -> Solution:
        position, wld = self._positions[index], self._wld
        state = position.state
        if not actions(state):
            bounds = engine.bounds(state)
            return Solution(position, wld, (), outcome(bounds[0]) if wld else bounds[0], bounds, True, 0, 0.0)

        def keep(report: Report) -> None:
            self._reports[index] = report

        engine.clear()  # so that a solution does not depend on those before it
        start = clock.perf_counter()
        if self._all_moves:
            reports = engine.score_moves(state, wld=wld, on_reports=lambda reports: keep(reports[0]))
        else:
            reports = (engine.search(state, wld=wld, on_report=keep),)
        best = reports[0]
        bounds = engine.bounds(state)
        if best.exact and not wld:
            bounds = best.value, best.value
        value = best.value if best.depth else None
        nodes = max(report.nodes for report in reports)
        return Solution(position, wld, reports, value, bounds, best.exact, nodes, clock.perf_counter() - start)


def value_text(value: int, is_outcome: bool) -> str:
    """A value as people write it: ``+4``, or ``win`` if it is an outcome."""
    return OUTCOMES[value] if is_outcome else f"{value:+}"
