"""A tournament for a spreadsheet: its table, or its games, as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyground.arena.database import Database
from plyground.core.played_game import PlayedGame

__all__ = ["cell", "write_csv"]

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would compute instead of showing it."""


def write_csv(what: str, rows: Sequence[dict[str, Any]], database: Path, tournament: str) -> str:
    """The `table`, of which these are the rows, or the `games` that are in the database."""
    out = io.StringIO()
    writer = csv.writer(out)
    if what == "table":
        columns = ("name", "points", "share", "games", "wins", "draws", "losses", "forfeits", "elo")
        writer.writerow(("place", *columns))
        for place, row in enumerate(rows, 1):
            writer.writerow((place, *(cell(row.get(column)) for column in columns)))
        return out.getvalue()
    writer.writerow(("key", "first", "second", "winner", "moves", "reason", "first seconds", "second seconds"))
    if database.is_file():
        with Database(database, write=False) as base:
            for one in base.results(tournament=tournament):
                writer.writerow(map(cell, _game(one)))
    return out.getvalue()


def _game(one: PlayedGame) -> list[Any]:
    names = [player.name for player in one.players]
    seconds = [sum(move.time or 0.0 for move in one.moves if move.player == seat) for seat in range(len(names))]
    winner = "" if one.winner is None else names[one.winner]
    return [one.key, *names, winner, len(one.moves), one.reason, *seconds]


def cell(value: Any) -> Any:
    """A value as it is written: numbers short, and no text that a spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value
