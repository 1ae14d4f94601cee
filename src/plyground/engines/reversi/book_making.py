"""Making the opening book: which positions to search next, how often they occur, and what games teach.

The book grows at its edge, best first ("drop-out expansion": T. R. Lincke, "Strategies for the automatic construction
of opening books", 2000). The cost of a position is that of the cheapest way to it from the first one. Every move costs
a disc for its depth, and on top the less of two: the discs that it loses against the best move, or how rare it is among
people, a disc for every halving. So good moves are followed that nobody plays, and bad ones that everybody does; and a
line is left where too much has gone wrong in it.
"""

from __future__ import annotations

import math
import time as clock
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.limits import Limit
from plyground.engines.reversi.book import UNIT, Entry, Key, OpeningBook, canonical_key, replies
from plyground.engines.reversi.engine import Engine, Report, legal_moves
from plyground.engines.reversi.last_plies import bit
from plyground.engines.reversi.probcut import CONFIDENCES
from plyground.engines.reversi.squares import canonical
from plyground.engines.reversi.table import key_of
from plyground.engines.reversi.weights import PACKAGED as WEIGHTS
from plyground.errors import BadOption
from plyground.formats import Record, only_reversi, read_any_file, read_wthor
from plyground.formats.replay import END, START
from plyground.games.reversi import FULL, PASS, Reversi
from plyground.games.reversi.moves import flips, moves
from plyground.native.compiling import compiled

__all__ = ["Bookmaker", "Frequencies", "count_games", "game_files", "weights_checksum"]

DEPTH_COST = 1.0
"""What every move costs, in discs: how much a line may lose to be searched as far as one that is a ply longer."""
DOUBT = 4
"""Games that are added to those of a position before shares are taken, so that a single game does not count much."""
LAST_PLY = 36
"""The book ends here: from then on the engine's own search is better than any book."""
COUNTED_PLIES = 30
ROUND = 1 / 32
"""The part by which a book grows before all costs are computed again."""
SAVE_EVERY = 20.0
LEARNED_PLIES = 4
"""How many positions of a game are added after it has left the book."""

Progress = Callable[[int], None]


@compiled
def _hash_games(games: Any, own: Any, opponent: Any, positions: Any, edges: Any) -> None:
    """The hashes of the first positions of many games and of the steps between them; 0 where a game has ended."""
    for game in range(games.shape[0]):
        mine, theirs = own, opponent
        here = key_of(*canonical(mine, theirs)[:2])
        ply = at = 0
        while ply < positions.shape[1]:
            positions[game, ply] = here
            if at == games.shape[1] or games[game, at] > 63:
                break
            square = int(games[game, at])
            if not moves(mine, theirs) and moves(theirs, mine):
                mine, theirs = theirs, mine  # the pass, which is not written
            elif moves(mine, theirs) >> np.uint64(square) & np.uint64(1):
                flipped = flips(mine, theirs, square)
                mine, theirs = theirs & ~flipped, mine | flipped | bit(square)
                at += 1
            else:
                break
            there = key_of(*canonical(mine, theirs)[:2])
            edges[game, ply] = key_of(here, there)
            here = there
            ply += 1


@dataclass(frozen=True)
class Frequencies:
    """How often positions, and moves from one to another, have occurred in games.

    Both are sorted hashes with their numbers.
    """

    positions: tuple[NDArray[np.uint64], NDArray[np.int64]]
    edges: tuple[NDArray[np.uint64], NDArray[np.int64]]
    games: int

    def of(self, key: Key) -> tuple[int, list[int]]:
        """In how many games a canonical position occurred, and how often each of its moves was played."""
        here = key_of(*map(np.uint64, key))
        there = [key_of(*map(np.uint64, reply)) for reply in replies(key)]
        steps = np.array([key_of(np.uint64(here), np.uint64(reply)) for reply in there], np.uint64)
        return _counted(self.positions, np.array([here], np.uint64))[0], _counted(self.edges, steps)


def _counted(table: tuple[NDArray[np.uint64], NDArray[np.int64]], hashes: NDArray[np.uint64]) -> list[int]:
    known, counts = table
    if not len(known):
        return [0] * len(hashes)
    places = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
    found: list[int] = np.where(known[places] == hashes, counts[places], 0).tolist()
    return found


def game_files(path: Path) -> list[Path]:
    """The file, or all files with games in a folder: WTHOR, GGF and text."""
    if not path.exists():
        raise BadOption(f"there is no file or folder '{path}'")
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix.lower() in (".wtb", ".ggf", ".txt"))
    if not found:
        raise BadOption(f"there are no files with games (.wtb, .ggf, .txt) in '{path}'")
    return found


def count_games(paths: Iterable[Path], plies: int = COUNTED_PLIES) -> Frequencies:
    """Count the first positions of all games in files; what is not legal in a game ends it, games of another start do
    not count."""
    squares = [rows for path in paths for rows in _games_in(path)]
    games = np.concatenate(squares) if squares else np.empty((0, 60), np.uint8)
    positions = np.zeros((len(games), plies), np.uint64)
    edges = np.zeros((len(games), plies), np.uint64)
    _hash_games(np.ascontiguousarray(games), np.uint64(START.own), np.uint64(START.opponent), positions, edges)
    return Frequencies(_tally(positions), _tally(edges), len(games))


def _games_in(path: Path) -> Iterator[NDArray[np.uint8]]:
    if path.suffix.lower() == ".wtb":
        yield read_wthor(path).moves
        return
    for record in only_reversi(read_any_file(path)):
        if isinstance(record, Record) and record.start == START:
            row = np.full((1, 60), END, np.uint8)
            placed = [move for move in record.moves if move != PASS]
            row[0, : len(placed)] = placed
            yield row


def _tally(hashes: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    known, counts = np.unique(hashes[hashes != 0], return_counts=True)
    return known, counts


def weights_checksum(path: Path = WEIGHTS) -> int:
    """What tells one evaluation from another in a book."""
    return zlib.crc32(path.read_bytes())


@dataclass(frozen=True)
class _Candidate:
    """A position to search, and how often the games that the book knows have reached it."""

    cost: float
    key: Key
    games: int


class Bookmaker:
    """Searches the positions of a book, `depth` plies deep, and saves it into a file, if there is one.

    `searched` counts its searches.
    """

    def __init__(
        self,
        book: OpeningBook,
        engine: Engine,
        *,
        depth: int = 14,
        frequencies: Frequencies | None = None,
        file: Path | None = None,
    ) -> None:
        if not 2 <= depth <= 60:
            raise BadOption(f"depth must be from 2 to 60, not {depth}")
        self.book = book
        self.depth = depth
        self.searched = 0
        self._engine = engine
        self._frequencies = frequencies
        self._file = file
        self._saved = -math.inf
        self._unsaved = True  # the file may not even exist
        for key, entry in book.positions() if frequencies else ():
            self._count(key, entry)

    def save(self) -> None:
        """Back up all values, and write the book to its file."""
        if self._unsaved:
            self.book.back_up()
            if self._file is not None:
                self.book.save(self._file)
        self._saved, self._unsaved = clock.monotonic(), False

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Whatever ends the work within, the book is saved."""
        try:
            yield
        finally:
            self.save()

    def expand(
        self, *, time: float | None = None, positions: int | None = None, on_progress: Progress | None = None
    ) -> int:
        """Search what is cheapest, until the time is over or this many positions were searched; how many there were.

        Positions of the book that were not searched as deep as this are searched again in their turn. Interrupted, it
        can be called again, also with the book loaded from its file, and goes on.
        """
        deadline = math.inf if time is None else clock.monotonic() + time
        most = math.inf if positions is None else self.searched + positions
        before = self.searched
        with self.saving():
            while clock.monotonic() < deadline and self.searched < most:
                self.book.back_up()
                chosen = list(islice(self.candidates(), 1 + int(len(self.book) * ROUND)))
                if not chosen:
                    break
                for candidate in chosen:
                    if clock.monotonic() >= deadline or self.searched >= most:
                        break
                    self._search(candidate.key, candidate.games)
                    if on_progress:
                        on_progress(self.searched - before)
                    if clock.monotonic() - self._saved > SAVE_EVERY:
                        self.save()
        return self.searched - before

    def candidates(self) -> Iterator[_Candidate]:
        """What to search next, the cheapest first: positions that are missing, or not searched deep enough."""
        root = canonical_key(START)[0]
        costs, reached = {root: 0.0}, {root: 0}
        for key, entry in self.book.positions():
            cost = costs.get(key)
            if cost is None:  # not to be reached from the first position: learned from a game that began elsewhere
                continue
            best = max(entry.values)
            for reply, value, played in _distinct(self.book.replies(key), entry):
                rarity = math.log2((entry.games + DOUBT) / played) if played else math.inf
                total = cost + DEPTH_COST + min((best - value) / UNIT, rarity)
                costs[reply] = min(total, costs.get(reply, math.inf))
                reached[reply] = reached.get(reply, 0) + played
        wanted = [_Candidate(cost, key, reached[key]) for key, cost in costs.items() if self._is_wanted(key)]
        for candidate in sorted(wanted, key=lambda candidate: (candidate.cost, candidate.key)):
            if self.book.replies(candidate.key):  # else the game is over there
                yield candidate

    def _is_wanted(self, key: Key) -> bool:
        if (key[0] | key[1]).bit_count() - 4 > LAST_PLY:
            return False
        entry = self.book.entry(key)
        return entry is None or entry.depth < min(self.depth, 64 - (key[0] | key[1]).bit_count())

    def learn(self, record: Record, plies: int = LEARNED_PLIES) -> int:
        """Take a game into the book: count its moves, and search where it has left the book; how many positions.

        The first `plies` positions that the book did not know are added. Call `save` after the last game.
        """
        added = 0
        states = record.states()
        for state, following in pairwise(states):
            key = canonical_key(state)[0]
            if state.board != FULL or (key[0] | key[1]).bit_count() - 4 > LAST_PLY:
                break
            if key not in self.book:
                if added == plies:
                    break
                self._search(key, 0)
                added += 1
            entry = self.book.entry(key)
            assert entry is not None
            entry.games += 1
            reply = canonical_key(following)[0]
            entry.played = [
                games + (there == reply) for games, there in zip(entry.played, self.book.replies(key), strict=True)
            ]
            self._unsaved = True
        return added

    def _search(self, key: Key, games: int) -> None:
        """Search all moves of a position, and keep what was found."""
        steps: list[tuple[Report, ...]] = []
        state = Reversi(np.uint64(key[0]), np.uint64(key[1]), FULL, 0)
        last = self._engine.score_moves(state, Limit(depth=self.depth), on_reports=steps.append)
        found = _two_steps(steps or [last])
        squares = legal_moves(*key)
        # Of moves that lead to one and the same position the first counts for all.
        first: dict[Key, int] = {}
        for square, reply in zip(squares, self.book.replies(key), strict=True):
            first.setdefault(reply, found[square])
        values = [first[reply] for reply in self.book.replies(key)]
        known = self.book.entry(key)
        games, played = (known.games, known.played) if known else (games, [0] * len(values))
        confidence = CONFIDENCES.index(last[0].confidence)
        entry = Entry(last[0].depth, confidence, games, values, list(values), played)
        self._count(key, entry)
        self.book.put(key, entry)
        self.searched += 1
        self._unsaved = True

    def _count(self, key: Key, entry: Entry) -> None:
        """Take over how often a position and its moves occur in the games that were counted, if that is more."""
        if self._frequencies:
            games, played = self._frequencies.of(key)
            entry.games = max(entry.games, games)
            entry.played = [max(known, counted) for known, counted in zip(entry.played, played, strict=True)]


def _distinct(replies: tuple[Key, ...], entry: Entry) -> Iterator[tuple[Key, int, int]]:
    """Each reply once, with the value of the move that leads to it and how often that was played."""
    seen = set()
    for reply, value, played in zip(replies, entry.values, entry.played, strict=True):
        if reply not in seen:
            seen.add(reply)
            yield reply, value, played


def _two_steps(steps: list[tuple[Report, ...]]) -> dict[int, int]:
    """The value of each move in half discs: the sum of the last two depths, since one depth flatters either side."""
    last = {report.move: report.value for report in steps[-1]}
    if len(steps) == 1 or steps[-1][0].exact:
        return {move: UNIT * value for move, value in last.items()}
    before = {report.move: report.value for report in steps[-2]}
    return {move: value + before[move] for move, value in last.items()}
