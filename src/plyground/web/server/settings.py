"""The settings of a server when it starts, and how much each visitor may ask of it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_data_path

from plyground.errors import BadOption

__all__ = ["DEFAULT_HOST", "DEFAULT_PORT", "Limits", "Settings", "default_database"]

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8421
MEGABYTE = 1 << 20


def default_database() -> Path:
    """Where the games are kept by default: in the user's data folder."""
    try:
        folder = user_data_path("plyground", appauthor=False)
    except RuntimeError:
        folder = Path("~")
    if not folder.is_absolute():  # as some versions of platformdirs answer instead
        raise BadOption("you have no home folder to keep games in; name the games database with --db")
    return folder / "games.db"


@dataclass(frozen=True)
class Limits:
    """Bounds on what visitors use. Times are in seconds, memory in bytes.

    `games`, `sockets` and `searches` are for each visitor; `all_games`, `all_sockets` and `waiting` for all together.
    `search` is the longest search for a move or a hint, `analysis` the longest piece of other work.
    """

    body: int = MEGABYTE
    games: int = 200
    all_games: int = 20_000
    sockets: int = 32
    all_sockets: int = 2000
    searches: int = 16
    waiting: int = 1000
    search: float = 60.0
    analysis: float = 900.0
    tournaments: int = 2
    memory: int = 6 << 30
    away: float = 5.0
    """How long a search goes on for nobody: a page that is loaded again finds it."""


@dataclass(frozen=True)
class Settings:
    """A server: where it listens, what it keeps where, and who may come in.

    `hosts` are names in the Host header that are ours besides the loopback's; "*" in it allows every numeric address.
    A `join_code` must be given once by every visitor; "" lets everybody in.
    """

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    database: Path = field(default_factory=default_database)
    hosts: frozenset[str] = frozenset()
    join_code: str = ""
    served: tuple[str, ...] = ()
    """Specs of games that can be played besides those that everybody can name."""
    workers: int = max(2, os.cpu_count() or 2)
    limits: Limits = field(default_factory=Limits)

    @property
    def live_file(self) -> Path:
        """Where games in progress are kept, beside the database of finished ones."""
        return self.database.with_name(f"{self.database.stem}.live{self.database.suffix}")
