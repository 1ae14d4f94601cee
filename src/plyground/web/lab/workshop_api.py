"""The workshop's page: what it begins with, and the socket on which a game in the making is checked and played.

It is there only if the server was started for it, for pages of this server in a browser that it knows. A visitor has
one process at a time: whoever opens the page twice goes on where something was asked last.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, Literal

from fastapi import Request, WebSocket
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from plyground.web.lab.workshop import CagedGame, Problem, examples
from plyground.web.server.bodies import Body, Number, Seed, Spec, writable
from plyground.web.server.guard import same_origin
from plyground.web.server.refusals import Refusal, line_of, one_line, validation_line
from plyground.web.server.settings import Settings
from plyground.web.server.sockets import Outlet
from plyground.web.server.threads import aside
from plyground.web.server.wishes import Router

__all__ = ["Workshop", "router"]

LONGEST_CODE = 200_000
CLOSED = "there is no workshop here; start the server with: plyground web --workshop"
router = Router()

Code = Annotated[str, Field(max_length=LONGEST_CODE), AfterValidator(writable)]
Reference = Annotated[int, Field(ge=0, lt=2**31)]
"""The page's own number of a question, which the answers bear."""


class WorkshopCheck(Body):
    """Check the contract."""

    id: Reference
    do: Literal["check"]
    code: Code


class WorkshopPlay(Body):
    """Begin a game, or go on with one whose moves are known."""

    id: Reference
    do: Literal["play"]
    code: Code
    players: Annotated[list[Spec], Field(min_length=1, max_length=20)]
    seed: Seed = 0
    moves: Annotated[list[Number], Field(max_length=5000)] = Field(default_factory=list)


class WorkshopMove(Body):
    """Make a move."""

    id: Reference
    do: Literal["move"]
    action: Number


class WorkshopStep(Body):
    """Let the program move, take back, or end whatever runs."""

    id: Reference
    do: Literal["go", "back", "stop"]


Question = WorkshopCheck | WorkshopPlay | WorkshopMove | WorkshopStep
QUESTION: TypeAdapter[Question] = TypeAdapter(Annotated[Question, Field(discriminator="do")])


class Workshop:
    """All games in the making: how many there may be, and whose they are."""

    def __init__(self, settings: Settings) -> None:
        self.is_open, self.cage = settings.workshop, settings.cage
        self.idle, self._most = settings.limits.workshop_idle, settings.limits.workshops
        self._threads = ThreadPoolExecutor(2 * self._most, "workshop")
        self.running: dict[str, Session] = {}
        """For each visitor the page whose process runs."""
        self._closing: set[asyncio.Task[None]] = set()

    def check_open(self) -> None:
        """`Refusal` if the server was not started for it."""
        if not self.is_open:
            raise Refusal(403, CLOSED, "workshop")

    def admit(self, session: Session) -> None:
        """A page needs a process; another page of the same visitor gives up its own."""
        before = self.running.get(session.visitor)
        if before is None and len(self.running) >= self._most:
            raise Refusal(503, f"{self._most} games are being written here already; try again later", "workshop_full")
        self.running[session.visitor] = session
        if before is not None and before is not session:
            before.put_away("elsewhere")

    async def off_loop(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Wait for a process, in a thread of the workshop's own: nobody else waits with it."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    def end(self, game: CagedGame, task: asyncio.Task[None] | None) -> None:
        """Close a game that is not needed any more, when whoever asks it something has been told so."""

        async def close() -> None:
            if task is not None:
                await asyncio.wait({task})
            await self.off_loop(game.close)

        game.end()
        closing = asyncio.get_running_loop().create_task(close())
        self._closing.add(closing)  # the page need not wait for it
        closing.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """End all processes."""
        for session in list(self.running.values()):
            session.close()
        await asyncio.gather(*self._closing, return_exceptions=True)
        self._threads.shutdown(wait=False)


class Session:
    """One page that has the workshop open, and the game that it has asked for last."""

    def __init__(self, workshop: Workshop, outlet: Outlet) -> None:
        self.visitor = outlet.visitor
        self._workshop, self._outlet = workshop, outlet
        self._loop = asyncio.get_running_loop()
        self._game: CagedGame | None = None
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def hear(self, text: str) -> None:
        """One message of the page."""
        number = None
        try:
            message = json.loads(text)
            number = message.get("id") if isinstance(message, dict) and isinstance(message.get("id"), int) else None
            question = QUESTION.validate_python(message)
        except ValidationError as error:
            self._tell(number, {"event": "refused", "error": validation_line(error.errors()), "code": "422"})
            return
        except (ValueError, RecursionError):
            self._tell(number, {"event": "refused", "error": "a message is a JSON object", "code": "422"})
            return
        self._wind()
        try:
            self._take(question)
        except Refusal as refusal:
            self._tell(question.id, {"event": "refused", "error": line_of(refusal), "code": refusal.code})

    def _take(self, question: Question) -> None:
        if isinstance(question, WorkshopStep) and question.do == "stop":
            self.put_away()
            self._tell(question.id, {"event": "done"})
            return
        if isinstance(question, WorkshopCheck | WorkshopPlay):
            busy = self._task is not None and not self._task.done()
            if self._game is None or self._game.ended or busy or self._game.code != question.code:
                self.put_away()
                self._workshop.admit(self)
                self._game = CagedGame(question.code, self._workshop.cage)
        elif self._game is None or self._game.ended:
            raise Refusal(409, "the game has been put away; begin it anew", "workshop_away")
        elif self._task is not None and not self._task.done():
            raise Refusal(409, "the game is still busy with the question before", "workshop_waiting")
        self._task = asyncio.create_task(self._ask(self._game, question))

    async def _ask(self, game: CagedGame, question: Question) -> None:
        details = question.model_dump(exclude={"id", "do", "code"})

        def tell(event: dict[str, Any]) -> None:
            self._loop.call_soon_threadsafe(self._tell_of, game, question.id, event)

        def work() -> None:
            for answer in game.ask(question.do, **details):
                said = answer.model_dump()
                tell({**said, "error": one_line(answer.error)} if isinstance(answer, Problem) else said)

        await self._workshop.off_loop(work)
        self._tell_of(game, question.id, {"event": "done"})
        if game.ended and game is self._game:
            self.put_away()

    def _tell_of(self, game: CagedGame, number: int, event: dict[str, Any]) -> None:
        if game is self._game:  # what was put away has nothing more to say
            self._tell(number, event)

    def _tell(self, number: int | None, event: dict[str, Any]) -> None:
        self._outlet.send({"id": number, **event})

    def _wind(self) -> None:
        """From now on it counts how long nothing is asked."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(self._workshop.idle, self.put_away, "idle")

    def put_away(self, why: str = "") -> None:
        """End the process, if there is one; `why` is for the page."""
        game, self._game = self._game, None
        if game is None:
            return
        if self._workshop.running.get(self.visitor) is self:
            del self._workshop.running[self.visitor]
        self._workshop.end(game, self._task)
        if why:
            self._tell(None, {"event": "away", "why": why})

    def close(self) -> None:
        """The page has gone."""
        if self._timer is not None:
            self._timer.cancel()
        self.put_away()


@router.get("/api/workshop")
async def beginning(request: Request) -> dict[str, Any]:
    """Games to begin with, and what the cage of this machine lacks."""
    from plyground.processes.program import missing_parts

    request.app.state.workshop.check_open()
    return {"examples": await aside(examples), "missing": await aside(missing_parts)}


@router.websocket("/ws/workshop")
async def workshop(socket: WebSocket) -> None:
    """A page of the workshop."""

    async def talk(outlet: Outlet) -> None:
        open_one: Workshop = socket.app.state.workshop
        open_one.check_open()
        origin, host = socket.headers.get("origin", ""), socket.headers.get("host", "")
        if not socket.scope["known"] or not same_origin(origin, host):
            raise Refusal(
                403, "the workshop is for pages of this server; open /workshop in a browser", "workshop_foreign"
            )
        session = Session(open_one, outlet)
        try:
            while True:
                session.hear(await socket.receive_text())
        finally:
            session.close()

    await socket.app.state.receptionist.serve(socket, talk)
