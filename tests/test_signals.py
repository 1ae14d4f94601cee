"""Ctrl-C and SIGTERM end the command cleanly, whenever they come, and nobody else's program."""

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from plyground.core.files import write_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signals")

SIGNALS = [signal.SIGINT, signal.SIGTERM]
ARRIVES = """
import builtins, os, signal, sys
number, where = int(sys.argv[1]), sys.argv[2]
sys.argv[:] = [sys.argv[3], *sys.argv[4:]]
really = builtins.__import__
def importing(name, *rest):
    found = really(name, *rest)
    if name == where:
        builtins.__import__ = really
        os.kill(os.getpid(), number)
    return found
builtins.__import__ = importing
from plyground.cli.main import main
main()
"""
"""A program of the name that is given, to which a signal comes when a module has been imported."""
WHILE_RUNNING = """
import sys
from plyground import signals
from plyground.cli.console import run_app
signals.end_at_once()
{setup}
def app(**_):
    {body}
sys.exit(run_app(app))
"""


def ended(code, *words):
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, timeout=300, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("where", ["plyground.version", "typer", "plyground.cli.console", "plyground.cli.web"])
def test_a_signal_while_the_command_is_imported(number, where):
    assert ended(ARRIVES, int(number), where, "/bin/plyground", "games") == (128 + number, "", "stopped\n")


def test_another_program_that_imports_plyground_keeps_its_own_ways():
    status, _, errors = ended(ARRIVES, int(signal.SIGINT), "plyground.version", "/home/me/mine.py")
    assert status == -signal.SIGINT
    assert "KeyboardInterrupt" in errors
    assert ended(ARRIVES, int(signal.SIGTERM), "plyground.version", "/home/me/mine.py") == (-signal.SIGTERM, "", "")


@pytest.mark.parametrize(
    "words", [["-m", "plyground"], ["-m", "plyground.cli.main"], ["plyground"], ["-m", "pdb"], ["-c", "pass"], ["x.py"]]
)
def test_what_the_command_is(words):
    """Told by the handler that stands when the package has been imported."""
    code = (
        f"import sys; sys.orig_argv = ['python', *{words!r}]; sys.argv[0] = {words[0]!r}; import plyground, signal;"
        "print(signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL)"
    )
    assert ended(code)[:2] == (0, f"{words[-1].startswith('plyground')}\n")


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(
    "body",
    [
        "signal.raise_signal({number})",
        # What an import makes of an interrupt, and what a named tuple does to the status.
        "\n    try: signal.raise_signal({number})\n    except KeyboardInterrupt: raise ImportError('broken module')",
        "exec('signal.raise_signal({number})')",
        # Lost, since nothing can be raised in a destructor.
        "\n    del thing\n    time.sleep(60)",
    ],
)
def test_a_signal_while_a_command_runs(number, body):
    setup = (
        "import signal, time\nclass Thing:\n    def __del__(self):\n"
        f"        signal.raise_signal({int(number)})\n        sum(range(100))"
    )
    body = "thing = Thing()" + body.format(number=int(number)) if "del" in body else body.format(number=int(number))
    assert ended(WHILE_RUNNING.format(setup=setup, body=body)) == (128 + number, "", "stopped\n")


@pytest.mark.parametrize("number", SIGNALS)
def test_a_second_signal_while_the_first_is_answered(number):
    setup = (
        "import atexit, signal\nfrom plyground.cli import console\n"
        f"said = console._say\nconsole._say = lambda text: (said(text), signal.raise_signal({int(number)}))"
    )
    body = f"signal.raise_signal({int(number)})"
    assert ended(WHILE_RUNNING.format(setup=setup, body=body)) == (128 + number, "", "stopped\n")


def test_a_signal_at_the_very_end():
    setup = "import atexit, signal\natexit.register(lambda: (signal.raise_signal(signal.SIGINT), print('late')))"
    assert ended(WHILE_RUNNING.format(setup=setup, body="print('done')")) == (130, "done\n", "stopped\n")


def test_who_runs_a_command_within_a_program_has_its_own_handlers_back():
    code = WHILE_RUNNING.replace("signals.end_at_once()", "").replace("sys.exit", "print")
    code += "print(signal.getsignal(2) is signal.default_int_handler, signal.getsignal(15) is signal.SIG_DFL)"
    assert ended(code.format(setup="import signal", body="print('done')")) == (0, "done\n0\nTrue True\n", "")


def test_what_ignores_a_signal_goes_on_ignoring_it():
    """As whatever is started with nohup, or in the background of a script."""
    code = "import os, signal, sys; signal.signal(2, signal.SIG_IGN); os.execv(sys.executable, sys.argv[1:])"
    inner = WHILE_RUNNING.format(setup="import signal", body="signal.raise_signal(signal.SIGINT); print('done')")
    assert ended(code, sys.executable, "-c", inner) == (0, "done\n", "")


@pytest.mark.parametrize(
    ("name", "said", "answer"), [("gtp", "name", "= "), pytest.param("uci", "uci", "id name ", marks=pytest.mark.slow)]
)
def test_the_installed_script_is_the_command(name, said, answer):
    script = Path(sys.executable).with_name("plyground")
    # With stdin as a pipe that stays open the command waits, until the signal comes.
    process = subprocess.Popen(
        [script, name, "tictactoe", "--player", "random"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    process.stdin.write(f"{said}\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith(answer)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (143, "stopped\n")


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_leaves_no_half_of_a_file(number, tmp_path, monkeypatch):
    really = tempfile.mkstemp

    def interrupted(**settings):
        made = really(**settings)
        signal.raise_signal(number)
        return made

    monkeypatch.setattr(tempfile, "mkstemp", interrupted)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            write_file(tmp_path / "whole", b"content")
    finally:
        signal.signal(signal.SIGTERM, before)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("whole", b"content")]
