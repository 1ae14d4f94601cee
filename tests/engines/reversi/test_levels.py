"""Levels: what they are made of, that weak ones err and strong ones do not."""

from __future__ import annotations

import statistics
from itertools import pairwise

import pytest

from plyground import Limit, actions, make_game, result
from plyground.engines.reversi.engine import Engine, Report
from plyground.engines.reversi.levels import LEVELS, MOST_ERROR, Level, error, find_level, misjudged, play_level
from plyground.errors import BadOption
from plyground.games.reversi import CORNERS, PASS
from plyground.games.reversi.moves import moves
from plyground.native.randomness import random_below, stream

GAME = make_game("reversi")


@pytest.fixture(scope="module")
def engine():
    return Engine(table=4 << 20)


def after_random_moves(number, count):
    rng, state = stream(number), GAME.initial
    for _ in range(count):
        options = actions(state)
        state = result(state, options[random_below(rng, len(options))])
    return state


def report(move, value):
    return Report(move, value, 1, "73%", False, (move,), 1, 0.0)


def test_there_are_twenty_levels_and_each_is_better_than_the_one_before():
    assert len(LEVELS) == 20
    for weaker, stronger in pairwise(LEVELS):
        assert stronger.depth >= weaker.depth
        assert stronger.solved > weaker.solved
        assert stronger.noise < weaker.noise or stronger.noise == weaker.noise == 0
    assert LEVELS[-1].noise == 0


@pytest.mark.parametrize("number", [0, 21, -1])
def test_a_level_that_does_not_exist_is_refused(number):
    with pytest.raises(BadOption, match=f"level must be from 1 to 20, not {number}"):
        find_level(number)


def test_levels_are_numbered_from_one():
    assert find_level(1) is LEVELS[0]
    assert find_level(20) is LEVELS[19]


def test_a_level_solves_the_end_and_looks_ahead_before():
    level = Level(6, 16)
    assert level.limit(16) == Limit()
    assert level.limit(17) == Limit(depth=6)
    assert Level(6, 2).limit(4) == Limit(depth=4)


def test_errors_are_normal_and_bounded():
    rng = stream(1)
    drawn = [error(rng) for _ in range(4000)]
    assert max(map(abs, drawn)) <= MOST_ERROR
    assert abs(statistics.fmean(drawn)) < 0.05
    assert statistics.pstdev(drawn) == pytest.approx(0.88, abs=0.04)  # of a normal one cut off at two deviations


def test_a_small_error_never_makes_a_much_worse_move():
    reports = [report(1, 4), report(2, -1), report(3, -30)]
    rng = stream(5)
    chosen = {misjudged(reports, 2.0, rng).move for _ in range(500)}
    assert chosen == {1, 2}
    assert {misjudged(reports, 0.5, rng).move for _ in range(500)} == {1}


def test_the_same_seed_makes_the_same_mistakes(engine):
    state = after_random_moves(3, 20)

    def chosen(seed):
        rng = stream(seed)
        return [play_level(engine, state, find_level(1), Limit(), rng).move for _ in range(12)]

    assert chosen(4) == chosen(4)
    assert chosen(4) != chosen(5)
    assert set(chosen(4)) <= set(actions(state))


def test_a_level_without_noise_plays_as_the_search_does(engine):
    for number in range(5):
        state = after_random_moves(number, 30)
        engine.clear()
        found = play_level(engine, state, Level(6, 10), Limit(), stream(1))
        engine.clear()
        assert found.move == engine.search(state, Limit(depth=6)).move
        assert (found.depth, found.exact) == (6, False)


@pytest.mark.parametrize("number", [1, 8, 12])
def test_every_level_plays_its_own_ending_perfectly(engine, number):
    level = find_level(number)
    played = 0
    for start in range(40):
        state = after_random_moves(start, 60 - level.solved)
        empties = 64 - (int(state.own) | int(state.opponent)).bit_count()
        if empties > level.solved or actions(state) in ([], [PASS]):
            continue
        found = play_level(engine, state, level, Limit(), stream(start))
        scores = {each.move: each.value for each in engine.score_moves(state)}
        assert found.exact
        assert found.value == scores[found.move] == max(scores.values())
        played += 1
    assert played > 5


def gives_a_corner_away(state, action):
    after = result(state, action)
    before = int(moves(state.opponent, state.own) & CORNERS)
    return bool(int(moves(after.own, after.opponent) & CORNERS) & ~before)


def test_a_beginner_gives_corners_away_far_less_often_than_chance(engine):
    given_away = {1: 0, 5: 0}
    by_chance, asked = 0.0, 0
    for number in range(150):
        state = after_random_moves(number, 16 + number % 30)
        options = actions(state)
        bad = [action for action in options if action != PASS and gives_a_corner_away(state, action)]
        if not bad or len(bad) == len(options):
            continue  # there is no way to go wrong, or no way to go right
        asked += 1
        by_chance += len(bad) / len(options)
        for level in given_away:
            chosen = play_level(engine, state, find_level(level), Limit(), stream(number)).move
            given_away[level] += gives_a_corner_away(state, chosen)
    assert asked > 60
    assert given_away[1] < 0.7 * by_chance
    assert given_away[5] < given_away[1]
