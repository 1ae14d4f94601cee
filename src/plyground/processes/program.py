"""Other programs as processes of their own: lines to them and from them, with deadlines, and a certain end.

A program runs in a session of its own, below a supervisor that kills it with all its descendants as soon as it is
closed here, ends, or this process dies, however that happens. It inherits no open files, and of the environment only
what programs need to run. Signals that it ignores do not help it.
"""

from __future__ import annotations

import contextlib
import errno
import math
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time as clock
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, cast

from plyground.errors import BadOption, ProgramEnded, ProgramTimeout, ProtocolBroken

__all__ = ["Process", "Supervised", "files_in", "read_command"]

KEPT = (
    "HOME",
    "LANG",
    "LANGUAGE",
    "LD_LIBRARY_PATH",
    "PATH",
    "PYTHONPATH",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
)
"""What a program may know of the environment, besides LC_... and PLYGROUND_CACHE_DIR: nothing secret is there."""
LONGEST_LINE = 1 << 20
CHUNK = 1 << 16
LAST_WORDS = 4096
"""How much of the standard error stream is kept, in bytes."""
SUPERVISOR = Path(__file__).with_name("supervisor.py")
MOST_READS = 64
"""Reads of the standard error stream at a time: a program may write there without end."""
GRACE = 5.0
"""Seconds to wait for the reason why a program's output has ended."""
KILLING = 10.0
"""Seconds after which even the supervisor is given up."""


def read_command(text: str, name: str) -> list[str]:
    """The words of a command line; `BadOption` if it is not one, or if there is no such program. `name` is for it."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadOption(f"{name}: '{text}' cannot be read as a command: {error}".lower()) from None
    if not words:
        raise BadOption(f"{name} is empty; write the program and its arguments, such as {name}=./program --quiet")
    find_program(words[0], name)
    return words


def files_in(command: Iterable[str]) -> Iterator[Path]:
    """The words of a command that are files, such as the script that an interpreter runs."""
    for word in command:
        with contextlib.suppress(OSError, ValueError):  # a word can be anything
            if word and Path(word).is_file():
                yield Path(word)


def find_program(program: str, name: str) -> None:
    """`BadOption` if there is no such program that can be run."""
    if sys.platform == "win32":
        raise BadOption(f"{name}: other programs can be run on Linux and macOS only")
    if shutil.which(program) is None:
        if Path(program).is_file():
            raise BadOption(f"{name}: '{program}' is not executable; chmod +x makes it so")
        raise BadOption(f"{name}: there is no program '{program}'; give its path, or put it on the PATH")


class Supervised:
    """A program below a supervisor, which ends it with all its descendants when `end` is called or this process dies.

    `memory` is the most memory of each of its processes, in bytes. `files` are open ones that it inherits.
    """

    def __init__(
        self, command: Sequence[str], *, memory: int | None = None, files: Sequence[int] = (), **options: Any
    ) -> None:
        lifeline, self._lifeline = os.pipe()
        self._report, report = os.pipe()
        try:
            self._supervisor = subprocess.Popen(
                [sys.executable, "-I", "-S", str(SUPERVISOR), *map(str, (lifeline, report, memory or 0)), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=(lifeline, report, *files),
                start_new_session=True,  # Ctrl-C is for this process alone
                **options,
            )
        except BaseException:
            os.close(self._lifeline)
            os.close(self._report)
            raise
        finally:
            os.close(lifeline)
            os.close(report)
        self.pid = self._supervisor.pid
        self.stdin, self.stdout, self.stderr = (
            cast("IO[bytes]", pipe)
            for pipe in (self._supervisor.stdin, self._supervisor.stdout, self._supervisor.stderr)
        )
        self._lock = threading.Lock()
        self._ending = False
        self._fate = ""

    def fate(self, patience: float) -> str:
        """How the program has ended, as the end of a sentence; empty if it has not done so after `patience` seconds."""
        if not self._fate and select.select([self._report], [], [], patience)[0]:
            word, _, rest = os.read(self._report, 4096).decode(errors="replace").partition("\n")[0].partition(" ")
            if word == "failed":
                self._fate = f"cannot be run: {rest}"
            elif word == "status":
                self._fate = (
                    f"ended by signal {_signal_name(-int(rest))}" if rest[0] == "-" else f"ended with status {rest}"
                )
        return self._fate

    def end(self) -> None:
        """From here on the supervisor kills, whatever happens to this process. May be called from any thread."""
        with self._lock:
            if not self._ending:
                self._ending = True
                os.close(self._lifeline)

    def close(self) -> None:
        """End it, wait until nothing of it is left, and close the pipes."""
        self.end()
        try:
            self._supervisor.wait(KILLING)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            self._supervisor.wait()
        finally:
            for pipe in (self.stdin, self.stdout, self.stderr):
                if pipe is not None:
                    with contextlib.suppress(OSError):  # what nobody has read is lost
                        pipe.close()
            os.close(self._report)


class Process:
    """A running program. Deadlines are moments of `time.monotonic`; None waits for ever.

    `memory` is the most memory of each of its processes, in bytes; `folder` is where it runs; `environment` adds
    variables. `name` stands for it in errors. What it writes to the standard error stream is not shown; its last line
    is part of the error when it ends too early.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        memory: int | None = None,
        folder: str | Path | None = None,
        environment: Mapping[str, str] | None = None,
        name: str = "",
    ) -> None:
        self.name = name or Path(command[0]).name
        find_program(command[0], self.name)
        if folder is not None and not Path(folder).is_dir():
            raise BadOption(f"{self.name}: there is no folder {folder}")
        self._program = Supervised(
            command,
            memory=memory,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=clean_environment() | dict(environment or {}),
            bufsize=0,
        )
        self._stdin, self._stdout, self._stderr = self._program.stdin, self._program.stdout, self._program.stderr
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        self._received, self._last_words = bytearray(), bytearray()
        self._ended = self._silent = False
        self.closed = False

    @property
    def pid(self) -> int:
        """The process id of the supervisor, whose descendants are the program's processes."""
        return self._program.pid

    def send(self, line: str, deadline: float | None = None) -> None:
        """Write one line. `ProgramEnded` if nobody can read it, `ProgramTimeout` if nobody does."""
        self._check_open()
        data = memoryview(line.encode() + b"\n")
        while data:
            try:
                data = data[os.write(self._stdin.fileno(), data) :]
            except BlockingIOError:
                self._wait(deadline, write=True)
            except BrokenPipeError:
                raise ProgramEnded(self._epitaph()) from None

    def receive(self, deadline: float | None = None) -> str:
        """The next line that the program prints, without its end; `ProgramEnded` if there will be none."""
        self._check_open()
        while (end := self._received.find(b"\n")) < 0:
            if len(self._received) > LONGEST_LINE:
                raise ProtocolBroken(f"{self.name} printed more than {LONGEST_LINE:,} characters without a line break")
            if self._ended:
                raise ProgramEnded(self._epitaph())
            self._wait(deadline)
        line = self._received[:end].decode(errors="replace")
        del self._received[: end + 1]
        return line.rstrip("\r")

    def close(self, patience: float = 0.0) -> None:
        """End the program and all its descendants; at its input's end it has `patience` seconds to do so itself."""
        if self.closed:
            return
        self.closed = True
        try:
            with contextlib.suppress(OSError):
                self._stdin.close()
            if patience > 0:
                self._program.fate(patience)
        finally:
            self._program.close()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_ended"):
            self.close()

    def _check_open(self) -> None:
        if self.closed:
            raise ProgramEnded(f"{self.name} has been closed")

    def _wait(self, deadline: float | None, *, write: bool = False) -> None:
        """Wait until there is something to read, or room to write; takes in what there is meanwhile."""
        left = math.inf if deadline is None else deadline - clock.monotonic()
        poll = select.poll()
        if not self._ended:
            poll.register(self._stdout, select.POLLIN)
        if not self._silent:
            poll.register(self._stderr, select.POLLIN)
        if write:
            poll.register(self._stdin, select.POLLOUT)
        ready = poll.poll(None if math.isinf(left) else max(0, math.ceil(left * 1000)))
        if not ready:
            raise ProgramTimeout(f"{self.name} did not answer in time")
        for number, _ in ready:
            if number == self._stdout.fileno() and len(self._received) <= LONGEST_LINE:
                self._ended = self._drain(number, self._received)
            elif number == self._stderr.fileno():
                self._listen()
        # A program that talks all the time on the other stream must not put off the deadline.
        if left <= 0 and all(number == self._stderr.fileno() for number, _ in ready):
            raise ProgramTimeout(f"{self.name} did not answer in time")

    def _listen(self) -> None:
        """Take in what stands on the standard error stream; the last of it is kept."""
        self._silent = self._drain(self._stderr.fileno(), self._last_words)
        del self._last_words[:-LAST_WORDS]

    def _drain(self, number: int, into: bytearray) -> bool:
        """Take in what can be read at once; True if that was the end."""
        try:
            data = os.read(number, CHUNK)
        except OSError as error:
            return error.errno != errno.EAGAIN
        into += data
        return not data

    def _epitaph(self) -> str:
        """Why the program cannot be talked to any more, in one line."""
        what = f"{self.name} {self._program.fate(GRACE) or 'closed its output'}"
        for _ in range(MOST_READS):
            if self._silent or not select.select([self._stderr], [], [], 0)[0]:
                break
            self._listen()
        lines = [line.strip() for line in self._last_words.decode(errors="replace").splitlines() if line.strip()]
        return f"{what}: {lines[-1][:200]}" if lines else what


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def clean_environment() -> dict[str, str]:
    """The environment that other programs get."""
    return {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("LC_")}
