"""The weights of the evaluation: the file in the package, and the table that a search reads.

The file holds, for every stage of the game, one weight for each pair of mirrored contents of a shape, in 1/16 disc,
compressed. The table has all contents side by side, so that a feature is an address.
"""

from __future__ import annotations

import io
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plyground.errors import FormatError
from plyground.files import write_file
from plyground.reversi.evaluation import STAGES, UNIT
from plyground.reversi.patterns import canonical_weights

__all__ = ["PACKAGED", "load_weights", "save_weights"]

PACKAGED = Path(__file__).with_name("weights.npz")
MOST = 16383


@cache
def load_weights(path: Path = PACKAGED) -> NDArray[np.int16]:
    """The table of weights, shape (stages, weights of a stage), in units of 1/16 disc."""
    canonical = canonical_weights()
    own = canonical == np.arange(len(canonical))
    places = (np.cumsum(own, dtype=np.int32) - 1)[canonical]
    shape = STAGES, int(own.sum())
    try:
        with np.load(path) as file:
            low, high = file["low"], file["high"]
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise FormatError(f"{path} is not a file of weights: {error}") from None
    for part in (low, high):
        if part.shape != shape or part.dtype != np.uint8:
            raise FormatError(f"{path} holds weights of another evaluation: {part.shape}, not {shape}")
    folded = high.astype(np.uint16)
    folded <<= 8
    folded |= low
    stored = (folded >> 1 ^ -(folded & 1)).view(np.int16)
    return np.take(stored, places, axis=1)


def save_weights(path: Path, weights: NDArray[np.float32]) -> None:
    """Write weights in discs, shape (stages, weights of a stage); of mirrored contents the canonical one counts.

    The sign goes to the lowest bit, and the two bytes of all weights to different arrays, of which the high one is
    nearly empty: so they pack into a third less.
    """
    own = np.unique(canonical_weights())
    whole = np.clip(np.round(weights[:, own] * UNIT), -MOST, MOST).astype(np.int16)
    data = io.BytesIO()
    folded = (whole << 1 ^ whole >> 15).astype(np.uint16)
    np.savez_compressed(data, low=(folded & 255).astype(np.uint8), high=(folded >> 8).astype(np.uint8))
    write_file(path, data.getvalue())
