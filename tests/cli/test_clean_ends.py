"""Streams that are closed, full or deaf, text that would act on the terminal, code that ends the program: the command
goes on quietly, or says one line."""

import contextlib
import csv
import io
import json
import os
import sqlite3
import subprocess
import sys

import pytest

from plyground.arena.archive import export_csv
from plyground.core.played_game import PlayedGame, PlayedMove, PlayerEntry

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the shell is that of Unix")

GAME = "play tictactoe --first random --second random --seed 1 -q"
ESCAPE = "\x1b[31m:x:[/b]"


def in_shell(line, folder, **env):
    """A line of shell in which `plyground` is the command: the status, the output and the errors."""
    names = {"plyground": f"{sys.executable} -m plyground", "PIPESTATUS": "${PIPESTATUS[0]}"}
    for name, meaning in names.items():
        line = line.replace(name, meaning)
    done = subprocess.run(
        ["bash", "-c", line], cwd=folder, env={**os.environ, **env},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("line", "status", "errors"),
    [
        ("plyground games >&-", 0, ""),
        pytest.param("plyground games --json >&-", 0, "", marks=pytest.mark.slow),
        pytest.param(f"plyground {GAME} <&- >&- 2>&-", 0, "", marks=pytest.mark.slow),
        ("plyground play tictactoe --first human --second random --seed 1 >&- <&-", 1, "stopped\n"),
        pytest.param("plyground play absent 2>&-", 2, "", marks=pytest.mark.slow),
        pytest.param("plyground play absent 2>/dev/full", 2, "", marks=pytest.mark.slow),
        ("plyground games 2>/dev/full >/dev/full", 2, ""),
        ("plyground games --json | head -c 1 >/dev/null; exit PIPESTATUS", 0, ""),
        pytest.param("(sleep 1; plyground games) | true; exit PIPESTATUS", 1, "", marks=pytest.mark.slow),
        pytest.param("(sleep 1; plyground games --json) | true; exit PIPESTATUS", 1, "", marks=pytest.mark.slow),
        pytest.param("ulimit -n 10; plyground games >/dev/null", 0, "", marks=pytest.mark.slow),
    ],
)
def test_broken_streams(tmp_path, line, status, errors):
    got, _, said = in_shell(line, tmp_path)
    assert got == status
    assert said == errors


def test_nothing_takes_the_place_of_a_closed_stream(tmp_path):
    """Else what is printed would be written into the first file that is opened."""
    line = "plyground arena tictactoe random random --games 2 --seed 1 --db games.db <&- >&- 2>&-"
    assert in_shell(line, tmp_path)[0] == 0
    status, listed, _ = in_shell("plyground db games games.db --json", tmp_path)
    assert (status, json.loads(listed)["count"]) == (0, 2)


@pytest.mark.parametrize(
    "env",
    [{"PYTHONIOENCODING": "ascii"}, pytest.param({"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}, marks=pytest.mark.slow)],
)
def test_output_in_plain_ascii(tmp_path, env):
    env = {**env, "PYTHONUTF8": "0"}
    status, text, errors = in_shell("plyground matrix list", tmp_path, **env)
    assert (status, errors) == (0, "")
    assert text.isascii()
    (tmp_path / "t.json").write_text('{"title": "棋", "root": {"max": {"左": 1, "右": 2}}}', encoding="utf-8")
    status, text, _ = in_shell("plyground play t.json --first random --second random --json", tmp_path, **env)
    assert status == 0
    assert text.isascii()
    assert json.loads(text)["moves"][0]["text"] in "左右"


def test_input_that_is_no_text(tmp_path):
    line = r"printf '\377\376\nquit\n' | plyground play tictactoe --first human --second random --seed 1"
    status, text, _ = in_shell(line, tmp_path)
    assert status == 1
    assert "is not an action" in text


@pytest.mark.parametrize("code", ["raise SystemExit", "import sys\nsys.exit(0)", "exit(3)"])
def test_a_game_file_that_ends_the_program(command, tmp_path, code):
    (tmp_path / "mine.py").write_text(code)
    done = command("play", "mine.py")
    assert done.returncode == 2
    assert done.stderr.startswith("error: mine.py does not run: SystemExit")
    assert done.stderr.count("\n") == 1


RULE_THAT_ENDS = """
import sys
from typing import NamedTuple
from plyground import Game, legal_actions, result, to_move, utility
class Bad(NamedTuple):
    x: int
@to_move.rule(Bad)
def _(state): return 0
@legal_actions.rule(Bad)
def _(state, out):
    sys.exit(0)
@result.rule(Bad)
def _(state, action): return state
@utility.rule(Bad)
def _(state, player): return 0.0
game = Game("bad", initial=Bad(0))
"""


def test_a_rule_that_ends_the_program(command, tmp_path):
    (tmp_path / "mine.py").write_text(RULE_THAT_ENDS)
    done = command("play", "mine.py", "--first", "random", "--second", "random")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("error: ")
    assert "SystemExit" in done.stderr


def test_numba_is_needed_whatever_its_variable_says(tmp_path):
    line = "plyground pi --points 1000 --runs 2 --seed 1 --json"
    status, text, errors = in_shell(line, tmp_path, NUMBA_DISABLE_JIT="1")
    assert status == 0, errors
    assert json.loads(text)["points"] == 1000


@pytest.mark.parametrize("option", ["--limit", "--offset"])
def test_more_rows_than_can_be_counted(command, tmp_path, option):
    command("arena", "tictactoe", "random", "random", "--games", "2", "--seed", "1", "--db", "games.db")
    done = command("db", "games", "games.db", option, "99999999999999999999")
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("perft", "tictactoe", "1000000"), "less than or equal to 1000"),
        (("play", "openspiel:hex(board_size=100000)"), "board_size must be at most 1000, not 100000"),
        (("play", "openspiel:hex(num_rows = 65536,num_cols=65536)"), "num_rows must be at most 1000, not 65536"),
        (("web", "--no-browser", "--port", "0", "--db", "x.db", "--host", "a" * 300), "is not an address"),
        (("cfr", "kuhn", "--save", "a" * 300), "File name too long"),
    ],
)
def test_what_is_too_large_gets_a_line(command, words, message):
    done = command(*words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


# Text of others ------------------------------------------------------------------------------------------------------


def test_a_played_game_holds_nothing_that_acts():
    game = PlayedGame("k/1", "tictactoe", (PlayerEntry(ESCAPE, ESCAPE),), (0.0,), (PlayedMove(0, 1, ESCAPE),), ESCAPE)
    shown = ESCAPE.replace("\x1b", r"\x1b")
    assert (game.reason, game.players[0], game.moves[0].text) == (shown, PlayerEntry(shown, shown), shown)


def test_a_students_exception_reaches_neither_the_terminal_nor_the_database_raw(command, tmp_path):
    (tmp_path / "bad.py").write_text(
        "class AIPlayer:\n    def __init__(self, color): pass\n"
        f"    def get_move(self, board): raise ValueError({ESCAPE!r})\n"
    )
    played = command("arena", "reversi", "course:file=bad.py", "random", "--games", "1", "--db", "games.db")
    assert played.returncode == 0, played.stderr
    shown = command("db", "games", "games.db")
    with contextlib.closing(sqlite3.connect(tmp_path / "games.db")) as base:
        stored = "\n".join(base.iterdump())
    for text in (played.stdout + played.stderr, shown.stdout, stored):
        assert "\x1b" not in text
        assert "❌" not in text
    assert r"\x1b[31m:x:[/b]" in stored


def test_a_name_in_a_tree_is_printed_as_it_is_written(command, tmp_path):
    (tmp_path / "t.json").write_text(json.dumps({"title": ":x:", "root": {"max": {ESCAPE: 1}}}))
    done = command("play", "t.json", "--first", "random", "--second", "random")
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert r"\x1b[31m:x:[/b]" in done.stdout


def test_json_spells_out_what_acts(command, tmp_path):
    label = "\x9b2J\x7f\u202e"
    (tmp_path / "t.json").write_text(json.dumps({"max": {label: 1}}))
    done = command("play", "t.json", "--first", "random", "--second", "random", "--json")
    assert done.stdout.strip().isprintable()
    assert json.loads(done.stdout)["moves"][0]["text"] in (label, r"\x9b2J\x7f\u202e")


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "-"])
def test_no_cell_of_a_csv_file_is_a_formula(name):
    game = PlayedGame("k/1", "tictactoe", (PlayerEntry(name), PlayerEntry("b")), (-1.0, 1.0), reason=name, opening=name)
    (row,) = csv.DictReader(io.StringIO("".join(export_csv([game]))))
    for column in ("players", "reason", "opening"):
        assert row[column].startswith("'")
    assert row["returns"] == "-1|1"  # numbers stay numbers


def test_notes_that_cannot_be_said_stop_nothing(tmp_path):
    (tmp_path / "file").write_text("in the way")
    line = "plyground play tictactoe --first minimax:depth=1 --second random --seed 1 --json 2>/dev/full"
    status, text, _ = in_shell(line, tmp_path, PLYGROUND_CACHE_DIR=str(tmp_path / "file" / "cache"))
    assert status == 0
    assert json.loads(text)["game"] == "tictactoe"
