"""The classroom set: every lesson can be drawn, and the answers of the exercises are what the pages say."""

from __future__ import annotations

import re

import pytest

from plyground.core.rules import actions, noisy, result
from plyground.errors import BadOption, UnknownName
from plyground.games.chess import material
from plyground.native.compiling import interpreted
from plyground.watch.classroom import MONTE_CARLO, classroom, lesson
from plyground.watch.searches import search_drawing
from plyground.watch.simulations import simulations_drawing


def drawn(name, **options):
    one = lesson(name)
    settings = {
        "algorithm": one.algorithm, "depth": one.depth, "evaluation": one.evaluation, "symmetry": one.symmetry,
    }  # fmt: skip
    return search_drawing(one.make(), **{**settings, **options})


@pytest.mark.parametrize("name", classroom())
def test_every_lesson_is_drawn_and_described(name):
    one = lesson(name)
    assert one.name == name
    assert one.title
    assert one.summary.endswith(".")
    game = one.make()
    if one.algorithm.partition(":")[0] in MONTE_CARLO:
        drawing = simulations_drawing(game, game.initial, simulations=1, shown=1, player=one.algorithm)
    else:
        found = drawn(name)
        assert found.visited > 1
        drawing = found.drawing
    assert drawing.title.startswith(game.name)
    if not one.game:
        assert re.search(r"[\u4e00-\u9fff]", one.make("zh").name)


def test_the_worked_tree_comes_first():
    assert next(iter(classroom())) == "worked"
    found = drawn("worked")
    assert (found.value, found.line) == (3.0, ("a1", "b1"))
    assert [(cut.kind, cut.actions) for cut in found.cuts] == [("alpha", ("x", "y"))]


def test_a_name_that_is_not_there_gets_a_suggestion():
    with pytest.raises(UnknownName, match="did you mean 'worked'"):
        lesson("wroked")


def cuts(found):
    return [(found.nodes[cut.node].name, cut.kind, cut.value, cut.bound, len(cut.actions)) for cut in found.cuts]


def test_the_answers_of_the_first_exercise():
    found = drawn("exercise1")
    assert (found.value, found.line) == (5.0, ("2", "2"))
    assert cuts(found) == [("D", "alpha", 3.0, 5.0, 1), ("E", "alpha", 1.0, 5.0, 2)]


def test_the_answers_of_the_second_exercise():
    found = drawn("exercise2")
    assert (found.value, found.line) == (8.0, ("3", "2", "1"))
    assert cuts(found) == [("F", "beta", 6.0, 5.0, 1), ("C", "alpha", 1.0, 5.0, 1)]


def test_the_answers_of_the_third_exercise():
    found = drawn("exercise3")
    assert (found.value, found.line) == (11.0, ("1", "1", "1", "2"))
    assert cuts(found) == [
        ("I", "alpha", 2.0, 11.0, 1),
        ("E", "beta", 13.0, 11.0, 1),
        ("L", "alpha", 9.0, 11.0, 1),  # deep: neither of the two nodes above L has a value yet
        ("C", "alpha", 9.0, 11.0, 1),
    ]
    above = found.nodes[found.nodes[found.cuts[2].node].parent]
    assert above.name == "F"
    assert (above.low, above.high) == (6.0, 9.0)


def test_the_answers_of_the_exercise_of_seven_plies():
    found = drawn("exercise7")
    assert (found.value, found.line) == (17.0, ("1", "2", "2"))
    assert cuts(found) == [
        ("Y", "beta", 27.0, 15.0, 1),
        ("R", "alpha", 13.0, 15.0, 1),
        ("AB", "beta", 32.0, 21.0, 1),  # deep: the 21 comes from I, three plies above
        ("O", "beta", 23.0, 21.0, 1),
        ("J", "alpha", 9.0, 17.0, 1),  # deep: the 17 comes from the root
        ("C", "alpha", 9.0, 17.0, 1),
    ]
    depths = [0]
    for node in found.nodes[1:]:
        depths.append(depths[node.parent] + 1)
    assert max(depths) == 7


def test_pac_man_decides_by_who_the_ghost_is():
    alone, against, by_lot = (drawn(name) for name in ("pacman-alone", "pacman-ghost", "pacman-random-ghost"))
    assert (alone.value, alone.line[0]) == (17.0, "east")
    assert (against.value, against.line[0]) == (11.0, "west")
    assert (by_lot.value, by_lot.line[0]) == (12.5, "east")


def test_a_monotone_transformation_changes_the_expected_choice_and_not_the_minimax_one():
    before, after = drawn("monotone-before"), drawn("monotone-after")
    assert before.line[0] != after.line[0]
    worst_before, worst_after = drawn("monotone-min-before"), drawn("monotone-min-after")
    assert worst_before.line == worst_after.line
    for chance, certain in ((before, worst_before), (after, worst_after)):
        assert [node.text for node in chance.nodes if not node.who] == [
            node.text for node in certain.nodes if not node.who
        ]
    leaves = [[node.value for node in found.nodes if not node.who] for found in (before, after)]
    assert [value**2 for value in leaves[0]] == leaves[1]


def test_three_players():
    found = drawn("three-players")
    assert found.value == (3.0, 4.0, 5.0)
    assert found.line == ("left", "left", "left")


def test_tictactoe_two_plies_ahead():
    assert (drawn("tictactoe-horizon2").text, drawn("tictactoe-horizon2").line[0]) == ("1", "b2")
    assert (drawn("tictactoe-counts").text, drawn("tictactoe-counts").line[0]) == ("1", "b2")


def quiet(state, look):
    """What the definition says, in pawns for White: at the depth limit captures go on, and nobody has to take."""
    sign = 1 if state.turn == 0 else -1
    options = actions(state)
    if look > 0:
        return sign * max(sign * quiet(result(state, action), look - 1) for action in options)
    choices = [sign * material(state)]
    choices += [quiet(result(state, action), 0) for action in options if noisy(state, action)]
    return sign * max(sign * value for value in choices)


@pytest.mark.parametrize(
    ("name", "depth", "seen", "move", "true"),
    [("chess-exchange", 1, "2", "Nxc5", "Nb2"), ("chess-horizon", 3, "\u22123", "e6+", "Bxb6")],
)
def test_quiescence_sees_what_lies_behind_the_horizon(name, depth, seen, move, true):
    short, long = drawn(name), drawn(name, quiescence=True)
    assert (short.text, short.line[0]) == (seen, move)
    assert long.line[0] == true
    with interpreted():
        value = quiet(lesson(name).make().initial, depth)
    assert long.text == f"{value:g}".replace("-", "\u2212")
    assert any("may stop" in step.caption for step in long.drawing.steps)
    with pytest.raises(BadOption, match="quiescence is for alphabeta, pvs and mtdf, not for minimax"):
        drawn(name, algorithm="minimax", quiescence=True)
