"""``plyground analyze``: games and positions in every form, every output, every way to get it wrong, and Ctrl-C."""

from __future__ import annotations

import json
import os
import sys
import warnings
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from plyground.cli import console
from plyground.cli import main as cli
from plyground.engines.reversi.analysis import move_name
from plyground.formats import (
    Result,
    collect_games,
    read_ggf,
    read_ggf_games,
    read_pgn,
    write_ggf,
    write_transcript,
    write_wthor,
)
from reversi_endings import FFO_4, FFO_20, ending, random_game

pytestmark = pytest.mark.usefixtures("engine_code")

QUICK = ("--depth", "1", "--solve", "6")


@pytest.fixture
def analyze(monkeypatch, capsys, tmp_path):
    """The command in this process, which is quicker than a new one; returns its status and what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(console.out, "width", 120)
    monkeypatch.setattr(console.err, "width", 120)
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*words, game="reversi"):
        monkeypatch.setattr(sys, "argv", ["plyground", "analyze", game, *words])
        with pytest.raises(SystemExit) as ended, warnings.catch_warnings():
            cli.main()
        printed = capsys.readouterr()
        return ended.value.code, printed.out, printed.err

    return run


@pytest.fixture
def ending_file(tmp_path):
    (tmp_path / "game.ggf").write_text(write_ggf(replace(ending(), black="ant", white="bee")))
    return "game.ggf"


def rows(out):
    return [[cell.strip() for cell in line.split("│")] for line in out.splitlines() if "│" in line]


# What it prints ---------------------------------------------------------------------------------------------------


def test_a_game_as_a_table(analyze, ending_file):
    status, out, _ = analyze(ending_file)
    assert status == 0
    assert out.splitlines()[0] == "ant 33-31 bee: black wins by 2"
    table = rows(out)
    assert table[8] == ["9", "● h2", "-14", "h1", "+0", "14", "??", "solved", "h1 h2 b2 a1 pass a8 pass b8"]
    assert [row[6] for row in table[:15] if row[6]] == ["??", "?", "?"]
    assert table[12][1] == "● pass"
    assert table[15][0] == "black (ant)"
    assert table[15][3:] == ["0", "0", "1"]
    assert out.splitlines()[-3:] == [
        "9. black h2 -14 loses 14: h1 has +0, draw to loss",
        "14. white a8 -2 loses 10: b8 has +8, win to loss",
        "12. white a1 +8 loses 6: b8 has +14",
    ]


def test_a_transcript_that_ends_early_gets_a_note(analyze):
    status, out, _ = analyze("f5d6c3", *QUICK)
    assert status == 0
    assert out.splitlines()[0] == "black against white"
    assert "note: the game ends early, after 3 moves, with 57 empty squares; white is to move, and" in out


def test_a_result_that_cannot_be_is_doubted(analyze, tmp_path):
    (tmp_path / "game.ggf").write_text(write_ggf(replace(ending(), result=Result(-20.0))))
    assert "note: the stated result is -20, but the game ends 33-31" in analyze("game.ggf")[1]


def test_the_table_fits_a_small_terminal(analyze, ending_file, monkeypatch):
    monkeypatch.setattr(console.out, "width", 80)
    _, out, _ = analyze(ending_file)
    assert max(map(len, out.splitlines())) <= 80
    assert rows(out)[8][:8] == ["9", "● h2", "-14", "h1", "+0", "14", "??", "solved"]
    assert "valu " not in out


def test_lines_of_a_game(analyze, ending_file):
    _, out, _ = analyze(ending_file, "--lines", "2")
    assert rows(out)[8][-1] == "h1 +0, b2 -6"


def test_lines_of_a_position(analyze):
    status, out, _ = analyze(FFO_20, "--lines", "2")
    assert status == 0
    assert out.splitlines()[0] == "black to move, 6 empty squares"
    assert rows(out) == [["h5", "+6", "solved", "h5"], ["g6", "-2", "solved", "g6 h5 f6 pass h8 h6 h7"]]
    assert len(rows(analyze(FFO_4)[1])) == 3


def test_several_games_and_positions(analyze, tmp_path):
    (tmp_path / "games.txt").write_text("f5d6c3\nf5f6e6f4\n")
    _, out, _ = analyze("games.txt", *QUICK)
    assert [line for line in out.splitlines() if line.startswith("game ")] == ["game 1", "game 2"]
    (tmp_path / "p.obf").write_text(f"{FFO_20}\n{FFO_4}\n")
    _, out, _ = analyze("p.obf", "--lines", "1")
    assert "position 2: black to move, 14 empty squares" in out


def test_a_base_of_games(analyze, tmp_path):
    games = [replace(random_game(seed), black="ant", white="bee") for seed in (1, 2)]
    write_wthor(tmp_path / "WTH_2025.wtb", collect_games(games, 2025, (2025, 1, 1)))
    status, out, _ = analyze("WTH_2025.wtb", *QUICK, "--json")
    assert status == 0
    assert [len(json.loads(line)["moves"]) for line in out.splitlines()] == [len(game.moves) for game in games]


# Other outputs ----------------------------------------------------------------------------------------------------


def test_json_of_a_game(analyze, ending_file):
    status, out, _ = analyze(ending_file, "--json", "--lines", "2")
    assert status == 0
    found = json.loads(out)
    assert (found["black"], found["white"], found["start"]) == ("ant", "bee", FFO_4)
    assert (found["finished"], found["discs"], found["score"], found["end"]) == (True, [33, 31], 2, None)
    assert found["transcript"] == write_transcript(ending(), passes=True)
    assert found["players"]["white"]["mistakes"] == 2
    assert found["players"]["black"]["accuracy"] == pytest.approx(
        100 * (found["players"]["black"]["decisions"] - 1 + 2 ** (-14 / 6)) / found["players"]["black"]["decisions"]
    )
    assert found["values"][-1] == {"moves": 15, "black": 2}
    move = found["moves"][8]
    assert (move["number"], move["player"], move["move"], move["value"], move["loss"]) == (9, "black", "h2", -14, 14)
    assert (move["verdict"], move["spoiled"], move["choices"]) == ("blunder", "draw to loss", 3)
    assert (move["best"]["move"], move["best"]["value"], move["best"]["solved"]) == ("h1", 0, True)
    assert [line["move"] for line in move["lines"]] == ["h1", "b2"]


def test_json_of_a_position(analyze):
    found = json.loads(analyze(FFO_20, "--json")[1])
    assert found["board"] == FFO_20
    assert [(line["move"], line["value"], line["solved"]) for line in found["lines"]] == [
        ("h5", 6, True), ("g6", -2, True), ("f6", -4, True),
    ]  # fmt: skip


def test_the_annotated_game_and_the_graph(analyze, ending_file, tmp_path):
    status, out, _ = analyze(ending_file, "--ggf", "out.ggf", "--svg", "graph.svg")
    assert status == 0
    assert out.splitlines()[-2:] == ["wrote graph.svg", "wrote out.ggf"]
    record = read_ggf((tmp_path / "out.ggf").read_text())
    assert record.moves == ending().moves
    assert record.evaluations[8] == -14.0
    assert record.result == Result(2.0)
    assert ElementTree.parse(tmp_path / "graph.svg").getroot().tag.endswith("svg")
    assert analyze(ending_file, "--svg", "graph.png")[0] == 0
    assert (tmp_path / "graph.png").read_bytes().startswith(b"\x89PNG")


def test_several_games_go_into_one_file(analyze, tmp_path):
    (tmp_path / "games.txt").write_text("f5d6c3\nf5f6e6f4\n")
    assert analyze("games.txt", *QUICK, "--ggf", "out.ggf", "--json")[0] == 0
    games = list(read_ggf_games((tmp_path / "out.ggf").read_text().splitlines()))
    assert [len(game.evaluations) for game in games] == [3, 4]


# Limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "depth"),
    [
        (("--depth", "3"), 3),
        (("--player", "engine:depth=2"), 2),
        (("--player", "engine:depth=5,threads=2", "--depth", "4"), 4),
        (("--player", "engine:depth=2,table=8MB", "--time", "100"), 2),
    ],
)
def test_limits(analyze, words, depth):
    found = json.loads(analyze("f5d6", *words, "--json")[1])
    assert [move["best"]["depth"] for move in found["moves"]] == [depth, depth]


def test_a_time_limit_ends_the_search_of_each_move(analyze):
    found = json.loads(analyze("f5d6", "--time", "0.05", "--json")[1])
    assert all(1 <= move["best"]["depth"] < 40 for move in found["moves"])


def test_how_much_is_solved(analyze, ending_file):
    found = json.loads(analyze(ending_file, "--solve", "10", "--depth", "1", "--json")[1])
    assert found["solved_from"] == 4
    assert [move["best"]["solved"] for move in found["moves"]] == [False] * 4 + [True] * 11


# Bad input --------------------------------------------------------------------------------------------------------

OVER = "X" * 64 + " X"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("f5d6c3pa",), "move 4: white passes, but has a move"),
        (("f5z9",), "move 2: 'z9' is not a square"),
        (("f5f5",), "move 2: "),
        (("",), "there is nothing to read here"),
        (("game.ggf",), "there is no file game.ggf"),
        (("hello world",), "neither a file nor a game or a position"),
        (("-" * 64 + " X",), "the board has no discs"),
        ((OVER,), "neither side can move: the game is over, and there is nothing to analyse"),
        (("f5", "--depth", "0"), "depth must be at least 1"),
        (("f5", "--time", "0"), "time must be a positive number of seconds"),
        (("f5", "--time", "nan"), "time must be a positive number of seconds"),
        (("f5", "--solve", "61"), "--solve must be a number of empty squares from 0 to 60, not 61"),
        (("f5", "--lines", "0"), "--lines"),
        (("f5", "--player", "mcts"), "--player: 'mcts' cannot analyse; write engine, such as engine:time=5"),
        (("f5", "--player", "engin"), "there is no player 'engin'; did you mean 'engine'?"),
        (("f5", "--player", "engine:level=3"), "a level plays weaker on purpose"),
        (("f5", "--player", "engine:clock=300"), "a clock is for a whole game"),
        (("f5", "--player", "engine:deep=3"), "the player 'engine' has no option 'deep'; did you mean 'depth'?"),
        (("f5", "--svg", "graph.gif"), "--svg: 'graph.gif' must end in .svg or .png"),
        (("f5", "--svg", "no/graph.svg"), "--svg: there is no folder 'no'"),
        (("f5", "--ggf", "."), "--ggf must be a file, and '.' is a folder"),
        ((FFO_20, "--svg", "graph.svg"), "--svg draws one game, and here are only positions"),
        ((FFO_20, "--ggf", "out.ggf"), "--ggf is for games, and here are only positions"),
        (("f5\nf5f6\nf5", "--svg", "graph.svg"), "--svg draws one game, and here are 3"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value)[:40],
)
def test_what_is_wrong_gets_one_line(analyze, words, message):
    status, out, err = analyze(*words)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1, err
    assert err.startswith("error: ")
    assert message in err


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("connect4", "only reversi and chess can be analysed, not 'connect4'"),
        ("reversi:size=6", "only reversi on 8x8 squares can be analysed, not 'reversi:size=6'"),
        ("revers", "there is no game 'revers'; did you mean 'reversi'?"),
    ],
)
def test_other_games_are_refused(analyze, game, message):
    status, out, err = analyze("f5", game=game)
    assert (status, out) == (2, "")
    assert err == f"error: {message}\n" or err.startswith(f"error: {message}")
    assert len(err.splitlines()) == 1


# As a process -----------------------------------------------------------------------------------------------------


def test_standard_input(command):
    done = command("analyze", "reversi", "-", *QUICK, "--json", stdin="1. f5 d6\n2. c3 d3\n")
    assert done.returncode == 0, done.stderr
    assert [move["move"] for move in json.loads(done.stdout)["moves"]] == ["f5", "d6", "c3", "d3"]


pexpect = pytest.importorskip("pexpect", reason="needs a Unix terminal")


@pytest.fixture
def terminal(tmp_path):
    def spawn(*words):
        return pexpect.spawn(
            sys.executable, ["-m", "plyground.cli.main", "analyze", "reversi", *words], cwd=str(tmp_path),
            encoding="utf-8", timeout=300, env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"}, dimensions=(90, 150),
        )  # fmt: skip

    return spawn


@pytest.mark.slow
def test_ctrl_c_shows_and_writes_what_was_analysed(terminal, tmp_path):
    record = random_game(3)
    child = terminal(
        write_transcript(record), "--depth", "40", "--solve", "8", "--ggf", "out.ggf", "--svg", "graph.svg"
    )
    child.expect(r"analysing: .* [1-4]\d/")
    child.sendintr()
    child.expect("line of best play")
    child.expect(rf"{len(record.moves)} . . {move_name(record.moves[-1])}")
    child.expect(r"note: stopped: the first \d+ moves have not been analysed")
    child.expect("wrote graph.svg")
    child.expect("stopped")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert "Traceback" not in child.before
    evaluations = read_ggf((tmp_path / "out.ggf").read_text()).evaluations
    assert evaluations[0] is None
    assert None not in evaluations[-8:]


def test_a_position_is_shown_while_the_search_deepens(terminal):
    child = terminal("---------------------------OX------XO--------------------------- X", "--depth", "60")
    child.expect(r"│ +3 │")
    child.expect(r"│ +4 │")
    child.sendintr()
    child.expect("stopped")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


# Chess --------------------------------------------------------------------------------------------------------------

SCHOLAR = '[White "Ann"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'
JUDGE = ("--player", "alphabeta:depth=2,ties=first")


def test_a_game_of_chess(analyze, tmp_path):
    (tmp_path / "game.pgn").write_text(SCHOLAR)
    status, out, _ = analyze("game.pgn", *JUDGE, "--svg", "g.svg", "--pgn", "judged.pgn", game="chess")
    assert status == 0
    assert out.splitlines()[0] == "Ann - Black  1-0"
    table = rows(out)
    assert table[5][:3] == ["3...", "Nf6", "-1.00"]
    assert table[5][6] == "??"
    assert table[6][:6] == ["4.", "Qxf7#", "+1.00", "Qxf7#", "+1.00", ""]
    assert "3... Nf6?? loses 0." in out
    assert "Ann - Black" in (tmp_path / "g.svg").read_text()
    judged = read_pgn((tmp_path / "judged.pgn").read_text())
    assert judged.moves == read_pgn(SCHOLAR).moves
    assert (judged.line[5].nags, judged.line[5].comments) == ((4,), ("value +1.00",))
    assert judged.line[5].variations[0]


def test_chess_as_json_and_from_a_text(analyze):
    status, out, _ = analyze("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", *JUDGE, "--json", game="chess")
    facts = json.loads(out)
    assert (status, len(facts["moves"]), facts["result"]) == (0, 7, "1-0")
    assert facts["moves"][5]["verdict"] == "blunder"
    assert facts["moves"][5]["loss"] == facts["moves"][5]["best"]["value"] - facts["moves"][5]["value"]
    assert facts["players"][1]["blunders"] == 1
    status, out, _ = analyze("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;", *JUDGE, "--json", game="chess")
    assert (status, json.loads(out)["move"], json.loads(out)["value"]) == (0, "Ra8#", 1.0)


def test_a_game_that_went_on_after_a_draw(analyze):
    status, out, _ = analyze("Nf3 Nf6 Ng1 Ng8 " * 2 + "e4 *", "--player", "alphabeta:depth=1", "--json", game="chess")
    assert status == 0
    assert json.loads(out)["moves"][8]["loss"] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("f5d6c3",), "move 1: 'f5d6c3' is not a move"),
        (("none.pgn",), "there is no file none.pgn"),
        (("1. e4 e5", "--player", "random"), "random does not say what a position is worth"),
        (("1. e4 e5", "--solve", "3"), "--solve is for reversi"),
        (("1. e4 e5", "--ggf", "x.ggf"), "--ggf is for reversi"),
        (("6k1/5ppp/8/8/8/8/8/R3K3 w - -", "--pgn", "x.pgn"), "--pgn is for games, and here are only positions"),
        (("6k1/5ppp/8/8/8/8/8/R3K3 w - -", "--svg", "x.svg"), "--svg draws one game, and here are only positions"),
        (("---------------------------OX------XO--------------------------- X",), "neither a move nor a comment"),
    ],
)
def test_what_cannot_be_analysed_of_chess(analyze, words, message):
    status, out, err = analyze(*words, game="chess")
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_chess_is_not_reversi(analyze):
    assert "this is chess, and games or positions of Reversi are wanted here" in analyze("1. e4 e5 2. Nf3")[2]
    assert "--pgn is for chess" in analyze("f5d6", "--pgn", "x.pgn")[2]
