"""Opening books in the format of PolyGlot (``.bin``), which most chess programs and boards can read.

A book is a sorted list of entries of 16 bytes: the key of a position, a move, its weight, and a word for learning, all
with the most significant byte first. The key is the exclusive or of the numbers of what is in the position: a piece on
a square, a right to castle, a pawn that can be taken en passant, White to move. There are 781 such numbers. Ours were
worked out from the books that the program polyglot makes (`plyground.formats.polyglot.make`).

One thing differs: the format notes a pawn that has just gone two steps if one of the other side stands beside it, and
we know of it only if it may be taken. Where that pawn is pinned, a position is not found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.files import read_file
from plyground.errors import FormatError, TruncatedFile
from plyground.games.chess import Chess
from plyground.games.chess.board import KINDS, UNDERPROMOTIONS, move_squares
from plyground.games.chess.moves import MOST_MOVES, legal_moves

__all__ = ["ENTRY", "NUMBERS", "PolyglotBook", "PolyglotMove", "key_parts", "move_code", "polyglot_key"]

ENTRY = np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")])
"""How an entry lies in a file."""
NUMBERS = 781
LARGEST = 1 << 28
"""Bytes of a book."""
CASTLING, PASSANT, WHITE = 768, 772, 780
"""Where the numbers of castling, of files en passant and of the side to move begin; before them are the pieces'."""
FILE = Path(__file__).parent / "numbers.bin"


@dataclass(frozen=True)
class PolyglotMove:
    """A move of a book in some position, how much it is recommended, and what a program has noted about it."""

    action: int
    weight: int
    learn: int = 0


class PolyglotBook:
    """A book that can be asked what it knows of a position."""

    def __init__(self, entries: NDArray[Any]) -> None:
        keys = entries["key"].astype(np.uint64)
        order = np.argsort(keys, kind="stable")
        self._entries, self._keys = entries[order], keys[order]

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<Polyglot book, {len(self):,} moves>"

    @classmethod
    def load(cls, path: str | Path) -> PolyglotBook:
        """The book in a file; `FormatError` if it cannot be one."""
        data = read_file(path, "Polyglot book", LARGEST)
        if len(data) % ENTRY.itemsize:
            raise TruncatedFile(
                f"{path} is not a whole Polyglot book: its entries have {ENTRY.itemsize} bytes each, and it has "
                f"{len(data):,} bytes"
            )
        if not data:
            raise FormatError(f"{path} is empty, and not a Polyglot book")
        return cls(np.frombuffer(data, ENTRY))

    def moves(self, state: Chess) -> list[PolyglotMove]:
        """The legal moves that the book has in a position, those with the most weight first."""
        key = np.uint64(polyglot_key(state))
        first, end = np.searchsorted(self._keys, key), np.searchsorted(self._keys, key, "right")
        if first == end:
            return []
        codes = {move_code(state, action): action for action in legal_moves(state)}
        found: dict[int, PolyglotMove] = {}
        for entry in self._entries[first : min(end, first + MOST_MOVES)]:
            action = codes.get(int(entry["move"]))
            if action is not None:  # another position may have the same key, and a file may say anything
                found.setdefault(action, PolyglotMove(action, int(entry["weight"]), int(entry["learn"])))
        return sorted(found.values(), key=lambda move: -move.weight)

    def choose(self, state: Chess, rng: Any) -> int | None:
        """A move at random, by the weights; None if the book has none with a weight. `rng` has a method `random`."""
        moves = self.moves(state)
        rest = rng.random() * sum(move.weight for move in moves)
        for move in moves:
            rest -= move.weight
            if rest < 0:
                return move.action
        return None


def key_parts(state: Chess) -> list[int]:
    """Which of the 781 numbers make the key of a position."""
    parts = []
    for kind, squares in zip(KINDS, state[:6], strict=True):
        rest, first = int(squares), 2 * KINDS.index(kind)
        while rest:
            square = rest.bit_length() - 1
            rest ^= 1 << square
            parts.append(64 * (first + (int(state.white) >> square & 1)) + square)
    for side, place in ((0, 0), (1, 56)):
        if rooks := int(state.castling) >> place & 255:
            king = int(state.kings) >> place & 255
            parts += [CASTLING + 2 * side] if rooks > king else []
            parts += [CASTLING + 2 * side + 1] if rooks & king - 1 else []
    if state.passant >= 0:
        parts.append(PASSANT + (state.passant & 7))
    return [*parts, WHITE] if state.turn == 0 else parts


def polyglot_key(state: Chess) -> int:
    """The key of a position, 64 bits."""
    numbers, key = _numbers(), 0
    for part in key_parts(state):
        key ^= numbers[part]
    return key


@cache
def _numbers() -> tuple[int, ...]:
    return tuple(np.frombuffer(read_file(FILE, "table of numbers"), ">u8").tolist())


def move_code(state: Chess, action: int) -> int:
    """A move in 15 bits: to, from, promotion; the king castles by taking its own rook."""
    start, end = move_squares(state.turn, action)
    promoted = 0
    if action >= UNDERPROMOTIONS:
        promoted = 1 + (action - UNDERPROMOTIONS) % 3
    elif int(state.pawns) >> start & 1 and end >> 3 in (0, 7):
        promoted = 4
    elif int(state.kings) >> start & 1 and abs(end - start) == 2 and not state.shuffled:
        end = start + 3 if end > start else start - 4
    return end | start << 6 | promoted << 12
