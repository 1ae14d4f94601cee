"""The API of tournaments: begin one, follow its table and its boards, stop it, go on with it, export it.

Only whoever has begun a tournament changes it, or whoever is at the server's own machine, such as a teacher.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections import OrderedDict
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI, Request, Response, WebSocket
from fastapi.responses import StreamingResponse
from pydantic import Field
from starlette.types import Scope

from plyground.web.server.addresses import is_at_machine
from plyground.web.server.bodies import Body, Spec
from plyground.web.server.pool import Job, Stopped, Worker, WorkFailed
from plyground.web.server.refusals import Refusal, code_of, line_of
from plyground.web.server.settings import Settings
from plyground.web.server.sockets import Audience, Outlet
from plyground.web.server.threads import aside

__all__ = ["Arena", "TournamentId", "begin_shown", "greeting", "may_change", "router"]

router = APIRouter()
KEPT = 100
"""Tournaments that are remembered after their end; the database has them all."""

TournamentId = Annotated[str, Field(max_length=40)]
RoomId = Annotated[str, Field(pattern=r"^[A-Z0-9]{6}$")]
CHUNK = 1 << 16
TYPES = {"csv": "text/csv", "json": "application/json", "txt": "text/plain", "ggf": "text/plain", "pgn": "text/plain"}


class NewTournament(Body):
    """Who meets whom. `openings` is a number of random moves to begin with, `games` how often two players meet.

    In a gauntlet each of the first `heads` players meets each of the others. A `room` of the arena that is yours shows
    the tournament.
    """

    game: Spec
    players: Annotated[list[Spec], Field(min_length=2, max_length=200)]
    kind: Literal["round-robin", "gauntlet", "swiss"] = "round-robin"
    games: Annotated[int, Field(ge=1, le=1000)] = 2
    rounds: Annotated[int, Field(ge=1, le=20)] | None = None
    openings: Annotated[int, Field(ge=0, le=20)] | None = None
    move_time: Annotated[float, Field(gt=0, le=60, allow_inf_nan=False)] | None = 10.0
    seed: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    heads: Annotated[int, Field(ge=1, le=199)] = 1
    room: RoomId | None = None


class Tournament:
    """One that is held, or was since the server has started."""

    def __init__(self, plan: Any, owner: str, address: str, audience: Audience) -> None:
        self.plan, self.owner, self.address, self.id = plan, owner, address, plan.id
        self.state: Literal["running", "done", "stopped", "failed"] = "running"
        self.message: str | None = None
        self.code: str | None = None
        self.audience = audience
        self.boards: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self.table: dict[str, Any] = {"type": "table", "rows": [], "pairs": [], "done": 0, "total": plan.total()}
        self.coming: dict[str, Any] = {"type": "next", "round": 1, "next": []}
        self.task: asyncio.Task[None] | None = None

    def facts(self) -> dict[str, Any]:
        """A line in the list, and what the socket says first."""
        return {
            "id": self.id,
            "game": self.plan.game,
            "players": [player.name for player in self.plan.players],
            "kind": self.plan.format,
            "rounds": self.plan.rounds,
            "seed": self.plan.seed,
            "state": self.state,
            "message": self.message,
            "code": self.code,
            "done": self.table["done"],
            "total": self.table["total"],
        }

    def heard(self, event: str) -> None:
        """What the worker reports."""
        facts = json.loads(event)
        kind = facts.pop("event")
        if kind == "table":
            ended = facts.get("ended")
            if ended:
                self.boards.pop(ended["key"], None)
            self.table = {"type": "table", **facts}
            self.audience.tell(self.table)
        elif kind == "board":
            self.boards[facts["key"]] = {"type": "board", **facts}
            self.audience.tell(self.boards[facts["key"]])
        elif kind == "next":
            self.coming = {"type": "next", **facts}
            self.audience.tell(self.coming)
        elif kind == "compiling":
            self.audience.tell({"type": "compiling", "what": facts["what"]})


class Arena:
    """The tournaments of this server, each in a process of its own."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: OrderedDict[str, Tournament] = OrderedDict()
        self._audiences: dict[str, Audience] = {}
        self._numbers = itertools.count()

    def join(self, number: str, outlet: Outlet) -> None:
        """Let a browser hear of a tournament, whether it is held now or will be gone on with."""
        self._audiences.setdefault(number, Audience()).add(outlet)

    def leave(self, number: str, outlet: Outlet) -> None:
        """And no longer."""
        audience = self._audiences.get(number, Audience())
        audience.discard(outlet)
        if not audience and number not in self._known:
            self._audiences.pop(number, None)

    def begin(self, plan: Any, scope: Scope, *, resumed: bool) -> Tournament:
        """Hold a tournament; `Refusal` if too many are held already."""
        owner, address = scope["visitor"], scope["address"]
        running = [one for one in self._known.values() if one.state == "running"]
        if any(one.id == plan.id for one in running):
            raise Refusal(409, "this tournament is being held already")
        if any(one.owner == owner for one in running):
            raise Refusal(429, "you hold a tournament already; stop it, or wait for its end", "tournament")
        if any(one.address == address for one in running):
            raise Refusal(429, "your network holds a tournament already; wait for its end", "busy")
        if len(running) >= self._settings.limits.tournaments:
            raise Refusal(503, f"{len(running)} tournaments are being held; try again later", "busy")
        audience = self._audiences.setdefault(plan.id, Audience())
        one = self._known[plan.id] = Tournament(plan, owner, address, audience)
        self._known.move_to_end(plan.id)
        audience.tell({"type": "tournament", **one.facts()})
        one.task = asyncio.create_task(self._hold(one, resumed))
        for old in [number for number, other in self._known.items() if other.state != "running"][:-KEPT]:
            del self._known[old]
            if not self._audiences[old]:
                del self._audiences[old]
        return one

    async def _hold(self, one: Tournament, resumed: bool) -> None:
        work = {
            "do": "games.tournaments:hold_tournament",
            "plan": one.plan.as_dict(),
            "database": str(self._settings.database),
            "resumed": resumed,
        }
        worker = Worker(self._settings.limits.memory, self._settings.named)
        job = Job(next(self._numbers), one.owner, work, None, True, one.heard)
        try:
            await worker.run(job)
            await job.result()
            one.state = "done"
        except (Stopped, asyncio.CancelledError):
            one.state = "stopped"
        except (WorkFailed, Refusal) as error:
            one.state, one.message, one.code = "failed", line_of(error), code_of(error)
        finally:
            await worker.kill()
            one.audience.tell({"type": "end", **one.facts()})

    def find(self, number: str) -> Tournament | None:
        """The tournament of that id, if it was held since the server has started; others are in the database."""
        return self._known.get(number)

    def listed(self) -> list[dict[str, Any]]:
        """Those of this server, the last one first."""
        return [one.facts() for one in reversed(self._known.values())]

    async def stop(self, one: Tournament) -> None:
        """End it; what was played is in the database."""
        if one.task is not None and not one.task.done():
            one.task.cancel()
            await asyncio.gather(one.task, return_exceptions=True)

    async def close(self) -> None:
        """The server ends."""
        for one in self._known.values():
            await self.stop(one)


async def may_change(app: FastAPI, scope: Scope, tournament: str) -> bool:
    """Whether a visitor may stop a tournament and go on with it. Of one that nobody here has begun everybody may."""
    if is_at_machine(scope):
        return True
    return await app.state.store.begun_by(tournament) in ("", scope["visitor"])


async def begin_shown(app: FastAPI, scope: Scope, plan: Any, room: str | None, *, resumed: bool = False) -> Tournament:
    """Hold a tournament, and show it in a room."""
    if room is not None:
        await app.state.arena_rooms.check(scope, room)
    if not resumed and await find_facts(app, plan.id) is not None:
        raise Refusal(409, "this tournament has been held already; go on with it, or choose another seed", "held")
    one: Tournament = app.state.arena.begin(plan, scope, resumed=resumed)
    await app.state.store.note_begun(one.id, scope["visitor"])
    if room is not None:
        await app.state.arena_rooms.show(room, one.id)
    return one


async def find_facts(app: FastAPI, tournament: str) -> dict[str, Any] | None:
    """A tournament with its table, held now or kept in the database; None if there is none."""
    one = app.state.arena.find(tournament)
    if one is not None:
        table = {name: one.table[name] for name in ("rows", "pairs")}
        return {**one.facts(), **table, "boards": list(one.boards.values())}
    found: dict[str, Any] | None = await aside("games.records:past_tournament", app.state.settings.database, tournament)
    return found


@router.post("/api/tournaments", status_code=201)
async def begin(request: Request, wish: NewTournament) -> dict[str, Any]:
    """Begin a tournament."""
    planned: Any = await aside("games.tournaments:make_plan", **wish.model_dump(exclude={"room"}))
    return (await begin_shown(request.app, request.scope, planned, wish.room)).facts()


@router.get("/api/tournaments")
async def listed(request: Request) -> list[dict[str, Any]]:
    """The tournaments of this server, and those in the database."""
    known = request.app.state.arena.listed()
    ids = {one["id"] for one in known}
    kept: list[Any] = await aside("games.records:past_tournaments", request.app.state.settings.database)
    return [*known, *(one for one in kept if one["id"] not in ids)]


@router.get("/api/tournaments/{tournament}")
async def shown(request: Request, tournament: TournamentId) -> dict[str, Any]:
    """A tournament with its table, and of each pair what they have done; `yours` says whether you may change it."""
    facts = await find_facts(request.app, tournament)
    if facts is None:
        raise Refusal(404, "there is no such tournament")
    return {**facts, "yours": await may_change(request.app, request.scope, tournament)}


@router.get("/api/tournaments/{tournament}/{what}.{form}", response_class=Response)
async def exported(
    request: Request,
    tournament: TournamentId,
    what: Literal["table", "crosstable", "games"],
    form: Literal["csv", "json", "txt", "ggf", "pgn"],
) -> Response:
    """The table of a tournament, its crosstable or its games, as a file: CSV for a spreadsheet, or JSON.

    Games also as transcripts, `games.txt`, those of Reversi as `games.ggf`, and those of chess as `games.pgn`.
    """
    facts = await shown(request, tournament)
    file: Any = await aside("games.tournament_files:write_file", what, form, facts, request.app.state.settings.database)
    name = re.sub(r"[^\w-]", "_", f"{facts['game']}-{tournament}-{what}", flags=re.ASCII)
    headers = {"content-disposition": f'attachment; filename="{name}.{form}"'}

    def content() -> Any:
        with file:
            yield from iter(partial(file.read, CHUNK), b"")

    return StreamingResponse(content(), media_type=f"{TYPES[form]}; charset=utf-8", headers=headers)


@router.post("/api/tournaments/{tournament}/resume", status_code=201)
async def resume(request: Request, tournament: TournamentId) -> dict[str, Any]:
    """Go on with a tournament that was stopped."""
    planned: Any = await aside("games.records:kept_plan", request.app.state.settings.database, tournament)
    if planned is None:
        raise Refusal(404, "there is no such tournament")
    if not await may_change(request.app, request.scope, tournament):
        raise Refusal(403, "only whoever has begun a tournament can go on with it", "not_yours")
    return (await begin_shown(request.app, request.scope, planned, None, resumed=True)).facts()


@router.delete("/api/tournaments/{tournament}", status_code=204, response_class=Response)
async def stop(request: Request, tournament: TournamentId) -> Response:
    """Stop a tournament; the games that were played are kept."""
    arena = request.app.state.arena
    one = arena.find(tournament)
    if one is None:
        raise Refusal(404, "there is no such tournament; those of earlier days are in the database")
    if one.owner != request.scope["visitor"] and not is_at_machine(request.scope):
        raise Refusal(403, "only whoever has begun a tournament can stop it", "not_yours")
    await arena.stop(one)
    return Response(status_code=204)


async def greeting(app: FastAPI, tournament: str) -> list[dict[str, Any]]:
    """What a browser is told first of a tournament: what it is, its table, its boards; none if there is none."""
    one = app.state.arena.find(tournament)
    if one is None:
        facts = await find_facts(app, tournament)
        return (
            []
            if facts is None
            else [{**facts, "type": "tournament"}, {**facts, "type": "table"}, {**facts, "type": "end"}]
        )
    said = [{"type": "tournament", **one.facts()}, one.table, one.coming, *one.boards.values()]
    return said if one.state == "running" else [*said, {"type": "end", **one.facts()}]


@router.websocket("/ws/tournaments/{tournament}")
async def follow(socket: WebSocket, tournament: str) -> None:
    """The table and the boards, as they change."""

    async def talk(outlet: Outlet) -> None:
        try:
            said = await greeting(socket.app, tournament[:40])
            if not said:
                raise Refusal(404, "there is no such tournament")
            socket.app.state.arena.join(tournament[:40], outlet)
            for message in said:
                outlet.send(message)
            while True:
                await socket.receive_text()
        finally:
            socket.app.state.arena.leave(tournament[:40], outlet)

    await socket.app.state.receptionist.serve(socket, talk)
