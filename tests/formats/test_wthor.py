"""WTHOR: files made by hand, byte by byte, and written ones; names; foreign and truncated files."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.errors import FormatError, IllegalAction, TruncatedFile, UnreadableAction
from plyground.formats import Record, Result, collect_games, read_transcript, read_wthor, write_wthor
from plyground.formats.replay import START
from plyground.formats.wthor import (
    PLAYERS,
    TOURNAMENTS,
    names_bytes,
    parse_names,
    parse_wthor,
    read_names,
    write_names,
    wthor_bytes,
    wthor_kind,
)
from plyground.games.reversi import PASS
from test_record import MUST_PASS, SHORTEST, attempt, few, games, one_line

TODAY = (2025, 11, 15)


def header(games=0, names=0, year=1999, size=8, kind=0, depth=24) -> bytes:
    return struct.pack("<BBBBIHHBBBB", 20, 25, 11, 15, games, names, year, size, kind, depth, 0)


def game(moves: str, discs: int, best=0, tournament=0, black=0, white=0) -> bytes:
    squares = bytes(10 * int(moves[i + 1]) + "abcdefgh".index(moves[i]) + 1 for i in range(0, len(moves), 2))
    return struct.pack("<HHHBB", tournament, black, white, discs, best) + squares.ljust(60, b"\0")


def name(text: str, width: int) -> bytes:
    return text.encode("latin-1").ljust(width, b"\0")


FILE = header(3) + game("f5d6c3", 40, 33, 1, 2, 0) + game(SHORTEST, 64, 64) + game(MUST_PASS + "d2", 32, 31, 9, 9, 9)


def test_by_hand():
    assert game("f5d6", 40)[8:11] == bytes([56, 64, 0])
    base = parse_wthor(FILE, players=("???", "ant", "bee"), tournaments=("one", "two"))
    assert (len(base), base.year, base.written, base.depth) == (3, 1999, TODAY, 24)
    assert base[0] == Record(START, (37, 43, 18), black="bee", date="1999", place="two", result=Result(16.0))
    assert not base[0].finished
    assert base[1].finished
    assert base[1].score == base[1].result.score == 64
    assert base[2].moves[-2:] == (PASS, 11)
    assert (base[2].black, base[2].place) == ("", "")
    assert base[-1] == base[2]
    assert list(base) == [base[0], base[1], base[2]]
    assert base.games["best"].tolist() == [33, 64, 31]
    assert base.moves.shape == (3, 60)
    assert base.moves[0, :5].tolist() == [37, 43, 18, 255, 255]
    assert base.replayed.faults.tolist() == [-1, -1, -1]
    assert base.replayed.finished.tolist() == [False, True, False]
    assert wthor_bytes(base) == FILE
    with pytest.raises(IndexError):
        base[3]


@few
@given(st.lists(games(finished=True), max_size=4), st.data())
def test_there_and_back(records, data):
    names = st.sampled_from(["", "ant", "bee", "Épée", "x" * 19])
    records = [
        replace(
            record, black=data.draw(names), white=data.draw(names), place=data.draw(names), result=Result(record.score)
        )
        for record in records
    ]
    base = collect_games(records, 1999, TODAY)
    again = parse_wthor(
        wthor_bytes(base),
        players=parse_names(names_bytes(base.players, PLAYERS, TODAY), PLAYERS),
        tournaments=parse_names(names_bytes(base.tournaments, TOURNAMENTS, TODAY), TOURNAMENTS),
    )
    assert list(again) == list(base) == [replace(record, date="1999") for record in records]
    assert list(again.doubts()) == []


@few
@given(st.lists(games(), min_size=1, max_size=4))
def test_games_that_were_broken_off(records):
    base = collect_games([replace(record, result=Result(-12)) for record in records if not record.finished], 0, TODAY)
    unfinished = [record for record in records if not record.finished]
    for again, record in zip(base, unfinished, strict=True):
        assert record.moves in (again.moves, (*again.moves, PASS))
        assert again.result == Result(-12)


def test_results_are_written_as_the_format_counts():
    shortest = read_transcript(SHORTEST)
    for result in (None, Result(13), Result(64)):
        assert collect_games([replace(shortest, result=result)], 1999, TODAY).games["discs"].tolist() == [64]
    for result, message in [
        (Result(3.5), r"a result of \+3.5 cannot be written"),
        (Result(-127), "a result of -127 cannot be written"),
    ]:
        with pytest.raises(FormatError, match=f"game 1: {message}"):
            collect_games([replace(shortest, result=result)], 1999, TODAY)
    with pytest.raises(FormatError, match="game 2: the game was broken off and has no result"):
        collect_games([shortest, read_transcript("f5")], 1999, TODAY)
    with pytest.raises(FormatError, match="game 1: WTHOR has only games from the usual first position"):
        collect_games([Record(read_transcript("f5").final)], 1999, TODAY)


def test_names_are_numbered_after_those_that_are_known():
    record = replace(read_transcript(SHORTEST), black="new", white="bee", place="there")
    base = collect_games([record], 1999, TODAY, players=("???", "ant", "bee"), tournaments=("here", "there"))
    assert base.players == ("???", "ant", "bee", "new")
    assert base.tournaments == ("here", "there")
    assert [base.games[name].tolist() for name in ("black", "white", "tournament")] == [[3], [2], [1]]


def test_names_that_do_not_fit():
    for written in ("x" * 20, "本因坊", "a\0b"):
        with pytest.raises(FormatError, match="the name ") as caught:
            collect_games([replace(read_transcript(SHORTEST), black=written)], 1999, TODAY)
        assert one_line(caught.value)
    with pytest.raises(FormatError, match="room for 65,535 names"):
        names_bytes(["x"] * 65536, PLAYERS, TODAY)
    for date in ((1066, 10, 14), (2025, 13, 1), (2025, 1, 400)):
        with pytest.raises(FormatError):
            names_bytes([], PLAYERS, date)


def test_files_in_a_folder(tmp_path):
    (tmp_path / "wth.jou").write_bytes(header(names=2) + name("ant", 20) + name("Épée", 20))
    write_names(tmp_path / "WTH.TRN", ["one", "Préqualif de Paris"], TODAY)
    assert (tmp_path / "WTH.TRN").read_bytes() == (
        header(names=2, year=0, size=0, depth=0) + name("one", 26) + name("Préqualif de Paris", 26)
    )
    assert read_names(tmp_path / "wth.jou") == ("ant", "Épée")
    path = tmp_path / "WTH_1999.wtb"
    path.write_bytes(header(1) + game(SHORTEST, 64, 64, 1, 1, 0))
    base = read_wthor(path)
    assert (base[0].black, base[0].white, base[0].place) == ("Épée", "ant", "Préqualif de Paris")
    write_wthor(tmp_path / "again.wtb", base)
    assert (tmp_path / "again.wtb").read_bytes() == path.read_bytes()
    with pytest.raises(FormatError, match=r"cannot read the WTHOR file .*none.wtb"):
        read_wthor(tmp_path / "none.wtb")


def test_what_is_wrong_with_a_game_is_told_and_the_others_are_read():
    bad_byte = bytearray(game("f5d6c3", 40))
    bad_byte[9] = 99
    after_end = bytearray(game("f5d6c3", 40))
    after_end[8 + 30] = 34
    data = header(6) + b"".join(
        [game("f5d6c3", 40), game("f5a1", 40), bytes(bad_byte), bytes(after_end), game(SHORTEST, 13), game("f5", 200)]
    )
    base = parse_wthor(data, "x.wtb")
    assert base.moves[2, 1] == 254
    assert base.replayed.faults.tolist() == [-1, 1, 1, 30, -1, -1]
    assert list(base.doubts()) == [
        "x.wtb, game 2: move 2: a1 flips nothing for white; legal: f4, d6, f6",
        "x.wtb, game 3: move 2: the byte 99 is not a square; f5 is 56",
        "x.wtb, game 4: move 31: the game has a move after its end",
        "x.wtb, game 5: the stated result is -38, but the game ends 13-0",
        "x.wtb, game 6: the stated result is +336, and a board has 64 discs",
    ]
    assert base[4].result == Result(-38.0)
    for index, kind in [(1, IllegalAction), (2, UnreadableAction), (3, FormatError)]:
        with pytest.raises(kind):
            base[index]


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        (b"", TruncatedFile, "a WTHOR file begins with 16 bytes of header, and here are 0"),
        (FILE[:-1], TruncatedFile, "the header announces 3 games, and the file has 2"),
        (FILE + b"x", FormatError, "the header announces 3 games, and 1 more bytes follow"),
        (header(0, size=10), FormatError, "the games are on a 10x10 board; only 8x8 is read"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), FormatError, "this is not a WTHOR file: its header has no date"),
    ],
)
def test_files_that_are_not_what_they_should_be(data, kind, message):
    with pytest.raises(kind) as caught:
        parse_wthor(data, "x.wtb")
    assert str(caught.value) == f"x.wtb: {message}"


def test_names_files_that_are_not_what_they_should_be():
    data = header(names=2) + name("ant", 20) + name("bee", 20)
    assert parse_names(data, PLAYERS) == ("ant", "bee")
    for wrong, kind in [(data[:-1], TruncatedFile), (data + b"\0", FormatError), (data[:9], TruncatedFile)]:
        with pytest.raises(kind, match=r"^x.jou: "):
            parse_names(wrong, PLAYERS, "x.jou")


def test_every_truncation():
    for length in range(len(FILE)):
        with pytest.raises(TruncatedFile) as caught:
            parse_wthor(FILE[:length])
        assert one_line(caught.value)
        assert wthor_kind(FILE[:length]) == ""
    assert wthor_kind(FILE) == ".wtb"


@given(st.binary(max_size=68), st.integers(0, 2))
def test_any_bytes_are_a_game_or_an_error_of_one_line(noise, place):
    data = bytearray(FILE)
    data[16 + 68 * place : 16 + 68 * place + len(noise)] = noise
    base = parse_wthor(bytes(data))
    for index in range(3):
        record = attempt(base.__getitem__, index)
        assert (record is None) == (base.replayed.faults[index] >= 0)
    assert all(doubt.isprintable() for doubt in base.doubts())


@given(st.binary(max_size=100))
def test_any_file_is_read_or_an_error_of_one_line(data):
    for read in (parse_wthor, lambda data: parse_names(data, PLAYERS), lambda data: parse_names(data, TOURNAMENTS)):
        with pytest.raises(FormatError) as caught:
            read(data)
        assert one_line(caught.value)
