"""The games database: one SQLite file with every player, game and move.

A game is one transaction. A process killed while it writes loses the game that was being written and nothing else, and
several processes may write the same file. The tables are meant to be read by other programs too:

    players      id, name, spec, digest
    games        id, key, tournament, game, reason, opening, started, seconds, and the moves, as JSON lists with an
                 entry for each move: movers, actions, texts, times, evaluations, depths, nodes; NULL if none is known;
                 chain: a digest of the game, its players and results, and of the chain of the game before
    seats        game_id, seat, player_id, result: the utility at the end, processor: seconds of processor time or NULL
    tournaments  id, plan (JSON), created
    chain_end    games, chain: how many games there are, and the last one's chain

Whoever changes or removes a game breaks the chain, and `Database.check_chain` says so.

``PRAGMA user_version`` is the version of these tables. A file of an older version is brought to this one when it is
opened for writing.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import math
import operator
import os
import sqlite3
import time as clock
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from plyground.arena.ratings import Tally, spellings, tally_labels
from plyground.arena.shared_file import (
    Effort,
    columns_of,
    damage,
    distrust,
    run_script,
    transaction,
    write_ahead,
)
from plyground.core.files import kind_of
from plyground.core.played_game import DISTURBED, PlayedGame, PlayedMove, PlayerEntry
from plyground.errors import DatabaseError

__all__ = ["VERSION", "Database", "PackedGame", "PlayedLine", "PlayerSummary", "TournamentSummary", "pack"]

APPLICATION = 0x506C7967
"""SQLite's field for whose file this is: "Plyg"."""
VERSION = 3
PATIENCE = 30.0
"""Seconds to wait while another process writes."""
BATCH = 1000
"""How many games of an archive go into a transaction."""

TABLES = """
CREATE TABLE players (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, spec TEXT NOT NULL, digest TEXT NOT NULL, UNIQUE (name, spec, digest)
);
CREATE TABLE tournaments (id TEXT PRIMARY KEY, plan TEXT NOT NULL, created REAL NOT NULL DEFAULT 0);
CREATE TABLE games (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, tournament TEXT NOT NULL, game TEXT NOT NULL,
    reason TEXT NOT NULL, opening TEXT NOT NULL, started REAL NOT NULL, seconds REAL NOT NULL,
    movers TEXT NOT NULL, actions TEXT NOT NULL, texts TEXT NOT NULL, times TEXT, evaluations TEXT, depths TEXT,
    nodes TEXT, chain TEXT NOT NULL DEFAULT ''
);
CREATE TABLE seats (
    game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE, seat INTEGER NOT NULL,
    player_id INTEGER NOT NULL REFERENCES players (id), result REAL NOT NULL, processor REAL,
    PRIMARY KEY (game_id, seat)
) WITHOUT ROWID;
CREATE TABLE chain_end (games INTEGER NOT NULL, chain TEXT NOT NULL);
CREATE INDEX games_of_a_tournament ON games (tournament, game);
CREATE INDEX seats_of_a_player ON seats (player_id);
"""
MIGRATIONS = {
    1: """
    ALTER TABLE games ADD COLUMN depths TEXT;
    ALTER TABLE games ADD COLUMN nodes TEXT;
    ALTER TABLE tournaments ADD COLUMN created REAL NOT NULL DEFAULT 0;
    DROP INDEX IF EXISTS games_of_a_tournament;
    CREATE INDEX games_of_a_tournament ON games (tournament, game);
    """,
    2: """
    ALTER TABLE games ADD COLUMN chain TEXT NOT NULL DEFAULT '';
    ALTER TABLE seats ADD COLUMN processor REAL;
    CREATE TABLE chain_end (games INTEGER NOT NULL, chain TEXT NOT NULL);
    """,
}
"""What brings a file of that version to the next one."""

COLUMNS = (
    "key", "tournament", "game", "reason", "opening", "started", "seconds", "movers", "actions", "texts", "times",
    "evaluations", "depths", "nodes",
)  # fmt: skip
FILTERS = {
    **{name: f"games.{name} = ?" for name in ("key", "tournament", "game")}, "reason": "instr(games.reason, ?)",
}  # fmt: skip
INSERT = f"INSERT OR IGNORE INTO games ({', '.join(COLUMNS)}, chain) VALUES ({', '.join('?' * len(COLUMNS))}, ?)"
CHAINED = ("key", "game", "reason", "opening", "movers", "actions")
LINKS = (
    f"SELECT games.id, chain, {', '.join(f'games.{name}' for name in CHAINED)}, name, spec, digest, result FROM games"
    " LEFT JOIN seats ON game_id = games.id LEFT JOIN players ON players.id = player_id"
)
"""What the chain is made of, all that tables and ratings are made of: a row for each seat of a game."""


class PackedGame(NamedTuple):
    """A game as it is stored: the players and the returns, and the columns of the table `games`."""

    players: tuple[PlayerEntry, ...]
    returns: tuple[float, ...]
    columns: tuple[Any, ...]
    processor_times: tuple[float, ...] = ()


class PlayedLine(NamedTuple):
    """The moves of a game and how it ended, without anything else; `id` and `chain` are those of its row.

    `from_the_start` is False where the game began from a board that was set up; `returns` are those of the first two
    seats.
    """

    id: int
    chain: str
    tournament: str
    reason: str
    from_the_start: bool
    actions: list[int]
    returns: tuple[float, float]


@dataclass(frozen=True)
class TournamentSummary:
    """A tournament of a database: the games that it has so far, and when the first of them began."""

    id: str
    game: str
    games: int
    players: int
    started: float


@dataclass(frozen=True)
class PlayerSummary:
    """A player of a database: its label in lists, who that is, its games, and when the first and last of them began.

    The label is the name, and where several players share that, their spec or the digest of their code too.
    """

    label: str
    entry: PlayerEntry
    games: int
    first: float
    last: float


def pack(result: PlayedGame) -> PackedGame:
    """A game, ready to be stored. What is not a finite number is not kept of a move, and refused as a result."""
    if len(result.players) != len(result.returns) or not all(map(math.isfinite, result.returns)):
        raise DatabaseError(f"the game {result.key} must have a finite return for each of its players")
    moves = result.moves
    columns = (
        result.key,
        result.tournament,
        result.game,
        result.reason,
        result.opening,
        _finite(result.started) or 0.0,
        _finite(result.seconds) or 0.0,
        _json([move.player for move in moves]),
        _json([move.action for move in moves]),
        _json([move.text for move in moves]),
        _notes([round(_finite(move.time) or 0.0, 6) or None for move in moves]),
        _notes([_finite(move.value) for move in moves]),
        _notes([move.depth for move in moves]),
        _notes([move.nodes for move in moves]),
    )
    return PackedGame(result.players, tuple(map(float, result.returns)), columns, result.processor_times)


class Database:
    """The games in a file, which is made if it is not there. Closed by `close`, or as a context manager.

    With `write=False` the file must be there, and is only read; it may lie where nobody can write. With `guard` it is
    an error, found when the next game is added, if somebody has removed the file or changed a game that was added.

    Not for several threads at once: each opens its own. Errors are `DatabaseError`, of one line.
    """

    def __init__(self, path: str | Path, *, write: bool = True, guard: bool = False) -> None:
        self.path = Path(path)
        self._players: dict[PlayerEntry, int] = {}
        self._connection = self._open(write)
        self._guarded: dict[str, str] | None = {} if guard else None
        """The chains of the games that were added, by their keys."""
        self._file = self._identity()
        self._seen = self._data_version()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. What was added is in it, whether it is closed or not."""
        self._connection.close()

    # Opening ----------------------------------------------------------------------------------------------------------

    def _open(self, write: bool) -> sqlite3.Connection:
        if (kind := kind_of(self.path)) not in ("", "a file"):
            raise DatabaseError(f"{self.path} is {kind}, not a games database")
        if not self.path.parent.is_dir():
            raise DatabaseError(f"cannot open the database {self.path}: there is no folder {self.path.parent}")
        if not write and not self.path.is_file():
            raise DatabaseError(f"there is no database {self.path}")
        with self._speaking("open"):
            connection = self._connect("rwc") if write else self._connect_to_read()
            try:
                self._effort = Effort(connection, self.path)
                version = self._check(connection)
                if fault := damage(connection, self.path, columns_of(TABLES) if version == VERSION else {}):
                    raise DatabaseError(f"cannot open the database {self.path}: it is damaged, or not ours: {fault}")
                if write:
                    self._prepare(connection, version)
                elif not version:
                    raise DatabaseError(f"{self.path} is empty, and not a games database")
                elif version < VERSION:
                    connection.close()
                    # Of an older version: it is brought to the present one, which needs to write.
                    Database(self.path).close()
                    connection = self._connect_to_read()
            except BaseException:
                connection.close()
                raise
            return connection

    def _connect_to_read(self) -> sqlite3.Connection:
        if not all(os.access(path, os.W_OK) for path in (self.path, self.path.parent)):
            return self._connect("ro")
        # A reader that may not write cannot clear away the files beside the database when it is the last to close it.
        connection = self._connect("rw")
        connection.execute("PRAGMA query_only = ON")
        return connection

    def _connect(self, mode: str) -> sqlite3.Connection:
        address = f"file:{quote(str(self.path.absolute()))}?mode={mode}"
        connection = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)
        try:
            distrust(connection)
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            connection.close()
            unfinished = [Path(f"{self.path}{end}") for end in ("-wal", "-journal")]
            closed = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
            if mode != "ro" or error.sqlite_errorcode & 0xFF not in closed or any(map(Path.exists, unfinished)):
                raise
            # In a folder that cannot be written there is no room for the lock, and nobody who could change the file.
            connection = sqlite3.connect(f"{address}&immutable=1", uri=True, isolation_level=None)
            distrust(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check(self, connection: sqlite3.Connection) -> int:
        """The version of the tables; 0 for a file that has none yet. Refuses what is another program's."""
        # In one statement: between two, another process could make the tables.
        tables, application, version = connection.execute(
            "SELECT (SELECT count(*) FROM sqlite_master), application_id, user_version "
            "FROM pragma_application_id, pragma_user_version"
        ).fetchone()
        if not tables and not application:
            return 0
        if application != APPLICATION:
            raise DatabaseError(f"{self.path} is a database of another program, not one of games; name another file")
        if version > VERSION:
            raise DatabaseError(
                f"{self.path} was written by a newer Plyground: its version is {version}, and this one reads up to "
                f"{VERSION}; install the newer one"
            )
        return int(version)

    def _prepare(self, connection: sqlite3.Connection, version: int) -> None:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        if version < VERSION:
            with transaction(connection):
                version = self._check(connection)  # somebody else may have done it meanwhile
                while version < VERSION:
                    run_script(connection, MIGRATIONS[version] if version else TABLES)
                    version = version + 1 if version else VERSION
                _chain_all(connection)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
        write_ahead(connection, PATIENCE)

    @contextlib.contextmanager
    def _speaking(self, verb: str) -> Iterator[None]:
        """Turn what SQLite says into one line for people, and what is no game or plan of ours."""
        if verb != "open":
            self._effort.renew()
        try:
            yield
        except (LookupError, RecursionError, TypeError, ValueError) as error:
            if verb == "write to":
                raise
            reason = " ".join(str(error).split())[:100]
            raise DatabaseError(f"cannot {verb} the database {self.path}: it is damaged ({reason})") from None
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            why = {
                sqlite3.SQLITE_NOTADB: "it is not a database",
                sqlite3.SQLITE_CORRUPT: "it is damaged",
                sqlite3.SQLITE_TOOBIG: "a value in it is too large",
                sqlite3.SQLITE_INTERRUPT: "it takes too long, so it is damaged, or not one of ours",
                sqlite3.SQLITE_FULL: "the disk is full",
                sqlite3.SQLITE_READONLY: "it cannot be written",
                sqlite3.SQLITE_CANTOPEN: "the file or its folder cannot be written"
                if not os.access(self.path.parent, os.W_OK)
                else "the file cannot be opened",
                sqlite3.SQLITE_BUSY: f"another program has kept it locked for {PATIENCE:g} s",
            }.get(code, " ".join(str(error).split())[:100])
            raise DatabaseError(f"cannot {verb} the database {self.path}: {why}") from None

    # Writing ----------------------------------------------------------------------------------------------------------

    def add(self, result: PlayedGame) -> bool:
        """Keep a game; False if one with this key is there already. It is in the file when this returns."""
        return self.add_packed([pack(result)]) == 1

    def add_packed(self, games: Iterable[PackedGame]) -> int:
        """Keep many games, a thousand in a transaction; how many of them were new."""
        new = 0
        batch: list[PackedGame] = []
        for game in games:
            batch.append(game)
            if len(batch) == BATCH:
                new += self._add(batch)
                batch = []
        return new + self._add(batch)

    def _add(self, batch: list[PackedGame]) -> int:
        if not batch:
            return 0
        known = dict(self._players)
        new = 0
        with self._speaking("write to"):
            with transaction(self._connection):
                self._check_guarded()
                games, chain = _chain_end(self._connection)
                for game in batch:
                    columns = [_clean(value) for value in game.columns]
                    link = _chained(chain, [columns[COLUMNS.index(name)] for name in CHAINED], _seated(game))
                    done = self._connection.execute(INSERT, [*columns, link])
                    if not done.rowcount:
                        continue
                    new, chain = new + 1, link
                    used = game.processor_times or (None,) * len(game.players)
                    self._connection.executemany(
                        "INSERT INTO seats VALUES (?, ?, ?, ?, ?)",
                        [
                            (done.lastrowid, seat, self._player(player, known), value, seconds)
                            for seat, (player, value, seconds) in enumerate(
                                zip(game.players, game.returns, used, strict=True)
                            )
                        ],
                    )
                    if self._guarded is not None:
                        self._guarded[game.columns[0]] = chain
                self._connection.execute("UPDATE chain_end SET games = ?, chain = ?", (games + new, chain))
            # Only now: the numbers of players from a transaction that failed are nobody's.
            self._players = known
            self._seen = self._data_version()
        return new

    # Noticing what others do ------------------------------------------------------------------------------------------

    def check_chain(self) -> str | None:
        """What somebody else than Plyground has done to the games, in one line; None if they are as they were written.

        Every game is looked at, but for the times and thoughts of its moves.
        """
        with self._speaking("read"):
            games, end = _chain_end(self._connection)
            chain, count = "", 0
            for link in _links(self._connection.execute(f"{LINKS} ORDER BY games.id, seat")):
                chain, count = _chained(chain, link.facts, link.seats), count + 1
                if chain != link.chain:
                    key = link.facts[0]
                    return f"{self.path} has been altered: the game {key} or one before it is not as it was written"
        if (games, end) != (count, chain):
            return f"{self.path} has been altered: it has {count} games, and {games} were written"
        return None

    def _check_guarded(self) -> None:
        """`DatabaseError` if the file is another one, or games that were added are not what they were."""
        if self._guarded is None:
            return
        if self._identity() != self._file:
            raise DatabaseError(f"somebody has removed or replaced the database {self.path} while it was in use")
        if self._data_version() == self._seen:
            return
        for key, chain in self._guarded.items():
            rows = self._connection.execute(f"{LINKS} WHERE games.key = ? ORDER BY seat", (key,))
            link = next(_links(rows), None)
            before = (
                link
                and self._connection.execute(
                    "SELECT chain FROM games WHERE id < ? ORDER BY id DESC LIMIT 1", (link.game,)
                ).fetchone()
            )
            if not link or not link.chain == chain == _chained(before[0] if before else "", link.facts, link.seats):
                raise DatabaseError(
                    f"somebody has altered the game {key} in the database {self.path} while it was in use"
                )

    def _identity(self) -> tuple[int, int] | None:
        try:
            facts = self.path.stat()
        except OSError:
            return None
        return facts.st_dev, facts.st_ino

    def _data_version(self) -> int:
        """A number that changes when another process has written the file."""
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def _player(self, player: PlayerEntry, known: dict[PlayerEntry, int]) -> int:
        if player not in known:
            fields = tuple(_clean(text) for text in (player.name, player.spec, player.digest))
            self._connection.execute("INSERT OR IGNORE INTO players (name, spec, digest) VALUES (?, ?, ?)", fields)
            found = self._connection.execute(
                "SELECT id FROM players WHERE name = ? AND spec = ? AND digest = ?", fields
            ).fetchone()
            known[player] = int(found[0])
        return known[player]

    def save_tournament(self, tournament: str, plan: Any) -> None:
        """Keep the plan of a tournament, anything that JSON can hold; a plan that is there is replaced."""
        if not tournament or "/" in tournament:
            raise DatabaseError(f"a tournament's name is not empty and has no slash, unlike {tournament!r}")
        with self._speaking("write to"), transaction(self._connection):
            self._connection.execute(
                "INSERT INTO tournaments (id, plan, created) VALUES (?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET plan = excluded.plan",
                (tournament, json.dumps(plan), clock.time()),
            )

    # Reading ----------------------------------------------------------------------------------------------------------

    def tournament(self, tournament: str) -> Any | None:
        """The plan that was saved for a tournament; None if there is none."""
        found = self._rows("SELECT plan FROM tournaments WHERE id = ?", (tournament,))
        with self._speaking("read"):
            return json.loads(found[0][0]) if found else None

    def tournaments(self) -> list[TournamentSummary]:
        """All tournaments, by when their first game began; one that has a plan only has no games yet."""
        rows = self._rows(
            "SELECT tournament, game, count(DISTINCT games.id), count(DISTINCT player_id), min(started) FROM games"
            " LEFT JOIN seats ON game_id = games.id GROUP BY tournament, game ORDER BY min(started), tournament, game"
        )
        found = [TournamentSummary(*row) for row in rows]
        planned = self._rows("SELECT id, created FROM tournaments ORDER BY created")
        met = {summary.id for summary in found}
        return found + [TournamentSummary(name, "", 0, 0, created) for name, created in planned if name not in met]

    def players(self) -> list[PlayerSummary]:
        """Everybody who has a game, by name, and those of one name by when they began."""
        rows = self._rows(
            "SELECT name, spec, digest, count(*), min(started), max(started) FROM players"
            " JOIN seats ON player_id = players.id JOIN games ON games.id = game_id GROUP BY players.id"
            " ORDER BY name, min(started), players.id"
        )
        entries = [PlayerEntry(*row[:3]) for row in rows]
        labels = tally_labels(entries)
        return [PlayerSummary(labels[entry], entry, *row[3:]) for entry, row in zip(entries, rows, strict=True)]

    def keys(self, tournament: str) -> set[str]:
        """The keys of the games of a tournament that have been played."""
        return {key for (key,) in self._rows("SELECT key FROM games WHERE tournament = ?", (tournament,))}

    def games(self) -> list[str]:
        """Which games were played, as specs."""
        return [game for (game,) in self._rows("SELECT DISTINCT game FROM games ORDER BY game")]

    def count(self, **filters: str | None) -> int:
        """How many games there are; filters as for `results`."""
        where, values = self._where(**filters)
        return int(self._rows(f"SELECT count(*) FROM games {where}", values)[0][0])

    def results(self, *, limit: int | None = None, offset: int = 0, **filters: str | None) -> Iterator[PlayedGame]:
        """The games in the order in which they were added, one after the other.

        All filters that are given must fit: the exact `key`, `tournament` or `game`, the name or label of a `player`
        and of an `opponent`, a part of the `reason`.
        """
        where, values = self._where(**filters)
        query = f"SELECT id, {', '.join(COLUMNS)} FROM games {where} ORDER BY id LIMIT ? OFFSET ?"
        with self._speaking("read"):
            cursor = self._connection.execute(query, (*values, -1 if limit is None else limit, offset))
            while rows := cursor.fetchmany(BATCH):
                seats = self._seats(row[0] for row in rows)
                for number, *columns in map(_texts, rows):
                    yield _unpacked(seats[number], columns)

    def count_after(self, game: str, after: int) -> int:
        """How many games of a spec were added after the one with this number."""
        return int(self._rows("SELECT count(*) FROM games WHERE game = ? AND id > ?", (game, after))[0][0])

    def chain_of(self, number: int) -> str:
        """The chain of the game with this number; "" if there is none."""
        found = self._rows("SELECT chain FROM games WHERE id = ?", (number,))
        return str(found[0][0]) if found else ""

    def lines(self, game: str, *, after: int = 0, limit: int = BATCH) -> list[PlayedLine]:
        """The games of a spec that were added after the one with this number, in order, without their thoughts."""
        rows = self._rows(
            "SELECT games.id, chain, tournament, reason, opening, actions, texts, a.result, b.result FROM games"
            " LEFT JOIN seats a ON a.game_id = games.id AND a.seat = 0"
            " LEFT JOIN seats b ON b.game_id = games.id AND b.seat = 1"
            " WHERE game = ? AND games.id > ? ORDER BY games.id LIMIT ?",
            (game, after, limit),
        )
        with self._speaking("read"):
            return [_line(row) for row in rows]

    def _seats(self, games: Iterable[int]) -> dict[int, list[tuple[PlayerEntry, float, float | None]]]:
        found: dict[int, list[tuple[PlayerEntry, float, float | None]]] = {game: [] for game in games}
        rows = self._connection.execute(
            "SELECT game_id, name, spec, digest, result, processor FROM seats JOIN players ON players.id = player_id"
            f" WHERE game_id IN ({','.join(map(str, found))}) ORDER BY game_id, seat"
        )
        for game, name, spec, digest, result, used in map(_texts, rows):
            found[game].append((PlayerEntry(name, spec, digest), result, used))
        return found

    def tallies(self, game: str, tournament: str | None = None) -> list[Tally]:
        """Who did what against whom in a game, for `plyground.arena.ratings.rate`; without reading any moves.

        Players are called by their labels.
        """
        where, values = self._where(game=game, tournament=tournament)
        rows = self._rows(
            "SELECT a.player_id, b.player_id, sum(a.result > b.result), sum(a.result = b.result),"
            " sum(a.result < b.result) FROM games JOIN seats a ON a.game_id = games.id"
            " JOIN seats b ON b.game_id = games.id AND b.seat > a.seat AND instr(games.reason, ?) != 1"
            f" {where} GROUP BY a.player_id, b.player_id",
            [DISTURBED, *values],
        )
        players = {
            number: PlayerEntry(*fields) for number, *fields in self._rows("SELECT id, name, spec, digest FROM players")
        }
        with self._speaking("read"):
            labels = tally_labels([players[number] for row in rows for number in row[:2]])
        named = {number for number, player in players.items() if player.name}
        return [
            Tally(labels[players[a]], labels[players[b]], *counts)
            for a, b, *counts in rows
            if a != b and a in named and b in named
        ]

    def _where(
        self, *, player: str | None = None, opponent: str | None = None, **filters: str | None
    ) -> tuple[str, list[Any]]:
        given = {FILTERS[name]: value for name, value in filters.items() if value is not None}
        found = list(given)
        for name in (player, opponent):
            if name is None:
                continue
            numbers = ",".join(map(str, self._numbers(name)))
            found.append(f"games.id IN (SELECT game_id FROM seats WHERE player_id IN ({numbers}))")
        return ("WHERE " + " AND ".join(found) if found else ""), list(given.values())

    def _numbers(self, player: str) -> list[int]:
        """Of all players of a name, or of those that are labelled so."""
        rows = self._rows("SELECT id, name, spec, digest FROM players")
        return [number for number, *entry in rows if player in spellings(PlayerEntry(*entry))]

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._speaking("read"):
            return [_texts(row) for row in self._connection.execute(query, values)]


def _texts(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row as it is; `ValueError` if bytes stand in it where there should be a text or a number."""
    if any(isinstance(value, bytes) for value in row):
        raise ValueError("bytes in place of a text")
    return row


class _Link(NamedTuple):
    """A game in the chain: its number, its chain as it is written, what it is made of."""

    game: int
    chain: str
    facts: list[Any]
    seats: list[Any]


def _links(rows: Iterable[Any]) -> Iterator[_Link]:
    """The games of `LINKS`."""
    facts = len(CHAINED)
    for (game, chain), seats in itertools.groupby(rows, key=operator.itemgetter(0, 1)):
        found = [row[2:] for row in seats]
        yield _Link(game, chain, list(found[0][:facts]), [row[facts:] for row in found if row[-1] is not None])


def _chained(before: str, facts: Sequence[Any], seats: Sequence[Any]) -> str:
    words = [before, *facts]
    for name, spec, digest, value in seats:
        words += [name, spec, digest, value + 0.0]  # SQLite knows no -0.0
    return hashlib.sha256("\x1f".join(map(str, words)).encode()).hexdigest()[:32]


def _seated(game: PackedGame) -> list[Any]:
    """The seats of a game as they are written."""
    pairs = zip(game.players, game.returns, strict=True)
    return [(*map(_clean, (player.name, player.spec, player.digest)), float(value)) for player, value in pairs]


def _chain_end(connection: sqlite3.Connection) -> tuple[int, str]:
    games, chain = connection.execute("SELECT games, chain FROM chain_end").fetchone() or (0, "")
    return int(games), str(chain)


def _chain_all(connection: sqlite3.Connection) -> None:
    """Chain the games of a file that has no chain yet."""
    chain, count = "", 0
    for link in list(_links(connection.execute(f"{LINKS} ORDER BY games.id, seat"))):
        chain, count = _chained(chain, link.facts, link.seats), count + 1
        connection.execute("UPDATE games SET chain = ? WHERE id = ?", (chain, link.game))
    connection.execute("INSERT INTO chain_end VALUES (?, ?)", (count, chain))


def _unpacked(seats: list[tuple[PlayerEntry, float, float | None]], columns: Sequence[Any]) -> PlayedGame:
    key, _, game, reason, opening, started, seconds, *lists = columns
    movers, actions, texts = (json.loads(text) for text in lists[:3])
    nothing = [None] * len(movers)
    times, values, depths, nodes = (nothing if text is None else json.loads(text) for text in lists[3:])
    _check_moves(key, movers, actions, texts, times, values, depths, nodes)
    moves = tuple(
        PlayedMove(player, action, text, time or 0.0, value, depth, count)
        for player, action, text, time, value, depth, count in zip(
            movers, actions, texts, times, values, depths, nodes, strict=True
        )
    )
    players, returns, used = zip(*seats, strict=True) if seats else ((), (), ())
    known = () if None in used else tuple(used)
    return PlayedGame(key, game, tuple(players), tuple(returns), moves, reason, opening, started, seconds, known)


def _line(row: Sequence[Any]) -> PlayedLine:
    number, chain, tournament, reason, opening, moves, texts, first, second = row
    actions = json.loads(moves)
    if not isinstance(actions, list) or not set(map(type, actions)) <= {int}:
        raise ValueError(f"the moves of the game {number}")
    whole = not opening or " ".join(map(str, json.loads(texts))).startswith(opening)
    return PlayedLine(number, chain, tournament, reason, whole, actions, (float(first or 0), float(second or 0)))


def _check_moves(key: str, movers: Any, actions: Any, texts: Any, *notes: Any) -> None:
    """`ValueError` unless these are lists such as `pack` makes."""
    numbers = (int, float, type(None))
    columns = [(movers, (int,)), (actions, (int,)), (texts, (str,)), *((note, numbers) for note in notes)]
    for column, kinds in columns:
        if not isinstance(column, list) or len(column) != len(movers) or not set(map(type, column)) <= {*kinds}:
            raise ValueError(f"the moves of the game {key!r}")


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def _json(values: list[Any]) -> str:
    return json.dumps(values, separators=(",", ":"))


def _notes(values: list[Any]) -> str | None:
    return None if all(value is None for value in values) else _json(values)


def _clean(value: Any) -> Any:
    """Halves of surrogate pairs, as a program may print them, cannot be stored."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
