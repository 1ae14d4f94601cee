"""``plyground endgame chess KRK``: counts, the longest mate, one position; and what is refused."""

from __future__ import annotations

import json

import pytest

from plyground.engines.chess.ending_tables import EndingTable

MATE_IN_TWO = "8/8/8/8/8/2K5/5R2/k7 w - - 0 1"


def test_an_ending_is_told(command):
    done = command("endgame", "chess", "KRK")
    assert done.returncode == 0, done.stderr
    assert "White mates in 16 at the latest: 8/8/8/8/8/2k5/1R6/K7 w - - 0 1" in done.stdout
    for count in ("21,959", "28,056", "2,796", "25,260", "31 plies", "32 plies"):
        assert count in done.stdout
    assert done.stdout.rstrip().endswith("Rc8#")


def test_an_ending_for_programs(command, tmp_path):
    told = json.loads(command("endgame", "chess", "kpk", "--json", "--out", "x.ending").stdout)
    assert told["ending"] == "KPK"
    assert told["bytes"] == (tmp_path / "x.ending").stat().st_size
    assert EndingTable.load(tmp_path / "x.ending").ending.name == "KPK"
    white, black = told["white"], told["black"]
    assert (white["won"], white["positions"], black["lost"], black["positions"]) == (62_480, 81_664, 48_802, 84_012)
    assert (white["plies"], len(white["line"]), black["plies"]) == (55, 55, 56)
    assert white["line"][-1].endswith("#")


def test_a_position_is_told_with_every_move(command):
    done = command("endgame", "chess", "--fen", MATE_IN_TWO)
    assert done.stdout.startswith("White to move wins, mate in 2 (3 plies)")
    told = json.loads(command("endgame", "chess", "KRK", "--fen", MATE_IN_TWO, "--json").stdout)
    assert (told["ending"], told["outcome"], told["plies"]) == ("KRK", 1, 3)
    assert told["moves"][0] == {"move": "Kb3", "uci": "c3b3", "outcome": 1, "plies": 3}
    assert [one["plies"] for one in told["moves"][1:2]] == [5]
    assert told["line"][0] == "Kb3"
    assert "draws" in command("endgame", "chess", "--fen", "8/8/4k3/8/3PK3/8/8/8 b - - 0 1").stdout
    assert "is mated" in command("endgame", "chess", "--fen", "8/8/8/8/8/1K6/8/k6R b - - 0 1").stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("chess",), "say which ending, such as: plyground endgame chess KRK"),
        (("chess", "KXK"), "'KXK' is not an ending"),
        (("chess", "KNK"), "always drawn"),
        (("chess", "KRBNK"), "tables have up to 4"),
        (("chess", "--build"), "say which ending to build"),
        (("chess", "KRK", "--from", "e4"), "--from and --value are not for endings of chess"),
        (("chess", "KRK", "--out", "absent/x.ending"), "there is no folder 'absent'"),
        (("chess", "--fen", "nonsense"), "is not a position in FEN"),
        (("chess", "--fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "no table has that position"),
        (("chess", "KQK", "--fen", MATE_IN_TWO), "is of the ending KRK, not KQK"),
        (("tictactoe", "KRK"), "are for chess alone, not for tictactoe"),
        (("tictactoe", "--fen", MATE_IN_TWO), "are for chess alone"),
    ],
)
def test_bad_input_gets_one_clear_line(command, args, message):
    done = command("endgame", *args)
    assert done.returncode == 2, done.stdout + done.stderr
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    assert message in lines[0]
