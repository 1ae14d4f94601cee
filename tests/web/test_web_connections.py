"""Connections: half-sent requests, slow readers, and how many there may be from where."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from plyground.errors import BadOption
from plyground.web.server.addresses import Proxies, network_of
from plyground.web.server.connections import Connections, HttpConnection, SocketConnection
from plyground.web.server.settings import Limits
from web_server import serving

HEADER = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n"
UPGRADE = (
    b"GET /ws/search HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
LIMITS = Limits(header_time=10.0, body_time=20.0, answer_time=30.0, address_connections=2, all_connections=4)


class Wire(asyncio.Transport):
    """The server's end of a connection, on which nothing is sent anywhere."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 50000), "sockname": ("127.0.0.1", 8421)})
        self.sent = b""
        self.unread = 0
        self.closed = self.aborted = False

    def write(self, data: Any) -> None:
        self.sent += data

    def get_write_buffer_size(self) -> int:
        return self.unread

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


async def silent(scope: Any, receive: Any, send: Any) -> None:
    """An app that reads what is sent, and answers when it has all of it."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await asyncio.Event().wait()
    while (await receive()).get("more_body"):
        pass
    if scope["path"] == "/never":
        await asyncio.Event().wait()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


class Line:
    """A client who connects to a server of these connections."""

    def __init__(self, connections: Connections, address: str = "10.0.0.1") -> None:
        config = Config(silent)
        connections.configure(config)
        config.load()
        self.wire = Wire(address)
        self.state = ServerState()
        self.protocol: Any = HttpConnection(connections, config=config, server_state=self.state, app_state={})
        self.protocol.connection_made(self.wire)
        self.begun = asyncio.get_running_loop().time()

    async def sends(self, data: bytes) -> Line:
        self.protocol.data_received(data)
        for _ in range(10):
            await asyncio.sleep(0)
        return self

    async def ends(self) -> None:
        self.protocol.connection_lost(None)
        for task in list(self.state.tasks):
            task.cancel()
        await asyncio.gather(*self.state.tasks, return_exceptions=True)


def made(**changes: Any) -> Connections:
    return Connections(replace(LIMITS, **changes), Proxies())


def test_half_a_header_is_hung_up_on_however_often_a_byte_comes() -> None:
    async def scene() -> None:
        connections = made()
        line = Line(connections)
        for second in range(10):
            await line.sends(b"GET / HTTP/1.1\r\n"[second : second + 1])
            connections.look(line.begun + second)
            assert not line.wire.aborted
        connections.look(line.begun + 11)
        assert line.wire.aborted
        assert connections.late == 1
        await line.ends()
        assert connections.open == 0

    asyncio.run(scene())


def test_half_a_body_is_hung_up_on_after_its_own_time() -> None:
    async def scene() -> None:
        connections = made()
        line = await Line(connections).sends(HEADER + b"{")
        connections.look(line.begun + 9)
        await line.sends(b'"')
        connections.look(line.begun + 28)
        assert not line.wire.aborted
        connections.look(line.begun + 30)
        assert line.wire.aborted
        await line.ends()

    asyncio.run(scene())


def test_a_request_in_work_and_a_connection_at_rest_are_not_hung_up_on() -> None:
    async def scene() -> None:
        connections = made()
        working = await Line(connections).sends(b"GET /never HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        resting = await Line(connections).sends(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert resting.wire.sent.endswith(b"ok")
        for second in (1, 1000):
            connections.look(working.begun + second)
        assert not working.wire.aborted
        assert not resting.wire.aborted
        await resting.sends(b"GET / HT")
        connections.look(working.begun + 1001)
        connections.look(working.begun + 1012)
        assert resting.wire.aborted, "the second request is half a header too"
        await working.ends()
        await resting.ends()

    asyncio.run(scene())


def test_whoever_does_not_take_in_the_answer_is_hung_up_on() -> None:
    async def scene() -> None:
        connections = made()
        line = await Line(connections).sends(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        line.wire.unread = 2
        connections.look(line.begun + 1)
        connections.look(line.begun + 30)
        assert not line.wire.aborted
        connections.look(line.begun + 32)
        assert line.wire.aborted
        await line.ends()

    asyncio.run(scene())


def test_a_socket_is_late_only_if_it_takes_in_nothing_at_all() -> None:
    async def scene() -> None:
        connections = made()
        line = await Line(connections).sends(UPGRADE)
        assert isinstance(line.wire.protocol, SocketConnection)
        assert b"101 Switching Protocols" in line.wire.sent
        line.protocol = line.wire.protocol
        for second, unread in ((1, 100), (20, 90), (40, 80), (60, 80)):
            line.wire.unread = unread
            connections.look(line.begun + second)
            assert not line.wire.aborted
        connections.look(line.begun + 71)
        assert line.wire.aborted
        await line.ends()
        assert connections.open == 0

    asyncio.run(scene())


def test_whoever_has_just_connected_when_the_server_ends_gets_one_answer() -> None:
    async def scene() -> None:
        connections = made()
        line, resting = Line(connections), Line(connections)
        await resting.sends(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        connections.ending = True
        for one in (line, resting):
            one.protocol.shutdown()
        assert resting.wire.closed
        assert not line.wire.closed
        await line.sends(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert line.wire.sent.endswith(b"ok")
        assert line.wire.closed
        await line.ends()

    asyncio.run(scene())


def test_an_address_with_too_many_connections_loses_its_own_oldest_that_waits() -> None:
    async def scene() -> None:
        connections = made()
        other = Line(connections, "10.0.0.2")
        working = await Line(connections).sends(b"GET /never HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        half = await Line(connections).sends(b"GET")
        newcomer = await Line(connections).sends(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert half.wire.aborted
        assert newcomer.wire.sent.endswith(b"ok")
        assert not other.wire.aborted
        assert not working.wire.aborted
        for line in (other, working, half, newcomer):
            await line.ends()
        assert connections.open == 0

    asyncio.run(scene())


def test_with_all_places_taken_the_address_that_has_most_gives_way() -> None:
    async def scene() -> None:
        connections = made(address_connections=3)
        lines = [Line(connections, address) for address in ("10.0.0.1", "10.0.0.2", "10.0.0.2", "10.0.0.2")]
        lines.append(Line(connections, "10.0.0.3"))
        assert [line.wire.aborted for line in lines] == [False, True, False, False, False]
        assert connections.open == 4
        for line in lines:
            await line.ends()

    asyncio.run(scene())


def test_where_nobody_can_give_way_a_newcomer_is_told_so() -> None:
    async def scene() -> None:
        connections = made()
        lines = [await Line(connections).sends(b"GET /never HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") for _ in range(2)]
        late = Line(connections)
        assert late.wire.closed
        assert late.wire.sent.startswith(b"HTTP/1.1 503 ")
        assert json.loads(late.wire.sent.partition(b"\r\n\r\n")[2])["code"] == "busy"
        assert not any(line.wire.closed for line in lines)
        for line in (*lines, late):
            await line.ends()
        assert connections.open == 0

    asyncio.run(scene())


def test_a_server_in_front_may_have_more_connections_than_a_visitor() -> None:
    async def scene() -> None:
        connections = Connections(LIMITS, Proxies(["10.0.0.0/24"]))
        lines = [Line(connections) for _ in range(4)]
        assert not any(line.wire.closed for line in lines)
        for line in lines:
            await line.ends()

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("somewhere", "somewhere"),
    ],
)
def test_limits_are_counted_by_what_a_client_cannot_choose(host: str, network: str) -> None:
    assert network_of(host) == network


def test_a_wrong_address_of_a_proxy_is_said_in_one_line() -> None:
    with pytest.raises(BadOption, match="--proxy: 'nginx' is not an address"):
        Proxies(["nginx"])


def test_limits_leave_room_for_the_files_of_the_server_itself() -> None:
    for files in (64, 256, 1024, 4096):
        fitted = Limits().within(files, 2)
        assert fitted.all_connections + 5 * Limits.backlog(files) < files
        assert fitted.address_connections <= fitted.all_connections // 2
        assert fitted.address_sockets < fitted.address_connections


@contextlib.contextmanager
def half_sent(address: tuple[str, int], count: int) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        lines = []
        for number in range(count):
            line = stack.enter_context(socket.create_connection(address, timeout=120))
            line.sendall(HEADER + b"{" if number % 2 else b"GET / HTTP/1.1\r\nHost: 127")
            lines.append(line)
        yield lines


def test_300_half_sent_requests_keep_nobody_out_of_a_server_with_256_files(tmp_path: Path) -> None:
    with serving(tmp_path, open_files=256) as server:
        host, _, port = server.address.removeprefix("http://").partition(":")
        with half_sent((host, int(port)), 300):
            for _ in range(3):
                with urllib.request.urlopen(f"{server.address}/api/games", timeout=120) as answer:
                    assert answer.status == 200
        assert server.errors.read_text() == ""
