"""Work on the side: coroutines that nobody waits for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

__all__ = ["Chores"]

log = logging.getLogger("plyground.web")


class Chores:
    """Coroutines that run by themselves; what goes wrong in one is printed in the terminal."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def add(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Begin one."""
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("something could not go on", exc_info=error)

    async def close(self) -> None:
        """End them all."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
