"""Runs one program, and ends it together with everything that it has started.

    python supervisor.py LIFELINE REPORT MEMORY COMMAND...

LIFELINE and REPORT are the numbers of two open pipes. When the other end of the first is closed, by whoever started
this or by the death of that process, the program and all its descendants are killed; so they are when the program ends
by itself. The second receives how that went: ``failed WHY`` if the program could not be started, ``status N`` with its
exit status, negative for the signal that ended it. MEMORY is the most memory of a process in bytes, 0 for no limit; if
all together take more than the machine has, it is the program that the system ends first.

Where the system can do it (Landlock, Linux 5.13), the program cannot look into the memory, the environment or the open
files of any process but its own, and from Linux 6.12 on not send them signals either, not even as root.

A file by itself that needs the standard library alone, because it is run by a bare interpreter, in milliseconds.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
FIRST_DROPPED, MOST_CAPABILITIES = 5, 64
"""Of root's capabilities those over files, the first five, are kept: the others could see through Landlock."""
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Landlock's system calls, the same on all machines."""
ASK_VERSION = PATH_BENEATH = 1
SCOPE_SIGNAL = 1 << 1
MAKE_BLOCK_DEVICES, MOVE_BETWEEN_FOLDERS = 1 << 11, 1 << 13
FIRST_TO_GO = "1000"
"""The score of what the system ends first if no memory is left: the program, not the arena."""
LINUX = sys.platform.startswith("linux")


def main(arguments: list[str]) -> None:
    """Run the command until it ends or the lifeline is cut."""
    lifeline, report, memory = map(int, arguments[:3])
    for pipe in (lifeline, report):
        os.set_inheritable(pipe, False)
    _control(PR_SET_CHILD_SUBREAPER, 1)  # orphans come to this process, wherever they have hidden
    wake, wake_end = os.pipe()
    os.set_blocking(wake_end, False)
    signal.set_wakeup_fd(wake_end)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    program = os.fork()
    if program == 0:
        _become(arguments[3:], memory, report)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # else the program's pipes would stay open when it has gone
        os.dup2(nowhere, stream)
    while True:
        ready, _, _ = select.select([lifeline, wake], [], [])
        if lifeline in ready:
            break
        os.read(wake, 4096)
        if (status := _reaped(program)) is not None:
            with contextlib.suppress(OSError):
                os.write(report, f"status {status}\n".encode())
            break
    _end_all(program)


def _become(command: list[str], memory: int, report: int) -> None:
    """Turn this process into the program, in a session of its own; does not return."""
    try:
        os.setsid()
        _control(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            # What is only reserved, as Java does for its heap, does not count where the system can tell.
            resource.setrlimit(resource.RLIMIT_DATA if LINUX else resource.RLIMIT_AS, (memory, memory))
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text(FIRST_TO_GO)
        _keep_apart()
        os.execvp(command[0], command)
    except BaseException as error:
        os.write(report, f"failed {getattr(error, 'strerror', None) or error}\n".encode())
    finally:
        os._exit(127)


def landlock_version() -> int:
    """What the system has of it; 0 or less if nothing."""
    return int(ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, ASK_VERSION)) if LINUX else 0


def _keep_apart() -> None:
    """From here on no look into other processes than this one and those that it starts; kept by whatever it becomes.

    Landlock lets nobody trace a process that is not in its own domain, or in one below; that is the reason to be in
    one. What else it may forbid is left free as far as it can be.
    """
    for capability in range(FIRST_DROPPED, MOST_CAPABILITIES):
        _control(PR_CAPBSET_DROP, capability)
    _control(PR_SET_NO_NEW_PRIVS, 1)
    version = landlock_version()
    if version < 1:
        return
    call = ctypes.CDLL(None).syscall
    if version >= 6:
        handled = struct.pack("3Q", 0, 0, SCOPE_SIGNAL)
    else:
        handled = struct.pack("Q", MOVE_BETWEEN_FOLDERS if version > 1 else MAKE_BLOCK_DEVICES)
    rules = call(CREATE_RULESET, handled, len(handled), 0)
    if rules < 0:
        return
    if 1 < version < 6:
        everywhere = os.open("/", os.O_PATH)
        call(ADD_RULE, rules, PATH_BENEATH, struct.pack("=Qi", MOVE_BETWEEN_FOLDERS, everywhere), 0)
        os.close(everywhere)
    call(RESTRICT_SELF, rules, 0)
    os.close(rules)


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


def _end_all(program: int) -> None:
    """Kill until nobody is left. Those who fork meanwhile come to this process as orphans, and are killed next."""
    while True:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(program, signal.SIGKILL)
        for process in _descendants():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


def _descendants() -> Iterator[int]:
    """All processes below this one; none where the system does not tell."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            parents[int(entry.parent.name)] = int(entry.read_text(errors="replace").rpartition(")")[2].split()[1])
    below = {os.getpid()}
    grown = True
    while grown:
        found = {process for process, parent in parents.items() if parent in below} - below
        grown = bool(found)
        below |= found
        yield from found


def _control(option: int, value: int) -> None:
    if LINUX:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
