"""Solving side by side: the true scores, the outcomes, the bounds, and the comparison with what is given."""

from __future__ import annotations

import time

import pytest

from plyground.core.limits import Limit
from plyground.core.rules import actions, result
from plyground.engines.reversi.analysis import move_name
from plyground.engines.reversi.engine import Engine, outcome
from plyground.engines.reversi.solving import Solving
from plyground.formats import ScoredPosition, read_board, read_obf
from plyground.games.reversi import reversi
from reversi_endings import FFO_4, FFO_20, last_part, minimax_score, random_game

POSITIONS = [ScoredPosition(last_part(random_game(seed), 6 + seed % 2).start) for seed in range(10)]


@pytest.fixture(scope="module")
def engines():
    return [Engine(table=1 << 22), Engine(table=1 << 22, threads=2)]


@pytest.mark.parametrize("all_moves", [False, True])
def test_scores_and_outcomes_are_those_of_plain_minimax(engines, all_moves):
    exact = list(Solving(POSITIONS, engines, all_moves=all_moves))
    coarse = list(Solving(POSITIONS, engines, all_moves=all_moves, wld=True))
    for position, full, rough in zip(POSITIONS, exact, coarse, strict=True):
        state = position.state
        scores = {action: -minimax_score(result(state, action)) for action in actions(state)}
        true = max(scores.values())
        assert full.position is rough.position is position
        assert full.solved
        assert rough.solved
        assert full.value == true
        assert full.bounds == (true, true)
        assert rough.value == outcome(true)
        assert rough.bounds[0] <= true <= rough.bounds[1]
        assert all(scores[move] == true for move in full.best)
        assert all(outcome(scores[move]) == outcome(true) for move in rough.best)
        if all_moves:
            assert {report.move: report.value for report in full.reports} == scores
            assert {report.move: report.value for report in rough.reports} == {
                move: outcome(score) for move, score in scores.items()
            }
        for solution in (full, rough):
            for action in solution.line:
                assert action in actions(state)
                state = result(state, action)
            state = position.state


@pytest.mark.parametrize("threads", [1, 2])
def test_outcomes_agree_with_scores_where_the_search_deepens(threads):
    engine = Engine(table=1 << 22, threads=threads)
    for seed in range(3):
        state = last_part(random_game(seed), 14).start
        score = engine.search(state).value
        moves = {report.move: report.value for report in engine.score_moves(state)}
        engine.clear()
        found = engine.search(state, wld=True)
        assert found.exact
        assert found.value == outcome(score)
        assert outcome(moves[found.move]) == found.value
        engine.clear()
        assert {report.move: report.value for report in engine.score_moves(state, wld=True)} == {
            move: outcome(value) for move, value in moves.items()
        }


def test_proven_bounds_hold_while_a_search_goes_on():
    engine = Engine(table=1 << 22)
    state = read_board(FFO_4)
    true = engine.search(state).value
    seen = set()
    for nodes in (1000, 3000, 10_000, 20_000, 30_000, 35_000, 10**9):
        engine.clear()
        engine.search(state, Limit(nodes=nodes))
        lower, upper = engine.bounds(state)
        assert lower <= true <= upper
        seen.add((lower, upper))
    assert (-64, 64) in seen
    assert engine.bounds(state)[0] == true
    engine.clear()
    assert engine.bounds(state) == (-64, 64)


def test_a_position_where_the_game_is_over_has_its_score(engines):
    state = last_part(random_game(1), 0).final
    [solution] = Solving([ScoredPosition(state)], engines)
    assert (solution.value, solution.reports, solution.line, solution.solved) == (minimax_score(state), (), (), True)
    [solution] = Solving([ScoredPosition(state)], engines, wld=True)
    assert solution.text(solution.value) in ("win", "draw", "loss")


def test_a_stopped_search_leaves_what_it_knows():
    solving = Solving([ScoredPosition(reversi().initial)] * 3, [Engine(table=1 << 22)])
    while not (running := solving.running()) or running[0].report is None or running[0].report.depth < 4:
        time.sleep(0.01)
    assert running[0].index == 0
    known = solving.stop()
    assert list(known) == [0]
    assert not known[0].solved
    assert known[0].value is not None
    assert known[0].line[0] in actions(reversi().initial)
    assert known[0].differences == ()


def test_what_goes_wrong_in_a_thread_is_raised(engines):
    broken = [ScoredPosition(reversi().initial)]
    object.__setattr__(broken[0], "state", reversi(size=6).initial)
    with pytest.raises(ValueError, match="8x8"):
        list(Solving(broken, engines))


# Scores that are given --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "all_moves", "wld", "differences"),
    [
        ("H5:+6;", False, False, ()),
        ("H5:+6; G6:-2;", True, False, ()),
        ("H5:+8;", False, False, ("the score given for h5 is +8, but it is +6",)),
        ("G6:-2;", False, False, ("the best score given is -2 (g6), and h5 has +6",)),
        ("G6:-2;", True, False, ()),
        ("H5:+6; G6:+0; F6:-4;", True, False, ("the score given for g6 is +0, but it is -2",)),
        ("H5:+20;", False, True, ()),
        ("H5:-2;", True, True, ("the score given for h5 is loss, but it is win",)),
        ("", True, False, ()),
    ],
)
def test_differences(engines, scores, all_moves, wld, differences):
    position = read_obf(f"{FFO_20}; {scores}")
    [solution] = Solving([position], engines, all_moves=all_moves, wld=wld)
    assert solution.differences == differences
    assert [move_name(move) for move in solution.best] == ["h5"]
