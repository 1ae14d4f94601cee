"""Fitting the network that corrects the sum of weights: one pass over all positions, in an order that a seed decides.

The numbers of the patterns are shared by all stages of the game, so that each is seen often; what is made of them is
the head's, and each stage has one. Numbers learn at once from every position in which their pattern occurs, the less
the more they have moved before (J. Duchi, E. Hazan and Y. Singer, "Adaptive subgradient methods", JMLR 12, 2011);
heads learn from batches of their own stage (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015).
The loss is that of the weights: the square of an error up to some discs, beyond them in proportion.

A second pass would overfit to the positions: the error on games that were held out grows again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.engines.reversi.correction import (
    INPUT_SCALE,
    INPUTS,
    NUMBER_CENTRES,
    NUMBER_FEATURES,
    NUMBERS,
    ROWS,
    UNITS,
    Network,
    canonical_rows,
    quantised,
)
from plyground.engines.reversi.evaluation import STAGES, UNIT
from plyground.engines.reversi.patterns import CENTRES, FEATURES, write_features
from plyground.engines.reversi.positions import Sample
from plyground.engines.reversi.training import stage_empties
from plyground.native.compiling import compiled

__all__ = ["NetworkTraining", "fit_network"]

Singles = NDArray[np.float32]
OUTPUT = 8.0
"""What an output of 1 is worth, in discs."""
STEPS = 200
"""The rates fall in this many steps."""


@dataclass(frozen=True)
class NetworkTraining:
    """How the network is fitted.

    `least_empties`: it learns nothing from positions with fewer empty squares, which are solved before they are judged.
    `number_rate` and `head_rate`: how fast they learn at first; both rates fall to nearly 0. `batch`: positions in a
    step of a head. `most_count`: a position counts at most this many times, however often it occurs. `width`: in discs,
    up to where the square of an error counts. `history`: what a number is taken to have moved before it was seen.
    """

    least_empties: int = 7
    number_rate: float = 0.05
    head_rate: float = 2e-3
    batch: int = 512
    most_count: int = 4
    width: float = 6.0
    history: float = 10.0
    seed: int = 1


def fit_network(
    samples: Sequence[Sample],
    weights: NDArray[np.int16],
    training: NetworkTraining,
    on_step: Callable[[int, int], None] = lambda done, of: None,
) -> Network:
    """The network for these weights, from the positions by their number of empty squares.

    `on_step` is called before each step with how many are done of how many.
    """
    rng = np.random.default_rng(training.seed)
    numbers = rng.normal(size=(ROWS, NUMBERS), scale=0.02).astype(np.float32)
    history = np.full_like(numbers, training.history)
    layer = np.empty((STAGES, INPUTS, UNITS), np.float32)
    layer[:] = rng.normal(size=(INPUTS, UNITS)) / INPUTS**0.5
    output = np.zeros((STAGES, UNITS + 1), np.float32)
    moments = [np.zeros_like(array) for array in (layer, output) for _ in range(2)]
    taken = np.zeros(STAGES, np.int64)
    batches = _batches(samples, training, rng)
    for step in range(STEPS):
        on_step(step, STEPS)
        some = slice(step * len(batches) // STEPS, (step + 1) * len(batches) // STEPS)
        left = 1 - step / STEPS
        _learn(
            batches.own[some], batches.opponent[some], batches.score[some], batches.count[some], batches.stage[some],
            canonical_rows(), weights, numbers, history, layer, output,
            moments[0], moments[1], moments[2], moments[3], taken,
            np.float32(training.number_rate * left), np.float32(training.head_rate * left), np.float32(training.width),
        )  # fmt: skip
    return quantised(numbers[canonical_rows()], layer, output * np.float32(OUTPUT), UNIT)


@dataclass(frozen=True, eq=False)
class Batches:
    """n batches of positions, each of one stage: arrays of shape (n, batch), the stages (n,)."""

    own: NDArray[np.uint64]
    opponent: NDArray[np.uint64]
    score: Singles
    count: Singles
    stage: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.stage)


def _batches(samples: Sequence[Sample], training: NetworkTraining, rng: np.random.Generator) -> Batches:
    """All positions, those of a stage in a random order, cut into batches, and these in a random order as well."""
    size = training.batch
    parts: list[list[Any]] = [[], [], [], [], []]
    for stage in range(STAGES):
        members = [empties for empties in stage_empties(stage) if empties >= training.least_empties]
        some = [samples[empties] for empties in members]
        if not sum(map(len, some)):
            continue
        own, opponent, score, count = (
            np.concatenate([getattr(sample, name) for sample in some]) for name in ("own", "opponent", "score", "count")
        )
        whole = len(own) // size
        order = rng.permutation(len(own))[: whole * size].reshape(whole, size)
        for part, column in zip(parts, (own, opponent, score, np.minimum(count, training.most_count)), strict=False):
            part.append(column[order])
        parts[4].append(np.full(whole, stage))
    joined = [np.concatenate(part) for part in parts]
    order = rng.permutation(len(joined[4]))
    score, count = (column[order].astype(np.float32) for column in joined[2:4])
    return Batches(joined[0][order], joined[1][order], score, count, joined[4][order])


@compiled
def _learn(
    own: Any, opponent: Any, score: Any, count: Any, stages: Any, rows_of: Any, weights: Any,
    numbers: Any, history: Any, layer: Any, output: Any, layer_mean: Any, layer_square: Any, output_mean: Any,
    output_square: Any, taken: Any, number_rate: Any, head_rate: Any, width: Any,
) -> None:  # fmt: skip
    """Learn from some batches."""
    features = np.empty(FEATURES, np.int16)
    rows = np.empty(len(NUMBER_FEATURES), np.int64)
    inputs, units = np.empty(INPUTS, np.float32), np.empty(UNITS, np.float32)
    back, wanted = np.empty(INPUTS, np.float32), np.empty(UNITS, np.float32)
    turned = np.empty((UNITS, INPUTS), np.float32)
    layer_slope, output_slope = np.empty((INPUTS, UNITS), np.float32), np.empty(UNITS + 1, np.float32)
    for batch in range(len(own)):
        stage = stages[batch]
        first, last, table = layer[stage], output[stage], weights[stage]
        layer_slope[:], output_slope[:] = 0, 0
        for i in range(INPUTS):
            for unit in range(UNITS):
                turned[unit, i] = first[i, unit]
        for position in range(own.shape[1]):
            write_features(own[batch, position], opponent[batch, position], features)
            total = 0
            for feature in range(FEATURES):
                total += table[CENTRES[feature] + features[feature]]
            inputs[:] = 0
            for i in range(len(NUMBER_FEATURES)):
                row = rows_of[NUMBER_CENTRES[i] + features[NUMBER_FEATURES[i]]]
                rows[i] = row
                for number in range(NUMBERS):
                    inputs[number] += numbers[row, number]
            inputs[NUMBERS] = np.float32(total) / np.float32(4 * INPUT_SCALE)
            inputs[NUMBERS + 1] = np.float32(1)
            units[:] = 0
            for i in range(INPUTS):
                for unit in range(UNITS):
                    units[unit] += inputs[i] * first[i, unit]
            found = last[UNITS]
            for unit in range(UNITS):
                units[unit] = max(units[unit], np.float32(0))
                found += units[unit] * last[unit]
            error = np.float32(total) / np.float32(UNIT) + np.float32(OUTPUT) * found - score[batch, position]
            slope = max(-width, min(width, error)) * count[batch, position] * np.float32(OUTPUT)
            back[:] = 0
            for unit in range(UNITS):
                output_slope[unit] += slope * units[unit]
                wanted[unit] = slope * last[unit] if units[unit] > np.float32(0) else np.float32(0)
                for i in range(INPUTS):
                    back[i] += wanted[unit] * turned[unit, i]
            output_slope[UNITS] += slope
            for i in range(INPUTS):
                for unit in range(UNITS):
                    layer_slope[i, unit] += wanted[unit] * inputs[i]
            for i in range(len(rows)):
                for number in range(NUMBERS):
                    history[rows[i], number] += back[number] * back[number]
                    numbers[rows[i], number] -= number_rate * back[number] / np.sqrt(history[rows[i], number])
        taken[stage] += 1
        share = np.float32(1 / own.shape[1])
        rate = head_rate * np.float32(np.sqrt(1 - 0.999 ** taken[stage]) / (1 - 0.9 ** taken[stage]))
        for i in range(INPUTS):
            _step(first[i], layer_slope[i], layer_mean[stage, i], layer_square[stage, i], share, rate)
        _step(last, output_slope, output_mean[stage], output_square[stage], share, rate)


@compiled
def _step(parameters: Any, slopes: Any, mean: Any, square: Any, share: Any, rate: Any) -> None:
    """One step of Adam."""
    for i in range(len(parameters)):
        slope = slopes[i] * share
        mean[i] = np.float32(0.9) * mean[i] + np.float32(0.1) * slope
        square[i] = np.float32(0.999) * square[i] + np.float32(0.001) * slope * slope
        parameters[i] -= rate * mean[i] / (np.sqrt(square[i]) + np.float32(1e-8))
