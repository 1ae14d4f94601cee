"""The names of openings: every line is legal, and is found however the board lies and whatever follows."""

from __future__ import annotations

import random

import pytest

from plyground import actions, result
from plyground.engines.reversi.book import canonical_key
from plyground.engines.reversi.openings import CHINESE, OPENINGS, opening_name
from plyground.engines.reversi.squares import symmetric_square
from plyground.errors import IllegalAction, UnreadableAction
from plyground.formats import read_transcript
from plyground.formats.replay import START
from plyground.games.reversi import PASS

LEGAL_FIRST = (0, 3, 4, 7)
"""The symmetries that leave the first position as it is."""


@pytest.mark.parametrize("name", OPENINGS)
def test_every_line_is_legal_and_has_its_name(name):
    record = read_transcript(OPENINGS[name])
    assert PASS not in record.moves
    assert OPENINGS[name].startswith("f5")
    assert opening_name(OPENINGS[name]) == opening_name(record.moves) == name
    for index in LEGAL_FIRST:
        assert opening_name([symmetric_square(move, index) for move in record.moves]) == name


def test_no_position_has_two_names():
    assert len({canonical_key(read_transcript(line).final)[0] for line in OPENINGS.values()}) == len(OPENINGS)


def test_openings_have_chinese_names():
    assert CHINESE.keys() <= OPENINGS.keys()
    assert len(set(CHINESE.values())) == len(CHINESE)
    names = [opening_name(OPENINGS[name], "zh") for name in ("Tiger", "Cow", "Rabbit", "Buffalo", "Heath")]
    assert names == ["虎", "牛", "兔", "水牛", "Heath"]
    assert opening_name("f5", "zh") is None


def test_a_name_stays_until_there_is_a_more_special_one():
    names = [opening_name("f5d6c3d3c4f4c5b3c2e6"[: 2 * plies]) for plies in range(11)]
    perpendicular, tiger = ["Perpendicular"] * 3, ["Tiger"] * 4
    assert names == [None, None, *perpendicular, *tiger, "Rose-Bill", "Tamenori"]


def test_the_order_of_the_moves_does_not_matter():
    assert opening_name("f5d6c4d3c3") == opening_name("f5d6c3d3c4") == "Tiger"


@pytest.mark.parametrize("seed", range(20))
def test_a_game_keeps_the_name_of_its_opening_to_the_end(seed):
    rng = random.Random(seed)
    name = rng.choice(sorted(OPENINGS))
    history = list(read_transcript(OPENINGS[name]).moves)
    state = read_transcript(OPENINGS[name]).final
    expected = name
    while actions(state):
        history.append(rng.choice(actions(state)))
        state = result(state, history[-1])
        found = opening_name(history)
        if found != expected:  # a random move may well be the next of another opening
            assert canonical_key(read_transcript(OPENINGS[found]).final)[0] == canonical_key(state)[0]
            expected = found


def test_what_has_no_name():
    assert opening_name("") is None
    assert opening_name([]) is None
    assert opening_name("f5") is None


def test_moves_that_are_none():
    with pytest.raises(IllegalAction, match="move 2: f5 is occupied"):
        opening_name("f5f5")
    with pytest.raises(UnreadableAction, match="move 2: 'x9' is not a square"):
        opening_name("f5x9")
    with pytest.raises(IllegalAction, match="move 1"):
        opening_name([actions(START)[0] + 1])
    with pytest.raises(UnreadableAction, match="move 1: 99 is not an action"):
        opening_name([99])
