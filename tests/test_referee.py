"""The referee: ends, forfeits, taking back, chance, and moves given as text."""

from __future__ import annotations

import time

import pytest

from plyground import Accepts, make_game
from plyground.arena.referee import play_game, read_moves
from plyground.errors import IllegalAction
from plyground.games.tree import read_tree
from plyground.players import Move, Player, Resign, TakeBack, make_player

TICTACTOE = make_game("tictactoe")


class Script(Player):
    """Answers from a list."""

    accepts = Accepts()

    def __init__(self, *answers):
        self.answers = list(answers)
        self.complaints = []

    def choose(self, position, limit):
        answer = self.answers.pop(0)
        if callable(answer):
            answer = answer()
        return Move(answer) if isinstance(answer, int) else answer

    def refused(self, reason):
        self.complaints.append(reason)


def test_a_whole_game():
    record = play_game(TICTACTOE, [Script(0, 1, 2), Script(3, 4)])
    assert [turn.text for turn in record.turns] == ["a1", "a2", "b1", "b2", "c1"]
    assert record.returns == (1.0, -1.0)
    assert record.winner == 0
    assert record.complete


def test_three_illegal_moves_in_a_row_lose():
    first = Script(0, 0, 9, -1)  # taken, out of range, out of range
    record = play_game(TICTACTOE, [first, Script(1)])
    assert record.returns == (-1.0, 1.0)
    assert "3 illegal moves" in record.reason
    assert first.complaints == [
        "action 0 is not legal here; legal: c1, a2, b2, c2, a3, b3, c3",
        "action 9 is not legal here; legal: c1, a2, b2, c2, a3, b3, c3",
    ]


def test_two_illegal_moves_are_forgiven():
    record = play_game(TICTACTOE, [Script(99, 99, 0, 99, 99, 1, 2), Script(3, 4)])
    assert record.winner == 0


def test_resignation():
    record = play_game(TICTACTOE, [Script(0, Resign()), Script(4)])
    assert record.winner == 1
    assert record.reason == "X resigns"
    assert not record.complete


def test_overstepping_loses():
    def slow():
        time.sleep(0.05)
        return 0

    record = play_game(TICTACTOE, [Script(slow), Script()], move_time=0.01)
    assert record.winner == 1
    assert "for a move" in record.reason


def test_taking_back_goes_to_the_own_last_decision():
    first = Script(TakeBack(), 0, 1, TakeBack(), 8, 4)
    record = play_game(TICTACTOE, [first, Script(3, 5, 7, 2, 6)])
    assert first.complaints == ["you have no move to take back yet"]
    assert [turn.action for turn in record.turns][:3] == [0, 3, 8]


def test_chance_is_drawn_from_the_seed_with_its_probabilities():
    game = read_tree({"chance": [[0.9, 1], [0.1, -1]]})
    outcomes = [play_game(game, [Script(), Script()], seed=seed).returns[0] for seed in range(500)]
    assert 0.85 < outcomes.count(1.0) / 500 < 0.95
    assert outcomes == [play_game(game, [Script(), Script()], seed=seed).returns[0] for seed in range(500)]


def test_moves_as_text():
    reversi = make_game("reversi")
    for text in ("f5d6c3", "F5 d6 C3", "f5, d6; c3"):
        assert read_moves(reversi, text)[1] == [37, 43, 18]
    connect4 = make_game("connect4")
    assert read_moves(connect4, "4453")[1] == [3, 3, 4, 2]
    gomoku = make_game("gomoku")
    assert read_moves(gomoku, "a11 a1")[1] == [150, 0]


def test_forced_passes_may_be_left_out():
    # Found by random play: a short 4x4 game in which a player must pass.
    game = make_game("reversi:size=4")
    for seed in range(100):
        record = play_game(game, [make_player("random", game, seed), make_player("random", game, seed + 1)])
        texts = [turn.text for turn in record.turns]
        if "pass" in texts[:-1]:
            break
    written = [text for text in texts if text != "pass"]
    if texts[-1] == "pass":
        texts.pop()
    actions = [turn.action for turn in record.turns][: len(texts)]
    assert read_moves(game, "".join(written))[1] == actions
    assert read_moves(game, " ".join(texts).replace("pass", "pa"))[1] == actions


@pytest.mark.parametrize(
    ("moves", "message"), [("f5 f5", "move 2: 'f5'"), ("xx", "move 1: 'xx'"), ("f5d6zz", "move 3: 'zz'")]
)
def test_bad_moves_are_named(moves, message):
    with pytest.raises(IllegalAction, match=message):
        read_moves(make_game("reversi"), moves)


def test_labels_of_several_words():
    game = read_tree({"max": {"go left": {"min": {"a, b": 1}}, "go right": 2}})
    assert read_moves(game, "go left; a, b")[1] == [0, 0]


def test_taking_back_goes_behind_a_forced_pass():
    pass_tree = {"max": {"x": {"min": {"y": {"max": {"pass": {"min": {"z": 1, "w": 2}}}}}}, "v": 1}}
    game = read_tree(pass_tree)
    first, second = Script(0, 0, 1), Script(0, TakeBack(), 0)
    # MIN asks to take back at z: its only move y was forced, so there is nothing to take back.
    record = play_game(game, [first, second])
    assert second.complaints == ["you have no move to take back yet"]
    assert record.complete


def test_a_game_goes_on_from_given_moves():
    record = play_game(TICTACTOE, [Script(2), Script()], moves="a1 a2 b1 b2")
    assert record.winner == 0
