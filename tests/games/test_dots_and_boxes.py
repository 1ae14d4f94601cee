"""Dots and Boxes: boxes move again, small boards solved as published, the same game as OpenSpiel's."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground import action_buffer, actions, compiled, legal_actions, make_game, parse_action, result, text, to_move
from plyground.core.grid import grid_text, with_last
from plyground.core.limits import Budget
from plyground.core.rules import action_text, count_actions, evaluation, grid, noisy, score, terminal, utility
from plyground.errors import BadOption, IllegalAction, UnreadableAction
from plyground.games.dots_and_boxes import DotsAndBoxes
from plyground.native.bits import popcount
from plyground.search.perft import perft


def play(game, moves):
    state = game.initial
    for move in moves.split():
        assert not terminal(state)
        state = result(state, parse_action(state, move))
    return state


def test_the_fourth_side_takes_the_box_and_moves_again():
    game = make_game("dots_and_boxes:rows=2,columns=2")
    state = play(game, "a1-b1 a1-a2 a2-b2")
    assert to_move(state) == 1
    line = parse_action(state, "b1-b2")
    assert noisy(state, line)
    assert not noisy(state, parse_action(state, "c1-c2"))
    taken = result(state, line)
    assert to_move(taken) == 1
    assert score(taken, 1) == 1.0
    assert grid_text(with_last(grid(state), grid(taken))) == "\n".join(
        ["  a   b   c", "1 +---+   +", "  | B #", "2 +---+   +", "", "3 +   +   +"]
    )


def test_one_line_can_take_two_boxes():
    state = play(make_game("dots_and_boxes:rows=1,columns=2"), "a1-b1 a2-b2 a1-a2 b1-c1 b2-c2 c1-c2 b1-b2")
    assert terminal(state)
    assert (score(state, 0), utility(state, 0), utility(state, 1)) == (2.0, 1.0, -1.0)
    assert text(state) == "  a   b   c\n1 +---+---+\n  | R | R |\n2 +---+---+"


def test_moves_are_pairs_of_dots_in_either_order():
    start = make_game("dots_and_boxes").initial
    assert parse_action(start, "B1-a1") == parse_action(start, "a1b1") == parse_action(start, " a1 - b1 ") == 0
    assert [action_text(start, line) for line in (11, 12, 23)] == ["c4-d4", "a1-a2", "d3-d4"]
    with pytest.raises(IllegalAction, match="not legal here"):
        parse_action(start, "a1-b2")
    with pytest.raises(UnreadableAction, match="not an action"):
        parse_action(start, "a1")


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 3), (2, 4)])
def test_lockstep_with_openspiel(rows, columns):
    pyspiel = pytest.importorskip("pyspiel", reason="needs the extra openspiel: pip install '.[openspiel]'")
    theirs = pyspiel.load_game(f"dots_and_boxes(num_rows={rows},num_cols={columns})")
    for seed in range(8):
        rng = random.Random(seed)
        there, here = theirs.new_initial_state(), make_game(f"dots_and_boxes:rows={rows},columns={columns}").initial
        while not there.is_terminal():
            assert actions(here) == there.legal_actions()
            assert to_move(here) == there.current_player()
            action = rng.choice(there.legal_actions())
            there.apply_action(action)
            here = result(here, action)
        assert terminal(here)
        assert [utility(here, 0), utility(here, 1)] == there.returns()


def test_all_lines_are_drawn_and_all_boxes_have_owners():
    rng = random.Random(1)
    for rows, columns in ((1, 1), (7, 7), (1, 7), (5, 3)):
        state = make_game(f"dots_and_boxes:rows={rows},columns={columns}").initial
        moves = 0
        while not terminal(state):
            assert count_actions(state) == len(actions(state))
            assert -1 < evaluation(state) < 1
            state = result(state, rng.choice(actions(state)))
            moves += 1
        assert moves == (rows + 1) * columns + rows * (columns + 1)
        assert popcount(state.first) + popcount(state.second) == rows * columns
        assert not state.first & state.second


@compiled
def solve(start, values):
    """Write by how many of the remaining boxes the player to move wins, for every set of lines of a board; the first's.

    Whose the boxes were that are taken already does not matter: Wilson's solver goes the same way.
    """
    options = action_buffer(start)
    nobody = np.uint64(0)
    for left in range(1, len(values)):
        lines = len(values) - 1 - left
        state = DotsAndBoxes((np.uint64(lines),), nobody, nobody, 0, start.rows, start.columns)
        best = -100
        for i in range(legal_actions(state, options)):
            after = result(state, options[i])
            rest = values[lines | 1 << options[i]]
            best = max(best, popcount(after.first) + rest if after.turn == 0 else -rest)
        values[lines] = best
    return values[0]


@pytest.mark.parametrize(
    ("rows", "columns", "margin"),
    [(1, 1, -1), (2, 2, 2), (2, 3, -2), pytest.param(3, 3, -3, marks=pytest.mark.slow)],
)
def test_margins_with_best_play(rows, columns, margin):
    """The second player wins 3 x 3 by three boxes, whatever line comes first (Wilson's tables); 2 x 2 is won 3 to 1."""
    start = make_game(f"dots_and_boxes:rows={rows},columns={columns}").initial
    count = count_actions(start)
    values = np.zeros(1 << count, np.int64)
    assert solve(start, values) == margin
    openings = {action_text(start, line): int(-values[1 << line]) for line in range(count)}
    if rows == columns == 2:  # the lines inside only draw: the other side answers in the mirror
        inside = {name for name, value in openings.items() if value == 0}
        assert inside == {"a2-b2", "b2-c2", "b1-b2", "b2-b3"}
    else:
        assert set(openings.values()) == {margin}


def test_perft():
    """Any order of lines is a game: factorials."""
    start = make_game("dots_and_boxes:rows=2,columns=2").initial
    assert [perft(start, depth, 0, Budget()) for depth in range(1, 6)] == [12, 132, 1320, 11880, 95040]


@pytest.mark.parametrize("spec", ["dots_and_boxes:rows=0", "dots_and_boxes:columns=8"])
def test_impossible_boards(spec):
    with pytest.raises(BadOption, match="must be 1 to 7"):
        make_game(spec)
