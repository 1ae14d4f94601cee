"""Connect Four: lines, full columns, perft and small solved boards."""

from __future__ import annotations

import pytest

from plyground import actions, make_game, parse_action, result, terminal, utility
from plyground.core.limits import Budget
from plyground.errors import BadOption, IllegalAction
from plyground.search.minimax import minimax_value
from plyground.search.perft import perft

GAME = make_game("connect4")


def play(moves, game=GAME):
    state = game.initial
    for move in moves:
        assert not terminal(state)
        state = result(state, parse_action(state, move))
    return state


@pytest.mark.parametrize("moves", ["1122334", "1212121", "12233434464", "76655454424"])
def test_four_in_a_line(moves):
    state = play(moves)
    assert terminal(state)
    assert utility(state, 0) == 1.0


def test_a_full_column_is_closed():
    state = play("111111")
    assert 0 not in actions(state)
    with pytest.raises(IllegalAction, match="not legal here"):
        parse_action(state, "1")


def test_perft():
    """Powers of seven until a line can be made or a column is full; then as other engines' tables have it."""
    counts = [perft(GAME.initial, depth, 0, Budget()) for depth in range(1, 9)]
    assert counts == [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


def test_small_boards_are_drawn():
    """Boards too small for a forced line are drawn."""
    assert minimax_value(make_game("connect4:columns=4,rows=2").initial, 8, 0, Budget()) == 0.0
    assert minimax_value(make_game("connect4:columns=3,rows=3").initial, 9, 0, Budget()) == 0.0


def test_the_largest_board_keeps_its_top_row_apart():
    game = make_game("connect4:columns=2,rows=30")
    assert terminal(play("12121212"[:7], game))


@pytest.mark.parametrize("spec", ["connect4:columns=0", "connect4:rows=-1", "connect4:columns=9,rows=6"])
def test_impossible_racks(spec):
    with pytest.raises(BadOption, match="at most 62"):
        make_game(spec)
