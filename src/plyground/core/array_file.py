"""Arrays from .npz files: their headers are compared with what is expected before anything is unpacked.

NumPy itself would believe a header, unpickle what is not numbers, and unpack a thousand bytes for each that it reads.
"""

from __future__ import annotations

import io
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.files import read_file, write_file
from plyground.errors import FormatError

__all__ = ["Expected", "read_arrays", "write_arrays"]

Expected = Mapping[str, tuple[str, tuple[int | str, ...]]]
"""For each name the kind of its numbers, such as "u1" or "f4", or "U" for a text, and its shape.

A length that the file decides is a letter, and where the letter stands again the length is the same."""

MAGIC = b"\x93NUMPY\x01\x00"
HEADER = re.compile(
    rb"\{'descr': '([<|])([iufb]\d|U\d{1,3})', 'fortran_order': (True|False), 'shape': \(([\d, ]{0,60})\), \} *\n"
)
UNPACKED = 64
"""How many times the size of its file arrays may have whose lengths the file decides."""
ROOM = 1 << 20
"""What they may have in any case."""
STEP = 1 << 20
BROKEN = (
    OSError, ValueError, KeyError, EOFError, NotImplementedError, RuntimeError, struct.error, zipfile.BadZipFile,
    zlib.error,
)  # fmt: skip
"""What `zipfile` raises for archives that are damaged, encrypted or packed in ways that it does not know."""


def read_arrays(
    path: str | Path, what: str, expected: Expected, *, optional: Collection[str] = (), hint: str = ""
) -> dict[str, NDArray[Any]]:
    """The arrays of a file, of exactly the expected kinds and shapes; those of `optional` may be missing.

    `FormatError` says which array is wrong; `what` the file should be and the `hint` what to do are for that message.
    """
    data = read_file(path, what)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
            wanted = {name: fits for name, fits in expected.items() if f"{name}.npy" in names or name not in optional}
            return _read_all(archive, wanted, len(data))
    except _WrongArray as wrong:
        reason = str(wrong)
    except BROKEN:
        reason = "it is damaged"
    raise FormatError(f"{path} is not a {what}: {reason}{hint and '; '}{hint}") from None


class _WrongArray(Exception):
    """What is wrong with an array, for people."""


def _read_all(archive: zipfile.ZipFile, expected: Expected, packed: int) -> dict[str, NDArray[Any]]:
    lengths: dict[str, int] = {}
    found = {}
    budget = UNPACKED * packed + ROOM
    for name, (kind, shape) in expected.items():
        if f"{name}.npy" not in archive.namelist():
            raise _WrongArray(f"it has no array '{name}'")
        info = archive.getinfo(f"{name}.npy")
        with archive.open(info) as member:
            dtype, order, real, begin = _read_header(member, name)
            _check_header(name, dtype, real, kind, shape, lengths)
            size = dtype.itemsize * math.prod(real)
            if info.file_size != begin + size:
                raise _WrongArray(f"'{name}' is {info.file_size:,} bytes long, and {real} of {dtype} would be {size:,}")
            if any(isinstance(length, str) for length in shape):
                budget -= size
                if budget < 0:
                    raise _WrongArray(f"'{name}' would unpack to {size:,} bytes, from a file of {packed:,}")
            found[name] = np.frombuffer(_read_body(member, size, name), dtype).reshape(real, order=order)
    return found


def _read_header(member: IO[bytes], name: str) -> tuple[np.dtype[Any], Any, tuple[int, ...], int]:
    """Kind, order and shape of an array, and how many bytes say so."""
    magic, length = member.read(len(MAGIC)), member.read(2)
    header = member.read(int.from_bytes(length, "little"))
    told = HEADER.fullmatch(header)
    if magic != MAGIC or told is None:
        raise _WrongArray(f"'{name}' is not an array of numbers")
    shape = tuple(int(number) for number in told[4].replace(b" ", b"").split(b",") if number)
    try:
        dtype = np.dtype((told[1] + told[2]).decode())
    except TypeError:
        raise _WrongArray(f"'{name}' is not an array of numbers") from None
    return dtype, "F" if told[3] == b"True" else "C", shape, len(magic) + len(length) + len(header)


def _check_header(
    name: str,
    dtype: np.dtype[Any],
    real: tuple[int, ...],
    kind: str,
    shape: tuple[int | str, ...],
    lengths: dict[str, int],
) -> None:
    fits = dtype.kind == "U" and dtype.itemsize > 0 if kind == "U" else dtype == np.dtype(kind)
    if len(real) == len(shape):
        for wanted, length in zip(shape, real, strict=True):
            fits &= length == (lengths.setdefault(wanted, length) if isinstance(wanted, str) else wanted)
    if not fits or len(real) != len(shape):
        wanted = ", ".join(str(lengths.get(str(length), length)) for length in shape)
        expected = "a text" if kind == "U" else f"{np.dtype(kind)} of shape ({wanted}{',' * (len(shape) == 1)})"
        raise _WrongArray(f"'{name}' is {dtype} of shape {real}, not {expected}")


def _read_body(member: IO[bytes], size: int, name: str) -> bytearray:
    """All bytes of an array and no more, unpacked in steps; the archive's checksum is compared at its end."""
    body = bytearray(size)
    view, at = memoryview(body), 0
    while at < size:
        part = member.read(min(STEP, size - at))
        if not part:
            raise _WrongArray(f"'{name}' ends before its {size:,} bytes")
        view[at : at + len(part)] = part
        at += len(part)
    if member.read(1):
        raise _WrongArray(f"'{name}' has more than its {size:,} bytes")
    return body


def write_arrays(path: Path, *, compressed: bool = True, **arrays: Any) -> None:
    """Write arrays by their names, whole or not at all."""
    data = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(data, **arrays)
    write_file(path, data.getvalue())
