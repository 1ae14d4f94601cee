"""The wall around strangers' programs: what they cannot reach, what they need, and what is said of missing parts."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from plyground.errors import BadOption, ProgramEnded, ProgramKilled
from plyground.processes import cage as wall
from plyground.processes import program as process
from plyground.processes.cage import PARTS
from plyground.processes.program import Cage, Process, missing_parts, read_cage

needs = {part: pytest.mark.skipif(PARTS[part] in missing_parts(), reason=f"not here: {PARTS[part]}") for part in PARTS}
HEAD = """
import ctypes, json, os, resource, signal, socket, sys, time
C = ctypes.CDLL(None, use_errno=True)

def tried(call, *arguments):
    "What it comes to, or the name of the error."
    try:
        return call(*arguments)
    except Exception as error:
        return type(error).__name__

def say(what):
    print(json.dumps(what), flush=True)
"""


def soon(seconds=60.0):
    return time.monotonic() + seconds


@pytest.fixture
def caged(tmp_path):
    """Start a Python program in a cage, in a folder of its own."""
    started = []

    def start(code, mode="plain", **options):
        folder = tmp_path / "own"
        folder.mkdir(exist_ok=True)
        file = folder / "it.py"
        file.write_text(HEAD + textwrap.dedent(code))
        started.append(Process([sys.executable, "-S", "-B", str(file)], name="it", cage=Cage(mode), **options))
        return started[-1]

    yield start
    for program in started:
        program.close()


def answer(program):
    return json.loads(program.receive(soon()))


@needs["processes"]
def test_it_sees_no_process_but_its_own(caged):
    program = caged("say([os.getpid(), sorted(int(name) for name in os.listdir('/proc') if name.isdigit())])")
    assert answer(program) == [2, [1, 2]]


@needs["calls"]
@pytest.mark.parametrize(
    "call",
    [
        "resource.prlimit, OTHER, resource.RLIMIT_CPU, (0, 0)",
        "resource.prlimit, OTHER, resource.RLIMIT_NOFILE, (3, 3)",
        "os.sched_setaffinity, OTHER, {0}",
        "os.sched_setscheduler, OTHER, os.SCHED_IDLE, os.sched_param(0)",
        "os.setpriority, os.PRIO_PROCESS, OTHER, 19",
        "os.setpriority, os.PRIO_USER, 0, 19",
        "os.kill, os.getpid(), signal.SIGKILL",
        "os.kill, 0, signal.SIGTERM",
        "os.kill, -1, signal.SIGKILL",
        "signal.raise_signal, signal.SIGTERM",
        "os.chroot, '.'",
        "time.clock_settime, time.CLOCK_REALTIME, 0.0",
    ],
)
def test_calls_that_reach_beyond_it_are_refused(caged, call):
    program = caged(f"OTHER = {os.getpid()}\nsay(tried({call}))")
    assert answer(program) == "PermissionError"


@needs["calls"]
def test_it_may_still_do_what_programs_do(caged):
    program = caged(
        """
        child = os.fork()
        if child == 0:
            time.sleep(1000)
        os.kill(child, signal.SIGKILL)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 64), hard))
        import threading, subprocess
        thread = threading.Thread(target=lambda: None); thread.start(); thread.join()
        say([os.waitpid(child, 0)[1], os.nice(1) >= 1, len(socket.socketpair()),
             subprocess.run(["/bin/echo", "x"], capture_output=True, text=True).stdout])
        """
    )
    assert answer(program) == [9, True, 2, "x\n"]


@needs["files"]
def test_files_of_others_are_out_of_sight_and_its_own_are_copies(caged, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hunter2")
    program = caged(
        f"""
        SECRET = {str(secret)!r}
        say([tried(lambda: open(SECRET).read()), tried(lambda: open(SECRET, "w").write("x")) and 0,
             tried(open, "/usr/x", "w"), tried(open, os.__file__, "a")])
        home = os.environ["HOME"]
        open(home + "/mine", "w").write("x")
        open(os.environ["TMPDIR"] + "/mine", "w").write("x")
        say(open(home + "/mine").read())
        """
    )
    seen = answer(program)
    assert seen[0] in ("FileNotFoundError", "PermissionError")
    assert set(seen[2:]) <= {"PermissionError", "OSError"}
    assert answer(program) == "x"
    assert secret.read_text() == "hunter2"
    assert [path.name for path in (tmp_path / "own").iterdir()] == ["it.py"]


@needs["processes"]
@needs["files"]
def test_it_may_change_the_copy_of_its_folder(caged, tmp_path):
    program = caged("os.remove(__file__); open('log', 'w').write('x'); say([os.getcwd(), os.listdir('.')])")
    assert answer(program) == [str(tmp_path / "own"), ["log"]]
    assert (tmp_path / "own" / "it.py").exists()


@needs["network"]
def test_there_is_no_network(caged):
    families = "AF_INET", "AF_INET6", "AF_PACKET", "AF_NETLINK"
    program = caged(f"say([tried(socket.socket, getattr(socket, name)) for name in {families}])")
    assert answer(program) == ["PermissionError"] * 4


def test_of_the_environment_nothing_is_seen_but_what_programs_need(caged, monkeypatch):
    monkeypatch.setenv("PLYGROUND_TEST_SECRET", "hunter2")
    program = caged("say(['hunter2' in str(os.environ), sorted(os.environ.keys() & {'PATH', 'HOME'})])")
    assert answer(program) == [False, ["HOME", "PATH"]]


@needs["processes"]
def test_what_it_writes_is_bounded(caged):
    program = caged(
        """
        def fill(folder):
            written = 0
            for number in range(40):
                try:
                    with open(f"{folder}/{number}", "wb") as file:
                        written += file.write(bytes(10 << 20))
                except OSError:
                    break
            return written >> 20
        say([fill("."), tried(lambda: open("/tmp/x", "wb").write(bytes(100 << 20)))])
        """
    )
    written, large = answer(program)
    assert 64 <= written <= wall.ROOM >> 20
    assert large == "OSError"


@needs["number"]
def test_the_number_of_its_processes_is_bounded(caged):
    program = caged(
        """
        count = 0
        try:
            while count < 2000:
                if os.fork() == 0:
                    time.sleep(1000)
                count += 1
        except OSError:
            pass
        say(count)
        """
    )
    assert 100 <= answer(program) <= wall.PROCESSES


@needs["memory"]
def test_the_memory_of_all_its_processes_is_bounded(caged):
    program = caged(
        """
        for _ in range(8):
            if os.fork() == 0:
                kept = bytearray(b"x") * (150 << 20)
                time.sleep(1000)
        say([os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(6)])
        """,
        memory=400 << 20,
    )
    assert answer(program) == [-signal.SIGKILL] * 6  # there is room for two


@needs["memory"]
def test_whoever_takes_more_memory_than_it_has_with_its_processes_has_ended_itself(caged):
    program = caged(
        """
        for _ in range(8):
            if os.fork() == 0:
                kept = bytearray(b"x") * (40 << 20)
                time.sleep(1000)
        kept = []
        while True:  # until it is the largest of them, which is the one that the system ends
            kept.append(bytearray(b"x") * (1 << 20))
            time.sleep(0.001)
        """,
        memory=400 << 20,
    )
    with pytest.raises(ProgramEnded, match="ended") as caught:
        program.receive(soon())
    assert not isinstance(caught.value, ProgramKilled)


# Resting ----------------------------------------------------------------------------------------------------------

BUSY = """
    for _ in range(4):
        if os.fork() == 0:
            os.setsid()
            while True: pass
    say("ready")
    line = sys.stdin.readline()
    say("woken")
    while True: pass
"""


def test_while_it_rests_nothing_of_it_runs(caged):
    program = caged(BUSY)
    assert answer(program) == "ready"
    program.rest()
    used, end = -1.0, time.monotonic() + 10
    while (now := program.processor_time()) != used:  # it is stopped a moment later
        assert time.monotonic() < end
        used = now
        time.sleep(0.3)
    program.send("go on", soon())
    assert answer(program) == "woken"
    end = soon()
    while program.processor_time() <= used:
        assert time.monotonic() < end


def test_nothing_that_it_says_is_lost_by_resting(caged):
    program = caged("for number in range(20_000): say(number)")
    for number in range(20_000):
        if number % 1000 == 0:
            program.rest()
        assert answer(program) == number


@needs["calls"]
def test_it_has_no_alarm_clock(caged):
    """SIGCONT from a timer, or when a pipe has something to read, would wake it up."""
    program = caged(
        """
        import fcntl
        event, timer = (ctypes.c_int * 16)(0, 0, signal.SIGCONT, 0), ctypes.c_int()
        say([C.timer_create(1, event, ctypes.byref(timer)), tried(fcntl.fcntl, 0, 10, signal.SIGCONT)])
        """
    )
    assert answer(program) == [-1, "PermissionError"]


# Its end ----------------------------------------------------------------------------------------------------------


def process_below(pid):
    """The last in the line of children: the program itself."""
    while children := Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        pid = int(children[-1])
    return pid


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_who_is_killed_from_elsewhere_has_not_ended_by_itself(caged, number):
    program = caged("say(1)\ntime.sleep(1000)")
    assert answer(program) == 1
    os.kill(process_below(program.pid), number)
    with pytest.raises(ProgramKilled, match=f"it ended by signal {number.name}"):
        program.receive(soon())


def test_so_it_is_if_its_supervisor_is_killed(caged):
    program = caged("say(1)\ntime.sleep(1000)")
    assert answer(program) == 1
    inner = process_below(program.pid)
    os.kill(program.pid, signal.SIGKILL)
    with pytest.raises(ProgramKilled, match="killed together with its supervisor"):
        program.receive(soon())
    end = soon()
    while Path(f"/proc/{inner}").exists():
        assert time.monotonic() < end
        time.sleep(0.01)


@needs["calls"]
@pytest.mark.parametrize("code", ["os.abort()", "os.kill(os.getpid(), 9)", "ctypes.string_at(0)"])
def test_who_ends_itself_was_not_killed(caged, code):
    with pytest.raises(ProgramEnded) as caught:
        caged(code).receive(soon())
    assert not isinstance(caught.value, ProgramKilled)


def test_processor_time_is_that_of_all_its_processes(caged):
    program = caged(
        """
        def burn(seconds):
            end = time.process_time() + seconds
            while time.process_time() < end: pass
        child = os.fork()
        burn(0.3)
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        say(1)
        time.sleep(1000)
        """
    )
    answer(program)
    assert 0.5 <= program.processor_time() < 2.0


# What works in it -------------------------------------------------------------------------------------------------


def test_numpy_and_numba_work_in_it(tmp_path):
    file = tmp_path / "it.py"
    file.write_text(
        "import numba, numpy\n"
        "@numba.njit(cache=True)\ndef f(x): return x + 1\n"
        "print(f(41), numpy.arange(10.0) @ numpy.arange(10.0))\n"
    )
    with Process([sys.executable, str(file)], cage=Cage(), memory=8 * 10**9) as program:
        assert program.receive(soon(120)) == "42 285.0"


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_program_in_c_works_in_it(tmp_path):
    (tmp_path / "it.c").write_text('#include <stdio.h>\nint main(void) { puts("42"); return 0; }\n')
    subprocess.run(["cc", "-o", tmp_path / "it", tmp_path / "it.c"], check=True)
    with Process([str(tmp_path / "it")], cage=Cage()) as program:
        assert program.receive(soon()) == "42"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
def test_node_works_in_it(tmp_path):
    (tmp_path / "it.js").write_text("setTimeout(() => console.log(require('fs').readdirSync('.').length), 10)\n")
    with Process(["node", str(tmp_path / "it.js")], cage=Cage(), memory=8 * 10**9) as program:
        assert program.receive(soon()) == "1"


def test_machine_code_is_kept_for_the_next_start_and_nothing_else(tmp_path):
    kept, folder = tmp_path / "kept", tmp_path / "own"
    kept.mkdir()
    folder.mkdir()
    file = folder / "it.py"
    file.write_text(
        "import os\nroot = os.environ['PLYGROUND_CACHE_DIR']\nprint(sorted(os.listdir(root)), flush=True)\n"
        "open(root + '/code', 'w').write('x'); os.symlink('/etc/passwd', root + '/link'); os.mkfifo(root + '/pipe')\n"
    )
    for seen in ("[]", "['code']"):
        with Process([sys.executable, "-S", str(file)], cage=Cage("plain", (), kept)) as program:
            assert program.receive(soon()) == seen
            with pytest.raises(ProgramEnded, match="status 0"):
                program.receive(soon())
    assert [path.name for path in kept.iterdir()] == ["code"]


def test_machine_code_that_was_kept_is_trusted_at_the_next_start(tmp_path):
    kept, file = tmp_path / "kept", tmp_path / "it.py"
    kept.mkdir()
    file.write_text(
        "from plyground.games import make_game\nfrom plyground.native import compiling\n"
        "from plyground.core.limits import Budget\nfrom plyground.search.perft import perft\n"
        "compiling._announce = lambda what, begins: print('compiles', what, flush=True)\n"
        "perft(make_game('tictactoe').initial, 1, 0, Budget())\nprint('done', flush=True)\n"
    )
    said = []
    for _ in range(2):
        with Process([sys.executable, str(file)], cage=Cage("plain", (), kept)) as program:
            said.append(list(iter(lambda: program.receive(time.monotonic() + 60), "done")))
            with pytest.raises(ProgramEnded, match="status 0"):
                program.receive(soon())
    assert [bool(lines) for lines in said] == [True, False]


def test_of_a_large_folder_the_named_files_and_those_of_python_come_along(tmp_path, monkeypatch):
    for name in ("it.txt", "helper.py", "other.txt", ".hidden", "sub/deep.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    named = [str(tmp_path / "it.txt")]
    everything = ["helper.py", "it.txt", "other.txt", "sub/deep.txt"]
    assert sorted(wall.belongings(str(tmp_path), named)) == [(name, 1) for name in everything]
    monkeypatch.setattr(wall, "OWN_FILES", 3)
    assert wall.belongings(str(tmp_path), named) == [("it.txt", 1), ("helper.py", 1)]


def test_a_link_that_leads_out_of_a_folder_brings_nothing_along(tmp_path, monkeypatch):
    own = tmp_path / "own"
    own.mkdir()
    for file in (tmp_path / "secret.py", own / "it.py"):
        file.write_text("x")
    for name, target in {"a.py": "../secret.py", "b.py": tmp_path / "secret.py", "c.py": "it.py"}.items():
        (own / name).symlink_to(target)
    named = [str(own / "it.py")]
    assert sorted(wall.belongings(str(own), named)) == [("c.py", 1), ("it.py", 1)]
    assert ("a.py", 1) in wall.belongings(str(own), [str(own / "a.py")])  # who names it may read it
    monkeypatch.setattr(wall, "OWN_FILES", 1)
    assert "a.py" not in dict(wall.belongings(str(own), named))


@needs["files"]
@pytest.mark.parametrize("relative", [False, True])
def test_folders_behind_links_are_where_they_seem_to_be(tmp_path, monkeypatch, relative):
    home = tmp_path / "real" / "home"
    home.mkdir(parents=True)
    (home / "it.py").write_text("import sys; print(open(sys.argv[1]).read(), flush=True)")
    (home / "other.txt").write_text("found")
    (tmp_path / "home").symlink_to("real/home" if relative else home)
    (tmp_path / "env").symlink_to(os.path.relpath(sys.prefix, tmp_path) if relative else sys.prefix)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "env"))
    process._visible.cache_clear()
    command = [
        str(tmp_path / "env" / "bin" / "python"),
        "-B",
        *(str(tmp_path / "home" / name) for name in ("it.py", "other.txt")),
    ]
    program = Process(command, name="it", cage=Cage())
    try:
        assert program.receive(soon()) == "found"
    finally:
        program.close()
        process._visible.cache_clear()


# Where a part is missing ------------------------------------------------------------------------------------------

WITHOUT_NAMESPACES = """
import os, sys
sys.path.insert(0, {folder!r})
import cage
wall = cage.Wall([{own!r}], [sys.prefix, sys.base_prefix], {scratch!r}, "", [])
wall.build()
wall.close()
def tried(path, mode="r"):
    try:
        with open(path, mode):
            return True
    except OSError:
        return False
print([tried({own!r}), tried({own!r}, "a"), tried({secret!r}), tried({scratch!r} + "/x", "w"), tried("/dev/null", "w")])
print(sorted(wall.lacking))
"""


@pytest.mark.skipif(wall.landlock_version() < 1, reason="there is no Landlock")
def test_without_namespaces_landlock_hides_the_files(tmp_path):
    (tmp_path / "scratch").mkdir()
    (tmp_path / "own").mkdir()
    own, secret = tmp_path / "own" / "it.py", tmp_path / "secret"
    own.touch()
    secret.touch()
    places = {"own": str(own), "secret": str(secret), "scratch": str(tmp_path / "scratch")}
    code = WITHOUT_NAMESPACES.format(folder=str(Path(wall.__file__).parent), **places)
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0] == "[True, False, False, True, True]"
    assert "number" in lines[1]


def test_what_is_missing_is_said_and_strict_refuses(monkeypatch):
    monkeypatch.setattr(process, "missing_parts", lambda: (PARTS["memory"],))
    assert read_cage("plain") == "plain"
    with pytest.raises(BadOption, match="--cage strict: this machine cannot give a limit of the memory"):
        read_cage("strict")
    with pytest.raises(BadOption, match="--cage must be one of strict, plain, off, not 'soft'"):
        read_cage("soft")


def test_strict_runs_nothing_if_a_part_cannot_be_had(caged, monkeypatch, tmp_path):
    """The supervisor itself refuses, whatever was found out before."""
    broken = tmp_path / "supervisor"
    broken.mkdir()
    for name in ("cage.py", "supervisor.py"):
        text = Path(process.SUPERVISOR).with_name(name).read_text()
        (broken / name).write_text(text.replace("machine not in MACHINES", "True"))
    monkeypatch.setattr(process, "SUPERVISOR", broken / "supervisor.py")
    with pytest.raises(ProgramEnded, match=r"it cannot be run: the cage lacks .*a filter of system calls"):
        caged("say('it runs')", mode="strict").receive(soon())
    program = caged("say('it runs')")
    assert answer(program) == "it runs"
