"""The command as a user meets it: a process of its own, a real terminal, bad input."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

PLYGROUND = [sys.executable, "-m", "plyground.cli.main"]


def one_line_error(done, status=2):
    """The error message, after checking that it is one line, no traceback, and the right status."""
    assert done.returncode == status, done.stdout + done.stderr
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    return lines[0]


def test_help_has_examples(command):
    assert "play" in command("--help").stdout
    protocols = ("gtp", "uci", "nboard", "botzone", "saiblo")
    others = ("bandit", "pi", "queens", "wumpus", "web", "docs", *protocols, "bench")
    for name in ("games", "players", "play", "perft", *others):
        done = command(name, "--help")
        assert done.returncode == 0
        assert f"Example: plyground {name}" in " ".join(done.stdout.split())


@pytest.mark.parametrize("name", ["db", "saiblo"])
def test_a_new_process_starts_the_command(new_process, name):
    """The other commands are started as new processes by tests of their own."""
    done = new_process(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_a_command_starts_without_what_serves_the_app(new_process):
    done = new_process("games", env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert done.returncode == 0
    assert "plyground.cli.web" in done.stderr
    assert not re.search("fastapi|uvicorn|onnxruntime|torch", done.stderr)


def test_version(command):
    assert re.match(r"plyground \d+\.\d+", command("--version").stdout)


def test_without_a_command_the_app_is_served(tmp_path):
    folders = {name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA")}
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground.cli.main"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, **folders, "BROWSER": "true"},  # the browser is a program that does nothing
    )
    try:
        port = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())[1]
        visitor = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
        visitor.request("GET", "/")
        assert b"<title>Plyground</title>" in visitor.getresponse().read()
        visitor.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("name", ["games", "players"])
def test_lists(command, name):
    listing = json.loads(command(name, "--json").stdout)
    shown = command(name).stdout
    for entry in listing:
        assert entry["summary"]
        assert entry["name"] in shown
        for option in entry["options"]:
            assert set(option) == {"name", "type", "default", "required", "help"}
            assert option["name"] in shown


def test_play_between_players(command):
    done = command("play", "tictactoe", "--first", "minimax", "--second", "random", "--seed", "1")
    assert done.returncode == 0
    assert "X: minimax, O: random  (seed 1)" in done.stdout
    assert "1. X:" in done.stdout
    assert re.search(r"(wins|Draw)", done.stdout)


def test_play_says_what_each_search_found_and_cost(command):
    args = ("play", "tictactoe", "--first", "alphabeta:tt=1MB,lines=2,ties=first", "--second", "pvs:tt=1MB,ties=first")
    moves = json.loads(command(*args, "--moves", "b2 a1", "--json").stdout)["moves"]
    assert moves[0] | {"time": 0.0} == {
        "player": 0, "action": 4, "text": "b2", "time": 0.0, "value": None, "line": [], "depth": None, "nodes": None,
        "cuts": None, "table_hits": None,
    }  # fmt: skip
    searched = moves[2]
    assert (searched["value"], searched["line"][0], searched["depth"]) == (0.0, searched["text"], 7)
    assert min(searched["nodes"], searched["cuts"], searched["table_hits"]) > 0
    assert [line["line"][0] for line in searched["lines"]] == [searched["text"], searched["lines"][1]["line"][0]]
    assert len({line["line"][0] for line in searched["lines"]}) == 2
    assert "lines" not in moves[3]
    shown = command(*args, "--moves", "b2 a1").stdout
    assert " cuts, " in shown
    assert " table hits" in shown
    assert "line " in shown
    assert "-0.00" not in shown


def test_play_json_is_repeated_by_the_seed(command):
    args = ("play", "reversi:size=4", "--first", "random", "--second", "minimax:depth=3", "--seed", "5", "--json")
    first, second = json.loads(command(*args).stdout), json.loads(command(*args).stdout)
    assert [move["text"] for move in first["moves"]] == [move["text"] for move in second["moves"]]
    assert first["winner"] in (0, 1, None)
    assert sum(first["returns"]) == 0
    assert first["players"] == ["random", "minimax:depth=3"]
    assert {(move["player"], move["depth"]) for move in first["moves"]} == {(0, None), (1, 3)}


def test_perft(command):
    rows = json.loads(command("perft", "reversi", "6", "--json").stdout)["rows"]
    assert [row["leaves"] for row in rows] == [1, 4, 12, 56, 244, 1396, 8200]
    assert "8,200" in command("perft", "reversi", "6").stdout
    ended = json.loads(command("perft", "nim:piles=1", "3", "--count-ended", "--json").stdout)["rows"]
    assert [row["leaves"] for row in ended] == [1, 1, 1, 1]


def test_a_tree_file_and_a_python_file_are_games(command, tmp_path):
    (tmp_path / "t.json").write_text('{"max": {"left": {"min": [3, 5]}, "right": {"min": [2, 9]}}}')
    done = command("play", "t.json", "--first", "minimax", "--second", "minimax", "--json")
    assert [move["text"] for move in json.loads(done.stdout)["moves"]] == ["left", "1"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("play", "tictacto"), "there is no game 'tictacto'; did you mean 'tictactoe'?"),
        (("play", "reversi:sise=8"), "has no option 'sise'; did you mean 'size'?"),
        (("play", "reversi:size=5"), "size must be 4, 6 or 8, not 5"),
        (("play", "reversi:size=big"), "size must be of the form integer, not 'big'"),
        (("play", "tictactoe", "--first", "minmax"), "there is no player 'minmax'; did you mean 'minimax'?"),
        (("play", "tictactoe", "--first", "minimax:dpeth=3"), "did you mean 'depth'?"),
        (("play", "tictactoe", "--first", "minimax:depth=0"), "depth must be at least 1, not 0"),
        (("play", "tictactoe", "--first", "minimax:time=nan"), "time must be of the form number"),
        (("play", "tictactoe", "--player", "random"), "has 2 seats; give --player 2 times"),
        (("play", "tictactoe", "--player", "random", "--first", "random"), "not both"),
        (
            ("play", "tictactoe", "--move-time", "-1", "--first", "random", "--second", "random"),
            "positive number of seconds",
        ),
        (("play", "tictactoe", "--moves", "a1 a1"), "move 2: 'a1' is not legal here; legal: b1"),
        (("play", "absent.json"), "cannot read the tree file absent.json"),
        (("play", "absent.py"), "there is no file absent.py"),
        (("play",), "Missing argument"),
        (("perft", "reversi", "many"), "Input should be a valid integer"),
        (("perft", "reversi"), "Missing argument"),
        (("perft", "ludo", "3"), "there is no game 'ludo'"),
        (("ply", "tictactoe"), "No such command 'ply'"),
        (("play", "tictactoe", "--frist", "random"), "--frist"),
        (("bench", "perft"), "from the root of a clone"),
        (("play", "mine.py:size=5"), "a file takes no options"),
        (("play", "tictactoe", "--first", "human", "--json"), "a person needs the terminal"),
    ],
)
def test_bad_input_gets_one_clear_line(command, args, message):
    assert message in one_line_error(command(*args))


BARE_GAME = """
from typing import NamedTuple
from plyground import Game, to_move
class Bare(NamedTuple):
    x: int
@to_move.rule(Bare)
def _(state):
    return 0
game = Game("bare", initial=Bare(0))
"""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("x = 1", "makes no game"),
        ("def f(:", "does not run: SyntaxError"),
        ("1 / 0", "does not run: ZeroDivisionError"),
        ("import absent_module", "does not run: ModuleNotFoundError"),
        ("from plyground import Game\ngame = Game('x', initial=3)", "no rules are registered"),
        (BARE_GAME, "Bare has no rule legal_actions; write one: @legal_actions.rule(Bare) def _(state, out)"),
        ("from plyground import make_game\na = make_game('nim')\nb = make_game('reversi')", "makes 2 games"),
    ],
)
def test_broken_game_files(command, tmp_path, content, message):
    (tmp_path / "mine.py").write_text(content)
    assert message in one_line_error(command("play", "mine.py", "--first", "random", "--second", "random"))


def test_broken_tree_files(command, tmp_path):
    (tmp_path / "t.json").write_text('{"max": [1, {"min": []}]}')
    assert "t.json: root > 2: the children are a list or an object" in one_line_error(command("play", "t.json"))


def test_texts_of_games_are_not_markup(command, tmp_path):
    (tmp_path / "m.json").write_text('{"title": "[/b]", "root": {"max": {"[/x]": 1, "[bold]": {"min": [1, 2]}}}}')
    done = command("play", "m.json", "--first", "minimax", "--second", "random")
    assert (done.returncode, done.stderr) == (0, "") or "Compiling" in done.stderr
    assert "[/b]" in done.stdout
    assert "Traceback" not in command("play", "tictactoe", "--first", "human", stdin="[/x]\n").stderr


def test_three_players_and_a_resignation(command, tmp_path):
    (tmp_path / "three.json").write_text(
        '{"player": 0, "children": [[1, 2, 3], {"player": 2, "children": [[3, 2, 1]]}]}'
    )
    args = ("play", "three.json", "--player", "human", "--player", "random", "--player", "random")
    assert "The game ends early: player 1 resigns" in command(*args, stdin="resign\n").stdout


def test_minimax_refuses_chance_in_one_line(command, tmp_path):
    (tmp_path / "dice.json").write_text('{"chance": [{"max": [1, 2]}, 3]}')
    message = one_line_error(command("play", "dice.json", "--first", "minimax", "--second", "random"))
    assert "needs a deterministic game); use mcts, uct, flat, expectiminimax, maxn" in message
    done = command("play", "dice.json", "--first", "random", "--second", "random", "--seed", "1")
    assert done.returncode == 0
    assert "chance:" in done.stdout


@pytest.mark.slow
def test_an_unwritable_cache_is_a_note_not_a_failure(command, tmp_path):
    (tmp_path / "file").write_text("in the way")
    args = ("play", "tictactoe", "--first", "minimax:depth=2", "--second", "random", "-q")
    done = command(*args, env={"PLYGROUND_CACHE_DIR": str(tmp_path / "file" / "cache")})
    assert done.returncode == 0
    assert done.stderr.count("note: cannot keep compiled code in ") == 1
    assert "Traceback" not in done.stderr


def test_a_cold_start_says_that_it_compiles_and_a_warm_one_does_not(command, tmp_path):
    args = ("play", "tictactoe", "--first", "minimax", "--second", "random", "-q")
    env = {"PLYGROUND_CACHE_DIR": str(tmp_path / "cache")}
    assert "Compiling" in command(*args, env=env).stderr
    assert command(*args, env=env).stderr == ""


@pytest.mark.slow
def test_ctrl_c_between_players_keeps_the_moves():
    args = [*PLYGROUND, "play", "reversi", "--first", "minimax:time=0.3", "--second", "minimax:time=0.3", "--seed", "1"]
    process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stdout:
        if "4." in line:
            break
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert re.search(r"--moves '[a-h][1-8]( [a-h][1-8]){3,}'", errors)


def test_ctrl_c_in_perft():
    code = "from plyground.cli.main import main; print('begins', flush=True); main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "perft", "reversi", "30"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "begins\n"
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "stopped"
    assert "Traceback" not in errors


# A person at a terminal -------------------------------------------------------------------------------------------

pexpect = pytest.importorskip("pexpect", reason="needs a Unix terminal")


@pytest.fixture
def terminal(tmp_path):
    opened = []

    def open_terminal(*args):
        env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}
        child = pexpect.spawn(
            PLYGROUND[0], [*PLYGROUND[1:], *args], timeout=240, encoding="utf-8", env=env, cwd=tmp_path
        )
        opened.append(child)
        return child

    yield open_terminal
    for child in opened:
        child.close(force=True)


def test_a_person_plays_with_all_the_commands(terminal):
    child = terminal("play", "tictactoe", "--first", "human", "--second", "minimax:ties=first", "--seed", "3")
    child.expect("legal:.* a1 b1 c1")
    child.expect("X.*> ")
    child.sendline("help")
    child.expect("resign.*give up")
    child.sendline("z9")
    child.expect("'z9' is not legal here; legal: a1")
    child.sendline("nonsense!")
    child.expect("'nonsense!' is not an action")
    child.sendline("undo")
    child.expect("no move to take back")
    child.sendline("hint")
    child.expect("minimax would play")
    child.sendline("b2")
    child.expect("1. X: .*b2")
    child.expect("2. O: .*a1")
    child.expect("> ")
    child.sendline("undo")
    child.expect("legal:.* a1 b1 c1 a2 b2")
    child.sendline("moves")
    child.expect("a1 b1 c1")
    child.sendline("a1")
    child.expect("X.*> ")
    child.sendline("resign")
    child.expect("wins.*X resigns")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_colour_is_used_in_a_terminal(terminal):
    child = terminal("play", "reversi", "--first", "human", "--second", "random")
    child.expect("> ")
    assert "\x1b[" in child.before


def test_ctrl_c_at_the_prompt_says_how_to_go_on(terminal):
    child = terminal("play", "tictactoe", "--first", "human", "--second", "random", "--seed", "4")
    child.expect("X.*> ")
    child.sendline("a1")
    child.expect("X.*> ")
    child.sendintr()
    child.expect("To go on:")
    child.expect("--moves 'a1 [abc][123]' --player human --player random")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_going_on_from_there(terminal):
    child = terminal("play", "tictactoe", "--moves", "a1 b2", "--player", "human", "--player", "random")
    child.expect("legal:.* b1 c1 a2 c2 a3 b3 c3")


def test_the_end_of_input_is_not_a_hang(command):
    done = command("play", "tictactoe", "--first", "human", "--second", "random", stdin="a1\n")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "--moves" in done.stderr


def test_no_players_named_means_you_against_the_computer_by_lot(command):
    seats = set()
    for seed in range(6):
        done = command("play", "tictactoe", "--seed", str(seed), stdin="")
        seats.add(re.search(r"X: (\w+), O: (\w+)", done.stdout).groups())
    assert seats == {("human", "minimax"), ("minimax", "human")}
