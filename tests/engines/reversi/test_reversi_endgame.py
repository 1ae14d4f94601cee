"""The endgame solver against a plain alpha-beta: the same scores, asked in every way, with one thread and with two.

    pytest -m slow tests/engines/reversi/test_reversi_endgame.py

does so with 2,000 positions of 10 to 14 empty squares; the plain run takes a part of them.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import actions, compiled, result, score, terminal
from plyground.engines.reversi.endgame import CERTAIN
from plyground.engines.reversi.engine import Engine
from plyground.engines.reversi.memory import Memory
from plyground.engines.reversi.midgame import EXACT_BELOW, search_root
from plyground.engines.reversi.stability import new_edge_table, stable_discs
from plyground.engines.reversi.table import Table
from plyground.engines.reversi.weights import load_weights
from plyground.games.reversi import final_score
from reversi_reference import (
    exact_score,
    exact_scores,
    legal_squares,
    played,
    random_game,
    random_position,
    random_positions,
    state_of,
    words,
)


@pytest.fixture(scope="module")
def memory():
    memory = Memory(Table(1 << 20), load_weights(), np.zeros(1, np.int64))
    memory.record["confidence"] = CERTAIN
    memory.begin(1, None)
    return memory


@pytest.fixture(scope="module", params=[1, 2], ids=["one thread", "two threads"])
def engine(request):
    engine = Engine(table=1 << 20, threads=request.param)
    engine.prepare()
    return engine


def answer(own, opponent, alpha, beta, memory):
    return int(search_root(*words(own, opponent), alpha, beta, 64, memory.record))


# The end of the game ----------------------------------------------------------------------------------------------


@compiled
def compiled_score(own, opponent):
    return final_score(own, opponent)


@pytest.mark.parametrize(
    ("own", "opponent", "worth"),
    [(0, 1, -64), (1, 0, 64), (0b111, 0b11 << 8, 60), (0b11, 0b11 << 8, 0), (2**64 - 1, 0, 64), (2**33 - 1, 0, 64)],
)
def test_empty_squares_go_to_the_winner(own, opponent, worth):
    assert final_score(own, opponent) == int(compiled_score(*words(own, opponent))) == worth


def test_the_final_score_is_that_of_the_rules_and_the_empty_squares():
    for seed in range(50):
        *_, (own, opponent) = random_game(random.Random(seed))
        state = state_of(own, opponent)
        assert terminal(state)
        margin, worth = score(state, 0), int(final_score(*words(own, opponent)))
        empty = 64 - (own | opponent).bit_count()
        assert worth == margin + (empty if margin > 0 else -empty if margin < 0 else 0)


# Few empty squares ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("empties", range(1, 10))
def test_every_question_about_a_small_endgame_is_answered_right(empties, memory):
    """Asked whether the score is greater than alpha, the answer is a bound on the right side of it."""
    rng = random.Random(empties)
    for _ in range(30):
        own, opponent = random_position(rng, empties)
        exact = exact_score(own, opponent)
        for alpha in {-64, -63, -1, 0, 63, exact - 3, exact - 2, exact - 1, exact, exact + 1, exact + 2}:
            if -64 <= alpha < 64:
                bound = answer(own, opponent, alpha, alpha + 1, memory)
                assert alpha < bound <= exact if exact > alpha else exact <= bound <= alpha
        for width in (1, 2, 5, 64, 128):
            low, high = max(-64, exact - width), min(64, exact + width)
            assert answer(own, opponent, low, high, memory) == exact


def test_small_endgames_where_both_sides_pass(memory):
    """Passes are rare in random games: look for positions with one below them."""
    rng, seen = random.Random(8), 0
    while seen < 40:
        own, opponent = random_position(rng, rng.randrange(3, 8))
        replies = [played(own, opponent, square) for square in actions(state_of(own, opponent))]
        if all(legal_squares(*words(*reply)) for reply in replies):
            continue
        seen += 1
        assert answer(own, opponent, -64, 64, memory) == exact_score(own, opponent)


def test_stable_discs_bound_the_score():
    edges, rng = new_edge_table(), random.Random(9)
    tight = 0
    for _ in range(200):
        own, opponent = random_position(rng, rng.randrange(1, 9))
        bound = 64 - 2 * int(stable_discs(*words(opponent, own), edges)).bit_count()
        exact = exact_score(own, opponent)
        assert exact <= bound
        tight += bound < 64
    assert tight > 100


# Against brute force, in every mode -------------------------------------------------------------------------------


def check_all_modes(own, opponent, engine, memory):
    state = state_of(own, opponent)
    scores = exact_scores(own, opponent)
    best = max(scores.values())
    report = engine.search(state)
    assert (report.value, report.exact, scores[report.move]) == (best, True, best)
    reports = engine.score_moves(state)
    assert {report.move: report.value for report in reports} == scores
    assert all(report.exact for report in reports)
    outcome = engine.search(state, wld=True)
    assert (outcome.value, outcome.exact) == ((best > 0) - (best < 0), True)
    # The same by two questions: whether the score is greater than 0, and than -1.
    wins, draws = (answer(own, opponent, alpha, alpha + 1, memory) > alpha for alpha in (0, -1))
    assert (wins, draws) == (best > 0, best >= 0)
    assert check_line(state, report) == best


def check_line(state, report):
    """The score that the line reaches, for the side to move at its beginning."""
    first = state.turn
    for move in report.line:
        assert move in actions(state)
        state = result(state, move)
    assert terminal(state)
    worth = int(final_score(np.uint64(state.own), np.uint64(state.opponent)))
    return worth if state.turn == first else -worth


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 10))])
def test_random_endgames_equal_brute_force(seed, engine, memory):
    for own, opponent in random_positions(seed, 15, 10, 12):
        check_all_modes(own, opponent, engine, memory)


def test_larger_endgames_equal_brute_force(engine, memory):
    for own, opponent in random_positions(99, 10, EXACT_BELOW + 1, 14):
        check_all_modes(own, opponent, engine, memory)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_two_thousand_random_endgames_equal_brute_force(seed, engine, memory):
    for own, opponent in random_positions(seed, 100, 10, 14):
        check_all_modes(own, opponent, engine, memory)


@given(seed=st.integers(0, 10**9), empties=st.integers(5, 11))
def test_a_table_of_one_bucket_gives_the_same_scores(seed, empties):
    own, opponent = random_position(random.Random(seed), empties)
    small = Memory(Table(64), load_weights(), np.zeros(1, np.int64))
    small.record["confidence"] = CERTAIN
    assert answer(own, opponent, -64, 64, small) == exact_score(own, opponent)
