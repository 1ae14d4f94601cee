"""Midgame search: without selection it is minimax over the same evaluation, whatever the table, order and window."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from plyground.engines.reversi.endgame import CERTAIN
from plyground.engines.reversi.evaluation import evaluate
from plyground.engines.reversi.memory import Memory
from plyground.engines.reversi.midgame import known_move, search_root
from plyground.engines.reversi.patterns import write_features
from plyground.engines.reversi.probcut import CONFIDENCES, DEVIATIONS, PROBE_DEPTHS, PROBE_FROM, deviation
from plyground.engines.reversi.table import NO_MOVE, Table
from plyground.engines.reversi.weights import load_weights
from plyground.games.reversi.moves import flips, moves
from plyground.native.bits import bit_index
from plyground.native.compiling import compiled
from reversi_reference import START, random_position, squares_of, words


@compiled
def plain_value(own, opponent, depth, memory):
    """Minimax over the evaluation, its features from scratch at every leaf; a pass is not a ply."""
    empties = 64 - np.uint64(own | opponent).bit_count()
    if depth == 0:
        write_features(own, opponent, memory.features[empties])
        return evaluate(-64, 64, empties, memory)
    legal = moves(own, opponent)
    if not legal:
        if moves(opponent, own):
            return -plain_value(opponent, own, depth, memory)
        ours, theirs = own.bit_count(), opponent.bit_count()
        return 64 - 2 * theirs if ours > theirs else 2 * ours - 64 if ours < theirs else 0
    best = -99
    while legal:
        square = bit_index(legal)
        legal &= legal - np.uint64(1)
        flipped = flips(own, opponent, square)
        ours = own | flipped | np.uint64(1) << np.uint64(square)
        best = max(best, -plain_value(opponent ^ flipped, ours, depth - 1, memory))
    return best


def new_memory(size=1 << 20):
    memory = Memory(Table(size), load_weights(), np.zeros(1, np.int64))
    memory.record["confidence"] = CERTAIN
    memory.begin(1, None)
    return memory


def value(own, opponent, depth, memory, alpha=-64, beta=64):
    return int(search_root(*words(own, opponent), alpha, beta, depth, memory.record))


def positions(seed, count, least=14, most=56):
    """Where the search is not to the end, and nobody has nearly won: stable discs then bound no value."""
    rng = random.Random(seed)
    scratch = new_memory(64)
    found = []
    while len(found) < count:
        own, opponent = random_position(rng, rng.randint(least, most))
        if abs(int(plain_value(*words(own, opponent), 1, scratch.record))) < 16:
            found.append((own, opponent))
    return found


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_without_selection_the_value_is_that_of_minimax(depth):
    scratch = new_memory(64)
    for own, opponent in positions(depth, 25, least=depth + 16):
        plain = int(plain_value(*words(own, opponent), depth, scratch.record))
        assert value(own, opponent, depth, new_memory()) == plain


@pytest.mark.parametrize("depth", [2, 4])
def test_any_window_gives_the_value_or_a_bound(depth):
    scratch, rng = new_memory(64), random.Random(depth)
    for own, opponent in positions(20 + depth, 10, least=20):
        plain = int(plain_value(*words(own, opponent), depth, scratch.record))
        for _ in range(8):
            alpha, beta = sorted(rng.sample(range(-40, 41), 2))
            found = value(own, opponent, depth, new_memory(), alpha, beta)
            if alpha < plain < beta:
                assert found == plain
            elif plain <= alpha:
                assert plain <= found <= alpha
            else:
                assert beta <= found <= plain


@pytest.mark.parametrize("size", [64, 1 << 10, 1 << 14, 1 << 20])
def test_the_size_of_the_table_does_not_change_values(size):
    for own, opponent in positions(31, 6, least=30):
        assert value(own, opponent, 7, new_memory(size)) == value(own, opponent, 7, new_memory(1 << 22))


@pytest.mark.parametrize("size", [64, 1 << 12])
def test_the_size_of_the_table_does_not_change_scores(size):
    for own, opponent in positions(32, 6, least=13, most=15):
        assert value(own, opponent, 64, new_memory(size)) == value(own, opponent, 64, new_memory(1 << 22))


def test_a_table_that_is_warm_from_other_positions_does_not_change_values():
    warm = new_memory()
    for own, opponent in positions(33, 12, least=30):
        assert value(own, opponent, 6, warm) == value(own, opponent, 6, new_memory())


def test_the_table_knows_a_move_that_has_the_value():
    scratch = new_memory(64)
    for own, opponent in positions(34, 12, least=22):
        memory = new_memory()
        found = value(own, opponent, 4, memory)
        move = int(known_move(*words(own, opponent), memory.record))
        assert move in squares_of(moves(*words(own, opponent)))
        flipped = int(flips(*words(own, opponent), move))
        after = words(opponent & ~flipped, own | flipped | 1 << move)
        assert -int(plain_value(*after, 3, scratch.record)) == found


def test_of_an_unknown_position_no_move_is_known():
    assert int(known_move(*words(*START), new_memory().record)) == NO_MOVE


def test_symmetric_starts_are_worth_the_same():
    """After each of the four first moves the board is the same but for a symmetry."""
    own, opponent = START
    values = set()
    for square in squares_of(moves(*words(own, opponent))):
        flipped = int(flips(*words(own, opponent), square))
        values.add(value(opponent & ~flipped, own | flipped | 1 << square, 6, new_memory()))
    assert len(values) == 1


def test_a_node_limit_halts_the_search():
    memory = new_memory()
    memory.begin(2, 500)
    search_root(*words(*START), -64, 64, 12, memory.record)
    assert memory.record["halted"]
    assert memory.record["nodes"] < 2000
    memory.begin(3, None)
    assert value(*START, 4, memory) == value(*START, 4, new_memory())


def test_the_signal_halts_the_search():
    signal = np.ones(1, np.int64)
    memory = Memory(Table(1 << 16), load_weights(), signal)
    search_root(*words(*START), -64, 64, 20, memory.record)
    assert memory.record["halted"]


# Selection --------------------------------------------------------------------------------------------------------


def test_probes_are_shallower_and_see_the_same_side_to_move():
    for depth in range(PROBE_FROM, 61):
        shallow = int(PROBE_DEPTHS[depth])
        assert 0 <= shallow < depth
        assert (depth - shallow) % 2 == 0


def test_each_confidence_is_wider_than_the_one_before():
    assert list(DEVIATIONS) == sorted(DEVIATIONS)
    assert len(CONFIDENCES) == len(DEVIATIONS) + 1 == CERTAIN + 1
    for deviations, text in zip(DEVIATIONS, CONFIDENCES, strict=False):
        share = math.erf(deviations / math.sqrt(2))
        assert abs(100 * share - float(text.rstrip("%"))) < 0.6


def test_deeper_probes_predict_better():
    for empties in (20, 30, 40, 50):
        for depth in range(6, 21, 2):
            near, far = float(deviation(empties, depth, depth - 2)), float(deviation(empties, depth, 0))
            assert 0 < near < far < 20


def test_selective_values_are_near_the_full_ones_and_cost_less():
    full_nodes = selective_nodes = 0
    errors = []
    for own, opponent in positions(41, 8, least=24, most=44):
        full, selective = new_memory(), new_memory()
        selective.record["confidence"], selective.record["deviations"] = 0, DEVIATIONS[0]
        errors.append(abs(value(own, opponent, 10, full) - value(own, opponent, 10, selective)))
        full_nodes += int(full.record["nodes"])
        selective_nodes += int(selective.record["nodes"])
    assert selective_nodes < full_nodes / 2
    assert sum(errors) / len(errors) < 3
