"""Hostile players: each meets an honest one in the arena, and tries to win otherwise than at the board.

An attack is survived if the arena ends well, the honest player has forfeited nothing and was not disturbed, nothing was
read or written that lies outside the cage, and no process is left.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ATTACKS", "attacks"]

SECRET = "hunter2-5e1f"
LONGEST = 240.0
"""Seconds after which an arena hangs."""

VICTIM = """
import time

class AIPlayer:
    def __init__(self, color):
        self.color = color
        self.moves = 0

    def get_move(self, board):
        self.moves += 1
        end = time.process_time() + (0.25 if self.moves < 4 else 0.0)
        while time.process_time() < end:
            pass
        return list(board.get_legal_actions(self.color))[0]
"""
ATTACKER = """
import ctypes, glob, os, random, resource, signal, socket, sys, threading, time
C = ctypes.CDLL(None, use_errno=True)
OTHERS = [pid for pid in range(1, 40_000) if pid not in (os.getpid(), os.getppid())]
FOLDER, ADDRESS = {folder!r}, {address!r}

class Stolen(BaseException):
    "Something was reached that lies outside the cage."

def steal(what):
    if what:
        raise Stolen("STOLEN " + str(what)[:80])

def each(numbers, call):
    for number in numbers:
        try:
            call(number)
        except Exception:
            pass

def read(path):
    with open(path, "rb") as file:
        steal(file.read(100) or path)

class AIPlayer:
    def __init__(self, color):
        self.color = color
        self.moves = 0

    def get_move(self, board):
        self.moves += 1
        try:
            self.trick(board)
        except Exception:
            pass
        return list(board.get_legal_actions(self.color))[-1]

    def trick(self, board):
{trick}
"""
EVALUATION = """
import os, sys, time
FOLDER, ARENA = {folder!r}, os.getppid()

def steal(what):
    if what:
        raise BaseException("STOLEN " + str(what)[:80])

def value(state):
{trick}
    return 0.0
"""


@dataclass(frozen=True)
class Attack:
    """A name, what the hostile player does, and what it is: a ``course`` player, an evaluation, or a whole spec.

    `once` tricks are played in the third move only.
    """

    name: str
    trick: str
    kind: str = "course"
    once: bool = True
    options: str = ""


def _of(kind: str, once: bool, options: str, tricks: dict[str, str]) -> Iterator[Attack]:
    for name, trick in tricks.items():
        yield Attack(name, trick, kind, once, options)


KILLING = {
    "RLIMIT_CPU of everybody": "each(OTHERS, lambda pid: resource.prlimit(pid, resource.RLIMIT_CPU, (0, 0)))",
    "RLIMIT_NOFILE of everybody": "each(OTHERS, lambda pid: resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, 3)))",
    "RLIMIT_AS of everybody": "each(OTHERS, lambda pid: resource.prlimit(pid, resource.RLIMIT_AS, (1, 1)))",
    "SIGKILL to everybody": "each(OTHERS, lambda pid: os.kill(pid, 9))",
    "SIGSTOP to everybody": "each(OTHERS, lambda pid: os.kill(pid, 19))",
    "kill -1": "os.kill(-1, 9)",
    "SIGKILL to its parent": "os.kill(os.getppid(), 9)",
    "SIGKILL to the group of its parent": "os.killpg(os.getpgid(os.getppid()), 9)",
    "SIGKILL by tgkill": "each(OTHERS, lambda pid: C.syscall(234, pid, pid, 9))",
    "SIGKILL by rt_sigqueueinfo": "each(OTHERS, lambda pid: C.syscall(129, pid, 9, bytes(128)))",
    "SIGKILL by pidfd": "each(OTHERS, lambda pid: C.syscall(424, C.syscall(434, pid, 0), 9, None, 0))",
    "oom_score_adj of everybody": "each(OTHERS, lambda pid: open(f'/proc/{pid}/oom_score_adj', 'w').write('1000'))",
    "cgroup.kill": "each(glob.glob('/sys/fs/cgroup/**/cgroup.kill', recursive=True),"
    " lambda path: open(path, 'w').write('1'))",
    "cgroup freezer": "each(glob.glob('/sys/fs/cgroup/freezer/*'), lambda path: os.makedirs(path + '/x'))",
    "sched_setaffinity of everybody": "each(OTHERS, lambda pid: os.sched_setaffinity(pid, {0}))",
    "setpriority of everybody": "each(OTHERS, lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19))",
    "setpriority of its user": "os.setpriority(os.PRIO_USER, 0, 19)",
    "sched_setscheduler of everybody": "each(OTHERS, lambda pid:"
    " os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0)))",
    "ioprio_set of everybody": "each(OTHERS, lambda pid: C.syscall(251, 1, pid, 3 << 13))",
    "ptrace of everybody": "each(OTHERS, lambda pid: steal(C.ptrace(16, pid, None, None) == 0))",
    "memory of everybody": "each(OTHERS, lambda pid: read(f'/proc/{pid}/mem'))",
    "environment of everybody": "each([1, *OTHERS], lambda pid: steal("
    f"b'{SECRET}' in open(f'/proc/{{pid}}/environ', 'rb').read()))",
    "open files of everybody": "each([1, *OTHERS], lambda pid: steal(os.listdir(f'/proc/{pid}/fd')))",
    "command lines of everybody": "each([1, *OTHERS], lambda pid: steal(FOLDER.encode() + b'/victim' in"
    " open(f'/proc/{pid}/cmdline', 'rb').read()))",
    "seccomp of its own that kills": "C.prctl(38, 1, 0, 0, 0); C.prctl(22, 1, 0, 0, 0)",
}
BURNING = {
    "24 busy children in sessions of their own": """
        for _ in range(24):
            if os.fork() == 0:
                os.setsid()
                while True: pass
        """,
    "60 busy threads": """
        for _ in range(60):
            threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()
        """,
    "a fork bomb": """
        if os.fork() == 0:
            while True:
                try:
                    os.fork()
                except OSError:
                    pass
        """,
    "children that ignore all signals": """
        for _ in range(8):
            if os.fork() == 0:
                os.setsid()
                for number in range(1, 65):
                    try: signal.signal(number, signal.SIG_IGN)
                    except (OSError, ValueError): pass
                while True: pass
        """,
    "a daemon that outlives it": """
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execvp("sleep", ["sleep", "1000", FOLDER])
            os._exit(0)
        """,
    "timers that wake it up": """
        event = (ctypes.c_int * 16)(0, 0, 18, 0)
        number, when = ctypes.c_int(), (ctypes.c_long * 4)(0, 1_000_000, 0, 1_000_000)
        steal(C.syscall(222, 1, event, ctypes.byref(number)) == 0)
        """,
    "a pipe that wakes it up": "import fcntl; steal(fcntl.fcntl(0, 10, signal.SIGCONT) == 0)",
    "io_uring": "steal(C.syscall(425, 8, bytes(120)) >= 0)",
}
HOARDING = {
    "10 GB of memory": "self.hog = bytearray(10 ** 10)",
    "12 children of 200 MB": """
        for _ in range(12):
            if os.fork() == 0:
                hog = bytearray(os.urandom(1)) * (200 << 20)
                time.sleep(1000)
        time.sleep(0.5)
        """,
    "300 MB in its folder": "open('large', 'wb').write(bytes(300 << 20)); steal(os.path.getsize('large') >= 300 << 20)",
    "300 MB in many files": """
        for number in range(30):
            open(f"/tmp/{number}", "wb").write(bytes(10 << 20))
        steal(sum(os.path.getsize(f"/tmp/{n}") for n in range(30)) >= 300 << 20)
        """,
    "300 MB of shared memory": """
        for number in range(30):
            open(f"/dev/shm/{number}", "wb").write(bytes(10 << 20))
        steal(True)
        """,
    "50,000 files": """
        for number in range(50_000):
            open(str(number), "w").close()
        steal(True)
        """,
}
READING = {
    "the secret file": "read(FOLDER + '/secret')",
    "the secret by a link": "os.symlink(FOLDER + '/secret', 'link'); read('link')",
    "the secret by /proc/1/root": "read('/proc/1/root' + FOLDER + '/secret')",
    "the secret by /proc/self/root": "read('/proc/self/root/..' + FOLDER + '/secret')",
    "the secret by a file handle": "handle = ctypes.create_string_buffer(136); handle[0] = 128;"
    " steal(C.syscall(303, -100, FOLDER.encode(), handle, ctypes.byref(ctypes.c_int()), 0) == 0)",
    "the opponent's file": "read(FOLDER + '/victim/victim.py')",
    "the database": "read(FOLDER + '/games.db')",
    "the machine code of the arena": "read(FOLDER + '/cache/canary')",
    "the environment": f"steal('{SECRET}' in str(os.environ))",
    "passwords": "read('/etc/shadow')",
    "the disk": "each(glob.glob('/dev/[hsv]d*'), lambda path: read(path))",
    "kernel memory": "each(['/proc/kcore', '/dev/mem', '/dev/kmem'], lambda path: read(path))",
    "homes": "steal([name for home in ('/home', '/root') if os.path.isdir(home) for name in os.listdir(home)"
    " if name != '.pyenv'])",
    "copies of others": "steal([path for path in glob.glob('/**/victim.py', recursive=True)])",
}
WRITING = {
    "a file outside": "open(FOLDER + '/outside', 'w').write('x')",
    "the opponent's file": "open(FOLDER + '/victim/victim.py', 'w').write('raise SystemExit')",
    "its own file": "open(FOLDER + '/attacker/attacker.py', 'w').write('')",
    "the database": "import sqlite3; base = sqlite3.connect(FOLDER + '/games.db');"
    " base.execute('UPDATE seats SET result = -result'); base.commit()",
    "no database": "os.remove(FOLDER + '/games.db')",
    "the machine code": "open(FOLDER + '/cache/canary', 'w').write('x')",
    "the interpreter": "open(os.__file__, 'a').write('x'); steal(True)",
    "our package": "import board; open(board.__file__, 'a').write('x'); steal(True)",
    "a device": "os.mknod('device', 0o20666, os.makedev(1, 1)); read('device')",
    "a mount": "steal(C.mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0)",
    "a namespace": "steal(C.unshare(0x10000000) == 0)",
    "another root": "steal(os.chroot('.') is None)",
    "the user id 0": "steal(os.setuid(0) is None)",
    "rights by su": "import subprocess;"
    " steal(b'uid=0' in subprocess.run(['su', '-c', 'id'], capture_output=True).stdout)",
    "host name": "steal(C.sethostname(b'x', 1) == 0)",
    "the clock": "time.clock_settime(time.CLOCK_REALTIME, 0); steal(True)",
    "a module of the kernel": "steal(C.syscall(313, 0, b'', 0) == 0)",
    "a program of the kernel": "steal(C.syscall(321, 0, bytes(128), 128) >= 0)",
    "a key": "steal(C.syscall(248, b'user', b'x', b'y', 1, -3) >= 0)",
}
CALLING = {
    "TCP": "socket.create_connection(ADDRESS, 2); steal('TCP')",
    "UDP": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ADDRESS); steal('UDP')",
    "raw packets": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW); steal('raw')",
    "a server of its own": "server = socket.socket(); server.bind(('', 0)); server.listen(); steal('server')",
    "netlink": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW); steal('netlink')",
    "an abstract socket": "box = socket.socket(socket.AF_UNIX); box.connect('\\0' + FOLDER); steal('socket')",
    "a socket in the file system": "box = socket.socket(socket.AF_UNIX); box.connect(FOLDER + '/box'); steal('socket')",
}
FAILING = {
    "loops for ever": "while True: pass",
    "sleeps": "time.sleep(1000)",
    "exits": "os._exit(3)",
    "aborts": "os.abort()",
    "reads address 0": "ctypes.string_at(0)",
    "sends itself SIGKILL": "os.kill(os.getpid(), 9); time.sleep(1000)",
    "lets a child send it SIGKILL": "os.fork() or os.kill(os.getppid(), 9); time.sleep(1000)",
    "sets its own RLIMIT_CPU": "resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass",
    "stops itself": "os.kill(os.getpid(), 19)",
    "closes its streams": "os.closerange(0, 100); time.sleep(1000)",
    "prints 100 MB": "for _ in range(100): print('x' * 1_000_000); print('y' * 1_000_000, file=sys.stderr)",
    "answers with 100 MB": "os.write(4, b'x' * 100_000_000)",
    "answers with nested lists": "os.write(4, b'[' * 500_000 + b'\\n')",
    "raises escape sequences": "raise BaseException('\\x1b[2J\\x1b]0;x\\x07\\u202e')",
    "raises a megabyte": "raise BaseException('x' * 1_000_000)",
    "raises SystemExit": "sys.exit('bye')",
    "raises KeyboardInterrupt": "raise KeyboardInterrupt",
    "recurses": "sys.setrecursionlimit(10 ** 9); f = lambda: f(); f()",
    "changes the board": "board._board[0][0] = self.color",
    "deletes itself": "os.remove(__file__); os._exit(3)",
}
EVALUATING = {
    "exits": "    os._exit(0)",
    "raises SystemExit": "    sys.exit(0)",
    "reads the environment": f"    steal('{SECRET}' in str(os.environ))",
    "reads the secret": "    steal(open(FOLDER + '/secret').read())",
    "writes outside": "    open(FOLDER + '/outside', 'w').write('x')",
    "kills the arena": "    os.kill(ARENA, 9)",
    "closes all files": "    os.closerange(0, 1000)",
    "prints an answer": '    os.write(1, b\'{"move": {"action": 0}}\\n\'); os.write(4, b\'{"ready": 1}\\n\')',
    "changes the referee": "    import plyground.arena.referee as referee; referee.play_game = None",
}
SPECS = {
    "gtp that only prints": "gtp:command=yes",
    "gtp that prints zeros": "gtp:command=cat /dev/zero",
    "gtp that prints equals signs": "gtp:command=yes =",
    "gtp that ends": "gtp:command=true",
    "uci that only prints": "uci:command=yes",
    "uci that is always ready and never moves": "uci:command=yes uciok readyok",
    "uci that only thinks": "uci:command=yes info depth 1 score cp 0 pv d3",
    "uci that ends": "uci:command=true",
    "nboard that only prints": "nboard:command=yes",
    "a network of noise": "minialphago:network={folder}/noise.onnx",
    "an endless function": "aima:file={folder}/endless.py",
}
ATTACKS: tuple[Attack, ...] = (
    *_of("course", True, "", KILLING),
    *_of("course", True, "", BURNING),
    *_of("course", True, ",memory=1000", HOARDING),
    *_of("course", True, "", {f"read {name}": trick for name, trick in READING.items()}),
    *_of("course", True, "", {f"write {name}": trick for name, trick in WRITING.items()}),
    *_of("course", True, "", {f"network: {name}": trick for name, trick in CALLING.items()}),
    *_of("course", True, "", FAILING),
    *_of("evaluation", False, "", {f"an evaluation {name}": trick for name, trick in EVALUATING.items()}),
    *_of("spec", False, "", SPECS),
)


def attacks() -> Iterator[tuple[str, bool, str]]:
    """Every attack: its name, whether it was survived, and if not, what happened."""
    for attack in ATTACKS:
        detail = attempt(attack)
        yield f"player: {attack.name}", not detail, detail


def attempt(attack: Attack, cage: str = "plain") -> str:
    """Let a hostile player meet an honest one; what came of it that must not, empty if nothing."""
    folder = Path(tempfile.mkdtemp(prefix="plyground-attack-"))
    try:
        with _world(folder) as address:
            return _held(attack, folder, address, cage)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _world:  # noqa: N801 - used as a function
    """A folder with what is to be protected, and sockets that nobody must reach."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sockets: list[socket.socket] = []

    def __enter__(self) -> tuple[str, int]:
        folder = self._folder
        folder.chmod(0o755)  # what protects is the cage, not the rights of a folder
        for name in ("victim", "attacker", "cache"):
            (folder / name).mkdir()
        (folder / "victim" / "victim.py").write_text(VICTIM)
        (folder / "secret").write_text(SECRET)
        (folder / "cache" / "canary").write_text("canary")
        (folder / "noise.onnx").write_bytes(bytes(range(256)) * 40)
        (folder / "endless.py").write_text("def choose(game, state):\n    while True: pass\n")
        listener = socket.create_server(("127.0.0.1", 0))
        address: tuple[str, int] = listener.getsockname()
        self._sockets.append(listener)
        for name in (f"\0{folder}", str(folder / "box")):
            self._sockets.append(socket.socket(socket.AF_UNIX))
            self._sockets[-1].bind(name)
            self._sockets[-1].listen()
        return address

    def __exit__(self, *_: object) -> None:
        for one in self._sockets:
            one.close()


def _spec(attack: Attack, folder: Path, address: tuple[str, int]) -> str:
    file = folder / "attacker" / "attacker.py"
    trick = textwrap.dedent(attack.trick).strip()
    if attack.kind == "spec":
        return attack.trick.format(folder=folder)
    if attack.kind == "evaluation":
        file.write_text(EVALUATION.format(folder=str(folder), trick=textwrap.indent(trick, "    ")))
        return f"alphabeta:evaluation={file}:value,depth=2"
    if attack.once:
        trick = f"if self.moves != 3: return\n{trick}"
    body = textwrap.indent(trick, " " * 8)
    file.write_text(ATTACKER.format(folder=str(folder), address=address, trick=body))
    return f"course:file={file}{attack.options}"


def _held(attack: Attack, folder: Path, address: tuple[str, int], cage: str) -> str:
    spec = _spec(attack, folder, address)
    before = _contents(folder)
    command = [
        sys.executable, "-m", "plyground", "arena", "reversi", f"victim=course:file={folder}/victim/victim.py",
        f"attacker={spec}", "--games", "2", "--move-time", "3", "--seed", "1", "--json", "--cage", cage,
        "--db", str(folder / "games.db"),
    ]  # fmt: skip
    environment = os.environ | {"PLYGROUND_TEST_SECRET": SECRET, "TERM": "dumb"}
    started = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return f"the arena had not ended after {LONGEST:g} s"
    problems = [*_judged(done, folder), *_left(folder, started)]
    if _contents(folder) != before:
        problems.append("files outside the cage have changed")
    return "; ".join(problems)


def _judged(done: subprocess.CompletedProcess[str], folder: Path) -> Iterator[str]:
    if done.returncode or "Traceback" in done.stderr:
        yield f"the arena ended with status {done.returncode}: {done.stderr.strip()[-200:]}"
        return
    found = json.loads(done.stdout)
    victim = next(row for row in found["table"] if row["name"] == "victim")
    if victim["games"] != 2:
        yield f"{victim['games']} of 2 games count"
    if victim["forfeits"]:
        yield "the honest player has forfeited a game"
    with sqlite3.connect(folder / "games.db") as base:
        reasons = [reason for (reason,) in base.execute("SELECT reason FROM games")]
    if len(reasons) != 2:
        yield f"{len(reasons)} games are in the database"
    for reason in reasons:
        if "STOLEN" in reason or "disturbed" in reason:
            yield reason


def _contents(folder: Path) -> dict[str, bytes]:
    """What the player is not to touch, its database aside."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("games.db"))
    return {str(path): path.read_bytes() for path in files}


def _left(folder: Path, started: float) -> Iterator[str]:
    """Processes that still mention the folder, though the arena has ended."""
    end = time.monotonic() + 5
    mark = str(folder).encode()
    while True:
        running = []
        for entry in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if mark in entry.read_bytes() and entry.parent.name != str(os.getpid()):
                    running.append(entry.parent.name)
            except OSError:
                continue
        if not running:
            return
        if time.monotonic() > end:
            yield f"processes are left: {', '.join(running)}"
            return
        time.sleep(0.05)


def main() -> None:
    """Run the attacks whose names hold one of the words given, or all."""
    words = sys.argv[1:]
    chosen = [attack for attack in ATTACKS if not words or any(word in attack.name for word in words)]
    failed = 0
    for attack in chosen:
        start = time.monotonic()
        detail = attempt(attack)
        failed += bool(detail)
        print(
            f"{'FAILED  ' if detail else 'survived'} {time.monotonic() - start:5.1f} s  {attack.name}  {detail}",
            flush=True,
        )
    print(f"tried {len(chosen)}, survived {len(chosen) - failed}, failed {failed}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
