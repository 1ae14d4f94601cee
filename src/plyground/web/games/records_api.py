"""The API of the games database: lists, and single games to replay."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathPart
from fastapi.responses import JSONResponse

from plyground.web.server.refusals import Refusal
from plyground.web.server.threads import aside

__all__ = ["router"]

router = APIRouter()

Word = Annotated[str | None, Query(max_length=300)]


@router.get("/api/database/games")
async def listed(
    request: Request,
    game: Word = None,
    player: Word = None,
    opponent: Word = None,
    tournament: Word = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[int | None, Query(ge=0, lt=2**53)] = None,
) -> list[dict[str, Any]]:
    """Games, the newest first; `before` is the index of the last one seen.

    With a `player` and an `opponent`, those in which the two have met.
    """
    path = request.app.state.settings.database
    filters = [word or None for word in (game, player, opponent, tournament)]
    return await aside("games.records:list_games", path, *filters, limit, before)


@router.get("/api/database/games/{key:path}")
async def shown(request: Request, key: Annotated[str, PathPart(max_length=300)]) -> Response:
    """A game with its moves and positions."""
    found: dict[str, Any] | None = await aside("games.records:show_game", request.app.state.settings.database, key)
    if found is None:
        raise Refusal(404, "there is no such game in the database")
    return JSONResponse(found)
