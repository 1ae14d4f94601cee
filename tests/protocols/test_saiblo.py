"""Saiblo's Reversi: positions and answers byte by byte, faults, and a game that equals the one played here."""

from __future__ import annotations

import io

import pytest

from plyground import make_game, result
from plyground.arena.referee import play_game
from plyground.errors import FormatError
from plyground.formats import write_board
from plyground.players import make_player
from plyground.protocols.saiblo import read_position, serve

REVERSI = make_game("reversi")
START = b"#0" + b"2" * 27 + b"10" + b"2" * 6 + b"01" + b"2" * 27 + b"#"


def message(state):
    board, side = write_board(state, "012").split()
    return f"#{side}{board}#".encode()


def answers(data, player="random:seed=1"):
    said = []
    serve(make_player(player), io.BytesIO(data), said.append)
    return said


def test_the_first_position():
    assert message(REVERSI.initial) == START
    assert read_position(START) == REVERSI.initial
    (said,) = answers(START)
    assert said[:4] == b"\0\0\0\2"
    assert said[4:] in (b"23", b"32", b"45", b"54")


def test_a_game_equals_the_game_here():
    spec = "minimax:depth=1,ties=first"
    turns = play_game(REVERSI, [make_player(spec), make_player(spec)]).turns
    state, asked, expected = REVERSI.initial, b"", []
    for turn in turns:
        if turn.action != 64:  # passes are the judge's
            asked += message(state)
            expected.append(b"\0\0\0\2%d%d" % divmod(turn.action, 8))
        state = result(state, turn.action)
    assert answers(asked, spec) == expected


@pytest.mark.parametrize(
    "data",
    [
        b"#",
        START[:-1],
        b"x" + START[1:],
        START.replace(b"#0", b"#2"),
        START.replace(b"10", b"13"),
        START[:-1] + b"\n",
        START + b"#",
    ],
)
def test_what_is_no_position_is_refused(data):
    with pytest.raises(FormatError, match="a position is '#', a player, 64 squares and '#'"):
        answers(data)


def test_there_is_nothing_to_play():
    with pytest.raises(FormatError, match="the game is over"):
        answers(b"#0" + b"1" * 64 + b"#")
    with pytest.raises(FormatError, match="must pass"):
        answers(b"#1" + b"0" * 56 + b"2100" + b"0" * 4 + b"#")
