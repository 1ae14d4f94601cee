"""Whatever is pasted or opened is recognised, read, or refused in one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import text
from plyground.errors import (
    FormatError,
    IllegalAction,
    ImpossibleBoard,
    PlygroundError,
    TruncatedFile,
    UnknownFormat,
    UnreadableAction,
)
from plyground.formats import (
    Format,
    Item,
    Record,
    ScoredPosition,
    read_any,
    read_any_file,
    read_transcript,
    recognise,
    write_board,
    write_ggf,
    write_obf,
    write_transcript,
)
from plyground.formats.replay import START
from test_board_text import FIRST
from test_ggf import GAME, annotated
from test_obf import FFO_2, positions
from test_record import MUST_PASS, SHORTEST, attempt, few, games, one_line
from test_wthor import FILE, header, name

PICTURE = text(START) + "\nX to move"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("f5d6c3", Format.TRANSCRIPT),
        ("  F5 D6", Format.TRANSCRIPT),
        ("1. f5 d6 2. c3", Format.TRANSCRIPT),
        ("1.f5", Format.TRANSCRIPT),
        ("% a comment\nf5", Format.TRANSCRIPT),
        (FIRST, Format.BOARD),
        (FIRST.replace(" ", "\n"), Format.BOARD),
        ("\n".join(FIRST[i : i + 8] for i in range(0, 64, 8)) + "\nX", Format.BOARD),
        (PICTURE, Format.BOARD),
        (PICTURE.partition("\n")[2], Format.BOARD),
        ("b" * 64 + " w", Format.BOARD),
        (FFO_2, Format.OBF),
        (f"% test\n{FIRST};", Format.OBF),
        (f"{FIRST}\n{FIRST}", Format.OBF),
        (GAME, Format.GGF),
        (f"\n 1 {GAME}", Format.GGF),
        (FILE, Format.WTHOR),
        (header(names=2) + name("a", 20) + name("b", 20), Format.PLAYERS),
        (header(names=2) + name("a", 26) + name("b", 26), Format.TOURNAMENTS),
    ],
)
def test_what_it_is(content, kind):
    assert recognise(content) is kind
    if isinstance(content, str):
        assert recognise(content.encode()) is kind
        assert recognise("\ufeff" + content) is kind
        assert recognise(content.replace("\n", "\r\n").encode("utf-8-sig")) is kind


@few
@given(games(any_start=True), annotated(), positions())
def test_what_is_written_is_recognised(game, record, position):
    assert list(read_any(write_ggf(record))) == [record]
    assert list(read_any(write_ggf(record).encode())) == [record]
    assert list(read_any(write_obf(position))) == [position]
    assert list(read_any(write_board(game.final))) == [ScoredPosition(game.final)]
    side = "white" if game.final.turn else "black"
    assert list(read_any(f"{text(game.final)}\n{side} to move")) == [ScoredPosition(game.final)]


@few
@given(st.lists(games().filter(lambda record: record.moves), min_size=1, max_size=4), st.booleans())
def test_transcripts_are_recognised(records, passes):
    lines = [write_transcript(record, passes=passes) for record in records]
    assert list(read_any(lines[0])) == records[:1]
    wrapped = "\n".join(lines[0][i : i + 40] for i in range(0, len(lines[0]), 40))
    assert list(read_any(wrapped)) == records[:1]
    assert list(read_any("\n".join(lines))) == records


def test_one_game_over_several_lines_or_a_game_a_line():
    assert [len(record.moves) for record in read_any("f5d6\nc3d3\nc4")] == [5]
    assert [len(record.moves) for record in read_any("1. f5 d6\n2. c3 d3")] == [4]
    assert [len(record.moves) for record in read_any("1. f5 d6\n1. f5 f4")] == [2, 2]
    assert [len(record.moves) for record in read_any("f5d6c3\nd3c5\nf5f4")] == [3, 2, 2]
    assert [len(record.moves) for record in read_any(f"{SHORTEST}\n{SHORTEST}\n")] == [9, 9]
    with pytest.raises(IllegalAction, match=r"^here, line 2: move 2: a1 flips nothing"):
        list(read_any("f5d6\nf5a1", "here"))


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        ("", UnknownFormat, "there is nothing to read here"),
        ("   \n% only words\n", UnknownFormat, "there is nothing to read here"),
        ("hello there", UnknownFormat, "'hello there' is not the beginning of a game or a position"),
        ("Bob", UnknownFormat, "'Bob' is not the beginning"),
        ("<html>", UnknownFormat, "'<html>' is not the beginning"),
        (b"\x89PNG\r\n\x1a\n\0\0", UnknownFormat, "this is neither text nor a whole WTHOR file"),
        (FILE[:-1], UnknownFormat, "this is neither text nor a whole WTHOR file"),
        ("f5 z9", UnreadableAction, "move 2: 'z9' is not a square"),
        ("f5 f5", IllegalAction, "move 2: f5 is occupied"),
        (FIRST[:-2], ImpossibleBoard, "the side to move is missing"),
        (FIRST[:-2].replace("O", "0"), ImpossibleBoard, "'0' at d4 is neither a disc nor empty"),
        (FIRST[1:] + "; d3:+2;", ImpossibleBoard, "line 1: a board has 64 squares and then the side to move"),
        (GAME[:-2], TruncatedFile, "line 1: the game that begins here has no end"),
        (header(names=1) + name("a", 20), FormatError, "these are names, and the games are in the .wtb files"),
    ],
)
def test_what_cannot_be_read(content, kind, message):
    with pytest.raises(kind) as caught:
        list(read_any(content, "here"))
    assert type(caught.value) is kind
    assert str(caught.value).startswith("here")
    assert message in str(caught.value)
    assert one_line(caught.value)


def test_files(tmp_path):
    for file, content, items in [
        ("a.txt", f"{SHORTEST}\n".encode(), [read_transcript(SHORTEST)]),
        ("a.ggf", f"1 {GAME}\n".encode("utf-8-sig"), list(read_any(GAME))),
        ("b.ggf", GAME.replace("ant", "fourmi née").encode("latin-1"), None),
        ("a.obf", f"{FFO_2}\n{FFO_2}\n".encode(), list(read_any(FFO_2)) * 2),
        ("board", PICTURE.encode(), [ScoredPosition(START)]),
        ("a.wtb", FILE, list(read_any(FILE))),
        ("games", FILE, list(read_any(FILE))),
    ]:
        path = tmp_path / file
        path.write_bytes(content)
        found = list(read_any_file(path))
        if items is None:
            assert found[0].black == "fourmi née"
        else:
            assert found == items
    (tmp_path / "WTH.JOU").write_bytes(header(names=3) + b"".join(name(text, 20) for text in ("x", "y", "z")))
    assert next(read_any_file(tmp_path / "a.wtb")).black == "z"
    for file, content, message in [
        ("cut.wtb", FILE[:-1], "cut.wtb: the header announces 3 games, and the file has 2"),
        ("text.wtb", b"f5d6", "text.wtb: a WTHOR file begins with 16 bytes"),
        ("cut", FILE[:-1], "cut: this is neither text nor"),
        ("a.jou", header(names=1), "a.jou, WTHOR names of players: these are names"),
        ("empty", b"", "empty: there is nothing to read here"),
        ("bad.obf", f"{FFO_2}\n{FIRST}; a1:+2".encode(), "bad.obf, line 2: a1 has a score"),
    ]:
        (tmp_path / file).write_bytes(content)
        with pytest.raises(PlygroundError) as caught:
            list(read_any_file(tmp_path / file))
        assert message in str(caught.value)
        assert str(caught.value).startswith(str(tmp_path))
    for missing in (tmp_path / "none", tmp_path):
        with pytest.raises(FormatError, match="cannot read "):
            list(read_any_file(missing))


def test_faults_are_handed_over_and_reading_goes_on():
    bad_game = bytearray(FILE)
    bad_game[16 + 8] = 11
    for content, good in [
        ("f5d6\nf5a1\nf5f4", 2),
        (f"{FFO_2}\nnonsense\n{FFO_2}", 2),
        (f"{GAME}\n{GAME.replace('W[D2]', 'B[D2]')}", 1),
        (bytes(bad_game), 2),
    ]:
        faults = []
        assert len(list(read_any(content, "here", on_error=faults.append))) == good
        assert len(faults) == 1
        assert str(faults[0]).startswith("here, ")


def test_a_long_file_is_not_read_to_its_end_before_the_first_game(tmp_path):
    path = tmp_path / "long.ggf"
    path.write_bytes(f"1 {GAME}\n".encode() * 300 + b"1 (;GM[Othello]B[a1];)\n")
    reading = read_any_file(path)
    assert isinstance(next(reading), Record)
    reading.close()
    with pytest.raises(IllegalAction, match="line 301, game 301: move 1: a1 flips nothing for black"):
        list(read_any_file(path))


def test_a_pass_in_a_pasted_game():
    assert next(read_any(MUST_PASS + "d2")) == next(read_any(MUST_PASS + " PASS d2"))


@given(st.one_of(st.binary(), st.text(), st.text("XO-.*f5d6pa(;)[] \n%", max_size=90)))
def test_anything_is_read_or_refused_in_one_line(content):
    items = attempt(lambda: list(read_any(content)))
    assert items is None or all(isinstance(item, Item) for item in items)


@pytest.mark.parametrize("content", [GAME.encode(), FILE, FFO_2.encode(), SHORTEST.encode(), PICTURE.encode()])
def test_every_truncation(content):
    for length in range(len(content)):
        items = attempt(lambda start: list(read_any(start)), content[:length])
        assert items is None or len(items) == 1
