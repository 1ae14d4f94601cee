"""SQLite files that several processes open, make and write at one moment."""

from __future__ import annotations

import contextlib
import sqlite3
import time as clock
from collections.abc import Iterator

__all__ = ["run_script", "transaction", "write_ahead"]


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
