"""OBF: positions with scores, a line each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import actions
from plyground.errors import FormatError, IllegalAction, ImpossibleBoard, UnreadableAction
from plyground.formats import ScoredPosition, read_obf, read_obf_lines, read_transcript, write_obf
from plyground.formats.replay import START
from plyground.games.reversi import PASS
from test_board_text import FIRST
from test_record import MUST_PASS, attempt, few, games, one_line

FFO_2 = "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X; A4:+10; % FFO 2"


@st.composite
def positions(draw):
    state = draw(games()).final
    options = draw(st.permutations(actions(state)))
    known = options[: draw(st.integers(0, len(options)))]
    scores = tuple((action, 2 * draw(st.integers(-32, 32))) for action in known)
    return ScoredPosition(state, scores, " ".join(draw(st.text()).split()))


@few
@given(positions())
def test_there_and_back(position):
    line = write_obf(position)
    assert len(line.splitlines()) == 1
    assert read_obf(line) == position
    assert read_obf(line + "\r\n") == position


def test_by_hand():
    position = read_obf(FFO_2)
    assert position.scores == ((24, 10),)
    assert position.best == (24,)
    assert position.comment == "FFO 2"
    assert write_obf(position) == FFO_2
    start = read_obf(f"{FIRST};d3:+0;C4: -2 ; f5:0; % three of four")
    assert (start.state, start.scores) == (START, ((19, 0), (26, -2), (37, 0)))
    assert start.best == (19, 37)
    assert write_obf(start) == f"{FIRST}; D3:+0; C4:-2; F5:+0; % three of four"
    for line in (FIRST, FIRST + ";", FIRST + "; %", f"  {FIRST}  "):
        assert read_obf(line) == ScoredPosition(START)
    assert ScoredPosition(START).best == ()
    passing = ScoredPosition(read_transcript(MUST_PASS).final, ((PASS, -8),))
    assert "; PS:-8;" in write_obf(passing)
    assert read_obf(write_obf(passing).replace("PS", "pass")) == passing


@pytest.mark.parametrize(
    ("fields", "kind", "message"),
    [
        ("d3:+66", FormatError, "the score of d3 must be between -64 and +64, not +66"),
        ("d3:+3", FormatError, "the score of d3 must be even, because a board has 64 squares, not +3"),
        ("a1:+2", IllegalAction, "a1 has a score, but is not legal here; legal: d3, c4, f5, e6"),
        ("e4:+2", IllegalAction, "e4 has a score, but is not legal here"),
        ("pa:+2", IllegalAction, "pass has a score, but is not legal here"),
        ("d3:+2; d3:+4", FormatError, "d3 has two scores"),
        ("d3", FormatError, "'d3' is not a move and its score, such as A2:+38"),
        ("d3:", FormatError, "'d3:' is not a move and its score"),
        ("d3:many", FormatError, "'d3:many' is not a move and its score"),
        ("d3:1000000", FormatError, "'d3:1000000' is not a move and its score"),
        ("k3:+2", UnreadableAction, "'k3' is not a square"),
    ],
)
def test_what_is_wrong_with_a_score(fields, kind, message):
    with pytest.raises(kind) as caught:
        read_obf(f"{FIRST}; {fields};")
    assert message in str(caught.value)
    assert one_line(caught.value)


def test_a_position_a_line():
    lines = ["% a file\n", FFO_2 + "\n", "\n", FIRST + ";\n", FIRST[1:] + "; d3:+2;\n", FIRST + "; a1:+2;\n", FFO_2]
    reading = read_obf_lines(lines, "t.obf")
    assert [next(reading).comment, next(reading).comment] == ["FFO 2", ""]
    with pytest.raises(ImpossibleBoard, match=r"^t.obf, line 5: a board has 64 squares .* 63"):
        next(reading)
    faults = []
    assert len(list(read_obf_lines(lines, "t.obf", on_error=faults.append))) == 3
    assert [type(fault) for fault in faults] == [ImpossibleBoard, IllegalAction]


@given(st.one_of(st.text(), st.text("XO-;:+d3c4 %", max_size=30).map(lambda text: FIRST + text)))
def test_any_line_is_a_position_or_an_error_of_one_line(line):
    position = attempt(read_obf, line)
    assert position is None or read_obf(write_obf(position)) == position


def test_every_truncation():
    for length in range(len(FFO_2)):
        position = attempt(read_obf, FFO_2[:length])
        assert (position is None) == (length <= 65 or 68 < length < 74), "cut in the board, or in a score"
        assert position is None or position.state == read_obf(FFO_2).state
