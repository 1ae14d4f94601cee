"""Has a student's program search, in a cage, and collects what it does."""

from __future__ import annotations

import json
import sys
import time as clock
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyground.course.find_the_bug.tasks import Positions, Task
from plyground.errors import BadOption, PlayerFailed, PlygroundError, ProgramEnded, ProgramTimeout, ProtocolBroken
from plyground.processes.program import Cage, Process
from plyground.protocols import course

__all__ = ["ALGORITHMS", "FORGED", "Failure", "Observed", "StudentProgram"]

WORKER = Path(__file__).with_name("student_worker.py")
MEMORY = 1_000_000_000
STARTING = 10.0
"""Seconds to load the file, besides those of a search."""
BUSY = 8.0
"""How many times as long a search may take by the clock, where others want the processor too."""
ALGORITHMS = ("alphabeta", "minimax", "uct")
SENT = 500
"""Positions of a tree that are sent before they are asked for."""
DEEPEST = 99
"""Plies for a search that shall see the whole tree."""
MOST_EVENTS = 500_000
"""More than a program tells that has not written over the line."""
FORGED = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What may be raised where something that a student's process has written is not what it should be."""


@dataclass(frozen=True)
class Failure:
    """Why a program has not come to an end: `kind` is crash, recursion, memory, time, ended, much or broken.

    `text` is what Python says; `line` is the line of the student's file, `source` what stands there.
    """

    kind: str
    text: str = ""
    line: int | None = None
    source: str = ""


@dataclass
class Observed:
    """What a program did: its events one after the other, and what its function returned, or why it did not."""

    positions: Positions
    events: list[list[Any]] = field(default_factory=list)
    value: float | None = None
    move: str | None = None
    text: str = ""
    c: float | None = None
    """The exploration constant, if the function takes one."""
    failure: Failure | None = None
    cut: bool = False
    """Whether the program was stopped while it still searched, because enough was seen."""
    left: int | None = None
    """Where the board that the program was given stands at the end, if it is not as it was; -1 if that is unknown."""
    remark: str = ""
    """What could not be compared: "rewards" or "again"."""


class StudentProgram:
    """A student's file in a process of its own, from the first task to `close`; a context manager.

    `timeout` is the longest that a search may take, in seconds of the processor.
    """

    def __init__(
        self, file: Path, *, function: str = "", algorithm: str = "", timeout: float = 10.0, cage: str = "plain"
    ) -> None:
        if not file.is_file():
            raise BadOption(f"there is no file {file}; name one with a search of yours, or an --example of --list")
        if sys.platform == "win32":
            raise BadOption("students' programs can be run on Linux and macOS only; on Windows use WSL 2")
        if not 0 < timeout <= 1e6:
            raise BadOption(f"--timeout must be a positive number of seconds, not {timeout:g}")
        self.name, self._file, self._timeout, self._cage = file.name, file.resolve(), timeout, cage
        self._wanted = {"function": function, "algorithm": algorithm, "seed": 0, "course": course.__file__}
        self._process: Process | None = None
        self._owed = self._asked_next = self._latest = 0.0
        self.function = self.algorithm = ""
        self.takes: tuple[str, ...] = ()
        """What the arguments of the function stand for."""
        self.failure: Failure | None = None
        """Why the file could not even be loaded."""

    def __enter__(self) -> StudentProgram:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            process, self._process = self._process, None
            process.close()

    def start(self) -> None:
        """Load the file; `failure` says why it cannot be."""
        # No bytecode is kept: a file that was edited within the same second would not be read again.
        command = [sys.executable, "-B", "-P", str(WORKER), str(self._file)]
        cage = Cage(self._cage, (self._file,))
        self._process = Process(command, memory=MEMORY, folder=self._file.parent, name=self.name, cage=cage)
        self._grant(STARTING + self._timeout)
        try:
            self._process.send(json.dumps(self._wanted), self._latest)
            answer = self._hear()
            if answer.get("ready"):
                self._introduce(answer)
            else:
                self.failure = _failure(answer)
        except PlayerFailed as error:
            self.failure = _ended(error)

    def _introduce(self, answer: Mapping[str, Any]) -> None:
        """Take in what the file has."""
        try:
            self.function, self.algorithm = str(answer["function"])[:80], str(answer["algorithm"])
            self.takes = tuple(map(str, answer["takes"]))
        except FORGED:
            raise self._broken() from None
        if self.algorithm not in ALGORITHMS:
            raise self._broken()

    def _broken(self) -> ProtocolBroken:
        return ProtocolBroken(f"{self.name} has written over the line to its referee")

    def observe(self, task: Task) -> Observed:
        """What the program does with a task."""
        if self._process is None:
            self.start()
        assert self._process is not None
        observed = Observed(Positions(task, passes="board" not in self.takes))
        if task.explicit:
            observed.positions.grow(SENT)
        positions = observed.positions
        known = [[positions.above[i], positions.by[i], positions.facts[i]] for i in range(1, len(positions.facts))]
        self._grant(self._timeout)
        question = {
            "players": list(task.game.seats), "root": positions.facts[0], "known": known, "seed": task.seed,
            "depth": DEEPEST if task.depth is None else task.depth, "simulations": task.simulations, "c": 1.0,
        }  # fmt: skip
        try:
            self._process.send(json.dumps(question), self._latest)
            while not self._take(self._hear(), observed):
                pass
        except PlayerFailed as error:
            observed.failure = _ended(error)
            self.close()
        except BaseException:
            self.close()
            raise
        return observed

    def _take(self, answer: dict[str, Any], observed: Observed) -> bool:
        """Take in one line; True if it was the last."""
        assert self._process is not None
        if "events" in answer:
            if not isinstance(answer["events"], list) or not all(
                isinstance(one, list) and one for one in answer["events"]
            ):
                raise self._broken()
            observed.events += answer["events"]
            if len(observed.events) > MOST_EVENTS:
                raise self._broken()
            return False
        if "ask" in answer:
            try:
                number, action = answer["ask"]
                positions = observed.positions
                facts = positions.facts[positions.after(int(number), int(action))]
            except BadOption:  # a search that is too large: the line says what to do
                raise
            except (*FORGED, PlygroundError):
                raise self._broken() from None
            self._process.send(json.dumps(facts), self._latest)
            return False
        if "done" in answer:
            try:
                done = answer["done"]
                observed.value = None if done["value"] is None else float(done["value"])
                observed.move = None if done["move"] is None else str(done["move"])[:200]
                observed.text = str(done["text"])[:200]
                observed.c = None if done["c"] is None else float(done["c"])
                observed.cut = bool(done.get("cut"))
                observed.left = None if done.get("left") is None else int(done["left"])
            except FORGED:
                raise self._broken() from None
        else:
            observed.failure = _failure(answer)
        return True

    def _grant(self, seconds: float) -> None:
        """Let the program have so many seconds of the processor from now on."""
        assert self._process is not None
        self._owed = self._process.processor_time() + seconds
        self._asked_next = clock.monotonic() + seconds
        self._latest = clock.monotonic() + BUSY * seconds

    def _receive(self) -> str:
        """The next line; `ProgramTimeout` if the program has had its seconds."""
        assert self._process is not None
        while True:
            try:
                return self._process.receive(self._asked_next)
            except ProgramTimeout:
                left, now = self._owed - self._process.processor_time(), clock.monotonic()
                if left <= 0 or now >= self._latest:
                    raise
                self._asked_next = min(now + max(left, 0.05), self._latest)

    def _hear(self) -> dict[str, Any]:
        try:
            answer = json.loads(self._receive())
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise self._broken()
        return answer


def _failure(answer: Mapping[str, Any]) -> Failure:
    line = answer.get("line")
    return Failure(
        str(answer.get("kind", "crash")),
        str(answer.get("error", ""))[:500],
        line if isinstance(line, int) else None,
        str(answer.get("source", ""))[:200],
    )


def _ended(error: PlayerFailed) -> Failure:
    if isinstance(error, ProgramTimeout):
        return Failure("time")
    return Failure("ended" if isinstance(error, ProgramEnded) else "broken", str(error)[:500])
