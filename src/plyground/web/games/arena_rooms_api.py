"""Rooms of the arena: an address that a teacher projects, and that a class follows on its phones.

A room shows one tournament, live, and after it the next one that its owner begins there: whoever has the address open
sees that without doing anything. It changes nothing; what its owner may change is asked for at other addresses. Rooms
are kept on the disk, so that they are there again after a restart.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Request, WebSocket
from fastapi import Path as PathPart
from starlette.types import Scope

from plyground.web.games.tournaments_api import (
    TournamentId,
    begin_shown,
    find_facts,
    greeting,
    may_change,
)
from plyground.web.server.addresses import is_at_machine
from plyground.web.server.bodies import Body
from plyground.web.server.refusals import Refusal
from plyground.web.server.settings import CODE_LETTERS
from plyground.web.server.sockets import Audience, Outlet
from plyground.web.server.threads import aside

__all__ = ["ArenaRooms", "router"]

router = APIRouter()
LENGTH = 6
RoomId = Annotated[str, PathPart(max_length=40)]


class NewRoom(Body):
    """A room for a tournament that you have begun; at the server's machine also one that shows nothing yet."""

    tournament: TournamentId | None = None


class ArenaRooms:
    """The rooms that somebody looks at, and where to find the others."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._audiences: dict[str, Audience] = {}
        self._showing: dict[str, str] = {}
        """What those rooms show: known at once, while the disk takes a moment."""
        self._followed: dict[Outlet, str] = {}

    async def find(self, room: str) -> tuple[str, str]:
        """The owner of a room, and the tournament that it shows."""
        found: tuple[str, str] | None = await self._app.state.store.room(room)
        if found is None:
            raise Refusal(404, "there is no such room", "no_room")
        return found

    async def check(self, scope: Scope, room: str) -> None:
        """`Refusal` if a visitor may not change what a room shows."""
        owner, _ = await self.find(room)
        if owner != scope["visitor"] and not is_at_machine(scope):
            raise Refusal(403, "only whoever has opened a room can show something else in it", "not_yours")

    async def show(self, room: str, tournament: str) -> None:
        """Show another tournament in a room, to everybody who looks at it."""
        owner, _ = await self.find(room)
        await self._app.state.store.keep_room(room, owner, tournament, self._app.state.settings.limits)
        if room in self._audiences:
            self._showing[room] = tournament
            for outlet in list(self._audiences[room]):
                await self._turn(room, outlet)

    async def follow(self, room: str, outlet: Outlet) -> None:
        """Tell a browser what a room shows, from now on."""
        _, tournament = await self.find(room)
        self._showing.setdefault(room, tournament)
        self._audiences.setdefault(room, Audience()).add(outlet)
        await self._turn(room, outlet)

    async def _turn(self, room: str, outlet: Outlet) -> None:
        """Let a browser hear of what the room shows now, and of nothing else."""
        tournament = self._showing[room]
        self._app.state.arena.leave(self._followed.get(outlet, ""), outlet)
        self._followed[outlet] = tournament
        outlet.send({"type": "room", "id": room, "tournament": tournament})
        said = await greeting(self._app, tournament) if tournament else []
        if said and self._followed.get(outlet) == tournament:  # and it is still there, and has not turned again
            self._app.state.arena.join(tournament, outlet)
            for message in said:
                outlet.send(message)

    def leave(self, room: str, outlet: Outlet) -> None:
        """A browser has gone."""
        self._app.state.arena.leave(self._followed.pop(outlet, ""), outlet)
        audience = self._audiences.get(room, Audience())
        audience.discard(outlet)
        if not audience:
            self._audiences.pop(room, None)
            self._showing.pop(room, None)


async def facts_of(request: Request, room: str) -> dict[str, Any]:
    """A room for a page: `address` is where others find this server, if that is not where the visitor has found it."""
    owner, tournament = await request.app.state.arena_rooms.find(room)
    settings = request.app.state.settings
    yours = owner == request.scope["visitor"] or is_at_machine(request.scope)
    return {
        "id": room,
        "tournament": tournament,
        "yours": yours,
        "holds": bool(tournament) and await may_change(request.app, request.scope, tournament),
        "address": settings.address,
        "code": settings.join_code if yours else "",
    }


@router.post("/api/arena/rooms", status_code=201)
async def open_room(request: Request, wish: NewRoom) -> dict[str, Any]:
    """Open a room; the one that shows the tournament already, if there is one of yours."""
    state, scope = request.app.state, request.scope
    shown, local = wish.tournament or "", is_at_machine(request.scope)
    if not local and (not shown or await state.store.begun_by(shown) != scope["visitor"]):
        raise Refusal(403, "begin a tournament first: you open a room for one that you have begun", "not_yours")
    if shown and await find_facts(request.app, shown) is None:
        raise Refusal(404, "there is no such tournament")
    for room, tournament in await state.store.rooms_of(scope["visitor"]):
        if tournament == shown:
            return await facts_of(request, room)
    room = "".join(secrets.choice(CODE_LETTERS) for _ in range(LENGTH))
    await state.store.keep_room(room, scope["visitor"], shown, state.settings.limits)
    return await facts_of(request, room)


@router.get("/api/arena/rooms")
async def own_rooms(request: Request) -> list[dict[str, Any]]:
    """The rooms that you have opened, the last one first."""
    found = await request.app.state.store.rooms_of(request.scope["visitor"])
    return [{"id": room, "tournament": tournament} for room, tournament in found]


@router.get("/api/arena/rooms/{room}")
async def shown(request: Request, room: RoomId) -> dict[str, Any]:
    """A room: which tournament it shows, whether it is yours, and whether you hold the tournament."""
    return await facts_of(request, room)


@router.post("/api/arena/rooms/{room}/next", status_code=201)
async def next_tournament(request: Request, room: RoomId) -> dict[str, Any]:
    """Begin the same tournament once more, with the players as they are now, and show it in the room."""
    state = request.app.state
    await state.arena_rooms.check(request.scope, room)
    _, tournament = await state.arena_rooms.find(room)
    one = state.arena.find(tournament)
    plan: Any = one.plan if one else await aside("games.records:kept_plan", state.settings.database, tournament)
    if plan is None:
        raise Refusal(409, "no tournament was held in this room yet; begin one in the arena", "no_tournament")
    planned: Any = await aside("games.tournaments:again", plan)
    return (await begin_shown(request.app, request.scope, planned, room)).facts()


@router.websocket("/ws/arena/rooms/{room}")
async def follow(socket: WebSocket, room: str) -> None:
    """What a room shows, as it changes."""

    async def talk(outlet: Outlet) -> None:
        rooms: ArenaRooms = socket.app.state.arena_rooms
        try:
            await rooms.follow(room[:40], outlet)
            while True:
                await socket.receive_text()
        finally:
            rooms.leave(room[:40], outlet)

    await socket.app.state.receptionist.serve(socket, talk)
