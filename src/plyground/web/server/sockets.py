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
from plyground.web.server.settings import Limits

__all__ = ["Audience", "Outlet", "Receptionist"]

MOST_WAITING = 2000
"""Messages that may wait for a reader; a browser further behind is cut off, and will come back."""
CODES = {401: 4401, 403: 4403, 404: 4404, 422: 4422, 429: 4429, 503: 4503}
SLOW, NOT_TEXT = 4408, 1003


class Outlet:
    """The sending side of a socket. Use it as a context: it ends with the socket."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.visitor: str = socket.scope.get("visitor", "")
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
    """Lets sockets in, as many as a visitor and an address may have."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._visitors: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    @property
    def open(self) -> int:
        """How many sockets there are."""
        return self._addresses.total()

    async def serve(self, socket: WebSocket, talk: Callable[[Outlet], Awaitable[None]]) -> None:
        """Accept a socket and talk with it to its end; a `Refusal` is sent to the browser before the end."""
        counted = ((self._visitors, socket.scope["visitor"]), (self._addresses, socket.scope["address"]))
        await socket.accept()
        for counter, who in counted:
            counter[who] += 1
        try:
            self._check(*(who for _, who in counted))
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
            for counter, who in counted:
                counter[who] -= 1
                if not counter[who]:
                    del counter[who]

    def _check(self, visitor: str, address: str) -> None:
        limits = self._limits
        if self._visitors[visitor] > limits.sockets:
            raise Refusal(429, f"you have {limits.sockets} pages open already; close some", "pages")
        if self._addresses[address] > limits.address_sockets:
            raise Refusal(429, f"your network has {limits.address_sockets} pages open already; close some", "pages")
        if self.open > limits.all_sockets:
            raise Refusal(503, f"{limits.all_sockets} pages are open already; try again later", "busy")
