"""Games up to symmetry: fewer moves, the same values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import Budget, actions, interpreted, make_game, result, terminal, to_move, transformed, utility
from plyground.games.contract import check_game
from plyground.games.symmetry import UpToSymmetry, multiplicities, up_to_symmetry
from plyground.games.tree import read_tree
from plyground.search.minimax import minimax_value
from plyground.search.perft import perft

SPECS = ["tictactoe", "connect4", "reversi", "reversi:size=4", "mnk:m=4,n=3,k=3", "nim:piles=2,3"]


def positions(game, data, most=12):
    """A random position and the way to it."""
    state = game.initial
    for _ in range(data.draw(st.integers(0, most))):
        if terminal(state):
            break
        state = result(state, data.draw(st.sampled_from(actions(state))))
    return state


def test_tictactoe_begins_with_three_moves():
    game = up_to_symmetry(make_game("tictactoe"))
    assert multiplicities(game.initial) == {0: 4, 1: 4, 4: 1}
    assert [perft(game.initial, depth, 0, Budget()) for depth in range(4)] == [1, 3, 12, 66]


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=40)
@given(st.data())
def test_the_moves_left_stand_for_all_moves(spec, data):
    game = make_game(spec)
    state = positions(game, data)
    if terminal(state):
        assert not actions(UpToSymmetry(state))
        return
    times = multiplicities(UpToSymmetry(state))
    assert list(times) == actions(UpToSymmetry(state))
    assert set(times) <= set(actions(state))
    assert sum(times.values()) == len(actions(state))


@settings(max_examples=60)
@given(st.data())
def test_moves_that_are_left_out_are_mirror_images_of_one_that_is_kept(data):
    state = positions(make_game("tictactoe"), data, most=6)
    kept = {transformed(result(state, action), index) for action in actions(UpToSymmetry(state)) for index in range(8)}
    assert all(result(state, action) in kept for action in actions(state))


@pytest.mark.parametrize(("spec", "depth"), [("tictactoe", 9), ("tictactoe", 3), ("reversi:size=4", 12)])
def test_values_stay_and_work_shrinks(spec, depth):
    game = make_game(spec)
    whole, folded = Budget(), Budget()
    value = minimax_value(game.initial, depth, 0, whole)
    assert minimax_value(up_to_symmetry(game).initial, depth, 0, folded) == value
    assert folded.nodes < whole.nodes


def test_compiled_and_interpreted_agree():
    state = up_to_symmetry(make_game("tictactoe")).initial
    fast, slow = Budget(), Budget()
    value = minimax_value(state, 4, 0, fast)
    with interpreted():
        assert minimax_value(state, 4, 0, slow) == value
    assert fast.nodes == slow.nodes == 442


def test_the_folded_game_keeps_the_contract():
    assert check_game(up_to_symmetry(make_game("tictactoe")), positions=100).compiled


def test_chance_outcomes_are_all_kept():
    die = up_to_symmetry(read_tree({"chance": [1, 1, 1]}))
    assert actions(die.initial) == [0, 1, 2]
    assert multiplicities(die.initial) == {0: 1, 1: 1, 2: 1}


def test_evaluations_and_points_go_along():
    game = make_game("tictactoe")
    folded = up_to_symmetry(game)
    state = result(folded.initial, 4)
    for name, evaluation in game.evaluations.items():
        assert folded.evaluations[name](state) == evaluation(state.position)
        terms, own = folded.points[name].terms, game.points[name].terms
        assert terms is not None
        assert own is not None
        assert terms(state) == own(state.position)


def test_a_finished_game_is_finished():
    game = make_game("tictactoe")
    state = game.initial
    for action in (0, 3, 1, 4, 2):
        state = result(state, action)
    wrapped = UpToSymmetry(state)
    assert terminal(wrapped)
    assert to_move(wrapped) == to_move(state)
    assert utility(wrapped, 0) == 1.0
