"""The weights of the evaluation: the file in the package, and the table that a search reads.

The file holds, for every stage of the game, one weight for each pair of mirrored contents of a shape, in 1/16 disc; and
the network, its numbers for each such pair once as well; all compressed. A file without a network is one that corrects
nothing. The tables have all contents side by side, so that a feature is an address.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import Expected, read_arrays, write_arrays
from plyground.engines.reversi.correction import HEAD, NUMBERS, Network, canonical_rows, no_network
from plyground.engines.reversi.evaluation import STAGES, UNIT
from plyground.engines.reversi.patterns import canonical_weights

__all__ = ["PACKAGED", "Weights", "load_weights", "save_weights", "whole_weights", "without_network"]

PACKAGED = Path(__file__).with_name("weights.npz")
MOST = 16383


class Weights(NamedTuple):
    """What an evaluation has learned: `patterns`, shape (stages, weights of a stage), in units of 1/16 disc."""

    patterns: NDArray[np.int16]
    network: Network


def without_network(patterns: NDArray[np.int16]) -> Weights:
    """The weights alone: the evaluation is their sum."""
    return Weights(patterns, no_network(len(patterns)))


@cache
def load_weights(path: Path = PACKAGED) -> Weights:
    """The tables of a file."""
    own, places = _stored(canonical_weights())
    rows, row_places = _stored(canonical_rows())
    known: Expected = {
        "low": ("u1", (STAGES, own)),
        "high": ("u1", (STAGES, own)),
        "numbers": ("i1", (rows, NUMBERS)),
        "heads": ("i2", (STAGES, HEAD)),
    }
    file = read_arrays(path, "file of weights", known, optional=("numbers", "heads"))
    network = Network(file["numbers"], file["heads"]) if len(file) == len(known) else None
    folded = file["high"].astype(np.uint16)
    folded <<= 8
    folded |= file["low"]
    patterns = np.take((folded >> 1 ^ -(folded & 1)).view(np.int16), places, axis=1)
    if network is None:
        return without_network(patterns)
    return Weights(patterns, Network(np.take(network.numbers, row_places, axis=0), network.heads))


def _stored(canonical: NDArray[np.int32]) -> tuple[int, NDArray[np.int32]]:
    """How many contents a file holds, and for each content its place among them."""
    own = canonical == np.arange(len(canonical))
    return int(own.sum()), (np.cumsum(own, dtype=np.int32) - 1)[canonical]


def whole_weights(patterns: NDArray[np.float32]) -> NDArray[np.int16]:
    """Weights in discs as the evaluation has them: in whole units of 1/16 disc."""
    return np.clip(np.round(patterns * UNIT), -MOST, MOST).astype(np.int16)


def save_weights(path: Path, weights: Weights) -> None:
    """Write a file; of mirrored contents the canonical one counts.

    The sign of a weight goes to the lowest bit, and the two bytes of all weights to different arrays, of which the high
    one is nearly empty: so they pack into a third less.
    """
    whole = weights.patterns[:, np.unique(canonical_weights())]
    folded = (whole << 1 ^ whole >> 15).astype(np.uint16)
    low, high = (folded & 255).astype(np.uint8), (folded >> 8).astype(np.uint8)
    numbers, heads = weights.network
    write_arrays(path, low=low, high=high, numbers=numbers[np.unique(canonical_rows())], heads=heads)
