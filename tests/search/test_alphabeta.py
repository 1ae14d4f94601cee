"""The alpha-beta family: one value, whatever the order, the table, the window and the way through the tree."""

from __future__ import annotations

import math
import signal
import threading
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from plyground import Budget, Game, Limit, actions, make_game, result, terminal, to_move
from plyground.core.limits import Interrupted
from plyground.core.notation import read_moves
from plyground.core.recording import record
from plyground.core.rules import evaluation, legal_actions, max_actions, noisy, state_hash, utility
from plyground.errors import BadOption, BrokenRule, IllegalAction, PlygroundError
from plyground.games.tree import read_tree
from plyground.native.bits import mix64
from plyground.native.compiling import interpreted
from plyground.native.randomness import random_below, stream
from plyground.players import Position, make_player
from plyground.search.alphabeta import AlphaBetaSettings, AlphaBetaVariant, alphabeta, new_memory
from plyground.search.alphabeta_search import AlphaBetaSearch
from plyground.search.minimax import minimax_value
from plyground.search.mtdf import mtdf
from plyground.search.pvs import pvs

ALL = AlphaBetaVariant(table=True, previous=True, killers=True, history=True, by_evaluation=True)
SOUND = {
    "plain": AlphaBetaVariant(),
    "table": AlphaBetaVariant(table=True),
    "orders": AlphaBetaVariant(by_evaluation=True, killers=True, history=True),
    "all": ALL,
    "pvs": pvs(AlphaBetaVariant()),
    "pvs, all": pvs(ALL),
}
QUICK = ("plain", "pvs, all")
"""Each way is compiled by itself: the others are in the long run."""
sound_ways = pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SOUND]
)
ONE_ORDER = [AlphaBetaVariant(previous=True), AlphaBetaVariant(killers=True), AlphaBetaVariant(history=True)]


def node(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Trees of MAX and MIN nodes in any order, with an evaluation at inner nodes."""
    return st.recursive(
        values,
        lambda below: st.builds(
            lambda kind, children, guess: {kind: children, "value": guess},
            st.sampled_from(["max", "min"]),
            st.lists(below, min_size=1, max_size=4),
            values,
        ),
        max_leaves=40,
    ).filter(lambda tree: isinstance(tree, dict))


TREES = node(st.integers(-6, 6))


def searched(game: Game, depth: int, variant: AlphaBetaVariant, alpha: float, beta: float, root: Any = None) -> float:
    memory = new_memory(game, 1 << 12)
    settings = AlphaBetaSettings(low=game.utilities[0], high=max(game.utilities[1], game.utilities[0] + 1))
    if root is not None:
        return float(root(game.initial, depth, 0.0, 0, memory, settings, variant, Budget()))
    return float(alphabeta(game.initial, depth, alpha, beta, 0, memory, settings, variant, Budget()))


@sound_ways
@given(tree=TREES, depth=st.integers(1, 6))
def test_alphabeta_is_minimax_on_random_trees(name, tree, depth):
    game = read_tree(tree)
    truth = minimax_value(game.initial, depth, 0, Budget())
    assert searched(game, depth, SOUND[name], -math.inf, math.inf) == truth


@given(tree=TREES, depth=st.integers(1, 7))
def test_whole_searches_find_the_minimax_value_of_random_trees(tree, depth):
    check_whole_searches(tree, depth, [(ALL, None), (pvs(ALL), None), (ALL, mtdf)])


@pytest.mark.slow  # each way is compiled by itself
@given(tree=TREES, depth=st.integers(1, 7))
def test_whole_searches_with_one_order_find_the_minimax_value_of_random_trees(tree, depth):
    ways = [*ONE_ORDER, *(replace(variant, table=True) for variant in ONE_ORDER)]
    check_whole_searches(tree, depth, [(variant, None) for variant in ways])


def check_whole_searches(tree: Any, depth: int, ways: list[tuple[AlphaBetaVariant, Any]]) -> None:
    game = read_tree(tree)
    truth = minimax_value(game.initial, depth, to_move(game.initial), Budget())
    for variant, root in ways:
        search = AlphaBetaSearch(game, variant, table=1 << 12, root=root)
        assert search.search(game.initial, Limit(depth=depth)).value == truth  # every other depth
        if len(actions(game.initial)) > 1:  # every depth; an only move would be played at once
            assert search.search(game.initial, Limit(depth=depth, nodes=10**9)).value == truth


@given(tree=TREES, depth=st.integers(1, 6))
def test_mtdf_is_minimax_on_random_trees(tree, depth):
    game = read_tree(tree)
    truth = minimax_value(game.initial, depth, to_move(game.initial), Budget())
    memory = new_memory(game, 1 << 12)
    for guess in (0.0, -5.0, 7.0):
        found = mtdf(
            game.initial, depth, guess, to_move(game.initial), memory, AlphaBetaSettings(-6.0, 6.0), ALL, Budget()
        )
        assert found == truth


@sound_ways
@given(
    tree=TREES,
    depth=st.integers(1, 5),
    window=st.tuples(st.integers(-7, 6), st.integers(1, 8)),
    shift=st.sampled_from([0.0, 0.5]),
)
def test_the_bounds_hold_for_any_window(name, tree, depth, window, shift):
    game = read_tree(tree)
    truth = minimax_value(game.initial, depth, 0, Budget())
    low, high = window[0] + shift, window[0] + shift + window[1]
    windows = [(low, high), (-math.inf, high), (low, math.inf)]
    windows += [(truth, high), (low, truth), (truth - 1, truth), (truth, truth + 1)]  # bounds that the value meets
    for alpha, beta in windows:
        if alpha >= beta:
            continue
        found = searched(game, depth, SOUND[name], alpha, beta)
        if found <= alpha:
            assert truth <= found
        elif found >= beta:
            assert truth >= found
        else:
            assert truth == found


def positions(game: Game, count: int, seed: int, longest: int) -> list[Any]:
    """Positions of random games, none of them over."""
    rng, found = stream(seed), []
    while len(found) < count:
        state = game.initial
        for _ in range(random_below(rng, longest + 1)):
            options = actions(state)
            if not options:
                break
            state = result(state, options[random_below(rng, len(options))])
        if not terminal(state):
            found.append(state)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "count", "depth", "longest"),
    [
        ("reversi:size=4", 400, 6, 10),
        pytest.param("connect4", 500, 4, 30, marks=pytest.mark.slow),
        pytest.param("reversi", 400, 4, 56, marks=pytest.mark.slow),
        pytest.param("tictactoe", 700, 5, 6, marks=pytest.mark.slow),  # each game compiles every way again
        pytest.param("nim:piles=3,4,5", 700, 4, 5, marks=pytest.mark.slow),
        pytest.param("mnk:m=4,n=4,k=3", 400, 3, 10, marks=pytest.mark.slow),
        pytest.param("gomoku", 10, 2, 12, marks=pytest.mark.slow),
    ],
)
def test_all_ways_find_the_value_of_board_positions(spec, count, depth, longest):
    game = make_game(spec)
    searches = {name: AlphaBetaSearch(game, SOUND[name], table=1 << 14) for name in ("plain", "all", "pvs, all")}
    searches["mtdf"] = AlphaBetaSearch(game, ALL, table=1 << 14, root=mtdf)
    for state in positions(game, count, 11, longest):
        truth = minimax_value(state, depth, to_move(state), Budget())
        for name, search in searches.items():  # the same search again and again: the table stays from move to move
            found = search.search(state, Limit(depth=depth))
            assert found.value == truth, (name, state)
            after = state
            for action in found.line:
                assert action in actions(after)
                after = result(after, action)
            value = minimax_value(after, depth - 1, to_move(state), Budget()) if len(found.line) == 1 else truth
            assert value == truth


def test_tables_of_any_size_change_nothing():
    game = make_game("connect4:columns=5,rows=4")
    state = game.initial
    values = {
        AlphaBetaSearch(game, ALL, table=size).search(state, Limit(depth=9)).value for size in (1, 100, 3000, 1 << 20)
    }
    assert values == {minimax_value(state, 9, 0, Budget())}


@pytest.mark.parametrize(("columns", "rows", "value"), [(4, 4, 0.0), (5, 4, 0.0), (4, 5, 0.0)])
def test_small_connect_four_boards_are_solved(columns, rows, value):
    """The values of all boards are in Tromp's table: https://tromp.github.io/c4/c4.html."""
    game = make_game(f"connect4:columns={columns},rows={rows}")
    found = AlphaBetaSearch(game, ALL, table=1 << 24).search(game.initial, Limit())
    assert (found.value, found.action in actions(game.initial)) == (value, True)


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "value"), [(5, 5, 0.0), (6, 5, 0.0)])
def test_larger_connect_four_boards_are_solved(columns, rows, value):
    """The values of all boards are in Tromp's table: https://tromp.github.io/c4/c4.html."""
    game = make_game(f"connect4:columns={columns},rows={rows}")
    assert AlphaBetaSearch(game, ALL, table=1 << 29).search(game.initial, Limit()).value == value


# The same nodes in the same order ---------------------------------------------------------------------------------


class Logged(NamedTuple):
    """A position of a uniform random tree that writes down every visit: the log's first word is its length."""

    node: int
    depth: int
    log: NDArray[np.int64]


@to_move.rule(Logged)
def _(state):
    return state.depth % 2


@max_actions.rule(Logged)
def _(state):
    return 3


@legal_actions.rule(Logged)
def _(state, out):
    if state.depth == 6:
        return 0
    for action in range(3):
        out[action] = action
    return 3


@result.rule(Logged)
def _(state, action):
    return Logged(state.node * 3 + action + 1, state.depth + 1, state.log)


@terminal.rule(Logged)
def _(state):
    state.log[0] += 1
    state.log[state.log[0]] = state.node
    return state.depth == 6


@utility.rule(Logged)
def _(state, player):
    value = (state.node * 7919 % 101 - 50) / 51
    return value if player == 0 else -value


@evaluation.rule(Logged)
def _(state):
    return (state.node * 104729 % 89 - 44) / 50


@noisy.rule(Logged)
def _(state, action):
    return action == 1 and state.node % 2 == 0


@state_hash.rule(Logged)
def _(state):
    return mix64(state.node + 1)


VARIANTS = {
    **SOUND,
    "quiescence, beam and near": replace(ALL, quiescence=True, beam=True, near=True),
    "singular": replace(ALL, singular=True),
}
PARTS = ["table", "orders", "all", "pvs", "singular"]
"""Variants whose code is in others as well, but for one test: each is compiled by itself, which takes its time."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in PARTS else ()) for name in VARIANTS]
)
def test_the_recorded_run_visits_the_same_nodes_in_the_same_order(name):
    logs, values, counters = [], [], []
    for run in ("compiled", "recorded"):
        log = np.zeros(1 << 16, np.int64)
        state = Logged(0, 0, log)
        game = Game("logged", state)
        memory = new_memory(game, 1 << 12)
        settings = AlphaBetaSettings(beam=2, margin=0.1, singular_margin=0.05, singular_depth=2)
        for depth in (2, 4, 5):
            arguments = (state, depth, -math.inf, math.inf, 0, memory, settings, VARIANTS[name], Budget())
            if run == "compiled":
                values.append(alphabeta(*arguments))
            else:
                value, events = record(alphabeta, *arguments)
                values.append(value)
                assert sum(event.kind == "entered" for event in events) == arguments[-1].nodes
        logs.append(log)
        counters.append(memory.counters.tolist())
    assert values[:3] == values[3:]
    assert counters[0] == counters[1]
    assert (logs[0] == logs[1]).all()
    assert logs[0][0] > 50


@given(tree=TREES, depth=st.integers(1, 5), name=st.sampled_from(["plain", "all", "pvs, all", "mtdf"]))
def test_on_random_trees_the_recorded_run_does_what_the_compiled_one_does(tree, depth, name):
    game = read_tree(tree)
    settings = AlphaBetaSettings(-6.0, 6.0)
    seen = []
    for run in ("compiled", "recorded"):
        memory, budget = new_memory(game, 1 << 12), Budget()
        if name == "mtdf":
            function, arguments = mtdf, (game.initial, depth, 0.0, 0, memory, settings, ALL, budget)
        else:
            window = (-math.inf, math.inf, 0)
            function, arguments = alphabeta, (game.initial, depth, *window, memory, settings, SOUND[name], budget)
        value = function(*arguments) if run == "compiled" else record(function, *arguments)[0]
        # What was stored, cut and counted, and in which order: the table, killers and history tell.
        kept = [memory.table, memory.killers, memory.history, memory.counters]
        line = memory.line[0, : memory.lengths[0]]
        seen.append((value, budget.nodes, line.tolist(), *(array.tobytes() for array in kept)))
    assert seen[0] == seen[1]


@pytest.mark.slow
def test_a_recorded_mtdf_visits_the_same_nodes_in_the_same_order():
    logs, values = [], []
    for run in ("compiled", "recorded"):
        log = np.zeros(1 << 16, np.int64)
        game = Game("logged", Logged(0, 0, log))
        memory = new_memory(game, 1 << 12)
        for depth in (2, 4, 5):
            arguments = (game.initial, depth, 0.0, 0, memory, AlphaBetaSettings(), ALL, Budget())
            values.append(mtdf(*arguments) if run == "compiled" else record(mtdf, *arguments)[0])
        logs.append(log)
    assert values[:3] == values[3:]
    assert (logs[0] == logs[1]).all()
    assert logs[0][0] > 50


# How much is visited ----------------------------------------------------------------------------------------------


def uniform_tree(branching: int, depth: int, order: str) -> Any:
    """A uniform tree whose moves are in perfect, or in the worst, order: MAX at the root, values by path."""

    def build(level: int, value: float, spread: float) -> Any:
        if level == depth:
            return value
        # The first child (last, in the worst order) has the node's own value, the others are worse for the mover.
        kind, sign = ("max", -1) if level % 2 == 0 else ("min", 1)
        children = [build(level + 1, value + sign * spread * i, spread / (branching + 1)) for i in range(branching)]
        return {kind: children if order == "best" else children[::-1]}

    return build(0, 0.0, 1.0)


@pytest.mark.parametrize(("branching", "depth"), [(2, 1), (2, 6), (3, 5), (4, 4), (5, 3), (7, 3), (1, 5)])
def test_perfect_order_visits_the_minimal_tree(branching, depth):
    game = read_tree(uniform_tree(branching, depth, "best"))
    memory = new_memory(game)
    _, events = record(
        alphabeta,
        game.initial,
        depth,
        -math.inf,
        math.inf,
        0,
        memory,
        AlphaBetaSettings(),
        AlphaBetaVariant(),
        Budget(),
    )
    leaves = sum(event.kind == "evaluated" for event in events)
    assert leaves == branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1


def test_tic_tac_toe_costs_what_it_is_known_to_cost():
    budget = Budget()
    game = make_game("tictactoe")
    assert (
        alphabeta(
            game.initial, 9, -math.inf, math.inf, 0, new_memory(game), AlphaBetaSettings(), AlphaBetaVariant(), budget
        )
        == 0.0
    )
    assert budget.nodes == 18297  # the same as OpenSpiel's alpha-beta


@pytest.mark.slow
def test_every_order_saves_nodes_on_reversi():
    game = make_game("reversi")
    plain, *ordered = (
        sum(AlphaBetaSearch(game, v, table=1 << 20).search(s, Limit(depth=6)).nodes for s in positions(game, 5, 3, 30))
        for v in (
            AlphaBetaVariant(),
            AlphaBetaVariant(by_evaluation=True),
            AlphaBetaVariant(history=True),
            ALL,
            pvs(ALL),
        )
    )
    assert all(nodes < plain for nodes in ordered)


# What changes values on purpose -----------------------------------------------------------------------------------


def quiet_truth(state: Any, player: int, depth: int) -> float:
    """Quiescence search without windows."""
    if terminal(state):
        return float(utility(state, player))
    own = to_move(state) == player
    value = float(evaluation(state)) if own else -float(evaluation(state))
    if depth == 0:
        return value
    found = [quiet_truth(result(state, a), player, depth - 1) for a in actions(state) if noisy(state, a)]
    return max([value, *found]) if own else min([value, *found])


def horizon_truth(state: Any, player: int, depth: int, noisy_depth: int) -> float:
    if terminal(state):
        return float(utility(state, player))
    if depth == 0:
        return quiet_truth(state, player, noisy_depth)
    found = [horizon_truth(result(state, a), player, depth - 1, noisy_depth) for a in actions(state)]
    return max(found) if to_move(state) == player else min(found)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("connect4:columns=5,rows=4", "plain"),
        pytest.param("reversi:size=6", "all", marks=pytest.mark.slow),
        pytest.param("connect4:columns=5,rows=4", "all", marks=pytest.mark.slow),
        pytest.param("reversi:size=6", "plain", marks=pytest.mark.slow),
        pytest.param("tictactoe", "plain", marks=pytest.mark.slow),
        pytest.param("tictactoe", "all", marks=pytest.mark.slow),
    ],
)
def test_quiescence_search_is_its_definition(spec, name):
    game = make_game(spec)
    search = AlphaBetaSearch(
        game, replace(SOUND[name], quiescence=True), AlphaBetaSettings(quiescence_depth=3), table=1 << 14
    )
    for state in positions(game, 12, 5, 12):
        assert search.search(state, Limit(depth=2)).value == horizon_truth(state, to_move(state), 2, 3)


def test_quiescence_sees_through_the_horizon():
    """X threatens to win; the guess at the horizon does not know, a look at the noisy moves does."""
    game = make_game("connect4")
    state = game.initial
    for action in (3, 0, 3, 0, 3):
        state = result(state, action)
    blind = AlphaBetaSearch(game, AlphaBetaVariant()).search(state, Limit(depth=1))
    seeing = AlphaBetaSearch(game, AlphaBetaVariant(quiescence=True)).search(state, Limit(depth=1))
    assert seeing.action == 3  # the block
    assert seeing.value > -1.0
    assert blind.nodes < seeing.nodes


@pytest.mark.slow
def test_a_beam_as_wide_as_the_game_changes_nothing():
    game = make_game("connect4")
    state = positions(game, 1, 9, 12)[0]
    wide = AlphaBetaSearch(game, replace(ALL, beam=True), AlphaBetaSettings(beam=7), table=1 << 16).search(
        state, Limit(depth=6)
    )
    whole = AlphaBetaSearch(game, ALL, table=1 << 16).search(state, Limit(depth=6))
    narrow = AlphaBetaSearch(game, replace(ALL, beam=True), AlphaBetaSettings(beam=2), table=1 << 16).search(
        state, Limit(depth=6)
    )
    assert wide.value == whole.value
    assert narrow.nodes < whole.nodes / 4


@pytest.mark.slow
@given(tree=TREES, depth=st.integers(1, 5), margin=st.integers(0, 3))
def test_the_near_window_errs_by_less_than_its_margin_at_every_ply(tree, depth, margin):
    game = read_tree(tree)
    memory = new_memory(game)
    settings = AlphaBetaSettings(-6.0, 6.0, margin=float(margin))
    variant = AlphaBetaVariant(near=True)
    found = alphabeta(game.initial, depth, -math.inf, math.inf, 0, memory, settings, variant, Budget())
    truth = minimax_value(game.initial, depth, 0, Budget())
    assert abs(found - truth) <= margin * depth
    assert margin or found == truth
    table = AlphaBetaSearch(game, replace(ALL, near=True), AlphaBetaSettings(margin=float(margin)), table=1 << 12)
    mover = minimax_value(game.initial, depth, to_move(game.initial), Budget())
    assert abs(table.search(game.initial, Limit(depth=depth)).value - mover) <= margin * depth


class Ring(NamedTuple):
    """A game that never ends: two moves at first, then forced ones around a ring."""

    place: int


@to_move.rule(Ring)
def _(state):
    return state.place % 2


@legal_actions.rule(Ring)
def _(state, out):
    out[0], out[1] = 0, 1
    return 2 if state.place == 0 else 1


@result.rule(Ring)
def _(state, action):
    return Ring(state.place % 4 + 1 + action)


@utility.rule(Ring)
def _(state, player):
    return 0.0


def test_a_game_that_repeats_does_not_extend_for_ever():
    game = Game("ring", Ring(0))
    search = AlphaBetaSearch(game, replace(ALL, singular=True), AlphaBetaSettings(singular_margin=0.01), table=1 << 12)
    assert search.search(game.initial, Limit(depth=9)).depth == 9


@pytest.mark.parametrize("table", [False, True])
def test_a_search_without_a_limit_says_how_deep_it_went(table):
    game = make_game("tictactoe")
    search = AlphaBetaSearch(game, AlphaBetaVariant(table=table), table=1 << 20 if table else 0)
    seen = read_moves(game, "a1 b2 c3 a2")[0]
    for ply, state in enumerate(seen):
        found = search.search(state, Limit())
        assert len(found.line) <= found.depth <= 9 - ply
        assert found.depth == 9 - ply or found.value != 0
    # The table answers for all that follows, and knows how deep that was.
    assert [search.search(state, Limit()).depth for state in seen[:2]] == [9, 8]


def test_more_depth_than_the_game_has_is_not_reported():
    game = make_game("nim:piles=1,2")
    state = game.initial
    for spec in ("alphabeta", "alphabeta:order=none,tt=0", "pvs", "mtdf", "expectiminimax", "maxn", "paranoid"):
        player = make_player(f"{spec}{',' if ':' in spec else ':'}depth=60", game, 1)
        with interpreted():
            assert player.choose(Position(game, state), Limit()).depth == 3


@pytest.mark.slow
def test_an_evaluation_that_is_no_number_is_named(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def nan(state):\n    return float('nan')\n")
    game = make_game("tictactoe")
    with pytest.raises(BrokenRule, match="must be a finite number"):
        make_player(f"alphabeta:depth=2,order=none,tt=0,evaluation={file}:nan", game).choose(
            Position(game, game.initial), Limit()
        )


def test_an_interrupted_search_has_an_answer():
    game = make_game("connect4")
    search = AlphaBetaSearch(game, ALL, table=1 << 16)
    search.prepare()
    # To this thread, which is the one that waits: a signal that another thread takes wakes nobody.
    threading.Timer(1.0, signal.pthread_kill, (threading.get_ident(), signal.SIGINT)).start()
    with pytest.raises(Interrupted) as stop:
        search.search(game.initial, Limit(time=30))
    assert stop.value.answer.depth > 1
    assert stop.value.answer.nodes > 100
    assert stop.value.answer.action in actions(game.initial)


def test_singular_extensions_look_deeper():
    game = make_game("connect4")
    variant = replace(ALL, singular=True)
    search = AlphaBetaSearch(game, variant, AlphaBetaSettings(singular_margin=0.05), table=1 << 20)
    extended = [search.search(state, Limit(depth=7)).extensions for state in positions(game, 8, 2, 16)]
    assert sum(extended) > 0


def test_several_lines_have_exact_values():
    game = make_game("reversi")
    for state in positions(game, 6, 4, 40):
        options = actions(state)
        search = AlphaBetaSearch(game, ALL, AlphaBetaSettings(lines=3), table=1 << 20)
        found = search.search(state, Limit(depth=4))
        player = to_move(state)
        truth = {a: minimax_value(result(state, a), 3, player, Budget()) for a in options}
        best = sorted(truth.values(), reverse=True)[:3]
        assert list(found.values.values()) == best
        assert all(truth[action] == value for action, value in found.values.items())
        assert list(found.lines) == [line[0] for line in found.lines.values()] == list(found.values)
        assert len(found.lines) == min(3, len(options))


# Limits and players -----------------------------------------------------------------------------------------------

FAMILY = ["alphabeta", "pvs", "mtdf"]


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("limit", ["time=0.001", "nodes=1", "nodes=50", "depth=1"])
def test_the_least_limit_still_gives_a_legal_move(name, limit):
    game = make_game("reversi")
    player = make_player(f"{name}:{limit}", game, 1)
    for state in positions(game, 5, 8, 50):
        move = player.choose(Position(game, state), Limit())
        assert move.action in actions(state)


@pytest.mark.parametrize("name", FAMILY)
def test_a_finished_game_cannot_be_searched(name):
    game = make_game("tictactoe")
    state = game.initial
    for action in (0, 3, 1, 4, 2):
        state = result(state, action)
    with pytest.raises(IllegalAction, match="the game is over"):
        make_player(name, game).choose(Position(game, state), Limit())


@pytest.mark.parametrize("name", FAMILY)
def test_one_move_is_played_and_a_drawn_end_is_a_draw(name):
    game = make_game("tictactoe")
    state = game.initial
    for action in (0, 1, 2, 4, 3, 5, 7, 6):
        state = result(state, action)
    move = make_player(f"{name}:time=5", game).choose(Position(game, state), Limit())
    assert (move.action, move.value, move.line) == (8, 0.0, (8,))


@pytest.mark.parametrize(
    "name", ["alphabeta", pytest.param("pvs", marks=pytest.mark.slow), pytest.param("mtdf", marks=pytest.mark.slow)]
)
def test_a_result_says_what_it_cost(name):
    game = make_game("connect4")
    move = make_player(f"{name}:depth=7,tt=1MB", game, 1).choose(Position(game, game.initial), Limit())
    assert move.depth == 7
    assert len(move.line) >= 1
    assert min(move.nodes, move.cuts, move.table_hits) > 0
    assert move.time > 0


def test_the_same_seed_chooses_the_same_of_equal_moves():
    game = make_game("tictactoe")
    centre = Position(game, result(game.initial, 4), (4,))  # the four corners are all the same
    chosen = [make_player("alphabeta", game, seed).choose(centre, Limit()).action for seed in (*range(12), 0)]
    assert chosen[0] == chosen[-1]
    assert len(set(chosen)) > 2
    assert set(chosen) <= {0, 2, 6, 8}
    assert len({make_player("alphabeta:ties=first", game, s).choose(centre, Limit()).action for s in range(3)}) == 1


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("alphabeta:depth=0", "depth must be at least 1"),
        ("alphabeta:tt=lots", "tt must be a size such as 64MB"),
        ("alphabeta:tt=99999GB", "tt: 99999GB is too large; the most is 1000GB"),
        ("alphabeta:order=none,ties=random", "ties=random needs order=previous"),
        ("alphabeta:order=best", "there is no order 'best'"),
        ("alphabeta:beam=-1", "beam must be at least 0"),
        ("alphabeta:beam=3,order=none", "beam needs an order"),
        ("alphabeta:singular=0.1,tt=0", "singular needs a table"),
        ("alphabeta:lines=0", "lines must be at least 1"),
        ("pvs:margin=0.1", "margin needs windows"),
        ("mtdf:tt=0", "needs a transposition table"),
        ("pvs:depth=x", "depth must be of the form integer"),
    ],
)
def test_bad_options_get_one_clear_line(spec, says):
    with pytest.raises(BadOption, match=says):
        make_player(spec)


def test_a_table_that_memory_does_not_hold_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr("plyground.search.transpositions.available_memory", lambda: 3e6)
    game = make_game("tictactoe")
    make_player("alphabeta:tt=2MB", game, 1).prepare(game)
    with pytest.raises(BadOption, match=r"^there is no room for a table of 4 MB; give it less$"):
        make_player("alphabeta:tt=4MB", game, 1).prepare(game)


def test_an_unknown_evaluation_is_named():
    game = make_game("connect4")
    for name in ("nothing", "no.py:f"):
        with pytest.raises(PlygroundError):
            make_player(f"alphabeta:evaluation={name}", game).prepare(game)


def test_your_own_evaluation_is_used(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def corner(state):\n    return 0.5 if state.mine & 1 else -0.5 if state.theirs & 1 else 0.0\n")
    game = make_game("tictactoe")
    move = make_player(f"alphabeta:depth=1,order=none,tt=0,evaluation={file}:corner", game, 1).choose(
        Position(game, game.initial), Limit()
    )
    assert (move.action, move.value) == (0, 0.5)
    with interpreted():
        again = make_player(f"alphabeta:depth=1,evaluation={file}:corner,tt=1KB", game, 1).choose(
            Position(game, game.initial), Limit()
        )
    assert (again.action, again.value) == (0, 0.5)


def test_reuse_finds_the_last_search_in_the_table():
    game = make_game("connect4")
    hits = []
    for reuse in ("on", "off"):
        player = make_player(f"alphabeta:depth=8,reuse={reuse},ties=first", game)
        first = player.choose(Position(game, game.initial), Limit())
        state = result(result(game.initial, first.line[0]), first.line[1])
        second = player.choose(Position(game, state), Limit(depth=6))
        hits.append(second.nodes)
    assert hits[0] < hits[1]


def test_without_reuse_nothing_of_the_last_search_is_found_and_nothing_is_written():
    game = make_game("connect4")
    search = AlphaBetaSearch(game, ALL, table=1 << 20, reuse=False)
    first, second = (search.search(game.initial, Limit(depth=6)) for _ in range(2))
    assert (first.nodes, first.value) == (second.nodes, second.value)
    used = int((search._memory.table["bound"] != 0).sum())
    search.search(game.initial, Limit(nodes=1))
    assert int((search._memory.table["bound"] != 0).sum()) == used > 100


def test_orders_are_named_in_any_combination():
    game = make_game("tictactoe")
    state = read_moves(game, "a1 b1 a2")[0][-1]
    for some in ("evaluation", "killer+history", "all", "none"):
        player = make_player(f"alphabeta:order={some},tt=10KB,depth=9", game, 1)
        with interpreted():
            move = player.choose(Position(game, state), Limit())
        assert move.value == minimax_value(state, 9, to_move(state), Budget()) == -1.0
