"""Other programs as processes of their own: lines to them and from them, with deadlines, and a certain end.

A program runs in a session of its own, below a supervisor that kills it with all its descendants as soon as it is
closed here, ends, or this process dies, however that happens. It inherits no open files, and of the environment only
what programs need to run. Signals that it ignores do not help it. In a `Cage` it is behind a wall besides, see
`plyground.processes.cage`.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import marshal
import math
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time as clock
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, cast

from plyground.errors import BadOption, ProgramEnded, ProgramKilled, ProgramTimeout, ProtocolBroken
from plyground.processes.cage import FOREIGN_SIGNALS, MODES, PARTS, SYSTEM, Groups
from plyground.processes.supervisor import GO, STOP, TIME

__all__ = ["Cage", "Process", "Supervised", "files_in", "is_everybodys", "missing_parts", "read_cage", "read_command"]

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
"""What a program may know of the environment, besides LC_...: nothing secret is there."""
LONGEST_LINE = 1 << 20
CHUNK = 1 << 16
LAST_WORDS = 4096
"""How much of the standard error stream is kept, in bytes."""
SUPERVISOR = Path(__file__).with_name("supervisor.py")
MOST_READS = 64
"""Reads of the standard error stream at a time: a program may write there without end."""
GRACE = 5.0
"""Seconds to wait for the reason why a program's output has ended."""
MEASURING = 1.0
"""Seconds to wait for the processor time of a program that is closed."""
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
        raise BadOption(f"{name}: other programs can be run on Linux and macOS only; on Windows use WSL 2")
    if shutil.which(program) is None:
        if Path(program).is_file():
            raise BadOption(f"{name}: '{program}' is not executable; chmod +x makes it so")
        raise BadOption(f"{name}: there is no program '{program}'; give its path, or put it on the PATH")


# The wall ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cage:
    """The wall around a program: `mode` is one of `MODES`, `own` are the files that it is made of.

    `kept` is a folder of ours in which its machine code is kept from one start to the next; None to forget it.
    """

    mode: str = "plain"
    own: tuple[Path, ...] = ()
    kept: Path | None = None


def read_cage(mode: str, name: str = "--cage") -> str:
    """The mode, checked; with ``strict`` `BadOption` too if this machine cannot give all of it."""
    if mode not in MODES:
        raise BadOption(f"{name} must be one of {', '.join(MODES)}, not '{mode}'")
    if mode == "strict" and (missing := missing_parts()):
        raise BadOption(f"{name} strict: this machine cannot give {'; '.join(missing)}; use {name} plain")
    return mode


@functools.cache
def missing_parts() -> tuple[str, ...]:
    """What this machine cannot give of the wall, in words: found out by putting one up around nothing."""
    if sys.platform == "win32":
        return tuple(PARTS.values())
    trial = Supervised([], memory=1 << 30, cage=Cage(), stderr=subprocess.DEVNULL, env=clean_environment())
    try:
        trial.fate(KILLING)
        return tuple(PARTS[part] for part in PARTS if part in trial.lacking)
    finally:
        trial.close()


@functools.cache
def _visible() -> list[str]:
    """The folders of Python and of this package, which every program may read; those of the system come on top."""
    package = Path(__file__).resolve().parent.parent
    roots = [sys.prefix, sys.base_prefix, sys.exec_prefix, *filter(_holds_packages, sys.path), str(package)]
    system = [f"/{name}/" for name in SYSTEM]
    found: list[str] = []
    for folder in sorted({str(form) for root in roots for form in (Path(root), Path(root).resolve())}, key=len):
        if not any(f"{folder}/".startswith(known) for known in (*system, *(f"{one}/" for one in found))):
            found.append(folder)
    return found


def _holds_packages(folder: str) -> bool:
    return Path(folder).name in ("site-packages", "dist-packages")


def _installation_of(program: str) -> list[str]:
    """The folders that a program needs which is installed for one user: another Python, Node, what stands for them."""
    found = shutil.which(program)
    if found is None:
        return []
    places = [Path(found).absolute(), Path(found).resolve()]
    folders = [place.parent.parent for place in places if place.parent.name in ("bin", "shims")]
    return [str(folder) for folder in folders if not _is_system(folder) and _is_installation(folder)]


def _is_installation(folder: Path) -> bool:
    marks = ("pyvenv.cfg", "lib/python3*/os.py", "lib/node_modules", "shims")
    return folder != folder.parent and any(any(folder.glob(mark)) for mark in marks)


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(f"/{name}") for name in SYSTEM)


OPEN = Cage("off")


def _written_out(command: Sequence[str]) -> tuple[list[str], list[Path]]:
    """A command in which files have their whole paths, and those that are not programs of the system."""
    words, own = list(command), list[Path]()
    if (program := shutil.which(words[0])) is not None:
        words[0] = program
    for number, word in enumerate(words):
        for file in files_in([word]) if os.sep in word or "." in word else ():
            words[number] = str(file.absolute())
            own.append(file.absolute())
    special = _installation_of(words[0])
    return words, [
        file for file in own if not is_everybodys(file) and not any(file.is_relative_to(root) for root in special)
    ]


def is_everybodys(file: Path) -> bool:
    """Whether a file belongs to the system, to Python or to this package, which all programs may read."""
    return _is_system(file) or any(file.is_relative_to(root) for root in _visible())


class Supervised:
    """A program below a supervisor, which ends it with all its descendants when `end` is called or this process dies.

    `memory` is the most memory of each of its processes, in bytes; in a cage of all together. `files` are open ones
    that it inherits; `cores` the processors on which it runs. Without a `cage`, not even one that is off, it may do
    whatever this process may.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        memory: int | None = None,
        files: Sequence[int] = (),
        cage: Cage | None = None,
        cores: Iterable[int] = (),
        **options: Any,
    ) -> None:
        pipes = [os.pipe() for _ in range(3)]
        (lifeline, self._lifeline), (orders, self._orders), (self._report, report) = pipes
        self._strict = cage is not None and cage.mode == "strict"
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._groups: Groups | None = None
        try:
            folder = options.get("cwd")
            if cage is not None and cage.mode != "off":
                self._scratch = tempfile.TemporaryDirectory(prefix="plyground-", ignore_cleanup_errors=True)
                options["cwd"] = "/"
            wanted = {
                "memory": memory or 0,
                "cores": list(cores),
                "cage": cage.mode if cage else "",
                "folder": str(folder or ""),
                "own": [str(path) for path in cage.own] if cage else [],
                "visible": [*_visible(), *_installation_of(command[0])] if self._scratch and command else [],
                "scratch": self._scratch.name if self._scratch else "",
                "kept": str(cage.kept or "") if cage else "",
            }
            self._supervisor = subprocess.Popen(
                [sys.executable, "-I", "-S", str(SUPERVISOR), *map(str, (lifeline, orders, report)), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=(lifeline, orders, report, *files),
                start_new_session=True,  # Ctrl-C is for this process alone
                **options,
            )
            if self._scratch is not None:
                self._groups = Groups(self._supervisor.pid, memory or 0)
                wanted["limited"] = self._groups.limited
            data = marshal.dumps(wanted)
            os.write(self._lifeline, len(data).to_bytes(4, "little") + data)
        except BaseException:
            for pipe in (self._lifeline, self._orders, self._report):
                os.close(pipe)
            if self._scratch is not None:
                self._scratch.cleanup()
            raise
        finally:
            for pipe in (lifeline, orders, report):
                os.close(pipe)
        self.pid = self._supervisor.pid
        self.stdin, self.stdout, self.stderr = (
            cast("IO[bytes]", pipe)
            for pipe in (self._supervisor.stdin, self._supervisor.stdout, self._supervisor.stderr)
        )
        self._lock = threading.Lock()
        self._ending = False
        self._said = b""
        self._over = False
        self._fate = ""
        self.lacking: tuple[str, ...] = ()
        """The parts of the wall that it is without, see `PARTS`."""
        self.killed = False
        """Whether something else than itself, or this process, has ended it."""
        self.used = 0.0
        """Seconds of processor time, as it was last told."""
        self.memory = 0
        """The most bytes of memory that it has had, as it was last told."""

    def fate(self, patience: float) -> str:
        """How the program has ended, as the end of a sentence; empty if it has not done so after `patience` seconds."""
        end = clock.monotonic() + patience
        while not self._fate and self._listen(end):
            pass
        return self._fate

    def _listen(self, end: float) -> bool:
        """Take in the next line of the report; False if there is none until that moment."""
        while b"\n" not in self._said:
            left = end - clock.monotonic()
            if self._over or not select.select([self._report], [], [], max(0.0, left))[0]:
                return False
            data = os.read(self._report, 4096)
            if not data:
                self._over = True
                self._lost()
                return False
            self._said += data
        line, _, self._said = self._said.partition(b"\n")
        word, _, rest = line.decode(errors="replace").partition(" ")
        if word == "used":
            seconds, _, memory = rest.partition(" ")
            self.used, self.memory = float(seconds), max(self.memory, int(memory))
        elif word == "lacks":
            self.lacking = tuple(rest.split())
        elif word == "failed":
            missing = "; ".join(PARTS[part] for part in self.lacking if part in PARTS)
            self._fate = f"cannot be run: {f'the cage lacks {missing}' if self._strict and missing else rest}"
        elif word == "status" and not self._fate:
            number, _, why = rest.partition(" ")
            self._end_by(int(number), why)
        return True

    def _end_by(self, status: int, why: str) -> None:
        if status >= 0:
            self._fate = f"ended with status {status}"
            return
        self.killed = -status in FOREIGN_SIGNALS and not why
        self._fate = f"ended by signal {_signal_name(-status)}{', for it has used up the memory' if why else ''}"

    def _lost(self) -> None:
        """The report has ended without a word: somebody has killed the supervisor, and the program with it."""
        if not self._fate and not self._ending:
            self.killed = True
            self._fate = "was killed together with its supervisor"

    def order(self, letter: bytes) -> None:
        """Stop it, let it go on, or ask for `used`; nothing if it has ended."""
        if not self._ending:
            with contextlib.suppress(OSError):
                os.write(self._orders, letter)

    def measure(self, patience: float) -> float:
        """Seconds of processor time that it and all that it has started have used so far."""
        if not (self._fate or self._ending):
            self.used, before = -1.0, self.used
            self.order(TIME)
            end = clock.monotonic() + patience
            while self.used < 0 and self._listen(end):
                pass
            self.used = max(self.used, before)
        return self.used

    def end(self) -> None:
        """From here on the supervisor kills, whatever happens to this process. May be called from any thread."""
        with self._lock:
            if not self._ending:
                self._ending = True
                os.close(self._orders)
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
            if self._groups is not None:
                self._groups.remove()
            if self._scratch is not None:
                self._scratch.cleanup()


class Process:
    """A running program. Deadlines are moments of `time.monotonic`; None waits for ever.

    `memory` is the most memory of each of its processes, in bytes; `folder` is where it runs; `environment` adds
    variables. `name` stands for it in errors. What it writes to the standard error stream goes to `on_output` line by
    line, if that is given; the end of it is in `last_words`, and its last line is part of the error when it ends too
    early. With a `cage` it sees its own files only, runs in the folder of the
    first of them if there is no `folder`, and rests from `rest` to the next line that is sent or awaited.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        memory: int | None = None,
        folder: str | Path | None = None,
        environment: Mapping[str, str] | None = None,
        name: str = "",
        cage: Cage = OPEN,
        on_output: Callable[[str], None] | None = None,
    ) -> None:
        self.name = name or Path(command[0]).name
        find_program(command[0], self.name)
        if folder is not None and not Path(folder).is_dir():
            raise BadOption(f"{self.name}: there is no folder {folder}")
        if cage.mode != "off":
            command, own = _written_out(command)
            cage = replace(cage, own=(*cage.own, *own))
            folder = folder or next((file.parent for file in cage.own), None)
        self._program = Supervised(
            command,
            memory=memory,
            cage=cage,
            stderr=subprocess.PIPE,
            cwd=folder and str(folder),
            env=clean_environment() | dict(environment or {}),
            bufsize=0,
        )
        self._stdin, self._stdout, self._stderr = self._program.stdin, self._program.stdout, self._program.stderr
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        self._received, self._last_words = bytearray(), bytearray()
        self._on_output, self._untold = on_output, bytearray()
        self._ended = self._silent = self._resting = False
        self._stops = cage.mode != "off"
        self.closed = False

    @property
    def pid(self) -> int:
        """The process id of the supervisor, whose descendants are the program's processes."""
        return self._program.pid

    def send(self, line: str, deadline: float | None = None) -> None:
        """Write one line. `ProgramEnded` if nobody can read it, `ProgramTimeout` if nobody does."""
        self._check_open()
        self._wake()
        data = memoryview(line.encode() + b"\n")
        while data:
            try:
                data = data[os.write(self._stdin.fileno(), data) :]
            except BlockingIOError:
                self._wait(deadline, write=True)
            except BrokenPipeError:
                raise self._end_of_it() from None

    def rest(self) -> None:
        """In a cage, stop all that it runs until it is talked to again: while others think, it must not."""
        if self._stops and not self._resting and not self.closed:
            self._resting = True
            self._program.order(STOP)

    def _wake(self) -> None:
        if self._resting:
            self._resting = False
            self._program.order(GO)

    def processor_time(self) -> float:
        """Seconds of processor time that it and all that it has started have used so far."""
        return self._program.used if self.closed else self._program.measure(GRACE)

    @property
    def most_memory(self) -> int:
        """The most bytes of memory that it has had, as it was when its processor time was last asked for."""
        return self._program.memory

    @property
    def last_words(self) -> str:
        """The end of what it has written to the standard error stream so far, in whole lines; up to 4 KB."""
        text = self._last_words.decode(errors="replace")
        return text.partition("\n")[2] if len(self._last_words) == LAST_WORDS and "\n" in text else text

    def hear_out(self) -> None:
        """Take in what it has written to the standard error stream up to now."""
        for _ in range(MOST_READS):
            if self.closed or self._silent or not select.select([self._stderr], [], [], 0)[0]:
                break
            self._listen()

    def receive(self, deadline: float | None = None) -> str:
        """The next line that the program prints, without its end; `ProgramEnded` if there will be none."""
        self._check_open()
        self._wake()
        while (end := self._received.find(b"\n")) < 0:
            if len(self._received) > LONGEST_LINE:
                raise ProtocolBroken(f"{self.name} printed more than {LONGEST_LINE:,} characters without a line break")
            if self._ended:
                raise self._end_of_it()
            self._wait(deadline)
        line = self._received[:end].decode(errors="replace")
        del self._received[: end + 1]
        return line.rstrip("\r")

    def kill(self) -> None:
        """End the program from any thread: whoever waits for its answer learns of it, and still has to close it."""
        self._program.end()

    def close(self, patience: float = 0.0) -> None:
        """End the program and all its descendants; at its input's end it has `patience` seconds to do so itself."""
        if self.closed:
            return
        self._program.measure(MEASURING)
        self.hear_out()
        self._tell(everything=True)
        self.closed = True
        try:
            self._wake()
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
        before = len(self._last_words)
        self._silent = self._drain(self._stderr.fileno(), self._last_words)
        if self._on_output is not None:
            self._untold += self._last_words[before:]
            self._tell()
        del self._last_words[:-LAST_WORDS]

    def _tell(self, *, everything: bool = False) -> None:
        """Hand on the lines that are whole, or too long to wait for their end; with `everything` the rest too."""
        if self._on_output is None:
            return
        *lines, rest = self._untold.split(b"\n")
        if rest and (everything or len(rest) > CHUNK):
            lines, rest = [*lines, rest], bytearray()
        self._untold = bytearray(rest)
        for line in lines:
            self._on_output(line.decode(errors="replace").rstrip("\r"))

    def _drain(self, number: int, into: bytearray) -> bool:
        """Take in what can be read at once; True if that was the end."""
        try:
            data = os.read(number, CHUNK)
        except OSError as error:
            return error.errno != errno.EAGAIN
        into += data
        return not data

    def _end_of_it(self) -> ProgramEnded:
        what = self._epitaph()
        return ProgramKilled(what) if self._program.killed else ProgramEnded(what)

    def _epitaph(self) -> str:
        """Why the program cannot be talked to any more, in one line."""
        what = f"{self.name} {self._program.fate(GRACE) or 'closed its output'}"
        self.hear_out()
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
