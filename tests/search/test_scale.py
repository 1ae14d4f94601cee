"""Evaluations in any unit: wins and losses count more, every search finds the same, and so do the pictures."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from long_run import mostly_slow
from plyground import Game, Limit, interpreted, make_game, result
from plyground.errors import BrokenRule
from plyground.games.tree import read_tree
from plyground.players import Position, make_player
from plyground.search.alphabeta import AlphaBetaVariant
from plyground.search.alphabeta_search import AlphaBetaSearch
from plyground.search.expectiminimax import expectiminimax_search
from plyground.search.maxn import maxn_search
from plyground.search.minimax import minimax_search
from plyground.search.mtdf import mtdf
from plyground.search.pvs import pvs
from plyground.search.scale import Scale
from plyground.search.stakes import stakes_of
from plyground.watch.searches import search_drawing

ALL = AlphaBetaVariant(table=True, previous=True, killers=True, history=True, by_evaluation=True)
PLAYERS = ["minimax", "alphabeta", "pvs", "mtdf", "expectiminimax", "maxn", "paranoid"]
SMALL = ["minimax:ties=first", "alphabeta:order=none,tt=0", "expectiminimax:star=0", "maxn:ties=first"]
"""Searches with little code: an evaluation is compiled into each of them again."""
compiled_players = pytest.mark.parametrize(
    "name", [*SMALL, *(pytest.param(f"{name}:ties=first", marks=pytest.mark.slow) for name in PLAYERS)]
)

GUESSES = st.one_of(st.integers(-60, 60), st.integers(-(10**6), 10**6)).map(lambda quarters: quarters / 4)


def inner(kind: str, below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(below, min_size=1, max_size=4)
    return st.builds(lambda children, guess: {kind: children, "value": guess}, some, GUESSES)


OUTCOMES = st.sampled_from([-1, 0, 1])
TREES = inner("max", st.one_of(OUTCOMES, inner("min", st.one_of(OUTCOMES, inner("max", OUTCOMES)))))
"""Games that are won, drawn or lost, with evaluations far outside of that range."""


def won_lost_or_drawn(tree: Any) -> Game:
    return replace(read_tree(tree), utilities=(-1.0, 1.0))


def defined(node: Any, depth: int) -> tuple[int, float]:
    """The value of a node: whether it is won (1) or lost (-1), and if neither, what is expected."""
    if not isinstance(node, dict):
        return node, 0.0
    if depth == 0:
        return 0, node["value"]
    ((kind, children),) = ((key, value) for key, value in node.items() if key != "value")
    values = [defined(child, depth - 1) for child in children]
    return max(values) if kind == "max" else min(values)


def told(value: tuple[int, float]) -> float:
    return float(value[0] or value[1])


def found_by_all(game: Game, depth: int) -> dict[str, tuple[float, int]]:
    """The value, and the first best action, that each search finds."""
    state, limit = game.initial, Limit(depth=depth)
    plain = minimax_search(state, limit, scale=stakes_of(game).scale)
    found = {"minimax": (plain.value, plain.best[0])}
    for name, variant, root in (("alphabeta", ALL, None), ("pvs", pvs(ALL), None), ("mtdf", ALL, mtdf)):
        best = AlphaBetaSearch(game, variant, table=1 << 12, root=root).search(state, limit)
        found[name] = best.value, best.action
    for name, best in (
        ("expectiminimax", expectiminimax_search(game, state, limit)),
        ("maxn", maxn_search(game, state, limit)),
    ):
        found[name] = best.value if name == "expectiminimax" else best.utilities[0], best.line[0]
    return found


@pytest.mark.slow
@given(tree=TREES, depth=st.integers(1, 3))
def test_every_search_weighs_wins_above_every_evaluation(tree, depth):
    game = won_lost_or_drawn(tree)
    children = [defined(child, depth - 1) for child in tree["max"]]
    for name, (value, action) in found_by_all(game, depth).items():
        assert value == told(max(children)), name
        assert children[action] == max(children), name


DRAWN = ["minimax", "alphabeta", "pvs", "mtdf", "expectiminimax", "star1", "star2", "maxn", "paranoid"]


@given(tree=TREES, depth=st.integers(1, 3), algorithm=st.sampled_from(DRAWN))
def test_the_picture_and_the_players_agree(tree, depth, algorithm):
    game = won_lost_or_drawn(tree)
    drawn = search_drawing(game, algorithm=algorithm, depth=depth)
    value = drawn.value[0] if isinstance(drawn.value, tuple) else drawn.value
    children = [defined(child, depth - 1) for child in tree["max"]]
    assert value == told(max(children))
    assert children[int(drawn.line[0]) - 1] == max(children)
    assert math.copysign(1.0, value) == 1.0 or value < 0


COUNTS = """
def three(state):
    return worth(state.mine) - worth(state.theirs)


def worth(cells):
    total = 0
    for cell in range(9):
        if cells >> cell & 1:
            total += 3 if cell == 4 else 2 if cell % 2 == 0 else 1
    return total
"""


@pytest.mark.parametrize("name", PLAYERS)
def test_points_of_a_course_are_an_evaluation_where_nothing_is_compiled(name, tmp_path):
    with interpreted():
        check_points(f"{name}:ties=first", tmp_path)


@compiled_players
def test_points_of_a_course_are_an_evaluation(name, tmp_path):
    check_points(name, tmp_path)


def check_points(name: str, tmp_path: Path) -> None:
    """The centre counts 3, a corner 2, an edge 1."""
    file = tmp_path / "lines.py"
    file.write_text(COUNTS)
    game = make_game("tictactoe")
    player = make_player(f"{name},depth=1,evaluation={file}:three", game, 1)
    move = player.choose(Position(game, game.initial), Limit())
    assert (move.action, move.value) == (4, 3.0)
    threat = game.initial
    for action in (3, 4, 6, 2):  # X has a2 and a3: a1 wins, though the corner at c3 counts as much
        threat = result(threat, action)
    move = player.choose(Position(game, threat), Limit())
    assert (move.action, move.value) == (0, 1.0)


NO_NUMBERS = [
    ("'abc'", "the evaluation f returns 'abc'; it takes a state and returns a number"),
    ("None", "the evaluation f returns None; it takes a state and returns a number"),
    ("float('nan')", "the evaluation f returns nan; it must be a finite number"),
    ("1 / (state.mine & 0)", r"the evaluation f fails: ZeroDivisionError: .* \(bad.py, line 2\); "),
]


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize(("text", "says"), NO_NUMBERS)
def test_an_evaluation_that_is_no_number_is_one_clear_line_where_nothing_is_compiled(name, text, says, tmp_path):
    with interpreted():
        check_refusal(f"{name}:ties=first", text, says, tmp_path)


@compiled_players
@pytest.mark.parametrize(("text", "says"), mostly_slow(NO_NUMBERS, "None", "float('nan')"))
def test_an_evaluation_that_is_no_number_is_one_clear_line(name, text, says, tmp_path):
    check_refusal(name, text, says, tmp_path)


def check_refusal(name: str, text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(f"def f(state):\n    return {text}\n")
    game = make_game("tictactoe")
    with pytest.raises(BrokenRule, match=f"^{says}"):
        make_player(f"{name},depth=2,evaluation={file}:f", game, 1).choose(Position(game, game.initial), Limit())
    with pytest.raises(BrokenRule, match=f"^{says}"):
        search_drawing(game, algorithm=name.partition(":")[0], depth=2, evaluation=f"{file}:f")


def test_nothing_is_stretched_where_evaluations_keep_to_the_range():
    scale = Scale(-1.0, 1.0)
    assert [scale.checked(guess) for guess in (-0.999, 0.0, 0.5)] == [-0.999, 0.0, 0.5]
    assert scale.stray is None
    assert [scale.of(value) for value in (-1.0, 0.1, 1.0)] == [-1.0, 0.1, 1.0]


@given(
    low=st.floats(-100, 99),
    width=st.floats(0.01, 100),
    guesses=st.lists(st.floats(-1e200, 1e200), min_size=1, max_size=9),
)
def test_a_stretched_scale_has_room_for_what_strayed(low, width, guesses):
    high = low + width
    scale = Scale(low, high, (low + high) / 2)
    for guess in guesses:
        scale.checked(guess)
        if scale.stray is not None:
            scale.stretch()
    for guess in guesses:
        assert scale.low < scale.checked(guess) < scale.high
        assert scale.told(guess) == guess
    assert scale.stray is None
    assert scale.told(scale.high) == pytest.approx(high)
    assert scale.told(scale.low) == pytest.approx(low)


def test_what_is_no_number_is_remembered_before_all_that_is_far_off():
    scale = Scale(-1.0, 1.0)
    for guess in (5.0, math.nan, 1e9):
        scale.checked(guess)
    assert scale.stray is not None
    assert math.isnan(scale.stray)
