"""``plyground train chess``: from a teacher to a sum and a network, and every way to get it wrong."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from plyground.cli import main as cli
from plyground.engines.chess.positions import chunk_files, load_positions

TEACHER = """
import sys
import chess

VALUES = {1: 100, 2: 300, 3: 320, 4: 500, 5: 900, 6: 0}
board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("uciok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "position":
        board = chess.Board(" ".join(words[2:]))
    elif words[0] == "go":
        mine = sum(VALUES[p.piece_type] * (1 if p.color == board.turn else -1) for p in board.piece_map().values())
        best = min(board.legal_moves, key=lambda move: (not board.is_capture(move), move.uci()))
        print(f"info depth 1 score cp {mine} lowerbound nodes 1")
        print(f"info depth 1 score cp {mine} nodes 1 pv {best.uci()}")
        print(f"bestmove {best.uci()}")
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""


@pytest.fixture
def train(monkeypatch: Any, capsys: Any, tmp_path: Path) -> Any:
    """The command in this process; returns its status and what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "teacher.py").write_text(TEACHER)

    def run(*words: str) -> tuple[Any, str, str]:
        monkeypatch.setattr(sys, "argv", ["plyground", "train", "chess", *words])
        with pytest.raises(SystemExit) as ended, warnings.catch_warnings():
            cli.main()
        printed = capsys.readouterr()
        lines = [line for line in printed.err.splitlines() if "to machine code" not in line]
        return ended.value.code, printed.out, "\n".join(lines)

    return run


def test_from_a_teacher_to_a_sum_and_a_network(train: Any, tmp_path: Path) -> None:
    teacher = f"{sys.executable} teacher.py"
    made = "positions", "--out", "new", "--teacher", teacher, "--json", "--positions"
    status, out, err = train(*made, "6000")
    assert (status, err) == (0, "")
    first = json.loads(out)
    assert first["positions"] == first["new"] >= 6000
    found = load_positions(tmp_path / "new")
    assert len(found) == first["positions"]
    assert abs(found.scores.astype(int)).max() > 0

    status, out, err = train(*made, str(first["positions"] + 1), "--jobs", "2")
    assert (status, err) == (0, "")
    second = json.loads(out)
    assert second["positions"] == first["positions"] + second["new"] > first["positions"]
    assert len(chunk_files(tmp_path / "new")) == 2
    games = load_positions(tmp_path / "new").games
    assert not set(games[: first["positions"]]) & set(games[first["positions"] :])

    status, out, _ = train("sum", "new", "--json")
    weights = {row["counted"]: row["weight"] for row in json.loads(out)["weights"]}
    assert status == 0
    assert weights["pawn"] == 1
    assert 0 < weights["bishop"] < weights["queen"]

    quick = "--passes", "3", "--batch", "128", "--rate", "0.003"
    status, out, _ = train("network", "new", "--out", "n.npz", *quick, "--json")
    learnt = json.loads(out)
    assert status == 0
    assert learnt["loss"] < learnt["loss_of_the_sum"] < learnt["loss_of_knowing_nothing"]
    assert learnt["quantised_loss"] == pytest.approx(learnt["loss"], rel=0.05)
    assert learnt["bytes"] == (tmp_path / "n.npz").stat().st_size
    assert not (tmp_path / "n.npz.partial").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("positions --out new", "say how long: --positions for how many there are in the end, --minutes for the time"),
        ("positions --out new --minutes -1", "--minutes must be a positive number, not -1"),
        ("positions --out teacher.py --minutes 1", "--out must be a folder, and teacher.py is a file"),
        ("positions --out no/new --minutes 1", "there is no folder 'no'"),
        ("positions --out new --minutes 1 --teacher nobody", "--teacher: there is no program 'nobody'"),
        ("positions --out new --minutes 1 --teacher cat", "--teacher"),
        ("positions --out new --minutes 1 --teacher nobody --jobs 2", "--teacher: there is no program"),
        ("sum new", "new holds no positions; plyground train chess positions --out new makes some"),
        ("network new --out n.txt", "--out must end in .npz"),
        ("network new --out n.npz --rate 2", "--rate must be between 0 and 1, not 2"),
        ("network new --out n.npz", "new holds no positions"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    train: Any, words: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.engines.chess.teacher.PATIENCE", 0.5)
    status, out, err = train(*words.split())
    assert status != 0
    assert out == ""
    assert told in err
    assert len(err.splitlines()) == 1
