"""Compiling ahead: what the page in front of somebody may need next is machine code before it is asked for.

A process of its own, to which every search takes precedence, does one small piece of work after the other. What it
compiles is kept on disk, from where the workers take it in a fraction of a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections.abc import Sequence
from typing import Any, Literal

from plyground.web.server.pool import Job, Worker
from plyground.web.server.settings import NOTHING, Limits, Named

__all__ = ["Readiness", "State", "preparing"]

State = Literal["ready", "compiling", "waiting"]
Work = dict[str, Any]
"""A piece of work as workers get it."""
MOST_WANTED = 200
"""Pieces of work that are remembered; what was wanted long ago is compiled when somebody needs it."""


def preparing(game: str, player: str) -> Work:
    """The work that gets a player ready for a game."""
    return {"do": "server.preparing:compile_ahead", "game": game, "player": player}


class Readiness:
    """What has been compiled, and the process that compiles."""

    def __init__(self, limits: Limits, named: Named = NOTHING) -> None:
        self._worker = Worker(limits.memory, named, niceness=19)
        self._ready: set[str] = set()
        self._waiting: dict[str, Work] = {}
        self._compiling = ""
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def want(self, works: Sequence[Work]) -> None:
        """These are needed next, the first of them first; what was wanted before comes after them."""
        wanted = {key: work for work in works if (key := _key(work)) not in self._ready and key != self._compiling}
        later = {key: work for key, work in self._waiting.items() if key not in wanted}
        self._waiting = dict(itertools.islice((wanted | later).items(), MOST_WANTED))
        self._asked.set()
        if self._task is None:
            self._task = asyncio.create_task(self._work())

    def state(self, work: Work) -> State:
        """Whether something can begin at once."""
        key = _key(work)
        return "ready" if key in self._ready else "compiling" if key == self._compiling else "waiting"

    async def close(self) -> None:
        """End the process, whatever it is doing."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._worker.kill()

    async def _work(self) -> None:
        for number in itertools.count():
            while not self._waiting:
                self._asked.clear()
                await self._asked.wait()
            self._compiling = next(iter(self._waiting))
            job = Job(number, "", self._waiting.pop(self._compiling), None, False, lambda event: None)
            await self._worker.run(job)
            with contextlib.suppress(Exception):  # what cannot be done says why when somebody asks for it
                await job.result()
            self._ready.add(self._compiling)
            self._compiling = ""


def _key(work: Work) -> str:
    return json.dumps(work, sort_keys=True)
