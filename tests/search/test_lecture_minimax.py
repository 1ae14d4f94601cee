"""The short minimax visits what the tuned one does: same nodes, same order, same values."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import Budget, actions, make_game, result, terminal, to_move
from plyground.core.recording import record
from plyground.games.tree import read_tree
from plyground.search.lecture.minimax import minimax_value
from plyground.search.minimax import minimax_value as tuned_value
from test_lecture_alphabeta import TREES

GAMES = {name: make_game(name) for name in ("tictactoe", "reversi:size=4")}


def check(state: Any, depth: int) -> None:
    player = to_move(state)
    assert record(minimax_value, state, depth, player) == record(tuned_value, state, depth, player, Budget())


@pytest.mark.parametrize(("name", "depth"), [("tictactoe", 2), ("reversi:size=4", 3)])
@settings(max_examples=10)
@given(moves=st.lists(st.integers(0, 99), max_size=6))
def test_the_same_nodes_in_the_same_order(name, depth, moves):
    state = GAMES[name].initial
    for move in moves:
        after = result(state, actions(state)[move % len(actions(state))])
        if terminal(after):
            break
        state = after
    check(state, depth)


@settings(max_examples=30)
@given(tree=TREES, depth=st.integers(1, 6))
def test_the_same_on_any_tree(tree, depth):
    check(read_tree(tree).initial, depth)
