"""Values learned by temporal differences: the small network, its file, and the evaluation that searches make of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import Expected, read_arrays, write_arrays
from plyground.core.game import Game
from plyground.core.rules import planes, planes_shape
from plyground.errors import BadOption, FormatError

__all__ = ["ValueNet", "load_value", "result_steps", "save_value", "value_function"]

MOST_POINTS = 16
"""Games won by more, as with a doubling cube, are learned with one output."""


class ValueNet(NamedTuple):
    """outputs = tanh(out . tanh(first . planes + bias) + direct . planes + constant), for whom the planes show.

    Shapes: first (inputs, hidden), bias (hidden,), out (hidden, outputs), direct (inputs, outputs), constant
    (outputs,). Linear without `hidden`. Each output is a bet on the result, see `result_steps`; the value is their
    weighted sum.
    """

    first: NDArray[np.float32]
    bias: NDArray[np.float32]
    out: NDArray[np.float32]
    direct: NDArray[np.float32]
    constant: NDArray[np.float32]


def result_steps(game: Game) -> NDArray[np.float32]:
    """What each output counts in the value, which is from -1 for the worst result to 1 for the best one.

    One output is enough where a game is won or lost, or drawn. Where it can be won by 1, 2 or 3 points, there is one
    for each step from one result to the next: the chance to reach it, from -1 for none to 1. In backgammon these are
    not to lose three points, not to lose two, to win, to win two, to win three; TD-Gammon had such outputs too.
    """
    low, high = game.utilities
    if high != -low or not 1 < high <= MOST_POINTS or high != int(high):
        return np.ones(1, np.float32)
    results = [points for points in range(int(low), int(high) + 1) if points or game.draws]
    steps = np.diff(results) / (2 * high)
    return steps.astype(np.float32)


def save_value(path: Path, net: ValueNet, game: Game, games: int) -> None:
    """Write a network with what it has learned and from how many games."""
    write_arrays(path, spec=np.array(game.spec), games=np.array(games), **net._asdict())


def load_value(path: Path, game: Game) -> tuple[ValueNet, int]:
    """The network in a file, and the games it has learned from; `FormatError` if it is not one, or of another game."""
    known: Expected = {
        "spec": ("U", ()),
        "games": ("i8", ()),
        "first": ("f4", ("inputs", "hidden")),
        "bias": ("f4", ("hidden",)),
        "out": ("f4", ("hidden", "outputs")),
        "direct": ("f4", ("inputs", "outputs")),
        "constant": ("f4", ("outputs",)),
    }
    file = read_arrays(path, "file of learned values", known, hint="`plyground train td` makes one")
    net = ValueNet(*(np.ascontiguousarray(file[name]) for name in ValueNet._fields))
    spec, games = str(file["spec"]), int(file["games"])
    if not all(np.isfinite(part).all() for part in net):
        raise FormatError(f"{path} is not a file of learned values: a number in it is not finite")
    sizes = (math.prod(planes_shape(game.initial)), len(result_steps(game)))
    if spec != game.spec or net.direct.shape != sizes:
        raise BadOption(f"the values in {path} are for {spec}, not {game.spec}")
    return net, games


def value_function(path: Path, game: Game) -> Callable[[Any], float]:
    """The network in a file as an evaluation that searches compile: its weights become part of the machine code."""
    net, _ = load_value(path, game)
    first, bias, out, direct, constant = net
    inputs, hidden = first.shape
    outputs = len(constant)
    shape = planes_shape(game.initial)
    steps = result_steps(game) * np.float32(0.999 * max(map(abs, game.utilities)))

    def learned_value(state: Any) -> float:
        board = np.zeros(shape, np.float32)
        planes(state, board)
        seen = board.reshape(-1)
        totals = constant.copy()
        inner = np.zeros(hidden, np.float32)
        for i in range(inputs):
            if seen[i] != 0.0:
                for j in range(outputs):
                    totals[j] += seen[i] * direct[i, j]
                for k in range(hidden):
                    inner[k] += seen[i] * first[i, k]
        for k in range(hidden):
            unit = math.tanh(inner[k] + bias[k])
            for j in range(outputs):
                totals[j] += unit * out[k, j]
        value = 0.0
        for j in range(outputs):
            value += steps[j] * math.tanh(totals[j])
        return value

    return learned_value
