"""Files of games that cannot be read any more: noticed when the server starts, and kept aside, never overwritten."""

from __future__ import annotations

import contextlib
import sqlite3
import time as clock
from pathlib import Path

from plyground.arena.shared_file import distrust, quick_check
from plyground.errors import DatabaseError

__all__ = ["kept_aside", "set_aside"]

PATIENCE = 5.0
"""Seconds for looking through a file; a larger one is trusted with the rest."""
STEPS = 10_000
ENDINGS = (".db", ".sqlite", ".sqlite3")
BESIDE = ("", "-wal", "-shm", "-journal")
"""A SQLite file is all of these."""


def set_aside(path: Path) -> str:
    """Rename a damaged file, so that another one can take its place; what there is to say about that, or "".

    `DatabaseError` for what is another program's, and for a file that is not a database and is not called one either:
    somebody has named the wrong one.
    """
    wrong = _damage(path)
    if not wrong:
        return ""
    stamp = clock.strftime("%Y%m%d-%H%M%S")
    kept = path.with_name(f"{path.stem}.damaged-{stamp}{path.suffix}")
    try:
        for ending in BESIDE:
            with contextlib.suppress(FileNotFoundError):
                Path(f"{path}{ending}").rename(f"{kept}{ending}")
    except OSError as error:
        raise DatabaseError(f"{path} is damaged and cannot be set aside: {error.strerror}; move it yourself") from None
    return f"{path} is damaged ({wrong}): it is kept as {kept.name}, and a new one is begun"


def kept_aside(path: Path) -> bool:
    """Whether a damaged file of that name still lies beside it."""
    return any(path.parent.glob(f"{_literal(path.stem)}.damaged-*{_literal(path.suffix)}"))


def _literal(text: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in text)


def _damage(path: Path) -> str:
    """What is wrong with a database; "" if nothing is, or it cannot be told. `DatabaseError` if it is none of ours."""
    if not path.exists():
        return ""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
            return _looked_through(path, connection)
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CANTOPEN) & 0xFF
        if code == sqlite3.SQLITE_NOTADB and path.suffix not in ENDINGS:
            raise DatabaseError(f"{path} is not a database of games; name another file with --db") from None
        if code == sqlite3.SQLITE_CANTOPEN:
            raise DatabaseError(f"cannot open {path}: {error}; name another database with --db") from None
        return str(error) if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) else ""


def _looked_through(path: Path, connection: sqlite3.Connection) -> str:
    distrust(connection)
    tables, application = connection.execute(
        "SELECT (SELECT count(*) FROM sqlite_master), application_id FROM pragma_application_id"
    ).fetchone()
    if tables and not application:
        raise DatabaseError(f"{path} is another program's; name another database with --db")
    end = clock.monotonic() + PATIENCE
    connection.set_progress_handler(lambda: clock.monotonic() > end, STEPS)
    return quick_check(connection)
