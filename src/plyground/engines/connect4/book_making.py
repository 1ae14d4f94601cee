"""Making the opening book: all positions of a number of discs are solved, those with fewer follow from them.

    python -m plyground.engines.connect4.book_making --plies 10 --jobs 16 --out scores.book

It can be stopped at any time: what was solved is in a file beside the book (``scores.book.part``), and the same command
goes on from there. With ``--minutes`` it stops by itself. It takes many hours of a core; with
``--known book_12ply_distances.dat``, the file of `plyground.engines.connect4.known_scores`, half a minute: what it has
not is solved, and the rest follows from it. ``--check 1000`` solves so many positions of the book anew.

Positions are solved in the order of their keys, so that neighbours, whose futures have much in common, find each
other's results in the table, which is one for all processes.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.files import read_file, write_file
from plyground.engines.connect4.book import ScoreBook
from plyground.engines.connect4.known_scores import DISCS, KnownScores
from plyground.engines.connect4.lines import canonical, completing, key_of, taken_in
from plyground.engines.connect4.memory import Memory
from plyground.engines.connect4.search import solve, win_score
from plyground.engines.connect4.table import Table
from plyground.errors import BadOption, FormatError
from plyground.native.bits import popcount
from plyground.native.compiling import compiled

__all__ = ["BookMaker", "Level", "levels", "main"]

CHUNK = 16
"""Positions that a process solves at a time."""
SAVE_EVERY = 20.0
UNSOLVED = -128
MOST_COLUMNS, MOST_PLIES = 7, 14

Keys = NDArray[np.int64]
Scores = NDArray[np.int8]


@compiled
def _write_children(keys: Any, out: Any, memory: Any) -> int:
    """Write the canonical key after each move that does not win, and return how many there are."""
    count = 0
    for number in range(len(keys)):
        taken = taken_in(keys[number], memory)
        mine = keys[number] - memory.bottom - taken
        moves = taken + memory.bottom & memory.board & ~completing(mine, taken, memory)
        while moves:
            cell = moves & -moves
            moves ^= cell
            out[count] = canonical(key_of(mine ^ taken, taken | cell, memory), memory)
            count += 1
    return count


@compiled
def _mark_open(keys: Any, out: Any, memory: Any) -> None:
    """Mark the positions in which neither player could win with the next disc."""
    for number in range(len(keys)):
        taken = taken_in(keys[number], memory)
        mine = keys[number] - memory.bottom - taken
        winning = completing(mine, taken, memory) | completing(mine ^ taken, taken, memory)
        out[number] = winning & taken + memory.bottom == 0


@compiled
def _solve_all(keys: Any, out: Any, memory: Any) -> None:
    for number in range(len(keys)):
        taken = taken_in(keys[number], memory)
        out[number] = solve(keys[number] - memory.bottom - taken, taken, memory)


@compiled
def _back_up(keys: Any, later: Any, later_scores: Any, out: Any, memory: Any) -> None:
    """The scores of positions from those with one disc more."""
    for number in range(len(keys)):
        taken = taken_in(keys[number], memory)
        mine = keys[number] - memory.bottom - taken
        moves = taken + memory.bottom & memory.board
        best = -memory.cells
        if completing(mine, taken, memory) & moves:
            best, moves = win_score(popcount(taken), memory.cells), 0
        while moves:
            cell = moves & -moves
            moves ^= cell
            child = canonical(key_of(mine ^ taken, taken | cell, memory), memory)
            best = max(best, -later_scores[np.searchsorted(later, child)])
        out[number] = best


@dataclass(frozen=True)
class Level:
    """All positions with so many discs in which nobody has won, by canonical keys, and which of them are open."""

    keys: Keys
    is_open: NDArray[np.bool_]


def levels(plies: int, memory: Memory) -> list[Level]:
    """The positions with 0, 1, 2 ... discs."""
    found = []
    keys = np.array([int(memory.record["bottom"])], np.int64)
    for ply in range(plies + 1):
        is_open = np.zeros(len(keys), np.bool_)
        _mark_open(keys, is_open, memory.record)
        found.append(Level(keys, is_open))
        if ply < plies:
            children = np.empty(MOST_COLUMNS * len(keys), np.int64)
            keys = np.unique(children[: _write_children(keys, children, memory.record)])
    return found


def _earlier_scores(stages: Sequence[Level], scores: Scores, memory: Memory) -> list[Scores]:
    """The scores of all levels, from those of the last one."""
    found = [scores]
    for level, later in zip(stages[-2::-1], stages[:0:-1], strict=True):
        earlier = np.empty(len(level.keys), np.int8)
        _back_up(level.keys, later.keys, found[0], earlier, memory.record)
        found.insert(0, earlier)
    return found


_worker: list[Memory] = []


def _start_worker(table: Table, columns: int, rows: int) -> None:
    _worker[:] = [Memory(table, np.zeros(16, np.int64), columns, rows)]


def _solve_chunk(chunk: tuple[int, Keys]) -> tuple[int, Scores]:
    first, keys = chunk
    scores = np.empty(len(keys), np.int8)
    _solve_all(keys, scores, _worker[0].record)
    return first, scores


class BookMaker:
    """Solves the positions of a book of so many plies, and keeps what it has solved beside the file."""

    def __init__(self, plies: int, file: Path, *, table: int = 1 << 28, columns: int = 7, rows: int = 6) -> None:
        if not 0 <= plies <= MOST_PLIES:
            raise BadOption(f"plies must be from 0 to {MOST_PLIES}, not {plies}")
        self.plies, self._size, self._table = plies, (columns, rows), table
        self._memory = Memory(Table(1 << 16), np.zeros(16, np.int64), columns, rows)
        self.levels = levels(plies, self._memory)
        self.empty_score: int | None = None
        self._part = file.with_name(file.name + ".part")
        self.scores: Scores = np.full(len(self.levels[-1].keys), UNSOLVED, np.int8)
        if self._part.exists():
            data = read_file(self._part, "half-made book")
            if len(data) != len(self.scores):
                raise FormatError(f"{self._part} belongs to a book of another number of plies; remove it")
            self.scores[:] = np.frombuffer(data, np.int8)

    @property
    def missing(self) -> int:
        """How many positions are not solved yet."""
        return int((self.scores == UNSOLVED).sum())

    def solve(self, jobs: int, seconds: float) -> Iterator[int]:
        """Solve for so long at most; yields from time to time how many positions are missing, when they are saved."""
        solve.prepare(0, 0, self._memory.record)
        _solve_all.prepare(self.levels[-1].keys, self.scores, self._memory.record)
        deadline, saved = time.monotonic() + seconds, time.monotonic()
        table = Table(self._table, shared=True)
        with multiprocessing.get_context("fork").Pool(jobs, _start_worker, (table, *self._size)) as pool:
            for first, found in pool.imap_unordered(_solve_chunk, self._chunks()):
                self.scores[first : first + len(found)] = found
                if time.monotonic() - saved > SAVE_EVERY or time.monotonic() > deadline:
                    write_file(self._part, self.scores.tobytes())
                    saved = time.monotonic()
                    yield self.missing
                if time.monotonic() > deadline:
                    return
        write_file(self._part, self.scores.tobytes())
        yield self.missing

    def _chunks(self) -> Iterator[tuple[int, Keys]]:
        for start in range(0, len(self.scores), CHUNK):
            if (self.scores[start : start + CHUNK] == UNSOLVED).any():
                yield start, self.levels[-1].keys[start : start + CHUNK]

    def take(self, known: KnownScores) -> int:
        """Let all scores follow from known ones, which have more discs; returns how many of those had to be solved."""
        record = self._memory.record
        stages = levels(DISCS, self._memory)[self.plies :]
        scores, found = known.find(stages[-1].keys, self._memory)
        missing = np.flatnonzero(~found)
        solved = np.empty(len(missing), np.int8)
        _solve_all(stages[-1].keys[missing], solved, record)
        scores[missing] = solved
        self.scores[:] = _earlier_scores(stages, scores, self._memory)[0]
        return len(missing)

    def wrong_scores(self, count: int, rng: np.random.Generator) -> int:
        """How many of some positions have another score when they are solved."""
        chosen = rng.choice(len(self.scores), count, replace=False)
        solved = np.empty(count, np.int8)
        memory = Memory(Table(self._table), np.zeros(16, np.int64), *self._size)
        _solve_all(self.levels[-1].keys[chosen], solved, memory.record)
        return int((solved != self.scores[chosen]).sum())

    def book(self) -> ScoreBook:
        """The book; every position must have been solved."""
        assert not self.missing
        kept = _earlier_scores(self.levels, self.scores, self._memory)
        self.empty_score = int(kept[0][0])
        is_open = np.concatenate([level.is_open for level in self.levels])
        every = np.concatenate([level.keys for level in self.levels])[is_open]
        all_scores = np.concatenate(kept)[is_open]
        order = np.argsort(every)
        return ScoreBook(self.plies, every[order], all_scores[order])


def main() -> None:
    """Read the arguments and make the book."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, default=10, help="discs on the board up to which positions are kept (10)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--table", type=int, default=4096, help="megabytes of the table of all processes (4096)")
    parser.add_argument("--minutes", type=float, default=1e6, help="stop after so many")
    parser.add_argument("--out", type=Path, required=True, help="file of the book")
    parser.add_argument("--known", type=Path, help="file of known scores of twelve discs; then little is solved")
    parser.add_argument("--check", type=int, default=0, help="solve so many positions of the book anew, at random")
    given = parser.parse_args()
    start = time.monotonic()
    maker = BookMaker(given.plies, given.out, table=given.table << 20)
    total, missing = len(maker.scores), maker.missing
    print(f"{total:,} positions of {given.plies} discs, {missing:,} to solve", flush=True)
    if given.known:
        print(f"{maker.take(KnownScores.load(given.known)):,} positions of {DISCS} discs were solved", flush=True)
    for left in maker.solve(given.jobs, 60 * given.minutes):
        print(f"{time.monotonic() - start:.0f} s: {left:,} left", flush=True)
    if maker.missing:
        print("not finished; the same command goes on", flush=True)
        sys.exit(3)
    book = maker.book()
    wrong = maker.wrong_scores(given.check, np.random.default_rng(given.check))
    print(f"{given.check:,} positions solved anew, {wrong} of them with another score", flush=True)
    if wrong:
        sys.exit(1)
    size = book.save(given.out)
    print(f"{len(book):,} positions, {size:,} bytes; the empty rack has score {maker.empty_score}")


if __name__ == "__main__":
    main()
