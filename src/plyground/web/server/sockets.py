"""Sockets to browsers: what is sent waits in a queue of its own, so that a slow reader keeps nobody else waiting."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from plyground.web.server.refusals import Refusal, line_of

__all__ = ["Audience", "Outlet", "Receptionist"]

MOST_WAITING = 2000
"""Messages that may wait for a reader; a browser further behind is cut off, and will come back."""
CODES = {401: 4401, 403: 4403, 404: 4404, 422: 4422, 429: 4429, 503: 4503}
SLOW, NOT_TEXT = 4408, 1003


class Outlet:
    """The sending side of a socket. Use it as a context: it ends with the socket."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.tree = ""
        """The language in which the browser wants to see trees grow; "" if it does not."""
        self._queue: asyncio.Queue[str | None] = asyncio.Queue(MOST_WAITING)
        self._task: asyncio.Task[None] | None = None
        self._closing: tuple[int, str] | None = None

    async def __aenter__(self) -> Outlet:
        self._task = asyncio.create_task(self._write())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def send(self, message: str | dict[str, Any]) -> None:
        """Queue a message; never waits."""
        text = message if isinstance(message, str) else _text(message)
        try:
            self._queue.put_nowait(text)
        except asyncio.QueueFull:
            self.close(SLOW, "the browser is too far behind")

    def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the socket after what is queued; at once if that is too much."""
        self._closing = (code, reason)
        if self._queue.full():
            self._queue.get_nowait()
        self._queue.put_nowait(None)

    async def _write(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):  # whoever was there has gone
            while (text := await self._queue.get()) is not None:
                await self.socket.send_text(text)
            await self.socket.close(*(self._closing or (1000, "")))


class Audience(set[Outlet]):
    """The browsers that follow the same thing."""

    def tell(self, message: dict[str, Any]) -> None:
        """Send everybody a message."""
        text = _text(message)
        for outlet in self:
            outlet.send(text)

    @property
    def languages(self) -> list[str]:
        """The languages in which somebody wants to see trees grow."""
        return sorted({outlet.tree for outlet in self if outlet.tree})


def _text(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


class Receptionist:
    """Lets sockets in, as many as a visitor may have."""

    def __init__(self, most: int, most_of_all: int) -> None:
        self._most, self._most_of_all = most, most_of_all
        self._open: Counter[str] = Counter()

    async def serve(self, socket: WebSocket, talk: Callable[[Outlet], Awaitable[None]]) -> None:
        """Accept a socket and talk with it to its end; a `Refusal` is sent to the browser before the end."""
        visitor = socket.scope["visitor"]
        await socket.accept()
        self._open[visitor] += 1
        try:
            if self._open[visitor] > self._most or self._open.total() > self._most_of_all:
                raise Refusal(429, f"you have {self._most} pages open already; close some", "pages")
            async with Outlet(socket) as outlet:
                await talk(outlet)
        except Refusal as refusal:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
                await socket.send_text(json.dumps({"type": "error", "error": line_of(refusal), "code": refusal.code}))
                await socket.close(CODES.get(refusal.status, 4400), line_of(refusal)[:100])
        except (WebSocketDisconnect, RuntimeError):  # the latter if the outlet has closed it
            pass
        except KeyError:  # a message that is not text
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
                await socket.close(NOT_TEXT, "messages are text")
        finally:
            self._open[visitor] -= 1
            if not self._open[visitor]:
                del self._open[visitor]
