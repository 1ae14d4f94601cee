"""The API of games in progress, and the socket on which browsers follow one.

Who asks is known by the visitor's cookie. A script that keeps no cookies sends the `key` that the answer to a game's
beginning, or to taking a seat, has given it.
"""

from __future__ import annotations

import re
import secrets
import time as clock
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response, WebSocket
from fastapi.responses import JSONResponse
from pydantic import Field

from plyground.web.games.game_clock import ClockRules
from plyground.web.games.offers import Proposal
from plyground.web.games.seating import Asker
from plyground.web.games.table import Table
from plyground.web.server.bodies import Body, Number, Spec, Text
from plyground.web.server.sockets import Outlet
from plyground.web.server.threads import off_loop

__all__ = ["router", "tree_wish"]

router = APIRouter()
MOST_LISTED = 200
PING = re.compile(r'\{"ping":(\d{1,15})\}')
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
    """A game to begin: one player for each seat, "human" for a person.

    Whoever begins it plays for all people, who sit at one computer; where others are `invited` it takes one `seat`, and
    whoever opens the address of the game first the other. A `rated` game is for the visitor's ladder: of one person
    against a measured opponent, with the usual rules, from the beginning, without a clock, `first` by "lot".
    """

    game: Spec
    players: Annotated[list[Spec], Field(max_length=16)]
    first: Literal["choice", "lot"] = "choice"
    people: Literal["here", "invited"] = "here"
    seat: Annotated[int, Field(ge=0, lt=16)] = 0
    moves: Text = ""
    board: Text = ""
    clock: NewClock | None = None
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    rated: bool = False


class Act(Body):
    """What somebody does in a game; with the `key` of a seat, in place of the cookie."""

    key: Annotated[str, Field(max_length=64, pattern="^[0-9a-f]*$")] = ""


class PersonsMove(Act):
    """An action, and the node that was on the board when it was chosen."""

    action: Number
    at: Number


class GoTo(Act):
    """The node to put on the board; programs go on from there only if the game is to be resumed."""

    node: Number
    resume: bool = False


class Resignation(Act):
    """Who gives up."""

    player: Number


class Invitation(Act):
    """Which of one's seats is left to whoever comes."""

    player: Number


class Proposed(Act):
    """What is offered to the other side; `player` is for whoever holds both seats. A rematch may swap the sides."""

    what: Proposal
    player: Number | None = None
    swap: bool = False


class Answer(Act):
    """Whether somebody agrees to what the other side has offered; who declines an own offer takes it back."""

    what: Proposal
    accept: bool
    player: Number | None = None


class Rematch(Act):
    """Whether the players swap seats."""

    swap: bool = False


def _asker(request: Request, act: Act | None) -> Asker:
    return Asker(request.scope["visitor"], "" if act is None else act.key)


def _with_key(table: Table, visitor: str, status: int = 200) -> Response:
    """A game for somebody who has just got a seat in it, with the key to it."""
    return JSONResponse({**table.facts(visitor), "key": table.game.seating.key(visitor)}, status)


@router.post("/api/games", status_code=201)
async def begin(request: Request, wish: NewGame) -> Response:
    """Begin a game."""
    timed = wish.clock is not None and (wish.clock.move or wish.clock.game)
    if wish.rated:
        return await _begin_rated(request, wish, timed=bool(timed))
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
        own=wish.seat if wish.people == "invited" else None,
    )
    table = await request.app.state.tables.begin(made)
    return _with_key(table, request.scope["visitor"], 201)


async def _begin_rated(request: Request, wish: NewGame, *, timed: bool) -> Response:
    visitor, game = request.scope["visitor"], wish.game.strip()
    special = timed or wish.moves.strip() or wish.board.strip() or wish.seed is not None
    usual = not special and wish.people == "here" and wish.first == "lot"
    opponent: Any = await off_loop("games.ladder:check_rated", game, wish.players, as_measured=usual)

    async def make(seat: int) -> Any:
        players = [opponent, "human"] if seat else ["human", opponent]
        address = request.scope["address"]
        return await off_loop("games.live:new_game", visitor, game, players, address=address, rated=True)

    table = await request.app.state.tables.begin_rated(visitor, game, make)
    return _with_key(table, visitor, 201)


@router.get("/api/games")
async def listed(request: Request) -> list[dict[str, Any]]:
    """The visitor's games, those changed last first; `/api/library` finds among all of them."""
    found = await request.app.state.tables.store.summaries(request.scope["visitor"], MOST_LISTED)
    return [{name: fact for name, fact in one.items() if name != "moves"} for one in found]


@router.get("/api/games/{game}")
async def shown(request: Request, game: GameId) -> Response:
    """A game as it stands."""
    return JSONResponse((await request.app.state.tables.find(game)).facts(request.scope["visitor"]))


@router.get("/api/games/{game}/nodes/{node}")
async def looked_at(request: Request, game: GameId, node: Number) -> Response:
    """A position that was on the board, for whoever looks back; nothing changes for anybody else."""
    table = await request.app.state.tables.find(game)
    async with table.lock:
        return JSONResponse({"node": node, "position": await off_loop(table.game.position_at, node)})


@router.delete("/api/games/{game}", status_code=204, response_class=Response)
async def delete(request: Request, game: GameId) -> Response:
    """Forget a game; for a day it can be brought back."""
    await request.app.state.tables.delete(game, request.scope["visitor"])
    return Response(status_code=204)


@router.post("/api/games/{game}/restore", status_code=204, response_class=Response)
async def restore(request: Request, game: GameId) -> Response:
    """Bring a game back that was deleted."""
    await request.app.state.tables.restore(game, request.scope["visitor"], request.scope["address"])
    return Response(status_code=204)


@router.post("/api/games/{game}/move")
async def move(request: Request, game: GameId, wish: PersonsMove) -> Response:
    """Make a person's move; only whoever holds the seat may."""
    return await _changed(request, game, wish, lambda table, asker: table.move(asker, wish.action, wish.at))


@router.post("/api/games/{game}/goto")
async def go_to(request: Request, game: GameId, wish: GoTo) -> Response:
    """Take moves back, or go to another branch; between two people that is offered instead."""
    return await _changed(request, game, wish, lambda table, asker: table.go_to(asker, wish.node, wish.resume))


@router.post("/api/games/{game}/resign")
async def resign(request: Request, game: GameId, wish: Resignation) -> Response:
    """Give up; only whoever holds the seat may."""
    return await _changed(request, game, wish, lambda table, asker: table.resign(asker, wish.player))


@router.post("/api/games/{game}/retry")
async def retry(request: Request, game: GameId, wish: Act | None = None) -> Response:
    """Let a program think again whose search has failed."""
    return await _changed(request, game, wish, Table.retry)


@router.post("/api/games/{game}/invite")
async def invite(request: Request, game: GameId, wish: Invitation) -> Response:
    """Leave one of two seats to whoever opens the address of the game first."""
    return await _changed(request, game, wish, lambda table, asker: table.invite(asker, wish.player))


@router.post("/api/games/{game}/claim")
async def claim(request: Request, game: GameId, wish: Act | None = None) -> Response:
    """Take the seat that waits for somebody; whoever comes too late watches."""
    async with request.app.state.tables.changing(game) as table:
        visitor = await table.claim(_asker(request, wish))
        return _with_key(table, visitor) if table.game.seating.held(visitor) else JSONResponse(table.facts(visitor))


@router.post("/api/games/{game}/offer")
async def offer(request: Request, game: GameId, wish: Proposed) -> Response:
    """Offer the other side to take a move back, a draw, or a rematch; the next move is an answer too."""
    async with request.app.state.tables.changing(game) as table:
        asker = _asker(request, wish)
        if await table.offer(asker, wish.what, wish.player, wish.swap):
            await _agree(request, table)
        return JSONResponse(table.facts(table.game.seating.who(asker)))


@router.post("/api/games/{game}/answer")
async def answer(request: Request, game: GameId, wish: Answer) -> Response:
    """Accept or decline what the other side has offered."""
    async with request.app.state.tables.changing(game) as table:
        asker = _asker(request, wish)
        if wish.accept:
            table.check_answer(asker, wish.what, wish.player)
            await _agree(request, table)
        else:
            await table.decline(asker, wish.what, wish.player)
        return JSONResponse(table.facts(table.game.seating.who(asker)))


async def _agree(request: Request, table: Table) -> None:
    """Both sides want what is offered."""
    offer = table.game.offer
    assert offer is not None
    if offer.what == "rematch":
        next_table = await _begin_again(request, table, table.game.owner, table.game.address, offer.swap)
        await table.agree_on_rematch(next_table.game.id)
    else:
        await table.agree(offer)


async def _changed(
    request: Request, game: str, wish: Act | None, change: Callable[[Table, Asker], Awaitable[None]]
) -> Response:
    """The game after a change, during which nobody else changes it."""
    async with request.app.state.tables.changing(game) as table:
        asker = _asker(request, wish)
        await change(table, asker)
        return JSONResponse(table.facts(table.game.seating.who(asker)))


@router.post("/api/games/{game}/rematch", status_code=201)
async def rematch(request: Request, game: GameId, wish: Rematch) -> Response:
    """The same again, for whoever plays alone or for both sides; whoever watches the old game is told of it."""
    old = await request.app.state.tables.find(game)
    visitor = old.game.seating.check_whole(_asker(request, wish))
    table = await _begin_again(request, old, visitor, request.scope["address"], wish.swap)
    old.audience.tell({"type": "rematch", "id": table.game.id})
    return _with_key(table, visitor, 201)


async def _begin_again(request: Request, old: Table, owner: str, address: str, swap: bool) -> Table:
    """A game of the same people and programs with the same rules, in which their time is fresh."""
    before, turn = old.game, -1 if swap else 1
    made: Any = await off_loop(
        "games.live:new_game",
        owner,
        before.spec,
        before.players[::turn],
        board=before.board,
        clock_rules=before.clock,
        seed=secrets.randbelow(10**9) if before.seeded else None,
        address=address,
        holders=before.seating.holders[::turn],
    )
    return await request.app.state.tables.begin(made)  # type: ignore[no-any-return]


@router.websocket("/ws/games/{game}")
async def follow(socket: WebSocket, game: str) -> None:
    """Everything that happens to a game, from how it stands now.

    ``{"tree": "en"}`` asks for trees as they grow, and ``{"ping": 7}`` what time it is here: from that, and from how
    long the answer takes, a browser knows what the clocks show.
    """

    async def talk(outlet: Outlet) -> None:
        table = await socket.app.state.tables.find(game[:40])
        await table.join(outlet)
        try:
            while True:
                text = await socket.receive_text()
                if ping := PING.fullmatch(text):
                    outlet.send({"type": "time", "ping": int(ping[1]), "now": round(clock.monotonic(), 3)})
                    continue
                table.show_search(outlet, tree_wish(text))
                outlet.send({"type": "pong"})
        finally:
            table.leave(outlet)

    await socket.app.state.receptionist.serve(socket, talk)


def tree_wish(text: str) -> str:
    """The language in which trees are wanted; anything else that is sent wants none."""
    return next((lang for lang in ("en", "zh") if text == f'{{"tree":"{lang}"}}'), "")
