"""Runs one program, behind a wall if one is wanted, and ends it together with everything that it has started.

    python supervisor.py LIFELINE ORDERS REPORT COMMAND...

These are the numbers of three open pipes. The first brings what `Supervised` wants, see there, and then nothing: when
its other end is closed, by whoever started this or by the death of that process, the program and all its descendants
are killed; so they are when the program ends by itself. The second brings orders, a letter each: stop all that the
program has running, let it go on, say how much processor time and memory it has used. The third takes lines: ``lacks
PART...`` once, the parts of the wall that could not be had; ``failed WHY`` if the program could not be started; ``used
SECONDS BYTES`` as the answer; ``status N`` with its exit status, negative for the signal that ended it, and a word more
if the system had run out of memory.

With namespaces there are two processes above the program: this one, and the first of the program's own world, which
does what its orders are. Without, this one does all.

A file by itself that needs the standard library alone, because it is run by a bare interpreter, in milliseconds.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import marshal
import os
import select
import signal
import sys
import time
from collections.abc import Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:  # to import it would take a tenth of the time
    from typing import Any

with contextlib.suppress(ImportError):  # on Windows, where no program is run
    import resource

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
FIRST_TO_GO = "1000"
"""The score of what the system ends first if no memory is left: the program, not the arena."""
STOP, GO, TIME = b"s", b"g", b"t"
SOON = 0.001
"""Seconds after which a program is stopped that has not been woken meanwhile: who is asked again at once is not."""
PASSES = 20
"""How often it is looked for processes that have been started while the others were stopped."""
FAREWELL = 2.0
"""Seconds for the first process of the program's world to tidy up."""
LINUX = sys.platform.startswith("linux")


def main(lifeline: int, orders: int, report: int, command: list[str]) -> None:
    """Run the command until it ends or the lifeline is cut."""
    for pipe in (lifeline, orders, report):
        os.set_inheritable(pipe, False)
    wanted = _read_wanted(lifeline)
    if wanted["cores"]:
        os.sched_setaffinity(0, wanted["cores"])
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    cage = importlib.import_module("cage")
    wall = None
    if wanted["cage"] in ("plain", "strict"):
        wall = cage.Wall(*(wanted[name] for name in ("own", "visible", "scratch", "kept", "limited")))
        wall.number = os.getpid()
        wall.separate()
    elif wanted["cage"] == "off":
        wall = cage.Fence()
    watched = Watched(wanted, command, orders, report, wall)
    if wall is None or not wall.has_processes:
        _control(PR_SET_CHILD_SUBREAPER, 1)  # orphans come to this process, wherever they have hidden
        watched.run(lifeline)
    else:
        first = os.fork()
        if first == 0:
            os.close(lifeline)
            _control(PR_SET_PDEATHSIG, signal.SIGKILL)
            watched.run(None)
            os._exit(0)
        os.close(orders)
        _give_up_streams()
        with _woken_by_children() as wake:
            while lifeline not in select.select([lifeline, wake], [], [])[0]:
                os.read(wake, 4096)
                if _reaped(first) is not None:
                    break
            else:
                _await(first, FAREWELL)


def _read_wanted(lifeline: int) -> dict[str, Any]:
    data = b""
    while len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "little"):
        data += os.read(lifeline, 1 << 16) or sys.exit(0)
    return marshal.loads(data[4:])  # type: ignore[no-any-return]


def _await(first: int, patience: float) -> None:
    """Wait for the first process of the program's world, with which all of it ends, and end it if it does not."""
    end = time.monotonic() + patience
    while not os.waitpid(first, os.WNOHANG)[0]:
        if time.monotonic() > end:
            os.kill(first, signal.SIGKILL)
            os.waitpid(first, 0)
            return
        time.sleep(0.0005)


@contextlib.contextmanager
def _woken_by_children() -> Iterator[int]:
    """A pipe that can be read when a child has ended."""
    wake, wake_end = os.pipe()
    os.set_blocking(wake_end, False)
    signal.set_wakeup_fd(wake_end)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    os.kill(os.getpid(), signal.SIGCHLD)  # one may have ended before
    yield wake


def _give_up_streams() -> None:
    """Else the program's pipes would stay open when it has gone."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)


class Watched:
    """The program, watched by its parent."""

    def __init__(self, wanted: dict[str, Any], command: list[str], orders: int, report: int, wall: Any) -> None:
        self._wanted, self._command, self._orders, self._report, self._wall = wanted, command, orders, report, wall
        self._stopped: set[int] = set()
        self._stop_at: float | None = None
        self._is_first = False
        self._program = 0

    def run(self, lifeline: int | None) -> None:
        """Start it and do what the orders are, until it ends or nobody wants it any more."""
        self._is_first = lifeline is None
        killed = _killed_for_memory()
        if self._wall is not None:
            self._wall.build()
        program = self._program = os.fork()
        if program == 0:
            self._become()
        _give_up_streams()
        listened = {self._orders} | ({lifeline} if lifeline is not None else set())
        with _woken_by_children() as wake:
            while True:
                left = None if self._stop_at is None else max(0.0, self._stop_at - time.monotonic())
                ready, _, _ = select.select([*listened, wake], [], [], left)
                if lifeline in ready:
                    break
                if self._orders in ready:
                    if not (orders := os.read(self._orders, 64)):
                        listened.discard(self._orders)
                        if self._is_first:
                            break
                    self._obey(orders)
                if wake in ready:
                    os.read(wake, 4096)
                    if (status := _reaped(program)) is not None:
                        why = " memory" if status == -signal.SIGKILL and _killed_for_memory() > killed else ""
                        self._say(f"used {self._used()}\nstatus {status}{why}")
                        break
                if self._stop_at is not None and time.monotonic() >= self._stop_at:
                    self._stop_at = None
                    self._stop()
        self._end_all()
        if self._wall is not None and self._is_first:
            self._wall.keep()

    def _say(self, text: str) -> None:
        with contextlib.suppress(OSError):
            os.write(self._report, f"{text}\n".encode())

    def _obey(self, orders: bytes) -> None:
        for number in orders:
            order = bytes([number])
            if order == TIME:
                self._say(f"used {self._used()}")
            elif order == STOP:
                self._stop_at = time.monotonic() + SOON
            elif self._stop_at is not None:
                self._stop_at = None
            else:
                self._go_on()

    def _stop(self) -> None:
        """Stop the program and all that it has started."""
        if self._is_first:
            self._signal({-1}, signal.SIGSTOP)  # all but this one, at one moment
            return
        self._signal({-self._program}, signal.SIGSTOP)
        for _ in range(PASSES):
            found = _descendants() - self._stopped
            if not found:
                return
            self._signal(found, signal.SIGSTOP)
            self._stopped |= found

    def _go_on(self) -> None:
        self._signal({-1} if self._is_first else {-self._program, *self._stopped}, signal.SIGCONT)
        self._stopped = set()

    def _signal(self, processes: set[int], number: int) -> None:
        for process in processes:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, number)

    def _used(self) -> str:
        """Seconds of processor time of all that the program has run, and of what has ended already; and the most bytes
        of memory that it had at a time: of those that run together, or of one that has ended.
        """
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        running = _running()
        ticks = sum(sum(map(int, facts[11:15])) for facts in running.values())
        seconds = ended.ru_utime + ended.ru_stime + ticks / os.sysconf("SC_CLK_TCK")
        memory = max(sum(map(_most_memory, running)), ended.ru_maxrss * (1024 if LINUX else 1))
        return f"{seconds:.6f} {memory}"

    def _become(self) -> None:
        """Turn this process into the program, in a session of its own; does not return."""
        try:
            os.setsid()
            _control(PR_SET_PDEATHSIG, signal.SIGKILL)
            for number in (signal.SIGCHLD, signal.SIGPIPE):
                signal.signal(number, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if memory := self._wanted["memory"]:
                # What is only reserved, as Java does for its heap, does not count where the system can tell.
                resource.setrlimit(resource.RLIMIT_DATA if LINUX else resource.RLIMIT_AS, (memory, memory))
            _control(PR_SET_DUMPABLE, 1)  # else only root may write the next
            with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
                score.write(FIRST_TO_GO)
            if self._wall is not None:
                self._wall.close()
                if lacking := dict.fromkeys(self._wall.lacking):
                    self._say(f"lacks {' '.join(lacking)}")
                    if self._wanted["cage"] == "strict":
                        raise OSError("the cage is not complete")
            if folder := self._wanted["folder"]:
                os.chdir(folder)
            if not self._command:
                os._exit(0)
            os.execvp(self._command[0], self._command)
        except BaseException as error:
            self._say(f"failed {getattr(error, 'strerror', None) or error}")
        finally:
            os._exit(127)

    def _end_all(self) -> None:
        """Kill until nobody is left. Those who fork meanwhile come to this process as orphans, and are killed next."""
        while True:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(-1 if self._is_first else -self._program, signal.SIGKILL)
            if not self._is_first:
                self._signal(_descendants(), signal.SIGKILL)
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                return
            time.sleep(0.0005)


def _killed_for_memory() -> int:
    """How many processes the system has ended so far because no memory was left."""
    with contextlib.suppress(OSError), open("/proc/vmstat") as facts:
        for line in facts:
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0


def _reaped(program: int) -> int | None:
    """Collect everybody who has ended; the exit status of the program if it is among them."""
    found = None
    with contextlib.suppress(ChildProcessError):
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                break
            if process == program:
                found = os.waitstatus_to_exitcode(status)
    return found


def _running() -> dict[int, list[str]]:
    """What the system says of each process below this one, from its state on; nothing where it does not tell.

    Quick, but while processes end, one that runs may be left out: enough to measure, not to end them all.
    """
    found: dict[int, list[str]] = {}
    with contextlib.suppress(OSError):
        above = [int(os.readlink("/proc/self"))]  # its number as it is listed there
        while above:
            folder = f"/proc/{above.pop()}/task"
            with contextlib.suppress(OSError):
                for task in os.listdir(folder):
                    children = [int(child) for child in _text(f"{folder}/{task}/children").split()]
                    above += children
                    found |= {child: _facts(child) for child in children}
    return found


def _descendants() -> set[int]:
    """All processes below this one, found among all that there are."""
    with contextlib.suppress(OSError):
        own = int(os.readlink("/proc/self"))
        parents = {}
        for name in os.listdir("/proc"):
            if name.isdigit():
                with contextlib.suppress(OSError):
                    parents[int(name)] = int(_facts(int(name))[1])
        below = {own}
        while found := {one for one, parent in parents.items() if parent in below} - below:
            below |= found
        return below - {own}
    return set()


def _most_memory(process: int) -> int:
    """The most bytes that a process has had in memory; 0 if it has just ended."""
    with contextlib.suppress(OSError):
        for line in _text(f"/proc/{process}/status").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def _facts(process: int) -> list[str]:
    return _text(f"/proc/{process}/stat").rpartition(")")[2].split()


def _text(path: str) -> str:
    with open(path, errors="replace") as file:
        return file.read()


def _control(option: int, value: int) -> None:
    if LINUX:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
