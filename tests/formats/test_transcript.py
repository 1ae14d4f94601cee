"""Transcripts: every way in which people write them, and what is wrong with one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.errors import IllegalAction, UnreadableAction
from plyground.formats import read_transcript, read_transcripts, write_transcript
from plyground.games.reversi import PASS
from test_record import MUST_PASS, attempt, few, games


@few
@given(games(any_start=True), st.booleans())
def test_there_and_back(record, passes):
    text = write_transcript(record, passes=passes)
    assert read_transcript(text, record.start) == record
    assert passes == ("pa" in text) or PASS not in record.moves[:-1]


@few
@given(games(), st.randoms())
def test_any_dress(record, rng):
    """Case, blanks, numbers, and passes written in three ways or not at all."""
    words = []
    for number, action in enumerate(record.moves, 1):
        if rng.random() < 0.3:
            words.append(rng.choice([f"{number}.", f" {number}) ", f" {number}... ", f" {number} "]))
        if action != PASS:
            words.append("abcdefgh"[action % 8] + str(action // 8 + 1))
        elif number == len(record.moves) or rng.random() < 0.5:
            words.append(rng.choice(["pa", "ps", "pass"]))
        words[-1:] = [rng.choice([str.upper, str.lower])(word) for word in words[-1:]]
        words.append(rng.choice(["", " ", "\n", ", ", ";", "\t", "\u00a0"]))
    # A number is told from the square before it by what stands between them.
    text = "".join(" " + word if word[:1].isdigit() else word for word in words)
    assert read_transcript(text) == record


def test_by_hand():
    for text in ("f5d6c3d3c4", "F5D6C3D3C4", "f5 d6 c3 d3 c4", "1. f5 d6 2. c3 d3 3. c4", "1.f5 d6 2.c3 d3 3.c4\n"):
        assert read_transcript(text).moves == (37, 43, 18, 19, 26)
    assert read_transcript("").moves == ()
    for passing in ("", "pa", "PS", " pass "):
        assert read_transcript(f"{MUST_PASS}{passing}d2").moves[-2:] == (PASS, 11)
    assert write_transcript(read_transcript(MUST_PASS + "d2")) == MUST_PASS + "d2"
    assert write_transcript(read_transcript(MUST_PASS + "d2"), passes=True) == MUST_PASS + "pad2"
    assert write_transcript(read_transcript(MUST_PASS + "ps")) == MUST_PASS + "pa"


@pytest.mark.parametrize(
    ("text", "number", "word"),
    [("f5z9", 2, "z9"), ("f5 d6 i3", 3, "i3"), ("a9", 1, "a9"), ("f5d", 2, "d"), ("f5 6", 2, "6"), ("f5d60", 3, "0")],
)
def test_what_is_no_square(text, number, word):
    with pytest.raises(UnreadableAction) as caught:
        read_transcript(text)
    assert str(caught.value) == f"move {number}: '{word}' is not a square; squares are a1 to h8, a pass is pa"


def test_a_game_a_line():
    lines = ["% openings\n", "f5d6c3\n", "\n", "f5f4\r\n", "# more\n", "f5 f6"]
    assert [len(record.moves) for record in read_transcripts(lines)] == [3, 2, 2]
    bad = ["f5d6\n", "f5 a1\n", "f5 q9\n", "f5f4\n"]
    reading = read_transcripts(bad, "x.txt")
    assert len(next(reading).moves) == 2
    with pytest.raises(IllegalAction, match=r"^x.txt, line 2: move 2: a1 flips nothing"):
        next(reading)
    faults = []
    assert len(list(read_transcripts(bad, "x.txt", on_error=faults.append))) == 2
    assert [type(fault) for fault in faults] == [IllegalAction, UnreadableAction]
    assert str(faults[1]).startswith("x.txt, line 3: move 2: 'q9'")


def test_lines_are_read_as_they_are_wanted():
    def endless():
        while True:
            yield "f5d6\n"

    reading = read_transcripts(endless())
    assert next(reading) == next(reading)


@given(st.one_of(st.text(), st.text("abcdefgh12345678pas.,; \x1b", max_size=40)))
def test_any_text_is_a_game_or_an_error_of_one_line(text):
    record = attempt(read_transcript, text)
    assert record is None or read_transcript(write_transcript(record)) == record
