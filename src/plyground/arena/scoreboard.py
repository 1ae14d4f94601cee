"""The table of players: what they have scored, how strong that makes them, and how sure it is."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from plyground.arena.ratings import Rating, Ratings, rate
from plyground.arena.tournament import Plan, Standing, standings
from plyground.core.played_game import PlayedGame

__all__ = ["rank", "row_facts", "scoreboard"]

NAME = 24
"""This many letters of a name are in one line, whatever else must be left out for it."""
BETWEEN = 3
"""Letters between two columns."""
LEFT_OUT_FIRST = ("± all", "games", "drawn", "won", "lost", "> next")
"""What a narrow terminal does not show, in this order."""

SWISS = "points decide a Swiss tournament: winners meet winners, so Elo lies further apart than it should"


def scoreboard(
    ratings: Ratings,
    console: Console,
    *,
    names: Sequence[str] | None = None,
    forfeits: Mapping[str, int] | None = None,
    most: int | None = None,
) -> Table:
    """A table for the terminal, with a line for each name, or for everybody in the order of ratings; at most `most`.

    Elo with half of its 95% interval, for this player alone (±) and for all at once (± all), and how likely it is that
    the player is stronger than the next one. `forfeits` are losses that were not lost at the board. What does not fit
    into the console is left out, the least important first.
    """
    rows = list(ratings.rows) if names is None else [ratings[name] for name in names]
    columns: dict[str, list[str]] = {
        "player": [escape(row.name) for row in rows],
        "games": [str(row.games) for row in rows],
        "won": [str(row.wins) for row in rows],
        "drawn": [str(row.draws) for row in rows],
        "lost": [str(row.losses) for row in rows],
        "forfeit": [str((forfeits or {}).get(row.name, 0)) for row in rows],
        "score": [f"{100 * row.points / row.games:.1f}%" if row.games else "" for row in rows],
        "Elo": [row.text for row in rows],
        "±": [_half(row.low, row.high) for row in rows],
        "± all": [_half(row.joint_low, row.joint_high) for row in rows],
        "> next": _superiorities(ratings, rows),
    }
    if not any((forfeits or {}).values()):
        del columns["forfeit"]
    if most is not None and len(rows) > most:
        columns = {heading: cells[:most] for heading, cells in columns.items()}
    for heading in LEFT_OUT_FIRST:
        if _width(columns) > console.width:
            del columns[heading]
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for heading in columns:
        table.add_column(heading, justify="left" if heading == "player" else "right", overflow="fold")
        table.columns[-1].no_wrap = heading != "player"
    for row, following, line in zip(rows, [*rows[1:], None], zip(*columns.values(), strict=True), strict=False):
        table.add_row(*line, end_section=names is None and following is not None and row.group != following.group)
    if len(columns["player"]) < len(rows):
        table.add_row(f"[dim]and {len(rows) - len(columns['player'])} more[/]")
    return table


def rank(plan: Plan, results: list[PlayedGame], anchor: str | None = None) -> tuple[Ratings, list[Standing]]:
    """The ratings, and everybody by points; of those with equally many, the one with the higher rating first.

    The ratings' notes say also why games were lost by forfeit.
    """
    ratings = rate(results, anchor=anchor, players=[player.name for player in plan.players])
    lines = standings(plan, results)
    lines.sort(key=lambda line: (-line.share, -(ratings[line.name].rating or 0.0)))
    notes = [SWISS] if plan.format == "swiss" else []
    notes += [f"{line.name} forfeits: {_first_forfeit(line.name, results)}" for line in lines if line.forfeits]
    return replace(ratings, notes=(*ratings.notes, *notes)), lines


def _first_forfeit(name: str, results: list[PlayedGame]) -> str:
    return next(
        result.reason
        for result in results
        if not result.complete and result.winner is not None and result.players[1 - result.winner].name == name
    )


def row_facts(ratings: Ratings, line: Standing, following: Standing | None) -> dict[str, Any]:
    """A player's line for programs: Elo from the anchor or the mean, None where the games do not tell."""
    rating = ratings[line.name]
    return {
        "name": line.name,
        "games": line.games,
        "wins": line.wins,
        "draws": line.draws,
        "losses": line.losses,
        "forfeits": line.forfeits,
        "points": line.points,
        "elo": rating.rating,
        "bound": rating.bound,
        "low": rating.low,
        "high": rating.high,
        "joint_low": rating.joint_low,
        "joint_high": rating.joint_high,
        "superiority_over_next": following and ratings.superiority(line.name, following.name),
    }


def _width(columns: Mapping[str, Sequence[str]]) -> int:
    """How wide the table would be, with names that are broken into lines if they are long."""
    widths = {heading: max(map(cell_len, (heading, *cells))) for heading, cells in columns.items()}
    widths["player"] = min(widths["player"], NAME)
    return sum(widths.values()) + BETWEEN * (len(widths) - 1)


def _superiorities(ratings: Ratings, rows: Sequence[Rating]) -> list[str]:
    chances = [ratings.superiority(row.name, following.name) for row, following in itertools.pairwise(rows)]
    return [*("" if chance is None else f"{100 * chance:.1f}%" for chance in chances), *[""] * bool(rows)]


def _half(low: float | None, high: float | None) -> str:
    """Half of an interval, which is the same on both sides; nothing for the anchor, who has none."""
    return "" if low is None or high is None or low == high else f"{(high - low) / 2:.0f}"
