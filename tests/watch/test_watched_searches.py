"""Pictures of the classical searches: what they show is what the search did, and what they claim is true."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import CHANCE, action_text, actions, make_game, probability, result, terminal, to_move, utility
from plyground.core.limits import Budget
from plyground.core.recording import recording
from plyground.errors import BadOption, UnsuitableGame
from plyground.games.tree import read_tree
from plyground.pictures.tree import tree_html, tree_svg, tree_text
from plyground.search import alphabeta, minimax
from plyground.search.evaluations import find_evaluation
from plyground.watch.searches import ALGORITHMS, exercise, search_drawing, usual_algorithm

WORKED = read_tree(
    {
        "max": {
            "a1": {"min": {"b1": 3, "b2": 12, "b3": 8}},
            "a2": {"min": {"c1": 2, "x": 4, "y": 6}},
            "a3": {"min": {"d1": 14, "d2": 5, "d3": 2}},
        }
    }
)
TICTACTOE = make_game("tictactoe")


def looks(drawing, steps=None):
    """How every node looks after this many steps, all of them by default."""
    shown = [{"state": "unseen", "value": "", "lines": (), "edge": "plain", "note": ""} for _ in drawing.nodes]
    for changes in [drawing.start, *(step.changes for step in drawing.steps[:steps])]:
        for number, look in changes.items():
            shown[number].update({name: value for name, value in vars(look).items() if value is not None})
    return shown


def captions(found):
    return [step.caption for step in found.drawing.steps]


def truth(state, player=0):
    """The value of a tree by its definition."""
    if terminal(state):
        return utility(state, player)
    below = [truth(result(state, action), player) for action in actions(state)]
    if to_move(state) == CHANCE:
        return math.fsum(probability(state, a) * value for a, value in zip(actions(state), below, strict=True))
    return max(below) if to_move(state) == player else min(below)


def states(found, root):
    """The state of each node of a drawing of a tree."""
    found_states = []
    for node in found.nodes:
        if node.parent is None:
            found_states.append(root)
        else:
            above = found_states[node.parent]
            action = next(a for a in actions(above) if action_text(above, a) == node.action)
            found_states.append(result(above, action))
    return found_states


# The worked tree ---------------------------------------------------------------------------------------------------


def test_the_worked_tree_looks_as_in_the_textbook():
    found = search_drawing(WORKED)
    assert found.algorithm == "alphabeta"
    assert (found.value, found.text, found.line) == (3.0, "3", ("a1", "b1"))
    assert (found.visited, found.leaves, found.moves_cut) == (11, 7, 2)
    shown = looks(found.drawing)
    assert [look["value"] for look in shown] == ["3", "3", "≤ 2", "2", "3", "12", "8", "2", "4", "6", "14", "5", "2"]
    unseen = [number for number, look in enumerate(shown) if look["state"] == "unseen"]
    assert [found.drawing.nodes[number].action for number in unseen] == ["x", "y"]
    assert [shown[number]["edge"] for number in unseen] == ["cut", "cut"]
    assert shown[unseen[0]]["note"] == "α cut: v ≤ α (2 ≤ 3)"
    assert [look["lines"] for look in shown[:4]] == [
        ("α = 3, β = +∞",), ("α = −∞, β = 3",), ("α = 3, β = +∞",), ("α = 3, β = 5",),
    ]  # fmt: skip
    assert [found.drawing.nodes[n].action for n, look in enumerate(shown) if look["edge"] == "best"] == [
        "a1", "b1", "c1", "d3",
    ]  # fmt: skip
    assert [node.shape for node in found.drawing.nodes[:5]] == ["max", "min", "min", "min", "leaf"]
    assert [node.name for node in found.drawing.nodes[:4]] == ["A", "B", "C", "D"]


def test_the_worked_tree_is_told_as_a_teacher_would():
    told = captions(search_drawing(WORKED))
    assert told[0] == "MAX at A: nothing is known yet, α = −∞, β = +∞."
    assert told[2:4] == ["By b1 to a leaf: 3.", "MIN at B: b1 brings 3, the best so far; β falls from +∞ to 3."]
    assert "MIN at B: b2 brings 12, no better than 3." in told
    assert (
        "MIN at C: alpha cut, 2 ≤ 3. MAX already has 3 elsewhere, so the other 2 moves need not be looked at. "
        "MIN at C is worth at most 2, by c1."
    ) in told
    assert "MAX at A: a2 brings at most 2, no better than 3." in told
    assert told[-1] == ("MAX plays a1: worth 3. Best play: a1 b1. 11 nodes visited, 7 of them leaves, 2 moves cut off.")


def test_bounds_narrow_while_the_search_goes_on():
    """As in the figures of textbooks: at most 3, at most 3, exactly 3; then MAX has at least 3."""
    found = search_drawing(WORKED)
    values = [looks(found.drawing, steps)[1]["value"] for steps in range(len(found.drawing.steps))]
    assert list(dict.fromkeys(values)) == ["", "≤ 3", "3"]
    values = [looks(found.drawing, steps)[0]["value"] for steps in range(len(found.drawing.steps))]
    assert list(dict.fromkeys(values)) == ["", "≥ 3", "3"]


def test_minimax_sees_everything_and_shows_no_windows():
    found = search_drawing(WORKED, algorithm="minimax")
    assert (found.visited, found.moves_cut) == (13, 0)
    shown = looks(found.drawing)
    assert all(look["state"] == "done" and look["lines"] == () for look in shown)
    assert [look["value"] for look in shown[:4]] == ["3", "3", "2", "2"]
    assert not any("α" in caption for caption in captions(found))


def test_the_layout_keeps_the_order_of_the_file_when_the_search_has_another():
    tree = {"max": [{"min": [1, 2], "value": 0.1}, {"min": [5, 6], "value": 0.9}, {"min": [3, 4], "value": 0.5}]}
    found = search_drawing(read_tree(tree), order="evaluation")
    assert [node.text for node in found.nodes if not node.who] == ["1", "2", "5", "6", "3", "4"]
    first = next(step.focus for step in found.drawing.steps if step.caption.startswith("By move"))
    assert found.nodes[first].action == "2"
    assert found.moves_cut == 2


# Random trees: the picture is true -------------------------------------------------------------------------------


def trees(chance):
    """Trees as JSON values, MAX and MIN (and chance) in any order."""
    kinds = ("max", "min", "chance") if chance else ("max", "min")
    leaf = st.integers(-9, 9)
    inner = lambda below: st.builds(  # noqa: E731
        lambda kind, children: {kind: children}, st.sampled_from(kinds), st.lists(below, min_size=1, max_size=4)
    )
    return st.recursive(inner(leaf), inner, max_leaves=40)


def check_drawing(game, algorithm, tolerance=0.0):
    found = search_drawing(game, algorithm=algorithm)
    drawing, shown = found.drawing, looks(found.drawing)
    assert len(drawing.nodes) == len(found.nodes) == len(game.initial.table)
    seen = {number for number, look in enumerate(shown) if look["state"] != "unseen"}
    assert len(seen) == found.visited == sum(node.visited for node in found.nodes)
    assert all(shown[number]["state"] == "done" for number in seen)
    for number, (node, state) in enumerate(zip(found.nodes, states(found, game.initial), strict=True)):
        value = truth(state)
        assert node.low - tolerance <= value <= node.high + tolerance
        if not terminal(state) and number not in seen:
            assert (node.text, node.low, node.high) == ("", -math.inf, math.inf)
            continue
        claim = shown[number]["value"]
        if not claim:  # visited, and nothing proven: the search has relied on the range of the utilities
            assert (node.low, node.high) == (-math.inf, math.inf)
            assert algorithm.startswith("star")
            continue
        amount = float(re.sub("[≤≥ ]", "", claim).replace("−", "-"))
        if claim[0] == "≤":
            assert value <= amount + tolerance + 5e-4
        elif claim[0] == "≥":
            assert value >= amount - tolerance - 5e-4
        else:
            assert amount == pytest.approx(value, abs=tolerance + 5e-4)
    assert found.nodes[0].low == pytest.approx(found.nodes[0].high, abs=tolerance)
    assert found.value == pytest.approx(truth(game.initial), abs=tolerance)
    for cut in found.cuts:
        below = [number for number, node in enumerate(found.nodes) if node.parent == cut.node]
        gone = [number for number in below if shown[number]["edge"] == "cut"]
        assert [found.nodes[number].action for number in gone] == list(cut.actions)
        assert not seen & set(gone)
        assert sum(bool(shown[number]["note"]) for number in gone) == 1
    return found, seen


@pytest.mark.parametrize(
    "algorithm",
    ["minimax", "alphabeta", pytest.param("pvs", marks=pytest.mark.slow), pytest.param("mtdf", marks=pytest.mark.slow)],
)
@given(trees(chance=False))
def test_what_is_shown_of_a_random_tree_is_true(algorithm, tree):
    game = read_tree(tree)
    found, _ = check_drawing(game, algorithm)
    state = game.initial
    for move in found.line:
        assert truth(state) == found.value
        state = result(state, next(a for a in actions(state) if action_text(state, a) == move))
    assert terminal(state)
    assert utility(state, 0) == found.value


@pytest.mark.parametrize("algorithm", ["expectiminimax", pytest.param("star1", marks=pytest.mark.slow), "star2"])
@given(trees(chance=True))
def test_what_is_shown_of_a_random_tree_with_chance_is_true(algorithm, tree):
    check_drawing(read_tree(tree), algorithm, tolerance=1e-9)


@given(trees(chance=False))
def test_as_many_nodes_are_drawn_as_visited_as_the_search_enters(tree):
    game = read_tree(tree)
    with recording() as events:
        numbers, variant = alphabeta.AlphaBetaSettings(), alphabeta.AlphaBetaVariant()
        memory = alphabeta.new_memory(game)
        alphabeta.alphabeta(game.initial, 99, -math.inf, math.inf, 0, memory, numbers, variant, Budget())
    entered = Counter(event.state.node for event in events if event.kind == "entered")
    _, seen = check_drawing(game, "alphabeta")
    assert set(entered) == seen  # a tree's nodes are numbered by levels, as those of a drawing are
    assert set(entered.values()) == {1}


@given(trees(chance=False))
def test_a_tree_searched_to_a_depth_shows_what_is_below_as_unseen(tree):
    game = read_tree(tree)
    found = search_drawing(game, depth=1)
    shown = looks(found.drawing)
    assert len(found.nodes) == len(game.initial.table)
    for number, node in enumerate(found.nodes):
        assert (shown[number]["state"] == "done") == (node.parent in (None, 0))


# Searching again ---------------------------------------------------------------------------------------------------

AGAIN = read_tree({"max": [{"min": [2, 9]}, {"min": [7, 5]}, {"min": [1, 3]}]})


def test_a_node_that_is_searched_again_stays_one_node():
    found = search_drawing(AGAIN, algorithm="pvs")
    told = captions(found)
    assert "By move 2 to MIN at C, with α = 2, β = 2+ε." in told
    assert "By move 2 again to MIN at C, now with α = 2, β = +∞." in told
    assert (found.value, found.visited, found.moves_cut) == (5.0, 9, 1)
    assert len(found.nodes) == 10


def test_the_legend_says_how_to_read_the_labels():
    tree = read_tree({"max": [{"min": [3, 12]}, {"min": [2, 4]}]})
    dice = read_tree({"max": [{"chance": [[0.5, 3], [0.5, -1]]}, {"chance": [[0.5, 0], [0.5, 1]]}]})
    three = read_tree({"max": [[1, 2, 6], [4, 3, 3]]})

    def legend(game, algorithm, lang="en"):
        return search_drawing(game, algorithm=algorithm, lang=lang).drawing.legend

    value = "The number at a node is its value to MAX; ≤ and ≥ mark a bound, at most or at least so much."
    sure = "α is what MAX already has for sure elsewhere, β what MIN has"
    rule = "v ≤ α is an alpha cut, v ≥ β a beta cut."
    assert legend(tree, "minimax") == legend(dice, "expectiminimax") == value
    assert legend(tree, "alphabeta").startswith(f"{value} {sure}")
    assert legend(tree, "alphabeta").endswith(rule)
    assert rule in legend(tree, "mtdf")
    assert "ε is as little as there is" in legend(tree, "mtdf")
    assert sure not in legend(tree, "mtdf")  # its windows are questions
    assert legend(three, "maxn").startswith("The numbers at a node are what each player gets")
    assert "α 是 MAX、β 是 MIN 在别处已有把握得到的" in legend(tree, "alphabeta", "zh")
    assert "is an alpha cut" in tree_html(search_drawing(tree).drawing)


def test_mtdf_asks_questions_from_the_root():
    told = captions(search_drawing(AGAIN, algorithm="mtdf"))
    questions = [caption for caption in told if "?" in caption]
    assert questions[0] == "MAX at A: is it worth at least 0? α = 0−ε, β = 0."
    assert questions[-1] == "MAX at A: is it worth more than 5? α = 5, β = 5+ε."
    assert not any("elsewhere" in caption for caption in told)


def test_a_position_from_the_table_is_said_to_be_known():
    told = captions(search_drawing(read_tree({"max": [{"min": [-7, -3]}, {"min": [-5, -4]}]}), algorithm="mtdf"))
    assert "By move 1 to a position that is known already: ≤ −7." in told


# Chance and several players ----------------------------------------------------------------------------------------

COIN = read_tree({"max": {"sure": 2, "bet": {"chance": {"heads": [0.25, 12], "tails": [0.75, {"min": [0, 1]}]}}}})


def test_chance_nodes_show_means_and_edges_their_probabilities():
    found = search_drawing(COIN)
    assert found.algorithm == "expectiminimax"
    assert (found.value, found.line) == (3.0, ("bet",))
    assert [node.action for node in found.drawing.nodes] == ["", "sure", "bet", "heads (0.25)", "tails (0.75)", "", ""]
    assert [node.shape for node in found.drawing.nodes[:5]] == ["max", "leaf", "chance", "leaf", "min"]
    told = captions(found)
    assert "chance at B: heads adds 0.25 × 12 = 3 to the mean." in told
    assert "chance at B is worth 3 on average." in told
    assert all(look["lines"] == () for look in looks(found.drawing))  # nothing was cut, so no window matters


def test_a_chance_node_can_be_cut():
    game = read_tree({"max": [5, {"chance": [[0.5, -8], [0.5, {"min": [1, 2]}]]}, {"chance": [[0.5, 9], [0.5, 9]]}]})
    found = search_drawing(game, algorithm="star1")
    (cut,) = found.cuts
    assert (cut.kind, cut.bound, cut.actions) == ("chance", 5.0, ("2",))
    shown = looks(found.drawing)
    assert shown[2]["value"] == "≤ 0.5"
    assert "chance cut: v ≤ α (0.5 ≤ 5)" in [look["note"] for look in shown]


def test_below_chance_a_bound_is_not_what_somebody_has():
    game = read_tree({"max": [5, {"chance": [[0.5, {"min": [1, 9]}], [0.5, {"min": [9, 9]}]]}]})
    told = " ".join(captions(search_drawing(game, algorithm="star2")))
    assert "Only more than 1 could still matter" in told
    assert "elsewhere" not in told


def test_several_players_have_tuples():
    tree = {
        "players": ["A", "B", "C"],
        "root": {
            "player": 0,
            "children": {
                "left": {"player": 1, "children": [[1, 2, 6], [4, 3, -2.5]]},
                "right": {"player": 2, "children": [[6, 1, 2], [7, 4, 1]]},
            },
        },
    }
    found = search_drawing(read_tree(tree))
    assert found.algorithm == "maxn"
    assert (found.value, found.line) == ((6.0, 1.0, 2.0), ("right", "1"))
    shown = looks(found.drawing)
    assert [look["value"] for look in shown[:3]] == ["(6, 1, 2)", "(4, 3, −2.5)", "(6, 1, 2)"]
    assert [(node.shape, node.name) for node in found.drawing.nodes[:3]] == [
        ("player", "A"), ("player", "B"), ("player", "C"),
    ]  # fmt: skip
    told = captions(found)
    assert "B after left: move 2 brings (4, 3, −2.5), the best for B so far." in told
    assert "C after right: move 2 brings (7, 4, 1), no better for C than (6, 1, 2)." in told


def test_paranoid_search_is_for_the_player_to_move():
    tree = {"player": 1, "children": [{"player": 2, "children": [[0, 5, 0], [0, 1, 9]]}, [0, 2, 0]]}
    found = search_drawing(read_tree(tree), algorithm="paranoid")
    assert (found.value, found.line) == (2.0, ("2",))
    assert [node.shape for node in found.drawing.nodes[:3]] == ["max", "min", "leaf"]


# Board games -------------------------------------------------------------------------------------------------------


def test_tictactoe_two_plies_up_to_symmetry_with_open_lines():
    found = search_drawing(TICTACTOE, algorithm="minimax", depth=2, evaluation="open-lines", symmetry=True)
    leaves = [node for node in found.nodes if node.parent]
    assert len(leaves) == 12
    assert [node.text for node in leaves] == [
        "1", "0", "−1", "1", "0",  # X in a corner
        "−1", "0", "−2", "−1", "0",  # X at an edge
        "1", "2",  # X in the centre
    ]  # fmt: skip
    assert [node.text for node in found.nodes if node.parent == 0] == ["−1", "−2", "1"]
    assert (found.text, found.line) == ("1", ("b2", "a1"))
    assert [node.action for node in found.drawing.nodes[:4]] == ["", "a1 ×4", "b1 ×4", "b2"]
    assert looks(found.drawing)[-1]["lines"] == ("6 − 4",)
    assert found.drawing.title.endswith("up to symmetry")
    assert "X is MAX, O is MIN." in captions(found)[0]


def test_tictactoe_two_plies_with_the_other_evaluation():
    found = search_drawing(TICTACTOE, algorithm="minimax", depth=2, evaluation="counts", symmetry=True)
    assert (found.text, found.line[0]) == ("1", "b2")
    last = looks(found.drawing)[-1]
    assert (last["value"], last["lines"]) == ("2", ("3·0+3 − (3·0+1)",))


@pytest.mark.parametrize(("evaluation", "win", "loss"), [("open-lines", "+∞", "−∞"), ("counts", "win", "loss")])
def test_a_finished_game_is_more_than_any_evaluation(evaluation, win, loss):
    state = TICTACTOE.initial
    for action in (0, 3, 1, 4):  # X has a1 and b1, O has a2 and b2: whoever moves wins
        state = result(state, action)
    found = search_drawing(TICTACTOE, state, algorithm="minimax", depth=2, evaluation=evaluation)
    assert (found.text, found.value, found.line) == (win, 1.0, ("c1",))
    assert {node.text for node in found.nodes if node.parent == 0} >= {win, loss}
    assert any(f"the game is over: {win}." in caption for caption in captions(found))
    found = search_drawing(TICTACTOE, state, algorithm="maxn", depth=2, evaluation=evaluation)
    assert found.text == f"({win}, {loss})"


def test_a_bound_on_a_win_is_the_win():
    state = TICTACTOE.initial
    for action in (4, 0, 1):
        state = result(state, action)
    found = search_drawing(TICTACTOE, state, depth=4)
    assert not any("≥ +∞" in node.text or "≤ −∞" in node.text for node in found.nodes)
    assert any(node.text == "+∞" and node.low != node.high for node in found.nodes)


def test_board_games_show_boards_and_what_was_cut():
    found = search_drawing(TICTACTOE, depth=2)
    assert found.visited < 82
    assert found.visited + found.moves_cut == len(found.nodes) == 82
    assert all(node.board.startswith("<svg") for node in found.drawing.nodes)
    assert found.drawing.nodes[0].name == "X to move"


def test_a_root_where_min_moves():
    state = result(TICTACTOE.initial, 0)
    found = search_drawing(TICTACTOE, state, depth=1)
    assert found.drawing.nodes[0].shape == "min"
    assert (found.text, found.line) == ("−1", ("b2",))  # X is MAX, and O takes the centre
    assert "MIN plays b2" in captions(found)[-1]


@pytest.mark.parametrize("spec", ["nim:piles=2,3", "connect4:columns=4,rows=4", "reversi:size=4"])
def test_other_games_are_drawn_without_a_depth(spec):
    game = make_game(spec)
    found = search_drawing(game)
    assert 1 < found.visited <= 101
    assert found.depth
    plain = search_drawing(game, depth=found.depth, algorithm="minimax")
    assert plain.value == found.value


@pytest.mark.parametrize("order", ["evaluation", "killer+history", "all", "none"])
def test_orders_change_the_cost_and_not_the_value(order):
    plain, ordered = search_drawing(TICTACTOE, depth=3), search_drawing(TICTACTOE, depth=3, order=order)
    assert ordered.value == plain.value
    assert (ordered.visited < plain.visited) == (order != "none")
    assert [node.action for node in ordered.nodes if node.parent == 0] == [
        node.action for node in plain.nodes if node.parent == 0
    ]


def test_leaves_that_are_all_the_same_can_be_ordered():
    same = read_tree({"max": [{"min": [0, 0]}, {"min": [0, 0]}]})
    assert search_drawing(same, algorithm="alphabeta", order="evaluation").value == 0


def test_a_depth_beyond_all_leaves_is_the_whole_tree():
    assert search_drawing(WORKED, algorithm="mtdf", depth=40_000).value == search_drawing(WORKED).value


def test_an_evaluation_of_ones_own_sees_the_positions_of_the_game_up_to_symmetry(tmp_path):
    file = tmp_path / "own.py"
    file.write_text("def f(state):\n    return 0.25 if state.theirs & 16 else -0.25\n")
    found = search_drawing(TICTACTOE, depth=1, symmetry=True, evaluation=f"{file}:f")
    assert found.value == search_drawing(TICTACTOE, depth=1, evaluation=f"{file}:f").value == 0.25


def test_two_moves_to_the_same_position_are_two_nodes():
    twins = make_game("nim:piles=1,1")  # taking either pile leaves different states; the tree file below does not
    assert len(search_drawing(twins, depth=2).nodes) == 5
    game = read_tree({"max": [{"min": [1, 1]}, {"min": [1, 1]}]})
    assert search_drawing(game, algorithm="minimax").visited == 7


def test_the_order_of_the_last_iteration_is_drawn():
    """What a search one ply less deep has found best comes first, and then more is cut."""
    game = read_tree({"max": [{"min": [3, 9]}, {"min": [5, 8]}, {"min": [7, 7]}]})
    for algorithm in ("alphabeta", "pvs"):
        listed = search_drawing(TICTACTOE, depth=3, algorithm=algorithm, symmetry=True)
        ordered = search_drawing(TICTACTOE, depth=3, algorithm=algorithm, symmetry=True, order="previous")
        assert ordered.value == listed.value
        assert ordered.visited < listed.visited
        best = search_drawing(TICTACTOE, depth=2, algorithm="minimax", symmetry=True).line[0]
        first = next(step.focus for step in ordered.drawing.steps if step.focus)
        assert ordered.nodes[first].action.split()[0] == best
        assert search_drawing(game, algorithm=algorithm, order="previous").value == 7


# Sentences in Chinese, exercises, refusals -------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "pvs", "mtdf", "expectiminimax", "star2", "maxn"])
def test_every_sentence_has_a_chinese_form(algorithm):
    found = search_drawing(WORKED, algorithm=algorithm, lang="zh")
    told = captions(found)
    assert len(told) == len(captions(search_drawing(WORKED, algorithm=algorithm)))
    for caption in told:
        assert re.search(r"[\u4e00-\u9fff]", caption)
        assert not re.search(r"\b(by|the|of|at|brings|worth)\b", caption, re.IGNORECASE)
        assert not re.search(r"[\u3000-\u9fff\uff00-\uffef] [\u3000-\u9fff\uff00-\uffef]|[\u3002\uff0c] ", caption)


def test_an_exercise_shows_the_leaves_and_hides_the_answers():
    question = exercise(search_drawing(WORKED), answers=False)
    shown = looks(question)
    assert [look["value"] for look in shown] == ["?"] * 4 + ["3", "12", "8", "2", "4", "6", "14", "5", "2"]
    assert {look["lines"] for look in shown[:4]} == {("α = __, β = __",)}
    assert {look["edge"] for look in shown} == {"plain"}
    assert {look["note"] for look in shown} == {""}
    assert {look["state"] for look in shown} == {"done"}
    assert question.steps == []
    assert "which kind it is and why" in question.title


def test_an_exercise_reveals_what_the_search_did():
    found = search_drawing(WORKED)
    answers = exercise(found)
    assert answers.question.startswith("Search this tree by alpha-beta")
    assert {look["edge"] for look in looks(answers, 0)} == {"plain"}
    assert [step.caption for step in answers.steps] == captions(found)
    assert looks(answers) == looks(found.drawing)


def test_exercises_are_asked_of_every_search():
    for algorithm in ALGORITHMS:
        question = exercise(search_drawing(WORKED, algorithm=algorithm), answers=False)
        assert looks(question)[0]["lines"] == (("α = __, β = __",) if ALGORITHMS[algorithm].windows else ())
        assert not re.search("alpha-beta", exercise(search_drawing(COIN), answers=False).title)


def test_the_usual_search_of_a_game():
    assert usual_algorithm(WORKED) == "alphabeta"
    assert usual_algorithm(COIN) == "expectiminimax"
    assert usual_algorithm(read_tree({"max": [[1, 1], [2, 0]]})) == "maxn"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "alphbeta"}, "did you mean 'alphabeta'"),
        ({"depth": 0}, "at least 1"),
        ({"order": "random"}, "no order 'random'"),
        ({"order": "killer", "algorithm": "minimax"}, "for alphabeta, pvs and mtdf"),
        ({"evaluation": "material"}, "no evaluation 'material'"),
        ({"symmetry": True}, "no symmetries"),
        ({"lang": "fr"}, "no language 'fr'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, message):
    with pytest.raises(BadOption, match=message):
        search_drawing(WORKED, **options)


def test_what_is_too_large_is_refused():
    with pytest.raises(BadOption, match=r"more than 20,000 positions.* smaller depth"):
        search_drawing(TICTACTOE, depth=9, algorithm="minimax")
    with pytest.raises(BadOption, match="two plies alone"):
        search_drawing(make_game("gomoku"), depth=2)
    deep = 1
    for _ in range(700):
        deep = {"max": [deep]}
    with pytest.raises(BadOption, match="too deep"):
        search_drawing(read_tree(deep))
    assert search_drawing(read_tree(deep), depth=50).visited == 51


def test_a_large_tree_is_drawn_as_far_as_it_was_visited():
    wide = read_tree({"max": [{"min": [i, *range(300)]} for i in range(100)]})
    with pytest.raises(BadOption, match="more than the 20,000"):
        search_drawing(wide)
    assert len(search_drawing(wide, depth=1).nodes) == 101


def test_a_finished_game_has_no_tree():
    state = TICTACTOE.initial
    for action in (0, 3, 1, 4, 2):
        state = result(state, action)
    with pytest.raises(BadOption, match="the game is over"):
        search_drawing(TICTACTOE, state)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_a_search_does_not_take_what_it_cannot_play(algorithm):
    with pytest.raises(UnsuitableGame, match="use expectiminimax or maxn instead"):
        search_drawing(COIN, algorithm=algorithm)
    with pytest.raises(UnsuitableGame, match="use maxn instead"):
        search_drawing(read_tree({"max": [[1, 1], [2, 0]]}), algorithm=algorithm)


# From a drawing to pictures ----------------------------------------------------------------------------------------


def test_a_hundred_children_fold():
    game = read_tree({"max": [{"min": [i, 50 - i]} for i in range(100)]})
    found = search_drawing(game)
    text = tree_text(found.drawing)
    assert re.search(r"\+\d\d", text)
    assert len(text.splitlines()) < 60
    svg = tree_svg(found.drawing)
    assert re.search(r">\+\d\d<", svg)


@pytest.mark.slow
def test_five_thousand_nodes_are_drawn():
    def grow(depth):
        return depth if not depth else {("max", "min")[depth % 2]: [grow(depth - 1) for _ in range(4)]}

    found = search_drawing(read_tree(grow(6)), algorithm="minimax")
    assert found.visited == 5461
    assert len(tree_svg(found.drawing)) < 500_000
    assert "http://" not in tree_html(found.drawing).replace("http://www.w3.org", "")


def test_a_minimax_variant_evaluates_as_told():
    """The evaluation that is drawn is the one that the compiled search uses."""
    for name in ("", "open-lines", "counts"):
        variant = minimax.MinimaxVariant(find_evaluation(name, TICTACTOE))
        found = search_drawing(TICTACTOE, algorithm="minimax", depth=2, evaluation=name)
        assert minimax.minimax_value(TICTACTOE.initial, 2, 0, Budget(), variant=variant) == found.value
