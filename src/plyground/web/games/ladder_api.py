"""The API of a visitor's own ratings. They come from games that the server has refereed: nothing here can set one."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from plyground.web.games.ladder import ladder_facts, standing_facts
from plyground.web.server.threads import off_loop

__all__ = ["router"]

router = APIRouter()
GameName = Annotated[str, Path(max_length=40)]


@router.get("/api/ladder")
async def standings(request: Request) -> list[dict[str, Any]]:
    """Where the visitor stands in each game that was played for a rating, the last one first."""
    found = await request.app.state.tables.store.climbs(request.scope["visitor"])
    return [{"game": game, **(standing_facts(climbs) or {})} for game, climbs in found.items()]


@router.get("/api/ladder/{game}")
async def ladder(request: Request, game: GameName) -> dict[str, Any]:
    """The rungs of a game, where the visitor stands, and how that came."""
    store, visitor = request.app.state.tables.store, request.scope["visitor"]
    climbs = (await store.climbs(visitor)).get(game, [])
    unfinished = (await store.unfinished(visitor)).get(game)
    return await off_loop(ladder_facts, game, climbs, unfinished)


@router.delete("/api/ladder/{game}", status_code=204, response_class=Response)
async def forget(request: Request, game: GameName) -> Response:
    """Forget the visitor's rating in a game, and how it came."""
    await request.app.state.tables.store.forget_climbs(request.scope["visitor"], game)
    return Response(status_code=204)
