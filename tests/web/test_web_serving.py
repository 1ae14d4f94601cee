"""A server in service: how it ends and starts again, what it says of itself, and its log."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from plyground.web.server.guard import Guard
from plyground.web.server.log import KEPT, LARGEST, MOST_ALIKE, Throttle, open_log
from plyground.web.server.settings import Settings
from web_client import Visitor, another, app_in
from web_server import Server, serving

NEW_GAME = json.dumps({"game": "tictactoe", "players": ["human", "human"]}).encode()


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    room = {"join_code": "ABCD2345", "hosts": frozenset({"*"}), "metrics_token": "secret"}
    with app_in(tmp_path_factory.mktemp("serving"), **room) as made:
        yield made


def line_to(server: Server) -> socket.socket:
    host, _, port = server.address.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=120)


def answer_on(line: socket.socket) -> tuple[int, dict[str, Any]]:
    """The status and the JSON of the one answer on a connection that is closed after it."""
    content = b""
    while data := line.recv(65536):
        content += data
    head, _, body = content.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def half_a_request(server: Server) -> socket.socket:
    line = line_to(server)
    head = f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(NEW_GAME)}\r\n"
    line.sendall(f"{head}Content-Type: application/json\r\nExpect: 100-continue\r\n\r\n".encode())
    assert line.recv(100).startswith(b"HTTP/1.1 100 "), "the request is in work"
    line.sendall(NEW_GAME[:10])
    return line


def until_told(socket: Any) -> int:
    """The code with which a socket is closed."""
    try:
        while True:
            socket.recv(timeout=120)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0


# The end, and another beginning -----------------------------------------------------------------------------------


def test_sigterm_lets_requests_end_tells_sockets_and_keeps_what_was_played(tmp_path: Path) -> None:
    with serving(tmp_path, ahead=True) as server:
        address = server.address.replace("http", "ws")
        with (
            connect(f"{address}/ws/search", origin=server.address, open_timeout=120) as listening,
            half_a_request(server) as line,
        ):
            server.process.send_signal(signal.SIGTERM)
            assert until_told(listening) == 1012, "which browsers read as: come back"
            line.sendall(NEW_GAME[10:])
            status, game = answer_on(line)
        assert status == 201
        assert server.process.wait(120) == 0
    with serving(tmp_path) as second:
        found = httpx2.get(f"{second.address}/api/games/{game['id']}", timeout=120)
        assert found.json()["id"] == game["id"]


def test_what_takes_longer_than_the_server_waits_at_its_end_is_answered_without_a_traceback() -> None:
    async def endless(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.Event().wait()

    async def ended(kind: str) -> list[Any]:
        said: list[Any] = []

        async def send(message: Any) -> None:
            said.append(message)

        scope = {"type": kind, "method": "GET", "path": "/api/about", "headers": [(b"host", b"127.0.0.1")]}
        guard = Guard(endless, Settings(), Counter())
        request = asyncio.create_task(guard(scope, asyncio.Event().wait, send))
        await asyncio.sleep(0)
        request.cancel()
        await request
        return said

    head, body = asyncio.run(ended("http"))
    assert (head["status"], json.loads(body["body"])["code"]) == (503, "503")
    assert asyncio.run(ended("websocket")) == []


@pytest.fixture
def sighup_is_heard() -> Iterator[None]:
    """Under nohup it is ignored, by children too."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.slow
@pytest.mark.usefixtures("sighup_is_heard")
def test_sighup_starts_the_server_again_without_turning_anybody_away(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--name", "play.school.example") as server:
        code = re.search(r"Join code: (\S+)", server.process.stdout.readline())  # type: ignore[union-attr]
        assert code
        with httpx2.Client(base_url=server.address, timeout=120) as client:
            assert client.post("/join", data={"code": code[1]}).status_code == 303
            game = client.post("/api/games", content=NEW_GAME, headers={"content-type": "application/json"}).json()
            cookies = dict(client.cookies)
        header = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        address = f"{server.address.replace('http', 'ws')}/ws/games/{game['id']}"
        with connect(address, origin=server.address, open_timeout=120, additional_headers=header) as watching:
            server.process.send_signal(signal.SIGHUP)
            assert until_told(watching) == 1012
            server.process.send_signal(signal.SIGHUP)  # nor does a second one do any harm
        # The old one does not listen any more, the new one not yet: whoever comes now waits in the queue.
        with httpx2.Client(base_url=server.address, timeout=120, cookies=cookies) as again:
            assert again.get(f"/api/games/{game['id']}").json()["id"] == game["id"], "joined, and the game goes on"
        assert server.address in server.process.stdout.readline()  # type: ignore[union-attr]
        assert code[1] in server.process.stdout.readline()  # type: ignore[union-attr]
        assert server.stop(signal.SIGTERM) == 0


@pytest.mark.slow
def test_a_socket_that_systemd_has_opened_is_served(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "plyground.cli.main", "web", "--no-browser", "--db", str(tmp_path / "games.db")]
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        server = subprocess.Popen(
            ["sh", "-c", 'LISTEN_PID=$$ exec "$@"', "sh", *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env={**os.environ, "LISTEN_FDS": "1"},
            preexec_fn=lambda: os.dup2(listener.fileno(), 3, inheritable=True), pass_fds=(3,),
        )  # fmt: skip
    try:
        assert httpx2.get(f"{address}/health", timeout=120).json()["status"] == "ok"
    finally:
        server.terminate()
        assert server.wait(120) == 0


# What it says of itself -------------------------------------------------------------------------------------------


def test_health_is_seen_by_everybody_and_says_when_games_cannot_be_kept(visitor: Visitor, tmp_path: Path) -> None:
    assert another(visitor, "192.0.2.1").get("/health")["status"] == "ok"
    with app_in(tmp_path) as failing:
        assert failing.get("/health")["status"] == "ok"
        with contextlib.closing(sqlite3.connect(tmp_path / "games.live.db")) as other:
            other.execute("DROP TABLE live")
        assert failing.get("/health", 503)["status"] == "failing"


def test_metrics_are_for_this_machine_or_for_whoever_has_the_token(visitor: Visitor) -> None:
    def status(address: str, **headers: str) -> int:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return int(another(visitor, address).client.get("/metrics", headers=named).status_code)

    assert status("127.0.0.1") == 200
    assert status("::1") == 200
    assert status("192.0.2.1") == 403
    assert status("192.0.2.1", authorization="Bearer wrong") == 403
    assert status("192.0.2.1", authorization="Bearer secret") == 200
    assert status("127.0.0.1", x_forwarded_for="192.0.2.1") == 403, "a server in front hands on what is not local"


def test_metrics_count(visitor: Visitor) -> None:
    def metrics() -> dict[str, float]:
        text = another(visitor, "127.0.0.1").client.get("/metrics").text
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in text.splitlines())}

    before = metrics()
    assert before["plyground_games_kept"] == 0
    player = another(visitor)
    player.client.post("/join", data={"code": "wrong"})
    player.client.post("/join", data={"code": "ABCD2345"})
    player.begin()
    with player.socket("/ws/search") as talking:
        talking.send_json({"id": 1, "do": "nothing"})
        talking.receive_json()
        after = metrics()
    changed = {name: after[name] - before.get(name, 0) for name in after if name != "plyground_uptime_seconds"}
    assert changed["plyground_games_kept"] == 1
    assert changed["plyground_games_open"] == 1
    assert changed["plyground_sockets"] == 1
    assert changed["plyground_wrong_join_codes_total"] == 1
    assert changed['plyground_responses_total{status="4xx"}'] == 1
    assert changed['plyground_responses_total{status="3xx"}'] == 1


# The log ----------------------------------------------------------------------------------------------------------


def record(text: str, second: float) -> logging.LogRecord:
    made = logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, text, (), None)
    made.created = second
    return made


def test_the_same_complaint_is_written_a_few_times_a_minute() -> None:
    throttle = Throttle()
    written = [throttle.filter(record("Invalid HTTP request received.", second / 100)) for second in range(1000)]
    assert written.count(True) == MOST_ALIKE
    assert throttle.filter(record("something else", 10.0))
    later = record("Invalid HTTP request received.", 61.0)
    assert throttle.filter(later)
    assert later.getMessage() == f"Invalid HTTP request received. (and {1000 - MOST_ALIKE} more like it)"


def test_a_log_file_is_begun_anew_before_it_grows_large(tmp_path: Path) -> None:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    try:
        open_log(tmp_path / "server.log")
        for number in range(10 * LARGEST // 50_000 * 2):
            logging.getLogger("plyground.web").error(f"{number} " + "x" * 50_000)
    finally:
        for handler in root.handlers:
            handler.close()
        root.handlers[:], root.level = before, level
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["server.log", *(f"server.log.{n}" for n in range(1, KEPT + 1))]
    assert all(file.stat().st_size <= LARGEST for file in files)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--log", "/dev/null/server.log"), "--log: cannot write /dev/null/server.log"),
        (("--join-code", "SHORT"), "--join-code: 'SHORT' must be 8 letters or more"),
        (("--join-code", "ABCDEFG0"), "--join-code: 'ABCDEFG0' must be 8 letters or more"),
        (("--proxy", "nginx"), "--proxy: 'nginx' is not an address"),
        (
            ("--name", "https://play.school.example"),
            "--name: 'https://play.school.example' is not the name of a server",
        ),
    ],
)
def test_what_is_wrong_with_an_option_is_said_in_one_line(command: Any, arguments: tuple[str, ...], line: str) -> None:
    done = command("web", "--no-browser", "--port", "0", *arguments)
    assert done.returncode == 2
    assert line in done.stderr
    assert "Traceback" not in done.stderr
