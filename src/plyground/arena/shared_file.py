"""SQLite files that several processes open, make and write at one moment, and that may come from anybody.

They are opened as https://www.sqlite.org/security.html advises for files that are not trusted.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time as clock
from collections.abc import Iterator, Mapping, Set
from functools import cache
from pathlib import Path

__all__ = ["Effort", "columns_of", "damage", "distrust", "quick_check", "run_script", "transaction", "write_ahead"]

LONGEST_VALUE = 1 << 24
"""Bytes of a text, or of a row."""
EFFORT = 200_000_000
"""Steps of SQLite's machine that a query may take, some seconds, and so many more for each byte of the file."""
EFFORT_PER_BYTE = 20
CHECK_EVERY = 100_000

_sound: dict[Path, tuple[int, int, int]] = {}
"""The files in which no damage was found, by what they were then; a server opens the same one for every page."""


def distrust(connection: sqlite3.Connection) -> None:
    """Let nothing that stands in the file run, and no value be huge; before anything else is done with it."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    if hasattr(connection, "setconfig"):  # since Python 3.12
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # type: ignore[attr-defined, unused-ignore]
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
        connection.execute(f"PRAGMA {setting}")


def damage(connection: sqlite3.Connection, path: Path, tables: Mapping[str, Set[str]]) -> str:
    """What is wrong with a file that should have these tables, with these columns at least; "" if nothing is.

    Views and triggers are programs, which a file from elsewhere must not bring along; one may never end.
    """
    found = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    for kind, name, _ in found:
        if kind not in ("table", "index"):
            return f"it has a {kind} {str(name)[:40]!r}; remove it with DROP {str(kind).upper()}"
    known = {name: str(sql) for kind, name, sql in found if kind == "table"}
    for table, columns in tables.items():
        if not known.get(table, "").upper().startswith("CREATE TABLE"):
            return f"it has no table {table}"
        rows = connection.execute("SELECT name, hidden FROM pragma_table_xinfo(?)", (table,)).fetchall()
        if missing := sorted(columns - {name for name, hidden in rows if not hidden}):
            return f"its table {table} has no column {missing[0]}"
    facts = path.stat()
    now = facts.st_ino, facts.st_size, facts.st_mtime_ns
    if _sound.get(path.absolute()) == now:
        return ""
    wrong = quick_check(connection)
    if not wrong:
        _sound[path.absolute()] = now
    return wrong


def quick_check(connection: sqlite3.Connection) -> str:
    """What SQLite itself finds wrong with the pages of a file; "" if nothing. It reads all of them."""
    (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    return "" if answer == "ok" else " ".join(str(answer).split())[:100]


@cache
def columns_of(script: str) -> dict[str, frozenset[str]]:
    """The tables that a script makes, and their columns."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        run_script(connection, script)
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        query = "SELECT name FROM pragma_table_info(?)"
        return {table: frozenset(name for (name,) in connection.execute(query, (table,))) for table in tables}


class Effort:
    """Ends a query of a connection that takes far more steps than any needs in a file of this size."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._most = EFFORT + EFFORT_PER_BYTE * path.stat().st_size
        self._spent = 0
        connection.set_progress_handler(self._go_on, CHECK_EVERY)

    def renew(self) -> None:
        """Another query begins."""
        self._spent = 0

    def _go_on(self) -> bool:
        self._spent += CHECK_EVERY
        return self._spent > self._most


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing; from its beginning no other process writes."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself has given up some, as when the disk is full
            connection.execute("ROLLBACK")
        raise


def run_script(connection: sqlite3.Connection, script: str) -> None:
    """Several statements, inside the transaction that is open: `executescript` would end it."""
    for statement in filter(str.strip, script.split(";")):
        connection.execute(statement)


def write_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """Keep a journal with which readers and a writer do not wait for each other; waits at most `patience` seconds."""
    end = clock.monotonic() + patience
    while True:
        try:
            # Where the disk cannot do it, SQLite keeps another journal, which is as safe and slower.
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            # It does not wait here by itself while another process does the same.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or clock.monotonic() > end:
                raise
            clock.sleep(0.01)
        else:
            return
