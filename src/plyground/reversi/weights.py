"""The weights of the evaluation: the file in the package, and the table that a search reads.

The file holds, for every stage of the game, one weight for each pair of mirrored contents of a shape, in 1/32 disc,
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
MOST = 32767


@cache
def load_weights(path: Path = PACKAGED) -> NDArray[np.int16]:
    """The table of weights, shape (stages, weights of a stage), in units of 1/32 disc."""
    own, places = np.unique(canonical_weights(), return_inverse=True)
    try:
        with np.load(path) as file:
            stored = file["weights"]
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise FormatError(f"{path} is not a file of weights: {error}") from None
    if stored.shape != (STAGES, len(own)) or stored.dtype != np.int16:
        raise FormatError(f"{path} holds weights of another evaluation: {stored.shape}, not {(STAGES, len(own))}")
    return np.ascontiguousarray(stored[:, places])


def save_weights(path: Path, weights: NDArray[np.float32]) -> None:
    """Write weights in discs, shape (stages, weights of a stage); of mirrored contents the canonical one counts."""
    own = np.unique(canonical_weights())
    whole = np.clip(np.round(weights[:, own] * UNIT), -MOST, MOST).astype(np.int16)
    data = io.BytesIO()
    np.savez_compressed(data, weights=whole)
    write_file(path, data.getvalue())
