"""Recording a search: the same source, run as Python, tells what it does."""

from __future__ import annotations

from collections import Counter

from plyground import Budget, Limit, make_game
from plyground.core.recording import record, recording
from plyground.games.tree import read_tree
from plyground.search.minimax import minimax_search, minimax_value

WORKED = read_tree({"max": [{"min": [3, 12, 8]}, {"min": [2, 4, 6]}, {"min": [14, 5, 2]}]})


def test_the_worked_tree_step_by_step():
    value, events = record(minimax_value, WORKED.initial, 2, 0, Budget())
    assert value == 3.0
    assert [event.value for event in events if event.kind == "evaluated"] == [3, 12, 8, 2, 4, 6, 14, 5, 2]
    assert [(event.ply, event.action, event.value) for event in events if event.kind == "chose"] == [
        (1, 0, 3.0), (1, 0, 2.0), (1, 2, 2.0), (0, 0, 3.0),
    ]  # fmt: skip
    assert [event.value for event in events if event.kind == "backed_up" and event.ply == 0] == [3.0, 2.0, 2.0]


def test_the_recorded_run_visits_what_the_compiled_one_counts():
    state = make_game("nim:piles=2,3").initial
    budget = Budget()
    value = minimax_value(state, 99, 0, budget)
    recorded, events = record(minimax_value, state, 99, 0, Budget())
    assert recorded == value
    assert Counter(event.kind for event in events)["entered"] == budget.nodes


def test_a_whole_search_can_be_recorded():
    with recording() as events:
        found = minimax_search(WORKED.initial, Limit(depth=2))
    assert found.value == 3.0
    assert len([event for event in events if event.kind == "evaluated"]) == 9


def test_recordings_nest_and_end():
    with recording() as outer:
        minimax_value(WORKED.initial, 1, 0, Budget())
        with recording() as inner:
            minimax_value(WORKED.initial, 1, 0, Budget())
        assert [event.kind for event in inner] == [event.kind for event in outer]
    before = len(outer)
    minimax_value(WORKED.initial, 1, 0, Budget())
    assert len(outer) == before
    assert {event.ply for event in outer} == {0, 1}
