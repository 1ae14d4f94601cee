"""Training games in several processes, each with a teacher of its own."""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
import signal
from collections.abc import Callable, Generator
from types import TracebackType
from typing import Any

from plyground.engines.chess.positions import Positions
from plyground.engines.chess.teacher import Teacher
from plyground.engines.chess.training_games import RANDOM, TrainingGames
from plyground.errors import PlygroundError, ProgramEnded

__all__ = ["TrainingCrew"]

PARCEL = 256
"""Positions that a process hands over at a time."""
PARCELS = 16
"""Parcels for each process that may wait to be taken."""
PATIENCE = 1.0
"""Seconds after which to look whether the others are still there."""


class TrainingCrew:
    """What `TrainingGames` does, `jobs` times at once; `make_teacher` must be a function that can be pickled."""

    def __init__(
        self, make_teacher: Callable[[], Teacher], jobs: int, seed: int, first: int, one_random_in: int = RANDOM
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self._parcels: Any = context.Queue(PARCELS * jobs)
        self._stop = context.Event()
        shared = self._parcels, self._stop, make_teacher
        self._workers = [
            context.Process(target=_play, args=(*shared, seed, first + job, jobs, one_random_in), daemon=True)
            for job in range(jobs)
        ]
        self._playing = jobs
        for worker in self._workers:
            worker.start()

    def played(self) -> Generator[Positions, None, None]:
        """Positions as the processes hand them over, without end."""
        while (parcel := self._next()) is not None:
            yield parcel

    def rest(self) -> list[Positions]:
        """Stop the games; the positions that have not been taken yet, and those of the games in the middle."""
        self._stop.set()
        return list(self.played())

    def close(self) -> None:
        """End the processes."""
        self._stop.set()
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            worker.join()

    def __enter__(self) -> TrainingCrew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _next(self) -> Positions | None:
        """The next parcel; None once all processes have ended."""
        while self._playing:
            try:
                found = self._parcels.get(timeout=PATIENCE)
            except queue.Empty:
                if any(worker.exitcode for worker in self._workers):
                    raise ProgramEnded("a process that played training games has ended before its time") from None
                continue
            if isinstance(found, PlygroundError):
                raise found
            if found is not None:
                return found  # type: ignore[no-any-return]
            self._playing -= 1
        return None


def _play(
    parcels: Any, stop: Any, make_teacher: Callable[[], Teacher], seed: int, first: int, step: int, one_random_in: int
) -> None:
    """One process: play until it is told to stop, or nobody is there to tell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    try:
        with contextlib.closing(make_teacher()) as teacher:
            games = TrainingGames(teacher, seed, first, one_random_in, step)
            parts, waiting = list[Positions](), 0
            for game in games.played():
                parts.append(game)
                waiting += len(game)
                if stop.is_set():
                    break
                if waiting >= PARCEL:
                    while True:
                        try:
                            parcels.put(Positions.joined(parts), timeout=PATIENCE)
                            break
                        except queue.Full:
                            if parent is None or not parent.is_alive():
                                parcels.cancel_join_thread()
                                return
                    parts, waiting = [], 0
            parcels.put(Positions.joined(parts + games.rest()))
    except PlygroundError as error:
        parcels.put(error)
    parcels.put(None)
