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
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from plyground.arena.shared_file import columns_of, damage, distrust, run_script, transaction, write_ahead
from plyground.core.files import kind_of
from plyground.errors import DatabaseError

if TYPE_CHECKING:
    from plyground.arena.database import Database
    from plyground.core.played_game import PlayedGame

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
                tables, application = connection.execute(
                    "SELECT (SELECT count(*) FROM sqlite_master), application_id FROM pragma_application_id"
                ).fetchone()
                if application != APPLICATION and tables:
                    raise DatabaseError(f"{path} is another program's; name another database with --db")
                run_script(connection, TABLES)
                if fault := damage(connection, path, columns_of(TABLES)):
                    raise DatabaseError(f"{path} is damaged: {fault}; name another database with --db")
                if application != APPLICATION:
                    connection.execute(f"PRAGMA application_id = {APPLICATION}")
            write_ahead(connection, PATIENCE)
        except BaseException:
            connection.close()
            raise
    except (OSError, ValueError, sqlite3.Error) as error:  # ValueError: a name of a table that is not text
        if isinstance(error, DatabaseError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise DatabaseError(f"cannot keep games in {path}: {reason}; name another database with --db") from None
    return connection


class Store:
    """The two files. Every method is awaited; errors are `DatabaseError`."""

    def __init__(self, live_file: Path, database: Path) -> None:
        self.live_file, self.database = live_file, database
        self._thread = ThreadPoolExecutor(1, "store")
        self._connection: sqlite3.Connection | None = None
        self._games: Database | None = None

    async def _do(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def open(self) -> None:
        """Open the file of games in progress, which is made if it is not there."""
        await self._do(self._open)

    def _open(self) -> None:
        self._connection = open_live(self.live_file)

    def _run(self, query: str, values: tuple[Any, ...] = ()) -> list[Any]:
        if self._connection is None:
            raise DatabaseError("the games in progress are closed")
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise DatabaseError(f"cannot keep games in {self.live_file}: {error}") from None

    async def save(self, number: str, owner: str, over: bool, summary: dict[str, Any], content: dict[str, Any]) -> None:
        """Keep a game as it is now; it is in the file when this returns."""
        values = (number, owner, clock.time(), int(over), json.dumps(summary), json.dumps(content))
        await self._do(lambda: self._run("INSERT OR REPLACE INTO live VALUES (?, ?, ?, ?, ?, ?)", values))

    async def load(self, number: str) -> tuple[str, dict[str, Any]] | None:
        """The owner and the content of a game; None if there is none."""
        rows = await self._do(lambda: self._run("SELECT owner, content FROM live WHERE id = ?", (number,)))
        return (rows[0][0], json.loads(rows[0][1])) if rows else None

    async def delete(self, number: str) -> None:
        """Forget a game."""
        await self._do(lambda: self._run("DELETE FROM live WHERE id = ?", (number,)))

    async def summaries(self, owner: str, most: int) -> list[dict[str, Any]]:
        """What a visitor's games are, those changed last first."""
        query = "SELECT id, changed, summary FROM live WHERE owner = ? ORDER BY changed DESC LIMIT ?"
        rows = await self._do(lambda: self._run(query, (owner, most)))
        return [{"id": number, "changed": changed, **json.loads(summary)} for number, changed, summary in rows]

    async def make_room(self, owner: str, most: int, most_of_all: int) -> bool:
        """Forget a visitor's oldest finished games until there is room for another; False if there is none."""
        return await self._do(lambda: self._make_room(owner, most, most_of_all))

    def _make_room(self, owner: str, most: int, most_of_all: int) -> bool:
        ((own,),) = self._run("SELECT count(*) FROM live WHERE owner = ?", (owner,))
        ((everybody,),) = self._run("SELECT count(*) FROM live")
        excess = max(own - most + 1, 0)
        if excess:
            oldest = "SELECT id FROM live WHERE owner = ? AND over ORDER BY changed LIMIT ?"
            gone = [number for (number,) in self._run(oldest, (owner, excess))]
            for number in gone:
                self._run("DELETE FROM live WHERE id = ?", (number,))
            own, everybody = own - len(gone), everybody - len(gone)
        return bool(own < most and everybody < most_of_all)

    async def finished(self, make: Callable[[], PlayedGame]) -> None:
        """Add a game to the database of finished ones."""
        await self._do(lambda: self._add(make()))

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
