"""The engine's table: what is stored is found, bounds are joined, and the least useful entry goes first."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.engines.reversi.memory import Memory
from plyground.engines.reversi.table import (
    NO_MOVE,
    Table,
    confidence_of,
    depth_of,
    find,
    key_of,
    lower_of,
    move_of,
    store,
    upper_of,
)
from reversi_reference import random_game, words

BUCKET = 64


class Shelf:
    """A table with a thread's memory that points to it."""

    def __init__(self, size=BUCKET):
        self.table = Table(size)
        self.memory = Memory(self.table, None, np.zeros(1, np.int64))
        self.next_search()

    def next_search(self):
        self.table.next_search()
        self.memory.begin(self.table.search, None)

    def put(self, key, depth=10, confidence=5, lower=-64, upper=64, move=NO_MOVE):
        store(self.memory.record, np.uint64(key), depth, confidence, lower, upper, move)

    def get(self, key):
        data = np.uint64(find(self.memory.record, np.uint64(key)))
        if not data:
            return None
        return tuple(int(part(data)) for part in (depth_of, confidence_of, lower_of, upper_of, move_of))


# Sizes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "size"), [(0, 64), (1, 64), (64, 64), (127, 64), (128, 128), (1 << 20, 1 << 20), ((1 << 20) - 1, 1 << 19)]
)
def test_sizes_are_rounded_down_to_a_power_of_two_of_buckets(asked, size):
    assert Table(asked).size == size


@pytest.mark.parametrize("size", [64, 128, 1 << 16])
def test_buckets_are_cache_lines_inside_the_memory(size):
    table = Table(size)
    assert table.address % BUCKET == 0
    start = table._words.ctypes.data
    assert start <= table.address
    assert table.address + table.size <= start + table._words.nbytes


# Store and find ---------------------------------------------------------------------------------------------------

bounds = st.tuples(st.integers(-64, 64), st.integers(-64, 64)).map(sorted)


@given(st.integers(0, 2**64 - 1), st.integers(0, 60), st.integers(0, 5), bounds, st.integers(0, NO_MOVE))
def test_what_is_stored_is_found(key, depth, confidence, window, move):
    shelf = Shelf(1 << 12)
    assert shelf.get(key) is None
    shelf.put(key, depth, confidence, *window, move)
    assert shelf.get(key) == (depth, confidence, *window, move)
    assert shelf.get(key ^ 1 << 63) is None


def test_a_cleared_table_knows_nothing():
    shelf = Shelf()
    shelf.put(5)
    shelf.table.clear()
    assert shelf.get(5) is None


def test_bounds_of_the_same_depth_are_joined():
    shelf = Shelf()
    shelf.put(5, lower=-10, move=3)
    shelf.put(5, upper=20, move=4)
    assert shelf.get(5) == (10, 5, -10, 20, 4)
    shelf.put(5, lower=2, upper=64)
    shelf.put(5, lower=-64, upper=12)
    assert shelf.get(5)[2:4] == (2, 12)


def test_of_bounds_that_contradict_each_other_the_new_ones_count():
    """Selective searches may contradict each other; an entry never does so by itself."""
    shelf = Shelf()
    shelf.put(5, lower=10)
    shelf.put(5, upper=4)
    assert shelf.get(5)[2:4] == (4, 4)
    shelf.put(5, lower=8)
    assert shelf.get(5)[2:4] == (8, 8)


@pytest.mark.parametrize(("depth", "confidence", "kept"), [(9, 5, True), (10, 4, True), (11, 5, False), (11, 4, False)])
def test_a_better_result_is_not_overwritten(depth, confidence, kept):
    shelf = Shelf()
    shelf.put(5, 10, 5, 0, 0, 1)
    shelf.put(5, depth, confidence, 2, 2, 2)
    assert shelf.get(5) == ((10, 5, 0, 0, 1) if kept else (depth, confidence, 2, 2, 2))


any_result = st.tuples(st.integers(0, 12), st.integers(0, 5), bounds)


@given(st.lists(any_result, min_size=1, max_size=12))
def test_an_entry_is_always_in_order_and_was_stored(results):
    shelf = Shelf()
    for depth, confidence, window in results:
        shelf.put(7, depth, confidence, *window)
        found = shelf.get(7)
        assert found[2] <= found[3]
        assert found[:2] in [result[:2] for result in results]


# Replacement ------------------------------------------------------------------------------------------------------


def test_of_five_in_a_bucket_the_least_deep_goes():
    shelf = Shelf()
    for key, depth in ((1, 9), (2, 12), (3, 7), (4, 11)):
        shelf.put(key, depth)
    shelf.put(5, 8)
    assert [key for key in range(1, 6) if shelf.get(key)] == [1, 2, 4, 5]


def test_entries_of_earlier_searches_go_first():
    shelf = Shelf()
    for key, depth in ((1, 9), (2, 60)):
        shelf.put(key, depth)
    shelf.next_search()
    for key, depth in ((3, 1), (4, 2)):
        shelf.put(key, depth)
    shelf.put(5, 1)
    assert [key for key in range(1, 6) if shelf.get(key)] == [2, 3, 4, 5]
    shelf.put(6, 1)
    assert [key for key in range(1, 7) if shelf.get(key)] == [3, 4, 5, 6]


def test_what_is_stored_last_is_found_however_full_the_table_is():
    shelf = Shelf(4 * BUCKET)
    rng = random.Random(1)
    for _ in range(2000):
        key = rng.getrandbits(64)
        shelf.put(key, rng.randrange(60), 5, -3, 3, 9)
        assert shelf.get(key)[2:] == (-3, 3, 9)


def test_the_number_of_the_search_comes_round():
    shelf = Shelf()
    shelf.table.search = (1 << 24) - 1
    shelf.memory.begin(shelf.table.search, None)
    shelf.put(1, 10, 5, -2, 4, 6)
    shelf.next_search()
    assert shelf.table.search == 0
    assert shelf.get(1) == (10, 5, -2, 4, 6)


# Threads ----------------------------------------------------------------------------------------------------------


def test_words_that_do_not_fit_each_other_are_not_found():
    """As if two threads had written one entry at the same time."""
    shelf = Shelf()
    shelf.put(1, 10, 5, 0, 2, 3)
    first = (shelf.table.address - shelf.table._words.ctypes.data) // 8
    of_another = shelf.table._words[first + 1] + np.uint64(1)
    shelf.table._words[first + 1] = of_another
    assert shelf.get(1) is None


# Keys -------------------------------------------------------------------------------------------------------------


def test_keys_of_different_positions_differ():
    positions = {position for seed in range(150) for position in random_game(random.Random(seed))}
    keys = {int(key_of(*words(*position))) for position in positions}
    assert len(keys) == len(positions) > 8000
    buckets = {key & 0xFFFF for key in keys}
    assert len(buckets) > 0.9 * len(keys)  # spread over 65,536, some meet


def test_the_side_to_move_is_part_of_the_key():
    own, opponent = words(0x0000000810000000, 0x0000001008000000)
    assert int(key_of(own, opponent)) != int(key_of(opponent, own))
