"""Other programs: lines with deadlines, nothing inherited, and an end for all of them, whatever they do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from plyground.errors import BadOption, PlayerFailed, ProgramEnded, ProgramTimeout, ProtocolBroken
from plyground.processes import program as process
from plyground.processes.program import Process, clean_environment, files_in, read_command


def python(code, **options):
    return Process([sys.executable, "-S", "-c", textwrap.dedent(code)], name="it", **options)


def soon(seconds=60.0):
    return time.monotonic() + seconds


def running(mark):
    """The processes whose command line holds a mark, those aside that have only started or watch them."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_bytes()
            if mark.encode() in command and b"Process" not in command and b"supervisor" not in command:
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def await_number(mark, number):
    """Processes come and go while they are counted."""
    end = soon()
    while len(running(mark)) != number:
        assert time.monotonic() < end, running(mark)
        time.sleep(0.01)


def test_lines_go_there_and_back():
    with Process(["cat"]) as program:
        for line in ("one", "", "two words", "棋", "x" * 200_000):
            program.send(line, soon())
            assert program.receive(soon()) == line


def test_a_line_may_end_as_on_windows():
    with python(r"print('a\r'); print('b')") as program:
        assert [program.receive(soon()), program.receive(soon())] == ["a", "b"]


def test_who_does_not_answer_is_not_waited_for():
    with Process(["sleep", "1000"]) as program, pytest.raises(ProgramTimeout, match="sleep did not answer in time"):
        program.receive(soon(0.1))


def test_who_does_not_read_is_not_waited_for():
    with Process(["sleep", "1000"]) as program, pytest.raises(ProgramTimeout):
        program.send("x" * 1_000_000, soon(0.1))


def test_an_end_says_why():
    with python("import sys; print('last'); sys.exit(3)") as program:
        assert program.receive(soon()) == "last"
        with pytest.raises(ProgramEnded, match=r"^it ended with status 3$"):
            program.receive(soon())
        with pytest.raises(ProgramEnded, match=r"^it ended with status 3$"):
            program.receive(soon())


def test_an_end_with_an_error_shows_its_last_line():
    program = python("import sys\nprint('noise ' * 100_000, file=sys.stderr)\nraise ValueError('oh')")
    with program, pytest.raises(ProgramEnded, match=r"^it ended with status 1: ValueError: oh$"):
        program.receive(soon())


def test_an_end_by_a_signal_is_named():
    with (
        python("import os; os.kill(os.getpid(), 9)") as program,
        pytest.raises(ProgramEnded, match="by signal SIGKILL"),
    ):
        program.receive(soon())


def test_who_closes_its_output_is_found_out(monkeypatch):
    monkeypatch.setattr(process, "GRACE", 0.2)
    program = python("import os, time; os.close(1); time.sleep(1000)")
    with program, pytest.raises(ProgramEnded, match=r"^it closed its output$"):
        program.receive(soon())


def test_megabytes_without_a_line_break_are_refused():
    program = python("import sys\nwhile True: sys.stdout.write('x' * 65536)")
    with program, pytest.raises(ProtocolBroken, match="without a line break"):
        program.receive(soon())


def test_noise_on_the_error_stream_does_not_put_off_the_deadline():
    with python("import sys\nwhile True: sys.stderr.write('x' * 65536)") as program, pytest.raises(ProgramTimeout):
        program.receive(soon(0.2))


def test_memory_is_limited():
    program = python("x = bytearray(10**10)\nprint('has it')", memory=10**9)
    with program, pytest.raises(ProgramEnded, match="MemoryError"):
        program.receive(soon())


def test_it_is_the_first_to_go_when_there_is_no_memory_left():
    with python("print(open('/proc/self/oom_score_adj').read())") as program:
        assert program.receive(soon()) == "1000"


def test_nothing_is_inherited(monkeypatch, tmp_path):
    monkeypatch.setenv("PLYGROUND_TEST_SECRET", "hunter2")
    assert "PLYGROUND_TEST_SECRET" not in clean_environment()
    with (tmp_path / "open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        with python(
            """
            import os
            print([v for v in os.environ.values() if "hunter2" in v])
            print(sorted(os.listdir("/proc/self/fd")), os.getsid(0) == os.getpid())
            """
        ) as program:
            assert program.receive(soon()) == "[]"
            # 3 is the folder that is being listed
            assert program.receive(soon()) == "['0', '1', '2', '3'] True"


CHILDREN = """
    import os, signal, time
    mark = "MARK"
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for _ in range(50):
        if os.fork() == 0:
            os.setsid()  # away from the group
            if os.fork() == 0:
                time.sleep(1000)
            os._exit(0)  # and orphaned
    print("ready", flush=True)
    while True:
        pass
"""


def test_all_descendants_end_with_it():
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    with python(CHILDREN.replace("MARK", mark)) as program:
        assert program.receive(soon()) == "ready"
        await_number(mark, 51)
    assert running(mark) == []


def test_what_it_leaves_behind_ends_too():
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    with python(CHILDREN.replace("MARK", mark).replace("while True:\n        pass", "os._exit(0)")) as program:
        assert program.receive(soon()) == "ready"
        await_number(mark, 0)
        with pytest.raises(ProgramEnded):
            program.receive(soon())


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_it_ends_with_whoever_started_it(number):
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    code = f"""
        import sys, time
        from plyground.processes.program import Process
        program = Process([sys.executable, "-S", "-c", {textwrap.dedent(CHILDREN.replace("MARK", mark))!r}])
        print(program.receive(), flush=True)
        time.sleep(1000)
        """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert parent.stdout.readline() == b"ready\n"
    await_number(mark, 51)
    parent.send_signal(number)
    parent.wait(60)
    parent.stdout.close()
    await_number(mark, 0)


def test_it_may_end_by_itself_if_it_is_let(tmp_path):
    code = "import sys\nfor line in sys.stdin: pass\nopen('done', 'w').close()"
    program = python(code, folder=tmp_path)
    program.close(patience=120)
    assert (tmp_path / "done").exists()
    program.close()
    with pytest.raises(PlayerFailed, match="it has been closed"):
        program.send("x")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "command is empty"),
        ("'open", "cannot be read as a command: no closing quotation"),
        ("no-such-program --gtp", "there is no program 'no-such-program'"),
        ("/etc/passwd", "'/etc/passwd' is not executable"),
    ],
)
def test_a_command_is_checked(text, message):
    with pytest.raises(BadOption, match=message):
        read_command(text, "command")


def test_the_files_of_a_command_are_known(tmp_path):
    file = tmp_path / "program.py"
    file.touch()
    assert list(files_in(["python", "-c", "x" * 5000, "\0", "", str(file), str(tmp_path)])) == [file]


def test_a_file_that_is_no_program_is_refused(tmp_path):
    file = tmp_path / "garbage"
    file.write_bytes(b"\x00\x01\x02")
    file.chmod(0o755)
    with Process([str(file)]) as program, pytest.raises(ProgramEnded, match="garbage cannot be run: Exec format error"):
        program.receive(soon())
