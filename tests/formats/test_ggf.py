"""GGF: annotated games there and back, archives, and everything that can be wrong with one."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.errors import (
    FormatError,
    IllegalAction,
    ImpossibleBoard,
    PlygroundError,
    TruncatedFile,
    UnreadableAction,
)
from plyground.formats import Clock, Ending, Record, Result, read_ggf, read_ggf_games, write_ggf
from plyground.formats.replay import START
from plyground.games.reversi import PASS
from test_record import MUST_PASS, SHORTEST, attempt, few, games, one_line

BOARD = "BO[8 ---------------------------O*------*O--------------------------- *]"
GAME = (
    "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[ant]PW[bee]RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]"
    "RE[+4.00:r]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
    "B[d3//0.01]W[c5/-1.5]B[E6/2/1:10.5]W[D2];)"
)

amounts = st.floats(0, 1e6).map(lambda value: round(value, 3))
clocks = st.none() | st.builds(Clock, st.integers(0, 10**5).map(float) | amounts, amounts, amounts)
names = st.text(st.characters(exclude_categories=["Cs", "Cc"])).map(lambda text: " ".join(text.split()))


@st.composite
def annotated(draw):
    record = draw(games(any_start=True))
    notes = st.none() | st.floats(-1e6, 1e6) | st.integers(-64, 64).map(float)
    each = len(record.moves)
    return replace(
        record,
        evaluations=tuple(draw(st.lists(notes, min_size=each, max_size=each))),
        times=tuple(draw(st.lists(st.none() | st.floats(0, 1e6), min_size=each, max_size=each))),
        black=draw(names),
        white=draw(names),
        black_rating=draw(st.none() | st.floats(0, 4000)),
        white_rating=draw(st.none() | st.floats(0, 4000)),
        black_clock=draw(clocks),
        white_clock=draw(clocks),
        date=draw(names),
        place=draw(names),
        result=draw(st.none() | st.builds(Result, st.floats(-64, 64), st.sampled_from(Ending))),
        properties=tuple(draw(st.dictionaries(st.sampled_from(["KM", "KB", "ID", "XYZ"]), names)).items()),
    )


@few
@given(annotated())
def test_there_and_back(record):
    text = write_ggf(record)
    assert len(text.splitlines()) == 1
    assert read_ggf(text) == record


@few
@given(st.lists(annotated(), max_size=3), st.sampled_from(["", "\n", " 1 ", "\r\n1\t"]))
def test_several_games_in_a_file(records, between):
    text = "".join(between + write_ggf(record) for record in records)
    assert list(read_ggf_games(text.splitlines(keepends=True))) == records


def test_by_hand():
    record = read_ggf(GAME)
    assert record.moves == (19, 34, 44, 11)
    assert record.evaluations == (None, -1.5, 2.0, None)
    assert record.times == (0.01, None, 70.5, None)
    assert (record.black, record.white, record.place) == ("ant", "bee", "GGS/os")
    assert (record.black_rating, record.white_rating) == (2197.01, 2199.72)
    assert record.black_clock == record.white_clock == Clock(300.0, 0.0, 120.0)
    assert record.result == Result(4.0, Ending.RESIGNED)
    assert record.start == START
    assert read_ggf(GAME.replace("]", "]\n").replace("(", "1 (\n").replace("-- ", "--\n")) == record
    assert write_ggf(record) == (
        "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[ant]PW[bee]RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]"
        f"RE[+4.00:r]{BOARD}B[d3//0.01]W[c5/-1.50]B[e6/+2.00/70.50]W[d2];)"
    )
    assert write_ggf(Record()) == f"(;GM[Othello]PC[]DT[]PB[]PW[]TY[8]{BOARD};)"


def test_as_other_programs_write_it():
    nboard = (
        "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[]RE[?]TI[15:00]TY[8]"
        "BO[8 --*O-----------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3//2.991];)"
    )
    record = read_ggf(nboard)
    assert (record.result, record.white, record.black_clock) == (None, "", Clock(900.0))
    assert record.times == (None, None, 2.991)
    assert record.moves == (37, 45, 19)
    assert read_ggf("(;GM[othello]\nTI[0//0]\nTY[8r]\nKM[-2.5]\nRB[unrated]\nB[f5]\n;)\n") == Record(
        START,
        (37,),
        black_clock=Clock(0.0),
        white_clock=Clock(0.0),
        properties=(("TY", "8r"), ("KM", "-2.5"), ("RB", "unrated")),
    )
    odd_clocks = read_ggf("(;GM[Othello]TI[soon]TB[1:00]TW[1:00];)")
    assert odd_clocks.white_clock == Clock(60.0)
    assert read_ggf(write_ggf(odd_clocks)) == odd_clocks
    assert read_ggf(r"(;GM[Othello]PB[a\]b\\c\d];)").black == r"a]b\c\d"
    assert read_ggf("(;GM[Othello]B[f5]W[d6])").moves == (37, 43)


def test_either_side_may_start_and_passes_may_be_left_out():
    white_first = "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- O]W[f4];)"
    assert read_ggf(white_first).moves == (29,)
    moves = [MUST_PASS[i : i + 2] for i in range(0, len(MUST_PASS), 2)]
    played = "".join(f"{'BW'[i % 2]}[{move}]" for i, move in enumerate(moves))
    for passing in ("", "W[PA]", "W[pass]", "W[ps/-30.5/1]"):
        record = read_ggf(f"(;GM[Othello]{played}{passing}B[d2/+8.00];)")
        assert record.moves[-2:] == (PASS, 11)
        assert record.evaluations[-2:] == (-30.5 if "/" in passing else None, 8.0)
    assert "W[PA]B[d2/+8.00];)" in write_ggf(record)[-40:].replace("/-30.50/1.00", "")


@pytest.mark.parametrize(
    ("old", "new", "kind", "message"),
    [
        ("GM[Othello]", "GM[Amazons]", FormatError, "the game is 'Amazons', not Othello"),
        ("GM[Othello]", "GM[2]FF[4]", FormatError, "the game is '2', not Othello"),
        ("GM[Othello]", "", FormatError, "GM[Othello] is missing"),
        ("PW[bee]", "PW[bee]PB[cat]", FormatError, "PB is there twice; a game ends with ;) before the next one"),
        ("TY[8]", "TY[10]", FormatError, "the type '10' is a board of another size; only 8x8 is read"),
        ("TY[8]", "TY[s10r20]", FormatError, "the type 's10r20' is a board of another size"),
        ("BO[8 ", "BO[10 ", FormatError, "the board is 10x10; only 8x8 is read"),
        ("BO[8 ", "BO[", FormatError, "BO must be the size, the squares and the side to move"),
        ("BO[8 -", "BO[8 ", ImpossibleBoard, "BO: "),
        ("RE[+4.00:r]", "RE[+4.00:x]", FormatError, "the result '+4.00:x' is not a number of discs"),
        ("RE[+4.00:r]", "RE[nan]", FormatError, "the result 'nan' is not a number of discs"),
        ("RE[+4.00:r]", f"RE[{'9' * 400}]", FormatError, "is not a number of discs"),
        ("W[c5/-1.5]", "W[c5/book]", FormatError, "move 2: the evaluation 'book' is not a number of discs"),
        ("W[c5/-1.5]", "W[c5//soon]", FormatError, "move 2: the time 'soon' is not a number of seconds"),
        ("W[c5/-1.5]", "W[c5/1/2/3]", FormatError, "move 2: 'c5/1/2/3' has more than a square"),
        ("W[c5/-1.5]", "W[x5]", UnreadableAction, "move 2: 'x5' is not a square"),
        ("W[c5/-1.5]", "W[]", UnreadableAction, "move 2: '' is not a square"),
        ("W[c5/-1.5]", "W[d3]", IllegalAction, "move 2: d3 is occupied"),
        ("W[c5/-1.5]", "W[c4]", IllegalAction, "move 2: c4 flips nothing for white; legal: c3, e3, c5"),
        ("W[c5/-1.5]", "W[PA]", IllegalAction, "move 2: white passes, but has a move"),
        ("W[c5/-1.5]", "B[c5]", IllegalAction, "move 2: B[c5] is not white's, who is to move"),
        ("W[c5/-1.5]", "B[c4]", IllegalAction, "move 2: B[c4] is not white's, who is to move"),
        ("W[c5/-1.5]", "W(c5)", FormatError, "expected a property such as B[f5], or ;) at the end of the game, not"),
        ("(;GM", "hello (;GM", FormatError, "expected a game, (;...;), not 'hello"),
        (";)", ";)x", FormatError, "expected a game, (;...;), not 'x'"),
        (";)", "", TruncatedFile, "the game that begins here has no end; a game ends with ;)"),
        ("(;GM", "3 (;GM", TruncatedFile, "the line announces more games than there are: 2 missing"),
    ],
)
def test_what_is_wrong_with_a_game(old, new, kind, message):
    text = GAME.replace(old, new, 1) if old != ";)" else GAME.removesuffix(";)") + new
    assert text != GAME
    with pytest.raises(kind) as caught:
        list(read_ggf_games(["\n", text], "g.ggf"))
    assert re.match(r"g\.ggf, line 2(, game 1)?: ", str(caught.value))
    assert message in str(caught.value)
    assert one_line(caught.value)


def test_moves_after_the_end():
    moves = [SHORTEST[i : i + 2] for i in range(0, len(SHORTEST), 2)]
    played = "".join(f"{'BW'[i % 2]}[{move}]" for i, move in enumerate(moves))
    assert read_ggf(f"(;GM[Othello]RE[+64]{played};)").finished
    for after in ("W[a1]", "W[PA]", "B[a1]"):
        with pytest.raises(IllegalAction, match=r"move 10: .* comes after the end of the game"):
            read_ggf(f"(;GM[Othello]{played}{after};)")


def test_one_game_is_one():
    for text, count in [("", 0), (GAME + GAME, 2)]:
        with pytest.raises(FormatError, match=f"one game was expected, and here are {count}"):
            read_ggf(text)


def test_reading_goes_on_after_a_fault():
    lines = [
        f"1 {GAME}\n",
        f"1 {GAME.replace('W[c5/-1.5]', 'W[a1]')}\n",
        "1 (;GM[Othello]B[f5] oops ;)\n",
        "these are not games\n",
        f"2 {GAME}{GAME}\n",
        "1 (;GM[Othello]B[f5]\n",
        f"1 {GAME}\n",
        f"3 {GAME}\n",
        GAME.removesuffix(";)"),
    ]
    faults = []
    records = list(read_ggf_games(lines, "a.ggf", on_error=faults.append))
    assert records == [read_ggf(GAME)] * 5
    assert [str(fault).partition(": ")[0] for fault in faults] == [
        "a.ggf, line 2, game 2",
        "a.ggf, line 3",
        "a.ggf, line 7",
        "a.ggf, line 9",
    ]


def test_games_are_read_as_they_are_wanted():
    def endless():
        while True:
            yield GAME

    reading = read_ggf_games(endless())
    assert next(reading) == next(reading)


def test_properties_that_cannot_be_written():
    for name in ("B", "GM", "x", "K[", ""):
        with pytest.raises(FormatError, match="cannot be the name of a further property"):
            write_ggf(Record(properties=((name, ""),)))


def test_every_truncation():
    for length in range(len(GAME)):
        with pytest.raises(PlygroundError) as caught:
            read_ggf(GAME[:length])
        assert one_line(caught.value)


@given(st.integers(0, len(GAME)), st.integers(0, len(GAME)), st.one_of(st.text(max_size=5), st.sampled_from(";)([]\\")))
def test_any_change_gives_a_game_or_an_error_of_one_line(first, last, inserted):
    record = attempt(read_ggf, GAME[:first] + inserted + GAME[last:])
    assert record is None or read_ggf(write_ggf(record)) == record


@pytest.mark.parametrize(
    "junk", ["(;" * 20_000, "9" * 100_000, "(" + " " * 100_000, "(;" + "A" * 100_000, "(;A[\\" * 9999]
)
def test_long_junk_is_refused_at_once(junk):
    with pytest.raises(FormatError):
        read_ggf(junk)
    assert list(read_ggf_games([junk], on_error=lambda error: None)) == []
