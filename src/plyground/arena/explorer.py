"""Which moves were played in a position, and how those games ended: the games database, by position.

The counts are kept in a file beside the database, ``games.positions.db`` beside ``games.db``. It is made from the
database when somebody first asks, goes on where it stopped when there are new games, and may be removed at any time:

    counted   game, last, chain: up to which game of the database the games of this spec have been counted
    played    game, position, child, here, first, drawn, second, open: how often a move led from one position to
              another, apart for games that were played in the app (here = 1) and all others, by who won

A position and its mirror images are one, and a move is what it leads to. So a move is found however the board lies, and
whichever moves led to the position.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time as clock
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plyground.arena.archive import BROKEN_OFF
from plyground.arena.database import Database
from plyground.arena.shared_file import columns_of, damage, distrust, run_script, transaction, write_ahead
from plyground.core.files import kind_of
from plyground.core.game import Game
from plyground.core.played_game import DISTURBED
from plyground.core.rules import action_buffer, actions, canonical_image, legal_actions, result
from plyground.errors import DatabaseError
from plyground.native.compiling import compiled, interpreted

__all__ = ["PLIES", "Explorer", "MoveCounts", "count_moves"]

APPLICATION = 0x506C7945
"""SQLite's field for whose file this is: "PlyE"."""
VERSION = 1
PATIENCE = 10.0
PLIES = 24
"""Moves of each game that are counted."""
BATCH = 500
"""Games that are counted in a transaction."""
TABLES = """
CREATE TABLE counted (game TEXT PRIMARY KEY, last INTEGER NOT NULL, chain TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE played (
    game TEXT NOT NULL, position INTEGER NOT NULL, child INTEGER NOT NULL, here INTEGER NOT NULL,
    first INTEGER NOT NULL, drawn INTEGER NOT NULL, second INTEGER NOT NULL, open INTEGER NOT NULL,
    PRIMARY KEY (game, position, child, here)
) WITHOUT ROWID;
"""
KEEP = """
INSERT INTO played VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    first = first + excluded.first, drawn = drawn + excluded.drawn, second = second + excluded.second,
    open = open + excluded.open
"""
MOST_ACTION = 1 << 62
"""No game here has such an action."""
HERE = "app"
"""The tournament of the games that were played in the app."""


class MoveCounts(NamedTuple):
    """In how many games a move was made: that the first player won, that were drawn, that the second player won.

    `open` are those of which nobody knows how they ended.
    """

    first: int = 0
    drawn: int = 0
    second: int = 0
    open: int = 0


@compiled
def write_positions(state: Any, line: Any, out: Any) -> int:
    """Write what each position of a line of moves has in common with its mirror images; how many there are.

    It ends before the first move that is not legal.
    """
    options = action_buffer(state)
    out[0] = np.int64(canonical_image(state)[0] >> np.uint64(1))
    for i in range(len(line)):
        count, legal = legal_actions(state, options), False
        for j in range(count):
            legal = legal or options[j] == line[i]
        if not legal:
            return i + 1
        state = result(state, line[i])
        out[i + 1] = np.int64(canonical_image(state)[0] >> np.uint64(1))
    return len(line) + 1


class Explorer:
    """The counts of a games database. Closed by `close`, or as a context manager; errors are `DatabaseError`."""

    def __init__(self, database: str | Path) -> None:
        self.database = Path(database)
        self.path = self.database.with_name(f"{self.database.stem}.positions{self.database.suffix}")
        self._connection = self._open()

    def __enter__(self) -> Explorer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _open(self) -> sqlite3.Connection:
        if (kind := kind_of(self.path)) not in ("", "a file"):
            raise DatabaseError(f"{self.path} is {kind}, and the counts of {self.database.name} are to be kept there")
        with self._speaking():
            try:
                return self._connected()
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):  # locked, full, or not to be written
                    raise
            # Damaged. All that was in it is in the database.
            for end in ("", "-wal", "-shm"):
                Path(f"{self.path}{end}").unlink(missing_ok=True)
            return self._connected()

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        try:
            distrust(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            with transaction(connection):
                tables, application, version = connection.execute(
                    "SELECT (SELECT count(*) FROM sqlite_master), application_id, user_version "
                    "FROM pragma_application_id, pragma_user_version"
                ).fetchone()
                if tables and application != APPLICATION:
                    raise DatabaseError(f"{self.path} is another program's; move it elsewhere")
                if not tables:
                    run_script(connection, TABLES)
                    connection.execute(f"PRAGMA application_id = {APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {VERSION}")
                elif version != VERSION or damage(connection, self.path, columns_of(TABLES)):
                    raise sqlite3.DatabaseError("of another version, or damaged")
            write_ahead(connection, PATIENCE)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextlib.contextmanager
    def _speaking(self) -> Iterator[None]:
        try:
            yield
        except DatabaseError:
            raise
        except (sqlite3.Error, OSError) as error:
            reason = " ".join(str(getattr(error, "strerror", None) or error).split())[:100]
            raise DatabaseError(f"cannot count the games of {self.database} in {self.path}: {reason}") from None

    # Counting ---------------------------------------------------------------------------------------------------------

    def count(self, game: Game, seconds: float) -> tuple[int, int]:
        """Count games that have not been counted yet, for about so long; how many are counted, and how many there are.

        A database that is not there has none. Several processes may do this at once.
        """
        if not self.database.is_file():
            return 0, 0
        end = clock.monotonic() + seconds
        with Database(self.database, write=False) as base:
            total, left = base.count(game=game.spec), self._left(base, game)
            while left and clock.monotonic() < end:
                self._count_batch(base, game)
                left = self._left(base, game)
        return total - left, total

    def _last(self, game: Game) -> tuple[int, str]:
        found = self._connection.execute("SELECT last, chain FROM counted WHERE game = ?", (game.spec,)).fetchone()
        return (int(found[0]), str(found[1])) if found else (0, "")

    def _left(self, base: Database, game: Game) -> int:
        with self._speaking():
            return base.count_after(game.spec, self._last(game)[0])

    def _count_batch(self, base: Database, game: Game) -> None:
        with self._speaking(), transaction(self._connection):
            last, chain = self._last(game)
            if last and base.chain_of(last) != chain:  # another database, or a game has gone: all is counted anew
                self._connection.execute("DELETE FROM played WHERE game = ?", (game.spec,))
                last = 0
            games = base.lines(game.spec, after=last, limit=BATCH)
            found: Counter[tuple[int, int, bool, int]] = Counter()
            for one in games:
                if one.reason.startswith(DISTURBED) or not one.from_the_start:
                    continue
                ended = one.tournament == HERE, 3 if one.reason == BROKEN_OFF else _outcome(one.returns)
                for pair in _moves_of(game, one.actions):
                    found[*pair, *ended] += 1
            rows = [
                (game.spec, position, child, int(here), *(count if which == outcome else 0 for which in range(4)))
                for (position, child, here, outcome), count in sorted(found.items())
            ]
            self._connection.executemany(KEEP, rows)
            if games:
                facts = (game.spec, games[-1].id, games[-1].chain)
                self._connection.execute("INSERT OR REPLACE INTO counted VALUES (?, ?, ?)", facts)

    # Asking -----------------------------------------------------------------------------------------------------------

    def moves(self, game: Game, state: Any) -> dict[int, tuple[MoveCounts, MoveCounts]]:
        """How often each legal move was made here, as far as that has been counted: in all other games, in the app's.

        Of moves that are mirror images of each other each has what all of them have. Moves that nobody has made are
        left out.
        """
        with interpreted():
            here = _key(state)
            children = {action: _key(result(state, action)) for action in actions(state)}
        query = "SELECT child, here, first, drawn, second, open FROM played WHERE game = ? AND position = ?"
        with self._speaking():
            rows = self._connection.execute(query, (game.spec, here)).fetchall()
        found = {(child, bool(own)): MoveCounts(*counts) for child, own, *counts in rows}
        pairs = {
            action: (found.get((child, False), MoveCounts()), found.get((child, True), MoveCounts()))
            for action, child in children.items()
        }
        return {action: pair for action, pair in pairs.items() if any(map(sum, pair))}


def _key(state: Any) -> int:
    return int(canonical_image(state)[0]) >> 1


def count_moves(
    game: Game, state: Any, lines: Sequence[tuple[Sequence[int], Sequence[float]]]
) -> dict[int, MoveCounts]:
    """How often each legal move was made in these games, each its actions from the start and its returns.

    What is one move, and how many moves of a game are counted, is as in `Explorer.moves`.
    """
    with interpreted():
        here = _key(state)
        children = {action: _key(result(state, action)) for action in actions(state)}
    found: Counter[tuple[int, int]] = Counter()
    for line, returns in lines:
        for position, child in _moves_of(game, line):
            if position == here:
                found[child, _outcome(returns)] += 1
    counts = {action: MoveCounts(*(found[child, which] for which in range(4))) for action, child in children.items()}
    return {action: count for action, count in counts.items() if any(count)}


def _moves_of(game: Game, made: Sequence[int]) -> list[tuple[int, int]]:
    """The first moves of a game from the start, as pairs of positions."""
    line = np.array([min(max(action, -1), MOST_ACTION) for action in made[:PLIES]], np.int64)
    out = np.empty(len(line) + 1, np.int64)
    count = write_positions(game.initial, line, out)
    return list(zip(out[: count - 1].tolist(), out[1:count].tolist(), strict=True))


def _outcome(returns: Sequence[float]) -> int:
    first, second = returns
    return 0 if first > second else 2 if second > first else 1
