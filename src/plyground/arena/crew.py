"""Who plays the games of a tournament: this process, one after the other, or several processes at once."""

from __future__ import annotations

import math
import mmap
import os
import pickle
import queue
import struct
import sys
import tempfile
import threading
import time as clock
from collections.abc import Iterable, Iterator
from typing import Protocol, cast

from plyground.arena.hall import Hall, Setting, has_files
from plyground.arena.tournament import Fixture
from plyground.core.played_game import PlayedGame
from plyground.errors import BadOption, ProgramEnded
from plyground.processes.program import Supervised

__all__ = ["WATCH", "Crew", "Here", "Workers", "make_crew"]

ATTEMPTS = 2
"""A game during which its process ends is played again; if it ends again, the player who was to move has lost."""
WATCH = struct.Struct("dq")
"""What a process writes down for the others to see: since when, and which seat is thinking, -1 for none."""
PATIENCE, LEAST_PATIENCE = 1.5, 2.0
"""How long a player within a process is waited for: this many times the limit, and at least this many seconds more."""
LONGEST_GAME = 200
"""How often an increment may be added, for that purpose."""
GLANCE = 0.5
"""Seconds between two looks at who is thinking."""
GRACE = 5.0
"""Seconds to wait for the reason why a process has ended."""


class Crew(Protocol):
    """Somebody who plays games: results come as they are finished, in any order."""

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[PlayedGame]:
        """Play all of them. Whoever stops listening may only `close` then."""

    def close(self) -> None:
        """End everything at once, games in progress included."""


def make_crew(setting: Setting, jobs: int) -> Crew:
    """Games one after the other in this process, or this many at once in others."""
    if not 1 <= jobs <= 1024:
        raise BadOption(f"jobs must be from 1 to 1024, not {jobs}")
    if jobs == 1:
        return Here(setting)
    if sys.platform == "win32":
        raise BadOption("several jobs at once work on Linux and macOS only; use 1")
    return Workers(setting, jobs)


class Here:
    """All games in this process."""

    def __init__(self, setting: Setting) -> None:
        self._hall = Hall(setting)

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[PlayedGame]:
        """One after the other."""
        return map(self._hall.play, fixtures)

    def close(self) -> None:
        """Nothing outlasts a game."""


class Workers:
    """Several games at once, each in a process of its own that is used again for the next one.

    A process that ends in the middle of a game, or in which a player thinks without end, costs that game only.
    """

    def __init__(self, setting: Setting, jobs: int) -> None:
        self._hall = Hall(setting)
        self._tasks: queue.SimpleQueue[Fixture | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[PlayedGame | BaseException] = queue.SimpleQueue()
        self._workers: list[_Worker | None] = [None] * jobs
        self._shared = any(has_files(player.spec) for player in setting.players)
        self._closing = False
        self._threads = [threading.Thread(target=self._serve, args=(n,), daemon=True) for n in range(jobs)]
        for thread in self._threads:
            thread.start()

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[PlayedGame]:
        """As many at once as there are jobs."""
        expected = 0
        for fixture in fixtures:
            self._tasks.put(fixture)
            expected += 1
        looked = clock.monotonic()
        while expected:
            if clock.monotonic() - looked > GLANCE:
                self._end_overdue()
                looked = clock.monotonic()
            try:
                answer = self._answers.get(timeout=GLANCE)
            except queue.Empty:
                continue
            if isinstance(answer, BaseException):
                raise answer
            expected -= 1
            yield answer

    def close(self) -> None:
        """Kill all processes; the programs that play in them end with them."""
        self._closing = True
        for _ in self._threads:
            self._tasks.put(None)
        while any(thread.is_alive() for thread in self._threads):
            for worker in self._workers:  # one may just be starting
                if worker is not None:
                    worker.kill()
            for thread in self._threads:
                thread.join(0.05)

    def _serve(self, number: int) -> None:
        try:
            while (fixture := self._tasks.get()) is not None and not self._closing:
                self._answers.put(self._played(number, fixture))
        except BaseException as error:  # handed on to the one who waits for results
            self._answers.put(error)
        finally:
            if (worker := self._workers[number]) is not None:
                worker.close()

    def _played(self, number: int, fixture: Fixture) -> PlayedGame:
        for attempt in range(ATTEMPTS):
            worker = self._workers[number]
            if worker is None:
                worker = self._workers[number] = _Worker(self._hall.setting, self._cores(number))
            try:
                answer = worker.ask(fixture)
            except (EOFError, OSError, pickle.UnpicklingError):
                seat, overdue, why = worker.thinking()[1], worker.overdue, worker.close()
                self._workers[number] = None
                if self._closing:
                    raise ProgramEnded("the arena is closed") from None
                if overdue and seat >= 0:
                    return self._hall.forfeit(fixture, seat, "it did not come back in time")
                if attempt + 1 == ATTEMPTS:
                    if seat < 0:
                        raise ProgramEnded(f"the game {fixture.key} cannot be played: {why}") from None
                    if worker.killed:
                        return self._hall.disturbed(fixture, seat, why)
                    return self._hall.forfeit(fixture, seat, why)
            else:
                if isinstance(answer, BaseException):
                    raise answer
                return cast("PlayedGame", answer)
        raise AssertionError

    def _cores(self, number: int) -> list[int]:
        """The processors of a worker, if strangers play: what they start takes no time from the other games."""
        if not self._shared or not hasattr(os, "sched_getaffinity"):
            return []
        cores, jobs = sorted(os.sched_getaffinity(0)), len(self._workers)
        own = [core for place, core in enumerate(cores) if place * jobs // len(cores) == number]
        return own or [cores[number % len(cores)]]

    def _end_overdue(self) -> None:
        rules = self._hall.setting.rules
        limits = [rules.move_time] if rules.move_time is not None else []
        if rules.game_time:
            limits.append(rules.game_time.main + LONGEST_GAME * rules.game_time.increment)
        longest = min(limits, default=math.inf)
        for worker in self._workers:
            if worker is not None:
                since, seat = worker.thinking()
                if seat >= 0 and clock.monotonic() - since > max(PATIENCE * longest, longest + LEAST_PATIENCE):
                    worker.overdue = True
                    worker.kill()


class _Worker:
    """A process that plays a game at a time, see `plyground.arena.worker`."""

    def __init__(self, setting: Setting, cores: list[int]) -> None:
        self._setting: Setting | None = setting
        self.overdue = False
        self.killed = False
        """Whether somebody else has killed it, known when it is closed."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        with tempfile.TemporaryFile() as watched:
            watched.write(WATCH.pack(0.0, -1))
            watched.flush()
            self._watch = mmap.mmap(watched.fileno(), WATCH.size)
            command = [sys.executable, "-P", "-m", "plyground.arena.worker", str(watched.fileno())]
            self._process = Supervised(command, files=[watched.fileno()], stderr=self._errors, cores=cores)

    def ask(self, fixture: Fixture) -> object:
        """The result of a game, or the error that was in its way."""
        if self._setting is not None:
            pickle.dump(self._setting, self._process.stdin)
            self._setting = None
        pickle.dump(fixture, self._process.stdin)
        self._process.stdin.flush()
        return pickle.load(self._process.stdout)

    def thinking(self) -> tuple[float, int]:
        """Since when, and which seat; -1 if none is."""
        since, seat = WATCH.unpack(self._watch[:])
        return since, seat

    def kill(self) -> None:
        """End it at once."""
        self._process.end()

    def close(self) -> str:
        """End it, and say how it had ended before."""
        fate = self._process.fate(GRACE) or "has closed its output"
        self.killed = self._process.killed
        self._process.close()
        self._errors.seek(0)
        last = [line for line in self._errors.read().decode(errors="replace").splitlines() if line.strip()][-1:]
        self._errors.close()
        return ": ".join([f"its process {fate}", *last])
