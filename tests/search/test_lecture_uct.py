"""The short UCT grows the tree that the tuned one does without its options: every node has the same numbers."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import Budget, interpreted, make_game
from plyground.core.notation import read_moves
from plyground.games.tree import read_tree
from plyground.native.randomness import stream
from plyground.search.lecture.uct import Node, uct
from plyground.search.mcts import grow
from plyground.search.mcts_tree import new_tree
from plyground.search.mcts_variant import MctsSettings, MctsVariant

GAMES = {
    "tictactoe": make_game("tictactoe"),
    "connect4": make_game("connect4"),
    "reversi:size=4": make_game("reversi:size=4"),
    "a tree": read_tree({"max": [{"min": [3, 12, 8]}, {"max": [2, {"min": [4, 6]}]}, {"min": [14, 5, 2]}]}),
}


def check(nodes: Any, place: int, node: Node) -> int:
    """Compare two nodes and all below; how many there are."""
    tuned = nodes[place]
    assert (tuned["visits"], tuned["total"]) == (node.visits, node.total)
    places = range(tuned["first"], tuned["first"] + tuned["count"]) if tuned["first"] else range(0)
    assert [nodes[child]["action"] for child in places] == [child.action for child in node.children]
    return 1 + sum(check(nodes, child, below) for child, below in zip(places, node.children, strict=True))


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32), simulations=st.integers(1, 150), c=st.sampled_from([0.0, 0.3, 1.0, 2.0**0.5]))
def test_the_same_tree_from_the_same_seed(name, seed, simulations, c):
    game = GAMES[name]
    low, high = game.utilities
    with interpreted():
        state = read_moves(game, "4 4 4 3")[0][-1] if name == "connect4" else game.initial
        tree = new_tree(1 << 13)
        numbers = MctsSettings(exploration=c, low=low, high=high)
        grow(tree, state, numbers, MctsVariant(), stream(seed), Budget(simulations))
        root = uct(state, simulations, stream(seed), c, low, high)
    assert root.visits == simulations
    assert check(tree.nodes, 0, root) == tree.used[0]
