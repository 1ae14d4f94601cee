"""Counts that a tree file presets: a search goes on from them, and what cannot be is refused in one line."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import interpreted
from plyground.errors import BadOption, FormatError
from plyground.games.tree import counts_of, load_tree, read_tree
from plyground.native.randomness import stream
from plyground.search.lecture.uct import Node, uct
from plyground.watch.mcts_run import MctsRun
from plyground.watch.simulations import simulations_drawing
from plyground.watch.visited_tree import tree_drawing

LEAVES = st.sampled_from([-1.0, 0.0, 1.0])
SHAPES = st.recursive(LEAVES, lambda below: st.lists(below, min_size=1, max_size=3), max_leaves=20)


def as_node(shape, side="max"):
    if not isinstance(shape, list):
        return {"leaf": shape}
    return {side: [as_node(child, "min" if side == "max" else "max") for child in shape]}


def preset(node: Node, file, view):
    """Write the counts of a lecture's tree into the nodes of a file, as wins of `view` or of whoever moved there."""
    total = node.total if view in (None, node.mover) else node.visits - node.total
    if node.visits:
        file["Q"], file["N"] = total, node.visits
    for child in node.children:
        preset(child, file[next(side for side in ("max", "min") if side in file)][child.action], view)


def same(nodes, place, node: Node):
    """Whether a tree of the search has the numbers of the lecture's; what was never visited has none."""
    assert (nodes[place]["visits"], nodes[place]["total"]) == (node.visits, pytest.approx(node.total))
    first, count = int(nodes[place]["first"]), int(nodes[place]["count"])
    below = {int(nodes[child]["action"]): child for child in range(first, first + count)} if first else {}
    for child in node.children:
        if child.visits:
            same(nodes, below[child.action], child)


@given(st.lists(SHAPES, min_size=1, max_size=3), st.integers(1, 60), st.integers(0, 99), st.sampled_from([None, 0, 1]))
def test_a_search_begins_with_the_counts_of_the_file(shape, simulations, seed, view):
    file = as_node(shape)
    with interpreted():
        root = uct(read_tree(file).initial, simulations, stream(seed))
        preset(root, file, view)
        game = read_tree({"root": file} | ({} if view is None else {"view": view}))
        run = MctsRun(game, game.initial, 5, "uct", seed)
        assert (run.preset, run.view) == (simulations, view)
        same(run.tree.nodes, 0, root)
        run.run(5)
    assert int(run.tree.nodes[0]["visits"]) == simulations + 5


@given(st.lists(SHAPES, min_size=1, max_size=3), st.integers(1, 60), st.integers(0, 9), st.sampled_from([None, 0, 1]))
def test_it_begins_at_any_node_of_the_file(shape, simulations, seed, view):
    file = as_node(shape)
    with interpreted():
        root = uct(read_tree(file).initial, simulations, stream(seed))
        preset(root, file, view)
        game = read_tree({"root": file} | ({} if view is None else {"view": view}))
        for child in root.children:
            if child.visits and child.children:
                state = game.initial._replace(node=1 + child.action)
                run = MctsRun(game, state, 1, "uct", seed)
                child.total, child.mover = child.visits - child.total, 1 - child.mover  # a root counts for who moves
                same(run.tree.nodes, 0, child)


def test_the_next_choice_has_the_bounds_of_the_lecture():
    file = {"root": {"Q": 12, "N": 21, "max": [{"Q": 7, "N": 10, "min": [1]}, {"Q": 5, "N": 8, "min": [1]},
                                               {"Q": 0, "N": 3, "min": [-1]}]}}  # fmt: skip
    game = read_tree(file)
    drawing = simulations_drawing(game, game.initial, simulations=1, shown=1, player="uct")
    assert drawing.title.startswith("tree, simulation 22 (uct). Q/N at a node is to whoever moved there;")
    assert drawing.steps[0].caption == (
        "Simulation 22, selection: MAX compares 3 moves. 1 has the highest bound, 0.70 + 0.552 = 1.252."
    )
    lines = {drawing.nodes[number].action: look.lines for number, look in drawing.steps[0].changes.items()}
    for action, wins, visits in (("MAX 1", 7, 10), ("MAX 2", 5, 8), ("MAX 3", 0, 3)):
        assert lines[action][0].endswith(f"= {wins / visits + math.sqrt(math.log(21) / visits):.3f}")


def test_totals_by_margins_go_on_as_margins():
    """A figure with totals -3/1, 13/2 and -18/3, where a playout brings between -10 and 10 points."""
    below = {"min": [10, -10]}
    file = {"root": {"Q": -8, "N": 6, "max": {"a": {"Q": -3, "N": 1, **below}, "b": {"Q": 13, "N": 2, **below},
                                              "c": {"Q": -18, "N": 3, **below}}}}  # fmt: skip
    game = read_tree(file)
    drawing = simulations_drawing(game, game.initial, simulations=1, shown=1, player="uct:reward=margin")
    start = {drawing.nodes[number].action: look.value for number, look in drawing.start.items()}
    assert start == {"": "−8/6", "MAX a": "−3/1", "MAX b": "13/2", "MAX c": "−18/3"}
    assert "MAX compares 3 moves. b has the highest bound, 6.50 + 0.947 = 7.447" in drawing.steps[0].caption
    assert "13/2 → 3/3" in drawing.steps[-3].caption or "13/2 → 23/3" in drawing.steps[-3].caption
    with pytest.raises(BadOption, match=r"^root: Q = −8 cannot be of N = 6: with reward=win a visit adds 0 to 1; "):
        simulations_drawing(game, game.initial, simulations=1, shown=1, player="uct")
    with pytest.raises(
        BadOption, match=r"with reward=signed a visit adds −1 to 1; where Q sums up utilities, write rew"
    ):
        simulations_drawing(game, game.initial, simulations=1, shown=1, player="uct:reward=signed")
    with pytest.raises(BadOption, match=r"with reward=margin a visit adds −0.5 to 0.5$"):
        simulations_drawing(game, game.initial, simulations=1, shown=1, player="uct:reward=margin,scale=20")


def test_a_view_with_margins_is_seen_from_there():
    file = {
        "view": 1,
        "root": {"Q": 3, "N": 2, "max": [{"Q": 2, "N": 1, "min": [9, -9]}, {"Q": 1, "N": 1, "min": [5]}]},
    }
    game = read_tree(file)
    drawing = simulations_drawing(game, game.initial, simulations=1, shown=1, player="uct:reward=margin")
    assert [look.value for look in drawing.start.values()] == ["3/2", "2/1", "1/1"]
    assert "Q/N at a node is MIN's" in drawing.title
    assert "highest bound, −1.00 + 0.833 = −0.167" in drawing.steps[0].caption


def test_the_tree_shows_the_counts_before_it_grows():
    file = {"Q": 1, "N": 2, "max": [{"Q": 1, "N": 1, "min": [1, -1]}, {"Q": 0, "N": 1, "min": [1, -1]}]}
    game = read_tree(file)
    drawing = tree_drawing(game, game.initial, simulations=10, player="uct", seed=1)
    assert drawing.steps[0].caption.startswith("After 2 simulations: MAX 2 has 50% of the visits")
    assert drawing.steps[-1].caption.startswith("After 12 simulations:")
    assert "the tree after 12 simulations" in drawing.title


def test_preset_nodes_are_drawn_where_no_simulation_comes_by():
    deep = {"Q": 0, "N": 2, "min": [{"Q": 0, "N": 1, "leaf": -1, "name": "sure"}, {"leaf": -1}]}
    game = read_tree({"Q": 9, "N": 11, "max": {"good": {"Q": 9, "N": 9, "min": [1, 1]}, "bad": deep}})
    drawing = simulations_drawing(game, game.initial, simulations=1, shown=1, player="uct:c=0")
    values = [drawing.start[number].value for number in sorted(drawing.start)]
    assert [node.action for node in drawing.nodes][:2] == ["", "MAX good"]
    assert sorted(values) == ["0/1", "0/2", "9/11", "9/9"]


@pytest.mark.parametrize(
    ("node", "says"),
    [
        ({"N": 3, "max": [1]}, 'root: "Q" and "N" belong together; add "Q"'),
        ({"Q": 3, "max": [1]}, 'root: "Q" and "N" belong together; add "N"'),
        ({"Q": 1, "N": -1, "max": [1]}, '"N" must be a whole number from 0 to 1,000,000,000, not -1'),
        ({"Q": 1, "N": 1.5, "max": [1]}, "not 1.5"),
        ({"Q": 1, "N": True, "max": [1]}, "not true"),
        ({"Q": 1, "N": "2", "max": [1]}, 'not "2"'),
        ({"Q": 1, "N": 10**12, "max": [1]}, "not 1000000000000"),
        ({"Q": "1", "N": 1, "max": [1]}, 'expected a finite number, not "1"'),
        ({"Q": None, "N": 1, "max": [1]}, "expected a finite number, not null"),
        ({"Q": 1, "N": 0, "max": [1]}, '"Q" must be 0 where "N" is 0, not 1'),
        (
            {"Q": 1, "N": 2, "max": {"a": {"Q": 0, "N": 2, "leaf": 1}, "b": {"Q": 0, "N": 1, "leaf": 1}}},
            "root: the children have N = 3 together, more than the 2 of the node itself",
        ),
        (
            {"max": [{"min": [{"Q": 0, "N": 1, "leaf": 1}]}]},
            "root > 1: the children have N = 1 together, more than the 0",
        ),
        ({"leaf": 1, "value": 2}, 'unknown key "value"'),
        ({"leaf": [], "Q": 0, "N": 0}, "a leaf needs at least one utility"),
        ({"leaf": "x"}, "expected a finite number"),
    ],
)
def test_counts_that_cannot_be_are_refused_with_their_place(node, says):
    with pytest.raises(FormatError) as error:
        read_tree(node)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("view", "says"),
    [
        (2, '"view" must be a player from 0 to 1, or a name: Black, White; not 2'),
        ("Red", 'not "Red"'),
        (True, "not true"),
        (-1, "not -1"),
    ],
)
def test_a_view_that_is_no_player(view, says):
    with pytest.raises(FormatError) as error:
        read_tree({"players": ["Black", "White"], "view": view, "root": {"Q": 1, "N": 1, "max": [1]}})
    assert says in str(error.value)


def test_more_wins_than_visits_are_refused_when_it_is_searched():
    game = read_tree({"Q": 3, "N": 2, "max": [1, -1]})
    with pytest.raises(BadOption, match="root: Q = 3 cannot be of N = 2: with reward=win a visit adds 0 to 1"):
        MctsRun(game, game.initial, 1, "uct")


def test_a_view_needs_two_players_with_zero_sum():
    three = read_tree({"view": 0, "root": {"Q": 0, "N": 1, "player": 2, "children": [[1, 2, 3], [3, 2, 1]]}})
    with pytest.raises(BadOption, match='"view", or after --moves, need two players and zero sum'):
        MctsRun(three, three.initial, 1, "uct")


def test_counts_make_another_tree_and_files_keep_them(tmp_path):
    plain, counted = {"max": [1, {"min": [2, 3]}]}, {"Q": 1, "N": 1, "max": [1, {"min": [2, 3]}]}
    file = tmp_path / "t.json"
    file.write_text(json.dumps(counted))
    game = load_tree(file)
    assert game.initial != read_tree(plain).initial
    assert game.initial == read_tree(counted).initial
    assert counts_of(read_tree(plain).initial) is None
    found = counts_of(game.initial)
    assert found is not None
    assert found.visits.tolist() == [1, 0, 0, 0, 0]
    assert found.above.tolist() == [-1, 0, 0, 2, 2]
