"""The API of a visitor's own games, all of them: found, and taken away as a file."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import AfterValidator

from plyground.web.server.bodies import writable
from plyground.web.server.threads import off_loop

__all__ = ["router"]

router = APIRouter()
MOST_KEPT = 1000
"""Games of one visitor that are looked through, those changed last: own ones, and those in which it is a guest."""
MOST_CHOSEN = 500

Word = Annotated[str, Query(max_length=300), AfterValidator(writable)]
Moment = Annotated[float | None, Query(ge=0, le=1e11, allow_inf_nan=False)]
RESULTS, SORTS, FORMATS = "^(|open|finished|won|lost|draw)$", "^(newest|oldest|longest|shortest)$", "^(txt|csv|json)$"


def wish(
    game: Word = "",
    opponent: Word = "",
    result: Annotated[str, Query(pattern=RESULTS)] = "",
    since: Moment = None,
    until: Moment = None,
    text: Annotated[str, Query(max_length=200), AfterValidator(writable)] = "",
    sort: Annotated[str, Query(pattern=SORTS)] = "newest",
) -> dict[str, Any]:
    """Which games are wanted, as `plyground.web.games.library.Wanted` says it."""
    named = {"game": game, "opponent": opponent, "result": result or None, "text": text, "sort": sort}
    return {**named, "since": since, "until": until}


Wish = Annotated[dict[str, Any], Depends(wish)]


@router.get("/api/library")
async def search(
    request: Request,
    wanted: Wish,
    offset: Annotated[int, Query(ge=0, le=10 * MOST_KEPT)] = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """The visitor's games, finished or not, also those in which it is a guest."""
    games = await request.app.state.tables.store.summaries(request.scope["visitor"], MOST_KEPT)
    return JSONResponse(await off_loop("games.library:find_games", games, wanted, offset, limit))


@router.get("/api/library/export", response_class=Response)
async def export(
    request: Request,
    wanted: Wish,
    id: Annotated[list[Annotated[str, Query(max_length=40)]], Query(max_length=MOST_CHOSEN)] = [],  # noqa: B006
    format: Annotated[str, Query(pattern=FORMATS)] = "txt",
) -> Response:
    """The same games as a file; or of them those that are named."""
    games = await request.app.state.tables.store.summaries(request.scope["visitor"], MOST_KEPT)
    named = {**wanted, "ids": frozenset(id)}
    found: tuple[str, str] = await off_loop("games.library:export_games", games, named, format)
    headers = {"content-disposition": f'attachment; filename="games.{format}"', "cache-control": "no-store"}
    return Response(found[0], media_type=found[1], headers=headers)
