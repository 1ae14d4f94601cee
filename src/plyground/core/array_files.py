"""Files of named arrays, as NumPy writes them."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from plyground.core.files import read_file, write_file
from plyground.errors import FormatError

__all__ = ["read_arrays", "write_arrays"]

T = TypeVar("T")
DAMAGED = (OSError, ValueError, KeyError, EOFError, AttributeError, TypeError, zipfile.BadZipFile, zlib.error)
"""What NumPy raises for a file that is another one, or is damaged."""


def read_arrays(path: Path, what: str, names: Iterable[str], make: Callable[..., T], otherwise: str) -> T:
    """What is made of the arrays of these names; where that is not possible, the error says `otherwise` of the file."""
    data = read_file(path, what)
    try:
        with np.load(io.BytesIO(data)) as file:
            return make(*(file[name] for name in names))
    except DAMAGED:
        raise FormatError(f"{path} {otherwise}") from None


def write_arrays(path: Path, *, compressed: bool = True, **arrays: Any) -> None:
    """Write arrays by their names, whole or not at all."""
    data = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(data, **arrays)
    write_file(path, data.getvalue())
