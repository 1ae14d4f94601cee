"""Tic-tac-toe: the numbers of the literature, and the same game as 3,3,3."""

from __future__ import annotations

import numpy as np
import pytest

from plyground import actions, interpreted, make_game, result, terminal, to_move, transformed, utility
from plyground.core.limits import Budget
from plyground.core.notation import read_moves
from plyground.native.randomness import random_below, stream
from plyground.search.minimax import minimax_value
from plyground.search.perft import perft

GAME = make_game("tictactoe")


def all_positions(state):
    seen, pending = {state}, [state]
    while pending:
        here = pending.pop()
        for action in actions(here):
            following = result(here, action)
            if following not in seen:
                seen.add(following)
                pending.append(following)
    return seen


def test_255168_games():
    # A game of exactly d moves ends at depth d: count what is over after d moves.
    ended = [perft(GAME.initial, d, 1, Budget()) - perft(GAME.initial, d, 0, Budget()) for d in range(1, 11)]
    assert ended[-1] == 255_168


def test_5478_positions_and_765_up_to_symmetry():
    positions = all_positions(GAME.initial)
    assert len(positions) == 5478
    assert len({min(transformed(state, k) for k in range(8)) for state in positions}) == 765


def test_the_value_is_a_draw_and_every_node_is_visited():
    budget = Budget()
    assert minimax_value(GAME.initial, 9, 0, budget) == 0.0
    assert budget.nodes == 549_946


def test_compiled_minimax_equals_interpreted_on_all_late_positions():
    for state in all_positions(GAME.initial):
        if (state.mine | state.theirs).bit_count() >= 5:
            with interpreted():
                slow = minimax_value(state, 9, 0, Budget())
            assert minimax_value(state, 9, 0, Budget()) == slow


def test_lockstep_with_3_3_3():
    other, rng = make_game("mnk:m=3,n=3,k=3"), stream(1)
    for _ in range(300):
        ours, theirs = GAME.initial, other.initial
        while options := actions(ours):
            assert actions(theirs) == options
            action = options[random_below(rng, len(options))]
            ours, theirs = result(ours, action), result(theirs, action)
        assert terminal(theirs)
        assert utility(theirs, 0) == utility(ours, 0)


def test_known_evaluation():
    """X in the centre leaves 8 lines open for X and 4 for O; seen by O, who is to move, that is -4."""
    from plyground import evaluation

    assert np.isclose(evaluation(result(GAME.initial, 4)), -0.4)


@pytest.mark.parametrize(
    ("moves", "terms"), [("", "8 − 8"), ("b2 b1", "6 − 4"), ("b2 a1", "5 − 4"), ("b2 a1 b1 c1", "3 − 3")]
)
def test_open_lines_as_in_textbooks(moves, terms):
    state = read_moves(GAME, moves)[0][-1]
    points = GAME.points["open-lines"]
    assert points.terms is not None
    assert points.terms(state) == terms
    x, o = map(int, terms.split(" − "))
    assert GAME.evaluations["open-lines"](state) == pytest.approx((x - o) * points.size)
    assert (points.win, points.loss) == ("+∞", "−∞")


def test_counts_of_lines_with_one_and_two_marks():
    """X has b2 and c3, O has a1 and c1. Three lines have one X and no O; one has two O, and one has one, and no X."""
    state = read_moves(GAME, "b2 a1 c3 c1")[0][-1]
    assert GAME.evaluations["counts"](state) == (3 * 0 + 3 - (3 * 1 + 1)) / 32


def test_evaluations_are_inside_the_utilities_and_say_their_terms():
    for state in all_positions(GAME.initial):
        if not terminal(state):
            for name, evaluation in GAME.evaluations.items():
                size, _, _, terms = GAME.points[name]
                value = evaluation(state)
                assert -1 < value < 1
                assert terms is not None
                to_x = eval(terms(state).replace("−", "-").replace("·", "*")) * size
                assert (value if to_move(state) == 0 else -value) == pytest.approx(to_x)
