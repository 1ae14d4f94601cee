"""Expectiminimax: the definition, the Star cuts that must not change it, dice games with known values, limits."""

from __future__ import annotations

import functools
import json
import math
import random
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from long_run import mostly_slow
from plyground import (
    CHANCE,
    Axes,
    Budget,
    Game,
    Limit,
    actions,
    evaluation,
    evaluation_for,
    interpreted,
    legal_actions,
    make_game,
    max_actions,
    probability,
    result,
    terminal,
    to_move,
    utility,
)
from plyground.arena.referee import play_game
from plyground.core.notation import read_moves
from plyground.core.recording import CHANCE_CUT, record, recording
from plyground.errors import BadOption, IllegalAction, UnsuitableGame
from plyground.games.contract import check_game
from plyground.games.tree import CHILDREN, FIRST_CHILD, LEAF, PLAYER, PROBABILITY, VALUES, load_tree, read_tree
from plyground.players import Position, default_opponent, make_player, players_for
from plyground.search.expectiminimax import ExpectiminimaxVariant, expectiminimax, expectiminimax_search
from plyground.search.lines import line_of, new_line_memory
from plyground.search.minimax import minimax_value
from plyground.search.result import RootResult
from plyground.search.stakes import leaf_value, stakes_of

MEMORY = new_line_memory()
STARS = (0, 1, 2)


def value_of(game, star=2, depth=99, alpha=-math.inf, beta=math.inf, player=0, state=None, budget=None):
    state = game.initial if state is None else state
    budget = budget or Budget()
    window = float(alpha), float(beta)
    return expectiminimax(state, depth, *window, player, MEMORY, stakes_of(game), ExpectiminimaxVariant(star), budget)


def nodes_of(game, star, **window):
    budget = Budget()
    value_of(game, star, budget=budget, **window)
    return budget.nodes


def example(name):
    return load_tree(resources.files("plyground.games") / "trees" / f"{name}.json")


# Random trees, and the definition -----------------------------------------------------------------------------------


def grown(rng, depth, kinds=("max", "min", "chance"), leaf=None):
    """A random tree in the JSON form, as wide as it happens to be, with an evaluation at every inner node."""
    if depth == 0 or rng.random() < 0.1:
        return leaf(rng) if leaf else rng.randint(-10, 10)
    kind = rng.choice(kinds)
    children = [grown(rng, depth - 1, kinds, leaf) for _ in range(rng.randint(1, 4))]
    if kind == "chance":
        weights = [rng.choice((0.0, 1.0, 1.0, 2.0, rng.random())) for _ in children]
        weights[0] += 0.5
        children = [[weight / sum(weights), child] for weight, child in zip(weights, children, strict=True)]
    return {kind: children, "value": rng.randint(-10, 10)}


def inner(rng, depth, **options):
    """The same, but never a leaf."""
    while not isinstance(tree := grown(rng, depth, **options), dict):
        pass
    return tree


def defined(node, depth=99):
    """The definition, word for word, on the JSON form."""
    if not isinstance(node, dict):
        return node
    if "chance" in node:
        return sum(chance * defined(child, depth) for chance, child in node["chance"])
    if depth == 0:
        return node["value"]
    if "max" in node:
        return max(defined(child, depth - 1) for child in node["max"])
    return min(defined(child, depth - 1) for child in node["min"])


def clipped(node, most):
    """The tree with its evaluations inside the range of its utilities, as the search sees it."""
    if not isinstance(node, dict):
        return node
    new = {"value": min(max(node["value"], -most), most)}
    for kind in ("max", "min"):
        if kind in node:
            new[kind] = [clipped(child, most) for child in node[kind]]
    if "chance" in node:
        new["chance"] = [[chance, clipped(child, most)] for chance, child in node["chance"]]
    return new


@pytest.mark.parametrize("trees", [700, pytest.param(2500, marks=pytest.mark.slow)])
def test_with_and_without_star_cuts_the_value_is_that_of_the_definition(trees):
    rng, seen, spent = random.Random(1), 0, [0, 0, 0]
    while seen < trees:
        tree = inner(rng, rng.randint(1, 6))
        game, expected = read_tree(tree), defined(tree)
        for star in STARS:
            budget = Budget()
            assert value_of(game, star, budget=budget) == pytest.approx(expected, rel=1e-9, abs=1e-9)
            spent[star] += budget.nodes
        seen += 1
    assert max(spent[1:]) < spent[0]


def test_every_window_keeps_the_contract():
    rng = random.Random(2)
    inside = 0
    for _ in range(1000):
        tree = inner(rng, rng.randint(2, 5))
        game, exact = read_tree(tree), defined(tree)
        for star in STARS:
            alpha, beta = sorted((rng.uniform(-11, 11), rng.uniform(-11, 11)))
            if rng.random() < 0.3:  # bounds that the value meets exactly
                alpha, beta = rng.choice(((exact, exact + 1.0), (exact - 1.0, exact)))
            value = value_of(game, star, alpha=alpha, beta=beta)
            if value <= alpha:
                assert exact <= value + 1e-9
            elif value >= beta:
                assert exact >= value - 1e-9
            else:
                assert value == pytest.approx(exact, rel=1e-9, abs=1e-9)
                inside += 1
    assert inside > 300


@pytest.mark.slow
def test_at_the_depth_limit_the_evaluation_counts_whichever_star():
    rng = random.Random(3)
    for _ in range(800):
        tree = inner(rng, 6)
        game = read_tree(tree)
        expected_tree = clipped(tree, game.utilities[1])
        for depth in (0, 1, 2, 3):
            expected = defined(expected_tree, depth)
            for star in STARS:
                assert value_of(game, star, depth) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def in_order(node, best_first):
    """The tree with the actions of every decision sorted by what they are worth to whoever moves."""
    if not isinstance(node, dict):
        return node
    ((kind, children),) = node.items()
    if kind == "chance":
        return {kind: [[chance, in_order(child, best_first)] for chance, child in children]}
    falling = (kind == "max") == best_first
    return {kind: sorted((in_order(child, best_first) for child in children), key=defined, reverse=falling)}


def regular(rng, layers):
    """A tree whose layers are all of one kind: moves and throws of the dice in turn."""
    if not layers:
        return rng.uniform(-10, 10)
    if layers[0] == "chance":
        return {"chance": [[chance, regular(rng, layers[1:])] for chance in (1 / 2, 1 / 3, 1 / 6)]}
    return {layers[0]: [regular(rng, layers[1:]) for _ in range(5)]}


@pytest.mark.slow
def test_in_a_regular_tree_probing_pays_if_the_best_move_is_first():
    """Ballard 1983: much with the best order, half with any, nothing with the worst."""
    tree = regular(random.Random(1), ("max", "chance", "min", "chance", "max", "chance", "min"))
    orders = (in_order(tree, True), tree, in_order(tree, False))
    best, drawn, worst = ([nodes_of(read_tree(order), star) for star in STARS] for order in orders)
    assert best[2] < best[0] / 7
    assert best[2] < best[1] / 2 < best[0] / 4
    assert drawn[2] < drawn[1] < drawn[0]
    assert drawn[2] < drawn[0] / 2
    assert worst[2] > worst[0]


def test_star1_never_looks_at_more_than_no_star():
    rng = random.Random(4)
    for _ in range(300):
        game = read_tree(inner(rng, 6))
        assert nodes_of(game, 1) <= nodes_of(game, 0)


def test_without_chance_it_is_minimax():
    rng = random.Random(5)
    for _ in range(200):
        game = read_tree(inner(rng, 5, kinds=("max", "min")))
        assert value_of(game) == minimax_value(game.initial, 99, 0, Budget())
    tictactoe = make_game("tictactoe")
    for moves in ("", "a1", "b2 a1", "a1 b2 c3 b1"):
        state = read_moves(tictactoe, moves)[0][-1]
        for depth in (2, 9):
            for player in (0, 1):
                expected = minimax_value(state, depth, player, Budget())
                assert value_of(tictactoe, 2, depth, player=player, state=state) == expected


def test_the_player_may_be_the_second_one():
    rng = random.Random(6)
    for _ in range(200):
        tree = inner(rng, 5)
        game = read_tree(tree)
        for star in STARS:
            assert value_of(game, star, player=1) == pytest.approx(-defined(tree), rel=1e-9, abs=1e-9)


def test_the_dice_cost_no_depth():
    """A horizon right behind the dice: every throw is looked at, and the evaluation asked where a player decides."""
    game = read_tree(
        {"max": [{"chance": [{"chance": [{"min": [-9, 9], "value": 3}, 5]}, {"max": [0, 7], "value": 1}]}, 0]}
    )
    for star in STARS:
        assert value_of(game, star, depth=1) == 0.5 * (0.5 * 3 + 0.5 * 5) + 0.5 * 1


def test_an_outcome_that_never_happens_is_not_looked_at():
    game = read_tree({"chance": [[0.0, {"max": [{"min": [9, 9]}, 9]}], [1.0, {"min": [3, 4]}]]})
    for star in STARS:
        assert value_of(game, star) == 3.0
        _, events = record(
            expectiminimax,
            game.initial,
            9,
            -math.inf,
            math.inf,
            0,
            MEMORY,
            stakes_of(game),
            ExpectiminimaxVariant(star),
            Budget(),
        )
        assert [event.action for event in events if event.kind == "skipped" and event.ply == 0] == [0]
        assert 9.0 not in [event.value for event in events]


# Transformations ----------------------------------------------------------------------------------------------------


def transformed_leaves(node, function):
    if not isinstance(node, dict):
        return function(node)
    if "chance" in node:
        return {"chance": [[chance, transformed_leaves(child, function)] for chance, child in node["chance"]]}
    kind = "max" if "max" in node else "min"
    return {kind: [transformed_leaves(child, function) for child in node[kind]]}


def best_actions(tree):
    game = read_tree(tree)
    return set(expectiminimax_search(game, game.initial, Limit(depth=99)).lines)


@given(st.integers(0, 2**32), st.integers(1, 1000).map(lambda n: n / 100), st.integers(-50, 50))
def test_a_positive_affine_transformation_changes_no_decision(seed, scale, shift):
    rng = random.Random(seed)
    tree = {"max": [grown(rng, 4) for _ in range(3)]}
    changed = transformed_leaves(tree, lambda value: scale * value + shift)
    assert best_actions(changed) == best_actions(tree)
    assert defined(changed) == pytest.approx(scale * defined(tree) + shift, abs=1e-6)


@given(st.integers(0, 2**32), st.lists(st.integers(1, 100), min_size=21, max_size=21))
def test_a_monotone_transformation_changes_no_decision_of_minimax(seed, steps):
    rng = random.Random(seed)
    tree = {"max": [grown(rng, 4, kinds=("max", "min")) for _ in range(3)]}
    rising = [sum(steps[: n + 1]) for n in range(21)]
    assert best_actions(transformed_leaves(tree, lambda value: rising[value + 10])) == best_actions(tree)


def test_a_monotone_transformation_can_turn_a_decision_under_chance():
    before, after = example("monotone-before"), example("monotone-after")
    leaves = before.initial.table[:, PLAYER] == LEAF
    assert (after.initial.table[leaves, VALUES] == before.initial.table[leaves, VALUES] ** 2).all()
    found = [expectiminimax_search(game, game.initial, Limit(depth=9)) for game in (before, after)]
    assert [(result.line, result.value) for result in found] == [((0,), 5.0), ((1,), 32.5)]


# Dice games with known values -----------------------------------------------------------------------------------------


class Rolls(NamedTuple):
    """Roll a die, up to three times, and keep the last roll. `shown` is 0 while the die is rolling."""

    left: int
    shown: int
    kept: int


KEEP, ROLL = 0, 1


@to_move.rule(Rolls)
def _(state):
    return CHANCE if state.shown == 0 else 0


@legal_actions.rule(Rolls)
def _(state, out):
    if state.kept:
        return 0
    if state.shown == 0:
        for face in range(6):
            out[face] = face + 1
        return 6
    out[0] = KEEP
    out[1] = ROLL
    return 2 if state.left > 0 else 1


@result.rule(Rolls)
def _(state, action):
    if state.shown == 0:
        return Rolls(state.left - 1, action, 0)
    if action == KEEP:
        return Rolls(0, state.shown, 1)
    return Rolls(state.left, 0, 0)


@utility.rule(Rolls)
def _(state, player):
    return float(state.shown)


@max_actions.rule(Rolls)
def _(state):
    return 6


ROLLS = Game("rolls", Rolls(3, 0, 0), Axes(players=1, chance=True, zero_sum=False), utilities=(1.0, 6.0))


def test_keep_or_roll_again():
    """One roll is worth 3.5; with two keep 4 and more, 4.25; with three keep 5 and more, 14/3."""
    check_game(ROLLS, positions=100)
    with interpreted():
        for star in STARS:
            for left, expected in ((1, 3.5), (2, 4.25), (3, 14 / 3)):
                assert value_of(ROLLS, star, state=Rolls(left, 0, 0)) == pytest.approx(expected)
            for shown in range(1, 7):
                found = expectiminimax_search(ROLLS, Rolls(2, shown, 0), Limit(depth=9), ExpectiminimaxVariant(star))
                assert list(found.lines) == [KEEP if shown >= 5 else ROLL]
                assert found.value == pytest.approx(max(shown, 4.25))
                assert found.complete


class Race(NamedTuple):
    """Two players race to TARGET. A careful move goes 1 or 2 steps, a bold one 0 or 4. A draw after TURNS moves."""

    first: int
    second: int
    turn: int
    rolling: int


TARGET, TURNS = 6, 7
CAREFUL, BOLD = 1, 2


@to_move.rule(Race)
def _(state):
    return CHANCE if state.rolling else state.turn % 2


@legal_actions.rule(Race)
def _(state, out):
    if max(state.first, state.second) >= TARGET or state.turn == TURNS:
        return 0
    out[0] = 1 if state.rolling != BOLD else 0
    out[1] = 2 if state.rolling != BOLD else 4
    return 2


@result.rule(Race)
def _(state, action):
    if not state.rolling:
        return Race(state.first, state.second, state.turn, action)
    if state.turn % 2 == 0:
        return Race(state.first + action, state.second, state.turn + 1, 0)
    return Race(state.first, state.second + action, state.turn + 1, 0)


@probability.rule(Race)
def _(state, action):
    if state.rolling == CAREFUL:
        return 0.5
    return 0.4 if action == 4 else 0.6


@utility.rule(Race)
def _(state, player):
    won = 0.0
    if state.first >= TARGET:
        won = 1.0
    elif state.second >= TARGET:
        won = -1.0
    return won if player == 0 else -won


@evaluation.rule(Race)
def _(state):
    lead = (state.first - state.second) / 10.0
    return lead if state.turn % 2 == 0 else -lead


@max_actions.rule(Race)
def _(state):
    return 2


RACE = Game("race", Race(0, 0, 0, 0), Axes(chance=True))


@functools.cache
def race_value(own, other, turns):
    """What the race is worth to the player to move, by backward induction and without the library."""
    if other >= TARGET:
        return -1.0
    if turns == 0:
        return 0.0

    def then(steps):
        return -race_value(other, own + steps, turns - 1)

    return max(0.5 * then(1) + 0.5 * then(2), 0.6 * then(0) + 0.4 * then(4))


@pytest.mark.slow
def test_the_race_has_the_value_of_backward_induction():
    check_game(RACE, positions=300)
    for star in STARS:
        assert value_of(RACE, star) == pytest.approx(race_value(0, 0, TURNS), abs=1e-12)
        state = Race(3, 4, 2, 0)
        assert value_of(RACE, star, state=state) == pytest.approx(race_value(3, 4, TURNS - 2), abs=1e-12)
        assert value_of(RACE, star, state=state, player=1) == pytest.approx(-race_value(3, 4, TURNS - 2), abs=1e-12)
    spent = [nodes_of(RACE, star) for star in STARS]
    assert spent[1] < spent[0]
    assert spent[2] < spent[0]


# Compiled, interpreted and recorded -----------------------------------------------------------------------------------


class Logged(NamedTuple):
    """A node of a tree that writes down in which order it is asked whether it is terminal."""

    node: int
    widest: int
    table: NDArray[np.float64]
    log: NDArray[np.int64]


@to_move.rule(Logged)
def _(state):
    return int(state.table[state.node, PLAYER])


@legal_actions.rule(Logged)
def _(state, out):
    count = int(state.table[state.node, CHILDREN])
    for action in range(count):
        out[action] = action
    return count


@max_actions.rule(Logged)
def _(state):
    return state.widest


@result.rule(Logged)
def _(state, action):
    return Logged(int(state.table[state.node, FIRST_CHILD]) + action, state.widest, state.table, state.log)


@terminal.rule(Logged)
def _(state):
    state.log[0] += 1
    state.log[state.log[0]] = state.node
    return bool(state.table[state.node, PLAYER] == LEAF)


@utility.rule(Logged)
def _(state, player):
    return float(state.table[state.node, VALUES + player])


@evaluation.rule(Logged)
def _(state):
    return float(state.table[state.node, VALUES + to_move(state)])


@evaluation_for.rule(Logged)
def _(state, player):
    return float(state.table[state.node, VALUES + player])


@probability.rule(Logged)
def _(state, action):
    return float(state.table[int(state.table[state.node, FIRST_CHILD]) + action, PROBABILITY])


def logged(game):
    """The game with an empty log, which is returned too."""
    log = np.zeros(10_000, np.int64)
    return Logged(0, game.initial.widest, game.initial.table, log), log


def written(log):
    return log[1 : log[0] + 1].tolist()


@pytest.mark.parametrize("star", mostly_slow(STARS, 0, 2))
def test_compiled_and_interpreted_visit_the_same_nodes_in_the_same_order(star):
    rng = random.Random(7)
    for _ in range(60):
        game = read_tree(inner(rng, 5))
        alpha, beta = rng.choice(((-math.inf, math.inf), (-2.0, 3.0)))
        orders, answers = [], []
        for _ in range(2):
            state, log = logged(game)
            budget = Budget()
            call = functools.partial(
                expectiminimax, state, 3, alpha, beta, 0, MEMORY, stakes_of(game), ExpectiminimaxVariant(star), budget
            )
            if orders:
                with recording() as events:
                    answers.append((call(), budget.nodes, line_of(MEMORY)))
            else:
                answers.append((call(), budget.nodes, line_of(MEMORY)))
            orders.append(written(log))
        assert orders[0] == orders[1]
        assert answers[0] == answers[1]
        visited = [event.state.node for event in events if event.kind == "entered"]
        assert len(visited) == answers[0][1]
        if star < 2:  # a probe asks whether an outcome ends the game before it goes there
            assert visited == orders[0]


def recorded(game, star, depth=9, alpha=-math.inf, beta=math.inf):
    return record(
        expectiminimax,
        game.initial,
        depth,
        alpha,
        beta,
        0,
        MEMORY,
        stakes_of(game),
        ExpectiminimaxVariant(star),
        Budget(),
    )[1]


def test_every_node_that_is_entered_is_left():
    rng = random.Random(8)
    for star in STARS:
        for _ in range(40):
            events = recorded(read_tree(inner(rng, 5)), star, depth=3)
            path = []
            for event in events:
                if event.kind == "entered":
                    path.append(event.state)
                assert event.ply == len(path) - 1
                assert event.state == path[-1]
                if event.kind in ("evaluated", "chose"):
                    path.pop()
            assert path == []


def test_the_worked_example_leaf_by_leaf():
    """The numbers of docs/expectiminimax.md."""
    game = example("star")
    for star, leaves in ((0, [5, 2, 7, 1, 8, 10, 0]), (1, [5, 2, 7, 1]), (2, [5, 2, 1])):
        events = recorded(game, star)
        assert [event.value for event in events if event.kind == "evaluated"] == leaves
        assert events[-1].value == 5.0
    dice, first, second = 2, 3, 4  # their numbers in the tree
    events = recorded(game, 1)
    windows = {event.state.node: (event.alpha, event.beta) for event in reversed(events) if event.kind == "window"}
    assert windows[dice] == (5.0, math.inf)
    assert windows[first] == (0.0, 10.0)
    assert windows[second] == (6.0, 10.0)
    (stopped,) = [event for event in events if event.reason == CHANCE_CUT]
    assert (stopped.state.node, stopped.value, stopped.bound) == (dice, 3.75, 5.0)


def test_chance_cuts_are_outside_of_their_window():
    rng = random.Random(9)
    cuts = 0
    for star in (1, 2):
        for _ in range(150):
            latest = {}
            for event in recorded(read_tree(inner(rng, 5)), star):
                if event.kind == "window":
                    latest[event.state] = event.alpha, event.beta
                if event.kind == "cut" and event.reason == CHANCE_CUT:
                    alpha, beta = latest[event.state]
                    assert to_move(event.state) == CHANCE
                    assert (event.bound == alpha and event.value <= alpha) or (event.bound == beta <= event.value)
                    cuts += 1
    assert cuts > 50


# Whole searches -------------------------------------------------------------------------------------------------------


def test_a_search_reports_what_it_found():
    found = expectiminimax_search(RACE, RACE.initial, Limit(depth=3))
    assert (found.depth, found.complete) == (3, False)
    assert found.value == max(found.values.values())
    assert found.value == pytest.approx(value_of(RACE, depth=3))
    assert set(found.values) == {CAREFUL, BOLD}
    assert found.line == (BOLD,)  # the dice come next, so the line ends
    assert found.nodes > 0
    assert found.cuts > 0
    assert found.time > 0.0


@pytest.mark.slow
def test_deeper_and_deeper_ends_with_the_same_answer_as_straight_to_the_depth():
    for star in STARS:
        straight = expectiminimax_search(RACE, RACE.initial, Limit(depth=99), ExpectiminimaxVariant(star))
        patient = expectiminimax_search(RACE, RACE.initial, Limit(time=60.0), ExpectiminimaxVariant(star))
        assert straight.complete
        assert patient.complete
        assert straight.depth == patient.depth == TURNS
        assert patient.value == pytest.approx(straight.value, abs=1e-12)
        assert patient.lines == straight.lines


def test_a_line_goes_on_until_the_dice():
    tree = {"max": [0, {"min": [{"max": [1, {"chance": [4, 6]}]}, 7]}]}
    game = read_tree(tree)
    assert expectiminimax_search(game, game.initial, Limit(depth=9)).line == (1, 0, 1)
    board = make_game("tictactoe")
    state = read_moves(board, "a1 a2 b1")[0][-1]
    found = expectiminimax_search(board, state, Limit(depth=9))
    assert len(found.line) > 1
    for action in found.line:
        assert action in actions(state)
        state = result(state, action)
    assert terminal(state)


def test_all_equally_good_actions_are_known():
    rounding = {"chance": [[0.3, 2], [0.7, 24 / 7]]}
    game = read_tree({"max": [{"chance": [1, 5]}, {"min": [3, 9]}, rounding, 2, {"min": [4, -1]}]})
    for star in STARS:
        found = expectiminimax_search(game, game.initial, Limit(depth=9), ExpectiminimaxVariant(star))
        assert set(found.lines) == {0, 1, 2}
        assert found.value == pytest.approx(3.0)
    chosen = {
        make_player("expectiminimax", game, seed).choose(Position(game, game.initial), Limit()).action
        for seed in range(40)
    }
    assert chosen == {0, 1, 2}
    assert make_player("expectiminimax:ties=first", game).choose(Position(game, game.initial), Limit()).action == 0


def test_the_deepest_completed_search_is_the_answer():
    connect4 = make_game("connect4")
    for nodes in (1, 5, 60, 5000):
        found = expectiminimax_search(connect4, connect4.initial, Limit(nodes=nodes))
        assert found.nodes <= nodes
        assert set(found.lines) <= set(actions(connect4.initial))
        if found.depth:
            straight = expectiminimax_search(connect4, connect4.initial, Limit(depth=found.depth))
            assert (found.value, set(found.lines)) == (straight.value, set(straight.lines))
        else:
            assert found.value == evaluation(connect4.initial)
            assert set(found.lines) == set(actions(connect4.initial))
    assert found.depth > 2


def test_a_millisecond_is_enough_for_a_legal_move():
    game = make_game("connect4")
    found = expectiminimax_search(game, game.initial, Limit(time=0.001))
    assert found.line[0] in actions(game.initial)


def test_one_move_no_move_and_a_throw_of_the_dice():
    single = read_tree({"max": [{"chance": [1, 2]}]})
    found = expectiminimax_search(single, single.initial, Limit(time=5.0))
    assert (found.line, found.value, found.complete) == ((0,), 1.5, True)
    tictactoe = make_game("tictactoe")
    won = read_moves(tictactoe, "a1 a2 b1 b2 c1")[0][-1]
    with pytest.raises(IllegalAction, match="the game is over"):
        expectiminimax_search(tictactoe, won, Limit(depth=1))
    dice = read_tree({"chance": [1, {"max": [2, 3]}]})
    with pytest.raises(IllegalAction, match="chance is to move"):
        expectiminimax_search(dice, dice.initial, Limit(depth=1))


def test_a_stopped_search_unwinds():
    budget = Budget()
    budget.stop()
    value_of(RACE, budget=budget)
    assert budget.stopped
    assert budget.nodes == 0


def test_without_a_finite_range_chance_nodes_are_searched_in_full():
    endless = replace(RACE, utilities=(-math.inf, math.inf))
    found = expectiminimax_search(endless, RACE.initial, Limit(depth=99))
    assert found.value == pytest.approx(race_value(0, 0, TURNS), abs=1e-12)


def test_a_whole_search_can_be_recorded():
    game = example("star")
    with recording() as events:
        found = expectiminimax_search(game, game.initial, Limit(depth=9))
    assert isinstance(found, RootResult)
    assert events[0].kind == "entered"
    assert events[0].state == game.initial
    assert (events[-1].kind, events[-1].action, events[-1].value, events[-1].ply) == ("chose", 0, 5.0, 0)
    assert len([event for event in events if event.kind == "entered"]) == found.nodes


def test_another_evaluation(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def flipped(state):\n    return (state.first - state.second) / 10.0\n")
    state = Race(0, 3, 4, 0)
    own, other = (
        make_player(f"expectiminimax:depth=1,ties=first{option}", RACE).choose(Position(RACE, state), Limit()).value
        for option in ("", f",evaluation={file}:flipped")
    )
    assert own != other
    with pytest.raises(BadOption, match="race has no evaluation 'absent'"):
        make_player("expectiminimax:evaluation=absent", RACE).prepare(RACE)


# The player -----------------------------------------------------------------------------------------------------------


def test_what_the_player_accepts():
    assert "expectiminimax" in players_for(RACE)
    assert "expectiminimax" in players_for(ROLLS)
    assert "expectiminimax" in players_for(make_game("tictactoe"))
    with pytest.raises(UnsuitableGame, match="sum: needs a zero-sum game"):
        make_player("expectiminimax", read_tree({"max": [[1, 1], [2, 0]]}))
    with pytest.raises(UnsuitableGame, match="the game has 3 players"):
        make_player("expectiminimax", example("three-answers"))
    assert default_opponent(RACE) == "mcts"


def test_the_player_chooses_as_backward_induction_does():
    for turn in range(TURNS):
        for own in range(TARGET):
            for other in range(TARGET):
                state = Race(own, other, turn, 0) if turn % 2 == 0 else Race(other, own, turn, 0)

                def then(steps, own=own, other=other, turn=turn):
                    return -race_value(other, own + steps, TURNS - turn - 1)

                careful, bold = 0.5 * then(1) + 0.5 * then(2), 0.6 * then(0) + 0.4 * then(4)
                move = make_player("expectiminimax", RACE, 1).choose(Position(RACE, state), Limit(depth=9))
                assert move.value == pytest.approx(max(careful, bold), abs=1e-12)
                if not math.isclose(careful, bold, abs_tol=1e-9):
                    assert move.action == (CAREFUL if careful > bold else BOLD)


@pytest.mark.parametrize("option", ["star=0", "star=1", "star=2", "nodes=200", "time=0.01", "depth=2,ties=first"])
def test_every_option_plays_to_the_end(option):
    def played(game):
        players = [make_player(f"expectiminimax:{option}", game, 1), make_player("random", game, 2)]
        return play_game(game, players[: game.axes.players], seed=3)

    assert played(RACE).complete
    with interpreted():
        assert played(make_game("nim:piles=1,3")).complete
        assert played(ROLLS).complete


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("expectiminimax:star=3", "star must be 0, 1 or 2, not 3"),
        ("expectiminimax:star=two", "star must be of the form integer"),
        ("expectiminimax:depth=0", "depth must be at least 1"),
        ("expectiminimax:time=-1", "time must be a positive"),
        ("expectiminimax:ties=last", "ties must be of the form"),
    ],
)
def test_bad_options(spec, message):
    with pytest.raises(BadOption, match=message):
        make_player(spec)


def test_the_command_plays_a_tree_with_chance(command):
    tree = {"max": {"sure": 1, "dice": {"chance": {"low": [0.5, -6], "high": [0.5, {"min": [9, 4]}]}}}}
    (command.folder / "dice.json").write_text(json.dumps(tree))
    done = command("play", "dice.json", "--first", "expectiminimax", "--second", "random", "--seed", "1", "--json")
    assert done.returncode == 0, done.stderr
    (move,) = json.loads(done.stdout)["moves"]
    assert move["text"] == "sure"


@pytest.mark.parametrize("name", ["monotone-before", "star"])
def test_the_page_shows_the_tree_that_comes_with_plyground(name):
    page = Path(__file__).parents[2] / "docs" / "expectiminimax.md"
    tree = resources.files("plyground.games") / "trees" / f"{name}.json"
    assert tree.read_text(encoding="utf-8") in page.read_text(encoding="utf-8")


def test_what_the_depth_limit_is_worth():
    for state in (RACE.initial, Race(2, 3, 1, 0), Race(4, 1, 2, 0)):
        mover = to_move(state)
        guess = [leaf_value(state, player, stakes_of(RACE), ExpectiminimaxVariant()) for player in (0, 1)]
        with interpreted():
            assert guess == [leaf_value(state, player, stakes_of(RACE), ExpectiminimaxVariant()) for player in (0, 1)]
        assert guess[mover] == evaluation(state)
        assert guess[1 - mover] == -evaluation(state)
