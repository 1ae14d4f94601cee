"""What is given out works with plain Python, is the framework that grades, and never replaces a student's work."""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from plyground.course.handins.assignments import ASSIGNMENTS, given_out, make_assignment, write_handout
from plyground.course.handins.tictactoe_marks import EMPTY, exact_moves, to_ask
from plyground.errors import BadOption, FormatError, UnknownName
from plyground.protocols import course
from plyground.subjects.wumpus.caves import read_caves, write_cave
from plyground.subjects.wumpus.world import ACTIONS, Cave, make_world, perceive, start, step

LANGUAGES = ("en", "zh")


def plain_python(folder, *args, stdin=""):
    """Run a file as a student does whose Python has nothing installed: no packages, no environment."""
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-X", "utf8", "-W", "error", *args],
        cwd=folder, env={"PATH": os.environ["PATH"]}, input=stdin,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done


def module(folder, name):
    specification = importlib.util.spec_from_file_location(f"{name}_{abs(hash(folder))}", folder / f"{name}.py")
    made = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(made)
    return made


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "args", "stdin", "ends"),
    [
        ("reversi", ("main.py", "random", "random"), "", ("获胜!", "平局", "wins.", "A draw.")),
        ("reversi", ("main.py",), "", ("获胜!", "平局", "wins.", "A draw.")),
        ("reversi", ("main.py", "human", "ai"), "x\nD3\nQ\nQ\n", ("获胜!", "平局", "wins.", "A draw.")),
        ("reversi", ("main.py", "human", "ai"), "x\n", ("输入", "your square")),
        ("queens", ("main.py", "4"), "", ("attack each other", "互相攻击", "queens placed, ", "个皇后已放好")),
        ("wumpus", ("main.py", "--show"), "", ("mean of 12 caves: ", "12 个洞穴的平均得分")),
        (
            "tictactoe",
            ("main.py", "--text"),
            "9\n" + "0\n1\n2\n3\n4\n5\n6\n7\n8\n" * 9,
            ("You", "A draw", "你", "平局"),
        ),
    ],
)
def test_it_runs_without_anything_installed(tmp_path, lang, name, args, stdin, ends):
    write_handout(make_assignment(name), tmp_path, lang=lang)
    done = plain_python(tmp_path, *args, stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert any(end in done.stdout[-300:] for end in ends), done.stdout[-300:]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_the_file_to_fill_in_is_there_and_explained(tmp_path, lang, name):
    assignment = make_assignment(name)
    texts = given_out(assignment, lang)
    assert assignment.wanted in texts[assignment.file]
    assert "TODO" in texts[assignment.file]
    assert assignment.file in texts["README.md"]
    assert all(f"`{file}`" in texts["README.md"] for file in texts if file != "README.md")
    assert "WSL 2" in texts["README.md"]
    assert not any("plyground" in text for file, text in texts.items() if file != "README.md")
    chinese = {name for name, text in texts.items() if any("\u4e00" <= letter <= "\u9fff" for letter in text)}
    spoken = {name for name, text in texts.items() if "LANG =" in text}  # has the words of both
    assert assignment.file in chinese if lang == "zh" else chinese <= spoken
    assert not any('LANG = "en"' in text for text in texts.values()) or lang == "en"


def test_the_framework_given_out_is_that_of_the_grading(tmp_path, monkeypatch):
    write_handout(make_assignment("reversi"), tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    ours, theirs = course.Board(), module(tmp_path, "board").Board()
    luck = random.Random(5)
    for _ in range(20):
        for color in "XO":
            legal = list(ours.get_legal_actions(color))
            assert legal == list(theirs.get_legal_actions(color))
            if legal:
                square = luck.choice(legal)
                assert ours._move(square, color) == theirs._move(square, color)
        assert ours._board == theirs._board
        assert ours.get_winner() == theirs.get_winner()
    names = {"Game": "game", "TooLong": "game", "HumanPlayer": "players", "RandomPlayer": "players"}
    for name, file in names.items():
        made = getattr(module(tmp_path, file), name)
        public = {one for one in vars(getattr(course, name)) if not one.startswith("__")}
        assert public <= set(vars(made))
    for loaded in ("board",):  # imported by the game that was given out
        sys.modules.pop(loaded, None)


def test_nothing_is_replaced_without_being_told(command):
    done = command("course", "init", "mine", "--assignment", "queens")
    assert done.returncode == 0
    assert "mine/solver.py" in done.stdout
    mine = command.folder / "mine" / "solver.py"
    mine.write_text("my work\n", encoding="utf-8")
    again = command("course", "init", "mine", "--assignment", "queens")
    assert again.returncode == 2
    assert "has board.py, main.py, README.md, solver.py already; --force replaces them" in again.stderr
    assert mine.read_text(encoding="utf-8") == "my work\n"
    assert command("course", "init", "mine", "--assignment", "queens", "--force", "--lang", "zh").returncode == 0
    assert "请提交这个文件" in mine.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ("x", "--assignment", "chess"),
            "there is no assignment 'chess'; there are: queens, reversi, tictactoe, wumpus",
        ),
        (("x", "--assignment", "queen"), "did you mean 'queens'?"),
        (("x", "--lang", "fr"), "there is no language 'fr'"),
        (("file",), "'file' is not a folder"),
        (("",), "DIR is the name of a folder"),
    ],
)
def test_what_init_refuses(command, args, message):
    (command.folder / "file").write_text("", encoding="utf-8")
    done = command("course", "init", *args)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (command.folder / "x").exists()


def test_an_assignment_has_a_name():
    with pytest.raises(UnknownName):
        make_assignment("")
    with pytest.raises(BadOption):
        write_handout(make_assignment("queens"), Path(__file__))


# The Wumpus world in plain Python is the one here -------------------------------------------------------------------


def test_the_world_given_out_is_the_one_that_grades(tmp_path):
    write_handout(make_assignment("wumpus"), tmp_path)
    theirs = module(tmp_path, "wumpus")
    luck = random.Random(1)
    for seed in range(60):
        world = make_world(Cave(luck.randint(2, 5), luck.randint(2, 5), 0.15), seed=seed)
        (cave,) = theirs.read_caves(write_cave(world))
        state, percept = start(world), perceive(world, start(world))
        assert tuple(cave.enter()) == tuple(percept)
        while not cave.over:
            action = luck.randrange(len(ACTIONS) - (luck.random() < 0.9))
            state, percept, _ = step(world, state, action)
            assert tuple(cave.act(ACTIONS[action])) == tuple(percept)
            assert (cave.score, cave.at, cave.alive, cave.out, cave.has_gold) == (
                state.score, state.at, state.alive, state.out, state.has_gold,
            )  # fmt: skip
        assert state.ended or state.steps == world.cave.most_steps


def test_caves_are_read_as_they_are_written(tmp_path):
    file = tmp_path / "caves.txt"
    worlds = [make_world(Cave(3 + seed % 3, 2 + seed % 4), seed=seed) for seed in range(30)]
    file.write_text(
        "# caves\n\n" + "\n".join(write_cave(world) + "# said after it\n" for world in worlds), encoding="utf-8"
    )
    assert [write_cave(world) for world in read_caves(file)] == [write_cave(world) for world in worlds]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no cave"),
        (". W\n. G .\n", "line 2: this row has 3 squares, and the first one 2"),
        (". W\n. x\n", "line 2: 'x' is none of P, W, G, @ and ."),
        (". W\n. .\n", "line 1: a cave has one W and one G, not 1 and 0"),
        ("@ W\n. G\n", "line 1: the entrance @ is the lower left square"),
        ("W G\n@P .\n", "line 1: the entrance (1, 1) has neither a pit nor the wumpus"),
        (" ".join(["W", "G", *["."] * 60]) + "\n", "line 1: a cave has 1 to 40 squares each way"),
        ("\ud800", None),
    ],
)
def test_caves_that_are_none(tmp_path, text, message):
    file = tmp_path / "caves.txt"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(FormatError) as caught:
        read_caves(file)
    assert message is None or message in str(caught.value)


def test_bundled_caves_can_be_read(tmp_path):
    assert len(read_caves(ASSIGNMENTS["wumpus"].folder / "caves.txt")) == 12


# Tic-tac-toe: against counts that are known, and a slow minimax of another form ------------------------------------


def test_every_position_is_asked_once():
    asked = to_ask()
    assert len(asked) == len(set(asked)) == 4520  # 5,478 positions, 958 of which are over
    assert asked[0] == EMPTY
    assert exact_moves(EMPTY) == list(range(9))
    assert exact_moves("X        ") == [4]
    assert exact_moves("    X    ") == [0, 2, 6, 8]
    assert exact_moves("XX OO    ") == [2]


# The window of tic-tac-toe ------------------------------------------------------------------------------------------

TKINTER = '''
class TclError(Exception):
    pass

class Widget(dict):
    made = []
    def __init__(self, root=None, **options):
        super().__init__(options, background=options.get("background", "grey"))
        self.made.append(self)
    configure = dict.update
    def grid(self, **options): pass
    def title(self, text): print(text)
    rowconfigure = columnconfigure = lambda self, number, **options: None
    def update_idletasks(self): pass
    def mainloop(self):
        """Click every square in turn, as long as the game goes on."""
        squares = [widget for widget in self.made if widget.get("width") == 2]
        for square in squares:
            square["command"]()
        print("".join(square["text"].replace(" ", ".") for square in squares))
        print([number for number, square in enumerate(squares) if square["background"] != "grey"])
        print(next(widget for widget in self.made if "wraplength" in widget)["text"])

Tk = Label = Button = Widget
'''
"""In place of Tk, which not every Python has: widgets that keep what they are told, and a user who clicks."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_game_in_the_window(tmp_path, lang):
    write_handout(make_assignment("tictactoe"), tmp_path, lang=lang)
    (tmp_path / "tkinter.py").write_text(TKINTER, encoding="utf-8")
    title, board, won, said = plain_python(tmp_path, "main.py").stdout.splitlines()
    assert title == {"en": "Tic-tac-toe", "zh": "井字棋"}[lang]
    assert board in ("XOXOXOX..", "XOXOXOXO.")  # both take the first square that is empty
    assert won == "[2, 4, 6]"
    assert said in {"en": ("You win.", "You lose."), "zh": ("你赢了。", "你输了。")}[lang]


@pytest.mark.parametrize(
    ("answer", "says"), [("9", "answered 9, which is not an empty square: you win."), ("1 / 0", "ZeroDivisionError")]
)
def test_a_player_that_fails_in_the_window_is_named_there(tmp_path, answer, says):
    write_handout(make_assignment("tictactoe"), tmp_path)
    (tmp_path / "tkinter.py").write_text(TKINTER, encoding="utf-8")
    (tmp_path / "player.py").write_text(f"def best_move(board):\n    return {answer}\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "main.py"], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert done.returncode == 0
    assert says in done.stdout.splitlines()[-1]
    assert ("line 2, in best_move" in done.stderr) == ("/" in answer)


@pytest.mark.parametrize(
    ("tkinter", "says"),
    [
        ("raise ImportError('libtk8.6.so: cannot open shared object file')", {"en": "python3-tk", "zh": "python3-tk"}),
        (
            TKINTER + "\ndef Tk():\n    raise TclError('no display name and no $DISPLAY environment variable')\n",
            {"en": "No window can be opened here", "zh": "这里无法打开窗口"},
        ),
    ],
    ids=["no Tk", "no screen"],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_where_no_window_opens_one_line_says_why_and_the_game_is_in_the_terminal(tmp_path, lang, tkinter, says):
    write_handout(make_assignment("tictactoe"), tmp_path, lang=lang)
    (tmp_path / "tkinter.py").write_text(tkinter, encoding="utf-8")
    done = plain_python(tmp_path, "main.py", stdin="q\n")
    assert (done.returncode, done.stderr) == (0, "")
    why, whose, *_ = done.stdout.splitlines()
    assert says[lang] in why
    assert whose.startswith({"en": "You are ", "zh": "你执"}[lang])
