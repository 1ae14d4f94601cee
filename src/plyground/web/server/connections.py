"""The connections of a server: how many there may be from where, and how long each may keep it waiting.

Whoever sends half a request, byte by byte, or does not take in the answer, is hung up on after a while. When all places
are taken, a newcomer gets that of the oldest connection without a request in work, from the address that has the most:
so whoever holds connections for nothing keeps nobody out.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from plyground.web.server.addresses import Proxies, network_of
from plyground.web.server.settings import Limits

__all__ = ["Connections", "open_files"]

LOOK = 1.0
"""Seconds between two looks at all connections."""
LAST_CALL = 1.0
"""Seconds that whoever has just connected gets to ask, when the server ends."""
MOST_FILES = 4096
Stage = Literal["header", "body", "work", "answer", "idle"]
"""What a connection waits for: the client, with a header, a body or until it has read; us; or for nothing."""
FULL_LINE = b'{"error": "too many connections are open; try again later", "code": "busy"}'
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(FULL_LINE), FULL_LINE)
)


def open_files() -> int:
    """How many files this process may have open at once; it asks for as many as it may, up to what it needs."""
    try:
        import resource
    except ImportError:  # on Windows, where nothing bounds them
        return MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (ValueError, OSError):
            return soft
    return wanted


@dataclass
class _Open:
    """An open connection; `stage` is what it waits for, and in which request, `since` it was first seen to."""

    protocol: HttpConnection | SocketConnection
    since: float
    stage: tuple[Stage, Any]


class Connections:
    """All connections of a server; the protocols report to it. `configure` makes a server use it."""

    def __init__(self, limits: Limits, proxies: Proxies) -> None:
        self._limits, self._proxies = limits, proxies
        self._by_address: dict[str, dict[asyncio.Transport, _Open]] = {}
        self._patience: dict[Stage, float] = {
            "header": limits.header_time, "body": limits.body_time, "answer": limits.answer_time,
        }  # fmt: skip
        self.open = self.late = self.refused = 0
        """How many are open, and how many were hung up on because they were too slow, or because there was no room."""
        self.ending = False
        """Whether the server is about to end: each connection then gets one more answer at most."""

    def configure(self, config: Config) -> None:
        """Make a server report its connections here."""
        config.http = partial(HttpConnection, self)  # type: ignore[assignment]
        config.ws = partial(SocketConnection, self)  # type: ignore[assignment]

    async def watch(self) -> None:
        """Look at all connections now and then, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LOOK)
            self.look(loop.time())

    def look(self, now: float) -> None:
        """Hang up on whoever has kept us waiting for too long; `now` as the event loop counts."""
        for one in [one for group in self._by_address.values() for one in group.values()]:
            stage = one.protocol.stage()
            if stage != one.stage:
                one.stage, one.since = stage, now
            elif now - one.since > self._patience.get(stage[0], float("inf")):
                self.late += 1
                one.protocol.transport.abort()

    def arrived(self, protocol: HttpConnection, now: float) -> None:
        """Somebody has connected: there is room, or it is made, or the newcomer is turned away."""
        limits, address = self._limits, _address(protocol)
        own = self._by_address.get(address, {})
        room = True
        if len(own) >= limits.address_connections and (protocol.client or ("",))[0] not in self._proxies:
            room = self._make_room(own)
        elif self.open >= limits.all_connections:
            room = any(map(self._make_room, sorted(self._by_address.values(), key=len, reverse=True)))
        if not room:
            self.refused += 1
            protocol.transport.write(FULL)
            protocol.transport.close()
            return
        self._by_address.setdefault(address, {})[protocol.transport] = _Open(protocol, now, protocol.stage())
        self.open += 1

    def _make_room(self, group: dict[asyncio.Transport, _Open]) -> bool:
        for one in group.values():  # the oldest first
            if one.protocol.stage()[0] != "work":
                self.refused += 1
                self.left(one.protocol)
                one.protocol.transport.abort()
                return True
        return False

    def upgraded(self, protocol: SocketConnection) -> None:
        """A connection has become a socket."""
        group = self._by_address.get(_address(protocol), {})
        if protocol.transport in group:
            group[protocol.transport].protocol = protocol

    def left(self, protocol: HttpConnection | SocketConnection) -> None:
        """A connection is closed."""
        address = _address(protocol)
        group = self._by_address.get(address, {})
        if group.pop(protocol.transport, None) is not None:
            self.open -= 1
            if not group:
                del self._by_address[address]


def _address(protocol: HttpConnection | SocketConnection) -> str:
    return network_of(protocol.client[0] if protocol.client else "")


class HttpConnection(H11Protocol):
    """A connection on which requests come."""

    def __init__(self, register: Connections, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._register = register

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._register.arrived(self, self.loop.time())
        if self._register.ending:  # accepted in the last moment
            self.shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._register.left(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._register.ending and self.cycle:
            self.cycle.keep_alive = False

    def shutdown(self) -> None:
        """The server ends. Whoever has only just connected is about to ask, and still gets an answer."""
        if self.cycle:
            super().shutdown()
        else:
            self.loop.call_later(LAST_CALL, self._close_unasked)

    def _close_unasked(self) -> None:
        if not self.cycle:
            self.transport.close()

    def stage(self) -> tuple[Stage, Any]:
        """What is waited for, and the request of which that is true."""
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            return "body", self.cycle
        if self.cycle is not None and not self.cycle.response_complete:
            return ("answer" if self.flow.write_paused else "work"), self.cycle
        if self.transport.get_write_buffer_size():
            return "answer", self.cycle
        return ("header" if self.cycle is None or self.conn.trailing_data[0] else "idle"), self.cycle


class SocketConnection(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    def __init__(self, register: Connections, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._register = register

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._register.upgraded(self)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._register.left(self)

    def stage(self) -> tuple[Stage, Any]:
        """Whether the browser takes in what is sent: as long as it takes any of it, it is not late."""
        waiting = self.transport.get_write_buffer_size()
        return ("answer", waiting) if waiting else ("work", None)
