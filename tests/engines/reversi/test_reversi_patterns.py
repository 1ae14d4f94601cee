"""The features of the evaluation: written at once or move by move, by vectors or by NumPy, they are the same."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.engines.reversi.evaluation import push_features, swap_features
from plyground.engines.reversi.memory import Memory
from plyground.engines.reversi.patterns import (
    CENTRES,
    DISCS,
    FEATURES,
    SHAPES,
    WEIGHTS,
    canonical_weights,
    write_features,
)
from plyground.engines.reversi.squares import symmetric, symmetric_square
from plyground.engines.reversi.table import Table
from plyground.games.reversi.moves import flips
from reversi_reference import random_game, squares_of, words

any_word = st.integers(0, 2**64 - 1)


@pytest.fixture(scope="module")
def memory():
    return Memory(Table(64), None, np.zeros(1, np.int64))


def plain_features(own, opponent):
    """By NumPy: what stands on the squares, times what each square adds."""
    discs = np.array([(own >> s & 1) - (opponent >> s & 1) for s in range(64)])
    return discs @ DISCS.astype(np.int64)


def features_of(own, opponent):
    row = np.full(FEATURES, 99, np.int16)
    write_features(*words(own, opponent), row)
    return row


def squares_of_feature(feature):
    """The squares of a feature, the one of the lowest digit first."""
    there = np.flatnonzero(DISCS[:, feature])
    return tuple(int(s) for s in there[np.argsort(DISCS[there, feature])])


# The shapes -------------------------------------------------------------------------------------------------------


def test_every_shape_stands_on_all_its_symmetric_places_once():
    places = [squares_of_feature(feature) for feature in range(FEATURES)]
    expected = Counter()
    for text in SHAPES.values():
        shape = [8 * (int(name[1]) - 1) + "abcdefgh".index(name[0]) for name in text.split()]
        expected.update({frozenset(symmetric_square(s, index) for s in shape) for index in range(8)})
    assert Counter(map(frozenset, places)) == expected
    assert FEATURES == len(places) == 64


def test_a_feature_is_a_number_in_ternary():
    for feature in range(FEATURES):
        digits = sorted(int(value) for value in DISCS[:, feature] if value)
        assert digits == [3**digit for digit in range(len(digits))]
        assert sum(digits) <= 32767


def test_every_square_counts_in_some_shape():
    assert np.all((DISCS != 0).sum(axis=1) >= 4)


def test_weights_of_different_shapes_do_not_overlap():
    halves = DISCS.astype(np.int64).sum(axis=0)
    spans = sorted({(int(c - h), int(c + h + 1)) for c, h in zip(CENTRES, halves, strict=True)})
    assert len(spans) == len(SHAPES)
    assert spans[0][0] == 0
    assert spans[-1][1] == WEIGHTS
    assert all(one[1] == other[0] for one, other in pairwise(spans))


# Contents ---------------------------------------------------------------------------------------------------------


@given(any_word, any_word)
def test_features_written_at_once_equal_numpy(own, other):
    opponent = other & ~own
    assert np.array_equal(features_of(own, opponent), plain_features(own, opponent))


@given(any_word, any_word)
def test_the_other_side_sees_the_negative(own, other):
    opponent = other & ~own
    assert np.array_equal(features_of(opponent, own), -features_of(own, opponent))


@pytest.mark.parametrize("seed", range(30))
def test_features_move_by_move_equal_those_from_scratch(seed, memory):
    record = memory.record
    before = None
    for own, opponent in random_game(random.Random(seed)):
        empties = 64 - (own | opponent).bit_count()
        if before is None:
            write_features(*words(own, opponent), record["features"][empties])
        elif (own | opponent) == (before[0] | before[1]):
            swap_features(empties, record)
        else:
            square = squares_of((own | opponent) & ~(before[0] | before[1]))[0]
            push_features(empties + 1, square, np.uint64(flips(*words(*before), square)), record)
        assert np.array_equal(record["features"][empties], plain_features(own, opponent))
        before = own, opponent


def test_random_games_have_passes():
    """So that the test above has seen some."""
    passes = 0
    for seed in range(30):
        discs = [(own | opponent).bit_count() for own, opponent in random_game(random.Random(seed))]
        passes += sum(one == other for one, other in pairwise(discs))
    assert passes > 5


# Mirrored contents ------------------------------------------------------------------------------------------------


def test_of_mirrored_contents_one_stands_for_both():
    canonical = canonical_weights()
    assert np.array_equal(canonical[canonical], canonical)
    assert np.all(canonical <= np.arange(WEIGHTS))
    assert Counter(np.bincount(canonical, minlength=WEIGHTS).tolist()).keys() == {0, 1, 2}


@given(own=any_word, other=any_word, index=st.integers(0, 7))
def test_symmetric_boards_have_the_same_weights(own, other, index):
    opponent = other & ~own
    there = (int(symmetric(np.uint64(word), index)) for word in (own, opponent))
    canonical = canonical_weights()
    here = Counter(canonical[CENTRES + features_of(own, opponent)].tolist())
    assert Counter(canonical[CENTRES + features_of(*there)].tolist()) == here
