"""``plyground solve``: every kind of input, every option, every way to get it wrong, and Ctrl-C."""

from __future__ import annotations

import json
import os
import sys
import warnings

import pytest

from plyground.cli import main as cli
from plyground.formats import read_board, read_transcript, write_ggf
from reversi_endings import ENDING_MOVES, FFO_4, FFO_20

START = "---------------------------OX------XO--------------------------- X"


@pytest.fixture
def solve(monkeypatch, capsys, tmp_path):
    """The command in this process, which is quicker than a new one; returns its status and what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["plyground", "solve", *words])
        with pytest.raises(SystemExit) as ended, warnings.catch_warnings():
            cli.main()
        printed = capsys.readouterr()
        lines = [
            line for line in printed.err.splitlines() if "to machine code" not in line
        ]  # said once, by whoever is first
        return ended.value.code, printed.out, "\n".join(lines)

    return run


def cells(out):
    """The rows of the table, without their heading."""
    lines = [line for line in out.splitlines() if "│" in line]
    return [[cell.strip() for cell in line.split("│")] for line in lines[1:]]


# What it prints ---------------------------------------------------------------------------------------------------


def test_a_board_that_begins_with_empty_squares_is_not_an_option(solve):
    status, out, _ = solve(FFO_4)
    assert status == 0
    [[number, score, best, empties, *_]] = cells(out)
    assert (number, score, empties) == ("1", "+0", "14")
    assert best in ("a5", "h8")
    assert solve(f"{FFO_4}; h8:+0;", "--wld")[0] == 0
    assert solve(START, "--help")[0] == 0


def test_a_file_of_positions_side_by_side(solve, tmp_path):
    (tmp_path / "p.obf").write_text(f"{FFO_4}; h8:+0; a5:+0; % FFO 4\n% note\n{FFO_20}; h5:+6; % FFO 20\n")
    status, out, _ = solve("p.obf", "--jobs", "2", "--threads", "2")
    assert status == 0
    rows = cells(out)
    assert [row[:2] for row in rows] == [["1", "+0"], ["2", "+6"], ["total", ""]]
    assert rows[1][2] == "h5"


def test_all_moves(solve):
    status, out, _ = solve(FFO_20, "--moves")
    assert status == 0
    assert "moves: h5 +6, g6 -2, f6 -4, h6 -10" in out


def test_win_loss_draw(solve):
    status, out, _ = solve(FFO_20, "--wld", "--moves")
    assert status == 0
    assert cells(out)[0][1] == "win"
    assert "moves: h5 win, " in out
    assert out.count("loss") == 3


def test_scores_that_differ_are_named_and_the_status_is_1(solve, tmp_path):
    (tmp_path / "p.obf").write_text(f"{FFO_4}; h8:+2; % [b]FFO 4\n{FFO_20}; h5:+6;\n")
    status, out, _ = solve("p.obf")
    assert status == 1
    assert "position 1 ([b]FFO 4): " in out
    assert "+2" in out
    assert out.splitlines()[-1] == "1 of 2 differ from the scores given"
    assert solve("p.obf", "--json")[0] == 1


def test_of_a_game_the_last_position_is_solved(solve, tmp_path):
    record = read_transcript(ENDING_MOVES[:16], read_board(FFO_4))
    (tmp_path / "games.ggf").write_text(write_ggf(record))
    _, out, _ = solve("games.ggf")
    assert cells(out)[0][:4] == ["1", "+0", "h1", "6"]
    _, out, _ = solve("e6f4e3f6g5d6e7f5c5")
    assert cells(out)[0][:4] == ["1", "-64", "", "51"]


def test_json_is_an_object_a_line(solve, tmp_path):
    (tmp_path / "p.obf").write_text(f"{FFO_20}; h5:+8; g6:-2; % twenty\n{FFO_4}\n")
    status, out, _ = solve("p.obf", "--moves", "--json")
    assert status == 1
    first, second = map(json.loads, out.splitlines())
    assert first["differences"] == ["the score given for h5 is +8, but it is +6"]
    assert first["given"] == [{"move": "h5", "value": 8}, {"move": "g6", "value": -2}]
    assert (first["value"], first["lower"], first["upper"], first["solved"]) == (6, 6, 6, True)
    assert (first["best"], first["line"], first["comment"]) == (["h5"], ["h5"], "twenty")
    assert [(move["move"], move["value"]) for move in first["moves"]] == [
        ("h5", 6), ("g6", -2), ("f6", -4), ("h6", -10),
    ]  # fmt: skip
    assert (second["board"], second["empties"], second["value"]) == (FFO_4, 14, 0)
    assert sorted(second["best"]) == ["a5", "h8"]


def test_standard_input_as_a_process(command):
    done = command("solve", "-", stdin=f"{FFO_20}; h5:+6;\n{FFO_20}\n")
    assert done.returncode == 0, done.stderr
    assert [row[:3] for row in cells(done.stdout)[:2]] == [["1", "+6", "h5"], ["2", "+6", "h5"]]
    done = command("solve", "-", stdin="")
    assert done.returncode == 2
    assert "error: standard input: there is nothing to read here" in done.stderr


# Bad input --------------------------------------------------------------------------------------------------------

WRONG = {
    "f5d6c3pa": "move 4: white passes, but has a move",
    "f5k3": "move 2: 'k3' is not a square",
    "f5a1": "move 2: a1 flips nothing for white",
    "": "there is nothing to read here",
    "nothing.obf": "there is no file nothing.obf",
    "some/where": "there is no file some/where",
    "f5.txt": "there is no file f5.txt",
    "Dear Sir or Madam": "'Dear Sir or Madam' is neither a file nor a game or a position; known are transcripts",
    ".": "cannot read .: it is a folder, not a file",
    "-" * 64 + " X": "the board has no discs",
    START[:-1]: "the side to move is missing",
    START[1:]: "a board has 64 squares and then the side to move; here are 63 squares",
    "-" + START: "a board has 64 squares and then the side to move; here are 65 squares",
    START[:-1] + "Z": "the side to move must be X (black) or O (white), not 'Z'",
    START.replace("OX", "QX"): "'Q' at d4 is neither a disc nor empty",
    f"{START}; A1:+2;": "a1 has a score, but is not legal here",
    f"{START}; F5:+3;": "the score of f5 must be even",
    f"{START}; F5:+66;": "the score of f5 must be between -64 and +64",
    f"{START}; F5": "'F5' is not a move and its score",
    "(;GM[Othello]PB[a]B[f5": "the game that begins here has no end",
    "(;GM[Go]B[f5];)": "the game is 'Go', not Othello",
    "(;GM[Othello]TY[10]B[f5];)": "only 8x8 is read",
    "q" * 5000: "is neither a file nor a game or a position",
    "\0": "is neither a file nor a game or a position",
}


@pytest.mark.parametrize("what", WRONG, ids=lambda text: repr(text[:30]))
def test_what_cannot_be_read_gets_one_line(solve, what):
    status, out, err = solve(what)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1, err
    assert err.startswith("error: ")
    assert WRONG[what] in err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "there is nothing to read here"),
        (b"\0\1\2\3" * 100, "neither text nor a whole WTHOR file"),
        (f"{FFO_20}\n{FFO_20[:40]}\n".encode(), "line 2: a board has 64 squares"),
        (b"\x89PNG\r\n\x1a\nabcdef", "is not the beginning of a game or a position"),
        (b"f5d6\nf5f5\n", "line 2: move 2: "),
    ],
)
def test_a_file_that_is_broken_gets_one_line_before_anything_is_solved(solve, tmp_path, content, message):
    (tmp_path / "p.obf").write_bytes(content)
    status, out, err = solve("p.obf")
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith("error: p.obf")
    assert message in err


@pytest.mark.parametrize("words", [("--jobs", "0"), ("--jobs", "x"), ("--threads", "0"), ("--threads", "1000")])
def test_options_that_do_not_fit(solve, words):
    status, out, err = solve(FFO_20, *words)
    assert (status, out) == (2, "")
    assert words[0] in err
    assert len(err.splitlines()) == 1


# At a terminal ----------------------------------------------------------------------------------------------------

pexpect = pytest.importorskip("pexpect", reason="needs a Unix terminal")


@pytest.mark.parametrize("options", [[], ["--jobs", "2", "--moves", "--wld"]], ids=" ".join)
def test_ctrl_c_prints_what_is_known(tmp_path, options):
    (tmp_path / "p.obf").write_text(f"{FFO_20}\n{START}\n{START}\n{START}\n")
    child = pexpect.spawn(
        sys.executable, ["-m", "plyground.cli.main", "solve", "p.obf", *options], cwd=str(tmp_path), encoding="utf-8",
        timeout=300, env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"}, dimensions=(30, 160),
    )  # fmt: skip
    child.expect(r"position 2 of 4, [+-]\d+ at depth \d+, \d+%, .* million nodes, [\d.]+ a second, \d+ s")
    child.sendintr()
    child.expect(r"not solved at depth \d+, \d+%; proven: nothing yet")
    child.expect("stopped")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert "Traceback" not in child.before


# Suites of chess ----------------------------------------------------------------------------------------------------

SUITE = """6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id "mate";
r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "scholar";
6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#; id "no mate";
"""


def test_a_suite_in_epd(solve, tmp_path):
    (tmp_path / "suite.epd").write_text(SUITE)
    status, out, _ = solve("suite.epd", "--player", "alphabeta:depth=2")
    assert status == 1
    assert [row[1:5] for row in cells(out)[:3]] == [
        ["mate", "Ra8#", "Ra8#", ""],
        ["scholar", "Qxf7#", "Qxf7#", ""],
        ["no mate", "not Ra8#", "Ra8#", "wrong"],
    ]
    assert out.splitlines()[-1] == "2 of 3 right"
    status, out, _ = solve(SUITE.splitlines()[0], "--player", "alphabeta:depth=2", "--json")
    facts = json.loads(out)
    assert (status, facts["move"], facts["right"], facts["value"]) == (0, "Ra8#", True, 1.0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("6k1/5ppp/8/8/8/8/8/R3K3 w - -",), "position 1 says neither which move is best (bm) nor which one to avoid"),
        (("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra9;",), "bm: 'Ra9' is not a move"),
        (("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8;", "--wld"), "--wld are for Reversi"),
        ((START, "--player", "random"), "--player is for positions of chess"),
        (("1. e4 e5 2. Nf3",), "this is chess, and games or positions of Reversi are wanted here"),
    ],
)
def test_suites_that_are_refused(solve, words, message):
    status, out, err = solve(*words)
    assert (status, out) == (2, "")
    assert message in err
