"""Fitting the network to what the sum does not see, in positions that a teacher has judged. Needs the extra ``learn``.

What is learnt is not the score itself but the share of a win that it stands for, 1 / (1 + exp(-score / 400)): whether a
lost position is lost by nine pawns or by twelve matters little. A part of the target is how the game ended.

    loss = (share of sum and correction - target)^2, averaged over the positions

The steps are those of Adam (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015), with a rate that
falls to 0 along a cosine. They are taken on a GPU where PyTorch finds one; there a million positions take a tenth of a
second. On one machine nothing but the seed decides the order.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
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
from plyground.errors import MissingExtra
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled

try:
    import torch
except ImportError:
    raise MissingExtra("training networks needs PyTorch: pip install 'plyground[learn]'") from None

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
BLOCK = 1 << 16
"""Positions that are judged at a time, where nothing is learnt."""
WARM_UP = 200
"""Steps in which the rate rises to its height, or a tenth of all if those are fewer."""


@dataclass(frozen=True)
class NetworkTraining:
    """How the network is fitted.

    `passes` over all positions, in batches of `batch`; `rate` is that of Adam at its height. `result_share`: how much
    of the target is the game's result, the rest is the score.
    """

    passes: int = 20
    batch: int = 16_384
    rate: float = 1e-3
    result_share: float = 0.1
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


class Data:
    """Positions as the network sees them, where it is learnt; `targets` and the sums are shares and log-odds."""

    def __init__(self, positions: Positions, result_share: float) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        bits = np.zeros((len(positions), 2, 12), np.uint64)
        which = np.empty(len(positions), np.int64)
        _list_bits(positions.sets, positions.turns, bits, which)
        self._bits = self._placed(bits.view(np.uint8))  # a byte for each row of the board
        self._which = self._placed(which)
        self._sums = self._placed(sums_of(positions))
        self._targets = self._placed(targets_of(positions, result_share))
        self._bytes = (torch.arange(256)[:, None] >> torch.arange(8) & 1).to(self.device, torch.float32)

    def judge(self, parameters: list[Any], chosen: Any) -> Any:
        """The share of a win that the network sees in each of the chosen positions."""
        rows, constant_row, outputs, constants = parameters
        inputs = self._bytes[self._bits[chosen].int()].view(len(chosen), 2, INPUTS)
        units = (inputs @ rows + constant_row).clamp(0, 1).square().view(len(chosen), 2 * WIDTH)
        every = units @ outputs.T + constants
        return torch.sigmoid(every.gather(1, self._which[chosen, None])[:, 0] + self._sums[chosen])

    def loss(self, parameters: list[Any], chosen: Any) -> Any:
        return (self.judge(parameters, chosen) - self._targets[chosen]).square().mean()

    def _placed(self, array: NDArray[Any]) -> Any:
        return torch.from_numpy(array).to(self.device)


class Fit:
    """A network in the middle of being learnt: parameters, and what Adam remembers of them."""

    def __init__(self, seed: int, device: Any) -> None:
        rng = np.random.default_rng(seed)
        outputs = np.tile(rng.normal(size=2 * WIDTH, scale=0.05), (OUTPUTS, 1))
        first = (rng.normal(size=(INPUTS, WIDTH), scale=0.05), np.full(WIDTH, 0.1), outputs, np.zeros(OUTPUTS))
        self.parameters = [torch.tensor(a, dtype=torch.float32, device=device, requires_grad=True) for a in first]
        self._adam = torch.optim.Adam(self.parameters)

    def network(self) -> FloatNetwork:
        return FloatNetwork(*(parameter.detach().cpu().numpy().copy() for parameter in self.parameters))

    def step(self, data: Data, chosen: Any, rate: float) -> Any:
        """Learn from a batch; its loss before that."""
        for group in self._adam.param_groups:
            group["lr"] = rate
        loss = data.loss(self.parameters, chosen)
        self._adam.zero_grad(set_to_none=True)
        loss.backward()
        self._adam.step()
        with torch.no_grad():
            for parameter in self.parameters[:-1]:
                parameter.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)
        return loss.detach()

    def keep(self, path: Path, mark: str, passes: int, taken: int) -> None:
        """Write everything to a file, with the passes done and the steps taken."""
        arrays = {name: tensor.detach().cpu().numpy() for name, tensor in self._state()}
        write_arrays(path, compressed=False, fingerprint=np.array(mark), counts=np.array([passes, taken]), **arrays)

    def go_on(self, path: Path, mark: str) -> int:
        """Take over what another fit has kept, and return how many passes it had done; 0 if it was of other data."""
        for parameter in self.parameters:
            zeros = torch.zeros_like(parameter), torch.zeros_like(parameter)
            self._adam.state[parameter] = {"step": torch.zeros(()), "exp_avg": zeros[0], "exp_avg_sq": zeros[1]}
        known: dict[str, tuple[str, tuple[int | str, ...]]] = {"fingerprint": ("U", ()), "counts": ("i8", (2,))}
        known |= {name: ("f4", tuple(tensor.shape)) for name, tensor in self._state()}
        found = read_arrays(path, "checkpoint of a training", known, hint="delete it to start over")
        if str(found["fingerprint"]) != mark:
            self._adam.state.clear()
            return 0
        with torch.no_grad():
            for name, tensor in self._state():
                tensor.copy_(torch.from_numpy(found[name]))
        for parameter in self.parameters:
            self._adam.state[parameter]["step"] += int(found["counts"][1])
        return int(found["counts"][0])

    def _state(self) -> Iterator[tuple[str, Any]]:
        for number, parameter in enumerate(self.parameters):
            yield f"parameters{number}", parameter
            yield f"means{number}", self._adam.state[parameter]["exp_avg"]
            yield f"squares{number}", self._adam.state[parameter]["exp_avg_sq"]


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
    data = Data(positions, training.result_share)
    fit, mark = Fit(training.seed, data.device), fingerprint(positions, training)
    first = 0
    if checkpoint is not None and checkpoint.exists():
        first = fit.go_on(checkpoint, mark)
    size = min(training.batch, len(positions))
    steps = len(positions) // size
    total, lately = training.passes * steps, 0.0
    rising = min(WARM_UP, total // 10 + 1)
    for number in range(first, training.passes):
        order = np.random.default_rng([training.seed, number]).permutation(len(positions))
        there = torch.from_numpy(order).to(data.device)
        for step in range(steps):
            done = number * steps + step
            rate = training.rate * min(1, (done + 1) / rising) * 0.5 * (1 + math.cos(math.pi * done / total))
            loss = fit.step(data, there[step * size : (step + 1) * size], rate)
            if step % 16 == 0 or step == steps - 1:  # to ask for a number is to wait for the GPU
                lately = float(loss) if lately == 0 else 0.9 * lately + 0.1 * float(loss)
                on_step(done + 1, total, lately)
        if checkpoint is not None and number + 1 < training.passes:
            fit.keep(checkpoint, mark, number + 1, (number + 1) * steps)
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
    data = Data(positions, 0.0)
    parameters = [torch.from_numpy(array).to(data.device) for array in astuple(network)]
    with torch.no_grad():
        blocks = torch.split(torch.arange(len(positions), device=data.device), BLOCK)
        return np.concatenate([data.judge(parameters, block).cpu().numpy() for block in blocks])


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


@compiled
def _list_bits(sets: Any, turns: Any, bits: Any, which: Any) -> None:
    """Set the bits of the inputs that are on as both sides see the positions, and say which output judges them."""
    for i in range(len(turns)):
        white = sets[i, 6]
        pieces = 0
        for view in range(2):
            side = turns[i] ^ view
            king = bit_index(sets[i, 5] & (white if side == 0 else ~white))
            turn = turned(side, king)
            for kind in range(6):
                rest = sets[i, kind]
                pieces += popcount(rest)
                while rest:
                    square = bit_index(rest)
                    rest &= rest - np.uint64(1)
                    colour = 0 if white >> np.uint64(square) & np.uint64(1) else 1
                    number = input_number(side, colour, kind, square, turn)
                    bits[i, view, number >> 6] |= np.uint64(1) << np.uint64(number & 63)
        which[i] = output_number(pieces // 2)
