"""The short alpha-beta visits what the tuned one does without its options: same nodes, same order, same windows."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import Budget, Game, actions, make_game, result, terminal, to_move
from plyground.core.recording import record
from plyground.games.tree import read_tree
from plyground.search.alphabeta import AlphaBetaSettings, AlphaBetaVariant, alphabeta, new_memory
from plyground.search.lecture.alphabeta import alphabeta_value

GAMES = {name: make_game(name) for name in ("tictactoe", "connect4", "reversi:size=4")}
TREES = st.recursive(
    st.integers(-6, 6),
    lambda below: st.builds(
        lambda kind, children: {kind: children, "value": 0},
        st.sampled_from(["max", "min"]),
        st.lists(below, min_size=1, max_size=4),
    ),
    max_leaves=30,
).filter(lambda tree: isinstance(tree, dict))


def check(game: Game, state: Any, depth: int, alpha: float, beta: float) -> None:
    player = to_move(state)
    value, events = record(alphabeta_value, state, depth, alpha, beta, player)
    tuned, plain = AlphaBetaSettings(), AlphaBetaVariant()
    same, others = record(alphabeta, state, depth, alpha, beta, player, new_memory(game), tuned, plain, Budget())
    assert value == same
    assert events == [event for event in others if event.kind != "cut"]


@pytest.mark.parametrize(("name", "depth"), [("tictactoe", 4), ("connect4", 3), ("reversi:size=4", 5)])
@settings(max_examples=10)
@given(moves=st.lists(st.integers(0, 99), max_size=6), bounds=st.tuples(st.floats(-1, 1), st.floats(-1, 1)))
def test_the_same_nodes_in_the_same_order(name, depth, moves, bounds):
    state = GAMES[name].initial
    for move in moves:
        after = result(state, actions(state)[move % len(actions(state))])
        if terminal(after):
            break
        state = after
    check(GAMES[name], state, depth, -math.inf, math.inf)
    if bounds[0] < bounds[1]:
        check(GAMES[name], state, depth, *bounds)


@settings(max_examples=30)
@given(tree=TREES, depth=st.integers(1, 6), low=st.integers(-7, 5), width=st.integers(1, 8))
def test_the_same_on_any_tree(tree, depth, low, width):
    game = read_tree(tree)
    check(game, game.initial, depth, -math.inf, math.inf)
    check(game, game.initial, depth, float(low), float(low + width))


def test_compiled_it_knows_that_tictactoe_is_a_draw():
    assert alphabeta_value(GAMES["tictactoe"].initial, 9, -math.inf, math.inf, 0) == 0.0
