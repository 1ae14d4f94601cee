"""The API of tournaments: begin one, follow its table and its boards, stop it, go on with it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import re
from collections import OrderedDict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response, WebSocket
from pydantic import Field
from starlette.types import Scope

from plyground.web.server.bodies import Body, Spec
from plyground.web.server.pool import Job, Stopped, Worker, WorkFailed
from plyground.web.server.refusals import Refusal, code_of, line_of
from plyground.web.server.settings import Settings
from plyground.web.server.sockets import Audience, Outlet
from plyground.web.server.threads import aside

__all__ = ["Arena", "router"]

router = APIRouter()
KEPT = 100
"""Tournaments that are remembered after their end; the database has them all."""

TournamentId = Annotated[str, Field(max_length=40)]


class NewTournament(Body):
    """Who meets whom. `openings` is a number of random moves to begin with, `games` how often two players meet.

    In a gauntlet each of the first `heads` players meets each of the others.
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


class Tournament:
    """One that is held, or was since the server has started."""

    def __init__(self, plan: Any, owner: str, address: str) -> None:
        self.plan, self.owner, self.address, self.id = plan, owner, address, plan.id
        self.state: Literal["running", "done", "stopped", "failed"] = "running"
        self.message: str | None = None
        self.code: str | None = None
        self.audience = Audience()
        self.boards: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self.table: dict[str, Any] = {"type": "table", "rows": [], "done": 0, "total": plan.total()}
        self.task: asyncio.Task[None] | None = None

    def facts(self) -> dict[str, Any]:
        """A line in the list, and what the socket says first."""
        return {
            "id": self.id,
            "game": self.plan.game,
            "players": [player.name for player in self.plan.players],
            "kind": self.plan.format,
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
        elif kind == "compiling":
            self.audience.tell({"type": "compiling", "what": facts["what"]})


class Arena:
    """The tournaments of this server, each in a process of its own."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: OrderedDict[str, Tournament] = OrderedDict()
        self._numbers = itertools.count()

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
        one = self._known[plan.id] = Tournament(plan, owner, address)
        self._known.move_to_end(plan.id)
        one.task = asyncio.create_task(self._hold(one, resumed))
        for old in [number for number, other in self._known.items() if other.state != "running"][:-KEPT]:
            del self._known[old]
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

    def find(self, number: str) -> Tournament:
        """The tournament of that id."""
        if number not in self._known:
            raise Refusal(404, "there is no such tournament; those of earlier days are in the database")
        return self._known[number]

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


@router.post("/api/tournaments", status_code=201)
async def begin(request: Request, wish: NewTournament) -> dict[str, Any]:
    """Begin a tournament."""
    planned: Any = await aside("games.tournaments:make_plan", **wish.model_dump())
    return request.app.state.arena.begin(planned, request.scope, resumed=False).facts()  # type: ignore[no-any-return]


@router.get("/api/tournaments")
async def listed(request: Request) -> list[dict[str, Any]]:
    """The tournaments of this server, and those in the database."""
    known = request.app.state.arena.listed()
    ids = {one["id"] for one in known}
    kept: list[Any] = await aside("games.records:past_tournaments", request.app.state.settings.database)
    return [*known, *(one for one in kept if one["id"] not in ids)]


@router.get("/api/tournaments/{tournament}")
async def shown(request: Request, tournament: TournamentId) -> dict[str, Any]:
    """A tournament with its table."""
    state = request.app.state
    with contextlib.suppress(Refusal):
        one = state.arena.find(tournament)
        return {**one.facts(), "rows": one.table["rows"], "boards": list(one.boards.values())}
    found: dict[str, Any] | None = await aside("games.records:past_tournament", state.settings.database, tournament)
    if found is None:
        raise Refusal(404, "there is no such tournament")
    return found


@router.get("/api/tournaments/{tournament}/{what}.csv", response_class=Response)
async def exported(request: Request, tournament: TournamentId, what: Literal["table", "games"]) -> Response:
    """The table of a tournament, or its games, for a spreadsheet."""
    facts = await shown(request, tournament)
    text: str = await aside(
        "games.tournament_csv:write_csv", what, facts["rows"], request.app.state.settings.database, tournament
    )
    name = re.sub(r"[^\w-]", "_", f"{facts['game']}-{tournament}-{what}")
    headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return Response(text.encode("utf-8-sig"), media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/api/tournaments/{tournament}/resume", status_code=201)
async def resume(request: Request, tournament: TournamentId) -> dict[str, Any]:
    """Go on with a tournament that was stopped."""
    planned: Any = await aside("games.records:kept_plan", request.app.state.settings.database, tournament)
    if planned is None:
        raise Refusal(404, "there is no such tournament")
    return request.app.state.arena.begin(planned, request.scope, resumed=True).facts()  # type: ignore[no-any-return]


@router.delete("/api/tournaments/{tournament}", status_code=204, response_class=Response)
async def stop(request: Request, tournament: TournamentId) -> Response:
    """Stop a tournament; the games that were played are kept."""
    arena = request.app.state.arena
    one = arena.find(tournament)
    if one.owner != request.scope["visitor"]:
        raise Refusal(403, "only whoever has begun a tournament can stop it")
    await arena.stop(one)
    return Response(status_code=204)


@router.websocket("/ws/tournaments/{tournament}")
async def follow(socket: WebSocket, tournament: str) -> None:
    """The table and the boards, as they change."""

    async def talk(outlet: Outlet) -> None:
        one = socket.app.state.arena.find(tournament[:40])
        one.audience.add(outlet)
        try:
            outlet.send({"type": "tournament", **one.facts()})
            outlet.send(one.table)
            for board in one.boards.values():
                outlet.send(board)
            if one.state != "running":
                outlet.send({"type": "end", **one.facts()})
            while True:
                await socket.receive_text()
        finally:
            one.audience.discard(outlet)

    await socket.app.state.receptionist.serve(socket, talk)
