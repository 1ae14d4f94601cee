"""Archives: games come in once, from every format, and go out as they came."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.arena.archive import (
    EXPORTS,
    export_csv,
    export_ggf,
    export_json,
    export_transcripts,
    import_file,
    record_of,
)
from plyground.arena.database import Database
from plyground.core.played_game import PlayedGame, PlayedMove, PlayerEntry
from plyground.core.rules import actions, result
from plyground.errors import FormatError, IllegalAction, PlygroundError
from plyground.formats import Ending, Record, collect_games, read_ggf, read_transcript, write_ggf, write_wthor
from plyground.formats.board import read_board
from plyground.formats.wthor import GAME, GameBase, write_names
from plyground.games.reversi import PASS, reversi

START = reversi().initial
PLAYED = "f5d6c3d3c4f4f6"


def random_record(seed: int, most: int = 100, **fields) -> Record:
    rng = np.random.default_rng(seed)
    state, moves = START, []
    while (options := actions(state)) and len(moves) < most:
        moves.append(int(rng.choice(options)))
        state = result(state, moves[-1])
    return Record(START, tuple(moves), **fields)


@pytest.fixture
def games(tmp_path):
    with Database(tmp_path / "games.db") as database:
        yield database


def wthor(folder, records, year=1999, name="WTH_1999.wtb"):
    base = collect_games(records, year, (2001, 2, 3))
    write_wthor(folder / name, base)
    write_names(folder / "WTH.JOU", base.players, (2001, 2, 3))
    write_names(folder / "WTH.TRN", base.tournaments, (2001, 2, 3))
    return folder / name


def names(found: PlayedGame) -> list[str]:
    return [player.name for player in found.players]


def test_wthor_games_come_in_as_their_records_say(games, tmp_path):
    records = [random_record(seed, black=f"b{seed % 3}", white=f"w{seed}", place="Open/A") for seed in range(30)]
    assert any(PASS in record.moves for record in records)
    path = wthor(tmp_path, records)
    assert import_file(games, path) == (30, 30)
    for record, found in zip(records, games.results(), strict=True):
        assert tuple(move.action for move in found.moves) == record.moves
        assert [move.player for move in found.moves] == [ply % 2 for ply in range(len(record.moves))]
        assert {move.text for move in found.moves if move.action == PASS} <= {"pass"}
        assert found.returns == (np.sign(record.score), -np.sign(record.score))
        assert names(found) == [record.black, record.white]
        assert (found.game, found.tournament, found.reason) == ("reversi", "Open-A 1999", "the game is over")
        assert record_of(found).score == record.score
    assert games.tournaments()[0].started == 915148800.0  # 1 January 1999


def test_what_is_there_is_not_added_again_and_twins_are_two(games, tmp_path):
    twins = [read_transcript(PLAYED + "f3") for _ in range(2)]
    records = [replace(one, black="a", white="b", result=None) for one in twins]
    records = [
        replace(record, result=read_ggf(write_ggf(record).replace("BO[", "RE[+4]BO[")).result) for record in records
    ]
    path = wthor(tmp_path, records)
    assert import_file(games, path) == (2, 2)
    assert import_file(games, path) == (2, 0)
    assert import_file(games, path, tournament="other/one") == (2, 2)
    assert [one.id for one in games.tournaments()] == ["WTH_1999", "other-one"]


def test_a_game_against_the_rules_is_left_out_and_named(games, tmp_path):
    path = wthor(tmp_path, [random_record(seed) for seed in range(3)])
    data = bytearray(path.read_bytes())
    data[16 + GAME.itemsize + 8] = 11  # the second game begins on a1
    path.write_bytes(data)
    faults: list[PlygroundError] = []
    assert import_file(games, path, on_error=faults.append) == (2, 2)
    (fault,) = faults
    assert "game 2: move 1: a1 flips nothing for black" in str(fault)
    with pytest.raises(IllegalAction, match="game 2"):
        import_file(games, path)


def test_a_wthor_game_that_was_broken_off_has_its_stated_result(games, tmp_path):
    record = random_record(4, most=20)
    base = collect_games(
        [replace(record, result=read_ggf(write_ggf(record).replace("BO[", "RE[-6]BO[")).result)], 2000, (2001, 1, 1)
    )
    write_wthor(tmp_path / "x.wtb", GameBase(base.games, 2000, (2001, 1, 1)))
    import_file(games, tmp_path / "x.wtb")
    (found,) = games.results()
    assert (found.returns, found.reason, found.tournament) == ((-1.0, 1.0), "broken off, counted -6", "x")
    assert names(found) == ["", ""]
    assert record_of(found).result.score == -6


@pytest.mark.parametrize(
    ("result_text", "returns", "reason"),
    [
        ("+4.00", (1.0, -1.0), "broken off, counted +4"),
        ("-64.00:t", (-1.0, 1.0), "black ran out of time, counted -64"),
        ("+12.50:r", (1.0, -1.0), "white resigns, counted +12.5"),
        ("0.00:s", (0.0, 0.0), "agreed, counted +0"),
        ("?", (0.0, 0.0), "broken off"),
    ],
)
def test_ggf_keeps_its_result_through_the_database(games, tmp_path, result_text, returns, reason):
    text = (
        f"(;GM[Othello]PC[GGS/os]DT[2003.12.15]PB[a b]PW[c\\]d]TY[8]RE[{result_text}]"
        "BO[8 ---------------------------O*------*O--------------------------- *]B[f5/+16.00/0.5]W[d6//2.5]B[c3];)"
    )
    (tmp_path / "g.ggf").write_text(text)
    assert import_file(games, tmp_path / "g.ggf") == (1, 1)
    (found,) = games.results()
    assert (found.returns, found.reason, found.tournament) == (returns, reason, "GGS-os 2003")
    assert [(move.value, move.time) for move in found.moves] == [(0.25, 0.5), (None, 2.5), (None, 0.0)]
    (line,) = export_ggf(games.results())
    before, after = read_ggf(text), read_ggf(line)
    for field in ("moves", "evaluations", "times", "black", "white", "date", "result"):
        assert getattr(after, field) == getattr(before, field), field


def test_a_game_from_another_position_goes_out_as_it_came(games, tmp_path):
    board = read_board(f"{'-' * 27}OX{'-' * 6}XOOO{'-' * 25} X")
    record = Record(board, (actions(board)[0],), black="a", white="b")
    (tmp_path / "g.ggf").write_text(write_ggf(record))
    import_file(games, tmp_path / "g.ggf")
    (found,) = games.results()
    assert record_of(found).start == record.start
    assert record_of(found).moves == record.moves


@given(st.integers(0, 10**6), st.integers(0, 70))
def test_a_game_survives_every_format_that_has_its_moves(seed, most):
    record = random_record(seed, most)
    moves = tuple(PlayedMove(ply % 2, move, "x") for ply, move in enumerate(record.moves))
    sign = float(np.sign(record.score or 0))
    found = PlayedGame("t/1", "reversi", (PlayerEntry("a"), PlayerEntry("b")), (sign, -sign), moves)
    if not record.finished:
        found = replace(found, reason="broken off")
    (line,) = export_ggf([found])
    assert read_ggf(line).moves == record.moves
    assert (read_ggf(line).doubt, read_ggf(line).result is None) == (None, not record.finished)
    (line,) = export_transcripts([found])
    assert read_transcript(line).moves == record.moves


def lost(reason: str, returns=(1.0, -1.0)) -> PlayedGame:
    moves = tuple(PlayedMove(ply % 2, move, "x") for ply, move in enumerate(read_transcript(PLAYED).moves))
    return PlayedGame("t/1", "reversi", (PlayerEntry("a"), PlayerEntry("b")), returns, moves, reason)


@pytest.mark.parametrize(
    ("reason", "ending"),
    [
        ("white took 61 s of 60 s for a move", Ending.TIMEOUT),
        ("white resigns", Ending.RESIGNED),
        ("white played 3 illegal moves in a row", Ending.RESIGNED),
    ],
)
def test_a_game_that_was_forfeited_is_counted_as_64(reason, ending):
    stated = record_of(lost(reason)).result
    assert (stated.score, stated.ending) == (64.0, ending)
    assert record_of(lost(reason, (-1.0, 1.0))).result.score == -64.0


def test_json_and_csv_have_everything(games):
    many = [
        PlayedGame("t/1", "nim", (PlayerEntry("a, b", "random", "d"), PlayerEntry('"')), (1.0, -1.0),
                   (PlayedMove(0, 3, "3 from 1", 0.5, 0.25, 4, 5),), "over", "o", 86400.0, 2.5),
        PlayedGame("t/2", "nim", (PlayerEntry("名"), PlayerEntry("z")), (0.0, 0.0)),
    ]  # fmt: skip
    listed = json.loads("".join(export_json(many)))
    assert listed == json.loads(json.dumps([asdict(one) for one in many]))
    assert json.loads("".join(export_json([]))) == []
    rows = list(csv.DictReader(io.StringIO("".join(export_csv(many)))))
    assert [row["key"] for row in rows] == ["t/1", "t/2"]
    assert rows[0] | {"players": ""} == {
        "key": "t/1", "tournament": "t", "game": "nim", "started": "1970-01-02T00:00:00+00:00", "seconds": "2.5",
        "players": "", "returns": "1|-1", "winner": "a, b", "reason": "over", "opening": "o", "moves": "3 from 1",
    }  # fmt: skip
    assert (rows[0]["players"], rows[1]["winner"]) == ('a, b|"', "")
    assert list(export_transcripts(many)) == ["3 from 1\n", "\n"]
    with pytest.raises(FormatError, match="t/1 is one of nim; this format has only Reversi on 8x8"):
        list(EXPORTS["ggf"](many))


def test_positions_are_not_games(games, tmp_path):
    (tmp_path / "p.obf").write_text("---------------------------OX------XO--------------------------- X; F5:+0;\n" * 2)
    with pytest.raises(FormatError, match="holds positions, and a games database holds games"):
        import_file(games, tmp_path / "p.obf")
    with pytest.raises(FormatError, match="cannot read"):
        import_file(games, tmp_path / "absent.ggf")
    assert games.count() == 0
