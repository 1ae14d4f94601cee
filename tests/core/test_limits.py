"""Limits and budgets: whichever is reached first stops, and at once."""

from __future__ import annotations

import threading
import time

import pytest

from plyground import Budget, Limit, compiled, interpreted, make_game
from plyground.errors import BadOption
from plyground.search.minimax import minimax_search, minimax_value
from plyground.search.perft import perft

REVERSI = make_game("reversi").initial


@pytest.mark.parametrize(
    "bad",
    [
        {"time": 0},
        {"time": -1},
        {"time": float("nan")},
        {"time": float("inf")},
        {"nodes": 0},
        {"depth": 0},
        {"simulations": -3},
    ],
)
def test_impossible_limits(bad):
    with pytest.raises(BadOption, match="must be"):
        Limit(**bad)


def test_the_tighter_of_two_limits():
    assert Limit(time=2, depth=3).within(Limit(time=1, nodes=9)) == Limit(time=1, depth=3, nodes=9)


@pytest.mark.parametrize("slow", [False, True])
def test_a_budget_counts_and_stops(slow):
    @compiled
    def spend_all(budget):
        spent = 0
        while not budget.spend():
            spent += 1
        return spent

    budget = Budget(nodes=1000)
    if slow:
        with interpreted():
            assert spend_all(budget) == 1000
    else:
        assert spend_all(budget) == 1000
    assert budget.stopped
    assert budget.nodes == 1000


def test_a_search_is_stopped_from_another_thread():
    perft.prepare(REVERSI, 1, 0, Budget())
    budget = Budget()
    threading.Timer(0.05, budget.stop).start()
    perft(REVERSI, 40, 0, budget)
    assert budget.stopped


def test_time_is_kept():
    minimax_search(REVERSI, Limit(depth=1))
    start = time.monotonic()
    found = minimax_search(REVERSI, Limit(time=0.2))
    assert time.monotonic() - start < 60.0  # kept far better; this only guards against a search that ignores it
    assert found.depth >= 1


def test_nodes_are_kept_and_the_deepest_completed_search_answers():
    found = minimax_search(REVERSI, Limit(nodes=5000))
    assert found.nodes == 5000
    assert found.depth == 5  # 4 + 12 + 56 + 244 + 1396 positions fit, the sixth ply does not
    exact = minimax_search(REVERSI, Limit(depth=5))
    assert found.values == exact.values


def test_one_node_still_answers_legally():
    found = minimax_search(REVERSI, Limit(nodes=1))
    assert found.depth == 0
    assert set(found.values) == {19, 26, 37, 44}


def test_a_failing_search_fails_its_caller():
    def broken():
        raise ValueError("inside")

    with pytest.raises(ValueError, match="inside"):
        Budget().run(broken, time=1.0)


def test_the_search_ends_with_the_tree():
    found = minimax_search(make_game("tictactoe").initial, Limit(time=60))
    assert found.value == 0.0
    assert minimax_value(make_game("tictactoe").initial, 9, 0, Budget()) == 0.0
    assert found.depth == 9
