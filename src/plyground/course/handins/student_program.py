"""A class or a function of a student's file, which is run in a cage and asked from here, see `student_worker`."""

from __future__ import annotations

import json
import math
import sys
import time as clock
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from plyground.errors import BadOption, PlayerFailed, ProtocolBroken
from plyground.processes.program import Cage, Process

__all__ = ["StudentProgram", "named_in_file"]

WORKER = Path(__file__).with_name("student_worker.py")
STARTING, LEAST_STARTING = 2.0, 10.0
"""To get ready there is this many times the time of an answer, and at least this many seconds."""
LONGEST_NOTE = 500


def named_in_file(text: str, option: str, example: str) -> tuple[Path, str]:
    """The file and the name of ``file.py:name``; `BadOption` if it is not so, or if there is no such file."""
    file, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier() or not file:
        raise BadOption(f"{option} is a file and a name in it, such as {example}, not '{text[:80]}'")
    if not Path(file).is_file():
        raise BadOption(f"{option}: there is no file {file}; write {example}")
    if sys.platform == "win32":
        raise BadOption(f"{option}: files of students can be run on Linux and macOS only; on Windows use WSL 2")
    return Path(file).resolve(), name


class StudentProgram:
    """`name` of a file, in a process that is started by the first question and ended by `close` or a fault.

    `given` is the folder of files that come with the assignment, `timeout` the seconds for an answer, `memory` the most
    bytes. Whatever goes wrong there is a `PlayerFailed` here, of one line, and `last_words` has what was printed.
    """

    def __init__(
        self,
        file: Path,
        name: str,
        *,
        given: Path,
        timeout: float = 60.0,
        memory: int | None = None,
        seed: int | None = None,
        cage: str = "plain",
        on_output: Callable[[str], None] | None = None,
    ) -> None:
        self._file, self._name, self._given = file, name, given
        self._timeout, self._memory, self._seed, self._cage = timeout, memory, seed, cage
        self._on_output = on_output
        self._process: Process | None = None
        self.nodes: int | None = None
        """How many nodes the program says that its last answer has taken."""
        self.seconds = 0.0
        """How long the last answer has taken."""
        self.longest = 0.0
        """How long the longest answer has taken."""
        self.last_words = ""
        """The end of what the program has printed, once it has ended."""
        self.processor_time = 0.0
        """Seconds of processor time, once it has ended; of all times that it was started."""
        self.most_memory = 0
        """The most bytes of memory, once it has ended."""

    def __enter__(self) -> StudentProgram:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start it, if it is not running; `PlayerFailed` if it cannot be."""
        if self._process is not None:
            return
        command = [sys.executable, "-B", "-P", str(WORKER), str(self._file), self._name]
        self._process = Process(
            command,
            memory=self._memory,
            folder=self._file.parent,
            environment={"PYTHONHASHSEED": "0"},
            name=self._file.name,
            cage=Cage(self._cage),
            on_output=self._on_output,
        )
        first = {"seed": self._seed, "given": str(self._given)}
        self._ask(first, max(STARTING * self._timeout, LEAST_STARTING))

    def make(self, *arguments: Any) -> None:
        """Make an object of the class, which is kept in the place of the one before it."""
        self._question({"make": arguments})

    def act(self, percept: Sequence[bool]) -> Any:
        """What the object does after this percept."""
        return self._question({"percept": list(percept)})

    def call(self, *arguments: Any, seconds: float = math.inf) -> Any:
        """What the function answers, within the timeout, or `seconds` if those are fewer."""
        return self._question({"call": arguments}, seconds)

    def close(self) -> None:
        """End it."""
        if self._process is not None:
            process, self._process = self._process, None
            process.close()
            self.last_words = process.last_words
            self.processor_time += process.processor_time()
            self.most_memory = max(self.most_memory, process.most_memory)

    def _question(self, question: dict[str, Any], seconds: float = math.inf) -> Any:
        self.start()
        start = clock.monotonic()
        try:
            answer = self._ask(question, min(self._timeout, seconds))
        finally:
            self.seconds = clock.monotonic() - start
            self.longest = max(self.longest, self.seconds)
        nodes = answer.get("nodes")
        known = isinstance(nodes, int) and not isinstance(nodes, bool) and 0 < nodes < 2**62
        self.nodes = nodes if known else None
        return answer.get("answer")

    def _ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        process = self._process
        assert process is not None
        deadline = clock.monotonic() + seconds
        try:
            process.send(json.dumps(question), deadline)
            try:
                answer = json.loads(process.receive(deadline))
            except (ValueError, RecursionError):
                answer = None
            if not isinstance(answer, dict):
                raise ProtocolBroken(f"{self._file.name} has written over the line to its referee")
            if error := answer.get("error"):
                raise PlayerFailed(f"{self._file.name}: {str(error)[:LONGEST_NOTE]}")
        except BaseException:
            self.close()
            raise
        return answer
