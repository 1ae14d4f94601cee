"""The API of games in progress, and the socket on which browsers follow one."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response, WebSocket
from fastapi.responses import JSONResponse
from pydantic import Field

from plyground.web.games.game_clock import ClockRules
from plyground.web.games.table import Table
from plyground.web.server.bodies import Body, Number, Spec, Text
from plyground.web.server.sockets import Outlet
from plyground.web.server.threads import off_loop

__all__ = ["router"]

router = APIRouter()
MOST_LISTED = 200
LONGEST = 86_400.0
"""Seconds on a clock: a day."""

GameId = Annotated[str, Field(max_length=40)]
Seconds = Annotated[float, Field(gt=0, le=LONGEST, allow_inf_nan=False)]


class NewClock(Body):
    """Seconds for each move, for a whole game, and added after each move."""

    move: Seconds | None = None
    game: Seconds | None = None
    increment: Annotated[float, Field(ge=0, le=LONGEST, allow_inf_nan=False)] = 0.0


class NewGame(Body):
    """A game to begin: one player for each seat, "human" for a person."""

    game: Spec
    players: Annotated[list[Spec], Field(max_length=16)]
    first: Literal["choice", "lot"] = "choice"
    moves: Text = ""
    board: Text = ""
    clock: NewClock | None = None
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None


class PersonsMove(Body):
    """An action, and the node that was on the board when it was chosen."""

    action: Number
    at: Number


class GoTo(Body):
    """The node to put on the board; programs go on from there only if the game is to be resumed."""

    node: Number
    resume: bool = False


class Resignation(Body):
    """Who gives up."""

    player: Number


class Rematch(Body):
    """Whether the players swap seats."""

    swap: bool = False


@router.post("/api/games", status_code=201)
async def begin(request: Request, wish: NewGame) -> Response:
    """Begin a game."""
    timed = wish.clock is not None and (wish.clock.move or wish.clock.game)
    made: Any = await off_loop(
        "games.live:new_game",
        request.scope["visitor"],
        wish.game,
        wish.players,
        lot=wish.first == "lot",
        moves=wish.moves,
        board=wish.board,
        clock_rules=ClockRules(**wish.clock.model_dump()) if wish.clock and timed else None,
        seed=wish.seed,
        address=request.scope["address"],
    )
    table = await request.app.state.tables.begin(made)
    return JSONResponse(table.facts(), 201)


@router.get("/api/games")
async def listed(request: Request) -> list[dict[str, Any]]:
    """The visitor's games, those changed last first."""
    return await request.app.state.tables.store.summaries(request.scope["visitor"], MOST_LISTED)  # type: ignore[no-any-return]


@router.get("/api/games/{game}")
async def shown(request: Request, game: GameId) -> Response:
    """A game as it stands."""
    return JSONResponse((await request.app.state.tables.find(game)).facts())


@router.delete("/api/games/{game}", status_code=204, response_class=Response)
async def delete(request: Request, game: GameId) -> Response:
    """Forget a game."""
    await request.app.state.tables.delete(game, request.scope["visitor"])
    return Response(status_code=204)


@router.post("/api/games/{game}/move")
async def move(request: Request, game: GameId, wish: PersonsMove) -> Response:
    """Make a person's move."""
    return await _changed(request, game, lambda table: table.move(wish.action, wish.at))


@router.post("/api/games/{game}/goto")
async def go_to(request: Request, game: GameId, wish: GoTo) -> Response:
    """Take moves back, or go to another branch."""
    return await _changed(request, game, lambda table: table.go_to(wish.node, wish.resume))


@router.post("/api/games/{game}/resign")
async def resign(request: Request, game: GameId, wish: Resignation) -> Response:
    """Give up."""
    return await _changed(request, game, lambda table: table.resign(wish.player))


@router.post("/api/games/{game}/retry")
async def retry(request: Request, game: GameId) -> Response:
    """Let a program think again whose search has failed."""
    return await _changed(request, game, Table.retry)


async def _changed(request: Request, game: str, change: Callable[[Table], Awaitable[None]]) -> Response:
    """The game after a change, during which nobody else changes it."""
    async with request.app.state.tables.changing(game) as table:
        await change(table)
        return JSONResponse(table.facts())


@router.post("/api/games/{game}/rematch", status_code=201)
async def rematch(request: Request, game: GameId, wish: Rematch) -> Response:
    """The same again; whoever watches the old game is told of the new one."""
    tables = request.app.state.tables
    old = await tables.find(game)
    before = old.game
    made: Any = await off_loop(
        "games.live:new_game",
        request.scope["visitor"],
        before.spec,
        before.players[::-1] if wish.swap else before.players,
        board=before.board,
        clock_rules=before.clock,
        seed=secrets.randbelow(10**9) if before.seeded else None,
        address=request.scope["address"],
    )
    table = await tables.begin(made)
    old.audience.tell({"type": "rematch", "id": table.game.id})
    return JSONResponse(table.facts(), 201)


@router.websocket("/ws/games/{game}")
async def follow(socket: WebSocket, game: str) -> None:
    """Everything that happens to a game, from how it stands now; ``{"tree": "en"}`` asks for trees as they grow."""

    async def talk(outlet: Outlet) -> None:
        table = await socket.app.state.tables.find(game[:40])
        await table.join(outlet)
        try:
            while True:
                table.show_search(outlet, _tree_wish(await socket.receive_text()))
                outlet.send({"type": "pong"})
        finally:
            table.leave(outlet)

    await socket.app.state.receptionist.serve(socket, talk)


def _tree_wish(text: str) -> str:
    """The language in which trees are wanted; anything else that is sent wants none."""
    return next((lang for lang in ("en", "zh") if text == f'{{"tree":"{lang}"}}'), "")
