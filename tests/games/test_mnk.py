"""The m,n,k game: lines in every direction, on boards of one word and of several."""

from __future__ import annotations

import pytest

from plyground import action_text, actions, make_game, parse_action, result, search, terminal, utility
from plyground.core.limits import Budget
from plyground.core.rules import playout_action, promising
from plyground.errors import BadOption
from plyground.native.randomness import stream
from plyground.search.minimax import minimax_value


def play(game, moves):
    state = game.initial
    for move in moves.split():
        assert not terminal(state)
        state = result(state, parse_action(state, move))
    return state


@pytest.mark.parametrize(
    "moves",
    [
        "a1 a2 b1 b2 c1 c2 d1 d2 e1",
        "a1 b1 a2 b2 a3 b3 a4 b4 a5",
        "a1 b1 b2 c1 c3 d1 d4 e1 e5",
        "o11 a1 n12 b1 m13 c1 l14 d1 k15",
        "k15 a1 l15 b1 n15 c1 o15 d1 m15",
    ],
)
def test_five_in_a_row_wins_in_every_direction(moves):
    state = play(make_game("gomoku"), moves)
    assert terminal(state)
    assert utility(state, 0) == 1.0
    assert utility(state, 1) == -1.0


def test_lines_do_not_wrap_around_the_edge():
    assert not terminal(play(make_game("gomoku"), "l1 a9 m1 b9 n1 c9 o1 d9 a2"))


def test_known_values():
    """3,3,3 is a draw, 4,3,3 a win for the first player (Uiterwijk and van den Herik 2000)."""
    assert minimax_value(make_game("mnk:m=3,n=3,k=3").initial, 9, 0, Budget()) == 0.0
    assert minimax_value(make_game("mnk:m=2,n=2,k=2").initial, 4, 0, Budget()) == 1.0
    assert minimax_value(make_game("mnk:m=4,n=3,k=3").initial, 7, 0, Budget()) == 1.0


def test_a_full_board_is_a_draw():
    state = play(make_game("mnk:m=2,n=2,k=2"), "a1 b2")
    assert not terminal(state)
    full = play(make_game("mnk:m=3,n=1,k=3"), "a1 b1 c1")
    assert terminal(full)
    assert utility(full, 0) == 0.0


def test_text_of_far_cells():
    state = make_game("mnk:m=19,n=19,k=5").initial
    assert action_text(state, 19 * 19 - 1) == "s19"
    assert parse_action(state, "S19") == 360


@pytest.mark.parametrize("spec", ["mnk:m=0", "mnk:n=20", "mnk:k=4", "mnk:k=0", "gomoku:size=4", "gomoku:size=20"])
def test_impossible_boards(spec):
    with pytest.raises(BadOption, match="must be"):
        make_game(spec)


@pytest.mark.slow
def test_a_tree_search_looks_near_the_stones_first():
    """It answered h8 with a1: among 224 cells, all tried a few times, chance decided."""
    game = make_game("gomoku")
    state = play(game, "h8")
    near = [action for action in actions(state) if promising(state, action)]
    assert len(near) == 16
    for seed in range(3):
        found = search(state, "mcts", simulations=400, seed=seed)
        assert found.action in near
    assert sum(promising(game.initial, action) for action in actions(game.initial)) == 9


def test_playouts_complete_lines_and_stop_them():
    rng = stream(3)
    for moves, wanted in (("h8 a1 i8 a2 j8 a3 k8 a4", {"g8", "l8"}), ("h8 g8 i8 a1 j8 a15 k8", {"l8"})):
        state = play(make_game("gomoku"), moves)
        options = actions(state)
        chosen = {playout_action(state, options, len(options), rng) for _ in range(20)}
        assert {action_text(state, action) for action in chosen} <= wanted


@pytest.mark.slow
def test_what_is_not_promising_is_tried_when_all_else_is_lost():
    """X completes a line on either side; that O is lost is proven only when every other cell was tried too."""
    state = play(make_game("mnk:m=7,n=7,k=3"), "d4 a1 d5")
    assert not all(promising(state, action) for action in actions(state))
    found = search(state, "mcts", simulations=5000, seed=1)
    assert found.complete
    assert found.value == -1.0
