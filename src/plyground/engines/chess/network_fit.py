"""Fitting the network to positions that a teacher has judged.

What is learnt is not the score itself but the share of a win that it stands for, 1 / (1 + exp(-score / 400)): whether a
lost position is lost by nine pawns or by twelve matters little. A part of the target is how the game ended.

    loss = (share of the network - target)^2, averaged over the positions

Rows are sums of a row that all buckets of the king share and one of the bucket's own, so that what is seldom seen in
one bucket is learnt from the others. The steps are those of Adam (D. Kingma and J. Ba, "Adam: a method for stochastic
optimization", 2015), with a rate that falls to 0 along a cosine. Nothing but the seed decides the order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.engines.chess.network import (
    BUCKETS,
    INPUTS,
    LARGEST_SUM,
    OUTPUTS,
    SCALE,
    SIDE_INPUTS,
    WIDTH,
    Network,
    first_row,
    input_number,
    output_number,
    quantised,
    turned,
)
from plyground.engines.chess.positions import UNFINISHED, Positions
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled

__all__ = ["FloatNetwork", "NetworkTraining", "fit_network", "loss_of", "shares", "targets_of"]

Singles = NDArray[np.float32]
MOST_PIECES = 32
LANES = 16


@dataclass(frozen=True)
class NetworkTraining:
    """How the network is fitted.

    `passes` over all positions, in batches of `batch`; `rate` is that of Adam at the beginning. `result_share`: how
    much of the target is the game's result, the rest is the score. `decay`: how much of a bucket's own rows is lost in
    a step at the full rate.
    """

    passes: int = 20
    batch: int = 4096
    rate: float = 1e-3
    result_share: float = 0.1
    decay: float = 1e-4
    seed: int = 1


@dataclass(frozen=True, eq=False)
class FloatNetwork:
    """The parameters as they are learnt, in the shapes of `Network`, with 1 for 1."""

    rows: Singles
    constant_row: Singles
    outputs: Singles
    constants: Singles

    def quantised(self) -> Network:
        return quantised(self.rows, self.constant_row, self.outputs, self.constants)


def targets_of(positions: Positions, result_share: float) -> Singles:
    """The share of a win that each position is to have, between 0 and 1."""
    score = 1 / (1 + np.exp(-positions.scores.astype(np.float64) / SCALE))
    result = (positions.results.astype(np.float64) + 1) / 2
    known = positions.results != UNFINISHED
    return np.where(known, (1 - result_share) * score + result_share * result, score).astype(np.float32)


class Fit:
    """A network in the middle of being learnt: parameters, and what Adam remembers of them."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.shared = rng.normal(size=(SIDE_INPUTS, WIDTH), scale=0.1).astype(np.float32)
        self.own = np.zeros((INPUTS, WIDTH), np.float32)
        self.constant_row = np.full(WIDTH, 0.1, np.float32)
        self.outputs = rng.normal(size=(OUTPUTS, 2 * WIDTH), scale=0.05).astype(np.float32)
        self.outputs[:] = self.outputs[0]
        self.constants = np.zeros(OUTPUTS, np.float32)
        self._means = [np.zeros_like(array) for array in self.parameters]
        self._squares = [np.zeros_like(array) for array in self.parameters]
        self._slopes = [np.zeros_like(array) for array in self.parameters]
        self.rows = np.empty((INPUTS, WIDTH), np.float32)
        self._taken = 0
        self._put_together()

    @property
    def parameters(self) -> tuple[Singles, Singles, Singles, Singles, Singles]:
        return self.shared, self.own, self.constant_row, self.outputs, self.constants

    def network(self) -> FloatNetwork:
        return FloatNetwork(self.rows.copy(), self.constant_row.copy(), self.outputs.copy(), self.constants.copy())

    def step(self, sets: Any, turns: Any, targets: Any, rate: float, decay: float) -> float:
        """Learn from a batch; its loss before that."""
        shared, own, constant_row, outputs, constants = self._slopes
        for slopes in (own, constant_row, outputs, constants):
            slopes[:] = 0
        loss = _slopes_of(
            sets, turns, targets, self.rows, self.constant_row, self.outputs, self.constants,
            own, constant_row, outputs, constants,
        )  # fmt: skip
        np.sum(own.reshape(BUCKETS, SIDE_INPUTS, WIDTH), axis=0, out=shared)
        self._taken += 1
        scale = np.float32(1 / len(turns))
        pace = np.float32(rate * (1 - 0.999**self._taken) ** 0.5 / (1 - 0.9**self._taken))
        for number, array in enumerate(self.parameters):
            _adam(
                array.reshape(-1), self._slopes[number].reshape(-1), self._means[number].reshape(-1),
                self._squares[number].reshape(-1), scale, pace, np.float32(1 - decay * rate / 1e-3 * (number == 1)),
                np.float32(LARGEST_SUM if number > 1 else 1e9),
            )  # fmt: skip
        self._put_together()
        return loss / len(turns)

    def _put_together(self) -> None:
        np.add(self.own.reshape(BUCKETS, SIDE_INPUTS, WIDTH), self.shared, out=self.rows.reshape(BUCKETS, -1, WIDTH))
        np.clip(self.rows, -LARGEST_SUM, LARGEST_SUM, out=self.rows)


def fit_network(
    positions: Positions,
    training: NetworkTraining,
    on_step: Callable[[int, int, float], None] = lambda done, of, loss: None,
) -> FloatNetwork:
    """The network that these positions teach; `on_step` is told the steps done, of how many, and the loss lately."""
    fit, rng = Fit(training.seed), np.random.default_rng(training.seed)
    targets = targets_of(positions, training.result_share)
    size = min(training.batch, len(positions))
    steps = len(positions) // size
    total, done, lately = training.passes * steps, 0, 0.25
    for _ in range(training.passes):
        order = rng.permutation(len(positions))
        for start in range(0, steps * size, size):
            chosen = order[start : start + size]
            rate = training.rate * 0.5 * (1 + np.cos(np.pi * done / total))
            loss = fit.step(positions.sets[chosen], positions.turns[chosen], targets[chosen], rate, training.decay)
            lately += 0.01 * (loss - lately)
            done += 1
            on_step(done, total, lately)
    return fit.network()


def shares(network: FloatNetwork, positions: Positions) -> Singles:
    """The share of a win that the network sees in each position, for the side to move."""
    out = np.empty(len(positions), np.float32)
    _judge(
        positions.sets, positions.turns, network.rows, network.constant_row, network.outputs, network.constants, out
    )
    return 1 / (1 + np.exp(-out))


def loss_of(network: FloatNetwork, positions: Positions, result_share: float) -> float:
    """The loss on positions."""
    return float(np.mean((shares(network, positions) - targets_of(positions, result_share)) ** 2))


# Compiled -----------------------------------------------------------------------------------------------------------


@compiled
def list_inputs(sets: Any, side: int, out: Any) -> int:
    """Write the inputs that are on as a side sees the position, and return how many."""
    white = sets[6]
    king = bit_index(sets[5] & (white if side == 0 else ~white))
    turn, first = turned(side, king), first_row(side, king)
    count = 0
    for kind in range(6):
        rest = sets[kind]
        while rest:
            square = bit_index(rest)
            rest &= rest - np.uint64(1)
            colour = 0 if white >> np.uint64(square) & np.uint64(1) else 1
            out[count] = first + input_number(side, colour, kind, square, turn)
            count += 1
    return count


@compiled
def _sum_rows(rows: Any, constant_row: Any, inputs: Any, count: int, out: Any) -> None:
    for j in range(WIDTH):
        out[j] = constant_row[j]
    for i in range(count):
        row = rows[inputs[i]]
        for j in range(WIDTH):
            out[j] += row[j]


@compiled
def _weighted(sums: Any, output: Any, lanes: Any) -> None:
    """Add the squared units times an output's weights to the lanes."""
    for start in range(0, WIDTH, LANES):
        for lane in range(LANES):
            unit = min(max(sums[start + lane], np.float32(0)), np.float32(1))
            lanes[lane] += unit * unit * output[start + lane]


@compiled
def _total(lanes: Any) -> Any:
    total = np.float32(0)
    for lane in range(LANES):
        total += lanes[lane]
        lanes[lane] = np.float32(0)
    return total


@compiled
def _judge(
    sets: Any, turns: Any, rows: Any, constant_row: Any, outputs: Any, constants: Any, out: Any
) -> None:
    """Write the output of each position."""
    inputs = np.empty(MOST_PIECES, np.int64)
    sums = np.empty(WIDTH, np.float32)
    lanes = np.zeros(LANES, np.float32)
    for i in range(len(sets)):
        which = 0
        for view in range(2):
            count = list_inputs(sets[i], turns[i] ^ view, inputs)
            which = output_number(count)
            _sum_rows(rows, constant_row, inputs, count, sums)
            _weighted(sums, outputs[which][view * WIDTH : (view + 1) * WIDTH], lanes)
        out[i] = _total(lanes) + constants[which]


@compiled
def _slopes_of(
    sets: Any, turns: Any, targets: Any, rows: Any, constant_row: Any, outputs: Any, constants: Any,
    row_slopes: Any, constant_row_slopes: Any, output_slopes: Any, constant_slopes: Any,
) -> float:  # fmt: skip
    """Add the slopes of the loss to those arrays, and return the loss of all positions together."""
    inputs = np.empty((2, MOST_PIECES), np.int64)
    sums = np.empty((2, WIDTH), np.float32)
    back = np.empty(WIDTH, np.float32)
    lanes = np.zeros(LANES, np.float32)
    loss = 0.0
    for i in range(len(sets)):
        count = 0
        for view in range(2):
            count = list_inputs(sets[i], turns[i] ^ view, inputs[view])
            _sum_rows(rows, constant_row, inputs[view], count, sums[view])
        which = output_number(count)
        for view in range(2):
            _weighted(sums[view], outputs[which][view * WIDTH : (view + 1) * WIDTH], lanes)
        share = 1 / (1 + np.exp(-(_total(lanes) + constants[which])))
        error = share - targets[i]
        loss += error * error
        slope = np.float32(2 * error * share * (1 - share))
        constant_slopes[which] += slope
        for view in range(2):
            some, output = sums[view], outputs[which][view * WIDTH : (view + 1) * WIDTH]
            output_slope = output_slopes[which][view * WIDTH : (view + 1) * WIDTH]
            for j in range(WIDTH):
                unit = min(max(some[j], np.float32(0)), np.float32(1))
                output_slope[j] += slope * unit * unit
                inside = np.float32(1) if some[j] < np.float32(1) else np.float32(0)
                back[j] = slope * output[j] * np.float32(2) * unit * inside
                constant_row_slopes[j] += back[j]
            for n in range(count):
                row = row_slopes[inputs[view, n]]
                for j in range(WIDTH):
                    row[j] += back[j]
    return loss


@compiled
def _adam(
    parameters: Any, slopes: Any, means: Any, squares: Any, scale: Any, rate: Any, kept: Any, most: Any
) -> None:
    """One step of Adam, with a decay, for parameters up to `most`."""
    for i in range(len(parameters)):
        slope = slopes[i] * scale
        means[i] = np.float32(0.9) * means[i] + np.float32(0.1) * slope
        squares[i] = np.float32(0.999) * squares[i] + np.float32(0.001) * slope * slope
        new = parameters[i] * kept - rate * means[i] / (np.sqrt(squares[i]) + np.float32(1e-8))
        parameters[i] = min(max(new, -most), most)
