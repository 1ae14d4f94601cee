"""Compiling ahead: what the page in front of somebody may need next is machine code before it is asked for.

A process of its own, to which every search takes precedence, prepares one player after the other. What it compiles is
kept on disk, from where the workers take it in a fraction of a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Sequence
from typing import Literal

from plyground.web.server.pool import Job, Worker
from plyground.web.server.settings import Limits

__all__ = ["Readiness", "State"]

State = Literal["ready", "compiling", "waiting"]
Pair = tuple[str, str]
"""The specs of a game and of a player."""


class Readiness:
    """Which players are ready for which games, and the process that prepares them."""

    def __init__(self, limits: Limits, games: Sequence[str] = ()) -> None:
        self._worker = Worker(limits.memory, games)
        self._ready: set[Pair] = set()
        self._waiting: list[Pair] = []
        self._compiling: Pair | None = None
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def want(self, pairs: Sequence[Pair]) -> None:
        """These are needed next, the first of them first; what was wanted before comes after them."""
        wanted = [pair for pair in dict.fromkeys(pairs) if pair not in self._ready and pair != self._compiling]
        self._waiting = [*wanted, *(pair for pair in self._waiting if pair not in wanted)]
        self._asked.set()
        if self._task is None:
            self._task = asyncio.create_task(self._work())

    def state(self, pair: Pair) -> State:
        """Whether a player can begin at once."""
        return "ready" if pair in self._ready else "compiling" if pair == self._compiling else "waiting"

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
            self._compiling = self._waiting.pop(0)
            game, player = self._compiling
            work = {"do": "server.preparing:compile_ahead", "game": game, "player": player}
            job = Job(number, "", work, None, False, lambda event: None)
            await self._worker.run(job)
            with contextlib.suppress(Exception):  # one that cannot be prepared says why when it is asked to play
                await job.result()
            self._ready.add(self._compiling)
            self._compiling = None
