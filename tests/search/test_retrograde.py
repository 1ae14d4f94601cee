"""Retrograde analysis: equal to brute force, right where positions repeat, and files that cannot deceive."""

from __future__ import annotations

import copy
import functools
import hashlib
import json
import math
import operator
import pickle
import random
import re
import zlib
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from plyground import Budget, Game, Limit, actions, compiled, interpreted, make_game, result, terminal, to_move
from plyground.arena.referee import play_game
from plyground.core.axes import Axes
from plyground.core.notation import read_moves
from plyground.core.recording import record, recording
from plyground.core.rules import (
    action_buffer,
    evaluation,
    legal_actions,
    max_actions,
    score,
    state_hash,
    symmetries,
    transformed,
    utility,
)
from plyground.errors import BadOption, BrokenRule, FormatError, IllegalAction, UncompiledWarning, UnsuitableGame
from plyground.games.tree import read_tree
from plyground.native.bits import mix64
from plyground.native.dispatch import coerced
from plyground.native.randomness import stream
from plyground.players import Position, make_player
from plyground.search import endgame_table as endgame
from plyground.search.endgame_table import MAGIC, NO_TABLE, EndgameTable, canonical_key, endgame_value
from plyground.search.expectiminimax import expectiminimax_search
from plyground.search.maxn import maxn_search
from plyground.search.mcts import grow
from plyground.search.mcts_tree import new_tree
from plyground.search.mcts_variant import MARGIN, MctsSettings, MctsVariant
from plyground.search.minimax import minimax_search, minimax_value
from plyground.search.retrograde import build_table
from plyground.search.tree_search import TreeSearch
from test_tictactoe import all_positions

TICTACTOE = make_game("tictactoe")


@functools.cache
def table_of(spec, measure="utility"):
    return build_table(make_game(spec), measure=measure)


# Brute force ------------------------------------------------------------------------------------------------------
# A rank is 1000 * value, one nearer to 0 for each ply to the end: so a maximum or a minimum of ranks is the best
# value, and among equal values the fastest win and the slowest loss.


def one_ply_later(rank):
    return rank - 1 if rank > 0 else rank + 1 if rank < 0 else rank


@compiled
def brute_rank(state: Any, margin: bool) -> float:
    if terminal(state):
        return 1000.0 * float(score(state, 0) if margin else utility(state, 0))
    first = to_move(state) == 0
    best = -math.inf if first else math.inf
    options = action_buffer(state)
    for i in range(legal_actions(state, options)):
        rank = brute_rank(result(state, options[i]), margin)
        best = max(best, rank) if first else min(best, rank)
    return float(best - 1 if best > 0 else best + 1 if best < 0 else best)


def table_rank(table, state):
    value, distance = table.value(state), table.distance(state)
    assert value is not None
    assert (distance is None) == (value == 0 and not terminal(state))
    return 1000 * value - math.copysign(distance, value) if value else 0.0


def random_positions(game, number, least=0, seed=1):
    rng, found = random.Random(seed), []
    while len(found) < number:
        states = [game.initial]
        while options := actions(states[-1]):
            states.append(coerced(result(states[-1], rng.choice(options))))
        found.extend(rng.sample(states[least:], min(3, len(states[least:]))))
    return found


def test_every_position_of_tictactoe():
    table = table_of("tictactoe")
    positions = all_positions(TICTACTOE.initial)
    assert len(positions) == 5478
    assert len(table) == 765
    for state in positions:
        assert table_rank(table, state) == brute_rank(state, False)
    assert table.value(TICTACTOE.initial) == 0


def test_symmetric_positions_have_one_key():
    for state in all_positions(TICTACTOE.initial):
        assert len({int(canonical_key(transformed(state, index))) for index in range(8)}) == 1
    keys = {int(canonical_key(state)) for state in all_positions(TICTACTOE.initial)}
    assert len(keys) == 765
    assert set(table_of("tictactoe").keys.tolist()) - {0} == keys


def test_best_actions_are_the_fastest_wins_and_the_slowest_losses():
    table = table_of("tictactoe")
    for state in all_positions(TICTACTOE.initial):
        ranks = {action: one_ply_later(brute_rank(result(state, action), False)) for action in actions(state)}
        best = (max if to_move(state) == 0 else min)(ranks.values(), default=None)
        assert table.best_actions(state) == [action for action, rank in ranks.items() if rank == best]


@pytest.mark.parametrize("misere", [False, True])
def test_nim_follows_the_exclusive_or(misere):
    """Bouton 1901: the mover loses if the exclusive or is 0; in misere play too, as long as a pile has two or more."""
    game = make_game(f"nim:piles=3,4,5{',misere=on' if misere else ''}")
    table = build_table(game)
    positions = all_positions(game.initial)
    assert (
        len(table) == len(positions) == 4 * 5 * 6 * 2 - 8
    )  # 8 of them need more turns than objects are gone, or fewer
    for state in positions:
        nim_sum = functools.reduce(operator.xor, state.piles)
        wins = nim_sum != 0 if not misere or max(state.piles) > 1 else nim_sum == 0
        assert table.value(state) == (1.0 if wins == (state.turn == 0) else -1.0)
        assert table_rank(table, state) == brute_rank(state, False)


@pytest.mark.slow
def test_connect_four_on_4_by_4():
    game, table = make_game("connect4:columns=4,rows=4"), table_of("connect4:columns=4,rows=4")
    positions = all_positions(game.initial)
    assert len(positions) == 161_029  # as John Tromp counts them
    assert len(table) == len({min(state, transformed(state, 1)) for state in positions})
    assert table.value(game.initial) == 0
    for state in random_positions(game, 2000, least=6):
        assert table_rank(table, state) == brute_rank(state, False)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["connect4:columns=5,rows=4", "connect4:columns=4,rows=5"])
def test_larger_racks_are_draws_too(spec):
    game, table = make_game(spec), table_of(spec)
    assert table.value(game.initial) == 0
    for state in random_positions(game, 500, least=12):
        assert table_rank(table, state) == brute_rank(state, False)


@pytest.mark.slow
def test_reversi_on_4_by_4_is_lost_by_8_discs():
    game = make_game("reversi:size=4")
    margins, results = table_of("reversi:size=4", "score"), table_of("reversi:size=4")
    assert margins.value(game.initial) == -8
    assert results.value(game.initial) == -1
    for table in (margins, results):
        for state in [game.initial, *random_positions(game, 1500)]:
            assert table_rank(table, state) == brute_rank(state, table is margins)


def test_compiled_and_interpreted_build_the_same_table():
    for game in (TICTACTOE, make_game("nim:piles=2,3"), read_tree({"max": [{"min": [0.25, -3]}, 0.5]})):
        fast = build_table(game)
        with interpreted():
            slow = build_table(game)
            assert [slow.value(result(game.initial, a)) for a in actions(game.initial)] == [
                fast.value(result(game.initial, a)) for a in actions(game.initial)
            ]
        assert (fast.keys == slow.keys).all()
        assert (fast.entries == slow.entries).all()
        assert (fast.levels == slow.levels).all()


# Trees and graphs with cycles -------------------------------------------------------------------------------------

numbers = st.one_of(st.sampled_from([-1.0, 0.0, 1.0]), st.floats(-1, 1, allow_nan=False))
one_item = {"min_size": 1, "max_size": 1}
trees = st.recursive(
    numbers,
    lambda node: st.dictionaries(st.sampled_from(["max", "min"]), st.lists(node, min_size=1, max_size=4), **one_item),
    max_leaves=30,
)


def tree_solution(node):
    """Value and distance by going through the file's own form, nothing of the game's rules."""
    if isinstance(node, float):
        return node, 0
    ((who, below),) = node.items()
    solutions = [tree_solution(child) for child in below]
    value = (max if who == "max" else min)(value for value, _ in solutions)
    distances = [distance for found, distance in solutions if found == value]
    return value, 1 + (min if (value > 0) == (who == "max") else max)(distances)


@given(trees)
def test_any_tree(node):
    game = read_tree(node)
    table = build_table(game)
    value, distance = tree_solution(node)
    assert table.value(game.initial) == value == minimax_value(game.initial, 99, 0, Budget())
    assert table.distance(game.initial) == (None if value == 0 and isinstance(node, dict) else distance)


class Walk(NamedTuple):
    """A pawn on a graph that both push. Row v of the graph: who moves at v (-1: nobody), the value, the neighbours."""

    node: int
    graph: NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Walk) and self.node == other.node

    def __hash__(self) -> int:
        return self.node


@to_move.rule(Walk)
def _(state: Walk) -> int:
    return int(state.graph[state.node, 0])


@max_actions.rule(Walk)
def _(state: Walk) -> int:
    return 8


@legal_actions.rule(Walk)
def _(state: Walk, out: Any) -> int:
    count = 0
    for i in range(2, state.graph.shape[1]):
        if state.graph[state.node, 0] >= 0 and state.graph[state.node, i] >= 0:
            out[count] = int(state.graph[state.node, i])
            count += 1
    return count


@result.rule(Walk)
def _(state: Walk, action: int) -> Walk:
    return Walk(action, state.graph)


@utility.rule(Walk)
def _(state: Walk, player: int) -> float:
    value = float(state.graph[state.node, 1])
    return value if player == 0 else -value


@state_hash.rule(Walk)
def _(state: Walk) -> Any:
    return mix64(state.node)


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 12))
    rows = []
    for _ in range(size):
        neighbours = draw(st.lists(st.integers(0, size - 1), max_size=4, unique=True))
        mover = draw(st.integers(0, 1)) if neighbours else -1
        rows.append([mover, draw(st.integers(-3, 3)), *neighbours, *[-1] * (4 - len(neighbours))])
    return np.array(rows, np.float64)


@given(graphs())
def test_any_graph_with_cycles(graph):
    """What depth-limited minimax with 0 at the limit comes to when the limit is beyond all distances."""
    game = Game("walk", Walk(0, graph))
    table = build_table(game)
    ranks = [1000 * row[1] if row[0] < 0 else 0.0 for row in graph]
    for _ in range(2 * len(graph) + 2):
        after = [[one_ply_later(ranks[int(v)]) for v in row[2:] if v >= 0] for row in graph]
        ranks = [
            rank if row[0] < 0 else (max if row[0] == 0 else min)(below)
            for row, rank, below in zip(graph, ranks, after, strict=True)
        ]
    for state in all_positions(game.initial):
        assert table_rank(table, state) == ranks[state.node]


class Pursuit(NamedTuple):
    """A cop, who moves first, and a robber on a path or a ring; the cop wins by standing where the robber stands."""

    cop: int
    robber: int
    turn: int
    places: int
    ring: bool


@to_move.rule(Pursuit)
def _(state: Pursuit) -> int:
    return state.turn


@max_actions.rule(Pursuit)
def _(state: Pursuit) -> int:
    return 3


@legal_actions.rule(Pursuit)
def _(state: Pursuit, out: Any) -> int:
    count, here = 0, state.robber if state.turn else state.cop
    if state.cop != state.robber:
        for step in (-1, 0, 1):
            if state.ring or 0 <= here + step < state.places:
                out[count] = (here + step) % state.places
                count += 1
    return count


@result.rule(Pursuit)
def _(state: Pursuit, action: int) -> Pursuit:
    if state.turn:
        return Pursuit(state.cop, action, 0, state.places, state.ring)
    return Pursuit(action, state.robber, 1, state.places, state.ring)


@utility.rule(Pursuit)
def _(state: Pursuit, player: int) -> float:
    return 1.0 if player == 0 else -1.0


@pytest.mark.parametrize("places", range(2, 9))
def test_a_cop_catches_a_robber_on_a_path(places):
    """The robber waits at the end of the path: the cop needs n - 1 moves, between which the robber has n - 2."""
    game = Game("pursuit", Pursuit(0, places - 1, 0, places, False))
    table = build_table(game)
    assert (table.value(game.initial), table.distance(game.initial)) == (1.0, 2 * (places - 1) - 1)


@pytest.mark.parametrize("places", range(3, 9))
def test_a_robber_escapes_on_a_ring_of_four_or_more(places):
    game = Game("pursuit", Pursuit(0, places // 2, 0, places, True))
    table = build_table(game)
    assert table.value(game.initial) == (1.0 if places == 3 else 0.0)
    assert (table.distance(game.initial) is None) == (places > 3)
    assert table.value(Pursuit(0, 1, 0, places, True)) == 1.0
    assert table.best_actions(Pursuit(0, 1, 0, places, True)) == [1]


def test_who_plays_by_the_table_comes_nearer_at_every_move():
    """In a game with cycles the right value is not enough: a cop may stand still for ever in a won position."""
    game = Game("pursuit", Pursuit(0, 6, 0, 7, False))
    table = build_table(game)
    state, plies = game.initial, 0
    while options := table.best_actions(state):
        assert table.distance(state) == 11 - plies
        state, plies = coerced(result(state, options[-1])), plies + 1
    assert plies == 11
    assert state.cop == state.robber


# What cannot be built ---------------------------------------------------------------------------------------------


def test_other_kinds_of_games_are_refused():
    for node, reason in [
        ({"chance": [1, 2]}, "chance has moves"),
        ({"player": 2, "children": [[1, 2, 3]]}, "the game has 3 players"),
        ({"max": [[1, 1]]}, "one side's gain is not the other's loss"),
    ]:
        with pytest.raises(UnsuitableGame, match=f"there can be no endgame table of tree: {reason}"):
            build_table(read_tree(node))
    with pytest.raises(UnsuitableGame, match="perfect information"):
        build_table(replace(TICTACTOE, axes=Axes(hidden=True)))


def test_too_many_positions_are_counted_in_the_refusal():
    with pytest.raises(UnsuitableGame) as caught:
        build_table(make_game("connect4"), most=50_000)
    message = str(caught.value)
    assert message.startswith("connect4 has too many positions from here: ")
    found = int(re.findall(r"([\d,]+) were found", message)[0].replace(",", ""))
    assert 1000 < found < 200_000
    assert message.endswith("allow more than 50,000, or begin later")
    assert len(build_table(TICTACTOE, most=765)) == 765
    with pytest.raises(UnsuitableGame):
        build_table(TICTACTOE, most=764)


@pytest.mark.parametrize(
    "spec",
    [
        "tictactoe",
        "nim:piles=9,9,9",
        "reversi:size=4",
        "connect4:columns=4,rows=4",
        pytest.param("mnk:m=3,n=4,k=3", marks=pytest.mark.slow),  # which nothing else here has compiled
    ],
)
def test_no_game_that_fits_is_refused_early(spec):
    game = make_game(spec)
    positions = len(build_table(game))
    assert len(build_table(game, most=positions)) == positions


def test_a_table_from_a_later_position():
    game = make_game("connect4")
    rng, states, history = random.Random(3), [game.initial], []
    while len(history) < 28:
        history.append(rng.choice(actions(states[-1])))
        states.append(coerced(result(states[-1], history[-1])))
    table = build_table(game, history)
    assert table.history == tuple(history)
    assert states[-1] in table
    assert game.initial not in table
    assert table.value(game.initial) is None
    assert table.distance(game.initial) is None
    assert table.best_actions(game.initial) == []
    for action in actions(states[-1]):
        assert table_rank(table, result(states[-1], action)) == brute_rank(result(states[-1], action), False)
    with pytest.raises(IllegalAction, match="is not legal here"):
        build_table(game, [9])


def test_progress_is_told():
    told = []
    build_table(make_game("connect4:columns=4,rows=4"), on_progress=lambda *facts: told.append(facts))
    assert {what for what, _, _ in told} == {"enumerating", "solving"}
    assert all(0 <= done <= total <= 80_541 for _, done, total in told)
    enumerated = [total for what, _, total in told if what == "enumerating"]
    assert enumerated == sorted(enumerated)


class Careless(NamedTuple):
    """Two heaps of which only one goes into the hash."""

    left: int
    right: int


@to_move.rule(Careless)
def _(state: Careless) -> int:
    return (state.left + state.right) % 2


@legal_actions.rule(Careless)
def _(state: Careless, out: Any) -> int:
    count = 0
    if state.left:
        out[count] = 0
        count += 1
    if state.right:
        out[count] = 1
        count += 1
    return count


@result.rule(Careless)
def _(state: Careless, action: int) -> Careless:
    return Careless(state.left - 1, state.right) if action == 0 else Careless(state.left, state.right - 1)


@utility.rule(Careless)
def _(state: Careless, player: int) -> float:
    return 0.0


@state_hash.rule(Careless)
def _(state: Careless) -> Any:
    return mix64(state.left)


def test_a_hash_that_confuses_positions_is_found_out():
    with pytest.raises(BrokenRule, match="state_hash gives the same number to two different positions"):
        build_table(Game("careless", Careless(2, 2)))


class Countdown(NamedTuple):
    """Both count down in turn; whoever comes to 0 wins `prize`."""

    left: int
    prize: float


@to_move.rule(Countdown)
def _(state: Countdown) -> int:
    return state.left % 2


@legal_actions.rule(Countdown)
def _(state: Countdown, out: Any) -> int:
    out[0] = 0
    return min(1, state.left)


@result.rule(Countdown)
def _(state: Countdown, action: int) -> Countdown:
    return Countdown(state.left - 1, state.prize)


@utility.rule(Countdown)
def _(state: Countdown, player: int) -> float:
    return -state.prize if player == state.left % 2 else state.prize


@pytest.mark.slow
def test_what_does_not_fit_into_a_table_is_refused():
    assert build_table(Game("countdown", Countdown(65_534, 1.0))).distance(Countdown(65_534, 1.0)) == 65_534
    with pytest.raises(UnsuitableGame, match="takes up to 65,535 plies; a table holds up to 65,534"):
        build_table(Game("countdown", Countdown(65_535, 1.0)))
    with pytest.raises(BrokenRule, match="the value of a finished game is not a finite number"):
        build_table(Game("countdown", Countdown(3, math.inf)))
    with pytest.raises(UnsuitableGame, match="ends with 65,537 different values; a table holds 65,536"):
        build_table(read_tree({"max": [*range(65_537)]}))


class Wordy(NamedTuple):
    """A game whose rule cannot be compiled."""

    left: int


@to_move.rule(Wordy)
def _(state: Wordy) -> int:
    return state.left % 2


@legal_actions.rule(Wordy)
def _(state: Wordy, out: Any) -> int:
    count = sum(1 for action in (1, 2) if action <= state.left)
    out[:count] = [1, 2][:count]
    return count


@result.rule(Wordy)
def _(state: Wordy, action: int) -> Wordy:
    return Wordy(state.left - action)


@utility.rule(Wordy)
def _(state: Wordy, player: int) -> float:
    return -1.0 if player == state.left % 2 else 1.0


def test_a_game_that_does_not_compile_is_solved_interpreted():
    game = Game("wordy", Wordy(7))
    with pytest.warns(UncompiledWarning, match="its rule legal_actions does not compile"):
        table = build_table(game)
    assert len(table) == 8
    with interpreted():
        assert all(table_rank(table, Wordy(left)) == brute_rank(Wordy(left), False) for left in range(8))


# In searches ------------------------------------------------------------------------------------------------------


def test_minimax_finds_the_same_with_less_work():
    game = make_game("connect4:columns=4,rows=4")
    states, history = read_moves(game, "1 2 3 4 1 2")
    table = build_table(game, history)
    for state in [states[-2], *random_positions(game, 20, least=8)]:
        for player in (0, 1):
            plain, aided = Budget(), Budget()
            assert minimax_value(state, 99, player, plain) == minimax_value(state, 99, player, aided, table)
            assert aided.nodes <= plain.nodes
    root = Budget()
    assert minimax_value(states[-1], 99, 1, root, table) == -table.value(states[-1])
    assert root.nodes == 1


def test_what_is_looked_up_is_shown_when_a_search_is_watched():
    table = table_of("tictactoe")
    value, events = record(minimax_value, result(TICTACTOE.initial, 4), 3, 1, Budget(), table)
    assert value == 0
    assert [event.kind for event in events] == ["entered", "looked_up"]
    value, events = record(minimax_value, TICTACTOE.initial, 3, 0, Budget(), NO_TABLE)
    assert "looked_up" not in {event.kind for event in events}


def test_the_compiled_lookup_equals_the_interpreted_one():
    @compiled
    def look_up(state: Any, table: Any) -> float:
        return endgame_value(state, table)

    game = make_game("connect4:columns=4,rows=4")
    _, history = read_moves(game, "1 2 3 4")
    table, inside = build_table(game, history), 0
    for state in random_positions(game, 200):
        fast = look_up(state, table)
        slow = endgame_value(state, table)
        assert fast == slow or (math.isnan(fast) and math.isnan(slow) and state not in table)
        inside += state in table
    assert 0 < inside < 200
    assert math.isnan(look_up(game.initial, NO_TABLE))
    assert math.isnan(endgame_value(game.initial, NO_TABLE))


def test_the_minimax_player_plays_by_the_table(tmp_path):
    file = tmp_path / "t.table"
    table_of("tictactoe").save(file)
    player = make_player(f"minimax:depth=1,endgame={file}", TICTACTOE, seed=1)
    for state in all_positions(TICTACTOE.initial):
        if not terminal(state):
            move = player.choose(Position(TICTACTOE, state), Limit())
            assert move.action in table_of("tictactoe").best_actions(state)
            assert move.value == (1 if to_move(state) == 0 else -1) * table_of("tictactoe").value(state)
            assert move.nodes == 0
    assert play_game(TICTACTOE, [player, make_player("random", TICTACTOE, 1)]).returns[0] >= 0


@pytest.mark.parametrize("name", ["expectiminimax", "maxn", "paranoid", "paranoid:coalitions=0/1"])
def test_the_players_for_dice_and_for_many_play_by_the_table(name, tmp_path):
    file, values = tmp_path / "t.table", table_of("tictactoe")
    values.save(file)
    player = make_player(f"{name}{',' if ':' in name else ':'}depth=1,endgame={file}", TICTACTOE, seed=1)
    for state in random_positions(TICTACTOE, 60):
        if not terminal(state):
            move = player.choose(Position(TICTACTOE, state), Limit())
            assert move.action in values.best_actions(state)
            assert (move.value, move.nodes) == ((1 if to_move(state) == 0 else -1) * values.value(state), 0)


@pytest.mark.parametrize(
    "spec",
    [
        "tictactoe",
        pytest.param("connect4:columns=4,rows=4", marks=pytest.mark.slow),  # every search compiles again
        pytest.param("nim:piles=3,4,5", marks=pytest.mark.slow),
    ],
)
def test_one_ply_above_the_table_these_searches_know_the_game(spec):
    game, table = make_game(spec), table_of(spec)
    for state in random_positions(game, 40):
        if terminal(state):
            continue
        alone = maxn_search(game, state, Limit(depth=1), endgame=table)
        against = expectiminimax_search(game, state, Limit(depth=1), endgame=table)
        assert (alone.complete, against.complete) == (True, True)
        assert alone.utilities == (table.value(state), -table.value(state))
        assert against.value == (1 if to_move(state) == 0 else -1) * table.value(state)
        assert set(alone.lines) == set(against.lines) >= set(table.best_actions(state))


def test_a_table_in_these_searches_is_watched_as_a_lookup():
    table = table_of("tictactoe")
    state = read_moves(TICTACTOE, "b2 a1")[0][-1]
    with recording() as events:
        maxn_search(TICTACTOE, state, Limit(depth=1), endgame=table)
    assert [event.value for event in events if event.kind == "looked_up"] == [
        (table.value(after), -table.value(after)) for after in (result(state, action) for action in actions(state))
    ]


@pytest.mark.parametrize("name", ["maxn", "paranoid", "mcts"])
def test_a_table_for_a_game_that_can_have_none_is_one_clear_line(name, tmp_path):
    table_of("tictactoe").save(tmp_path / "t.table")
    player = make_player(f"{name}:endgame={tmp_path / 't.table'}")
    for tree, reason in (
        ({"player": 2, "children": [[1, 2, 3]]}, "the game has 3 players"),
        ({"max": [{"chance": [1, 2]}, 0]}, "chance has moves"),
        ({"max": [[1, 1]]}, "one side's gain is not the other's loss"),
    ):
        with pytest.raises(UnsuitableGame, match=f"there can be no endgame table of tree: {reason}.*leave out endgame"):
            player.prepare(read_tree(tree))


def test_a_table_is_for_opponents(tmp_path):
    table_of("tictactoe").save(tmp_path / "t.table")
    together = make_player(f"paranoid:coalitions=0+1,endgame={tmp_path / 't.table'}")
    with pytest.raises(BadOption, match="an endgame table is for players against each other"):
        together.prepare(TICTACTOE)


def test_the_search_of_the_player_uses_the_table_beyond_its_depth(tmp_path):
    """Two plies before the table begins, a search of two plies knows the outcome of the game."""
    game = make_game("connect4:columns=4,rows=4")
    states, history = read_moves(game, "2 2 3 3")
    table = build_table(game, history)
    found = minimax_search(states[-2], Limit(depth=1), table)
    assert found.values[history[-1]] == -table.value(states[-1])


@pytest.mark.parametrize(
    "spec",
    ["tictactoe", pytest.param("connect4:columns=4,rows=4", marks=pytest.mark.slow)],  # compiled again
)
def test_tree_search_takes_exact_values_at_its_leaves(spec):
    """If all positions after the root are known, a visit to each of them proves the root."""
    game, table = make_game(spec), table_of(spec)
    for state in random_positions(game, 40):
        if terminal(state):
            continue
        search = TreeSearch(game, MctsVariant(solver=True), MctsSettings(), seed=1, endgame=table)
        found = search.search(state, Limit(simulations=100))
        assert found.complete
        assert found.value == (1 if to_move(state) == 0 else -1) * table.value(state)
        assert found.simulations <= len(actions(state))
        plain = TreeSearch(game, MctsVariant(), MctsSettings(), seed=1, endgame=table).search(
            state, Limit(simulations=50)
        )
        for child in plain.children:
            if child.visits == 1:
                value = table.value(result(state, child.action))
                assert child.mean == (value if to_move(state) == 0 else -value)


def test_tree_search_with_a_table_is_the_same_interpreted():
    table, variant = table_of("tictactoe"), MctsVariant(solver=True)
    trees = [new_tree(5000, variant) for _ in range(2)]
    grow(trees[0], TICTACTOE.initial, MctsSettings(), variant, stream(3), Budget(40), table)
    with interpreted():
        grow(trees[1], TICTACTOE.initial, MctsSettings(), variant, stream(3), Budget(40), table)
    assert trees[0].nodes.tobytes() == trees[1].nodes.tobytes()


@pytest.mark.slow
def test_tree_search_by_margins_uses_a_table_of_scores():
    game, table = make_game("reversi:size=4"), table_of("reversi:size=4", "score")
    search = TreeSearch(game, MctsVariant(reward=MARGIN), MctsSettings(scale=16.0), seed=1, endgame=table)
    assert search.search(game.initial, Limit(simulations=4)).value == -8


def test_the_mcts_player_plays_by_the_table(tmp_path):
    file = tmp_path / "t.table"
    states, history = read_moves(TICTACTOE, "b2")
    build_table(TICTACTOE, history).save(file)
    player = make_player(f"mcts:simulations=300,endgame={file}", TICTACTOE, seed=1)
    move = player.choose(Position(TICTACTOE, states[-1], (4,)), Limit())
    assert (move.value, move.nodes, move.action in (0, 2, 6, 8)) == (0.0, 0, True)
    assert player.choose(Position(TICTACTOE, TICTACTOE.initial), Limit()).nodes > 0
    with pytest.raises(BadOption, match="mcts: endgame works with reward=win or signed"):
        make_player(f"mcts:endgame={file},reward=margin")


# Files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["tictactoe", "nim:piles=2,3", "connect4:columns=4,rows=4"])
def test_a_saved_table_is_the_same_table(spec, tmp_path):
    table, game = table_of(spec), make_game(spec)
    size = table.save(tmp_path / "x.table")
    assert size == (tmp_path / "x.table").stat().st_size
    again = EndgameTable.load(tmp_path / "x.table", game)
    assert (again.game, again.history, again.measure, again.positions) == (spec, (), "utility", len(table))
    for state in random_positions(game, 100):
        assert (again.value(state), again.distance(state)) == (table.value(state), table.distance(state))
    assert again.save(tmp_path / "y.table") == size
    assert (tmp_path / "x.table").read_bytes() == (tmp_path / "y.table").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.table", "y.table"]


@pytest.mark.slow
def test_a_large_table_takes_seven_bytes_a_position(tmp_path):
    table = table_of("connect4:columns=5,rows=4")
    assert table.save(tmp_path / "x.table") / len(table) < 7


def test_values_of_any_kind_survive(tmp_path):
    tree = tmp_path / "t.json"
    tree.write_text(json.dumps({"max": [{"min": [0.1, 1 / 3]}, -1e300]}))
    game = make_game(str(tree))
    build_table(game).save(tmp_path / "x.table")
    assert EndgameTable.load(tmp_path / "x.table", game).value(game.initial) == 0.1
    reversi = make_game("reversi:size=4")
    table_of("reversi:size=4", "score").save(tmp_path / "r.table")
    assert EndgameTable.load(tmp_path / "r.table", reversi, "score").value(reversi.initial) == -8
    message = "holds values of the kind score; what is needed here is utility"
    with pytest.raises(FormatError, match=message):
        make_player(f"minimax:endgame={tmp_path / 'r.table'}").prepare(reversi)


def test_a_copy_of_a_table_is_a_table():
    table = table_of("tictactoe")
    for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        assert again.value(TICTACTOE.initial) == 0
        assert again.keys.ctypes.data != table.keys.ctypes.data
    with pytest.raises(ValueError, match="read-only"):
        table.keys[0] = 1


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    file = tmp_path_factory.mktemp("tables") / "t.table"
    table_of("tictactoe").save(file)
    return file


def refusal(path, game=TICTACTOE):
    with pytest.raises(FormatError) as caught:
        EndgameTable.load(path, game)
    message = str(caught.value)
    assert message.startswith(str(path)) or message.startswith("cannot read")
    assert "\n" not in message
    return message


def test_files_that_are_no_tables(tmp_path, saved):
    assert "No such file" in refusal(tmp_path / "absent")
    assert "cannot read the endgame table" in refusal(tmp_path)
    for content in (b"", b"plyground", b"\0" * 1000, b'{"max": [1]}'):
        (tmp_path / "x").write_bytes(content)
        assert refusal(tmp_path / "x").endswith("is not an endgame table; make one with plyground endgame")
    (tmp_path / "x").write_bytes(saved.read_bytes().replace(MAGIC + b"1\n", MAGIC + b"2\n"))
    assert refusal(tmp_path / "x").endswith("is an endgame table of version 2; this program reads version 1")


@given(st.data())
def test_damaged_files(tmp_path_factory, saved, data):
    content = bytearray(saved.read_bytes())
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    else:
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    file = saved.parent / "damaged.table"
    file.write_bytes(content)
    refusal(file)


def resealed(saved, change=None, planes=None):
    """The file with its header or its numbers changed, and a digest that agrees with it."""
    line, _, packed = saved.read_bytes()[len(MAGIC) + 2 : -32].partition(b"\n")
    header = json.loads(line)
    if change is not None:
        header = change(header)
    if planes is not None:
        packed = zlib.compress(planes(bytearray(zlib.decompress(packed))))
    data = MAGIC + b"1\n" + json.dumps(header).encode() + b"\n" + packed
    file = saved.parent / "resealed.table"
    file.write_bytes(data + hashlib.sha256(data).digest())
    return file


@pytest.mark.parametrize(
    "change",
    [
        lambda header: [],
        lambda header: "table",
        lambda header: {},
        lambda header: {**header, "positions": 764},
        lambda header: {**header, "positions": 10**18},
        lambda header: {**header, "positions": 10**30},
        lambda header: {**header, "positions": -1},
        lambda header: {**header, "positions": None},
        lambda header: {**header, "measure": "luck"},
        lambda header: {**header, "levels": []},
        lambda header: {**header, "levels": [1]},
        lambda header: {**header, "levels": [[1], [2, 3]]},
        lambda header: {**header, "levels": [math.nan, 0, 1]},
        lambda header: {**header, "levels": "abc"},
        lambda header: {**header, "history": 3},
        lambda header: {**header, "history": ["x"]},
    ],
)
def test_headers_that_lie(saved, change):
    assert refusal(resealed(saved, change)).endswith("is damaged: it cannot be unpacked; build it again")


@pytest.mark.parametrize(
    "change",
    [
        lambda header: {**header, "history": [99]},
        lambda header: {**header, "history": [0, 0]},
        lambda header: {**header, "rules": "0" * 64},
        lambda header: {**header, "rules": "0" * 64, "python": "3.99", "levels": [1, 0, -1]},
        lambda header: {**header, "levels": [-1, 0, 0.5]},
        lambda header: {**header, "measure": "score", "levels": [-2, 0, 2]},
    ],
)
def test_tables_that_do_not_fit_the_rules(saved, change):
    assert refusal(resealed(saved, change)).endswith("was built with other rules of tictactoe; build it again")


def test_numbers_that_lie(saved):
    def with_byte(place, value):
        def planes(numbers):
            numbers[place] = value
            return numbers

        return planes

    damaged = "is damaged: it cannot be unpacked; build it again"
    assert refusal(resealed(saved, planes=with_byte(8 * 765 + 2 * 765 + 5, 77))).endswith(damaged)  # a code
    assert refusal(resealed(saved, planes=lambda numbers: bytes(len(numbers)))).endswith(damaged)
    assert refusal(resealed(saved, planes=lambda numbers: numbers[:-1])).endswith(damaged)
    assert refusal(resealed(saved, planes=lambda numbers: numbers + b"\0")).endswith(damaged)
    swapped = resealed(saved, planes=lambda numbers: numbers[: 10 * 765] + bytes(2 * 765))  # every value is a loss
    assert refusal(swapped).endswith("was built with other rules of tictactoe; build it again")


def test_tables_of_other_games(saved, tmp_path):
    assert refusal(saved, make_game("nim")).endswith("is a table of tictactoe, not of nim")
    assert refusal(saved, read_tree({"chance": [1, 2]})).endswith("is a table of tictactoe, not of tree:file=tree")
    table_of("connect4:columns=4,rows=4").save(tmp_path / "c.table")
    message = refusal(tmp_path / "c.table", make_game("connect4:columns=5,rows=4"))
    assert message.endswith("is a table of connect4:columns=4,rows=4, not of connect4:columns=5,rows=4")
    same_under_another_name = make_game("connect4:rows=4,columns=4")
    assert len(EndgameTable.load(tmp_path / "c.table", same_under_another_name)) == 80_541


def test_only_rules_that_decide_values_make_a_table_useless(saved, monkeypatch):
    state_type = type(TICTACTOE.initial)
    monkeypatch.setitem(evaluation.implementations, state_type, lambda state: 0.125)
    assert len(EndgameTable.load(saved, TICTACTOE)) == 765
    monkeypatch.setitem(utility.implementations, state_type, lambda state, player: 0.0)
    assert refusal(saved).endswith("was built with other rules of tictactoe; build it again")


def test_a_table_made_by_another_python_is_checked_by_playing(saved, monkeypatch):
    monkeypatch.setattr(endgame, "PYTHON", "3.99")
    monkeypatch.setattr(endgame, "rules_digest", lambda _: "other bytecode")
    assert len(EndgameTable.load(saved, TICTACTOE)) == 765


def test_a_place_that_cannot_be_written(tmp_path):
    with pytest.raises(FormatError, match=r"cannot write .*: No such file or directory"):
        table_of("tictactoe").save(tmp_path / "absent" / "x.table")
    with pytest.raises(FormatError, match="cannot write"):
        table_of("tictactoe").save(tmp_path)


def test_symmetries_of_every_game_keep_values():
    """A table of 4x4 Reversi answers for all eight images of a position."""
    table, game = table_of("reversi:size=4", "score"), make_game("reversi:size=4")
    for state in random_positions(game, 60):
        for index in range(symmetries(state)):
            image = transformed(state, index)
            assert table.value(image) == table.value(state)
            assert table.distance(image) == table.distance(state)
