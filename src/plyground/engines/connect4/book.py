"""The opening book: the exact scores of all positions with few discs, since those take too long to solve.

It holds every position of up to so many discs whose next move is open: nobody has won, and neither player could win
with the next disc. In all others the score is plain, or the only move leads on. Of mirror images one stands for both.

The file is a line of text, two numbers, and two columns, compressed: the keys of `plyground.engines.connect4.lines`,
ascending, each less the one before it, first the lowest bytes of all, then the second ones; and the scores.
`plyground.engines.connect4.book_making` makes it.
"""

from __future__ import annotations

import lzma
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plyground.core.files import read_file, write_file
from plyground.errors import FormatError, TruncatedFile

__all__ = ["PACKAGED", "ScoreBook", "load_book"]

PACKAGED = Path(__file__).with_name("scores.book")
SIGNATURE = b"plyground connect4 scores 1\n"
SIZES = struct.Struct("<II")
KEY_BYTES = 7
MOST = 1 << 25
"""Bytes that a book may have."""
MOST_POSITIONS = 1 << 23
MOST_SCORE = 21
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6 | lzma.PRESET_EXTREME, "lc": 0, "pb": 0}]


@dataclass(frozen=True)
class ScoreBook:
    """Scores by canonical key, for all positions of up to `plies` discs whose next move is open; keys ascend."""

    plies: int
    keys: NDArray[np.int64]
    scores: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.keys)

    def find(self, key: int) -> int | None:
        """The score of the position with this canonical key; None if it is not there."""
        place = int(np.searchsorted(self.keys, key))
        if place == len(self.keys) or self.keys[place] != key:
            return None
        return int(self.scores[place])

    def save(self, path: str | Path) -> int:
        """Write the book to a file, whole or not at all; returns its size in bytes."""
        steps = np.diff(self.keys, prepend=0).astype("<u8")
        planes = steps.view(np.uint8).reshape(-1, 8)[:, :KEY_BYTES].T
        body = planes.tobytes() + self.scores.astype("<i1").tobytes()
        packed = lzma.compress(body, lzma.FORMAT_RAW, filters=FILTERS)
        data = SIGNATURE + SIZES.pack(self.plies, len(self)) + packed
        write_file(path, data)
        return len(data)

    @classmethod
    def load(cls, path: str | Path) -> ScoreBook:
        """The book in a file; `FormatError` says what is wrong with it."""
        data = read_file(path, "book of scores", MOST)
        if not data.startswith(SIGNATURE):
            raise FormatError(f"{path} is not a book of Connect Four scores of this version")
        if len(data) < len(SIGNATURE) + SIZES.size:
            raise TruncatedFile(f"{path} ends before the number of its positions")
        plies, count = SIZES.unpack_from(data, len(SIGNATURE))
        if plies > 42 or count > MOST_POSITIONS:
            raise FormatError(f"{path} cannot have {count:,} positions of up to {plies} discs")
        size = count * (KEY_BYTES + 1)
        try:
            body = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=FILTERS).decompress(
                data[len(SIGNATURE) + SIZES.size :], max_length=size + 1
            )
        except lzma.LZMAError:
            raise FormatError(f"{path} is damaged: its columns cannot be unpacked") from None
        if len(body) != size:
            raise TruncatedFile(f"{path} should have {size:,} bytes of columns, and has {len(body):,}")
        planes = np.zeros((count, 8), np.uint8)
        planes[:, :KEY_BYTES] = np.frombuffer(body, np.uint8, count * KEY_BYTES).reshape(KEY_BYTES, count).T
        steps = planes.view("<i8")[:, 0]
        keys, scores = np.cumsum(steps), np.frombuffer(body, np.int8, count, count * KEY_BYTES)
        if count and (steps.min() <= 0 or keys.min() <= 0):
            raise FormatError(f"{path} is damaged: its positions do not ascend")
        if count and np.abs(scores.astype(np.int16)).max() > MOST_SCORE:
            raise FormatError(f"{path} is damaged: a score is beyond {MOST_SCORE}")
        return cls(plies, keys, scores)


@cache
def load_book() -> ScoreBook:
    """The book of the package."""
    return ScoreBook.load(PACKAGED)
