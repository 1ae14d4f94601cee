"""Chess positions to learn from, with what a teacher says of them and how their games ended.

A position is seven sets of squares and who is to move: what an evaluation sees. The files of a folder are numbered,
`positions-00000.npz` and so on, each of about `CHUNK` positions, so that a run that ends at any moment loses little.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import Expected, read_arrays, write_arrays
from plyground.errors import FormatError
from plyground.games.chess.board import Board
from plyground.native.compiling import compiled

__all__ = [
    "CHUNK", "MATED", "UNFINISHED", "Positions", "board_in", "chunk_files", "count_positions", "load_positions",
    "save_chunk", "teaching",
]  # fmt: skip

CHUNK = 1 << 15
MATED = 10_000
"""The score of a position in which the teacher sees a mate: beyond all others, which are cut to this."""
SETTLED = 60
"""Hundredths of a pawn: a score that has changed by more since the move before tells of a mistake."""
UNFINISHED = 2
"""The result of a game that nobody has played to its end."""

EXPECTED: Expected = {
    "sets": ("<u8", ("n", 7)),
    "turns": ("u1", ("n",)),
    "scores": ("<i2", ("n",)),
    "results": ("i1", ("n",)),
    "quiet": ("u1", ("n",)),
    "games": ("<i4", ("n",)),
}
NAME = re.compile(r"positions-(\d{5})\.npz")


@dataclass(frozen=True)
class Positions:
    """Positions in columns.

    `sets`, shape (n, 7): pawns, knights, bishops, rooks, queens, kings, White's pieces, squares from a1 = bit 0.
    `turns`: 0 where White is to move. `scores`: of the teacher, in hundredths of a pawn, for the side to move.
    `results`: 1, 0, -1 as the side to move won, drew or lost; `UNFINISHED`. `quiet`: 1 where the side to move is not in
    check and the teacher's move neither takes nor promotes. `games`: the game's number, for holding whole games out.
    """

    sets: NDArray[np.uint64]
    turns: NDArray[np.uint8]
    scores: NDArray[np.int16]
    results: NDArray[np.int8]
    quiet: NDArray[np.uint8]
    games: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.turns)

    def __getitem__(self, chosen: Any) -> Positions:
        return Positions(*(getattr(self, field.name)[chosen] for field in fields(self)))

    @classmethod
    def joined(cls, parts: Sequence[Positions]) -> Positions:
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


@compiled
def board_in(sets: Any, turn: Any) -> Board:
    """The board of a row of `Positions`: nothing is known of castling and en passant."""
    side: Any = np.int64(turn)
    none: Any = np.int64(-1)
    clock: Any = np.int64(0)
    return Board(sets[0], sets[1], sets[2], sets[3], sets[4], sets[5], sets[6], np.uint64(0), side, none, clock, False)


def teaching(positions: Positions, settled: int = SETTLED) -> NDArray[np.bool_]:
    """Which positions teach what a position is worth by itself; those of a game must stand in order.

    They are quiet, and the score is what it was a move before, up to `settled`. Where it is not, someone has just made
    a mistake, more often than not at random; whoever learns from those comes to believe that it is good to be to move.
    """
    scores = positions.scores.astype(np.int64)
    teach: NDArray[np.bool_] = np.zeros(len(positions), np.bool_)
    teach[1:] = (np.abs(scores[1:] + scores[:-1]) <= settled) & (positions.games[1:] == positions.games[:-1])
    teach[1:] &= positions.turns[1:] != positions.turns[:-1]
    teach &= positions.quiet == 1
    return teach


def chunk_files(folder: Path) -> list[Path]:
    """The files of positions in a folder, in order; nothing for a folder that is not there yet."""
    return sorted(path for path in folder.glob("positions-*.npz") if NAME.fullmatch(path.name))


def save_chunk(folder: Path, positions: Positions) -> Path:
    """Write one more file into the folder, which is made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    known = chunk_files(folder)
    number = int(known[-1].stem.rpartition("-")[2]) + 1 if known else 0
    path = folder / f"positions-{number:05}.npz"
    write_arrays(path, **{field.name: getattr(positions, field.name) for field in fields(positions)})
    return path


def count_positions(files: Sequence[Path]) -> int:
    """How many positions there are in files."""
    return sum(len(read_chunk(file)) for file in files)


def read_chunk(file: Path) -> Positions:
    """The positions of one file; `FormatError` if it is not one."""
    return Positions(**read_arrays(file, "file of chess positions", EXPECTED))


def load_positions(folder: Path) -> Positions:
    """All positions of a folder; `FormatError` if there is none."""
    files = chunk_files(folder)
    if not files:
        raise FormatError(f"{folder} holds no positions; plyground train chess positions --out {folder} makes some")
    return Positions.joined([read_chunk(file) for file in files])
