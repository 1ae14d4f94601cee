"""The socket for searches: one a page, on which any number of them may be asked for, each with a number of its own.

The browser sends ``{"id": 3, "do": "hints", ...}`` and gets ``{"id": 3, "event": ...}`` until ``done`` or ``error``.
``{"id": 3, "do": "stop"}`` cancels one; when the socket closes, all are.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Container
from typing import Annotated

from fastapi import APIRouter, WebSocket
from pydantic import Field, ValidationError
from starlette.types import Scope

from plyground.errors import PlygroundError
from plyground.web.server.bodies import Body, Line, Number
from plyground.web.server.pool import Job, Pool, Stopped, WorkFailed
from plyground.web.server.refusals import Refusal, code_of, line_of, one_line, validation_line
from plyground.web.server.settings import Limits
from plyground.web.server.sockets import Outlet
from plyground.web.server.threads import off_loop
from plyground.web.server.wishes import Wish

__all__ = ["router"]

router = APIRouter()
Unaided = Callable[[str], Awaitable[Container[str]]]


class Envelope(Body):
    """Around every message."""

    id: Number
    do: Annotated[str, Field(max_length=20)]


class Conversation:
    """The searches of one socket. `unaided` says in which games a visitor is not to be helped."""

    def __init__(
        self, outlet: Outlet, wishes: dict[str, type[Wish]], pool: Pool, limits: Limits, scope: Scope, unaided: Unaided
    ) -> None:
        self._unaided = unaided
        self._outlet, self._wishes, self._pool, self._limits = outlet, wishes, pool, limits
        self._visitor, self._address = scope["visitor"], scope["address"]
        self._jobs: dict[int, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def hear(self, text: str) -> None:
        """One message of the browser."""
        number: int | None = None
        try:
            message = json.loads(text)
            if not isinstance(message, dict):
                raise Refusal(422, "a message is a JSON object")
            envelope = Envelope(id=message.pop("id", None), do=message.pop("do", None))
            number = envelope.id
            if envelope.do == "stop":
                if number in self._jobs:
                    self._pool.cancel(self._jobs[number])
                return
            if envelope.do not in self._wishes:
                raise Refusal(422, f"do: there is no '{envelope.do}'; there are: {', '.join(self._wishes)}, stop")
            if number in self._jobs:
                raise Refusal(422, f"the search {number} is running already")
            wish = self._wishes[envelope.do](**message)
        except (Refusal, ValidationError, ValueError, RecursionError) as error:
            line = validation_line(error.errors()) if isinstance(error, ValidationError) else line_of(error)
            if isinstance(error, json.JSONDecodeError):
                line = "a message is a JSON object"
            elif isinstance(error, RecursionError):
                line = "the message is nested too deeply"
            self._error(number, line, "422")
            return
        task = asyncio.create_task(self._search(number, wish))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _error(self, number: int | None, line: str, code: str) -> None:
        self._outlet.send({"id": number, "event": "error", "error": one_line(line), "code": code})

    async def _search(self, number: int, wish: Wish) -> None:
        prefix = f'{{"id":{number},'
        try:
            if isinstance(wish, Line) and wish.game.partition(":")[0].strip() in await self._unaided(self._visitor):
                raise Refusal(409, "you play a rated game of this: nobody helps before it is over", "rated")
            work, time = await off_loop(wish.work, self._limits)
            job = self._pool.submit(
                self._visitor,
                {"do": wish.task, **work},
                address=self._address,
                time=time,
                long=wish.long,
                turn=wish.turn,
                on_event=lambda event: self._outlet.send(prefix + event[1:]),
            )
            self._jobs[number] = job
            await job.result()
        except Stopped:
            self._outlet.send({"id": number, "event": "done", "stopped": True})
        except (Refusal, WorkFailed, PlygroundError) as error:
            self._error(number, line_of(error), code_of(error))
        else:
            self._outlet.send({"id": number, "event": "done"})
        finally:
            self._jobs.pop(number, None)

    async def end(self) -> None:
        """The browser has gone: nothing is wanted any more."""
        for job in list(self._jobs.values()):
            self._pool.cancel(job)
        await asyncio.gather(*self._tasks, return_exceptions=True)


@router.websocket("/ws/search")
async def search(socket: WebSocket) -> None:
    """Searches for one page."""

    async def talk(outlet: Outlet) -> None:
        state = socket.app.state
        conversation = Conversation(
            outlet, state.wishes, state.pool, state.settings.limits, socket.scope, state.store.unfinished
        )
        try:
            while True:
                conversation.hear(await socket.receive_text())
        finally:
            await conversation.end()

    await socket.app.state.receptionist.serve(socket, talk)
