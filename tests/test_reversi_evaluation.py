"""The evaluation: a sum of weights, whichever way it is added up."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.reversi.evaluation import STAGES, UNIT, evaluate, fine_value
from plyground.reversi.memory import Memory
from plyground.reversi.patterns import CENTRES, FEATURES, WEIGHTS, write_features
from plyground.reversi.squares import symmetric
from plyground.reversi.table import Table
from plyground.reversi.weights import load_weights
from reversi_reference import random_position, words


def with_weights(weights):
    return Memory(Table(64), weights, np.zeros(1, np.int64))


@pytest.fixture(scope="module")
def scattered():
    """Weights of any size: a wrong place would show."""
    weights = np.random.default_rng(1).integers(-32768, 32768, (STAGES, WEIGHTS)).astype(np.int16)
    return weights, with_weights(weights)


@pytest.fixture(scope="module")
def trained():
    return with_weights(load_weights())


def value_of(own, opponent, memory):
    empties = 64 - (own | opponent).bit_count()
    write_features(*words(own, opponent), memory.record["features"][empties])
    return int(fine_value(empties, memory.record))


@given(own=st.integers(0, 2**64 - 1), other=st.integers(0, 2**64 - 1), empties=st.integers(1, 60))
def test_the_sum_of_weights_equals_numpy_in_every_stage(own, other, empties, scattered):
    weights, memory = scattered
    row = memory.record["features"][empties]
    write_features(*words(own, other & ~own), row)
    stage = (60 - empties) // 6 * 2 + empties % 2
    plain = weights[stage, CENTRES + row].astype(np.int64).sum()
    assert int(fine_value(empties, memory.record)) == plain


@pytest.mark.parametrize("weight", [-32768, 32767])
def test_the_greatest_sums_do_not_overflow(weight):
    memory = with_weights(np.full((STAGES, WEIGHTS), weight, np.int16))
    assert int(fine_value(30, memory.record)) == FEATURES * weight
    assert int(evaluate(30, memory.record)) == (62 if weight > 0 else -62)


@pytest.mark.parametrize("weight", range(-9, 10))
def test_discs_are_rounded_to_the_nearest(weight):
    """All 64 weights alike: the sum is twice the weight in discs."""
    memory = with_weights(np.full((STAGES, WEIGHTS), weight * UNIT // 64, np.int16))
    fine = int(fine_value(30, memory.record))
    assert abs(int(evaluate(30, memory.record)) - fine / UNIT) <= 0.5


def test_the_evaluation_is_the_same_from_all_eight_sides(trained):
    rng = random.Random(3)
    for empties in range(4, 57, 4):
        own, opponent = random_position(rng, empties)
        turned = [[int(symmetric(np.uint64(word), index)) for word in (own, opponent)] for index in range(8)]
        assert len({value_of(*position, trained) for position in turned}) == 1


def test_the_trained_weights_know_what_a_corner_is_worth(trained):
    """On average; the discs that a real move would flip are left as they are."""
    rng = random.Random(4)
    worth = []
    for _ in range(50):
        own, opponent = random_position(rng, 30)
        for corner in (1 << 0, 1 << 7, 1 << 56, 1 << 63):
            if not (own | opponent) & corner:
                ours, theirs = (own | corner, opponent), (own, opponent | corner)
                worth.append(value_of(*ours, trained) - value_of(*theirs, trained))
    assert sum(worth) / len(worth) > 8 * UNIT


def test_the_trained_weights_use_the_whole_game(trained):
    weights = load_weights()
    assert weights.shape == (STAGES, WEIGHTS)
    assert all(np.any(stage) for stage in weights)
