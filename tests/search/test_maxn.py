"""Max^n, coalitions and paranoid search: the definitions, pruning that must not change them, games of many."""

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

from plyground import (
    Axes,
    Budget,
    Game,
    Limit,
    actions,
    evaluation,
    legal_actions,
    make_game,
    max_actions,
    result,
    terminal,
    to_move,
    utility,
)
from plyground.arena.referee import play_game
from plyground.core.notation import read_moves
from plyground.core.recording import BETA_CUT, record, recording
from plyground.errors import BadOption, IllegalAction
from plyground.games.contract import check_game
from plyground.games.tree import read_tree
from plyground.players import Position, default_opponent, make_player, players_for
from plyground.search.expectiminimax import ExpectiminimaxVariant as Star
from plyground.search.lines import line_of, new_line_memory
from plyground.search.maxn import MaxnVariant, can_prune, coalition_numbers, maxn, maxn_search
from plyground.search.minimax import minimax_search, minimax_value
from plyground.search.paranoid import paranoid_search, parse_coalitions
from plyground.search.stakes import leaf_value, stakes_of
from test_expectiminimax import example, logged, written
from test_tictactoe import all_positions

MEMORY = new_line_memory()
TOTAL = 12


def values_of(game, *, shallow=False, depth=99, coalitions=None, total=None, state=None, budget=None):
    values, players = np.zeros(game.axes.players), game.axes.players
    maxn(
        game.initial if state is None else state,
        depth,
        values,
        coalition_numbers(coalitions, players),
        MEMORY,
        stakes_of(game, total),
        MaxnVariant(shallow),
        budget or Budget(),
    )
    return tuple(values)


# Random trees, and the definitions ----------------------------------------------------------------------------------


def shares(rng, players):
    """Utilities that add up to TOTAL, none of them negative."""
    cuts = sorted(rng.randint(0, TOTAL) for _ in range(players - 1))
    return [high - low for low, high in zip([0, *cuts], [*cuts, TOTAL], strict=True)]


def free(rng, players):
    return [rng.randint(0, 9) for _ in range(players)]


def grown(rng, depth, players, leaf, chance=0.15):
    if depth == 0:
        return leaf(rng, players)
    children = [
        grown(rng, depth - 1 if rng.random() < 0.9 else 0, players, leaf, chance) for _ in range(rng.randint(1, 4))
    ]
    if rng.random() < chance:
        weights = [rng.choice((1.0, 1.0, 3.0)) for _ in children]
        return {"chance": [[w / sum(weights), child] for w, child in zip(weights, children, strict=True)]}
    return {"player": rng.randrange(players), "children": children, "value": leaf(rng, players)}


def defined(node, key, depth=99):
    """Max^n, word for word: whoever moves takes the first action with the largest `key(mover, values)`."""
    if isinstance(node, list):
        return tuple(map(float, node))
    if "chance" in node:
        weighted = [(chance, defined(child, key, depth)) for chance, child in node["chance"]]
        return tuple(sum(chance * value for chance, value in column) for column in _columns(weighted))
    if depth == 0:
        return tuple(map(float, node["value"]))
    return max((defined(child, key, depth - 1) for child in node["children"]), key=lambda v: key(node["player"], v))


def _columns(weighted):
    return [[(chance, values[i]) for chance, values in weighted] for i in range(len(weighted[0][1]))]


def own(mover, values):
    return values[mover]


def together(coalitions):
    numbers = {player: number for number, members in enumerate(coalitions) for player in members}

    def key(mover, values):
        return sum(value for player, value in enumerate(values) if numbers[player] == numbers[mover])

    return key


def against(me):
    return lambda mover, values: values[me] if mover == me else -values[me]


def partition(rng, players):
    numbers = [rng.randrange(players) for _ in range(players)]
    return [[p for p in range(players) if numbers[p] == n] for n in sorted(set(numbers))]


def test_max_n_is_its_definition_for_any_number_of_players():
    rng = random.Random(1)
    for number in range(600):
        players = 2 + number % 5
        tree = grown(rng, rng.randint(1, 5), players, free)
        game = read_tree({"root": tree, "players": [str(p) for p in range(players)]})
        assert values_of(game) == pytest.approx(defined(tree, own), abs=1e-9)


@pytest.mark.slow
def test_shallow_pruning_changes_no_value_of_any_player():
    rng, spent = random.Random(2), [0, 0]
    for number in range(1500):
        players = 2 + number % 4
        # Without dice, so that what is equal is equal to the last bit, and ties are ties in both.
        tree = grown(rng, rng.randint(2, 6), players, shares, chance=0.0)
        game = read_tree({"root": tree, "players": [str(p) for p in range(players)]})
        coalitions = rng.choice((None, partition(rng, players)))
        plain, pruned = Budget(), Budget()
        expected = values_of(game, coalitions=coalitions, total=TOTAL, budget=plain)
        assert expected == defined(tree, together(coalitions) if coalitions else own)
        assert values_of(game, shallow=True, coalitions=coalitions, total=TOTAL, budget=pruned) == expected
        assert pruned.nodes <= plain.nodes
        spent[0] += plain.nodes
        spent[1] += pruned.nodes
    assert spent[1] < 0.9 * spent[0]


def test_shallow_pruning_with_dice_in_between():
    rng = random.Random(3)
    for number in range(300):
        players = 2 + number % 4
        tree = grown(rng, 5, players, shares)
        game = read_tree({"root": tree, "players": [str(p) for p in range(players)]})
        assert values_of(game, shallow=True, total=TOTAL) == pytest.approx(values_of(game, total=TOTAL), abs=1e-9)


def test_at_the_depth_limit_trees_say_what_they_are_worth_to_each_player():
    rng = random.Random(4)
    for number in range(300):
        players = 3 + number % 3
        tree = grown(rng, 5, players, shares, chance=0.0)
        game = read_tree({"root": tree, "players": [str(p) for p in range(players)]})
        if game.utilities != (0.0, TOTAL):  # else evaluations may be outside of the range
            continue
        for depth in (0, 1, 2, 3):
            expected = defined(tree, own, depth)
            assert values_of(game, depth=depth) == expected
            assert values_of(game, depth=depth, total=TOTAL, shallow=True) == expected


def test_the_deep_bound_is_not_used():
    """Korf's counterexample in spirit: a grandparent's bound must not prune, since what is pruned changes the choice.

    Player 0 is sure of 5. Two levels below, player 2 is sure of 5 of 10, so that player 0 cannot get more than 5 there.
    But what player 2 goes on to find decides what player 1 does, who then sends player 0 elsewhere, to 6.
    """
    tree = {
        "player": 0,
        "children": [
            [5, 3, 2],
            {
                "player": 1,
                "children": [
                    {"player": 2, "children": [[2, 3, 5], [4, 0, 6]]},
                    [6, 2, 2],
                ],
            },
        ],
    }
    game = read_tree(tree)
    for shallow in (False, True):
        assert values_of(game, shallow=shallow, total=10) == (6.0, 2.0, 2.0)


@given(st.integers(0, 2**32), st.permutations(range(4)))
def test_names_of_players_do_not_matter(seed, names):
    """If the players swap their seats, they swap their values."""

    def swapped(node):
        if isinstance(node, list):
            return [node[names.index(p)] for p in range(4)]
        if "chance" in node:
            return {"chance": [[chance, swapped(child)] for chance, child in node["chance"]]}
        return {"player": names[node["player"]], "children": [swapped(child) for child in node["children"]]}

    tree = grown(random.Random(seed), 4, 4, free)
    seats = ["a", "b", "c", "d"]
    before = values_of(read_tree({"root": tree, "players": seats}))
    after = values_of(read_tree({"root": swapped(tree), "players": seats}))
    assert after == pytest.approx(tuple(swapped(list(before))))


# Against minimax ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_with_two_zero_sum_players_it_is_minimax():
    rng = random.Random(5)
    for number in range(400):
        tree = grown(rng, rng.randint(1, 6), 2, lambda rng, _: [x := rng.randint(-9, 9), -x], chance=0.0)
        game = read_tree(tree)
        value = minimax_value(game.initial, 99, 0, Budget())
        assert values_of(game, shallow=bool(number % 2)) == (value, -value)
    tictactoe = make_game("tictactoe")
    positions = [state for state in all_positions(tictactoe.initial) if not terminal(state)]
    for number, state in enumerate(sorted(positions)[::9]):
        for depth in (1, 3, 9):
            value = minimax_value(state, depth, 0, Budget())
            found = values_of(tictactoe, shallow=bool(number % 2), depth=depth, state=state)
            assert found == pytest.approx((value, -value), abs=1e-12)


def test_singletons_are_max_n_node_for_node():
    rng = random.Random(6)
    for _ in range(100):
        game = read_tree({"root": grown(rng, 5, 3, free), "players": ["A", "B", "C"]})
        alone, split = Budget(), Budget()
        assert values_of(game, budget=alone) == values_of(game, coalitions=((2,), (0,), (1,)), budget=split)
        assert alone.nodes == split.nodes


def test_two_coalitions_in_a_zero_sum_game_play_minimax():
    """The sum of one coalition is the opposite of the other's, so the value is that of the two-player game of sums."""
    rng = random.Random(7)

    def leaf(rng, players):
        values = [rng.randint(-5, 5) for _ in range(players - 1)]
        return [*values, -sum(values)]

    def merged(node, team):
        if isinstance(node, list):
            return sum(node[player] for player in team)
        return {"max" if node["player"] in team else "min": [merged(child, team) for child in node["children"]]}

    for number in range(300):
        tree = grown(rng, 5, 4, leaf, chance=0.0)
        game = read_tree({"root": tree, "players": list("abcd")})
        team, others = ((0, 2), (1, 3)) if number % 2 else ((3,), (0, 1, 2))
        found = values_of(game, coalitions=(team, others), shallow=True)
        duel = read_tree(merged(tree, team))
        assert sum(found[player] for player in team) == minimax_value(duel.initial, 99, 0, Budget())
        assert sum(found) == 0


# Paranoid -------------------------------------------------------------------------------------------------------------


def test_paranoid_search_is_its_definition():
    rng = random.Random(8)
    for number in range(500):
        players = 2 + number % 4
        tree = grown(rng, rng.randint(2, 5), players, free)
        if "chance" in tree:
            continue
        game = read_tree({"root": tree, "players": [str(p) for p in range(players)]})
        me = tree["player"]
        found = paranoid_search(game, game.initial, Limit(depth=99), Star(number % 3))
        assert found.value == pytest.approx(paranoid_by_hand(tree, me), abs=1e-9)
        best = [paranoid_by_hand(child, me) for child in tree["children"]]
        assert set(found.lines) == {a for a, v in enumerate(best) if v == pytest.approx(max(best), abs=1e-9)}


def paranoid_by_hand(node, me):
    if isinstance(node, list):
        return node[me]
    if "chance" in node:
        return sum(chance * paranoid_by_hand(child, me) for chance, child in node["chance"])
    values = [paranoid_by_hand(child, me) for child in node["children"]]
    return max(values) if node["player"] == me else min(values)


def test_me_against_the_rest_is_paranoid_if_the_sum_is_constant():
    rng = random.Random(9)
    for _ in range(300):
        tree = grown(rng, 5, 3, shares, chance=0.0)
        game = read_tree({"root": tree, "players": ["A", "B", "C"]})
        me = tree["player"]
        rest = [p for p in range(3) if p != me]
        sure = paranoid_search(game, game.initial, Limit(depth=99), total=TOTAL).value
        assert values_of(game, coalitions=((me,), rest), total=TOTAL)[me] == sure


def test_nobody_gets_less_than_paranoid_search_is_sure_of():
    rng = random.Random(10)
    for _ in range(400):
        tree = grown(rng, 5, 3, free)
        if "chance" in tree:
            continue
        game = read_tree({"root": tree, "players": ["A", "B", "C"]})
        sure = paranoid_search(game, game.initial, Limit(depth=99)).value
        assert sure <= values_of(game)[tree["player"]] + 1e-9


# By hand --------------------------------------------------------------------------------------------------------------


def test_three_players_three_answers():
    """The numbers of docs/maxn.md: the tree says left, middle or right, depending on what A thinks of the others."""
    game = example("three-answers")
    left, middle, right = 0, 1, 2
    alone = maxn_search(game, game.initial, Limit(depth=9))
    assert (alone.line, alone.utilities) == ((left, 0, 1), (7.0, 8.0, 6.0))
    assert alone.utilities_after == {left: (7, 8, 6), middle: (0, 6, 8), right: (3, 8, 6)}
    friends = maxn_search(game, game.initial, Limit(depth=9), coalitions=((0, 2), (1,)))
    assert (friends.line, friends.utilities) == ((middle, 1, 1), (9.0, 2.0, 6.0))
    sure = paranoid_search(game, game.initial, Limit(depth=9))
    assert (sure.line, sure.value) == ((right, 1, 0), 3.0)
    rest = maxn_search(game, game.initial, Limit(depth=9), coalitions=((0,), (1, 2)))
    assert (rest.line[0], rest.utilities) == (left, (7.0, 8.0, 6.0))


def test_the_page_shows_the_tree_that_comes_with_plyground():
    page = Path(__file__).parents[2] / "docs" / "maxn.md"
    tree = resources.files("plyground.games") / "trees" / "three-answers.json"
    assert tree.read_text(encoding="utf-8") in page.read_text(encoding="utf-8")


def test_ties_matter():
    """B does not care, and A's choice depends on what B takes: the first of equals, as the game lists them."""
    calm = {"player": 0, "children": [{"player": 1, "children": [[1, 5, 0], [9, 5, 0]]}, [4, 0, 0]]}
    kind = {"player": 0, "children": [{"player": 1, "children": [[9, 5, 0], [1, 5, 0]]}, [4, 0, 0]]}
    assert values_of(read_tree(calm)) == (4.0, 0.0, 0.0)
    assert values_of(read_tree(kind)) == (9.0, 5.0, 0.0)


class Grab(NamedTuple):
    """Three players in turn take 1 or 2 coins from a pile and keep them; the last coin costs its taker 4."""

    left: int
    turn: int
    coins: tuple[int, int, int]


@to_move.rule(Grab)
def _(state):
    return state.turn


@legal_actions.rule(Grab)
def _(state, out):
    count = min(2, state.left)
    for i in range(count):
        out[i] = i + 1
    return count


@result.rule(Grab)
def _(state, action):
    price = 4 if action == state.left else 0
    a, b, c = state.coins
    gain = action - price
    if state.turn == 0:
        a += gain
    elif state.turn == 1:
        b += gain
    else:
        c += gain
    return Grab(state.left - action, (state.turn + 1) % 3, (a, b, c))


@utility.rule(Grab)
def _(state, player):
    return float(state.coins[player])


@max_actions.rule(Grab)
def _(state):
    return 2


PILE = 9
GRAB = Game("grab", Grab(PILE, 0, (0, 0, 0)), Axes(players=3, zero_sum=False), utilities=(-3.0, 9.0))


@functools.cache
def grab_values(left, turn):
    """What the coins that are left are worth to each player, by backward induction and without the library."""
    if left == 0:
        return (0, 0, 0)
    best = None
    for action in range(1, min(2, left) + 1):
        values = list(grab_values(left - action, (turn + 1) % 3))
        values[turn] += action - (4 if action == left else 0)
        if best is None or values[turn] > best[turn]:
            best = tuple(values)
    return best


@pytest.mark.slow
def test_a_game_of_three_has_the_values_of_backward_induction():
    check_game(GRAB, positions=200)
    for shallow in (False, True):
        assert values_of(GRAB, shallow=shallow, total=PILE - 4) == grab_values(PILE, 0)
    found = maxn_search(GRAB, GRAB.initial, Limit(time=60.0), total=PILE - 4)
    assert found.utilities == grab_values(PILE, 0)
    assert found.complete
    assert sum(found.utilities) == PILE - 4


# At the depth limit -------------------------------------------------------------------------------------------------


class Guess(NamedTuple):
    """Three players, an evaluation of 0.5 to the player to move, and no opinion about the others."""

    turn: int


@to_move.rule(Guess)
def _(state):
    return state.turn % 3


@legal_actions.rule(Guess)
def _(state, out):
    out[0] = 0
    return 1 if state.turn < 4 else 0


@result.rule(Guess)
def _(state, action):
    return Guess(state.turn + 1)


@utility.rule(Guess)
def _(state, player):
    return 1.0 if player == 0 else -0.5


@evaluation.rule(Guess)
def _(state):
    return 0.5


def test_the_others_share_what_the_mover_leaves_of_the_sum():
    zero = Game("guess", Guess(1), Axes(players=3), utilities=(-1.0, 1.0))
    assert values_of(zero, depth=0) == (-0.25, 0.5, -0.25)
    general = replace(zero, axes=Axes(players=3, zero_sum=False), utilities=(-1.0, 2.0))
    assert values_of(general, depth=0) == (0.5, 0.5, 0.5)  # the middle of the range, and the guess
    assert values_of(general, depth=0, total=1.5) == (0.5, 0.5, 0.5)
    assert values_of(general, depth=0, total=0.7) == pytest.approx((0.1, 0.5, 0.1))


def test_guesses_outside_of_the_range_stay_what_they_are_and_utilities_count_more():
    narrow = Game("guess", Guess(1), Axes(players=3), utilities=(-0.1, 0.3))
    # With zero sum nobody gets more than the others can pay: 0.1 each.
    stakes = stakes_of(narrow)
    assert (stakes.low, stakes.high, stakes.total) == (-0.1, 0.2, 0.0)
    assert leaf_value(Guess(1), 1, stakes, MaxnVariant()) == 0.5
    assert stakes.scale.stray == 0.5
    stakes.scale.stretch()
    scaled = stakes.as_scaled()
    assert (scaled.low < -0.5, scaled.high > 0.5, scaled.total) == (True, True, 0.0)
    assert [leaf_value(Guess(1), player, scaled, MaxnVariant()) for player in range(3)] == [-0.25, 0.5, -0.25]
    assert stakes.scale.stray is None


# Compiled, interpreted and recorded -----------------------------------------------------------------------------------


@pytest.mark.parametrize("shallow", [False, True])
def test_compiled_and_interpreted_visit_the_same_nodes_in_the_same_order(shallow):
    rng = random.Random(11)
    cuts = 0
    for _ in range(60):
        game = read_tree({"root": grown(rng, 5, 3, shares), "players": ["A", "B", "C"]})
        stakes, numbers = stakes_of(game, TOTAL), coalition_numbers(rng.choice((None, ((0, 1), (2,)))), 3)
        orders, answers = [], []
        for again in (False, True):
            state, log = logged(game)
            values, budget = np.zeros(3), Budget()
            call = functools.partial(maxn, state, 4, values, numbers, MEMORY, stakes, MaxnVariant(shallow), budget)
            if again:
                with recording() as events:
                    call()
            else:
                call()
            orders.append(written(log))
            answers.append((tuple(values), budget.nodes, line_of(MEMORY)))
        assert orders[0] == orders[1] == [event.state.node for event in events if event.kind == "entered"]
        assert answers[0] == answers[1]
        cuts += sum(event.kind == "cut" for event in events)
    assert (cuts > 50) == shallow


def test_events_have_one_value_for_each_player():
    game = example("three-answers")
    values = np.zeros(3)
    _, events = record(
        maxn, game.initial, 9, values, coalition_numbers(None, 3), MEMORY, stakes_of(game), MaxnVariant(), Budget()
    )
    leaves = [event.value for event in events if event.kind == "evaluated"]
    assert leaves[:3] == [(8, 7, 1), (7, 8, 6), (1, 2, 7)]
    assert len(leaves) == 9
    chosen = [(event.ply, event.action, event.value) for event in events if event.kind == "chose"]
    assert chosen[:2] == [(2, 1, (7, 8, 6)), (1, 0, (7, 8, 6))]
    assert chosen[-1] == (0, 0, (7, 8, 6))


def test_a_shallow_cut_says_what_was_enough():
    """A is sure of 6 of 10; below, B is sure of 5, so that A gets at most 5, and the rest need not be seen."""
    game = read_tree({"player": 0, "children": [[6, 2, 2], {"player": 1, "children": [[1, 5, 4], [0, 0, 10]]}]})
    values = np.zeros(3)
    _, events = record(
        maxn,
        game.initial,
        9,
        values,
        coalition_numbers(None, 3),
        MEMORY,
        stakes_of(game, 10),
        MaxnVariant(True),
        Budget(),
    )
    (stopped,) = [event for event in events if event.kind == "cut"]
    assert (stopped.value, stopped.reason, stopped.bound) == ((1, 5, 4), BETA_CUT, 4.0)
    assert tuple(values) == (6, 2, 2)


# Whole searches -------------------------------------------------------------------------------------------------------


def test_a_search_for_two_chooses_as_minimax_does():
    game = make_game("tictactoe")
    for moves in ("", "a1 b2", "a2 b2 c3"):
        state = read_moves(game, moves)[0][-1]
        expected = minimax_search(state, Limit(depth=6))
        for found in (
            maxn_search(game, state, Limit(depth=6)),
            maxn_search(game, state, Limit(depth=6), MaxnVariant(shallow=False)),
        ):
            assert found.utilities[int(to_move(state))] == pytest.approx(expected.value, abs=1e-12)
            assert set(found.lines) == {action for action, value in expected.values.items() if value == expected.value}


def test_pruning_at_the_root_knows_all_equally_good_actions():
    rng = random.Random(12)
    for _ in range(300):
        tree = grown(rng, 4, 3, shares, chance=0.0)
        game = read_tree({"root": tree, "players": ["A", "B", "C"]})
        found = maxn_search(game, game.initial, Limit(depth=99), total=TOTAL)
        children = [defined(child, own)[tree["player"]] for child in tree["children"]]
        assert list(found.lines) == [a for a, value in enumerate(children) if value == max(children)]
        assert found.utilities == defined(tree, own)


def test_the_deepest_completed_search_is_the_answer():
    for nodes in (1, 3, 10, 100):
        found = maxn_search(GRAB, GRAB.initial, Limit(nodes=nodes))
        assert found.nodes <= nodes
        assert found.line[0] in actions(GRAB.initial)
        if found.depth:
            assert found.utilities == maxn_search(GRAB, GRAB.initial, Limit(depth=found.depth)).utilities
    assert found.depth > 2


def test_a_millisecond_is_enough_for_a_legal_move():
    game = make_game("tictactoe")
    for found in (
        maxn_search(game, game.initial, Limit(time=0.001)),
        paranoid_search(game, game.initial, Limit(time=0.001)),
    ):
        assert found.line[0] in actions(game.initial)


def test_nothing_to_search_and_nobody_to_choose():
    tictactoe = make_game("tictactoe")
    won = read_moves(tictactoe, "a1 a2 b1 b2 c1")[0][-1]
    dice = read_tree({"chance": [1, {"max": [2, 3]}]})
    for search in (maxn_search, paranoid_search):
        with pytest.raises(IllegalAction, match="the game is over"):
            search(tictactoe, won, Limit(depth=1))
        with pytest.raises(IllegalAction, match="chance is to move"):
            search(dice, dice.initial, Limit(depth=1))
    single = read_tree({"player": 2, "children": [[1, 2, 3]]})
    assert maxn_search(single, single.initial, Limit(time=5.0)).line == (0,)


def test_a_whole_search_can_be_recorded():
    game = example("three-answers")
    with recording() as events:
        found = maxn_search(game, game.initial, Limit(depth=9))
    assert events[0].state == game.initial
    assert (events[-1].kind, events[-1].action, events[-1].value) == ("chose", 0, (7.0, 8.0, 6.0))
    assert len([event for event in events if event.kind == "entered"]) == found.nodes


def test_pruning_without_a_total_is_refused():
    game = example("three-answers")
    with pytest.raises(BadOption, match="always add up to the same total"):
        maxn_search(game, game.initial, Limit(depth=2), MaxnVariant(shallow=True))


def test_rounding_is_no_reason_to_cut():
    b = {"player": 1, "children": [[0.30000000000000004, 0.7, 0], [0, 0.9, 0.1]]}
    a = {"player": 0, "children": [[0.3, 0.2, 0.5], b]}
    game = read_tree({"player": 2, "children": [a, [0.5, 0.1, 0.4]]})
    for shallow in (False, True):
        found = maxn_search(game, game.initial, Limit(depth=9), MaxnVariant(shallow=shallow), total=1)
        assert found.utilities == (0.3, 0.2, 0.5)


def test_guesses_that_need_not_keep_to_the_total_are_not_pruned_unless_told_to():
    leaf = [[10, 0, 0]]
    b = {
        "player": 1,
        "children": [
            {"player": 2, "value": [1, 8, 1], "children": leaf},
            {"player": 2, "value": [9, 9, 0], "children": leaf},
        ],
    }
    game = read_tree({"player": 0, "children": [[6, 2, 2], b]})
    assert maxn_search(game, game.initial, Limit(depth=2), total=10).utilities == (9.0, 9.0, 0.0)
    assert not can_prune(game, stakes_of(game, 10))
    assert can_prune(game, stakes_of(game, 10), "another")
    assert can_prune(GRAB, stakes_of(GRAB, PILE - 4))


def test_star_and_coalitions_do_not_go_together():
    with pytest.raises(BadOption, match="star is for a search without coalitions"):
        make_player("paranoid:coalitions=0+2/1,star=1", GRAB)


# The players ----------------------------------------------------------------------------------------------------------


def test_who_plays_games_of_many():
    three = example("three-answers")
    assert {"maxn", "paranoid", "mcts"} <= set(players_for(three))
    assert default_opponent(three) == "mcts"
    assert {"maxn", "paranoid"} <= set(players_for(make_game("tictactoe")))
    assert {"maxn", "paranoid"} <= set(players_for(read_tree({"chance": [[0.5, [1, 2, 3]], [0.5, [3, 2, 1]]]})))


@pytest.mark.parametrize(
    "spec",
    [
        "maxn", "maxn:depth=2", "maxn:nodes=50", "maxn:ties=first", "paranoid", "paranoid:depth=3",
        "paranoid:coalitions=0+2/1",
        *(pytest.param(spec, marks=pytest.mark.slow) for spec in (
            "maxn:total=5", "maxn:total=5,shallow=off", "paranoid:star=0", "paranoid:time=0.01", "paranoid:total=5",
            "paranoid:coalitions=0/1/2",
        )),
    ],
)  # fmt: skip
def test_every_option_plays_to_the_end(spec):
    players = [make_player(spec, GRAB, 1), make_player("random", GRAB, 2), make_player(spec, GRAB, 3)]
    assert play_game(GRAB, players, seed=1).complete


def test_what_a_player_reports():
    game = example("three-answers")
    moves = {
        spec: make_player(spec, game, 1).choose(Position(game, game.initial), Limit(depth=9))
        for spec in ("maxn", "paranoid", "paranoid:coalitions=0+2/1")
    }
    assert moves["maxn"].line == (0, 0, 1)
    assert moves["maxn"].value == 7.0
    assert moves["paranoid"].line == (2, 1, 0)
    assert moves["paranoid"].value == 3.0
    assert moves["paranoid:coalitions=0+2/1"].line == (1, 1, 1)
    assert moves["paranoid:coalitions=0+2/1"].value == 9.0
    assert all(move.nodes > 5 and move.cuts >= 0 and move.time >= 0 for move in moves.values())


def test_equally_good_moves_are_drawn_by_the_seed():
    game = read_tree({"player": 1, "children": [[0, 4, 0], [1, 4, 2], [9, 3, 9]]})
    position = Position(game, game.initial)
    for name in ("maxn", "paranoid"):
        assert {make_player(name, game, seed).choose(position, Limit()).action for seed in range(30)} == {0, 1}
        assert make_player(f"{name}:ties=first", game).choose(position, Limit()).action == 0


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("maxn:depth=0", "depth must be at least 1"),
        ("maxn:shallow=on", "shallow=on needs"),
        ("paranoid:star=9", "star must be 0, 1 or 2, not 9"),
        ("paranoid:coalitions=A+B/C", "coalitions are written like 0\\+2/1, not 'A\\+B/C'"),
        ("paranoid:coalitions=0+1/1+2", "each of the players 0 to 2 once, not 0\\+1/1\\+2"),
        ("paranoid:coalitions=0+1", "each of the players 0 to 2 once"),
        ("paranoid:coalitions=0/1/2/3", "each of the players 0 to 2 once"),
        ("paranoid:coalitions=0+1/2/", "coalitions are written like"),
    ],
)
def test_bad_options(spec, message):
    with pytest.raises(BadOption, match=message):
        make_player(spec, GRAB).prepare(GRAB)


def test_coalitions_are_read():
    assert parse_coalitions("0+2/1") == ((0, 2), (1,))
    assert parse_coalitions(" 0 + 2 / 1 ") == ((0, 2), (1,))


def test_the_command_plays_a_tree_of_three(command):
    tree = {"player": 0, "children": {"left": {"player": 1, "children": [[1, 2, 6], [4, 3, 3]]}, "right": [3, 9, 9]}}
    (command.folder / "three.json").write_text(json.dumps(tree))
    seats = ("--player", "maxn", "--player", "paranoid", "--player", "random")
    done = command("play", "three.json", *seats, "--seed", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert [move["text"] for move in json.loads(done.stdout)["moves"]] == ["left", "2"]


def test_a_stopped_search_unwinds():
    budget = Budget()
    budget.stop()
    values_of(GRAB, budget=budget)
    assert budget.stopped
    assert budget.nodes == 0
    assert math.isnan(stakes_of(GRAB).total)
