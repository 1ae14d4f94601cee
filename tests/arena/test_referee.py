"""The referee: ends, forfeits, taking back, chance, and moves given as text."""

from __future__ import annotations

import time

import pytest

from plyground import Accepts, make_game
from plyground.arena.clocks import Clocks
from plyground.arena.referee import Rules, play_game, quick_actions
from plyground.core.game_time import GameTime
from plyground.core.notation import read_moves
from plyground.core.rules import action_text, actions, result
from plyground.errors import BadOption, IllegalAction, PlayerFailed
from plyground.games.tree import read_tree
from plyground.players import Move, Player, Position, Resign, TakeBack, make_player

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
    assert [turn.text for turn in record.moves] == ["a1", "a2", "b1", "b2", "c1"]
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

    record = play_game(TICTACTOE, [Script(slow), Script()], rules=Rules(move_time=0.01))
    assert record.winner == 1
    assert "for a move" in record.reason


def test_taking_back_goes_to_the_own_last_decision():
    first = Script(TakeBack(), 0, 1, TakeBack(), 8, 4)
    record = play_game(TICTACTOE, [first, Script(3, 5, 7, 2, 6)])
    assert first.complaints == ["you have no move to take back yet"]
    assert [turn.action for turn in record.moves][:3] == [0, 3, 8]


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
        texts = [turn.text for turn in record.moves]
        if "pass" in texts[:-1]:
            break
    written = [text for text in texts if text != "pass"]
    if texts[-1] == "pass":
        texts.pop()
    actions = [turn.action for turn in record.moves][: len(texts)]
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


def test_the_clock_of_a_game_runs_out():
    def slow():
        time.sleep(0.5)
        return 1

    rules = Rules(game_time=GameTime(0.5))
    record = play_game(TICTACTOE, [Script(0, slow, 2), Script(3, 4)], rules=rules)
    assert record.reason == "X has used up its 0.5 s for the game"
    assert record.returns == (-1.0, 1.0)
    assert len(record.moves) == 2


def test_the_increment_is_added_after_each_move():
    clocks = Clocks(2, game_time=GameTime(10.0, 2.0))
    assert clocks.spend(0, 4.0) is None
    clocks.moved(0)
    assert clocks.left == [8.0, 10.0]
    assert clocks.limit(0).time == pytest.approx(7.6)
    assert clocks.spend(0, 8.5) == "has used up its 10 s for the game"


def test_all_attempts_at_a_move_share_its_time():
    clocks = Clocks(2, move_time=60.0, game_time=GameTime(100.0))
    assert clocks.spend(0, 50.0) is None
    assert clocks.limit(0).time < 10.0
    assert clocks.spend(0, 11.0) == "took 61 s of 60 s for a move"
    clocks = Clocks(2, move_time=60.0)
    clocks.spend(1, 50.0)
    clocks.moved(1)
    assert clocks.limit(0).time == 57.0


def test_forced_passes_are_made_by_the_referee():
    class Watcher(Player):
        def __init__(self, seed):
            self.player = make_player("random", seed=seed)

        def choose(self, position, limit):
            assert actions(position.state) != [64]
            return self.player.choose(position, limit)

    game = make_game("reversi:size=4")
    passes = 0
    for seed in range(40):
        record = play_game(game, [Watcher(seed), Watcher(seed + 1)], rules=Rules())
        assert record.complete, record.reason
        passes += sum(turn.text == "pass" for turn in record.moves)
    assert passes > 0


def test_a_voluntary_pass_is_refused():
    first = Script(64, 64, 64)
    record = play_game(make_game("reversi"), [first, Script()], rules=Rules())
    assert record.reason == "black played 3 illegal moves in a row"
    assert first.complaints == ["action 64 is not legal here; legal: d3, c4, f5, e6"] * 2


def test_the_number_of_illegal_moves_is_a_rule():
    record = play_game(TICTACTOE, [Script(9), Script()], rules=Rules(illegal_moves=1))
    assert record.reason.startswith("X action 9 is not legal here")
    with pytest.raises(BadOption, match="at least 1 illegal move"):
        Rules(illegal_moves=0)
    with pytest.raises(BadOption, match="positive number of seconds"):
        Rules(move_time=0)


@pytest.mark.parametrize("answer", [None, "a1", Move(None), Move("a1"), Move(0.0), Move(10**30), TakeBack()])
def test_garbage_is_an_illegal_move(answer):
    player = Script(answer, answer, answer)
    record = play_game(TICTACTOE, [player, Script()], rules=Rules())
    assert record.returns == (-1.0, 1.0)
    assert record.reason == "X played 3 illegal moves in a row"
    assert len(player.complaints) == 2


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PlayerFailed("it has gone"), "O fails: it has gone"),
        (ZeroDivisionError("oh\nno"), "O fails: ZeroDivisionError: oh no"),
        (MemoryError(), "O fails: MemoryError:"),
        (SystemExit(3), "O fails: SystemExit: 3"),
    ],
)
@pytest.mark.parametrize("where", ["prepare", "choose", "refused"])
def test_who_fails_loses(error, reason, where):
    class Failing(Player):
        def fail(self, *_):
            raise error

        def choose(self, position, limit):
            return Move(-1)

    setattr(Failing, where, Failing.fail)
    record = play_game(TICTACTOE, [Script(0), Failing()], rules=Rules())
    assert (record.returns, record.reason) == ((1.0, -1.0), reason)


def test_between_friends_a_fault_is_shown():
    with pytest.raises(IndexError):
        play_game(TICTACTOE, [Script(), Script()])


@pytest.mark.parametrize("spec", ["reversi", "reversi:size=4", "connect4", "nim"])
def test_the_quick_list_of_actions_is_the_list_of_actions(spec):
    game = make_game(spec)
    listed = quick_actions(game)
    player = make_player("random", game, 5)
    state = game.initial
    while options := actions(state):
        assert listed(state) == options
        assert [action_text(state, action) for action in listed(state)]
        state = result(state, player.choose(Position(game, state), None).action)
    assert listed(state) == []
