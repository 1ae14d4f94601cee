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

__all__ = ["ValueNet", "load_value", "save_value", "value_function"]


class ValueNet(NamedTuple):
    """value = tanh(out . tanh(first . planes + bias) + direct . planes + constant), to the player to move.

    Shapes: first (inputs, hidden), bias and out (hidden,), direct (inputs,), constant (1,). Linear without `hidden`.
    """

    first: NDArray[np.float32]
    bias: NDArray[np.float32]
    out: NDArray[np.float32]
    direct: NDArray[np.float32]
    constant: NDArray[np.float32]


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
        "out": ("f4", ("hidden",)),
        "direct": ("f4", ("inputs",)),
        "constant": ("f4", (1,)),
    }
    file = read_arrays(path, "file of learned values", known, hint="`plyground train td` makes one")
    net = ValueNet(*(np.ascontiguousarray(file[name]) for name in ValueNet._fields))
    spec, games = str(file["spec"]), int(file["games"])
    if not all(np.isfinite(part).all() for part in net):
        raise FormatError(f"{path} is not a file of learned values: a number in it is not finite")
    if spec != game.spec or len(net.direct) != math.prod(planes_shape(game.initial)):
        raise BadOption(f"the values in {path} are for {spec}, not {game.spec}")
    return net, games


def value_function(path: Path, game: Game) -> Callable[[Any], float]:
    """The network in a file as an evaluation that searches compile: its weights become part of the machine code."""
    net, _ = load_value(path, game)
    first, bias, out, direct, constant = net
    inputs, hidden = first.shape
    shape = planes_shape(game.initial)

    def learned_value(state: Any) -> float:
        board = np.zeros(shape, np.float32)
        planes(state, board)
        seen = board.reshape(-1)
        total = float(constant[0])
        inner = np.zeros(hidden, np.float32)
        for i in range(inputs):
            if seen[i] != 0.0:
                total += seen[i] * direct[i]
                for k in range(hidden):
                    inner[k] += seen[i] * first[i, k]
        for k in range(hidden):
            total += math.tanh(inner[k] + bias[k]) * out[k]
        return 0.999 * math.tanh(total)

    return learned_value
