"""``plyground tree`` as a real process: every form of output, every kind of picture, and every way to get it wrong."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from xml.etree import ElementTree

import pytest

WORKED_TEXT = """\
The worked tree: alphabeta
▲ 3  A  α = 3, β = +∞
┝━ a1  ▼ 3  B  α = −∞, β = 3
│  ┝━ b1  ■ 3
│  ├─ b2  ■ 12
│  └─ b3  ■ 8
├─ a2  ▼ ≤ 2  C  α = 3, β = +∞
│  ┝━ c1  ■ 2
│  ├╳ x  □ 4  [α cut: v ≤ α (2 ≤ 3)]
│  └╳ y  □ 6
└─ a3  ▼ 2  D  α = 3, β = 5
   ├─ d1  ■ 14
   ├─ d2  ■ 5
   ┕━ d3  ■ 2
"""


def done_well(done):
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def refused(done):
    """The one line that says what was wrong."""
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("Compiling", "the next start"))]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    return lines[0]


def test_without_a_file_the_tree_is_printed(command):
    assert done_well(command("tree", "worked")) == (
        WORKED_TEXT + "MAX plays a1: worth 3. Best play: a1 b1. 11 nodes visited, 7 of them leaves, 2 moves cut off.\n"
    )


def test_the_text_file_has_the_same_tree(command):
    assert done_well(command("tree", "worked", "--out", "w.txt")) == "wrote w.txt (11 nodes visited, 2 moves cut)\n"
    assert (command.folder / "w.txt").read_text(encoding="utf-8") == WORKED_TEXT


def test_an_svg_file(command):
    assert "wrote w.svg (11 nodes visited, 2 moves cut)" in done_well(command("tree", "worked", "--out", "w.svg"))
    root = ElementTree.parse(command.folder / "w.svg").getroot()
    assert root.tag.endswith("svg")
    content = (command.folder / "w.svg").read_text(encoding="utf-8")
    assert "2 ≤ 3" in content
    assert "≤ 2" in content


def test_a_png_file(command):
    done_well(command("tree", "worked", "--out", "w.PNG"))
    assert (command.folder / "w.PNG").read_bytes().startswith(b"\x89PNG\r\n")


def test_a_page_that_needs_no_network(command):
    done_well(command("tree", "worked", "--out", "w.html"))
    page = (command.folder / "w.html").read_text(encoding="utf-8")
    assert "MAX already has 3 elsewhere" in page
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", page)
    assert not re.search(r"@import|url\(\s*['\"]?(?:https?:)?//|\bfetch\(|XMLHttpRequest", page)


def test_json_for_programs(command):
    answer = json.loads(done_well(command("tree", "worked", "--json")))
    assert (answer["value"], answer["text"], answer["line"]) == (3.0, "3", ["a1", "b1"])
    assert (answer["visited"], answer["leaves"], answer["algorithm"]) == (11, 7, "alphabeta")
    assert answer["cuts"] == [{"node": 2, "kind": "alpha", "value": 2.0, "bound": 3.0, "actions": ["x", "y"]}]
    assert len(answer["nodes"]) == 13
    assert answer["nodes"][2] == {
        "parent": 0, "action": "a2", "who": "MIN", "name": "C", "visited": True, "value": 2.0,
        "low": None, "high": 2.0, "text": "≤ 2", "alpha": 3.0, "beta": None,
    }  # fmt: skip
    assert [node["visited"] for node in answer["nodes"]].count(False) == 2


def test_json_and_a_file_together(command):
    answer = json.loads(done_well(command("tree", "three-players", "--json", "--out", "t.svg")))
    assert answer["value"] == [3.0, 4.0, 5.0]
    assert (command.folder / "t.svg").exists()


def test_the_list_of_trees(command):
    listing = done_well(command("tree", "--list"))
    rows = json.loads(done_well(command("tree", "--list", "--json")))
    names = [row["name"] for row in rows]
    assert names[0] == "worked"
    assert {"growth", "worked-mcts", "three-players", "pacman-ghost", "exercise3", "tictactoe-counts"} <= set(names)
    assert all(name in listing for name in names)


def test_help_has_an_example(command):
    assert "Example: plyground tree worked --out worked.html" in " ".join(done_well(command("tree", "--help")).split())


def test_an_exercise_as_picture_and_as_page(command):
    text = done_well(command("tree", "exercise2", "--exercise"))
    assert "α = __, β = __" in text
    assert not re.search("cut:|≤|≥", text)
    done_well(command("tree", "exercise2", "--exercise", "--out", "e.svg"))
    picture = (command.folder / "e.svg").read_text(encoding="utf-8")
    assert "__" in picture
    assert "β cut" not in picture
    done_well(command("tree", "exercise2", "--exercise", "--out", "e.html"))
    page = (command.folder / "e.html").read_text(encoding="utf-8")
    assert "strike out the edges" in page
    assert "beta cut, 6" in page


def test_a_game_with_moves_depth_evaluation_order_and_symmetry(command):
    text = done_well(
        command(
            "tree", "tictactoe", "--moves", "b2 a1", "--depth", "2", "--algorithm", "alphabeta",
            "--evaluation", "counts", "--order", "evaluation+killer", "--symmetry",
        )
    )  # fmt: skip
    assert text.startswith("tictactoe: alphabeta, depth 2, evaluation counts, up to symmetry\n▲ ")
    assert "×2" in text


def test_somebodys_own_evaluation(command):
    (command.folder / "mine.py").write_text("def centre(state):\n    return 0.5 if state.mine & 16 else -0.25\n")
    text = done_well(command("tree", "tictactoe", "--depth", "1", "--evaluation", "mine.py:centre"))
    assert "0.25" in text
    assert "MAX plays a1" in text


def test_tree_files_and_python_files(command):
    (command.folder / "t.json").write_text('{"max": [{"min": [3, 5]}, {"min": [2, 9]}]}')
    assert "MAX plays move 1: worth 3." in done_well(command("tree", "t.json"))
    (command.folder / "own.py").write_text("from plyground.games.nim import nim\ngame = nim((1, 2))\n")
    assert "nim: alphabeta" in done_well(command("tree", "own.py"))


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "pvs", "mtdf", "expectiminimax", "star1", "star2", "maxn"])
def test_every_search(command, name):
    answer = json.loads(done_well(command("tree", "exercise3", "--algorithm", name, "--json")))
    value = answer["value"][0] if name == "maxn" else answer["value"]
    assert value == 11.0


def test_coalitions_are_drawn(command):
    text = done_well(command("tree", "three-answers", "--algorithm", "paranoid:coalitions=0+2/1"))
    assert text.startswith("Three players, three answers: paranoid, A + C / B\n◆ (9, 2, 6)  A\n")
    assert "A plays middle: worth (9, 2, 6). Best play: middle 2 2." in text
    for wrong, says in (
        ("paranoid:coalitions=0+1", "must name each of the players 0 to 2 once"),
        ("paranoid:coalitions=a", "coalitions are written like 0+2/1"),
        ("maxn:coalitions=0+2/1", "paranoid:coalitions=0+2/1"),
        ("paranoid:star=1", "a search is drawn without options, but for coalitions"),
    ):
        assert says in refused(command("tree", "three-answers", "--algorithm", wrong))


def test_an_exercise_for_programs_has_no_answers(command):
    answer = json.loads(done_well(command("tree", "worked", "--exercise", "--json")))
    assert list(answer) == ["title", "question", "nodes"]
    assert [node["text"] for node in answer["nodes"]] == [None] * 4 + ["3", "12", "8", "2", "4", "6", "14", "5", "2"]


def test_two_evaluations_have_two_titles(command):
    titles = {
        json.loads(done_well(command("tree", f"tictactoe-{name}", "--json")))["title"]
        for name in ("horizon2", "counts")
    }
    assert len(titles) == 2


def test_one_agent_has_one_value(command):
    assert "MAX plays east: worth 17." in done_well(command("tree", "pacman-alone", "--algorithm", "maxn"))


def test_a_page_in_chinese(command):
    done_well(command("tree", "worked", "--lang", "zh", "--out", "w.html"))
    page = (command.folder / "w.html").read_text(encoding="utf-8")
    assert 'lang="zh' in page
    captions = json.dumps("α 剪枝")[1:-1]
    assert "α 剪枝" in page or captions in page


# Monte Carlo and growth --------------------------------------------------------------------------------------------


def test_a_tree_on_the_command_line(command):
    text = done_well(command("tree", "((3 12 8) (2 4 6) (14 5 2))"))
    assert text.endswith(
        "MAX plays move 1: worth 3. Best play: 1 1. 11 nodes visited, 7 of them leaves, 2 moves cut off.\n"
    )
    found = json.loads(done_well(command("tree", "min ((3 12) (-2 4.5))", "--algorithm", "minimax", "--json")))
    assert (found["value"], found["line"]) == (4.5, ["2", "2"])


def test_a_file_with_counts_is_where_the_simulations_begin(command):
    node = {"Q": 2, "N": 3, "max": {"a": {"Q": 2, "N": 2, "min": [1, 1]}, "b": {"Q": 0, "N": 1, "min": [-1]}}}
    (command.folder / "counted.json").write_text(json.dumps(node))
    for player in ("uct", "mcts:solver=off"):
        text = done_well(
            command("tree", "counted.json", "--algorithm", player, "--simulations", "1", "--steps", "1", "--seed", "1")
        )
        assert "simulation 4" in text
        assert "3/4" in text
        assert "2/2 → 3/3" in text
    (command.folder / "counted.json").write_text(json.dumps(node | {"Q": 4}))
    done = command("tree", "counted.json", "--algorithm", "uct")
    assert "root: Q = 4 cannot be of N = 3: with reward=win a visit adds 0 to 1" in refused(done)


def test_the_worked_example_of_monte_carlo_tree_search(command):
    text = done_well(command("tree", "worked-mcts"))
    assert "12/21" in text
    assert "1.252" in text


def test_pictures_of_monte_carlo_tree_search(command):
    tree = done_well(command("tree", "tictactoe", "--algorithm", "mcts", "--simulations", "300", "--seed", "3"))
    assert "after 300 simulations" in tree
    again = done_well(command("tree", "tictactoe", "--algorithm", "mcts", "--simulations", "300", "--seed", "3"))
    assert again == tree
    steps = ("tree", "tictactoe", "--algorithm", "mcts:c=1", "--simulations", "20", "--steps", "2", "--json")
    answer = json.loads(done_well(command(*steps)))
    assert any("backpropagation" in step["caption"] for step in answer["steps"])
    opinion = ("tree", "tictactoe", "--algorithm", "mcts", "--simulations", "200", "--opinion", "--out", "o.svg")
    assert done_well(command(*opinion)) == "wrote o.svg\n"
    assert "<svg" in (command.folder / "o.svg").read_text(encoding="utf-8")


def test_growth_as_table_picture_and_json(command):
    table = done_well(command("tree", "growth", env={"COLUMNS": "80"}))
    assert [cell.strip() for cell in table.splitlines()[-1].split("│")] == [
        "10", "5", "1,099", "1,099", "10,650", "5,623", "100,000", "100,000",
    ]  # fmt: skip
    rows = json.loads(done_well(command("tree", "growth", "--json", "--seed", "5")))["rows"]
    assert {"branching": 4, "depth": 4, "best": 31, "worst": 256}.items() <= rows[3].items()
    assert rows[3]["best"] < rows[3]["random"] < rows[3]["worst"]
    assert done_well(command("tree", "growth", "--out", "g.svg")) == "wrote g.svg\n"


# What goes wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "say what to draw"),
        (["wroked"], "did you mean 'worked'"),
        (["nowhere.json"], "cannot read the tree file nowhere.json"),
        (["worked", "--algorithm", "alphbeta"], "did you mean 'alphabeta'"),
        (["worked", "--depth", "0"], "at least 1"),
        (["worked", "--depth", "-3"], "at least 1"),
        (["worked", "--depth", "two"], "--depth"),
        (["worked", "--moves", "zz"], "'zz' is not legal here; legal: a1, a2, a3"),
        (["worked", "--moves", "a1 b1"], "the game is over"),
        (["worked", "--evaluation", "nothing"], "no evaluation 'nothing'"),
        (["worked", "--evaluation", "no.py:f"], "no.py"),
        (["worked", "--order", "best"], "no order 'best'"),
        (["worked", "--algorithm", "minimax", "--order", "killer"], "for alphabeta, pvs and mtdf"),
        (["worked", "--symmetry"], "no symmetries"),
        (["worked", "--out", "w.gif"], "--out must end in .svg, .png, .html or .txt, not 'w.gif'"),
        (["worked", "--out", "nowhere/w.svg"], "there is no folder 'nowhere'"),
        (["worked", "--lang", "fr"], "no language 'fr'"),
        (["worked", "--simulations", "10"], "--simulations is for --algorithm mcts"),
        (["worked", "--opinion"], "--opinion is for --algorithm mcts"),
        (["worked", "--seed", "1"], "--seed is for"),
        (["growth", "--depth", "3"], "--depth is for the classical searches"),
        (["growth", "--out", "g.html"], "growth is a plot"),
        (["growth", "--lang", "zh"], "--lang zh is for trees, not for plots"),
        (["growth", "--algorithm", "minimax"], "--algorithm is for games and trees"),
        (["growth", "--moves", "a"], "--moves is for games and trees"),
        (["worked-mcts", "--depth", "3"], "--depth is for the classical searches"),
        (["worked-mcts", "--exercise"], "--exercise is for the classical searches"),
        (["((3 12 8) (2 4 6)"], "a bracket is never closed; write ) at the end"),
        (["min (3 four)"], "column 8: a leaf is a number, such as -2.5, not 'four'"),
        (["tree:file=nan.json", "--algorithm", "uct"], "cannot read the tree file nan.json"),
        (["tictactoe", "--algorithm", "mcts", "--opinion"], "--opinion is a plot"),
        (["tictactoe", "--algorithm", "mcts", "--exercise"], "--exercise is for the classical searches"),
        (["tictactoe", "--algorithm", "mcts", "--simulations", "0"], "at least 1"),
        (["tictactoe", "--algorithm", "mcts", "--simulations", "9" * 20], "simulations must be at most 2,147,483,647"),
        (["tictactoe", "--algorithm", "mcts", "--steps", "0"], "at least 1"),
        (["tictactoe", "--algorithm", "minimax", "--depth", "9"], "too many to draw; give a smaller depth"),
        (["gomoku", "--depth", "2"], "draw one, with a depth of 1"),
        (["pacman-random-ghost", "--algorithm", "minimax"], "use expectiminimax or maxn instead"),
        (["three-players", "--algorithm", "alphabeta"], "use maxn instead"),
        (["tictactoe:size=4"], "no option 'size'"),
        (["--frobnicate"], "--frobnicate"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(command, arguments, message):
    assert message in refused(command("tree", *arguments))
    assert list(command.folder.iterdir()) == []


@pytest.mark.parametrize("content", ["", "{", "[]", '{"max": []}', '{"max": [NaN]}', "\x00\xff"])
def test_a_broken_tree_file_is_refused(command, content):
    (command.folder / "broken.json").write_bytes(content.encode("latin-1"))
    assert "broken.json" in refused(command("tree", "broken.json"))


def test_names_and_titles_are_text_and_not_markup(command):
    tree = {
        "title": "<script>alert(1)</script>",
        "root": {"name": "]]><b>", "max": {"<i>": 1, "&amp;": {"min": {"'\"": 2, "[red]x[/]": -1}}}},
    }
    (command.folder / "evil.json").write_text(json.dumps(tree))
    for suffix in ("svg", "html"):
        done_well(command("tree", "evil.json", "--out", f"evil.{suffix}"))
        content = (command.folder / f"evil.{suffix}").read_text(encoding="utf-8")
        assert "<script>alert" not in content
        assert "<i>" not in content
    ElementTree.parse(command.folder / "evil.svg")
    assert "[red]x[/]" in done_well(command("tree", "evil.json"))


def test_an_old_file_stays_when_the_new_one_fails(command):
    (command.folder / "w.svg").write_text("old")
    refused(command("tree", "tictactoe", "--algorithm", "minimax", "--depth", "9", "--out", "w.svg"))
    assert (command.folder / "w.svg").read_text() == "old"
    assert [file.name for file in command.folder.iterdir()] == ["w.svg"]


SLOW = """\
import pathlib, time

def slow(state):
    pathlib.Path("started").touch()
    time.sleep(0.1)
    return 0.0
"""


def test_ctrl_c_ends_in_one_line(command):
    (command.folder / "slow.py").write_text(SLOW)
    arguments = ["tree", "tictactoe", "--depth", "4", "--evaluation", "slow.py:slow", "--out", "w.svg"]
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground.cli.main", *arguments],
        cwd=command.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    while not (command.folder / "started").exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (130, "", "stopped\n")
    assert not (command.folder / "w.svg").exists()
