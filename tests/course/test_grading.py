"""A class hands in, some of it broken or hostile: all is graded, the right one is blamed, and again it is the same."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import environment
from hand_ins import BROKEN, HONEST, source, write_class
from plyground.arena.database import Database
from plyground.arena.hall import Output, _output_file, read_output
from plyground.course.handins.grading import grade
from plyground.course.handins.marking import Fault, Mark, Measured, Terms, excerpt
from plyground.errors import BadOption, DatabaseError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no programs of others are run on Windows")
MEASURED = re.compile(r'<span class="measured">[^<]*</span>')
CALM = ("--games", "2", "--opponents", "random", "--memory", "500", "--seed", "3", "--move-time", "30")
HASTY = (*CALM[:-1], "4")
"""Where some never answer; the others need a hundredth of it."""


def pages(folder):
    """All pages of a report, without what was measured."""
    files = sorted(folder.rglob("*.html"))
    return {file.relative_to(folder).as_posix(): MEASURED.sub("", file.read_text(encoding="utf-8")) for file in files}


def facts(text):
    """The marks of `--json`, without what was measured."""
    return [{name: value for name, value in mark.items() if name != "measured"} for mark in json.loads(text)["marks"]]


def check_blame(marks):
    for mark in marks:
        codes = [fault["code"] for fault in mark["faults"]]
        if mark["name"].startswith("broken "):
            name = mark["name"].removeprefix("broken ")
            assert codes, name
            assert all(re.fullmatch(BROKEN[name][2], code) for code in codes), (name, codes)
            assert mark["score"] == 0
            assert mark["facts"]["forfeits"] == mark["facts"]["lost"] == mark["facts"]["games"]
        else:
            assert not codes, mark
            assert mark["facts"]["won"] + mark["facts"]["drawn"] + mark["facts"]["lost"] == mark["facts"]["games"]


def graded_twice(command, honest, broken, rules, *more):
    write_class(command.folder / "class", honest, broken)
    done = command("course", "grade", "class", *rules, "--out", "one", "--json", *more)
    assert done.returncode == 0, done.stderr
    marks = facts(done.stdout)
    assert len(marks) == honest + len(broken)
    check_blame(marks)
    again = command("course", "grade", "class", *rules, "--out", "two", "--json", *more)
    assert facts(again.stdout) == marks
    assert pages(command.folder / "one") == pages(command.folder / "two")
    return marks


def test_a_class_with_broken_and_hostile_hand_ins(command):
    marks = graded_twice(command, 3, ["crashes", "illegal", "import", "wrong class", "memory"], CALM)
    page = (command.folder / "one" / "students" / "broken_crashes.html").read_text(encoding="utf-8")
    assert "IndexError: list index out of range" in page
    assert "return legal[len(legal)]" in page  # the traceback, with the student's own line
    assert "plyground-players" not in page
    shared = (command.folder / "one" / "report.html").read_text(encoding="utf-8")
    assert "legal[" not in shared
    assert "IndexError" not in shared
    assert all(mark["name"] in shared for mark in marks)
    chinese = (command.folder / "one" / "report.zh.html").read_text(encoding="utf-8")
    assert "程序出错" in chinese
    assert 'lang="zh-CN"' in chinese


@pytest.mark.slow
def test_a_class_of_thirty_of_whom_ten_are_broken_or_hostile(command):
    graded_twice(command, 20, list(BROKEN)[:10], HASTY)


@pytest.mark.slow
def test_a_class_at_two_games_at_a_time_has_the_same_grades(command):
    marks = graded_twice(command, 4, list(BROKEN), HASTY, "--jobs", "2")
    done = command("course", "grade", "class", *HASTY, "--out", "three", "--json")
    assert facts(done.stdout) == marks


@pytest.mark.slow
def test_grading_goes_on_after_a_kill(command):
    write_class(command.folder / "class", 3, ["crashes"])
    args = ("course", "grade", "class", *CALM, "--json", "--out", "report")
    running = subprocess.Popen(
        [sys.executable, "-m", "plyground.cli.main", *args],
        cwd=command.folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    games = command.folder / "report" / "work" / "games.db"

    def played():
        try:
            with Database(games, write=False) as base:
                return {game.key: game.started for game in base.results()}
        except DatabaseError:  # not there yet, or just being made
            return {}

    while not played():
        assert running.poll() is None, running.communicate()
        time.sleep(0.01)
    running.kill()
    running.communicate()
    before = played()
    assert before
    done = command(*args)
    after = played()
    assert before.items() <= after.items()  # what was played is not played again
    assert len(after) == 4 * 2
    whole = command(*args[:-1], "anew")
    assert facts(done.stdout) == facts(whole.stdout)
    assert pages(command.folder / "report") == pages(command.folder / "anew")


@pytest.mark.slow
def test_only_what_has_changed_is_graded_anew(command):
    write_class(command.folder / "class", 2, [])
    args = ("course", "grade", "class", *CALM, "--json", "--out", "report")
    first = {mark["name"]: mark for mark in json.loads(command(*args).stdout)["marks"]}
    changed = command.folder / "class" / "student 01, first.py"
    changed.write_text(source("x", "", "return legal[99]"), encoding="utf-8")
    second = {mark["name"]: mark for mark in json.loads(command(*args).stdout)["marks"]}
    assert second["student 00 random"] == first["student 00 random"]  # measured figures too: it was not run again
    assert second["student 01, first"]["faults"]
    assert second["student 01, first"]["digest"] != first["student 01, first"]["digest"]


def test_what_grade_refuses(command):
    (command.folder / "class").mkdir()
    (command.folder / "file").write_text("", encoding="utf-8")
    for args, message in (
        (("nowhere",), "there is no folder 'nowhere'"),
        (("class",), "there is no hand-in in 'class'"),
        (("class", "--assignment", "go"), "there is no assignment 'go'"),
        (("class", "--out", "file"), "--out must be a folder, and 'file' is a file"),
        (("class", "--out", "class"), "--out must be another folder than that of the hand-ins"),
        (("class", "--move-time", "0"), "--move-time is from 0.05"),
        (("class", "--games", "0"), "--games is from 1"),
        (("class", "--memory", "1"), "--memory is from 50"),
        (("class", "--opponents", "nobody"), "there is no player 'nobody'"),
        (("class", "--opponents", "random", "--opponents", "random"), "none of them twice"),
        (("class", "--opponents", "course:file=file"), "is made of files"),
        (("class", "--assignment", "queens", "--sizes", "8,x"), "--sizes are numbers of queens"),
        (("class", "--assignment", "queens", "--sizes", "3"), "--sizes are numbers of queens"),
        (("class", "--assignment", "wumpus", "--caves", "1"), "--caves is from 2"),
        (("class", "--cage", "paper"), "--cage must be one of"),
    ):
        done = command("course", "grade", *args)
        assert done.returncode == 2, args
        assert message in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1


# What is handed in ------------------------------------------------------------------------------------------------


def test_all_sorts_of_things_are_handed_in(command):
    """Archives, empty folders, nested folders, links, odd names: each has a line, and none stops the others."""
    folder = command.folder / "class"
    (folder / "empty").mkdir(parents=True)
    (folder / "nested" / "submission" / "src").mkdir(parents=True)
    (folder / "two").mkdir()
    text = "def solve(n):\n    return [1, 3, 0, 2]\n"
    (folder / "nested" / "submission" / "src" / "mine.py").write_text(text, encoding="utf-8")
    (folder / "two" / "a.py").write_text("def other(n): pass\n", encoding="utf-8")
    (folder / "two" / "b.py").write_text("def another(n): pass\n", encoding="utf-8")
    (folder / "late.zip").write_bytes(b"PK")
    (folder / "=cmd|' '!A1.py").write_text(text, encoding="utf-8")
    (folder / "<b>bold.py").write_text(text, encoding="utf-8")
    (folder / "\x1b[31mred.py").write_text(text, encoding="utf-8")
    (folder / "bytes.py").write_bytes(b"\xff\xfe\x00 = 1")
    (folder / "link.py").symlink_to("/etc/passwd")
    (folder / ".hidden.py").write_text("", encoding="utf-8")
    done = command("course", "grade", "class", "--assignment", "queens", "--sizes", "4", "--move-time", "5", "--json")
    assert done.returncode == 0, done.stderr
    marks = {mark["name"]: mark for mark in json.loads(done.stdout)["marks"]}
    codes = {name: [fault["code"] for fault in mark["faults"]] for name, mark in marks.items()}
    assert codes == {
        "empty": ["missing"], "nested": [], "two": ["missing"], "late.zip": ["archive"], "=cmd|' '!A1": [],
        "<b>bold": [], "\\x1b[31mred": [], "bytes": ["start"],
    }  # fmt: skip
    table = (command.folder / "report" / "grades.csv").read_text(encoding="utf-8-sig")
    names = [row[1] for row in csv.reader(io.StringIO(table))]
    assert "'=cmd|' '!A1" in names
    for page in (command.folder / "report").rglob("*.html"):
        assert "<b>bold" not in page.read_text(encoding="utf-8")
        assert "\x1b" not in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_student_grades_their_own_folder(command):
    """The folder with the files that were given out is one hand-in, and the report in it is no part of it."""
    assert command("course", "init", ".", "--assignment", "queens").returncode == 0
    args = ("course", "grade", ".", "--assignment", "queens", "--sizes", "8", "--json")
    first, second = json.loads(command(*args).stdout), json.loads(command(*args).stdout)
    assert first == second  # graded once
    assert [fault["code"] for fault in first["marks"][0]["faults"]] == ["wrong"]
    assert not first["pairs"]


@pytest.mark.slow
def test_what_is_printed_is_in_the_language_asked_for(command):
    """Of a single hand-in every fault is told, since it is its author who reads it."""
    (command.folder / "class").mkdir()
    wrong = "def solve(n):\n    return [0] * n\n"
    (command.folder / "class" / "anna.py").write_text(wrong, encoding="utf-8")
    args = ("course", "grade", "class", "--assignment", "queens", "--sizes", "4,5,6,7,8,9,10")
    english, chinese = command(*args).stdout, command(*args, "--lang", "zh").stdout
    assert "hand-in ┃ solved ┃ what went wrong" in english
    assert "5 queens: a wrong answer: the queens of the columns 0 and 1 attack each other" in english
    assert "and 2 more: see teacher.html" in english
    assert "作业 ┃ 解出率 ┃ 出现的问题" in chinese
    assert "5 个皇后：答案错误" in chinese
    assert "另有 2 处：见 teacher.zh.html" in chinese
    (command.folder / "class" / "ben.py").write_text(wrong, encoding="utf-8")
    report = command.folder / "report" / "report.html"
    assert "· 1 hand-in<" in report.read_text(encoding="utf-8")
    assert "9 queens" not in command(*args).stdout
    assert "· 2 hand-ins<" in report.read_text(encoding="utf-8")
    refused = command(*args, "--lang", "fr")
    assert refused.returncode == 2
    assert refused.stderr.strip() == "error: there is no language 'fr'; there are: en, zh"


@pytest.mark.slow
def test_the_player_of_the_page_plays_by_the_rules(command):
    """The listing for Reversi, with less time for a move; those of the other assignments are graded on the page."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "assignments.md").read_text(encoding="utf-8")
    listing = page.partition("<!-- file: ai_player.py -->\n```python\n")[2].partition("```")[0]
    assert command("course", "init", "mine", "--assignment", "reversi").returncode == 0
    file = command.folder / "mine" / "ai_player.py"
    file.write_text(listing.replace("SECONDS = 5\n", "SECONDS = 0.02\n"), encoding="utf-8")
    done = command("course", "grade", "mine", "--opponents", "random", "--games", "2", "--json")
    (mark,) = json.loads(done.stdout)["marks"]
    assert not mark["faults"]
    assert mark["facts"]["won"] + mark["facts"]["drawn"] + mark["facts"]["lost"] == 2


# The other assignments --------------------------------------------------------------------------------------------

ALPHABETA = """
import math
from rules import is_over, moves, result, to_move, winner
nodes = 0
def best_move(board):
    global nodes
    nodes = 0
    sign = 1 if to_move(board) == "X" else -1
    return CHOICE(moves(board), key=lambda square: sign * alphabeta(result(board, square)))
def alphabeta(board, alpha=-math.inf, beta=math.inf):
    global nodes
    nodes += 1
    if is_over(board):
        return {"X": 1, "O": -1, None: 0}[winner(board)]
    best = -math.inf if to_move(board) == "X" else math.inf
    for square in moves(board):
        value = alphabeta(result(board, square), alpha, beta)
        if to_move(board) == "X":
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
"""
SOLVER = """
def solve(n):
    rows = list(range(1, n, 2)) + list(range(0, n, 2))  # right unless n gives 2 or 3 by division by 6
    return rows
"""
AGENT = """
class Agent:
    def __init__(self, width, height):
        self.width = width
    def act(self, percept):
        return "grab" if percept.glitter else "climb"
"""


def grade_files(command, assignment, files, *args):
    folder = command.folder / "class"
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    done = command("course", "grade", "class", "--assignment", assignment, "--json", "--memory", "300", *args)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return {mark["name"]: mark for mark in found["marks"]}, found


def codes_of(mark):
    return list(dict.fromkeys(fault["code"] for fault in mark["faults"]))


def test_tictactoe_is_graded(command):
    marks, _ = grade_files(
        command, "tictactoe",
        {
            "best": ALPHABETA.replace("CHOICE", "max"), "worst": ALPHABETA.replace("CHOICE", "min"),
            "first": "def best_move(board): return board.index(' ')", "ninth": "def best_move(board): return 9",
            "true": "def best_move(board): return True",
            "hoards": "def best_move(board): return bytearray(10**10)",
            "crash": "import os\ndef best_move(board): os._exit(1)",
        },
        "--move-time", "20",
    )  # fmt: skip
    assert marks["best"]["score"] == 1
    assert marks["best"]["facts"]["never_loses"]
    assert 9 < marks["best"]["facts"]["nodes"] < 549_946
    assert not marks["best"]["faults"]
    assert marks["worst"]["score"] < 0.5
    assert not marks["worst"]["facts"]["never_loses"]
    assert codes_of(marks["first"]) == ["not best", "loses"]
    assert codes_of(marks["ninth"])[0] == codes_of(marks["true"])[0] == "illegal"
    assert codes_of(marks["hoards"]) == ["memory"]
    assert codes_of(marks["crash"]) == ["ended"]


def test_queens_are_graded(command):
    marks, found = grade_files(
        command, "queens",
        {
            "right": SOLVER, "same": SOLVER.replace("rows", "columns"), "none": "def solve(n): return None",
            "numbers": "def solve(n): return [0.5] * n",
            "late": SOLVER.replace("rows =", "while n == 4: pass\n    rows ="),
            "prints": SOLVER.replace("rows =", "print('x' * 10**7)\n    rows ="),
        },
        "--sizes", "4,6,8", "--move-time", "2",
    )  # fmt: skip
    assert marks["right"]["facts"] == {"solved": 2, "asked": 3, "largest": 6}
    assert marks["right"]["faults"][0]["detail"].endswith("attack each other")
    assert marks["prints"]["facts"]["solved"] == 2
    for name in ("none", "numbers"):
        assert marks[name]["score"] == 0
    assert marks["late"]["facts"] == {"solved": 1, "asked": 3, "largest": 6}
    assert codes_of(marks["late"]) == ["time", "wrong"]
    assert found["terms"]["sizes"] == [4, 6, 8]


def test_wumpus_agents_are_graded(command):
    marks, found = grade_files(
        command, "wumpus",
        {
            "careful": AGENT, "jumps": AGENT.replace("climb", "jump"), "counts": AGENT.replace('"climb"', "6"),
            "two": AGENT.replace("width, height", "width"),
        },
        "--caves", "12",
    )  # fmt: skip
    assert marks["careful"]["facts"]["mean"] == marks["counts"]["facts"]["mean"] == -1
    assert marks["careful"]["facts"]["died"] == 0
    assert [codes_of(marks[name]) for name in ("jumps", "two")] == [["action"], ["error"]]
    assert all(marks[name]["score"] == -1000 for name in ("jumps", "two"))
    means = {peer["agent"]: peer["mean"] for peer in found["agents"]}
    assert means["logical"] > -1 > means["random"]
    page = (command.folder / "report" / "report.zh.html").read_text(encoding="utf-8")
    assert "logical（" in page or "logical (" in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("assignment", "text"),
    [
        ("tictactoe", "def best_move(board):\n    while True: pass"),
        ("wumpus", AGENT.replace("return", "import time; time.sleep(99); return")),
        ("wumpus", "class Agent:\n    def __init__(self, width, height):\n        while True: print('noise ' * 100)"),
        ("queens", "def solve(n):\n    while True: print('noise ' * 100)"),
    ],
)
def test_what_never_answers_is_given_up(command, assignment, text):
    marks, _ = grade_files(command, assignment, {"late": text}, "--move-time", "2", "--caves", "12", "--sizes", "4,6")
    assert codes_of(marks["late"]) == ["time"]
    assert marks["late"]["score"] == (-1000 if assignment == "wumpus" else 0)


# Own programs by their commands -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_own_solver(command):
    (command.folder / "mine.py").write_text(
        "def solve(n):\n    print('hello\\x07')\n" + SOLVER.split(":", 1)[1], encoding="utf-8"
    )
    done = command("queens", "6", "--solver", "mine.py:solve", "--out", "board.svg", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert "6 queens placed and verified" in done.stdout
    assert "| hello\\x07" in done.stderr
    assert (command.folder / "board.svg").exists()
    wrong = command("queens", "8", "--solver", "mine.py:solve", "--json")
    assert wrong.returncode == 1
    assert json.loads(wrong.stdout)["solved"] is False
    for args, message in (
        (("8", "--solver", "mine.py"), "--solver is a file and a name in it, such as solver.py:solve, not 'mine.py'"),
        (("8", "--solver", "nowhere.py:solve"), "there is no file nowhere.py"),
        (("8", "--solver", "mine.py:other"), "mine.py: AttributeError: there is no other in it"),
        (("3", "--solver", "mine.py:solve"), "3 queens cannot be placed"),
        (("8", "--solver", "mine.py:solve", "--runs", "2"), "--solver answers once"),
    ):
        done = command("queens", *args)
        assert done.returncode == 2
        assert message in done.stderr


def test_an_own_agent(command):
    (command.folder / "mine.py").write_text(AGENT, encoding="utf-8")
    (command.folder / "caves.txt").write_text(". W\n@ G\n\n. WG .\n@ . P\n", encoding="utf-8")
    many = json.loads(command("wumpus", "--agent", "mine.py:Agent,logical", "--caves", "caves.txt", "--json").stdout)
    assert (many["agents"][0]["agent"], many["agents"][0]["mean"]) == ("mine.py:Agent", -1)
    assert many["worlds"] == 2
    one = json.loads(
        command("wumpus", "--agent", "mine.py:Agent", "--seed", "4", "--json", "--out", "visit.html").stdout
    )
    assert [turn["action"] for turn in one["turns"]] == ["climb"]
    assert "mine.py:Agent" in (command.folder / "visit.html").read_text(encoding="utf-8")
    drawn = json.loads(command("wumpus", "--agent", "mine.py:Agent", "--worlds", "5", "--seed", "4", "--json").stdout)
    assert drawn["agents"][0]["mean"] == -1
    (command.folder / "jumps.py").write_text(AGENT.replace("climb", "jump"), encoding="utf-8")
    failed = command("wumpus", "--agent", "jumps.py:Agent", "--seed", "4")
    assert failed.returncode == 2
    assert "'jump' is none of left, right, forward" in failed.stderr
    counted = command("wumpus", "--agent", "jumps.py:Agent", "--worlds", "5", "--seed", "4", "--json")
    assert json.loads(counted.stdout)["agents"][0]["died"] == 1
    assert "a visit that fails counts as a death" in counted.stderr


# Marks and tables ---------------------------------------------------------------------------------------------------


def test_a_mark_is_read_as_it_is_written():
    mark = Mark("a", "b", 0.5, {"won": 1}, (Fault("time", "x", {"n": 4}, "out"),), Measured(1.0, 2.0, 3))
    assert Mark.from_dict(json.loads(json.dumps(mark.as_dict()))) == mark


def test_output_is_made_visible_and_short():
    words = "".join(f"line {number}\x1b[2J\n" for number in range(100))
    shown = excerpt(words).splitlines()
    assert shown[-1] == "line 99\\x1b[2J"
    assert len(shown) == 25
    assert excerpt('File "/tmp/plyground-players-ab_1/3/0/x.py", line 1') == 'File "x.py", line 1'


def test_terms_that_are_none():
    with pytest.raises(BadOption):
        Terms("reversi", games=0)
    assert Terms("reversi").id == Terms("reversi").id != Terms("reversi", seed=1).id


# What would keep the others from their grades ------------------------------------------------------------------------

PLACED = "def solve(n):\n    return [1, 3, 0, 2]\n"
FIRST = source("first", "", HONEST["first"])
FORGE = """import os
for number in range(3, 20):
    try:
        os.write(number, b'[' * 100_000 + b'\\n')
    except OSError:
        pass
"""


def names_of(done):
    assert done.returncode == 0, done.stderr
    return [mark["name"] for mark in json.loads(done.stdout)["marks"]]


def test_names_cannot_bring_down_the_report_nor_write_lines_into_it(command):
    """Names as long as a file can have, of several lines, of nothing, in no encoding, or taken by another."""
    folder = command.folder / "class"
    folder.mkdir()
    for name in ("\U00020000" * 60, "a\nanna 100%", "twice (2)", "twice", "\u00e9", "e\u0301"):
        (folder / name).mkdir()
        (folder / name / "solver.py").write_text(PLACED, encoding="utf-8")
    for name in (b"twice.py", b" .py", b"\xd5\xc5\xc8\xfd.py", b"x" * 250 + b".py"):
        (folder / os.fsdecode(name)).write_text(PLACED, encoding="utf-8")
    args = ("course", "grade", "class", "--assignment", "queens", "--sizes", "4")
    names = names_of(command(*args, "--json"))
    assert len(names) == len(set(names)) == 10
    assert {"twice", "twice (2)", "twice (3)", "handin", "a anna 100%", "x" * 80} <= set(names)
    assert len(list((command.folder / "report" / "students").glob("*.zh.html"))) == 10
    assert "\nanna" not in command(*args).stdout
    table = (command.folder / "report" / "grades.csv").read_text(encoding="utf-8-sig")
    assert len(table.splitlines()) == 11


@pytest.mark.slow
def test_names_of_files_are_no_options_of_players(command):
    folder = command.folder / "class"
    folder.mkdir()
    for name in (b"a,timeout=1.py", b"b,seed=1,memory=1.py", b"c\n.py", b"\xd5\xc5.py", b"--json.py", b"d=e.py"):
        (folder / os.fsdecode(name)).write_text(FIRST, encoding="utf-8")
    (folder / "f,timeout=1").mkdir()
    (folder / "f,timeout=1" / "g,seed=h").mkdir()
    (folder / "f,timeout=1" / "g,seed=h" / "ai_player.py").write_text(FIRST, encoding="utf-8")
    done = command("course", "grade", "class", *CALM, "--json")
    assert len(names_of(done)) == 7
    assert not any(mark["faults"] for mark in json.loads(done.stdout)["marks"])


def test_what_is_forged_at_the_start_costs_one_hand_in_alone(command):
    folder = command.folder / "class"
    folder.mkdir()
    (folder / "forges.py").write_text(FORGE + FIRST, encoding="utf-8")
    (folder / "honest.py").write_text(FIRST, encoding="utf-8")
    done = command("course", "grade", "class", *CALM, "--json")
    assert sorted(names_of(done)) == ["forges", "honest"]
    faults = {mark["name"]: mark["faults"] for mark in json.loads(done.stdout)["marks"]}
    assert not faults["honest"]
    (fault,) = faults["forges"]
    assert (fault["code"], fault["detail"]) == ("start", "forges.py has written over the line to its referee")


def test_who_kills_its_own_program_is_to_be_graded_again_and_the_others_have_their_grades(command):
    """Where the machine has no cage a program can do so, and it looks as if somebody else had."""
    files = {"kills": "import os\ndef solve(n): os.kill(os.getpid(), 9)\n", "honest": PLACED}
    for jobs in ("1", "2"):
        marks, _ = grade_files(command, "queens", files, "--sizes", "4", "--cage", "off", "--jobs", jobs)
        assert (marks["honest"]["score"], codes_of(marks["kills"])) == (1, ["killed"])
        assert len(list((command.folder / "report" / "work" / "marks").iterdir())) == 1  # nothing is kept of the other
        shutil.rmtree(command.folder / "class")


@pytest.mark.slow
def test_kept_marks_that_were_changed_are_made_anew(command):
    marks, _ = grade_files(command, "queens", {"anna": "def solve(n): return 0\n"}, "--sizes", "4")
    (kept,) = (command.folder / "report" / "work" / "marks").iterdir()
    args = ("course", "grade", "class", "--assignment", "queens", "--json", "--memory", "300", "--sizes", "4")
    text = kept.read_text(encoding="utf-8")
    for changed in (text.replace('"score": 0.0', '"score": 1.0'), text[:-9], "", "null", "[" * 10**5, "\0\ud7ff"):
        kept.write_text(changed, encoding="utf-8")
        done = command(*args)
        assert done.returncode == 0, done.stderr
        assert facts(done.stdout) == [{key: marks["anna"][key] for key in facts(done.stdout)[0]}]
        assert kept.read_text(encoding="utf-8") != changed


def test_a_folder_that_changes_while_it_is_graded_is_reported_as_it_was(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    for name in ("anna", "bert"):
        (folder / f"{name}.py").write_text(SOLVER * 3, encoding="utf-8")
    terms = Terms("queens", sizes=(4,))
    found = grade(folder, terms, tmp_path / "work", on_progress=lambda *_: shutil.rmtree(folder, ignore_errors=True))
    assert found.sources == {name: {f"{name}.py": SOLVER * 3} for name in ("anna", "bert")}
    assert [mark.score for mark in found.marks] == [1, 1]
    assert len(found.pairs) == 1


def test_a_file_of_the_assignments_name_among_a_class_is_not_given_the_others_work(command):
    for name in ("anna", "bert"):
        (command.folder / "class" / name).mkdir(parents=True)
        (command.folder / "class" / name / "solver.py").write_text(PLACED, encoding="utf-8")
    (command.folder / "class" / "solver.py").write_text(PLACED, encoding="utf-8")
    done = command("course", "grade", "class", "--assignment", "queens")
    assert done.returncode == 2
    assert "move it into a folder with the student's name" in done.stderr


def test_the_report_goes_into_no_hand_in(command):
    (command.folder / "class" / "report").mkdir(parents=True)
    (command.folder / "class" / "report" / "solver.py").write_text(PLACED, encoding="utf-8")
    args = ("course", "grade", "class", "--assignment", "queens", "--sizes", "4", "--json")
    done = command(*args, "--out", "class/report")
    assert done.returncode == 2
    assert "is a hand-in" in done.stderr
    assert names_of(command(*args, "--out", "class/results")) == ["report"]
    assert names_of(command(*args, "--out", "class/results")) == ["report"]  # it knows its own report again


def test_an_agent_is_not_told_the_seed_of_the_caves(command):
    """Who knows it knows the caves: the rules of the house can be read in the cage."""
    agent = AGENT.replace("self.width = width", "print('drawn', random.random())")
    files = {"draws": f"import random\n{agent}".replace('"climb"', "1 / 0")}
    marks, _ = grade_files(command, "wumpus", files, "--caves", "2", "--seed", "5")
    said = marks["draws"]["faults"][0]["output"]
    assert f"drawn {random.Random(5).random()}" not in said
    assert f"drawn {random.Random(Terms('wumpus', seed=5).students_seed).random()}" in said


def test_a_truth_value_is_no_number_of_nodes(command):
    files = {"true": "nodes = True\ndef best_move(board): return board.index(' ')\n"}
    marks, _ = grade_files(command, "tictactoe", files)
    assert marks["true"]["facts"]["nodes"] is None


def test_notes_about_programs_that_were_changed_are_left_out(tmp_path):
    file = _output_file(tmp_path, "key", 0)
    for text in ('{"words": "x", "memory": 7}', '{"words": "x", "memory": "y"}', '{"words": "x", "memory": 1e999}',
                 '{"words": "x", "memory": NaN}', "[]", "7", "", "[" * 10**5):  # fmt: skip
        file.write_text(text, encoding="utf-8")
        assert read_output(tmp_path, "key", 0) == (Output("x", 7) if "7}" in text else Output())


@pytest.mark.parametrize("name", ["marks", "programs"])
def test_a_file_in_the_place_of_a_folder_of_the_report_is_refused(command, name):
    (command.folder / "class").mkdir()
    (command.folder / "class" / "anna.py").write_text(FIRST, encoding="utf-8")
    (command.folder / "report" / "work").mkdir(parents=True)
    (command.folder / "report" / "work" / name).write_text("", encoding="utf-8")
    done = command("course", "grade", "class", *CALM)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("error: cannot make the folder")
