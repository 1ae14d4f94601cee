"""The opening book of the engine: a graph of positions, what every move in them is worth, and how often it was played.

A position and its images under the eight symmetries are one entry, kept for the image whose numbers come first; colours
do not matter, only who is to move. An entry has a value for every legal move: that of a search, or, where the position
after the move is in the book as well, the value backed up from there. So the value of the first position is that of
best play through the whole book.

A value is the mean of two searches, one a ply deeper than the other: an evaluation rates whoever has moved last too
high, and values of odd and of even depths cannot be compared otherwise. In the file values are in half discs.

The file is a line of text, the numbers of positions and moves, and columns of numbers, compressed. Which moves a
position has is not written down: they follow from the rules, so that no file can make the engine play an illegal move.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.files import read_file, write_file
from plyground.core.rules import actions, result
from plyground.engines.reversi.endgame import CERTAIN
from plyground.engines.reversi.engine import Report, legal_moves
from plyground.engines.reversi.last_plies import bit
from plyground.engines.reversi.probcut import CONFIDENCES
from plyground.engines.reversi.squares import canonical, symmetric_square
from plyground.errors import BadOption, FormatError, TruncatedFile
from plyground.games.reversi import FULL, Reversi
from plyground.games.reversi.moves import flips, moves
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below

__all__ = ["PACKAGED", "UNIT", "BookMove", "Entry", "Key", "Known", "OpeningBook", "book_move", "load_book"]

PACKAGED = Path(__file__).with_name("opening.book")
UNIT = 2
"""Parts of a disc in which values are kept: halves."""
DEFAULT_TOLERANCE = 1.0

SIGNATURE = b"plyground opening book 1\n"
UNPACKED = 16
"""How many times its packed size a book may have; that of the package has four times."""
ROOM = 1 << 16
"""What it may have in any case: a small book packs well."""
SIZES = struct.Struct("<III")
COLUMNS = (
    ("own", "<u8", False),
    ("opponent", "<u8", False),
    ("depth", "<u1", False),
    ("confidence", "<u1", False),
    ("games", "<u4", False),
    ("searched", "<i2", True),
    ("values", "<i2", True),
    ("played", "<u4", True),
)
"""Name and type of each column; whether it has a number for every move, or one for every position."""
MOST_DISCS = 64 * UNIT
MOST_GAMES = 2**32 - 1

Key = tuple[int, int]
"""The discs of the side to move and of the other one, of the image that stands for all symmetric positions."""


@compiled
def _write_replies(own: Any, opponent: Any, out: Any) -> int:
    """Write the canonical position after each legal move, squares ascending, and return how many there are."""
    count = 0
    legal = moves(own, opponent)
    while legal:
        square = bit_index(legal)
        legal &= legal - np.uint64(1)
        flipped = flips(own, opponent, square)
        out[count, 0], out[count, 1], _ = canonical(opponent & ~flipped, own | flipped | bit(square))
        count += 1
    if count == 0 and moves(opponent, own):
        out[0, 0], out[0, 1], _ = canonical(opponent, own)
        count = 1
    return count


@compiled
def _count_moves(own: Any, opponent: Any, counts: Any) -> int:
    """Count the moves of many positions; the index of the first that cannot be an entry, or how many there are."""
    for i in range(len(own)):
        if own[i] & opponent[i]:
            return i
        first, second, _ = canonical(own[i], opponent[i])
        if first != own[i] or second != opponent[i]:
            return i
        legal = moves(own[i], opponent[i])
        counts[i] = popcount(legal)
        if not legal:
            if not moves(opponent[i], own[i]):
                return i
            counts[i] = 1
    return len(own)


def replies(key: Key) -> tuple[Key, ...]:
    """The keys of the positions after each legal move of a canonical position, squares ascending."""
    out = np.empty((64, 2), np.uint64)
    count = _write_replies(np.uint64(key[0]), np.uint64(key[1]), out)
    return tuple((first, second) for first, second in out[:count].tolist())


def canonical_key(state: Reversi) -> tuple[Key, int]:
    """The key of a position, and the symmetry that leads from it to the image that the key is of."""
    own, opponent, index = canonical(np.uint64(state.own), np.uint64(state.opponent))
    return (int(own), int(opponent)), int(index)


@dataclass(slots=True)
class Entry:
    """What is known of a canonical position; lists have an item for each legal move, squares ascending.

    `searched` is what a search of this `depth` and `confidence` (an index into `CONFIDENCES`) has found, `values` the
    same backed up through the book, both in half discs for the side to move. `games` is how often the position was
    reached in games that people or programs have played, and `played` how often each move was.
    """

    depth: int
    confidence: int
    games: int
    searched: list[int]
    values: list[int]
    played: list[int]


class BookMove(NamedTuple):
    """A move of the book: what it is worth in discs for the side to move, and in how many games it was played."""

    action: int
    value: float
    games: int


@dataclass(frozen=True)
class Known:
    """What the book knows of a position: all its moves, the best first, and how they were searched.

    `depth` is in plies, 0 for an entry whose search was made with another evaluation.
    """

    moves: tuple[BookMove, ...]
    depth: int
    confidence: str
    games: int
    exact: bool

    @property
    def value(self) -> float:
        """In discs, for the side to move."""
        return self.moves[0].value


class OpeningBook:
    """Entries by position. It is asked with `find`, and grows by `put`, after which `back_up` is due.

    `weights` tells by which evaluation its positions were searched: the checksum of its file, 0 if there are none.
    """

    def __init__(self, weights: int = 0) -> None:
        self.weights = weights
        self._entries: dict[Key, Entry] = {}
        # What a file has is turned into entries only when it is asked for: a game needs a few of many thousands.
        self._columns: dict[str, NDArray[Any]] = {}
        self._starts: NDArray[np.int64] = np.zeros(1, np.int64)
        self._places: dict[Key, int] = {}
        self._replies: dict[Key, tuple[Key, ...]] = {}

    def __len__(self) -> int:
        return len(self._entries.keys() | self._places.keys())

    def __contains__(self, key: Key) -> bool:
        return key in self._entries or key in self._places

    def __repr__(self) -> str:
        return f"<opening book, {len(self):,} positions>"

    def positions(self) -> list[tuple[Key, Entry]]:
        """All entries by the discs on the board, fewest first; of as many, those that have to pass first.

        So every position stands before those that can follow it.
        """
        keys = sorted(self._entries.keys() | self._places.keys(), key=self._progress)
        return [(key, entry) for key in keys if (entry := self.entry(key))]

    def _progress(self, key: Key) -> tuple[int, bool, Key]:
        discs, after = (key[0] | key[1]).bit_count(), self.replies(key)[0]
        return discs, (after[0] | after[1]).bit_count() > discs, key

    def entry(self, key: Key) -> Entry | None:
        """The entry of a canonical position, None if it is not in the book."""
        if key not in self._entries and key in self._places:
            place, columns = self._places[key], self._columns
            span = slice(self._starts[place], self._starts[place + 1])
            depth, confidence, games = (int(columns[name][place]) for name in ("depth", "confidence", "games"))
            searched, values, played = (columns[name][span].tolist() for name in ("searched", "values", "played"))
            self._entries[key] = Entry(depth, confidence, games, searched, values, played)
        return self._entries.get(key)

    def replies(self, key: Key) -> tuple[Key, ...]:
        """The keys of the positions after each legal move, squares ascending."""
        if key not in self._replies:
            self._replies[key] = replies(key)
        return self._replies[key]

    def put(self, key: Key, entry: Entry) -> None:
        """Keep an entry, in the place of an older one if there is one. Moves with one and the same reply must agree."""
        if not len(entry.searched) == len(entry.values) == len(entry.played) == len(self.replies(key)):
            raise ValueError(f"the position has {len(self.replies(key))} moves, and the entry {len(entry.searched)}")
        self._entries[key] = entry

    def find(self, state: Reversi) -> Known | None:
        """What the book knows of a position, its moves turned to how the position lies; None if nothing."""
        if state.board != FULL or not actions(state):
            return None
        key, index = canonical_key(state)
        entry = self.entry(key)
        if entry is None:
            return None
        place = {square: number for number, square in enumerate(legal_moves(*key))}
        turned = [(action, place[symmetric_square(action, index)]) for action in actions(state)]
        listed = [BookMove(action, entry.values[i] / UNIT, entry.played[i]) for action, i in turned]
        ranked = tuple(sorted(listed, key=lambda move: (-move.value, -move.games, move.action)))
        exact = entry.confidence == CERTAIN and entry.depth >= 64 - (key[0] | key[1]).bit_count()
        return Known(ranked, entry.depth, CONFIDENCES[entry.confidence], entry.games, exact)

    def line(self, state: Reversi) -> Iterator[int]:
        """Best play from a position on, as far as the book knows it."""
        known = self.find(state)
        while known:
            yield known.moves[0].action
            state = result(state, known.moves[0].action)
            known = self.find(state)

    def back_up(self) -> None:
        """Give every move the value of the position after it, where that is in the book: minimax over the graph."""
        best: dict[Key, int] = {}
        for key, entry in reversed(self.positions()):
            after = [best.get(reply) for reply in self.replies(key)]
            entry.values = [
                found if value is None else -value for value, found in zip(after, entry.searched, strict=True)
            ]
            best[key] = max(entry.values)

    def set_weights(self, weights: int) -> None:
        """Say by which evaluation searches are made from now on; those made by another count as depth 0."""
        if weights != self.weights:
            for _, entry in self.positions():
                entry.depth = 0
            self.weights = weights

    # The file -----------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> int:
        """Write the book to a file, whole or not at all; returns its size in bytes."""
        positions = sorted(self.positions(), key=lambda position: position[0])
        entries = [entry for _, entry in positions]
        numbers: dict[str, Sequence[int]] = {
            "own": [own for (own, _), _ in positions],
            "opponent": [opponent for (_, opponent), _ in positions],
            "depth": [entry.depth for entry in entries],
            "confidence": [entry.confidence for entry in entries],
            "games": [min(entry.games, MOST_GAMES) for entry in entries],
            "searched": [value for entry in entries for value in entry.searched],
            "values": [value for entry in entries for value in entry.values],
            "played": [min(games, MOST_GAMES) for entry in entries for games in entry.played],
        }
        columns = [np.array(numbers[name], kind) for name, kind, _ in COLUMNS]
        # The first bytes of all numbers, then the second ones: like beside like takes less room.
        body = b"".join(column.view(np.uint8).reshape(-1, column.itemsize).T.tobytes() for column in columns)
        sizes = SIZES.pack(self.weights, len(positions), len(numbers["values"]))
        data = SIGNATURE + sizes + zlib.compress(body, 9)
        write_file(path, data)
        return len(data)

    @classmethod
    def load(cls, path: str | Path) -> OpeningBook:
        """The book in a file; `FormatError` says what is wrong with it."""
        data = read_file(path, "opening book")
        if not data.startswith(SIGNATURE):
            raise FormatError(f"{path} is not an opening book of this version; make one with plyground train book")
        weights, positions, count = _sizes(data, path)
        book = cls(weights)
        book._columns = columns = _read_columns(data[len(SIGNATURE) + SIZES.size :], positions, count, path)
        counts = np.zeros(positions, np.int64)
        fault = _count_moves(columns["own"], columns["opponent"], counts)
        if fault < positions:
            raise FormatError(f"{path}: position {fault + 1} cannot be in an opening book")
        if counts.sum() != count:
            raise FormatError(f"{path}: the positions have {counts.sum():,} moves, and the file has {count:,}")
        if count and max(np.abs(columns[name].astype(np.int32)).max() for name in ("searched", "values")) > MOST_DISCS:
            raise FormatError(f"{path}: a value is beyond 64 discs")
        if positions and columns["confidence"].max() > CERTAIN:
            raise FormatError(f"{path}: a confidence is beyond {CERTAIN}")
        book._starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        keys = zip(columns["own"].tolist(), columns["opponent"].tolist(), strict=True)
        book._places = {key: place for place, key in enumerate(keys)}
        if len(book._places) != positions:
            raise FormatError(f"{path}: a position stands there twice")
        return book


def _sizes(data: bytes, path: str | Path) -> tuple[int, int, int]:
    if len(data) < len(SIGNATURE) + SIZES.size:
        raise TruncatedFile(f"{path} ends before the number of its positions")
    weights, positions, count = SIZES.unpack_from(data, len(SIGNATURE))
    return weights, positions, count


def _read_columns(packed: bytes, positions: int, count: int, path: str | Path) -> dict[str, NDArray[Any]]:
    """The columns of a file, whose sizes are known, so that no small file can ask for much memory."""
    lengths = [np.dtype(kind).itemsize * (count if for_moves else positions) for _, kind, for_moves in COLUMNS]
    if sum(lengths) > UNPACKED * len(packed) + ROOM:
        raise FormatError(f"{path} announces {positions:,} positions and {count:,} moves, more than it can hold")
    unpack = zlib.decompressobj()
    try:
        body = unpack.decompress(packed, sum(lengths) + 1)
    except zlib.error as error:
        raise FormatError(f"{path} is damaged: {error}") from None
    if len(body) < sum(lengths):
        raise TruncatedFile(f"{path} announces {positions:,} positions and {count:,} moves, and ends before them")
    if len(body) > sum(lengths) or not unpack.eof or unpack.unused_data:
        raise FormatError(f"{path} has more than the {positions:,} positions and {count:,} moves that it announces")
    columns, at = {}, 0
    for (name, kind, _), length in zip(COLUMNS, lengths, strict=True):
        planes = np.frombuffer(body, np.uint8, length, at).reshape(np.dtype(kind).itemsize, -1)
        columns[name] = np.ascontiguousarray(planes.T).view(kind).reshape(-1)
        at += length
    return columns


@cache
def load_book(path: Path = PACKAGED) -> OpeningBook:
    """The book of a file, read once; that of the package if none is named."""
    return OpeningBook.load(path)


def book_move(
    state: Reversi, rng: Any, tolerance: float = DEFAULT_TOLERANCE, book: OpeningBook | None = None
) -> Report | None:
    """A move from the book, as if it had been searched; None if the book does not know the position.

    It is drawn, with a stream of `plyground.native.randomness`, from the moves that lose at most `tolerance` discs: the
    better a move, the likelier. With a tolerance of 0 only equals are left to chance.
    """
    if not tolerance >= 0:
        raise BadOption(f"a tolerance is a number of discs from 0, not {tolerance:g}")
    known = (load_book() if book is None else book).find(state)
    if known is None:
        return None
    near = [move for move in known.moves if known.value - move.value <= tolerance]
    # In half discs, and one more, so that the last that is allowed can be drawn too.
    weights = [int(UNIT * (min(tolerance, 64) - (known.value - move.value))) + 1 for move in near]
    lot = random_below(rng, sum(weights))
    chosen = next(move for i, move in enumerate(near) if lot < sum(weights[: i + 1]))
    rest = (load_book() if book is None else book).line(result(state, chosen.action))
    return Report(
        chosen.action, round(chosen.value), known.depth, known.confidence, known.exact, (chosen.action, *rest), 0, 0.0
    )
