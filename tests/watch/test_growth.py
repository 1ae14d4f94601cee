"""The growth laws of alpha-beta: theorems for the best and the worst order, and random trees between them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from plyground.errors import BadOption
from plyground.games.uniform import best_first, random_leaves, worst_leaves
from plyground.watch.growth import EXACT_LAW, fewest_leaves, growth_svg, leaves_seen, measure_growth

SIZES = [(b, d) for b, d in itertools.product((2, 3, 4, 5, 7, 10), range(1, 9)) if b**d <= 20_000]


def minimax(leaves, branching, depth):
    """The value of the root by its definition."""
    for level in range(depth - 1, -1, -1):
        families = leaves.reshape(-1, branching)
        leaves = families.max(axis=1) if level % 2 == 0 else families.min(axis=1)
    return leaves.item()


@pytest.mark.parametrize(("branching", "depth"), SIZES)
def test_with_the_best_order_as_few_leaves_are_seen_as_can_be(branching, depth):
    leaves = best_first(random_leaves(branching, depth, 7), branching)
    assert leaves_seen(leaves, branching, depth) == fewest_leaves(branching, depth)
    assert fewest_leaves(branching, depth) == branching ** (-(-depth // 2)) + branching ** (depth // 2) - 1


@pytest.mark.parametrize(("branching", "depth"), SIZES)
def test_with_the_worst_order_every_leaf_is_seen(branching, depth):
    leaves = worst_leaves(branching, depth)
    assert sorted(leaves) == list(range(branching**depth))
    assert leaves_seen(leaves, branching, depth) == branching**depth


@pytest.mark.parametrize(("branching", "depth"), [size for size in SIZES if size[1] > 1])
def test_a_random_order_is_between_them(branching, depth):
    seen = [leaves_seen(random_leaves(branching, depth, seed), branching, depth) for seed in range(5)]
    assert all(fewest_leaves(branching, depth) <= count <= branching**depth for count in seen)
    if branching**depth > 100:
        assert fewest_leaves(branching, depth) < sum(seen) / 5 < branching**depth


@pytest.mark.parametrize(("branching", "depth"), [(2, 6), (3, 5), (4, 4)])
def test_sorting_the_children_changes_the_order_and_not_the_tree(branching, depth):
    leaves = random_leaves(branching, depth, 3)
    ordered = best_first(leaves, branching)
    assert sorted(ordered) == sorted(leaves)
    assert minimax(ordered, branching, depth) == minimax(leaves, branching, depth)
    for size in (branching**level for level in range(1, depth + 1)):
        groups = {frozenset(group) for group in leaves.reshape(-1, size)}
        assert {frozenset(group) for group in ordered.reshape(-1, size)} == groups


def test_the_worst_child_first_is_not_yet_the_worst_order():
    """Why the worst tree is built and not sorted: a bound from far above cuts in a tree with random leaves."""
    best_last = np.ascontiguousarray(best_first(random_leaves(4, 5, 0), 4)[::-1])
    assert leaves_seen(best_last, 4, 5) < 4**5


def test_the_random_exponent_is_near_three_quarters():
    (row,) = measure_growth(4, [8], 10, 1)
    assert 0.7 < math.log(row.mean, 4) / 8 < 0.85


def test_any_whole_number_is_a_seed():
    assert sorted(random_leaves(2, 3, -1)) == sorted(random_leaves(2, 3, 2**70)) == list(range(8))


def test_a_row_for_each_depth():
    rows = measure_growth(3, range(1, 5), 4, seed=2)
    assert [row.depth for row in rows] == [1, 2, 3, 4]
    assert [row.best for row in rows] == [3, 5, 11, 17]
    assert [row.worst for row in rows] == [3, 9, 27, 81]
    assert all(len(row.random) == 4 for row in rows)
    assert rows == measure_growth(3, range(1, 5), 4, seed=2)
    assert rows != measure_growth(3, range(1, 5), 4, seed=9)


def test_progress_goes_to_the_end():
    parts: list[float] = []
    measure_growth(2, [3, 4], 3, 1, parts.append)
    assert parts == sorted(parts)
    assert 0 < parts[0] < parts[-1] <= 1


@pytest.mark.parametrize(
    ("branching", "depths", "trees"), [(1, [2], 1), (2, [], 1), (2, [0], 1), (2, [3], 0), (10, [9], 1)]
)
def test_sizes_that_make_no_sense_are_refused(branching, depths, trees):
    with pytest.raises(BadOption):
        measure_growth(branching, depths, trees, 0)


def test_the_picture_has_points_and_laws():
    svg = growth_svg([measure_growth(2, range(1, 6), 2, 1), measure_growth(3, range(1, 4), 2, 1)])
    for name in ("worst order", "random order", "best order", "b^d", "b^(3d/4)", EXACT_LAW, "2 moves", "3 moves"):
        assert name in svg
