"""Every position of the endings with three men, against the Gaviota tables that Debian packages as gaviotatb."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.engines.chess.ending_tables import bundled_tables, state_at, verdict_of
from plyground.engines.chess.endings import read_ending

GAVIOTA = Path("/usr/share/gaviotatb/gtb4")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["KQK", "KRK", "KPK"])
def test_every_position_is_as_in_gaviota(name):
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    gaviota = pytest.importorskip("chess.gaviota", reason="python-chess is not installed")
    if not GAVIOTA.is_dir():
        pytest.skip("the Gaviota tables are not installed: apt-get install gaviotatb")
    ending, compared = read_ending(name), 0
    table = bundled_tables().tables[name]
    with gaviota.PythonTablebase() as peer:
        peer.add_directory(str(GAVIOTA))
        for place, code in enumerate(table.codes):
            verdict, state = verdict_of(int(code)), state_at(ending, place)
            assert (state is None) == (verdict is None)
            if state is None or verdict is None:
                continue
            board = chess.Board(None)
            for kind, squares in enumerate(state[:6], 1):
                for square in chess.SquareSet(int(squares)):
                    board.set_piece_at(square, chess.Piece(kind, bool(int(state.white) >> square & 1)))
            board.turn = state.turn == 0
            # It gives the plies to mate, negative for a loss, and 0 for a draw and for mate.
            assert peer.probe_dtm(board) == verdict.outcome * (verdict.plies or 0)
            assert (verdict.plies == 0) == board.is_checkmate()
            compared += 1
    assert compared == len(table)
