"""The NBoard protocol, version 2, by which Othello programs and their boards talk.

As an engine: a board such as NBoard shows what a player of ours thinks. As a client: another engine is a player here.
Evaluations are in discs, for the side to move; in a line of play every move has two characters, and PA is the pass.

Specification: C. Welty, "NBoard protocol 2.0", 2014.
"""

from __future__ import annotations

import contextlib
import re
import threading
import time as clock
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Annotated, ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import action_text
from plyground.engines.reversi.engine import Report
from plyground.errors import BadOption, PlygroundError
from plyground.formats import Record, read_ggf, write_ggf
from plyground.formats.replay import read_square
from plyground.games.reversi import PASS, Reversi, reversi
from plyground.players.player import Choice, Move, Player, Position
from plyground.players.reversi_engine import OnlyReversi, ReversiEnginePlayer
from plyground.processes.program import read_command
from plyground.protocols.client import ILLEGAL, ProgramPlayer, memory_bytes
from plyground.protocols.session import Session

__all__ = ["NBoardEngine", "NBoardPlayer", "nboard"]

VERSION = 2
DISCS = 64
MOST_DEPTH = 60


# As an engine -----------------------------------------------------------------------------------------------------


class NBoardEngine:
    """Does what a board asks for, with a player of ours. `handle` never raises, whatever the line is.

    The player thinks in a thread of its own; every command that changes something stops it first. What it says is
    handed to `write`, a line at a time, without line breaks.
    """

    def __init__(self, player: Player, write: Callable[[str], None]) -> None:
        game = reversi()
        if obstacle := player.accepts.obstacle_in(game):
            raise BadOption(f"nboard: {player.spec or 'the player'} cannot play reversi: {obstacle}")
        self._session = Session(game, player)
        self._write_line = write
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._cancelled = threading.Event()
        self._depth: int | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "nboard": self._greet,
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": self._go,
            "ping": self._ping,
            "learn": self._learn,
            "analyze": self._analyze,
        }

    def serve(self, lines: Iterable[str]) -> None:
        """Do what every line says until ``quit`` or the end."""
        self._session.prepare()
        try:
            for line in lines:
                if not self.handle(line):
                    return
        finally:
            self.stop()

    def handle(self, line: str) -> bool:
        """Do what a line says; False if it is ``quit``. Lines that are not known are ignored."""
        command, _, rest = " ".join(line.split()).partition(" ")
        if command == "quit":
            self.stop()
            return False
        if command in self._commands:
            self.stop()
            try:
                self._commands[command](rest)
            except PlygroundError as error:
                self._say_status(str(error))
        return True

    def stop(self) -> None:
        """End the thinking, if there is any; nothing more is said about it."""
        self._cancelled.set()
        if self._thread is not None:
            player = self._session.player
            while self._thread.is_alive():
                if isinstance(player, ReversiEnginePlayer):  # a search that begins just now misses the first call
                    player.engine.stop()
                self._thread.join(0.001)
            self._thread = None

    def wait(self) -> None:
        """Let the thinking come to its own end."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    # Commands

    def _greet(self, rest: str) -> None:
        if rest != str(VERSION):
            self._say_status(f"this is version {VERSION} of the protocol")
        self._write(f"set myname {self._session.player.spec or 'Plyground'}")

    def _set(self, rest: str) -> None:
        what, _, value = rest.partition(" ")
        if what == "game":
            record = read_ggf(value)
            self._session.restart(replace(reversi(), initial=record.start), record.moves)
        elif what == "depth":
            if not re.fullmatch(r"\d{1,4}", value, re.ASCII) or int(value) < 1:
                raise BadOption(f"the depth must be a number from 1, not '{value[:20]}'")
            self._depth = min(int(value), MOST_DEPTH)

    def _move(self, rest: str) -> None:
        word = re.split("[/ ]", rest)[0]
        action, session = read_square(word), self._session
        if action != PASS and session.must_pass():
            session.play_pass()
            try:
                session.play(action)
            except PlygroundError:
                session.undo()
                raise
        else:
            session.play(action)

    def _ping(self, rest: str) -> None:
        self._write(f"pong {rest}".rstrip())

    def _learn(self, rest: str) -> None:
        self._write("learned")

    def _go(self, rest: str) -> None:
        if not self._session.over():
            self._think(self._choose)

    def _hint(self, rest: str) -> None:
        count = int(rest) if re.fullmatch(r"\d{1,2}", rest, re.ASCII) else 1
        if not self._session.over():
            self._think(lambda cancelled: self._hints(count, cancelled))

    def _analyze(self, rest: str) -> None:
        self._think(self._analysis)

    # Thinking, in its own thread

    def _think(self, work: Callable[[threading.Event], None]) -> None:
        cancelled = self._cancelled = threading.Event()

        def run() -> None:
            try:
                work(cancelled)
            except PlygroundError as error:
                self._say_status(str(error))
            if not cancelled.is_set():
                self._write("status")

        self._session.prepare()
        self._write("status thinking")
        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def _limit(self) -> Limit:
        return Limit(depth=self._depth)

    def _choose(self, cancelled: threading.Event) -> None:
        choice = self._session.choose(self._limit())
        if cancelled.is_set() or not isinstance(choice, Move):
            return
        self._say_statistics(choice)
        value = "" if choice.value is None else f"{choice.value * DISCS:.2f}"
        self._write(f"=== {move_name(choice.action)}/{value}/{choice.time or 0.0:.2f}")

    def _hints(self, count: int, cancelled: threading.Event) -> None:
        player, state = self._session.player, self._session.state
        assert isinstance(state, Reversi)
        if isinstance(player, ReversiEnginePlayer):

            def show(reports: Sequence[Report]) -> None:
                if not cancelled.is_set():
                    for report in reports[: max(1, count)]:
                        depth = "100%" if report.exact else str(report.depth)
                        self._write(f"search {line_text(report.line)} {report.value:.2f} 0 {depth}")

            reports = player.engine.score_moves(state, player.limit.within(self._limit()), on_reports=show)
            self._write(f"nodestats {reports[0].nodes} {reports[0].time:.2f}")
            return
        choice = self._session.choose(self._limit())
        if not cancelled.is_set() and isinstance(choice, Move):
            line = choice.line or (choice.action,)
            self._write(f"search {line_text(line)} {(choice.value or 0.0) * DISCS:.2f} 0 {choice.depth or 1}")
            self._say_statistics(choice)

    def _analysis(self, cancelled: threading.Event) -> None:
        """The value of every position of the game, from the last one back."""
        scratch = Session(self._session.game, self._session.player)
        scratch.restart(moves=self._session.history)
        scratch.prepare()
        while not cancelled.is_set():
            if scratch.over():
                state = scratch.state
                assert isinstance(state, Reversi)
                value: float | None = int(state.own).bit_count() - int(state.opponent).bit_count()
            else:
                choice = scratch.choose(self._limit())
                value = choice.value * DISCS if isinstance(choice, Move) and choice.value is not None else None
            if value is not None and not cancelled.is_set():
                self._write(f"analysis {len(scratch.history)} {value:.2f}")
            if not scratch.undo():
                return

    def _say_statistics(self, move: Move) -> None:
        self._write(f"nodestats {move.nodes or 0} {move.time or 0.0:.2f}")

    def _say_status(self, message: str) -> None:
        self._write(f"status {' '.join(message.split())}")

    def _write(self, line: str) -> None:
        with self._lock:
            self._write_line(line)


def move_name(action: int) -> str:
    """Two characters: F5, or PA for the pass."""
    return "PA" if action == PASS else action_text(reversi().initial, action).upper()


def line_text(line: Iterable[int]) -> str:
    """A line of play without blanks."""
    return "".join(map(move_name, line))


# As a client ------------------------------------------------------------------------------------------------------


ANSWER = re.compile(r"===\s*(?P<move>[A-Za-z]\w)(?:[/\s]\s*(?P<value>[+-]?[\d.]+)?)?.*")


class NBoardPlayer(ProgramPlayer):
    """Another program that speaks the NBoard protocol. `depth` is how far it is asked to look ahead, in plies."""

    accepts: ClassVar[Accepts] = OnlyReversi(players=(2,))

    def __init__(self, command: list[str], *, depth: int | None, timeout: float, memory: int | None) -> None:
        super().__init__(command, timeout=timeout, memory=memory)
        self._depth = depth
        self._told: tuple[Game, tuple[int, ...]] | None = None
        """The game and the moves on the program's board; None if that is not known."""
        self._pings = 0

    def prepare(self, game: Game) -> None:
        deadline = self.starting_deadline()
        with self.conversation() as program:
            program.send(f"nboard {VERSION}", deadline)
            if self._depth is not None:
                program.send(f"set depth {self._depth}", deadline)
            self._show(Position(game, game.initial), deadline)

    def choose(self, position: Position, limit: Limit) -> Choice:
        if not self.running:
            self.prepare(position.game)
        deadline = self.deadline(limit)
        with self.conversation() as program:
            self._show(position, deadline)
            start = clock.monotonic()
            program.send("go", deadline)
            found = self.answer(lambda line: ANSWER.fullmatch(line.strip()), deadline)
        spent = clock.monotonic() - start
        try:
            action = read_square(found["move"])
        except PlygroundError:
            action = ILLEGAL
        value = None
        with contextlib.suppress(TypeError, ValueError):
            value = float(found["value"]) / DISCS
        return Move(action, value, time=spent)

    def _show(self, position: Position, deadline: float) -> None:
        """Bring the program's board to this position, and wait until it says that it is there."""
        program = self.program
        told, self._told = self._told, (position.game, position.history)
        if told and told[0] is position.game and position.history[: len(told[1])] == told[1]:
            for action in position.history[len(told[1]) :]:
                program.send(f"move {move_name(action)}", deadline)
        else:
            program.send(f"set game {write_ggf(Record(position.game.initial, position.history))}", deadline)
        self._pings += 1
        program.send(f"ping {self._pings}", deadline)
        pong = ["pong", str(self._pings)]
        self.answer(lambda line: line.split() == pong or None, deadline)

    def _end(self, patience: float = 0.0) -> None:
        self._told = None
        super()._end(patience)


def nboard(
    command: Annotated[str, "the program and its arguments, such as ./engine -nboard"],
    depth: Annotated[int | None, "plies to look ahead, passed on to the program"] = None,
    timeout: Annotated[float, "seconds for an answer if the referee has no limit; twice as many to get ready"] = 60.0,
    memory: Annotated[float, "megabytes of memory that the program may use; 0 for no limit"] = 8000.0,
) -> Player:
    """Another Reversi program that speaks the NBoard protocol."""
    words = read_command(command, "nboard: command")
    limit = Limit(depth=depth)
    return NBoardPlayer(words, depth=limit.depth, timeout=timeout, memory=memory_bytes("nboard", memory, timeout))
