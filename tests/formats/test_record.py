"""A record is a legal game, with all its passes; what it knows of itself follows from the rules."""

from __future__ import annotations

import functools
import random
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import actions, interpreted, make_game, result, score, terminal
from plyground.errors import FormatError, IllegalAction, ImpossibleBoard, PlygroundError, UnreadableAction
from plyground.formats import Clock, Ending, Record, Result, read_transcript
from plyground.formats.replay import END, NO_SQUARE, START, play_written, replay_games
from plyground.games.reversi import PASS

SHORTEST = "e6f4e3f6g5d6e7f5c5"
"""Black wins 13-0 after nine moves."""
MUST_PASS = "e6f4c3e7g4c4c5g3d6h4h2f2f8b4a3a4f7b2a5e8d7c6d8g7h6h7g6g8c1a1h8h5f6"
"""After these 33 moves white must pass; black has d2, among others."""

few = settings(max_examples=40)
"""For properties of whole games, which are played move by move in plain Python."""


@functools.cache
def random_game(seed: int) -> tuple[int, ...]:
    """A random game to its end, with all its passes."""
    rng, state, moves = random.Random(seed), START, []
    while options := actions(state):
        moves.append(rng.choice(options))
        state = result(state, moves[-1])
    return tuple(moves)


@st.composite
def games(draw, any_start=False, finished=False):
    """Records of random games, from any position that can arise if `any_start`, broken off anywhere or finished."""
    moves = random_game(draw(st.integers(0, 99)))
    first = draw(st.integers(0, len(moves))) if any_start else 0
    last = len(moves) if finished else draw(st.integers(first, len(moves)))
    start = START
    for action in moves[:first]:
        start = result(start, action)
    return Record(start, moves[first:last])


def one_line(error: PlygroundError) -> bool:
    """Whether a message is one line of a length to read, without anything that a terminal would obey."""
    return str(error).isprintable() and 0 < len(str(error)) < 500


def attempt(read, *args):
    """What `read` returns, or None after an error, which must be one of ours, in one line."""
    try:
        return read(*args)
    except PlygroundError as error:
        if not one_line(error):
            pytest.fail(f"not one line: {error!r}")
        return None


@few
@given(games(any_start=True))
def test_a_record_agrees_with_the_rules(record):
    states = record.states()
    assert len(states) == len(record.moves) + 1
    for state, action in zip(states, record.moves, strict=False):
        assert action in actions(state)
    assert states[-1] == record.final
    assert record.finished == terminal(record.final)
    black, white = record.discs
    assert black - white == score(record.final, 0)
    if record.finished:
        empty = 64 - black - white
        assert record.score in (black - white + empty, black - white - empty, 0)
        assert np.sign(record.score) == np.sign(black - white)
    else:
        assert record.score is None


@few
@given(games(finished=True), st.randoms())
def test_passes_that_are_left_out_are_put_in(record, rng):
    kept = [action for action in record.moves if action != PASS or rng.random() < 0.5]
    assert play_written(START, kept) == (record.moves, record.final, len(kept))
    with interpreted():
        assert play_written(START, kept) == (record.moves, record.final, len(kept))


@few
@given(games(), st.data())
def test_a_move_that_is_not_legal_is_named_by_its_number(record, data):
    at = data.draw(st.integers(0, len(record.moves)))
    state = record.states()[at]
    wrong = data.draw(st.sampled_from([action for action in range(65) if action not in actions(state)]))
    moves = (*record.moves[:at], wrong)
    if actions(state) == [PASS] and wrong in actions(result(state, PASS)):
        message = f"move {at + 1}: a pass is due here"
    else:
        message = f"move {at + 1}: "
    with pytest.raises(IllegalAction, match=re.escape(message)) as caught:
        Record(START, moves)
    assert one_line(caught.value)


def test_why_a_move_is_not_legal():
    for text, message in [
        ("f5 f5", "move 2: f5 is occupied"),
        ("f5 a1", "move 2: a1 flips nothing for white; legal: f4, d6, f6"),
        ("f5 pa", "move 2: white passes, but has a move: f4, d6, f6"),
        (SHORTEST + "a1", "move 10: a1 comes after the end of the game"),
        (SHORTEST + "pa", "move 10: pass comes after the end of the game"),
        (MUST_PASS + "g1", "move 34: white must pass, and g1 flips nothing for black either"),
    ]:
        with pytest.raises(IllegalAction) as caught:
            read_transcript(text)
        assert str(caught.value) == message
    for action in (-1, 65, 10**30):
        with pytest.raises(UnreadableAction, match=f"move 2: {action} is not an action"):
            Record(START, (37, action))


def test_a_finished_game_and_one_that_was_broken_off():
    record = read_transcript(SHORTEST)
    assert (record.finished, record.discs, record.score) == (True, (13, 0), 64)
    early = read_transcript(SHORTEST[:-2])
    assert (early.finished, early.score) == (False, None)
    assert Record().discs == (2, 2)


def test_the_stated_result_is_doubted_where_the_discs_say_otherwise():
    record = read_transcript(SHORTEST)
    for stated in (13, 64):
        assert replace(record, result=Result(stated)).doubt is None
    assert replace(record, result=Result(12)).doubt == "the stated result is +12, but the game ends 13-0"
    assert replace(record, result=Result(-64, Ending.TIMEOUT)).doubt is None
    early = read_transcript("f5d6")
    assert early.doubt is None
    assert replace(early, result=Result(-30)).doubt is None
    assert replace(early, result=Result(-127)).doubt == "the stated result is -127, and a board has 64 discs"


def test_what_a_record_refuses():
    for wrong in (
        lambda: Record(moves=(37,), evaluations=(1.0, 2.0)),
        lambda: Record(moves=(37,), times=(-1.0,)),
        lambda: Record(moves=(37,), evaluations=(float("nan"),)),
        lambda: Record(black_rating=float("inf")),
        lambda: Result(float("inf")),
        lambda: Clock(-1.0),
    ):
        with pytest.raises(FormatError) as caught:
            wrong()
        assert one_line(caught.value)
    with pytest.raises(ImpossibleBoard, match="8x8"):
        Record(make_game("reversi:size=6").initial)
    assert Record(moves=(37,), evaluations=(None,)) == Record(moves=(37,)), "notes that say nothing are none"


def test_many_games_at_once_are_each_game_by_itself():
    records = [Record(START, random_game(seed)[: 10 + 3 * seed]) for seed in range(40)]
    table = np.full((len(records), 60), END, np.uint8)
    for row, record in zip(table, records, strict=True):
        squares = [move for move in record.moves if move != PASS]
        row[: len(squares)] = squares
    many = replay_games(table)
    for i, record in enumerate(records):
        assert many.faults[i] == -1
        assert (many.black[i], many.white[i]) == record.discs
        assert many.finished[i] == record.finished
    assert many.finished.sum() > 10
    with interpreted():
        slowly = replay_games(table[:5])
    assert all((slow == fast[:5]).all() for slow, fast in zip(slowly, many, strict=True))


def test_faults_among_many_games():
    table = np.full((6, 60), END, np.uint8)
    table[:, :3] = [37, 43, 18]
    table[1, 1] = 0
    table[2, 0] = NO_SQUARE
    table[3, 5] = 19
    table[4, 2] = PASS
    table[5] = END
    assert replay_games(table).faults.tolist() == [-1, 1, 0, 5, 2, -1]
    assert replay_games(table[:0]).faults.tolist() == []
