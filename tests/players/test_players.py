"""Players: what they accept, what they choose, and that a seed repeats it."""

from __future__ import annotations

import pytest

from plyground import Accepts, Axes, Budget, Limit, actions, make_game, result, terminal, to_move
from plyground.errors import PlayerFailed, UnsuitableGame
from plyground.games.tree import read_tree
from plyground.players import Move, Player, Position, default_opponent, make_player, players_for
from plyground.search.minimax import minimax_search, minimax_value

TICTACTOE = make_game("tictactoe")


def test_minimax_never_loses_and_takes_a_win():
    from plyground.arena.referee import play_game

    for seed in range(10):
        record = play_game(TICTACTOE, [make_player("minimax", TICTACTOE, seed), make_player("random", TICTACTOE, seed)])
        assert record.returns[0] >= 0
        record = play_game(TICTACTOE, [make_player("random", TICTACTOE, seed), make_player("minimax", TICTACTOE, seed)])
        assert record.returns[1] >= 0


def test_minimax_reports_what_it_found():
    state = TICTACTOE.initial
    for action in (0, 3, 1, 4):  # X has a1 b1, O has a2 b2, X to move wins with c1
        state = result(state, action)
    move = make_player("minimax:depth=3").choose(Position(TICTACTOE, state), Limit())
    assert (move.action, move.value, move.line, move.depth) == (2, 1.0, (2,), 3)
    assert move.nodes > 0
    assert move.time >= 0


@pytest.mark.parametrize("depth", [1, 2, 3, 6])
def test_minimax_expects_a_line_that_has_its_value(depth):
    state = TICTACTOE.initial
    for action in (4, 1, 3):
        state = result(state, action)
    found = minimax_search(state, Limit(depth=depth))
    for action, line in found.lines.items():
        end = state
        for follows in line:
            assert follows in actions(end)
            end = result(end, follows)
        assert line[0] == action
        assert len(line) == depth or terminal(end)
        assert minimax_value(end, 0, to_move(state), Budget()) == found.values[action]


@pytest.mark.slow
def test_minimax_far_beyond_the_end_of_the_game_still_has_a_move_as_its_line():
    assert minimax_search(make_game("nim:piles=2").initial, Limit(depth=400)).lines == {1: (1,), 2: (2,)}


def test_ties():
    position = Position(TICTACTOE, TICTACTOE.initial)
    assert make_player("minimax:depth=9,ties=first").choose(position, Limit()).action == 0
    chosen = {make_player("minimax:depth=9", seed=seed).choose(position, Limit()).action for seed in range(40)}
    assert chosen == set(range(9))


@pytest.mark.parametrize("spec", ["random", "minimax:depth=2", "minimax:nodes=500"])
def test_the_same_seed_plays_the_same_game(spec):
    from plyground.arena.referee import play_game

    game = make_game("reversi:size=6")

    def moves(seed):
        players = [make_player(spec, game, seed), make_player(spec, game, seed + 1)]
        return [turn.action for turn in play_game(game, players, seed=seed).moves]

    assert moves(7) == moves(7)
    assert moves(7) != moves(8)


def test_a_refusal_says_which_axis_and_what_to_use_instead():
    dice = read_tree({"chance": [{"max": [1, 2]}, 3]})
    with pytest.raises(UnsuitableGame) as caught:
        make_player("minimax", dice)
    assert str(caught.value) == (
        "minimax cannot play tree: chance has moves (chance: needs a deterministic game); "
        "use mcts, uct, flat, expectiminimax, maxn, paranoid, random or human instead"
    )
    three = read_tree({"player": 2, "children": [[1, 2, 3]]})
    with pytest.raises(
        UnsuitableGame,
        match=r"the game has 3 players \(players: needs 2\); use mcts, uct, flat, maxn, paranoid, random or human",
    ):
        make_player("minimax", three)
    general = read_tree({"max": [[1, 1], [2, 0]]})
    with pytest.raises(UnsuitableGame, match="sum: needs a zero-sum game"):
        make_player("minimax", general)


@pytest.mark.parametrize(
    ("axes", "word"),
    [
        (Axes(players=3), "players"),
        (Axes(simultaneous=True), "turn-taking"),
        (Axes(hidden=True), "perfect information"),
        (Axes(chance=True), "deterministic"),
        (Axes(zero_sum=False), "zero-sum"),
    ],
)
def test_every_axis_can_be_in_the_way(axes, word):
    assert word in Accepts(players=(2,)).obstacle(axes)
    everything = Accepts(simultaneous=True, hidden=True, chance=True, general_sum=True)
    assert everything.obstacle(axes) is None


def test_who_can_play_what():
    searches = {"minimax", "alphabeta", "pvs", "mtdf", "mcts", "uct", "flat", "expectiminimax", "maxn", "paranoid"}
    assert set(players_for(TICTACTOE)) == {*searches, "random", "human"}
    assert default_opponent(TICTACTOE) == "minimax"
    assert default_opponent(make_game("connect4")) == "engine"
    assert default_opponent(make_game("connect4:columns=8")) == "alphabeta"
    assert default_opponent(read_tree({"chance": [1, 2]})) == "mcts"
    assert default_opponent(make_game("reversi")) == "engine"
    assert default_opponent(make_game("reversi:size=6")) == "mcts"


def test_the_random_player_plays_every_move():
    player = make_player("random", seed=3)
    position = Position(TICTACTOE, TICTACTOE.initial)
    chosen = {player.choose(position, Limit()).action for _ in range(200)}
    assert chosen == set(actions(TICTACTOE.initial))


class Noted(Player):
    """Writes down what happens to it."""

    def __init__(self, ready=True):
        self.ready, self.notes = ready, []

    def choose(self, position, limit):
        return Move(0)

    def prepare(self, game):
        self.notes.append(game)
        if not self.ready:
            raise PlayerFailed("not ready")

    def close(self):
        self.notes.append("closed")


def test_a_player_is_ready_within_its_block_and_closed_after_it():
    for game in (None, TICTACTOE):
        noted, before = Noted(), [] if game is None else [game]
        noted.game = game
        with noted as player:
            assert player is noted
            assert noted.notes == before
        assert noted.notes == [*before, "closed"]
    failing = Noted(ready=False)
    failing.game = TICTACTOE
    with pytest.raises(PlayerFailed), failing:
        raise AssertionError
    assert failing.notes == [TICTACTOE, "closed"]


def test_a_player_knows_the_game_that_it_was_made_for():
    assert make_player("random").game is None
    assert make_player("random", TICTACTOE).game is TICTACTOE


@pytest.mark.parametrize(("spec", "seconds"), [("mcts:time=2", 2), ("mcts", 6), ("uct:time=2", 2)])
def test_a_time_that_is_given_is_kept_also_if_it_is_the_usual_one(monkeypatch, spec, seconds):
    player, limits = make_player(spec, TICTACTOE), []
    monkeypatch.setattr(player, "prepare", lambda game: None)
    monkeypatch.setattr(player, "searched", lambda position, limit: limits.append(limit))
    player.find(Position(TICTACTOE, TICTACTOE.initial), Limit(time=60))
    assert limits == [Limit(time=seconds)]
