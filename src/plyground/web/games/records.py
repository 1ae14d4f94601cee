"""Reading the games database for the pages."""

from __future__ import annotations

import contextlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plyground.arena.database import Database
from plyground.arena.reasons import read_reason
from plyground.arena.tournament import Plan
from plyground.core.played_game import PlayedGame
from plyground.core.rules import grid
from plyground.errors import PlygroundError
from plyground.native.compiling import interpreted
from plyground.web.games.analyses import positions_of
from plyground.web.games.tournaments import spec_of, table_pairs, table_rows
from plyground.web.server.specs import allowed_game, allowed_player

__all__ = ["kept_plan", "list_games", "past_tournament", "past_tournaments", "show_game"]

MOST_TOURNAMENTS = 100


def list_games(
    path: Path,
    game: str | None,
    player: str | None,
    opponent: str | None,
    tournament: str | None,
    limit: int,
    before: int | None,
) -> list[dict[str, Any]]:
    """The last games of the database that fit, the newest first; `index` of the last is `before` for the next ones."""
    if not path.is_file():
        return []
    filters = {"game": game, "player": player, "opponent": opponent, "tournament": tournament}
    with Database(path, write=False) as base:
        total = base.count(**filters)
        end = total if before is None else max(0, min(before, total))
        start = max(0, end - limit)
        found = list(base.results(**filters, limit=end - start, offset=start)) if end > start else []
    return [{"index": start + number, **_line(one)} for number, one in enumerate(found)][::-1]


def _line(one: PlayedGame) -> dict[str, Any]:
    return {
        "key": one.key,
        "tournament": one.tournament,
        "game": one.game,
        "players": [player.name for player in one.players],
        "returns": list(one.returns),
        "winner": one.winner,
        "reason": one.reason,
        "ended": _ended(one),
        "started": one.started,
        "seconds": one.seconds,
        "plies": len(one.moves),
    }


def _ended(one: PlayedGame) -> dict[str, Any]:
    """Why a game has ended, for those who do not read English; the style of its board says what seats are called."""
    seats: tuple[str, ...] = ()
    style = None
    with contextlib.suppress(PlygroundError):  # somebody's own game
        game = allowed_game(one.game)
        board = grid(game.initial)
        seats, style = game.seats, None if board is None else board.style
    found = read_reason(one.reason, seats)
    return {"code": found.code, "seat": found.seat, "loser": found.loser, "style": style, **found.facts}


def show_game(path: Path, key: str) -> dict[str, Any] | None:
    """A game with all its positions, if it is one that is played here; None if there is none of that key."""
    if not path.is_file():
        return None
    with Database(path, write=False) as base:
        found = next(base.results(key=key, limit=1), None)
    if found is None:
        return None
    moves = [asdict(move) for move in found.moves]
    return {**_line(found), "opening": found.opening, "opened": _opened(found), "moves": moves, **_positions(found)}


def _opened(one: PlayedGame) -> int:
    """With how many moves the game was begun, which nobody has chosen; an opening that is a board has none."""
    texts = [move.text for move in one.moves]
    return next((count for count in range(1, len(texts) + 1) if " ".join(texts[:count]) == one.opening), 0)


def _positions(one: PlayedGame) -> dict[str, Any]:
    try:
        game = allowed_game(one.game)
    except PlygroundError:  # somebody's own game, whose rules are in a file
        return {"seats": [], "positions": []}
    with interpreted():
        states = one.states(game.initial)
    return {"seats": list(game.seats), "positions": positions_of(game, states, playable=False)}


def past_tournaments(path: Path) -> list[dict[str, Any]]:
    """The tournaments in the database, the last one first."""
    if not path.is_file():
        return []
    with Database(path, write=False) as base:
        found = base.tournaments()[::-1][:MOST_TOURNAMENTS]
    return [
        {"id": one.id, "game": one.game, "games": one.games, "players": one.players, "started": one.started,
         "state": "kept"}
        for one in found
        if one.id != "app"
    ]  # fmt: skip


def kept_plan(path: Path, tournament: str) -> Plan | None:
    """The plan of a tournament that could be held here; None if there is none."""
    plan = _plan(path, tournament)
    if plan is not None:
        for player in plan.players:
            allowed_player(spec_of(player), plan.game)
    return plan


def _plan(path: Path, tournament: str) -> Plan | None:
    """The plan of a tournament of the database, whoever plays in it."""
    if not path.is_file():
        return None
    with Database(path, write=False) as base:
        facts = base.tournament(tournament)
    try:
        plan = Plan.from_dict(facts or {})
    except (TypeError, KeyError):
        return None
    allowed_game(plan.game)
    return plan


def past_tournament(path: Path, tournament: str) -> dict[str, Any] | None:
    """A tournament of the database with its table; None if there is none."""
    plan = _plan(path, tournament)
    if plan is None:
        return None
    with Database(path, write=False) as base:
        results = list(base.results(tournament=tournament))
    return {
        "id": plan.id,
        "game": plan.game,
        "players": [player.name for player in plan.players],
        "kind": plan.format,
        "rounds": plan.rounds,
        "seed": plan.seed,
        "state": "done" if len(results) >= plan.total() else "stopped",
        "message": None,
        "code": None,
        "done": len(results),
        "total": plan.total(),
        "rows": table_rows(plan, results),
        "pairs": table_pairs(plan, results),
        "boards": [],
    }
