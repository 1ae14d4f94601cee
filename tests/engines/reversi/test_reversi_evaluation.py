"""The evaluation: a sum of weights and what a network makes of more sums, whichever way they are added up."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.engines.reversi.correction import (
    HEAD,
    INPUTS,
    MOST_LAYER,
    MOST_OUTPUT,
    NUMBER_CENTRES,
    NUMBER_FEATURES,
    NUMBERS,
    ROWS,
    UNITS,
    Network,
    canonical_rows,
    correction,
    no_network,
    quantised,
)
from plyground.engines.reversi.evaluation import MOST_CORRECTION, STAGES, UNIT, evaluate, fine_value, plain_value
from plyground.engines.reversi.memory import Memory
from plyground.engines.reversi.patterns import CENTRES, FEATURES, WEIGHTS, write_features
from plyground.engines.reversi.squares import symmetric
from plyground.engines.reversi.table import Table
from plyground.engines.reversi.weights import Weights, load_weights, save_weights, without_network
from plyground.errors import FormatError
from plyground.native.compiling import compiled
from reversi_reference import random_position, words


def with_weights(weights):
    if isinstance(weights, np.ndarray):
        weights = without_network(weights)
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
    assert int(evaluate(-64, 64, 30, memory.record)) == (62 if weight > 0 else -62)


@pytest.mark.parametrize("weight", range(-9, 10))
def test_discs_are_rounded_to_the_nearest(weight):
    """All 64 weights alike: the sum is twice the weight in discs."""
    memory = with_weights(np.full((STAGES, WEIGHTS), weight * UNIT // 64, np.int16))
    fine = int(fine_value(30, memory.record))
    assert abs(int(evaluate(-64, 64, 30, memory.record)) - fine / UNIT) <= 0.5


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
    patterns, (numbers, heads) = load_weights()
    assert patterns.shape == (STAGES, WEIGHTS)
    assert all(np.any(stage) for stage in patterns)
    assert np.array_equal(numbers, numbers[canonical_rows()])
    assert [stage for stage in range(STAGES) if np.any(heads[stage, -2 * UNITS :])] == list(range(2, STAGES - 2))


# The network --------------------------------------------------------------------------------------------------------


@compiled
def corrections(numbers, head, features, totals, out):
    for i in range(len(totals)):
        out[i] = correction(numbers, head, features + np.uint64(2 * FEATURES * i), totals[i])


def compiled_corrections(network, stage, features, totals):
    out = np.zeros(len(totals), np.int64)
    head = network.heads[stage].ctypes.data
    corrections(*map(np.uint64, (network.numbers.ctypes.data, head, features.ctypes.data)), totals, out)
    return out


def plain_correction(network, stage, features, total):
    """The formula of the network's page, number by number."""
    head = network.heads[stage].astype(np.int64)
    sums = network.numbers[NUMBER_CENTRES + features[NUMBER_FEATURES]].astype(np.int64).sum(axis=0)
    inputs = np.concatenate([sums, [max(-4096, min(4096, total >> 2)), 64]])
    pairs = head[: INPUTS * UNITS].reshape(INPUTS // 2, UNITS, 2)
    layer = np.stack([pairs[i // 2, :, i % 2] for i in range(INPUTS)])
    units = np.clip((inputs @ layer) >> 8, 0, 8191)
    return int((units @ head[INPUTS * UNITS : -UNITS] + 2048) >> 12) + int(head[-UNITS])


def any_features(rng, count):
    features = np.zeros((count, FEATURES), np.int16)
    for row in features:
        write_features(*words(*random_position(rng, rng.randrange(4, 57))), row)
    return features


@pytest.mark.parametrize("extreme", [False, True])
def test_the_network_is_its_formula_also_with_the_greatest_numbers(extreme):
    rng = np.random.default_rng(5)
    if extreme:
        numbers, layer, output = rng.choice([-127, 127], NUMBERS), MOST_LAYER, MOST_OUTPUT
        network = Network(np.tile(numbers, (ROWS, 1)).astype(np.int8), rng.choice([-1, 1], (STAGES, HEAD)))
        heads = network.heads * np.where(np.arange(HEAD) < INPUTS * UNITS, layer, output)
        for i in range(NUMBERS):  # one unit gets the greatest sum that there can be
            heads[:, i // 2 * 2 * UNITS + i % 2] = np.sign(numbers[i]) * layer
        network = Network(network.numbers, heads.astype(np.int16))
    else:
        network = Network(
            rng.integers(-90, 90, (ROWS, NUMBERS)).astype(np.int8), rng.integers(-600, 600, (STAGES, HEAD), np.int16)
        )
    features = any_features(random.Random(6), 60)
    totals = rng.integers(-1000, 1000, 60) if not extreme else rng.choice([-(2**21), 0, 2**21], 60)
    for stage in (0, 7, STAGES - 1):
        found = compiled_corrections(network, stage, features, totals)
        plain = [plain_correction(network, stage, row, int(total)) for row, total in zip(features, totals, strict=True)]
        assert found.tolist() == plain
    assert len(set(plain)) > (1 if extreme else 20)


def test_whole_numbers_are_near_to_those_that_were_learned():
    rng = np.random.default_rng(7)
    numbers = rng.normal(size=(ROWS, NUMBERS), scale=0.1)
    layer, output = rng.normal(size=(2, INPUTS, UNITS), scale=0.3), rng.normal(size=(2, UNITS + 1), scale=0.5)
    network = quantised(numbers, layer, output, UNIT)
    features, totals = any_features(random.Random(8), 50), rng.integers(-300, 300, 50)
    found = compiled_corrections(network, 1, features, totals) / UNIT
    sums = numbers[NUMBER_CENTRES + features[:, NUMBER_FEATURES]].sum(axis=1)
    inputs = np.concatenate([sums, totals[:, None] / 256, np.ones((50, 1))], axis=1)
    learned = np.maximum(inputs @ layer[1], 0) @ output[1, :-1] + output[1, -1]
    assert np.abs(found - learned).max() < 0.25
    assert np.abs(learned).max() > 1


def test_a_network_that_is_not_there_corrects_nothing():
    rng = random.Random(9)
    alone = with_weights(load_weights().patterns)
    for empties in (8, 21, 40):
        own, opponent = random_position(rng, empties)
        assert value_of(own, opponent, alone) == plain_value(empties, alone.record)


def test_the_correction_is_limited_and_a_bound_outside_the_window_is_true(trained):
    rng, asked = random.Random(10), 0
    for _ in range(300):
        empties = rng.randrange(8, 50)
        own, opponent = random_position(rng, empties)
        fine = value_of(own, opponent, trained)
        total = int(plain_value(empties, trained.record))
        assert abs(fine - total) <= MOST_CORRECTION
        asked += fine != total
        value = int(evaluate(-64, 64, empties, trained.record))
        assert abs(value - fine / UNIT) <= 0.5 or abs(value) == 62
        alpha = rng.randrange(-40, 40)
        found = int(evaluate(alpha, alpha + 1, empties, trained.record))
        assert alpha < found <= value if value > alpha else value <= found <= alpha
    assert asked > 200


def test_a_file_of_weights_keeps_everything(tmp_path):
    rng = np.random.default_rng(11)
    numbers = np.zeros((ROWS, NUMBERS), np.int8)
    numbers[NUMBER_CENTRES] = rng.integers(-127, 128, (len(NUMBER_CENTRES), NUMBERS))
    patterns = np.zeros((STAGES, WEIGHTS), np.int16)
    patterns[:, CENTRES] = rng.integers(-16383, 16384, (STAGES, FEATURES))
    written = Weights(patterns, Network(numbers, rng.integers(-999, 999, (STAGES, HEAD), np.int16)))
    save_weights(tmp_path / "w.npz", written)
    read = load_weights(tmp_path / "w.npz")
    for found, expected in zip((read.patterns, *read.network), (patterns, *written.network), strict=True):
        assert np.array_equal(found, expected)
    save_weights(tmp_path / "other.npz", written._replace(network=Network(numbers, no_network(3).heads)))
    with pytest.raises(FormatError, match=r"other\.npz is not a file of weights: 'heads' is int16 of shape \(3, "):
        load_weights(tmp_path / "other.npz")
