"""A tournament as a file to take away: its table, its crosstable or its games."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import tempfile
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from plyground.arena.archive import EXPORTS, text_cell
from plyground.arena.database import Database
from plyground.core.played_game import PlayedGame, PlayerEntry
from plyground.errors import FormatError

__all__ = ["cell", "write_file"]

BYTE_ORDER_MARK = "\ufeff"
"""By which spreadsheets know that a file is UTF-8."""
IN_MEMORY = 1 << 20
EXPORTED = {"json": "json", "txt": "transcript", "ggf": "ggf", "pgn": "pgn"}
COLUMNS = ("name", "points", "share", "games", "wins", "draws", "losses", "forfeits", "elo")
FACTS = ("id", "game", "players", "kind", "seed", "state", "done", "total")


def write_file(what: str, form: str, facts: dict[str, Any], database: Path) -> IO[bytes]:
    """The `table`, the `crosstable` or the `games` of a tournament; a file that is gone when it is closed.

    `facts` are what the API says of it. Of players only their names are written, never what stands behind them.
    """
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  whoever sends it closes it
    try:
        with contextlib.closing(_parts(what, form, facts, database)) as parts:
            for part in parts:
                file.write(part.encode("utf-8", "replace"))
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file


def _parts(what: str, form: str, facts: dict[str, Any], database: Path) -> Generator[str, None, None]:
    if what == "games":
        with contextlib.closing(_games(facts["id"], database)) as games:  # and the database, whatever happens
            yield from _csv(_game_rows(games)) if form == "csv" else EXPORTS[EXPORTED[form]](games)
        return
    if form not in ("csv", "json"):
        raise FormatError(f"a table is written as csv or json, not as {form}")
    if form == "csv":
        yield from _csv(_table_rows(facts) if what == "table" else _crossed_rows(facts))
        return
    content = {name: facts[name] for name in FACTS}
    content["table"] = facts["rows"]
    content["crosstable"] = [
        dict(zip(("first", "second", "wins", "draws", "losses", "disturbed"), _named(facts, pair), strict=True))
        for pair in facts["pairs"]
    ]
    yield json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _games(tournament: str, database: Path) -> Generator[PlayedGame, None, None]:
    if database.is_file():
        with Database(database, write=False) as base:
            for one in base.results(tournament=tournament):
                yield replace(one, players=tuple(PlayerEntry(player.name) for player in one.players))


def _csv(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    line = io.StringIO()
    writer = csv.writer(line)
    yield BYTE_ORDER_MARK
    for row in rows:
        writer.writerow(map(cell, row))
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def cell(value: Any) -> Any:
    """A value as it is written: numbers short, and no text that a spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return text_cell(value) if isinstance(value, str) else value


def _table_rows(facts: dict[str, Any]) -> Iterator[Iterable[Any]]:
    yield ("place", *COLUMNS)
    for place, row in enumerate(facts["rows"], 1):
        yield (place, *(row.get(column) for column in COLUMNS))


def _crossed_rows(facts: dict[str, Any]) -> Iterator[Iterable[Any]]:
    """Everybody by standing, with the points against each of the others; nothing where two have not met."""
    points: dict[tuple[str, str], float] = {}
    for first, second, wins, draws, losses, _ in (_named(facts, pair) for pair in facts["pairs"]):
        if wins + draws + losses:
            points[first, second], points[second, first] = wins + draws / 2, losses + draws / 2
    names = [row["name"] for row in facts["rows"]]
    yield ("place", "name", "points", *names)
    for place, row in enumerate(facts["rows"], 1):
        yield (place, row["name"], row["points"], *(points.get((row["name"], other)) for other in names))


def _named(facts: dict[str, Any], pair: list[int]) -> tuple[Any, ...]:
    first, second, *counts = pair
    return facts["players"][first], facts["players"][second], *counts


def _game_rows(games: Iterable[PlayedGame]) -> Iterator[Iterable[Any]]:
    yield (
        "key",
        "first",
        "second",
        "winner",
        "moves",
        "reason",
        "first seconds",
        "second seconds",
        "opening",
        "played",
    )
    for one in games:
        names = [player.name for player in one.players]
        seconds = [sum(move.time or 0.0 for move in one.moves if move.player == seat) for seat in range(len(names))]
        winner = "" if one.winner is None else names[one.winner]
        played = " ".join(move.text for move in one.moves)
        yield (one.key, *names, winner, len(one.moves), one.reason, *seconds, one.opening, played)
