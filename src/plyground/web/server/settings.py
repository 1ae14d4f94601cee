"""The settings of a server when it starts, and how much each visitor may ask of it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from platformdirs import user_data_path

from plyground.errors import BadOption

__all__ = ["CODE_LETTERS", "DEFAULT_HOST", "DEFAULT_PORT", "Limits", "Named", "Settings", "default_database"]

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8421
MEGABYTE = 1 << 20
DAY = 24 * 3600.0
IN_FLIGHT = 5
"""How often the event loop accepts connections before one that is turned away is closed."""
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Of which join codes are made: without those that are easily mistaken for others."""


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

    `games`, `rooms`, `sockets` and `searches` are for each visitor. A visitor is a cookie, and whoever sends none is a
    new one each time: so the bounds that hold are those for each address, `address_...`, behind which a whole class may
    sit, and those for all together, `all_...`. `search` is the longest search for a move or a hint, `analysis` the
    longest piece of other work.
    """

    body: int = MEGABYTE
    games: int = 200
    address_games: int = 2000
    all_games: int = 20_000
    sockets: int = 32
    address_sockets: int = 500
    all_sockets: int = 1500
    address_connections: int = 1000
    all_connections: int = 2000
    searches: int = 16
    address_waiting: int = 250
    all_waiting: int = 1000
    search: float = 60.0
    analysis: float = 900.0
    tournaments: int = 2
    workshops: int = 4
    workshop_idle: float = 900.0
    """How many games in the making may run at once, and how long one stays that nobody touches."""
    rooms: int = 20
    all_rooms: int = 2000
    memory: int = 6 << 30
    away: float = 5.0
    """How long a search goes on for nobody: a page that is loaded again finds it."""
    header_time: float = 15.0
    body_time: float = 60.0
    answer_time: float = 120.0
    """How long a client may take to send a request's header, then its body, and to take in the answer."""
    untouched: float = 90 * DAY
    unmoved: float = DAY
    removed: float = DAY
    """How long a game is kept that nobody touches; one in which nobody has moved yet; and one that was removed."""
    rated_untouched: float = 7 * DAY
    """How long a rated game waits for its visitor before it is lost."""

    def within(self, descriptors: int, workers: int) -> Limits:
        """These limits for a process that may open so many files: what it needs for itself is kept free."""
        own = min(descriptors // 2, 64 + 4 * workers + IN_FLIGHT * self.backlog(descriptors))
        most = min(self.all_connections, descriptors - own)
        address = min(self.address_connections, most // 2)
        return replace(
            self,
            all_connections=most,
            address_connections=address,
            all_sockets=min(self.all_sockets, most * 3 // 4),
            address_sockets=min(self.address_sockets, address // 2),
        )

    @staticmethod
    def backlog(descriptors: int) -> int:
        """How many connections may wait to be accepted, and are accepted at once."""
        return min(128, descriptors // 16)


@dataclass(frozen=True)
class Named:
    """What whoever runs the server has named at its start: it is here besides what everybody can name.

    `games` are specs. `players` are pairs of a name and a spec, those of the class the `hand_ins`; `cage` is the wall
    around those that are somebody's programs, see `plyground.processes.cage`.
    """

    games: tuple[str, ...] = ()
    players: tuple[tuple[str, str], ...] = ()
    hand_ins: tuple[str, ...] = ()
    cage: str = "plain"


NOTHING = Named()


@dataclass(frozen=True)
class Settings:
    """A server: where it listens, what it keeps where, and who may come in.

    `hosts` are names in the Host header that are ours besides the loopback's; "*" in it allows every numeric address.
    A `join_code` must be given once by every visitor; "" lets everybody in. `proxies` are addresses of servers in front
    whose X-Forwarded-For is believed. The `metrics_token` shows the metrics to other machines; "" to none.
    """

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    address: str = ""
    """How others find it, such as ``http://192.168.1.5:8421``; "" if only this machine does, or if it is not known."""
    database: Path = field(default_factory=default_database)
    hosts: frozenset[str] = frozenset()
    join_code: str = ""
    proxies: tuple[str, ...] = ()
    metrics_token: str = ""
    log: Path | None = None
    """A file for what is logged; without it that goes to the terminal."""
    served: tuple[str, ...] = ()
    """Specs of games that can be played besides those that everybody can name."""
    players: tuple[tuple[str, str], ...] = ()
    hand_ins: tuple[str, ...] = ()
    cage: str = "plain"
    """Players that are here besides those that everybody can name, see `Named`."""
    workshop: bool = False
    """Whether visitors may write games here, which run in the cage; for servers that this machine alone can reach."""
    compile_ahead: bool = True
    """Whether what somebody's page may need is compiled, and a process started, before it is asked for."""
    workers: int = max(2, os.cpu_count() or 2)
    limits: Limits = field(default_factory=Limits)

    @property
    def named(self) -> Named:
        """What was named at the start."""
        return Named(self.served, self.players, self.hand_ins, self.cage)

    @property
    def live_file(self) -> Path:
        """Where games in progress are kept, beside the database of finished ones."""
        return self.database.with_name(f"{self.database.stem}.live{self.database.suffix}")
