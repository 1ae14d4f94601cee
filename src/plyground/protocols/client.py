"""What players that are other programs have in common: the running program, its deadlines and its end."""

from __future__ import annotations

import contextlib
import shlex
import time as clock
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

from plyground.core.limits import Limit
from plyground.errors import BadOption, PlygroundError, ProtocolBroken
from plyground.players.player import Player
from plyground.processes.kept_code import kept_folder
from plyground.processes.program import Cage, Process, files_in

__all__ = ["ILLEGAL", "ProgramPlayer", "memory_bytes"]

T = TypeVar("T")
ILLEGAL = -1
"""An action that no game has: what a program gets for an answer that is not a move."""
LATENESS = 0.5
"""Seconds, and the share of the limit, that a program may be late before it is given up; the referee is stricter."""
SHARE_LATE = 0.25
MOST_NOISE = 100_000
"""How many lines a program may print besides, before it answers: what prints more does not speak the protocol."""
CLOSING = 0.5
"""Seconds for a program to end when it is asked to, before it is made to."""


class ProgramPlayer(Player):
    """A player that is another program, which runs from the first `program` to `close`.

    `timeout` is the longest that an answer may take, in seconds, where the referee has no limit of its own; to get
    ready there is twice as much. `memory` is the most memory, in bytes. `name` is for errors; without one it is that of
    the file that an interpreter runs, or of the program. `files` are those that it is made of, besides those in the
    command. It runs in a cage, and rests whenever nobody waits for its answer.
    """

    farewell: ClassVar[str] = "quit"
    """The line that asks the program to end."""
    starting: ClassVar[float] = 2.0
    """How many times the timeout it may take until it is ready."""
    cage: str = "plain"
    """The wall around it, see `plyground.processes.cage`; to be set before it is started."""
    kept: Path | None = None
    """The folder in which its machine code is kept from one start to the next; one of its own if not set."""
    environment: ClassVar[Mapping[str, str]] = {}
    """Variables that it gets besides."""
    on_output: Callable[[str], None] | None = None
    """Gets every line that it writes to its standard error stream; to be set before it is started."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        timeout: float,
        memory: int | None,
        folder: str | Path | None = None,
        name: str = "",
        files: Sequence[Path] = (),
    ) -> None:
        self.name = name or next((file.name for file in files_in(command[1:])), Path(command[0]).name)
        self._files = tuple(file.absolute() for file in files)
        self._used = 0.0
        self._most_memory, self._last_words = 0, ""
        self._command, self._timeout, self._memory, self._folder = list(command), timeout, memory, folder
        self._process: Process | None = None

    @property
    def running(self) -> bool:
        """Whether the program has been started and not ended from here."""
        return self._process is not None

    @property
    def program(self) -> Process:
        """The program, started if it is not running."""
        if self._process is None:
            files = [*files_in(self._command[1:]), *self._files]
            kept = self.kept or (None if self.cage == "off" else kept_folder(shlex.join(self._command), files))
            cage = Cage(self.cage, self._files, kept)
            self._process = Process(
                self._command,
                memory=self._memory,
                folder=self._folder,
                environment=self.environment,
                name=self.name,
                cage=cage,
                on_output=self.on_output,
            )
        return self._process

    def processor_time(self) -> float:
        return self._used + (self._process.processor_time() if self._process is not None else 0.0)

    def most_memory(self) -> int:
        """The most bytes of memory that it has had, as it was when its processor time was last asked for."""
        return max(self._most_memory, self._process.most_memory if self._process is not None else 0)

    def last_words(self) -> str:
        """The end of what it has written to its standard error stream so far; after its end, up to that."""
        if self._process is None:
            return self._last_words
        self._process.hear_out()
        return self._process.last_words

    def close(self) -> None:
        if self._process is not None:
            with contextlib.suppress(PlygroundError):  # it may have gone already
                self._process.send(self.farewell, clock.monotonic() + CLOSING)
            self._end(CLOSING)

    def deadline(self, limit: Limit) -> float:
        """The moment by which the program must have answered with a move."""
        if limit.time is None:
            return clock.monotonic() + self._timeout
        return clock.monotonic() + limit.time + max(LATENESS, SHARE_LATE * limit.time)

    def starting_deadline(self) -> float:
        """The moment by which it must be ready to play: a program may have to load, or compile, before it answers."""
        return clock.monotonic() + self.starting * self._timeout

    @contextlib.contextmanager
    def conversation(self) -> Iterator[Process]:
        """Questions and answers: what breaks them off, a fault of the program or Ctrl-C, ends the program.

        After them it rests, so that it takes no time from whoever thinks next.
        """
        try:
            yield self.program
            if self.on_output is not None:
                self.program.hear_out()
            self.program.rest()
        except BaseException:
            self._end()
            raise

    def answer(self, wanted: Callable[[str], T | None], deadline: float) -> T:
        """The first line in which `wanted` finds something, or what it finds; what else is printed is not for us."""
        for _ in range(MOST_NOISE):
            if (found := wanted(self.program.receive(deadline))) is not None:
                return found
        raise ProtocolBroken(
            f"{self.name} printed {MOST_NOISE:,} lines that are no answer; it does not speak the protocol"
        )

    def _end(self, patience: float = 0.0) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            process.close(patience)
            self._used += process.processor_time()
            self._most_memory, self._last_words = max(self._most_memory, process.most_memory), process.last_words


def memory_bytes(name: str, megabytes: float, timeout: float) -> int | None:
    """The limits that every such player has, checked; the memory in bytes, None for no limit."""
    if megabytes < 0:
        raise BadOption(f"{name}: memory must be at least 0, not {megabytes:g}; 0 is no limit")
    if timeout <= 0:
        raise BadOption(f"{name}: timeout must be a positive number of seconds, not {timeout:g}")
    return int(megabytes * 1e6) or None
