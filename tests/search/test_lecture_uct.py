"""The short UCT grows the tree that the tuned one does without its options: every node has the same numbers."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import Budget, Limit, interpreted, make_game
from plyground.core.notation import read_moves
from plyground.errors import PlygroundError
from plyground.games.tree import read_tree
from plyground.native.randomness import stream
from plyground.players import make_player
from plyground.search.lecture.uct import Node, uct, uct_all
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


@pytest.mark.parametrize("search", [uct, pytest.param(uct_all, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32), simulations=st.integers(1, 150), c=st.sampled_from([0.0, 0.3, 1.0, 2.0**0.5]))
def test_the_same_tree_from_the_same_seed(name, search, seed, simulations, c):
    game = GAMES[name]
    low, high = game.utilities
    with interpreted():
        state = read_moves(game, "4 4 4 3")[0][-1] if name == "connect4" else game.initial
        tree = new_tree(1 << 13)
        numbers = MctsSettings(exploration=c, low=low, high=high)
        variant = MctsVariant(expand_all=search is uct_all)
        grow(tree, state, numbers, variant, stream(seed), Budget(simulations))
        root = search(state, simulations, stream(seed), c, low, high)
    assert root.visits == simulations or (search is uct_all and root.visits > simulations)
    assert check(tree.nodes, 0, root) == tree.used[0]


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32), simulations=st.integers(1, 150), form=st.sampled_from(["plain", "ucb1"]))
def test_the_player_uct_grows_the_tree_of_the_lecture(name, seed, simulations, form):
    game = GAMES[name]
    bound = max(map(abs, game.utilities))
    with interpreted():
        search = make_player(f"uct:form={form}", game, seed).new_search(game)
        found = search.search(game.initial, Limit(simulations=simulations))
        root = uct(game.initial, simulations, stream(seed, 1, 0), 2**0.5 if form == "ucb1" else 1.0, -bound, bound)
    assert search.growing is not None
    assert check(search.growing.nodes, 0, root) == search.growing.used[0]
    most = max(child.visits for child in root.children)
    assert found.action in [child.action for child in root.children if child.visits == most]


def test_it_keeps_no_tree_and_knows_nothing_of_the_game():
    game = make_game("tictactoe")
    player = make_player("uct:simulations=20", game, 3)
    search = player.new_search(game)
    assert search.variant == MctsVariant()
    assert not player.reuse
    assert make_player("uct:form=root", game, 3).new_search(game).variant.form != MctsVariant().form


@pytest.mark.parametrize("spec", ["uct:c=-1", "uct:scale=0", "uct:form=prior", "uct:solver=on", "uct:simulations=0"])
def test_options_of_uct_that_cannot_be(spec):
    with pytest.raises(PlygroundError) as error:
        make_player(spec, make_game("tictactoe"))
    assert "\n" not in str(error.value)
