"""The engine of Connect Four and its player: quickest wins, slowest losses, limits, levels, what it refuses."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from plyground import Limit, actions, make_game, result, terminal, utility
from plyground.arena.referee import play_game
from plyground.core.notation import read_moves
from plyground.engines.connect4.book import load_book
from plyground.engines.connect4.book_making import BookMaker
from plyground.engines.connect4.engine import Engine
from plyground.engines.connect4.lines import taken_in
from plyground.engines.connect4.memory import Memory
from plyground.engines.connect4.search import solve
from plyground.engines.connect4.table import Table
from plyground.errors import BadOption, IllegalAction, UnsuitableGame
from plyground.games.connect4 import connect4
from plyground.native.bits import popcount
from plyground.native.compiling import interpreted
from plyground.players import Position, make_player, players_for

GAME = connect4()
BEYOND_THE_BOOK = "4 4 4 4 4 2 3 5 5 2"
"""Of these ten discs each column but the fifth loses, the seventh and the fourth sooner than the others."""


def after(moves, game=GAME):
    return read_moves(game, moves)[0][-1]


@pytest.fixture(scope="module")
def engine():
    return Engine(table=1 << 24)


@cache
def outcome(state):
    """What the player to move gets, and after how many plies, by the rules alone."""
    if terminal(state):
        return utility(state, state_player(state)), 0
    ends = [(-value, plies + 1) for value, plies in (outcome(result(state, action)) for action in actions(state))]
    return max(ends, key=better)


def state_player(state):
    return (state.mine | state.theirs).bit_count() & 1


def better(end):
    value, plies = end
    return value, -plies if value > 0 else plies


@pytest.mark.parametrize(("columns", "rows"), [(5, 4), (4, 5)])
def test_wins_are_as_quick_and_losses_as_slow_as_the_rules_allow(columns, rows):
    """Every move of random games, and the one that is played; by brute force."""
    rng, small = random.Random(3), Engine(table=1 << 20, columns=columns, rows=rows)
    start, seen = connect4(columns, rows).initial, set()
    for _ in range(30):
        state = start
        with interpreted():
            for _ in range(rng.randint(columns * rows - 10, columns * rows - 2)):
                if not terminal(after_one := result(state, rng.choice(actions(state)))):
                    state = after_one
            ends = {action: outcome(result(state, action)) for action in actions(state)}
        wanted = {action: (-value, plies + 1) for action, (value, plies) in ends.items()}
        reports = small.score_moves(state)
        assert {report.move: (report.value, report.plies) for report in reports} == wanted
        assert all(report.exact for report in reports)
        best = max(wanted.values(), key=better)
        played = small.search(state)
        assert (played.value, played.plies) == wanted[played.move] == wanted[reports[0].move] == best
        seen.add(played.value)
        assert len(played.line) <= played.plies
        for action in played.line:  # which is legal
            assert action in actions(state)
            state = result(state, action)
    assert seen == {-1.0, 0.0, 1.0}


def test_the_only_move_that_does_not_lose_is_found(engine):
    state = after(BEYOND_THE_BOOK)
    reports = engine.score_moves(state)
    assert [(report.move, report.value, report.plies) for report in reports[:1]] == [(4, 0.0, 32)]
    assert all(report.exact and report.value == -1 for report in reports[1:])
    assert [report.plies for report in reports[1:]] == sorted((report.plies for report in reports[1:]), reverse=True)
    assert {report.move for report in reports[-2:]} == {6, 3}
    found = engine.search(state)
    assert (found.move, found.value, found.exact, found.plies) == (4, 0.0, True, 32)


def test_it_sees_as_far_as_it_is_allowed_to(engine):
    """Three in a row with both ends free: that wins in two moves, and three plies."""
    state = after("4 4 5 5")
    near, far = engine.search(state, Limit(depth=2)), engine.search(state, Limit(depth=3))
    assert not near.exact
    assert (far.value, far.exact, far.plies) == (1.0, True, 3)
    assert far.move in (2, 5)


def test_where_the_limit_ends_the_search_it_guesses(engine):
    engine.clear()
    state = after(BEYOND_THE_BOOK)
    found = engine.search(state, Limit(nodes=500))
    assert not found.exact
    assert -1 < found.value < 1
    assert found.nodes == 500
    assert engine.search(after("1 2 1 2 1"), Limit(nodes=100, depth=10)).move == 0, "the only move that stops four"


def test_a_game_that_is_over_and_another_rack_are_refused(engine):
    with pytest.raises(IllegalAction, match="the game is over"):
        engine.search(after("1 2 1 2 1 2 1"))
    with pytest.raises(BadOption, match="made for a rack of 7 x 6"):
        engine.search(connect4(5, 4).initial)


# The book -----------------------------------------------------------------------------------------------------------


def test_the_first_disc_is_worth_what_is_published(engine):
    """The middle column wins with the 41st disc, its neighbours draw, all others lose (Allis 1988; Tromp's table)."""
    reports = sorted(engine.score_moves(GAME.initial), key=lambda report: report.move)
    assert [report.value for report in reports] == [-1, -1, 0, 1, 0, -1, -1]
    assert [report.plies for report in reports] == [40, 42, 42, 41, 42, 42, 40]
    assert all(report.exact for report in reports)
    assert engine.search(GAME.initial).move == 3


@pytest.mark.parametrize("count", [12, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_bundled_book_has_the_scores_that_the_solver_finds(count):
    """Positions of ten discs, drawn at random: those of fewer follow from them."""
    book, held = load_book(), Memory(Table(1 << 26), np.zeros(16, np.int64))
    discs = np.array([popcount(taken_in(int(key), held.record)) for key in book.keys[:: len(book) // 4000]])
    assert set(discs.tolist()) >= {8, 9, 10}
    rng = random.Random(count)
    for place in rng.sample(range(len(book)), count):
        key = int(book.keys[place])
        taken = taken_in(key, held.record)
        if popcount(taken) == book.plies:
            assert solve(key - taken - int(held.record["bottom"]), taken, held.record) == book.scores[place]


def test_what_the_book_holds_is_known_without_a_search(tmp_path):
    """Games of up to 8 discs, their mirror images, and positions that are not in it since the next move is forced."""
    maker = BookMaker(8, tmp_path / "small.book", table=1 << 20, columns=5, rows=4)
    list(maker.solve(1, 600.0))
    small, plain = (Engine(table=1 << 20, columns=5, rows=4, book=book) for book in (maker.book(), None))
    rng, state, found, moves = random.Random(5), connect4(5, 4).initial, 0, 0
    for _ in range(60):
        if (state.mine | state.theirs).bit_count() > 7 or terminal(state):
            state = connect4(5, 4).initial
        known = {one.move: one.rank for one in small.score_moves(state, Limit(nodes=1)) if one.exact}
        searched = {one.move: one.rank for one in plain.score_moves(state)}
        assert known == {move: searched[move] for move in known}
        assert small.by_heart(state) == {move: searched[move][0] for move in small.by_heart(state)}
        found, moves = found + len(known), moves + len(searched)
        state = result(state, rng.choice(actions(state)))
    assert found > 0.9 * moves, "all but those that forced moves lead beyond it"
    assert len(small.by_heart(connect4(5, 4).initial)) == 5
    assert plain.by_heart(connect4(5, 4).initial) == {}


# The player ---------------------------------------------------------------------------------------------------------


def test_the_player_says_what_is_proven():
    state = after(BEYOND_THE_BOOK)
    player = make_player("engine", GAME, 1)
    player.prepare(GAME)
    move = player.choose(Position(GAME, state), Limit())
    assert (move.action, move.value) == (4, 0.0)
    assert move.line[0] == 4
    assert move.nodes > 0


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("engine:level=11", "level must be from 1 to 10 in Connect Four, not 11"),
        ("engine:threads=2", "threads means nothing in Connect Four"),
        ("engine:clock=60+1", "clock means nothing in Connect Four"),
    ],
)
def test_options_that_mean_nothing_are_refused(spec, said):
    with pytest.raises(BadOption, match=said):
        make_player(spec, GAME, 1)


def test_racks_of_other_sizes():
    large = make_game("connect4:columns=8,rows=6")
    assert "engine" not in players_for(large)
    with pytest.raises(UnsuitableGame, match=r"up to 7 x 6, 6 x 7 or 5 x 8, not 8 x 6"):
        make_player("engine", large, 1)
    small = make_game("connect4:columns=5,rows=4")
    player = make_player("engine", small, 1)
    player.prepare(small)
    assert player.choose(Position(small, small.initial), Limit()).value == 0


def test_levels_see_so_far_and_play_the_same_with_the_same_seed():
    """A double threat is four plies away: level 5 never allows it, and level 4 plays there sooner or later."""
    position = Position(GAME, after("4 1 5"))
    losing = {
        report.move for report in Engine(table=1 << 20).score_moves(position.state, Limit(depth=4)) if report.exact
    }
    assert 0 < len(losing) < 7

    def chosen(level):
        player = make_player(f"engine:level={level},table=1MB", GAME, 1)
        return [player.choose(position, Limit()).action for _ in range(60)]

    assert losing.isdisjoint(chosen(5))
    assert not losing.isdisjoint(chosen(4))
    assert len(set(chosen(5))) > 1
    assert chosen(3) == chosen(3)


def test_a_strong_level_beats_a_weak_one():
    def player(level, seed):
        return make_player(f"engine:level={level},table=1MB", GAME, seed)

    for seed in range(3):
        assert play_game(GAME, [player(1, seed), player(8, seed)]).returns[1] == 1
        assert play_game(GAME, [player(8, seed), player(1, seed)]).returns[0] == 1
