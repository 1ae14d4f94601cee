"""The engine's sum: the same for both colours and by every way, linear in its weights, which are learnt."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plyground import actions, result
from plyground.engines.chess.evaluation import (
    COUNTS,
    PLACE,
    endgame_of,
    fill_weights,
    full_count,
    load_weights,
    middlegame_of,
    save_weights,
)
from plyground.engines.chess.evaluation_fit import Weights, counts_of, fit_weights, loss_of_shares, sum_memory, sums_of
from plyground.engines.chess.judging import begin_evaluation, carry_evaluation, evaluate
from plyground.engines.chess.memory import Memory
from plyground.engines.chess.positions import UNFINISHED, Positions, board_in
from plyground.engines.chess.search import board_of
from plyground.engines.chess.table import Table
from plyground.errors import FormatError
from plyground.games.chess import chess
from plyground.games.chess.board import colours_exchanged
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, stream

SETS = ("pawns", "knights", "bishops", "rooks", "queens", "kings", "white")


@pytest.fixture(scope="module")
def games() -> list[list[Any]]:
    """The positions of some random games, in order."""
    rng, played = stream(11, 0), []
    for _ in range(12):
        states = [chess().initial]
        while options := actions(states[-1]):
            states.append(result(states[-1], options[random_below(rng, len(options))]))
        played.append(states)
    return played


@pytest.fixture(scope="module")
def positions(games: list[list[Any]]) -> Positions:
    """The same in columns, judged by the material alone."""
    states = [state for states in games for state in states[:-1]]
    sets = np.array([[getattr(state, name) for name in SETS] for state in states], np.uint64)
    turns = np.array([state.turn for state in states], np.uint8)
    ours, all_pieces = sets[:, 6], np.bitwise_or.reduce(sets[:, :6], axis=1)
    scores = np.zeros(len(states))
    for kind, worth in enumerate((100, 320, 340, 510, 980)):
        scores += worth * (np.bitwise_count(sets[:, kind] & ours).astype(int))
        scores -= worth * (np.bitwise_count(sets[:, kind] & (all_pieces ^ ours)).astype(int))
    scores = np.where(turns == 0, scores, -scores).astype(np.int16)
    nothing = np.full(len(states), UNFINISHED, np.int8)
    number = np.concatenate([np.full(len(states) - 1, i) for i, states in enumerate(games)]).astype(np.int32)
    return Positions(sets, turns, scores, nothing, np.ones(len(turns), np.uint8), number)


@compiled
def both_ways(memory: Any, before: Any, after: Any, turned: Any, out: Any) -> None:
    begin_evaluation(memory, board_of(before), 0)
    carry_evaluation(memory, board_of(before), board_of(after), 0)
    out[0] = evaluate(memory, board_of(after), 1)
    begin_evaluation(memory, board_of(after), 2)
    out[1] = evaluate(memory, board_of(after), 2)
    begin_evaluation(memory, board_of(turned), 3)
    out[2] = evaluate(memory, board_of(turned), 3)


def test_a_value_does_not_depend_on_the_way_or_on_the_colours(games: list[list[Any]]) -> None:
    memory, out = Memory(Table(1 << 16), np.zeros(16, np.int64)).record, np.zeros(3, np.int64)
    for states in games:
        for before, after in pairwise(states):
            both_ways(memory, before, after, colours_exchanged(after), out)
            assert out[0] == out[1]
            assert abs(out[2] - out[1]) <= 3  # of what is not whole, the lower number is taken


@compiled
def sum_all(memory: Any, sets: Any, turns: Any, out: Any) -> None:
    for i in range(len(sets)):
        total = full_count(memory, board_in(sets[i], turns[i]))
        out[i, 0], out[i, 1] = middlegame_of(total), endgame_of(total)


def test_the_sum_is_counts_times_weights(positions: Positions) -> None:
    some, rng = positions[::17], np.random.default_rng(1)
    middlegame, endgame = rng.integers(-90, 90, (2, COUNTS)).astype(np.int16)
    counts = counts_of(some, lambda done, of: None).astype(np.int64)
    memory, out = sum_memory(), np.zeros((len(some), 2), np.int64)
    fill_weights(memory, middlegame, endgame)
    sum_all(memory, some.sets, some.turns, out)
    assert np.array_equal(out[:, 0], middlegame @ counts)
    assert np.array_equal(out[:, 1], endgame @ counts)


def test_weights_that_made_the_scores_are_found(positions: Positions) -> None:
    weights = fit_weights(positions)
    assert loss_of_shares(sums_of(positions, weights), positions) < 0.0003
    no_weights = Weights(np.zeros(COUNTS, np.int16), np.zeros(COUNTS, np.int16))
    assert loss_of_shares(sums_of(positions, no_weights), positions) > 0.01
    assert abs(int(weights.middlegame[PLACE["to_move"]])) < 15


def test_a_file_of_weights_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    numbers = np.arange(COUNTS, dtype=np.int16)
    save_weights(path, numbers, -numbers)
    middlegame, endgame = load_weights(path)
    assert np.array_equal(middlegame, numbers)
    assert np.array_equal(endgame, -numbers)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(FormatError, match="file of weights for chess"):
        load_weights(path)
