"""Boards as text: all symbols and layouts, and boards that are impossible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import make_game, text
from plyground.errors import ImpossibleBoard
from plyground.formats import read_board, read_transcript, write_board
from plyground.formats.replay import START
from test_record import attempt, few, games, one_line

FIRST = "---------------------------OX------XO--------------------------- X"


@few
@given(games())
def test_there_and_back(record):
    state = record.final
    assert read_board(write_board(state)) == state
    assert read_board(write_board(state, "*O-")) == state
    assert read_board(write_board(state).replace(" ", "")) == state


@few
@given(games(), st.randoms())
def test_any_symbols_and_layout(record, rng):
    board = write_board(record.final)
    dress = {"X": "Xx*Bb", "O": "OoWw", "-": "-.", " ": " \n"}
    dressed = "".join(rng.choice(dress[cell]) + rng.choice(["", "", " ", "\n", "\t"]) for cell in board)
    assert read_board(dressed) == record.final


@few
@given(games())
def test_our_own_pictures(record):
    side = "white" if record.final.turn else "black"
    picture = text(record.final)
    for written in (side, side.upper(), f"{side} to move", f"{side} to play.", "OX"[side == "black"] + " to move"):
        assert read_board(f"{picture}\n{written}") == record.final
    assert read_board(f"{picture}\n{'O' if side == 'white' else 'X'}") == record.final


def test_by_hand():
    assert read_board(FIRST) == START
    assert write_board(START) == FIRST
    assert write_board(START, "*O.").endswith("O*......*O........................... *")
    assert write_board(read_transcript("f5").final) == (
        "---------------------------OX------XXX-------------------------- O"
    )
    assert read_board("  A B C D E F G H\n" + "1 X . . . . . . . 1\n" + "2 . . . . . . . .\n" * 7 + "O").opponent == 1


def test_impossible_boards():
    for board, message in [
        (FIRST[:-2], "the side to move is missing; write X (black) or O (white) after the 64 squares"),
        (FIRST[1:], "a board has 64 squares and then the side to move; here are 63 squares"),
        ("-" + FIRST, "a board has 64 squares and then the side to move; here are 65 squares"),
        (FIRST[:20], "a board has 64 squares and then the side to move; here are 20 characters"),
        (FIRST[1:-1] + "black", "a board has 64 squares and then the side to move; here are 63 squares"),
        ("", "a board has 64 squares and then the side to move; here are 0 characters"),
        (FIRST[:8] + "?" + FIRST[9:], "'?' at a2 is neither a disc nor empty"),
        ("0" + FIRST[1:], "'0' at a1 is neither a disc nor empty"),
        (FIRST[:-1] + "-", "the side to move must be X (black) or O (white), not '-'"),
        ("-" * 64 + " X", "the board has no discs"),
    ]:
        with pytest.raises(ImpossibleBoard) as caught:
            read_board(board)
        assert message in str(caught.value)
        assert one_line(caught.value)


def test_states_that_are_no_boards_of_ours():
    for state in (
        make_game("reversi:size=6").initial,
        START._replace(own=START.opponent),
        START._replace(turn=2),
    ):
        with pytest.raises(ImpossibleBoard):
            write_board(state)


@given(st.one_of(st.text(), st.text("XxOo*-.Bb \n12abcdefgh", max_size=100)))
def test_any_text_is_a_board_or_an_error_of_one_line(board):
    state = attempt(read_board, board)
    assert state is None or read_board(write_board(state)) == state


@pytest.mark.parametrize("junk", ["black" + " " * 100_000 + "x", "X " * 50_000, "\n" * 100_000, "1" * 100_000])
def test_long_junk_is_refused_at_once(junk):
    with pytest.raises(ImpossibleBoard):
        read_board(junk)
