"""Games and players in the style of AIMA: theirs here, ours there."""

from __future__ import annotations

import re
from collections import namedtuple

import pytest

from plyground import Limit, actions, make_game, parse_action, result, text
from plyground.arena.referee import play_game
from plyground.errors import BadOption, BrokenRule, PlayerFailed
from plyground.games.contract import check_game
from plyground.players import Position, make_player
from plyground.protocols.aima import AimaGame, AimaPlayer, as_function, from_aima
from plyground.search.minimax import minimax_search

GameState = namedtuple("GameState", "to_move, utility, board, moves")


class TicTacToe:
    """As the book has it: squares are (row, column) from 1, the board is a dict."""

    def __init__(self, size=3):
        self.size = size
        moves = [(x, y) for x in range(1, size + 1) for y in range(1, size + 1)]
        self.initial = GameState("X", 0, (), tuple(moves))

    def actions(self, state):
        return list(state.moves)

    def result(self, state, move):
        board = dict(state.board) | {move: state.to_move}
        won = any(
            all(board.get(square) == state.to_move for square in line)
            for line in (
                *([(x, y) for y in range(1, 4)] for x in range(1, 4)),
                *([(x, y) for x in range(1, 4)] for y in range(1, 4)),
                [(i, i) for i in range(1, 4)],
                [(i, 4 - i) for i in range(1, 4)],
            )
        )
        return GameState(
            "O" if state.to_move == "X" else "X",
            (1 if state.to_move == "X" else -1) if won else 0,
            tuple(sorted(board.items())),
            tuple(other for other in state.moves if other != move),
        )

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        return state.utility != 0 or not state.moves

    def to_move(self, state):
        return state.to_move


def minmax_decision(state, game):
    """The book's search: called with the state and the game, returns a move."""
    player = game.to_move(state)

    def value(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        values = [value(game.result(state, move)) for move in game.actions(state)]
        return max(values) if game.to_move(state) == player else min(values)

    return max(game.actions(state), key=lambda move: value(game.result(state, move)))


def newest_search(game, state):
    """As the newest edition's: the value and the move."""
    return 0, minmax_decision(state, game)


def after(game, moves):
    state = game.initial
    for move in moves.split():
        state = result(state, parse_action(state, move))
    return state


def test_their_game_keeps_the_contract():
    game = from_aima(TicTacToe())
    assert game.seats == ("X", "O")
    assert check_game(game, positions=150).games > 5
    assert text(game.initial).startswith("GameState(to_move='X'")


def test_our_searches_play_their_game():
    theirs, ours = from_aima(TicTacToe()), make_game("tictactoe")
    names = {f"({row},{column})": f"{'abc'[column - 1]}{row}" for row in (1, 2, 3) for column in (1, 2, 3)}
    for moves in ("(1,1) (2,2) (3,3)", "(2,2) (1,2) (3,1) (1,3)", "(1,1) (1,2) (2,1) (3,1)"):
        there = minimax_search(after(theirs, moves), Limit(depth=9))
        here = minimax_search(after(ours, " ".join(names[move] for move in moves.split())), Limit(depth=9))
        assert there.value == here.value
    for spec in ("alphabeta:depth=3", "mcts:simulations=20,memory=1", "flat:simulations=20"):
        record = play_game(theirs, [make_player(spec, theirs, 1), make_player("random", theirs, 2)])
        assert record.complete


@pytest.mark.parametrize("function", [minmax_decision, newest_search])
def test_their_players_play_their_game_and_ours(function):
    for game, moves in ((from_aima(TicTacToe()), "(1,1) (2,2) (1,2)"), (make_game("tictactoe"), "a1 b2 b1")):
        state = after(game, moves)
        choice = AimaPlayer(function).choose(Position(game, state), Limit())
        threat = "(1,3)" if "(" in moves else "c1"
        assert choice.action == parse_action(state, threat)  # the only move that does not lose


def test_our_games_in_their_hands(capsys):
    game = AimaGame(make_game("tictactoe"))
    assert game.actions(game.initial) == list(range(9))
    assert game.to_move(game.initial) == 0
    assert not game.is_terminal(game.initial)
    after_b2 = game.result(game.initial, 4)
    draw = game.play_game(
        lambda game, state: 4 if state == game.initial else minmax_decision(state, game),
        lambda game, state: 0 if state == after_b2 else minmax_decision(state, game),
    )
    assert draw == 0
    assert "X" in capsys.readouterr().out


def test_our_players_in_their_hands():
    theirs, ours = TicTacToe(), AimaGame(make_game("tictactoe"))
    state = theirs.result(theirs.result(theirs.result(theirs.initial, (1, 1)), (2, 2)), (1, 2))
    assert as_function(make_player("minimax:depth=4"))(theirs, state) == (1, 3)
    state = after(ours.game, "a1 b2 b1")
    assert as_function(make_player("minimax:depth=4"))(ours, state) == 2


FILE = """
class Nim:
    initial = (3, "A")
    def actions(self, state): return [1, 2][: state[0]]
    def result(self, state, move): return (state[0] - move, "B" if state[1] == "A" else "A")
    def utility(self, state, player): return -1 if state[1] == player else 1
    def is_terminal(self, state): return state[0] == 0
    def to_move(self, state): return state[1]

def largest(game, state):
    return max(game.actions(state))

def wrong(game, state):
    return "nothing"

def failing(game, state):
    raise KeyError("oh")
"""


def test_files(tmp_path):
    file = tmp_path / "theirs.py"
    file.write_text(FILE, encoding="utf-8")
    game = make_game(f"aima:file={file}")
    assert actions(game.initial) == [0, 1]
    player = make_player(f"aima:file={file},name=largest", game)
    record = play_game(game, [player, make_player("minimax", game)])
    assert record.returns == (-1.0, 1.0)
    assert make_player(f"aima:file={file},name=wrong").choose(Position(game, game.initial), Limit()).action == -1
    with pytest.raises(PlayerFailed, match="failing fails: KeyError: 'oh'"):
        make_player(f"aima:file={file},name=failing").choose(Position(game, game.initial), Limit())


@pytest.mark.parametrize(
    ("make", "spec", "message"),
    [
        (make_player, "aima:file=FILE", "has 3 functions: largest, wrong, failing; give name="),
        (make_player, "aima:file=FILE,name=none", "has no 'none'"),
        (make_player, "aima:file=FILE,name=Nim", None),
        (make_game, "aima:file=FILE,name=largest", "function is not a game: it has no actions"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, make, spec, message):
    file = tmp_path / "theirs.py"
    file.write_text(FILE, encoding="utf-8")
    if message is None:
        assert make(spec.replace("FILE", str(file)))
        return
    with pytest.raises(BadOption, match=message):
        make(spec.replace("FILE", str(file)))


def test_games_that_are_none():
    with pytest.raises(BadOption, match="object is not a game: it has no actions, no result"):
        from_aima(object())

    class Lonely(TicTacToe):
        def to_move(self, state):
            return "X"

    with pytest.raises(BadOption, match=re.escape("only ['X'] is ever to move")):
        from_aima(Lonely())

    class Changing(TicTacToe):
        def to_move(self, state):
            return len(state.moves)

    with pytest.raises(BrokenRule, match="7 is to move, but the players are 9, 8"):
        play_game(from_aima(Changing()), [make_player("random"), make_player("random")])
