"""EPD against python-chess's reader; operations that are odd, and those that are wrong."""

from __future__ import annotations

import random
from typing import Any

import pytest

from plyground.errors import PlygroundError
from plyground.formats import ChessPosition, Format, read_any, read_epd, read_epd_lines, recognise, write_epd
from plyground.games.chess import fen
from plyground.games.chess.lines import words_of

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def test_operations():
    said = 'bm e2e4, d4 ; am Nh3; ce -35; acd 5; pv e2e4 e5 Nf3; c0 "a \\"q\\" ; b";eco C20; x 0.50'
    line = f"{START} hmvc 3; fmvn 7; {said}"
    position = read_epd(line)
    assert (position.state.clock, position.state.number) == (3, 7)
    assert words_of(position.state, position.best[:1]) + words_of(position.state, position.avoid) == ["e4", "Nh3"]
    assert words_of(position.state, position.line) == ["e4", "e5", "Nf3"]
    assert dict(position.operations) == {
        "bm": ("e4", "d4"), "am": ("Nh3",), "ce": (-35,), "acd": (5,), "pv": ("e4", "e5", "Nf3"), "c0": ('a "q" ; b',),
        "eco": ("C20",), "x": (0.5,),
    }  # fmt: skip
    assert read_epd(write_epd(position)) == position
    assert write_epd(read_epd(f'{START} bm e4; id "one two";')) == f'{START} bm e4; id "one two";'
    assert read_epd(f"{START} 4 9 bm e4").state.clock == 4


def test_a_fen_is_a_position_without_operations():
    position = read_epd(f"{START} 0 1")
    assert position.operations == ()
    assert recognise(f"{START} 0 1") is recognise(f"{START} bm e4;") is Format.EPD
    [first, second] = read_any(f"# two\n{START} 0 1\n{START} bm e4;\n")
    assert isinstance(first, ChessPosition)
    assert first.state == second.state


@pytest.mark.parametrize("count", [40, pytest.param(3000, marks=pytest.mark.slow)])
def test_in_lockstep_with_python_chess(count):
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    dice = random.Random(7)
    board: Any = chess.Board()
    for number in range(count):
        options = list(board.legal_moves)
        if not options or board.halfmove_clock > 60:
            board = chess.Board()
            continue
        best = dice.sample(options, min(len(options), dice.randrange(1, 4)))
        told = {"bm": best, "id": f'no. {number}; "x" \\', "acd": number, "c1": "é", "hmvc": board.halfmove_clock,
                "fmvn": board.fullmove_number}  # fmt: skip
        position = read_epd(board.epd(**told))
        assert fen(position.state) == board.fen()
        assert set(position.operands("bm")) == {board.san(move) for move in best}
        assert (position.name, position.operands("acd"), position.operands("c1")) == (told["id"], (number,), ("é",))
        again = chess.Board()
        said = again.set_epd(write_epd(position))
        assert again.fen() == board.fen()
        assert (set(said["bm"]), said["id"], said["acd"]) == (set(best), told["id"], number)
        board.push(dice.choice(options))


BAD = {
    "": "is not a position in EPD",
    "hello": "is not a position in EPD",
    "8/8 w - - bm e4;": "8 ranks",
    f"{START} bm Ke2;": "bm: 'Ke2' is not legal here",
    f"{START} pv e4 Ke3;": "pv: 'Ke3'",
    f'{START} id "x': "is a text without an end",
    f'{START} "x";': "is not the name of an operation",
    f"{START} bm e4; bm d4;": "an operation stands there twice",
    f"{START} hmvc x;": "the clock must be a whole number",
    f"{START} {'a 1; ' * 5000}": "at most 16,384 characters",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_lines(line):
    with pytest.raises(PlygroundError, match=r"^[^\n]*$") as caught:
        read_epd(line)
    assert BAD[line] in str(caught.value)


def test_faults_say_their_line():
    faults: list[PlygroundError] = []
    lines = [f"{START} bm e4;\n", "\n", f"{START} bm Ke2;\n"]
    assert len(list(read_epd_lines(lines, "s.epd", on_error=faults.append))) == 1
    assert str(faults[0]).startswith("s.epd, line 3: bm: 'Ke2' is not legal here")
