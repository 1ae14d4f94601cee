"""A visitor's own games, to be found again: by game, opponent, result, date, and what was played in them."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from plyground.web.games.tournament_files import cell
from plyground.web.server.catalogue import TITLES, about

__all__ = ["Wanted", "export_games", "find_games"]

Result = Literal["open", "finished", "won", "lost", "draw"]
Sort = Literal["newest", "oldest", "longest", "shortest"]
Format = Literal["txt", "csv", "json"]
MOST_NAMED = 100
"""Games and opponents that are offered to choose from, those of most games first."""
KINDS = {"txt": "text/plain", "csv": "text/csv", "json": "application/json"}

Summary = dict[str, Any]


@dataclass(frozen=True)
class Wanted:
    """Which games, and in which order; what is empty leaves all of them.

    `game` is a name such as "reversi", `opponent` the spec of a player. `since` and `until` are seconds since 1970.
    Every word of `text` is found in what the game, its players or its opening are called, or in its moves.
    """

    game: str = ""
    opponent: str = ""
    result: Result | None = None
    since: float | None = None
    until: float | None = None
    text: str = ""
    sort: Sort = "newest"
    ids: frozenset[str] = frozenset()


def find_games(games: Sequence[Summary], wanted: dict[str, Any], offset: int, limit: int) -> dict[str, Any]:
    """A page of the games that are wanted, how many these are, and by what games and opponents one can choose."""
    found = _wanted(games, Wanted(**wanted))
    return {
        "games": [
            {**one, "name": _name(one), "result": result_of(one), "opponents": opponents_of(one)}
            for one in found[offset : offset + limit]
        ],
        "found": len(found),
        "all": len(games),
        "by_game": _counted([_name(one) for one in games]),
        "by_opponent": _counted([spec for one in games for spec in set(opponents_of(one))]),
    }


def _wanted(games: Sequence[Summary], wanted: Wanted) -> list[Summary]:
    words = wanted.text.casefold().split()
    found = [one for one in games if _fits(one, wanted) and (not words or _says(one, words))]
    by = "changed" if wanted.sort in ("newest", "oldest") else "ply"
    return sorted(found, key=lambda one: float(one[by]), reverse=wanted.sort in ("newest", "longest"))


def _fits(one: Summary, wanted: Wanted) -> bool:
    result = result_of(one)
    return (
        (not wanted.ids or one["id"] in wanted.ids)
        and (not wanted.game or _name(one) == wanted.game)
        and (not wanted.opponent or wanted.opponent in opponents_of(one))
        and (wanted.result in (None, result) or (wanted.result == "finished" and result != "open"))
        and (wanted.since is None or one["changed"] >= wanted.since)
        and (wanted.until is None or one["changed"] < wanted.until)
    )


def _says(one: Summary, words: Sequence[str]) -> bool:
    moves = one.get("moves", [])
    cards = about()["cards"].get(_name(one), [])
    names = [name for card in cards if card["spec"] in one["players"] for name in _spoken(card["name"])]
    openings = [one.get("opening") or "", one.get("opening_zh") or ""]
    titles = TITLES.get(_name(one), ())[:2]
    said = "\n".join([one["game"], *titles, *one["players"], *names, *openings, " ".join(moves), "".join(moves)])
    said = said.casefold()
    return all(word in said for word in words)


def _spoken(name: Any) -> list[str]:
    return list(name.values()) if isinstance(name, dict) else [str(name)]


def _name(one: Summary) -> str:
    spec = str(one["game"])
    return spec if spec.startswith("openspiel:") else spec.partition(":")[0]


def _counted(names: Sequence[str]) -> list[tuple[str, int]]:
    return Counter(names).most_common(MOST_NAMED)


def result_of(one: Summary) -> str:
    """How the game went for the visitor: open, won, lost, draw; or finished, for whoever held both sides or none."""
    over, mine = one["over"], one["mine"]
    if not over:
        return "open"
    if over["winner"] is None:
        return "draw"
    if not mine or len(mine) == len(one["players"]):
        return "finished"
    return "won" if over["winner"] in mine else "lost"


def opponents_of(one: Summary) -> list[str]:
    """The players of the other seats; all of them where the visitor held both sides or none."""
    mine = one["mine"] if len(one["mine"]) < len(one["players"]) else []
    return [spec for seat, spec in enumerate(one["players"]) if seat not in mine]


def export_games(games: Sequence[Summary], wanted: dict[str, Any], format: Format) -> tuple[str, str]:
    """The games that are wanted as a file, and its kind: transcripts, a table, or JSON."""
    found = _wanted(games, Wanted(**wanted))
    rows = [
        {
            "id": one["id"],
            "started": datetime.fromtimestamp(one.get("started") or one["changed"], UTC).isoformat(timespec="seconds"),
            "game": one["game"],
            "board": one.get("board") or "",
            "players": one["players"],
            "result": result_of(one),
            "returns": one["over"]["returns"] if one["over"] else None,
            "opening": one.get("opening") or "",
            "moves": one.get("moves", []),
        }
        for one in found
    ]
    if format == "json":
        return json.dumps(rows, ensure_ascii=False, indent=1) + "\n", KINDS[format]
    if format == "txt":
        return "".join(map(_transcript, rows)), KINDS[format]
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("id", "started", "game", "board", "players", "result", "returns", "opening", "length", "moves"))
    for row in rows:
        returns = "" if row["returns"] is None else " ".join(f"{value:g}" for value in row["returns"])
        facts = [*list(row.values())[:4], " – ".join(row["players"]), row["result"], returns, row["opening"]]
        writer.writerow([cell(fact) for fact in (*facts, len(row["moves"]), " ".join(row["moves"]))])
    return out.getvalue(), KINDS[format]


def _transcript(row: dict[str, Any]) -> str:
    """A line that says which game it is, and one with its moves: as they are read by whatever reads transcripts."""
    names = " – ".join(row["players"])
    board = f", from {row['board']}" if row["board"] else ""
    head = " ".join(f"# {row['game']}{board}, {names}, {row['started'][:10]}, {row['result']}".split())
    reversi = row["game"].partition(":")[0] == "reversi"
    moves = "".join(move for move in row["moves"] if move != "pass") if reversi else " ".join(row["moves"])
    return f"{head}\n{moves}\n"
