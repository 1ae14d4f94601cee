"""Botzone's Reversi: requests in both modes, faults, and a game that equals the one played here."""

from __future__ import annotations

import json

import pytest

from plyground import actions, make_game
from plyground.arena.referee import play_game
from plyground.errors import FormatError
from plyground.players import make_player
from plyground.protocols.botzone import KEEP_RUNNING, serve

REVERSI = make_game("reversi")
NONE = {"x": -1, "y": -1}


def answers(*lines, player="random:seed=1", keep_running=True):
    said = []
    asked = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    serve(make_player(player), asked, said.append, keep_running=keep_running)
    return said


def move(action):
    return NONE if action == 64 else {"x": action % 8, "y": action // 8}


def test_the_first_request():
    said = answers({"requests": [NONE], "responses": []})
    assert json.loads(said[0])["response"] in [move(action) for action in actions(REVERSI.initial)]
    assert said[1:] == [KEEP_RUNNING] == [">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"]
    assert len(answers({"requests": [NONE], "responses": []}, keep_running=False)) == 1


def request(played):
    """The whole game so far, as it is sent to the side to move."""
    side = len(played) % 2
    theirs, mine = played[1 - side :: 2], played[side::2]
    return {"requests": [NONE] * (1 - side) + [*map(move, theirs)], "responses": [*map(move, mine)]}


SPEC = "minimax:depth=1,ties=first"


def test_a_game_between_two_bots_equals_the_game_here():
    direct = [turn.action for turn in play_game(REVERSI, [make_player(SPEC), make_player(SPEC)]).moves]
    over = []
    for number in range(len(direct)):
        said = answers(request(direct[:number]), player=SPEC, keep_running=False)
        over.append(json.loads(said[0])["response"])
    assert over == [*map(move, direct)]


def test_a_bot_that_keeps_running_plays_the_same():
    direct = [move(turn.action) for turn in play_game(REVERSI, [make_player(SPEC), make_player(SPEC)]).moves]
    said = answers({"requests": [NONE], "responses": []}, *direct[1::2], player=SPEC)
    assert [json.loads(line)["response"] for line in said[::2]][: len(direct[::2])] == direct[::2]
    assert set(said[1::2]) == {KEEP_RUNNING}


def test_a_pass():
    for seed in range(100):
        players = [make_player(f"random:seed={seed}"), make_player(f"random:seed={seed + 1}")]
        played = [turn.action for turn in play_game(REVERSI, players).moves]
        if 64 in played:
            break
    place = played.index(64)
    assert json.loads(answers(request(played[:place]))[0])["response"] == NONE
    assert json.loads(answers(request(played[: place + 1]))[0])["response"] != NONE


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not json", "a request must be a line of JSON"),
        ("[" * 100_000, "a request must be a line of JSON"),
        ("[]", "a request must be an object"),
        ("{}", 'must have the lists "requests" and "responses"'),
        ({"requests": [], "responses": []}, "the first longer by one"),
        ({"requests": [{"x": 9, "y": 0}], "responses": []}, "a move must be such as"),
        ({"requests": [{"x": 0.5, "y": 0}], "responses": []}, "a move must be such as"),
        ({"requests": ["f5"], "responses": []}, "a move must be such as"),
        ({"requests": [{"x": 0, "y": 0}], "responses": []}, "move 1: action 0 is not legal here"),
    ],
)
def test_faults_are_named(line, message):
    with pytest.raises(FormatError, match=message):
        answers(line)


def test_the_command(command):
    done = command(
        "botzone", "--player", "random", "--seed", "1", stdin='{"requests":[{"x":-1,"y":-1}],"responses":[]}\n'
    )
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout.splitlines()[0])["response"]) == {"x", "y"}
    done = command("botzone", "--player", "random", "--once", stdin="nonsense\n")
    assert done.returncode == 2
    assert done.stderr == "error: a request must be a line of JSON, not 'nonsense'\n"
