"""Playing the games of a tournament: one after the other here, or several at once in processes of their own.

Every game has players of its own, made for it from its seed, and closed after it, whatever happens. So a game comes out
the same wherever and whenever it is played, as far as its players do not look at the clock.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import mmap
import os
import pickle
import queue
import select
import shlex
import struct
import subprocess
import sys
import tempfile
import threading
import time as clock
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol, cast

from plyground import __version__
from plyground.arena.process import SUPERVISOR
from plyground.arena.referee import GameRecord, Rules, Turn, play_game, quick_actions, read_moves
from plyground.arena.results import GameResult, MoveEntry, PlayerEntry
from plyground.arena.sprt import Sprt
from plyground.arena.tournament import Fixture, Plan, points_of, seed_of
from plyground.errors import BadOption, ProgramEnded, UnsuitableGame
from plyground.game import Accepts, Game, action_text, to_move
from plyground.games import make_game
from plyground.players import PLAYERS, Player, make_player
from plyground.protocols.gtp import GtpPlayer
from plyground.registry import split_spec

__all__ = ["Crew", "Hall", "Here", "Outcome", "Setting", "enter_players", "hold", "make_crew"]

TWO_PLAYERS = Accepts(players=(2,), simultaneous=True, hidden=True, chance=True, general_sum=True)
ATTEMPTS = 2
"""A game during which its process ends is played again; if it ends again, the player who was to move has lost."""
WATCH = struct.Struct("dq")
"""What a process writes down for the others to see: since when, and which seat is thinking, -1 for none."""
PATIENCE, LEAST_PATIENCE = 1.5, 2.0
"""How long over the limit a player within a process is waited for: so many times the limit, and so many seconds."""
LONGEST_GAME = 200
"""How often an increment may be added, for that purpose."""
GLANCE = 0.5
"""Seconds between two looks at who is thinking."""
GRACE = 0.2
"""Seconds to wait for the reason why a process has ended."""
FOREIGN = {"aima"}
"""Players whose code is somebody's file but runs where they are made; here they get a process of their own."""
MEMORY = 8_000_000_000
"""The most address space of such a process, in bytes."""
TIMEOUT = 60.0
"""Seconds for an answer of such a process, if the referee has no limit."""


# Who plays --------------------------------------------------------------------------------------------------------


def enter_players(specs: Iterable[str], game: Game) -> tuple[PlayerEntry, ...]:
    """The players of these specs, each with a name of its own; all are checked to be able to play the game.

    Who is from a file is called by the file's name, the others by their specs.
    """
    specs = [spec.strip() for spec in specs]
    options = [split_spec(spec) for spec in specs]
    stems = [Path(given["file"]).stem if list(given) == ["file"] else "" for _, given in options]
    entries: list[PlayerEntry] = []
    for spec, stem, (name, given) in zip(specs, stems, options, strict=True):
        if name == "human":
            raise BadOption("people do not play in the arena; use plyground play")
        if name not in FOREIGN:
            make_player(spec, game).close()
        elif not Path(given.get("file", "")).is_file():
            raise BadOption(f"{name}: there is no file {given.get('file', '')}; write {name}:file=player.py")
        shown = stem if stem and stems.count(stem) == 1 and stem not in specs else spec
        full = _spelled_out(name, given)
        same = sum(entry.spec == full for entry in entries)
        entries.append(PlayerEntry(f"{shown} ({same + 1})" if same else shown, full, _code_digest(given)))
    return tuple(entries)


def _spelled_out(name: str, given: Mapping[str, str]) -> str:
    """A spec with the defaults of all options that have one."""
    options = dict(given)
    for option in PLAYERS.options(name):
        if option.name not in options and option.default not in (None, ""):
            options[option.name] = _option_text(option.default)
    return f"{name}:{','.join(f'{key}={value}' for key, value in options.items())}" if options else name


def seat_player(spec: str, game: Game, seed: int) -> Player:
    """The player of a spec for one game. Whose code is not ours does not run in this process."""
    if split_spec(spec)[0] not in FOREIGN:
        return make_player(spec, game, seed)
    command = [sys.executable, "-P", "-m", "plyground.cli", "gtp", game.spec, "--player", spec]
    return GtpPlayer(command, time=None, timeout=TIMEOUT, memory=MEMORY)


def _option_text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _code_digest(options: Mapping[str, str]) -> str:
    """Of the package's version, and of the files that a player is made of."""
    digest = hashlib.sha256(__version__.encode())
    with contextlib.suppress(ValueError):
        for word in [options.get("file", ""), *shlex.split(options.get("command", ""))]:
            if word and Path(word).is_file():
                digest.update(Path(word).read_bytes())
    return digest.hexdigest()[:16]


# One game ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """What all games of a tournament have in common."""

    game: str
    players: tuple[PlayerEntry, ...]
    rules: Rules


class Hall:
    """Where games of a tournament are played, one at a time, by the referee."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.game = make_game(setting.game)
        if obstacle := TWO_PLAYERS.obstacle(self.game.axes):
            raise UnsuitableGame(f"the arena is for games of two players: {obstacle}")
        self._list_actions = quick_actions(self.game)

    def play(self, fixture: Fixture, waiting: Callable[[int], AbstractContextManager[Any]] | None = None) -> GameResult:
        """Play a game to its end. `waiting(seat)` is entered while a player thinks."""
        started, start = clock.time(), clock.monotonic()
        game, turns = self.game, list[Turn]()
        players = []
        try:
            for seat, number in enumerate(fixture.seats):
                spec = self.setting.players[number].spec
                players.append(seat_player(spec, game, seed_of(fixture.seed, seat)))
            record = play_game(
                game,
                players,
                seed=fixture.seed,
                rules=self.setting.rules,
                moves=fixture.opening,
                waiting=waiting,
                record_into=turns,
                list_actions=self._list_actions,
            )
        finally:
            for player in players:
                with contextlib.suppress(Exception):  # whatever it is, the game is over
                    player.close()
        return self._result(fixture, record, started, clock.monotonic() - start)

    def forfeit(self, fixture: Fixture, seat: int, why: str) -> GameResult:
        """The result of a game that a player has brought down together with the process in which it was played."""
        states, history = read_moves(self.game, fixture.opening)
        turns = tuple(
            MoveEntry(int(to_move(state)), action, action_text(state, action))
            for state, action in zip(states, history, strict=False)
        )
        low, high = self.game.utilities
        returns = tuple(low if other == seat else high for other in range(2))
        return GameResult(
            fixture.key,
            self.setting.game,
            self._entries(fixture),
            returns,
            turns,
            f"{self.game.seats[seat]} fails: {why}",
            fixture.opening,
            clock.time(),
        )

    def _entries(self, fixture: Fixture) -> tuple[PlayerEntry, ...]:
        return tuple(self.setting.players[number] for number in fixture.seats)

    def _result(self, fixture: Fixture, record: GameRecord, started: float, seconds: float) -> GameResult:
        moves = tuple(
            MoveEntry(t.player, t.action, t.text, t.time, t.move.value, t.move.depth, t.move.nodes)
            for t in record.turns
        )
        return GameResult(
            fixture.key,
            self.setting.game,
            self._entries(fixture),
            record.returns,
            moves,
            record.reason,
            fixture.opening,
            started,
            seconds,
        )


# Many games -------------------------------------------------------------------------------------------------------


class Crew(Protocol):
    """Somebody who plays games: results come as they are finished, in any order."""

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[GameResult]:
        """Play all of them. Who stops listening may only `close` then."""

    def close(self) -> None:
        """End everything at once, games in progress included."""


def make_crew(setting: Setting, jobs: int) -> Crew:
    """Games one after the other in this process, or so many at once in others."""
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

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[GameResult]:
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
        self._answers: queue.SimpleQueue[GameResult | BaseException] = queue.SimpleQueue()
        self._workers: list[_Worker | None] = [None] * jobs
        self._closing = False
        self._threads = [threading.Thread(target=self._serve, args=(n,), daemon=True) for n in range(jobs)]
        for thread in self._threads:
            thread.start()

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[GameResult]:
        """As many at once as there are jobs."""
        expected = 0
        for fixture in fixtures:
            self._tasks.put(fixture)
            expected += 1
        while expected:
            try:
                answer = self._answers.get(timeout=GLANCE)
            except queue.Empty:
                self._end_overdue()
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

    def _played(self, number: int, fixture: Fixture) -> GameResult:
        for attempt in range(ATTEMPTS):
            worker = self._workers[number]
            if worker is None:
                worker = self._workers[number] = _Worker(self._hall.setting)
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
                    return self._hall.forfeit(fixture, seat, why)
            else:
                if isinstance(answer, BaseException):
                    raise answer
                return cast("GameResult", answer)
        raise AssertionError

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
    """A process that plays a game at a time, see `plyground.arena.worker`.

    It runs below a supervisor that ends it, with all it has started, when it is killed here or this process ends.
    """

    def __init__(self, setting: Setting) -> None:
        self._setting: Setting | None = setting
        self.overdue = False
        self._lock = threading.Lock()
        self._killed = False
        lifeline, self._lifeline = os.pipe()
        self._report, report = os.pipe()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        with tempfile.TemporaryFile() as watched:
            watched.write(WATCH.pack(0.0, -1))
            watched.flush()
            self._watch = mmap.mmap(watched.fileno(), WATCH.size)
            above = [sys.executable, "-I", "-S", str(SUPERVISOR), *map(str, (lifeline, report, 0))]
            self._process = subprocess.Popen(
                [*above, sys.executable, "-P", "-m", "plyground.arena.worker", str(watched.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                pass_fds=(lifeline, report, watched.fileno()),
                start_new_session=True,  # Ctrl-C is for the arena alone
            )
        os.close(lifeline)
        os.close(report)

    def ask(self, fixture: Fixture) -> object:
        """The result of a game, or the error that was in its way."""
        to, back = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        if self._setting is not None:
            pickle.dump(self._setting, to)
            self._setting = None
        pickle.dump(fixture, to)
        to.flush()
        return pickle.load(back)

    def thinking(self) -> tuple[float, int]:
        """Since when, and which seat; -1 if none is."""
        since, seat = WATCH.unpack(self._watch[:])
        return since, seat

    def kill(self) -> None:
        """End it at once."""
        with self._lock:
            if not self._killed:
                self._killed = True
                os.close(self._lifeline)

    def close(self) -> str:
        """End it, and say how it had ended before."""
        ended = select.select([self._report], [], [], GRACE)[0]
        fate = os.read(self._report, 4096).decode(errors="replace").strip() if ended else ""
        self.kill()
        self._process.wait()
        os.close(self._report)
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                cast("IO[bytes]", pipe).close()
        self._errors.seek(0)
        last = [line for line in self._errors.read().decode(errors="replace").splitlines() if line.strip()][-1:]
        self._errors.close()
        return ": ".join([f"its process has ended with {fate or 'no reason given'}", *last])


# The whole tournament ---------------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """The results of a tournament so far by the keys of the games, and the test if there is one.

    When it is `finished` they are in the order of the plan, and all of them count.
    """

    results: dict[str, GameResult] = field(default_factory=dict)
    sprt: Sprt | None = None
    finished: bool = False
    _pairs: int = 0

    def test(self, fixtures: list[Fixture]) -> bool:
        """Whether the test is decided by the pairs of games that are complete, taken in their order."""
        while self.sprt is not None and self.sprt.decision is None and 2 * self._pairs < len(fixtures):
            pair = fixtures[2 * self._pairs : 2 * self._pairs + 2]
            if any(fixture.key not in self.results for fixture in pair):
                break
            first, second = (points_of(self.results[fixture.key], fixture.seats.index(0)) for fixture in pair)
            self.sprt.update(first, second)
            self._pairs += 1
        return self.sprt is not None and self.sprt.decision is not None

    def close(self, fixtures: list[Fixture]) -> None:
        """The tournament is over; what was played beyond the end of the test does not count."""
        if self.test(fixtures):
            fixtures = fixtures[: 2 * self._pairs]
        self.results = {fixture.key: self.results[fixture.key] for fixture in fixtures}
        self.finished = True


def hold(
    plan: Plan,
    outcome: Outcome | None = None,
    *,
    jobs: int = 1,
    crew_of: Callable[[Setting], Crew] | None = None,
    on_result: Callable[[GameResult], None] = lambda result: None,
) -> Outcome:
    """Play a tournament to its end, or go on with one of which the outcome so far is known, which is added to.

    `on_result` hears of every game when it has ended. `crew_of` makes those who play, if it is not for `jobs` processes
    of this machine. With a test, which is for two players, the tournament ends as
    soon as its pairs of games, in the order of the plan, decide it.
    """
    outcome = Outcome() if outcome is None else outcome
    if outcome.sprt is not None and (len(plan.players) != 2 or plan.games % 2 or plan.format == "swiss"):
        raise BadOption("a test is for two players who play an even number of games")
    setting = Setting(plan.game, plan.players, plan.rules)
    crew = crew_of(setting) if crew_of else make_crew(setting, jobs)
    fixtures: list[Fixture] = []
    try:
        number = 1
        while games := plan.round(number, outcome.results):
            fixtures += games
            number += 1
            if outcome.test(fixtures):
                break
            for result in crew.play([fixture for fixture in games if fixture.key not in outcome.results]):
                outcome.results[result.key] = result
                on_result(result)
                if outcome.test(fixtures):
                    break
    finally:
        crew.close()
    outcome.close(fixtures)
    return outcome
