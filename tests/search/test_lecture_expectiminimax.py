"""The short expectiminimax visits what the tuned one does without its options: same nodes, same order, same windows."""

import math
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import Budget, Game, actions, make_game, result, terminal
from plyground.core.recording import record
from plyground.games.tree import read_tree
from plyground.search.expectiminimax import ExpectiminimaxVariant, expectiminimax
from plyground.search.lecture.expectiminimax import expectiminimax_value, expectiminimax_within
from plyground.search.lines import new_line_memory
from plyground.search.stakes import stakes_of


def chance(children: list[Any], weights: list[int]) -> dict[str, Any]:
    """A chance node; where all weights are 0, the first outcome is sure."""
    weights = (weights * len(children))[: len(children)]
    whole = sum(weights) or 1
    shares = [weight / whole for weight in weights] if sum(weights) else [1.0, *[0.0] * (len(children) - 1)]
    return {"chance": [list(outcome) for outcome in zip(shares, children, strict=True)], "value": 0}


CHANCY_TREES = st.recursive(
    st.integers(-6, 6),
    lambda below: st.one_of(
        st.builds(
            lambda kind, children: {kind: children, "value": 0},
            st.sampled_from(["max", "min"]),
            st.lists(below, min_size=1, max_size=3),
        ),
        st.builds(chance, st.lists(below, min_size=1, max_size=3), st.lists(st.integers(0, 4), min_size=1, max_size=3)),
    ),
    max_leaves=24,
).filter(lambda tree: isinstance(tree, dict))


def check(game: Game, state: Any, depth: int, alpha: float, beta: float) -> None:
    value, events = record(expectiminimax_within, state, depth, alpha, beta, 0)
    tuned = ExpectiminimaxVariant(0, "")
    arguments = (new_line_memory(), stakes_of(game).as_scaled(), tuned, Budget())
    same, others = record(expectiminimax, state, depth, alpha, beta, 0, *arguments)
    assert value == same
    assert events == [event for event in others if event.kind != "cut"]
    plain, seen = record(expectiminimax_value, state, depth, 0)
    if all(event.kind != "cut" for event in others) and math.isinf(alpha) and math.isinf(beta):
        assert plain == value
        assert seen == [event for event in events if event.kind != "window"]
    elif alpha < value < beta:
        assert plain == value


@settings(max_examples=60)
@given(tree=CHANCY_TREES, depth=st.integers(1, 6), low=st.integers(-7, 5), width=st.integers(1, 8))
def test_the_same_on_any_tree(tree, depth, low, width):
    game = read_tree(tree)
    check(game, game.initial, depth, -math.inf, math.inf)
    check(game, game.initial, depth, float(low), float(low + width))


@settings(max_examples=10)
@given(moves=st.lists(st.integers(0, 99), max_size=8))
def test_the_same_where_a_ghost_moves_at_random(moves):
    game = make_game("pacman:maze=tiny")
    state = game.initial
    for move in moves:
        after = result(state, actions(state)[move % len(actions(state))])
        if terminal(after):
            break
        state = after
    check(game, state, 2, -math.inf, math.inf)
