"""What outlives the server: games in progress, in a SQLite file of their own, and finished ones in the games database.

All of it happens in one thread, in the order in which it was asked for.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import time as clock
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from plyground.arena.shared_file import columns_of, damage, distrust, run_script, transaction, write_ahead
from plyground.core.files import kind_of
from plyground.errors import DatabaseError
from plyground.web.games.damaged import kept_aside
from plyground.web.games.ladder import Climb
from plyground.web.server.settings import Limits

if TYPE_CHECKING:
    from plyground.arena.database import Database
    from plyground.core.played_game import PlayedGame
    from plyground.web.games.live import LiveGame

__all__ = ["Store", "open_live"]

T = TypeVar("T")
APPLICATION = 0x506C774C
"""SQLite's field for whose file this is: "PlwL"."""
PATIENCE = 10.0
TABLES = """
CREATE TABLE IF NOT EXISTS live (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, changed REAL NOT NULL, over INTEGER NOT NULL, summary TEXT NOT NULL,
    content TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS live_by_owner ON live (owner, changed);
"""
SINCE_1 = """
ALTER TABLE live ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE live ADD COLUMN moved INTEGER NOT NULL DEFAULT 1;
ALTER TABLE live ADD COLUMN unrecorded INTEGER NOT NULL DEFAULT 0;
CREATE INDEX live_by_address ON live (address, changed);
"""
"""Where a game was begun, whether anybody has moved, and whether it has ended and is not in the database yet."""
SINCE_2 = """
CREATE TABLE IF NOT EXISTS guests (visitor TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (visitor, id)) WITHOUT ROWID;
"""
"""Who holds a seat in a game that somebody else has begun. A row whose game is gone means nothing."""
SINCE_3 = """
ALTER TABLE live ADD COLUMN rated TEXT NOT NULL DEFAULT '';
CREATE TABLE IF NOT EXISTS climbs (
    id TEXT PRIMARY KEY, visitor TEXT NOT NULL, game TEXT NOT NULL, ended REAL NOT NULL, seat INTEGER NOT NULL,
    opponent TEXT NOT NULL, score REAL NOT NULL, rating REAL NOT NULL, deviation REAL NOT NULL, volatility REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS climbs_by_visitor ON climbs (visitor, ended);
"""
"""Which game a rated one is of that is not over, and rated games that are, with the rating after each."""
MOST_CLIMBS = 2000
"""Rated games that are looked at, the last ones."""
YEAR = 365 * 24 * 3600.0
"""Seconds that a rated game is remembered: as long as a browser that does not come back remembers who it is."""
SINCE_4 = """
CREATE TABLE IF NOT EXISTS rooms (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, tournament TEXT NOT NULL, changed REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS rooms_by_owner ON rooms (owner, changed);
CREATE TABLE IF NOT EXISTS begun_by (
    tournament TEXT PRIMARY KEY, visitor TEXT NOT NULL, changed REAL NOT NULL
) WITHOUT ROWID;
"""
"""The rooms of the arena: who has opened each, and which tournament it shows. And who has begun a tournament."""
SINCE_5 = """
CREATE TABLE IF NOT EXISTS removed (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, changed REAL NOT NULL, over INTEGER NOT NULL, summary TEXT NOT NULL,
    content TEXT NOT NULL, address TEXT NOT NULL, moved INTEGER NOT NULL, unrecorded INTEGER NOT NULL,
    gone REAL NOT NULL
) WITHOUT ROWID;
"""
"""Games that were removed a while ago, for whoever thinks better of it; `gone` is when that was."""
COLUMNS = "id, owner, changed, over, summary, content, address, moved, unrecorded"
MOST_REMOVED = 500
"""Removed games of one address that can be brought back."""
STEPS = (TABLES + SINCE_1, SINCE_2, SINCE_3, SINCE_4, SINCE_5)
"""What makes a file of each version out of one of the version before."""
VERSION = len(STEPS)
QUIET = 3600.0
"""Seconds after which a game with moves may have to make room, if its address has too many."""
ROOM = 0.01
"""The share of an address's games that make room at once: a flood pays for the search once for many."""


def open_live(path: Path) -> sqlite3.Connection:
    """The file of games in progress, which is made if it is not there; `DatabaseError` if it cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if (kind := kind_of(path)) not in ("", "a file"):
            raise DatabaseError(f"{path} is {kind}, not a file; name another database with --db")
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        try:
            distrust(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            with transaction(connection):  # several servers may make the same file
                tables, application, version = connection.execute(
                    "SELECT (SELECT count(*) FROM sqlite_master), application_id, user_version "
                    "FROM pragma_application_id, pragma_user_version"
                ).fetchone()
                if application != APPLICATION and tables:
                    raise DatabaseError(f"{path} is another program's; name another database with --db")
                for since, script in enumerate(STEPS, 1):
                    if version < since:
                        run_script(connection, script)
                if version < VERSION:
                    connection.execute(f"PRAGMA application_id = {APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {VERSION}")
                if fault := damage(connection, path, columns_of("".join(STEPS))):
                    raise DatabaseError(f"{path} is damaged: {fault}; name another database with --db")
            write_ahead(connection, PATIENCE)
        except BaseException:
            connection.close()
            raise
    except (OSError, ValueError, sqlite3.Error) as error:  # ValueError: a name of a table that is not text
        if isinstance(error, DatabaseError):
            raise
        reason = " ".join(str(getattr(error, "strerror", None) or error).split())
        raise DatabaseError(f"cannot keep games in {path}: {reason}; name another database with --db") from None
    return connection


def _read(text: str) -> dict[str, Any]:
    """What was kept as JSON; nothing if it is damaged."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _told(content: dict[str, Any]) -> dict[str, Any]:
    """What the summary of a game says that was kept before there was a library."""
    try:
        moves = [node["text"] for node in _played(content)]
        holders = content["seating"]["holders"] if "seating" in content else [content["owner"]] * len(content["nodes"])
        return {"at": content["at"], "started": content["started"], "board": content["board"], "holders": holders,
                "moves": moves}  # fmt: skip
    except (LookupError, TypeError):
        return {}


def _played(content: dict[str, Any]) -> list[dict[str, Any]]:
    """The nodes of the moves that led to what is on the board; `LookupError` or `TypeError` if they are damaged."""
    nodes, at = content["nodes"], content["at"]
    path: list[dict[str, Any]] = []
    while (parent := nodes[at]["parent"]) is not None:
        if len(path) == len(nodes):
            raise LookupError("the moves go round in a circle")
        path.append(nodes[at])
        at = parent
    return path[::-1]


def _line_of(content: dict[str, Any], visitor: str) -> tuple[list[int], list[float]] | None:
    """The actions of a game that is over, and its returns; None if the visitor held no seat in it, or it is damaged."""
    try:
        holders = content["seating"]["holders"] if "seating" in content else [content["owner"]]
        if content["board"] or visitor not in holders:
            return None
        return [int(node["action"]) for node in _played(content)], [
            float(value) for value in content["ended"]["returns"]
        ]
    except (LookupError, TypeError, ValueError):
        return None


class Store:
    """The two files. Every method is awaited; errors are `DatabaseError`."""

    def __init__(self, live_file: Path, database: Path) -> None:
        self.live_file, self.database = live_file, database
        self._thread = ThreadPoolExecutor(1, "store")
        self._connection: sqlite3.Connection | None = None
        self._games: Database | None = None

    async def _do(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def open(self) -> list[str]:
        """Open the file of games in progress, which is made if it is not there.

        The answer says of which games there is a damaged file that was set aside: "live", "finished".
        """
        return await self._do(self._open)

    def _open(self) -> list[str]:
        self._connection = open_live(self.live_file)
        files = {"live": self.live_file, "finished": self.database}
        return [which for which, file in files.items() if kept_aside(file)]

    def _run(self, query: str, values: tuple[Any, ...] = ()) -> list[Any]:
        if self._connection is None:
            raise DatabaseError("the games in progress are closed")
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise DatabaseError(f"cannot keep games in {self.live_file}: {error}") from None

    async def save(self, game: LiveGame, climb: Climb | None = None) -> None:
        """Keep a game as it is now; it is in the file when this returns. One that is over is still to be recorded.

        With a rated game that has just ended goes what it has done to the rating of its owner: both, or nothing.
        """
        over = int(game.over is not None)
        texts = (json.dumps(game.summary()), json.dumps(game.content()))
        values = (game.id, game.owner, clock.time(), over, *texts, game.address, int(len(game.nodes) > 1), over,
                  game.spec if game.unfinished else "")  # fmt: skip
        query = f"INSERT OR REPLACE INTO live ({COLUMNS}, rated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        guests = [visitor for visitor in game.seating.people if visitor != game.owner]
        climbed = None if climb is None else (climb.id, game.owner, game.spec, *climb[1:])
        await self._do(lambda: self._save(query, values, guests, climbed))

    def _save(self, query: str, values: tuple[Any, ...], guests: list[str], climbed: tuple[Any, ...] | None) -> None:
        if climbed is not None and self._connection is not None:
            with transaction(self._connection):
                self._run("INSERT OR IGNORE INTO climbs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", climbed)
                self._run(query, values)
            return
        for visitor in guests:  # before the game itself: whoever has been given a seat finds it in the list
            self._run("INSERT OR IGNORE INTO guests VALUES (?, ?)", (visitor, values[0]))
        self._run(query, values)

    async def load(self, number: str) -> tuple[str, dict[str, Any]] | None:
        """The owner and the content of a game; None if there is none."""
        rows = await self._do(lambda: self._run("SELECT owner, content FROM live WHERE id = ?", (number,)))
        return (rows[0][0], _read(rows[0][1])) if rows else None

    async def delete(self, number: str) -> None:
        """Forget a game, but not at once: for a while it can be brought back."""
        await self._do(lambda: self._delete(number))

    def _delete(self, number: str) -> None:
        values = (number, clock.time())
        self._run(f"INSERT OR REPLACE INTO removed SELECT {COLUMNS}, ?2 FROM live WHERE id = ?1 AND moved", values)
        for (address,) in self._run("DELETE FROM live WHERE id = ? RETURNING address", (number,)):
            older = "SELECT id FROM removed WHERE address = ? ORDER BY gone DESC LIMIT -1 OFFSET ?"
            self._run(f"DELETE FROM removed WHERE id IN ({older})", (address, MOST_REMOVED))

    async def removed(self, number: str, owner: str) -> bool:
        """Whether the owner has removed this game, and can have it back."""
        query = "SELECT 1 FROM removed WHERE id = ? AND owner = ?"
        return bool(await self._do(lambda: self._run(query, (number, owner))))

    async def restore(self, number: str) -> None:
        """Bring a game back that was removed."""
        query = f"INSERT OR IGNORE INTO live ({COLUMNS}) SELECT {COLUMNS} FROM removed WHERE id = ?"
        await self._do(lambda: self._run(query, (number,)))
        await self._do(lambda: self._run("DELETE FROM removed WHERE id = ?", (number,)))

    async def summaries(self, visitor: str, most: int) -> list[dict[str, Any]]:
        """What a visitor's games are, those changed last first.

        `own` are those that the visitor has begun, `mine` are the visitor's seats.
        """
        query = (
            "SELECT id, changed, owner = ?1, summary, iif(instr(summary, '\"moves\"'), '', content) FROM live"
            " WHERE owner = ?1 OR id IN (SELECT id FROM guests WHERE visitor = ?1) ORDER BY changed DESC LIMIT ?2"
        )
        found = []
        for number, changed, own, summary, content in await self._do(lambda: self._run(query, (visitor, most))):
            if told := _read(summary):
                told = {**(_told(_read(content)) if content else {}), **told}
                holders = told.pop("holders", [])
                mine = [seat for seat, holder in enumerate(holders) if holder == visitor]
                found.append({"id": number, "changed": changed, "own": bool(own), "mine": mine, **told})
        return found

    async def played_by(self, visitor: str, game: str, most: int) -> list[tuple[list[int], list[float]]]:
        """Games in which a visitor holds a seat and that are over, the last ones first: their actions and returns.

        Only those that began as the game begins, not from a board that was set up.
        """
        query = (
            "SELECT content FROM live WHERE over AND (owner = ?1 OR id IN (SELECT id FROM guests WHERE visitor = ?1))"
            " AND iif(json_valid(summary), json_extract(summary, '$.game'), '') = ?2 ORDER BY changed DESC LIMIT ?3"
        )
        rows = await self._do(lambda: [_read(text) for (text,) in self._run(query, (visitor, game, most))])
        return [line for content in rows if (line := _line_of(content, visitor))]

    # Ratings -----------------------------------------------------------------------------------------------------

    async def climbs(self, visitor: str) -> dict[str, list[Climb]]:
        """A visitor's rated games that are over, by game, in order; the game that was played last comes first."""
        query = (
            "SELECT game, id, ended, seat, opponent, score, rating, deviation, volatility FROM climbs"
            " WHERE visitor = ? ORDER BY ended DESC LIMIT ?"
        )
        found: dict[str, list[Climb]] = {}
        for game, *climb in await self._do(lambda: self._run(query, (visitor, MOST_CLIMBS))):
            found.setdefault(game, []).insert(0, Climb(*climb))
        return found

    async def forget_climbs(self, visitor: str, game: str) -> None:
        """Forget a visitor's rated games of a game, those that are over."""
        await self._do(lambda: self._run("DELETE FROM climbs WHERE visitor = ? AND game = ?", (visitor, game)))

    async def unfinished(self, visitor: str) -> dict[str, str]:
        """The rated games that a visitor plays: what is played, and the number of the game."""
        query = "SELECT rated, id FROM live WHERE owner = ? AND rated != ''"
        return dict(await self._do(lambda: self._run(query, (visitor,))))

    async def left(self, patience: float) -> list[str]:
        """Rated games that are not over, and that nobody has touched for so many seconds."""
        query = "SELECT id FROM live WHERE rated != '' AND changed < ?"
        return [number for (number,) in await self._do(lambda: self._run(query, (clock.time() - patience,)))]

    # Room --------------------------------------------------------------------------------------------------------

    async def count(self) -> int:
        """How many games are kept."""
        ((found,),) = await self._do(lambda: self._run("SELECT count(*) FROM live"))
        return int(found)

    async def make_room(self, owner: str, address: str, limits: Limits) -> Literal["", "games", "full"]:
        """Forget games until there is room for another one; why there is none, or "".

        A visitor's own oldest finished games go first ("games" if there are too many that are not finished). Where an
        address or everybody has too many, whoever has the most gives way: finished games, those without a move, and
        then those that nobody has touched for an hour, the oldest first ("full" if there are none of these).
        """
        return await self._do(lambda: self._make_room(owner, address, limits))

    def _make_room(self, owner: str, address: str, limits: Limits) -> Literal["", "games", "full"]:
        ((own,),) = self._run("SELECT count(*) FROM live WHERE owner = ?", (owner,))
        if own >= limits.games:
            oldest = "SELECT id FROM live WHERE owner = ? AND over ORDER BY changed LIMIT ?"
            own -= self._forget(oldest, (owner, own - limits.games + 1))
            if own >= limits.games:
                return "games"
        ((here,),) = self._run("SELECT count(*) FROM live WHERE address = ?", (address,))
        if here >= limits.address_games and not self._forget_of(address, here):
            return "full"
        ((everybody,),) = self._run("SELECT count(*) FROM live")
        if everybody >= limits.all_games:
            query = "SELECT address, count(*) FROM live GROUP BY address ORDER BY count(*) DESC"
            if not any(self._forget_of(*one) for one in self._run(query)):
                return "full"
        return ""

    def _forget_of(self, address: str, count: int) -> int:
        query = (
            "SELECT id FROM live WHERE address = ? AND (over OR NOT moved OR changed < ?)"
            " ORDER BY over DESC, moved, changed LIMIT ?"
        )
        return self._forget(query, (address, clock.time() - QUIET, max(1, int(count * ROOM))))

    def _forget(self, query: str, values: tuple[Any, ...]) -> int:
        """Forget the games that a query finds, but for those that are not in the database yet; how many."""
        gone = self._run(f"DELETE FROM live WHERE id IN ({query}) AND NOT unrecorded RETURNING id", values)
        return len(gone)

    async def expire(self, untouched: float, unmoved: float, removed: float) -> int:
        """Forget games that nobody has touched for so many seconds, or in which nobody has moved; how many.

        And for good those that were removed so many seconds ago.
        """
        now = clock.time()
        query = "SELECT id FROM live WHERE changed < ? OR (NOT moved AND changed < ?)"
        gone = await self._do(lambda: self._forget(query, (now - untouched, now - unmoved)))
        await self._do(lambda: self._run("DELETE FROM climbs WHERE ended < ?", (now - YEAR,)))
        for table in ("rooms", "begun_by"):
            await self._do(partial(self._run, f"DELETE FROM {table} WHERE changed < ?", (now - untouched,)))
        await self._do(lambda: self._run("DELETE FROM removed WHERE gone < ?", (now - removed,)))
        kept = "SELECT id FROM live UNION SELECT id FROM removed"
        await self._do(lambda: self._run(f"DELETE FROM guests WHERE id NOT IN ({kept})"))
        return gone

    # Rooms of the arena -----------------------------------------------------------------------------------------------

    async def keep_room(self, number: str, owner: str, tournament: str, limits: Limits) -> None:
        """Keep a room as it is now. Where its owner has too many, or all together, the oldest go."""
        await self._do(lambda: self._keep_room(number, owner, tournament, limits))

    def _keep_room(self, number: str, owner: str, tournament: str, limits: Limits) -> None:
        self._run("INSERT OR REPLACE INTO rooms VALUES (?, ?, ?, ?)", (number, owner, tournament, clock.time()))
        oldest = "DELETE FROM rooms WHERE id IN (SELECT id FROM rooms {} ORDER BY changed DESC LIMIT -1 OFFSET ?)"
        self._run(oldest.format("WHERE owner = ?"), (owner, limits.rooms))
        self._run(oldest.format(""), (limits.all_rooms,))

    async def room(self, number: str) -> tuple[str, str] | None:
        """The owner of a room, and the tournament that it shows, "" for none yet; None if there is no such room."""
        query = "SELECT owner, tournament FROM rooms WHERE id = ?"
        rows = await self._do(lambda: self._run(query, (number,)))
        return (rows[0][0], rows[0][1]) if rows else None

    async def rooms_of(self, owner: str) -> list[tuple[str, str]]:
        """The rooms that a visitor has opened and the tournaments that they show, those changed last first."""
        query = "SELECT id, tournament FROM rooms WHERE owner = ? ORDER BY changed DESC"
        return [(number, shown) for number, shown in await self._do(lambda: self._run(query, (owner,)))]

    async def note_begun(self, tournament: str, visitor: str) -> None:
        """Keep who holds a tournament: only they stop it and go on with it."""
        values = (tournament, visitor, clock.time())
        await self._do(lambda: self._run("INSERT OR REPLACE INTO begun_by VALUES (?, ?, ?)", values))

    async def begun_by(self, tournament: str) -> str:
        """Who has begun a tournament; "" if that is not known."""
        query = "SELECT visitor FROM begun_by WHERE tournament = ?"
        rows = await self._do(lambda: self._run(query, (tournament,)))
        return str(rows[0][0]) if rows else ""

    async def unrecorded(self) -> list[tuple[float, dict[str, Any]]]:
        """Games that have ended and are not in the database: when that was, and their contents."""
        rows = await self._do(lambda: self._run("SELECT changed, content FROM live WHERE unrecorded"))
        return [(changed, _read(content)) for changed, content in rows]

    async def finished(self, number: str, make: Callable[[], PlayedGame]) -> None:
        """Add a game to the database of finished ones. One that is there already is not added again."""
        await self._do(lambda: self._add(make()))
        await self._do(lambda: self._run("UPDATE live SET unrecorded = 0 WHERE id = ?", (number,)))

    def _add(self, result: PlayedGame) -> None:
        from plyground.arena.database import Database

        if self._games is None:
            with contextlib.suppress(OSError):  # the database says what is wrong with its folder
                self.database.parent.mkdir(parents=True, exist_ok=True)
            self._games = Database(self.database)
        self._games.add(result)

    async def close(self) -> None:
        """Close both files."""
        await self._do(self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        for file in (self._connection, self._games):
            if file is not None:
                file.close()
        self._connection = self._games = None
