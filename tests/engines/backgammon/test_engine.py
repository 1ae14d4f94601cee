"""The backgammon engine: what it looks at, the cube, levels, and a match in the arena."""

from __future__ import annotations

import numpy as np
import pytest

from plyground import actions, make_game, result
from plyground.arena.referee import play_game
from plyground.core.rules import action_text, parse_action
from plyground.engines.backgammon.bearoff import bearoff_tables
from plyground.engines.backgammon.cubes import LIVE, _janowski, cube_values
from plyground.engines.backgammon.engine import Engine
from plyground.engines.backgammon.rollout import roll_out
from plyground.engines.backgammon.search import CHANCES, ROLLS, after_best, look_ahead, one_ply, weights_of
from plyground.errors import BadOption, UnsuitableGame
from plyground.games.backgammon.board import ANSWERING, DOUBLING, MOVING, ROLLING, placed
from plyground.players import make_player

NOBODY = (0, 0, 0, 0)
MONEY = make_game("backgammon")
CUBE = make_game("backgammon:cube=on")


def home(*numbers):
    men = NOBODY
    for point, number in enumerate(numbers, start=1):
        men = placed(men, point, number)
    return men


def after(game, *moves):
    state = game.initial
    for move in moves:
        state = result(state, parse_action(state, move))
    return state


# Looking ahead -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_ply_is_the_mean_over_the_rolls_of_the_best_play_of_each():
    engine = Engine(1)
    state = after(MONEY, "3-1", "8/5 6/5")
    own, others = np.zeros(6), np.zeros(6)
    weights_of(state, 1, own)
    weights_of(state, 0, others)
    total = 0.0
    for (larger, smaller), chance in zip(ROLLS, CHANCES, strict=True):
        rolled = state._replace(phase=MOVING, roll=int(larger) << 3 | int(smaller))
        total += chance * after_best(rolled, engine.known, others)[0]
    start = MONEY.initial
    arguments = (start, state.second, state.first, engine.known, own, others)
    assert one_ply(*arguments, 1e9) == pytest.approx(total, abs=1e-6)
    assert look_ahead(*arguments, 1) == pytest.approx(total, abs=1e-6)
    # Star2: what is said to be at least enough is; otherwise the answer is the value.
    for enough in (total - 0.3, total - 0.05, total + 0.05, 3.0):
        bound = one_ply(*arguments, enough)
        assert enough <= bound <= total + 1e-6 if bound >= enough else bound == pytest.approx(total, abs=1e-6)


@pytest.mark.slow
def test_opening_plays_are_those_of_people():
    engine = Engine(2)
    for roll, best in (
        ("3-1", "8/5 6/5"),
        ("4-2", "8/4 6/4"),
        ("6-1", "13/7 8/7"),
        ("5-3", "8/3 6/3"),
        ("6-5", "24/13"),
    ):
        state = after(MONEY, roll)
        verdicts = engine.decide(state)
        assert action_text(state, verdicts[0].action) == best
        assert verdicts[0].plies >= 1 or len(verdicts) == 1
        assert [v.action for v in verdicts] != actions(state) or len(verdicts) == 1
        assert sorted(v.action for v in verdicts) == sorted(actions(state))


@pytest.mark.slow
def test_two_plies_take_half_a_second_at_most_and_a_warm_player_starts_at_once():
    state = after(MONEY, "4-3")
    doubles = state._replace(roll=4 << 3 | 4)
    engine = Engine(2)
    engine.decide(state)
    for position in (state, doubles):
        before = engine.counted
        engine.decide(position)
        assert engine.counted - before < 250_000  # at a microsecond each


@pytest.mark.slow
def test_rollouts_agree_with_the_tables_and_with_themselves():
    engine = Engine(0)
    # Six men each: the tables say what it is worth, and with best plays and all luck taken out nothing is left to vary.
    exact = MONEY.initial._replace(first=home(0, 1, 1, 2, 1, 1), second=home(1, 1, 1, 1, 1, 1), phase=ROLLING)
    found = roll_out(exact, engine.known, 72)
    assert found.mean == pytest.approx(bearoff_tables().equity(exact.first, exact.second), abs=1e-3)
    assert found.error < 1e-4 < found.raw_error
    state = after(MONEY, "3-1", "8/5 6/5")
    one, two = roll_out(state, engine.known, 180, seed=1), roll_out(state, engine.known, 180, seed=2)
    assert one.error < one.raw_error / 2
    assert abs(one.mean - two.mean) < 4 * (one.error + two.error)
    assert one.interval[0] < one.mean < one.interval[1]
    with pytest.raises(BadOption, match="36 games at least"):
        roll_out(state, engine.known, 3)


# The cube ----------------------------------------------------------------------------------------------------------


def test_the_model_of_the_cube_has_its_known_points():
    # Without gammons: a dead cube is taken from 25% on and a live one from 20%.
    for wins in (0.0, 0.3, 0.8, 1.0):
        dead = 2 * wins - 1
        for owner in (-1, 0, 1):
            value = _janowski(wins, 1.0, 1.0, owner)
            assert (value >= dead - 1e-9) if owner == 0 else (value <= dead + 1e-9) if owner == 1 else True
    assert _janowski(0.5, 1, 1, -1) == pytest.approx(0)
    assert _janowski(0.8, 1, 1, -1) == pytest.approx(LIVE * 1 + (1 - LIVE) * 0.6)
    assert _janowski(0.8, 1, 1, 0) == pytest.approx(LIVE * 1 + (1 - LIVE) * 0.6)
    assert _janowski(0.2, 1, 1, 1) == pytest.approx(-LIVE * 1 - (1 - LIVE) * 0.6)
    assert _janowski(0.0, 1.2, 1.5, -1) == pytest.approx(-1.5)
    assert _janowski(1.0, 1.2, 1.5, 1) == pytest.approx(1.2)


def outputs(wins, gammons=0.0):
    return np.array([wins, gammons * wins, 0, gammons * (1 - wins), 0])


def test_doubles_are_offered_in_the_window_and_taken_below_its_end():
    state = CUBE.initial._replace(phase=DOUBLING, turn=0)
    judged = {wins: cube_values(state, 0, outputs(wins)) for wins in (0.5, 0.65, 0.72, 0.76, 0.85, 0.99)}
    assert [judged[wins].doubles for wins in judged] == [False, False, True, True, True, True]
    assert [judged[wins].takes for wins in judged] == [True, True, True, True, False, False]
    too_good = cube_values(state, 0, outputs(0.9, 0.7))
    assert not too_good.doubles  # a gammon is likely
    assert too_good.roll > too_good.passed
    jacoby = make_game("backgammon:cube=on,jacoby=on").initial._replace(phase=DOUBLING, turn=0)
    assert cube_values(jacoby, 0, outputs(0.9, 0.7)).doubles  # where it does not count yet


def test_the_score_of_a_match_decides_too():
    after_crawford = make_game("backgammon:match=5,score=2,4,crawford=off").initial._replace(phase=DOUBLING, turn=0)
    assert cube_values(after_crawford, 0, outputs(0.5)).doubles  # nothing to lose
    even = make_game("backgammon:match=7").initial._replace(phase=DOUBLING, turn=0)
    judged = [cube_values(even, 0, outputs(wins)) for wins in (0.5, 0.6, 0.73, 0.9)]
    assert [one.doubles for one in judged] == [False, False, True, True]
    assert [one.takes for one in judged] == [True, True, True, False]


# The player --------------------------------------------------------------------------------------------------------


def test_bear_offs_and_their_cubes_are_by_the_tables():
    engine = Engine(0)
    state = CUBE.initial._replace(first=home(0, 0, 0, 0, 1, 1), second=home(1), phase=DOUBLING)
    assert engine.cube(state).roll == pytest.approx(2 * 6 / 36 - 1)
    verdicts = engine.decide(state)
    assert verdicts[0].action == 0  # roll
    winning = state._replace(first=home(1), second=home(0, 0, 0, 0, 1, 1))
    assert engine.decide(winning)[0].action == 1  # double
    assert engine.decide(winning._replace(phase=ANSWERING))[0].action == 1  # pass
    fair = state._replace(first=home(0, 1, 0, 0, 1))  # 19 of 36
    assert engine.decide(fair._replace(phase=ANSWERING))[0].action == 0  # take


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("engine:level=11", "from 1 to 10 in backgammon"), ("engine:level=0", "from 1 to 10"),
        ("engine:depth=4", "from 1 to 3 in backgammon"), ("engine:threads=2", "threads means nothing in backgammon"),
        ("engine:nodes=5", "nodes means nothing"),
    ],
)  # fmt: skip
def test_options_that_mean_nothing_get_one_line(spec, words):
    with pytest.raises(BadOption, match=words) as caught:
        make_player(spec, MONEY)
    assert "\n" not in str(caught.value)


def test_other_boards_are_refused():
    with pytest.raises(UnsuitableGame, match="15 men on 24 points"):
        make_player("engine", make_game("backgammon:men=3"))


def test_a_match_of_three_points_between_two_levels_ends_cube_included():
    game = make_game("backgammon:match=3")
    with make_player("engine:level=8", game, seed=1) as one, make_player("engine:level=2", game, seed=2) as other:
        record = play_game(game, (one, other), seed=5)
    assert record.winner in (0, 1)


@pytest.mark.slow
def test_a_match_of_seven_points_between_two_levels_ends_with_doubles():
    game = make_game("backgammon:match=7")
    words = set()
    for seed in range(8):
        with make_player("engine:level=9", game, seed=1) as one, make_player("engine:level=5", game, seed=2) as other:
            record = play_game(game, (one, other), seed=seed)
        state = game.initial
        for move in record.moves:
            words.add(action_text(state, move.action))
            state = result(state, move.action)
    assert {"double", "take", "pass"} <= words, sorted(words & {"double", "take", "pass"})
