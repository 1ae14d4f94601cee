"""Exact scores of all positions with twelve discs, as the package ``bitbully-databases`` (M. Thill, MIT) has them.

The file ``book_12ply_distances.dat`` has five bytes a position: its code, four bytes, big-endian and ascending as
signed numbers, and its value to the player to move, who is the first. The value is 0 for a draw, and 100 less the plies
to the end for a win; for a loss the same below zero. The code goes through the columns from the left: of each disc from
the bottom 1 and whose it is (0 the first player's, 1 the other's), then 0; one more 0 fills the 32 bits. Of mirror
images one is there. Positions in which the player to move wins at once are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.files import read_file
from plyground.engines.connect4.lines import mirror_image, taken_in
from plyground.engines.connect4.memory import Memory
from plyground.errors import FormatError
from plyground.native.compiling import compiled

__all__ = ["DISCS", "KnownScores"]

DISCS = 12
LEFT = 42 - DISCS
MOST = 1 << 26
"""Bytes that the file may have."""
RECORD = np.dtype([("code", ">i4"), ("value", "i1")])
END = 100
"""A value is so many less the plies to the end."""


@compiled
def code_of(key: int, memory: Any) -> int:
    """The code of a position with twelve discs."""
    taken = taken_in(key, memory)
    mine = key - memory.bottom - taken
    code = 0
    for column in range(memory.columns):
        cell = 1 << column * (memory.rows + 1)
        while taken & cell:
            code = code << 2 | (2 if mine & cell else 3)
            cell <<= 1
        code <<= 1
    code <<= 1
    return code - (1 << 32) if code >> 31 else code


@compiled
def _write_codes(keys: Any, out: Any, memory: Any) -> None:
    for number in range(len(keys)):
        out[0, number] = code_of(keys[number], memory)
        out[1, number] = code_of(mirror_image(keys[number], memory), memory)


@dataclass(frozen=True)
class KnownScores:
    """The file's columns, by ascending code."""

    codes: NDArray[np.int32]
    values: NDArray[np.int8]

    @classmethod
    def load(cls, path: str | Path) -> KnownScores:
        """The file's content; `FormatError` if it is another kind of file."""
        data = read_file(path, "file of known scores", MOST)
        if not data or len(data) % RECORD.itemsize:
            raise FormatError(f"{path} is not a file of positions with {RECORD.itemsize} bytes each")
        rows = np.frombuffer(data, RECORD)
        codes, values = rows["code"].astype(np.int32), rows["value"].astype(np.int8)
        if (np.diff(codes.astype(np.int64)) <= 0).any() or (END - np.abs(values[values != 0]) > LEFT).any():
            raise FormatError(f"{path} does not have ascending positions of {DISCS} discs with their values")
        return cls(codes, values)

    def find(self, keys: NDArray[np.int64], memory: Memory) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
        """The scores of positions, as `plyground.engines.connect4.search` counts them, and which of them are known."""
        codes = np.empty((2, len(keys)), np.int32)
        _write_codes(keys, codes, memory.record)
        scores, known = np.zeros(len(keys), np.int8), np.zeros(len(keys), np.bool_)
        for row in codes:
            place = np.minimum(np.searchsorted(self.codes, row), len(self.codes) - 1)
            here = self.codes[place] == row
            value = self.values[place[here]].astype(np.int16)
            magnitude = LEFT - (END - np.abs(value)) + 2 >> 1
            scores[here] = np.where(value == 0, 0, np.sign(value) * magnitude)
            known |= here
        return scores, known
