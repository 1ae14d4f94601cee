"""Fitting the network to what the sum does not see, in positions that a teacher has judged.

What is learnt is not the score itself but the share of a win that it stands for, 1 / (1 + exp(-score / 400)): whether a
lost position is lost by nine pawns or by twelve matters little. A part of the target is how the game ended.

    loss = (share of sum and correction - target)^2, averaged over the positions

The steps are those of Adam (D. Kingma and J. Ba, "Adam: a method for stochastic
optimization", 2015), with a rate that falls to 0 along a cosine. Nothing but the seed decides the order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import read_arrays, write_arrays
from plyground.engines.chess.evaluation_fit import loss_of_shares, sums_of, targets_of
from plyground.engines.chess.network import (
    INPUTS,
    LARGEST_WEIGHT,
    OUTPUTS,
    SCALE,
    WIDTH,
    Network,
    input_number,
    network_values,
    output_number,
    quantised,
    turned,
)
from plyground.engines.chess.positions import Positions
from plyground.native.bits import bit_index
from plyground.native.compiling import compiled

__all__ = [
    "FloatNetwork",
    "NetworkTraining",
    "fit_network",
    "loss_of",
    "loss_of_nothing",
    "loss_of_sum",
    "quantised_loss",
    "shares",
    "targets_of",
]

Singles = NDArray[np.float32]
MOST_PIECES = 32
LANES = 16


@dataclass(frozen=True)
class NetworkTraining:
    """How the network is fitted.

    `passes` over all positions, in batches of `batch`; `rate` is that of Adam at the beginning. `result_share`: how
    much of the target is the game's result, the rest is the score. `decay`: the part of the rows that is lost in a step
    at the full rate.
    """

    passes: int = 6
    batch: int = 4096
    rate: float = 1e-3
    result_share: float = 0.1
    decay: float = 3e-3
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


class Fit:
    """A network in the middle of being learnt: parameters, and what Adam remembers of them."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.rows = rng.normal(size=(INPUTS, WIDTH), scale=0.1).astype(np.float32)
        self.constant_row = np.full(WIDTH, 0.1, np.float32)
        self.outputs = np.zeros((OUTPUTS, 2 * WIDTH), np.float32)
        self.outputs[:, :] = rng.normal(size=2 * WIDTH, scale=0.02)
        self.constants = np.zeros(OUTPUTS, np.float32)
        self._means = [np.zeros_like(array) for array in self.parameters]
        self._squares = [np.zeros_like(array) for array in self.parameters]
        self._slopes = [np.zeros_like(array) for array in self.parameters]
        self._taken = 0

    @property
    def parameters(self) -> tuple[Singles, Singles, Singles, Singles]:
        return self.rows, self.constant_row, self.outputs, self.constants

    def network(self) -> FloatNetwork:
        return FloatNetwork(self.rows.copy(), self.constant_row.copy(), self.outputs.copy(), self.constants.copy())

    def step(self, sets: Any, turns: Any, sums: Any, targets: Any, rate: float, decay: float) -> float:
        """Learn from a batch; its loss before that."""
        for slopes in self._slopes:
            slopes[:] = 0
        rows, constant_row, outputs, constants = self._slopes
        loss = _slopes_of(
            sets, turns, sums, targets, self.rows, self.constant_row, self.outputs, self.constants,
            rows, constant_row, outputs, constants,
        )  # fmt: skip
        self._taken += 1
        scale = np.float32(1 / len(turns))
        pace = np.float32(rate * (1 - 0.999**self._taken) ** 0.5 / (1 - 0.9**self._taken))
        for number, array in enumerate(self.parameters):
            slope, mean, square = (kept[number].reshape(-1) for kept in (self._slopes, self._means, self._squares))
            left = np.float32(1 - decay if number == 0 else 1)
            _adam(array.reshape(-1), slope, mean, square, scale, pace, left, np.float32(LARGEST_WEIGHT))
        return loss / len(turns)

    def keep(self, path: Path, mark: str, passes: int) -> None:
        """Write everything to a file, with the passes done."""
        state = {f"{name}{number}": array for name, arrays in self._state() for number, array in enumerate(arrays)}
        counts = np.array([passes, self._taken])
        write_arrays(path, compressed=False, fingerprint=np.array(mark), counts=counts, **state)

    def go_on(self, path: Path, mark: str) -> int:
        """Take over what another fit has kept, and return how many passes it had done; 0 if it was of other data."""
        known: dict[str, tuple[str, tuple[int | str, ...]]] = {"fingerprint": ("U", ()), "counts": ("i8", (2,))}
        for name, arrays in self._state():
            known |= {f"{name}{number}": ("f4", array.shape) for number, array in enumerate(arrays)}
        found = read_arrays(path, "checkpoint of a training", known, hint="delete it to start over")
        if str(found["fingerprint"]) != mark:
            return 0
        for name, arrays in self._state():
            for number, array in enumerate(arrays):
                array[:] = found[f"{name}{number}"]
        self._taken = int(found["counts"][1])
        return int(found["counts"][0])

    def _state(self) -> tuple[tuple[str, Sequence[Singles]], ...]:
        return ("parameters", self.parameters), ("means", self._means), ("squares", self._squares)


def fit_network(
    positions: Positions,
    training: NetworkTraining,
    on_step: Callable[[int, int, float], None] = lambda done, of, loss: None,
    checkpoint: Path | None = None,
) -> FloatNetwork:
    """The network that these positions teach; `on_step` is told the steps done, of how many, and the loss lately.

    After each pass the state of the work is written to the `checkpoint`, if one is given; a fit of the same positions
    with the same settings goes on from there, and comes to the same network as one that was never interrupted.
    """
    fit, mark = Fit(training.seed), fingerprint(positions, training)
    first = 0
    if checkpoint is not None and checkpoint.exists():
        first = fit.go_on(checkpoint, mark)
    targets, sums = targets_of(positions, training.result_share), sums_of(positions)
    size = min(training.batch, len(positions))
    steps = len(positions) // size
    total, lately = training.passes * steps, 0.0
    for number in range(first, training.passes):
        order = np.random.default_rng([training.seed, number]).permutation(len(positions))
        for step in range(steps):
            chosen, done = order[step * size : (step + 1) * size], number * steps + step
            left = 0.5 * (1 + np.cos(np.pi * done / total))
            batch = positions.sets[chosen], positions.turns[chosen], sums[chosen], targets[chosen]
            loss = fit.step(*batch, training.rate * left, training.decay * left)
            lately = loss if lately == 0 else 0.99 * lately + 0.01 * loss
            on_step(done + 1, total, lately)
        if checkpoint is not None and number + 1 < training.passes:
            fit.keep(checkpoint, mark, number + 1)
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    return fit.network()


def fingerprint(positions: Positions, training: NetworkTraining) -> str:
    """A text that differs if anything does on which the network depends."""
    shape = INPUTS, OUTPUTS, WIDTH, SCALE
    digest = hashlib.sha256(repr((shape, astuple(training))).encode())
    for array in (positions.sets, positions.turns, positions.scores, positions.results):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def shares(network: FloatNetwork, positions: Positions) -> Singles:
    """The share of a win that the network sees in each position, for the side to move."""
    out = np.empty(len(positions), np.float32)
    _judge(positions.sets, positions.turns, network.rows, network.constant_row, network.outputs, network.constants, out)
    found: Singles = 1 / (1 + np.exp(-(sums_of(positions) + out)))
    return found


def loss_of(network: FloatNetwork, positions: Positions) -> float:
    """The loss on positions, against the scores alone."""
    return float(np.mean((shares(network, positions) - targets_of(positions, 0.0)) ** 2))


def loss_of_sum(positions: Positions) -> float:
    """The same of the sum alone."""
    return loss_of_shares(sums_of(positions), positions)


def loss_of_nothing(positions: Positions) -> float:
    """The same of who takes every position to be even."""
    return float(np.mean((0.5 - targets_of(positions, 0.0)) ** 2))


def quantised_loss(network: Network, positions: Positions) -> float:
    """The same of a network in whole numbers."""
    found = 1 / (1 + np.exp(-(sums_of(positions) + network_values(network, positions.sets, positions.turns) / SCALE)))
    return float(np.mean((found - targets_of(positions, 0.0)) ** 2))


# Compiled -----------------------------------------------------------------------------------------------------------


@compiled
def list_inputs(sets: Any, side: int, out: Any) -> int:
    """Write the inputs that are on as a side sees the position, and return how many."""
    white = sets[6]
    king = bit_index(sets[5] & (white if side == 0 else ~white))
    turn = turned(side, king)
    count = 0
    for kind in range(6):
        rest = sets[kind]
        while rest:
            square = bit_index(rest)
            rest &= rest - np.uint64(1)
            colour = 0 if white >> np.uint64(square) & np.uint64(1) else 1
            out[count] = input_number(side, colour, kind, square, turn)
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
def _judge(sets: Any, turns: Any, rows: Any, constant_row: Any, outputs: Any, constants: Any, out: Any) -> None:
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
    sets: Any, turns: Any, sums: Any, targets: Any, rows: Any, constant_row: Any, outputs: Any, constants: Any,
    row_slopes: Any, constant_row_slopes: Any, output_slopes: Any, constant_slopes: Any,
) -> float:  # fmt: skip
    """Add the slopes of the loss to those arrays, and return the loss of all positions together."""
    inputs = np.empty((2, MOST_PIECES), np.int64)
    both = np.empty((2, WIDTH), np.float32)
    back = np.empty(WIDTH, np.float32)
    lanes = np.zeros(LANES, np.float32)
    loss = 0.0
    for i in range(len(sets)):
        count = 0
        for view in range(2):
            count = list_inputs(sets[i], turns[i] ^ view, inputs[view])
            _sum_rows(rows, constant_row, inputs[view], count, both[view])
        which = output_number(count)
        for view in range(2):
            _weighted(both[view], outputs[which][view * WIDTH : (view + 1) * WIDTH], lanes)
        share = 1 / (1 + np.exp(-(sums[i] + _total(lanes) + constants[which])))
        error = share - targets[i]
        loss += error * error
        slope = np.float32(2 * error * share * (1 - share))
        constant_slopes[which] += slope
        for view in range(2):
            some, output = both[view], outputs[which][view * WIDTH : (view + 1) * WIDTH]
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
def _adam(parameters: Any, slopes: Any, means: Any, squares: Any, scale: Any, rate: Any, kept: Any, most: Any) -> None:
    """One step of Adam, with a decay, for parameters up to `most`."""
    for i in range(len(parameters)):
        slope = slopes[i] * scale
        means[i] = np.float32(0.9) * means[i] + np.float32(0.1) * slope
        squares[i] = np.float32(0.999) * squares[i] + np.float32(0.001) * slope * slope
        new = parameters[i] * kept - rate * means[i] / (np.sqrt(squares[i]) + np.float32(1e-8))
        parameters[i] = min(max(new, -most), most)
