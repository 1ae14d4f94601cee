"""Attacks on the app's server: half-sent requests, floods, wrong codes, restarts, and kill -9 in the middle of writing.

    python -m benchmarks.attack.server

Each attack has a server of its own on loopback. 127.0.0.1 attacks; 127.0.0.2 is somebody else, who must be served.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from plyground.arena.database import Database

__all__ = ["attacks"]

KILLS = 20
HALF_SENT = 300
FLOOD = 2500
SOCKETS = 600
CODE = "ABCDEFGH"
ATTACKER, SOMEBODY = "127.0.0.1", "127.0.0.2"
PATIENCE = 120.0
"""Seconds after which what is waited for has not happened."""
GAME = {"game": "tictactoe", "players": ["human", "human"]}
WINNING = (0, 3, 1, 4, 2)
"""Moves with which the first player wins at tic-tac-toe."""


class Target:
    """A server, its address and its process."""

    def __init__(self, folder: Path, *arguments: str, files: int | None = None) -> None:
        self.log = folder / "log.txt"
        command = [sys.executable, "-m", "plyground.cli.main", "web", "--no-browser", "--port", "0"]
        if files is not None:
            command = ["sh", "-c", 'ulimit -n "$0" && exec "$@"', str(files), *command]
        with self.log.open("a") as errors:
            self.process = subprocess.Popen(
                [*command, "--db", str(folder / "games.db"), *arguments],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip
        assert self.process.stdout is not None
        found = re.search(r"http://[\d.]+:(\d+)", self.process.stdout.readline())
        assert found, self.log.read_text()
        self.port = int(found[1])

    def ask(self, method: str, path: str, body: Any = None, *, source: str = SOMEBODY, **headers: str) -> Any:
        """The status and the content of an answer, on a connection of its own."""
        connection = http.client.HTTPConnection(ATTACKER, self.port, timeout=PATIENCE, source_address=(source, 0))
        with contextlib.closing(connection):
            content = body if isinstance(body, str | None) else json.dumps(body)
            connection.request(method, path, content, {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            text = answer.read().decode()
        return answer.status, json.loads(text) if text.startswith(("{", "[")) else text

    def line(self, start: bytes = b"") -> socket.socket:
        """A connection of the attacker."""
        line = socket.create_connection((ATTACKER, self.port), PATIENCE)
        line.sendall(start)
        return line

    def family(self) -> list[int]:
        """The server and the processes that it has started."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [self.process.pid, *map(int, children.split())]

    def end(self, how: int = signal.SIGTERM) -> int:
        """End it; its status."""
        self.process.send_signal(how)
        status = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status


@contextlib.contextmanager
def target(*arguments: str, files: int | None = None) -> Iterator[Target]:
    """A server in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        server = Target(Path(folder), *arguments, files=files)
        try:
            yield server
        finally:
            if server.process.poll() is None:
                server.end()


def closed(line: socket.socket) -> bool:
    """Whether the server has hung up."""
    line.setblocking(False)
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def until(true: Callable[[], bool], patience: float = PATIENCE) -> bool:
    """Whether something comes true in time."""
    end = time.monotonic() + patience
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


# Connections ------------------------------------------------------------------------------------------------------


def half_sent(files: int | None) -> tuple[bool, str]:
    """Requests that are never sent to their end, half of them in the header and half in the body."""
    header = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
    with target(files=files) as server, contextlib.ExitStack() as stack:
        held = []
        for number in range(HALF_SENT):
            held.append(stack.enter_context(server.line(header if number % 2 else b"GET / HTTP/1.1\r\nHost: 12")))
        start = time.monotonic()
        served = [server.ask("GET", "/api/games", source=source)[0] for source in (ATTACKER, SOMEBODY)]
        waited = time.monotonic() - start
        gone = until(lambda: all(map(closed, held)))
        size = server.log.stat().st_size
        detail = f"others served {served} after {waited:.2f} s; all hung up on: {gone}; {size} bytes of log"
        return served == [200, 200] and gone and size < 10_000, detail


def byte_by_byte() -> tuple[bool, str]:
    """Headers of which a byte comes every half second."""
    with target() as server, contextlib.ExitStack() as stack:
        held = [stack.enter_context(server.line()) for _ in range(50)]
        start = time.monotonic()

        def all_gone() -> bool:
            for line in held:
                with contextlib.suppress(OSError):
                    line.send(b"G")
            time.sleep(0.4)
            return all(map(closed, held))

        gone = until(all_gone)
        return gone, f"50 connections hung up on after {time.monotonic() - start:.0f} s"


def rubbish() -> tuple[bool, str]:
    """Requests that are none: each is refused, and not each is logged."""
    with target() as server:
        for number in range(2000):
            with server.line(b"\x16\x03\x01" * (1 + number % 7) + b"\r\n\r\n") as line, contextlib.suppress(OSError):
                line.recv(1000)
        status, _ = server.ask("GET", "/api/games")
        size = server.log.stat().st_size
        return status == 200 and size < 10_000, f"2000 sent, {size} bytes of log"


def sockets() -> tuple[bool, str]:
    """Sockets without a cookie, more than an address may have."""
    upgrade = (
        b"GET /ws/search HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with target() as server, contextlib.ExitStack() as stack:
        lines = [stack.enter_context(server.line(upgrade)) for _ in range(SOCKETS)]
        answers = Counter(b"4429" if b"pages open" in _heard(line) else b"open" for line in lines)
        with socket.create_connection((ATTACKER, server.port), PATIENCE, (SOMEBODY, 0)) as other:
            other.sendall(upgrade)
            welcome = b"pages open" not in _heard(other)
        status, _ = server.ask("GET", "/api/games")
        detail = f"{answers[b'open']} of {SOCKETS} let in; somebody else: {welcome}"
        return welcome and status == 200 and answers[b"4429"] > 0, detail


def _heard(line: socket.socket) -> bytes:
    """What the server says to a new socket: after its welcome, an answer to a message that nobody understands."""
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += line.recv(65536)
    with contextlib.suppress(OSError):
        line.sendall(b"\x81\x82\0\0\0\0{}")
        while b"error" not in heard and (data := line.recv(65536)):
            heard += data
    return heard


# Games and codes --------------------------------------------------------------------------------------------------


def flood() -> tuple[bool, str]:
    """Games without cookies, more than an address may have."""
    with target() as server:
        begun = server.ask("POST", "/api/games", GAME, source=ATTACKER)[1]
        mine = begun["id"]
        server.ask("POST", f"/api/games/{mine}/move", {"action": 4, "at": 0, "key": begun["key"]}, source=ATTACKER)
        statuses: Counter[int] = Counter()

        def begin(count: int) -> None:
            for _ in range(count):
                statuses[server.ask("POST", "/api/games", GAME, source=ATTACKER)[0]] += 1

        threads = [threading.Thread(target=begin, args=(FLOOD // 4,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        text = server.ask("GET", "/metrics", source=ATTACKER)[1]
        kept = int(float(re.search(r"games_kept (\S+)", text)[1]))  # type: ignore[index]
        played = server.ask("GET", f"/api/games/{mine}", source=ATTACKER)[1].get("at")
        others = [server.ask("POST", "/api/games", GAME, source=source)[0] for source in (ATTACKER, SOMEBODY)]
        detail = f"{dict(statuses)}: {kept} kept; a game in play is at move {played}; newcomers get {others}"
        return kept <= 2010 and played == 1 and others == [201, 201], detail


def wrong_codes() -> tuple[bool, str]:
    """Wrong join codes, each with another address in a header that nobody has been told to believe."""

    def give(code: str, source: str, number: int = 0) -> int:
        header = {"Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-For": f"192.0.2.{number % 250}"}
        return int(server.ask("POST", "/join", f"code={code}", source=source, **header)[0])

    with target("--join-code", CODE) as server:
        wrong = Counter(give("ZZZZZZZZ", ATTACKER, number) for number in range(200))
        right = [give(CODE, ATTACKER), give(CODE, SOMEBODY)]
        return wrong == {403: 20, 429: 180} and right == [303, 303], f"wrong {dict(wrong)}; right {right}"


# Ends and beginnings ----------------------------------------------------------------------------------------------


class Player(threading.Thread):
    """Somebody who plays one game after the other, and notes what the server has said that it has kept."""

    def __init__(self, server: Target) -> None:
        super().__init__()
        self._server = server
        self.wanted = True
        self.kept: dict[str, int] = {}
        """By game, how many moves were answered."""

    def run(self) -> None:
        """Play until the server is gone."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            while self.wanted:
                begun = self._server.ask("POST", "/api/games", GAME)[1]
                game = begun["id"]
                self.kept[game] = 0
                for ply, action in enumerate(WINNING):
                    move = {"action": action, "at": ply, "key": begun["key"]}
                    status, _ = self._server.ask("POST", f"/api/games/{game}/move", move)
                    assert status == 200
                    self.kept[game] += 1


def killed() -> tuple[bool, str]:
    """The server is killed while several people play, again and again on the same files."""
    dice = random.Random(28)
    kept: dict[str, int] = {}
    left: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(KILLS):
            server = Target(Path(folder))
            players = [Player(server) for _ in range(4)]
            for player in players:
                player.start()
            until(lambda players=players: all(player.kept for player in players))  # type: ignore[misc]
            time.sleep(dice.random())
            family = server.family()
            server.end(signal.SIGKILL)
            for player in players:
                player.join(PATIENCE)
                kept |= player.kept
            until(lambda family=family: not any(map(_runs, family)), 20)  # type: ignore[misc]
            left += filter(_runs, family)
        server = Target(Path(folder))
        lost, doubled = _compare(server, kept, Path(folder) / "games.db")
        server.end()
        trace = "Traceback" in server.log.read_text()
    moves = sum(kept.values())
    detail = (
        f"{KILLS} kills, {len(kept)} games, {moves} moves: {lost} lost, {doubled} doubled, {len(left)} processes left"
    )
    return not (lost or doubled or left or trace), detail + ("; a traceback" if trace else "")


def _compare(server: Target, kept: dict[str, int], database: Path) -> tuple[int, int]:
    """How many moves and finished games are missing, and how many are there twice."""
    lost = doubled = 0
    for game, moves in kept.items():
        status, found = server.ask("GET", f"/api/games/{game}")
        actions = [node["action"] for node in found["nodes"][1:]] if status == 200 else []
        # The last move may have been kept without an answer.
        lost += max(0, moves - len(actions))
        doubled += actions != list(WINNING[: len(actions)]) or len(actions) > moves + 1
    finished = {f"app/{game}/{len(WINNING)}" for game, moves in kept.items() if moves == len(WINNING)}

    def recorded() -> Counter[str]:
        with Database(database, write=False) as base:
            return Counter(one.key for one in base.results())

    until(lambda: finished <= set(recorded()), 20)  # a new server first records what the one before could not
    found_keys = recorded()
    lost += len(finished - set(found_keys))
    doubled += sum(count - 1 for count in found_keys.values())
    return lost, doubled


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def restarted() -> tuple[bool, str]:
    """The server is told to start again, five times, while somebody keeps asking on new connections."""
    with target() as server:
        game = server.ask("POST", "/api/games", GAME)[1]["id"]
        statuses: Counter[str] = Counter()
        wanted = True

        def ask() -> None:
            while wanted:
                try:
                    statuses[str(server.ask("GET", f"/api/games/{game}")[0])] += 1
                except (OSError, http.client.HTTPException) as error:
                    statuses[type(error).__name__] += 1

        asking = threading.Thread(target=ask)
        asking.start()
        assert server.process.stdout is not None
        for _ in range(5):
            before = statuses["200"]
            until(lambda before=before: statuses["200"] > before + 5)  # type: ignore[misc]
            os.kill(server.process.pid, signal.SIGHUP)
            server.process.stdout.readline()
        wanted = False
        asking.join(PATIENCE)
        status = server.end()
        return set(statuses) == {"200"} and status == 0, f"answers {dict(statuses)}, status {status} at the end"


ATTACKS: dict[str, Callable[[], tuple[bool, str]]] = {
    f"{HALF_SENT} half-sent requests": lambda: half_sent(None),
    f"{HALF_SENT} half-sent requests, 256 files": lambda: half_sent(256),
    "headers byte by byte": byte_by_byte,
    "rubbish instead of requests": rubbish,
    f"{SOCKETS} sockets without cookies": sockets,
    f"{FLOOD} games without cookies": flood,
    "wrong join codes": wrong_codes,
    "SIGHUP while it is asked": restarted,
    f"kill -9 of the server in mid-write, {KILLS} times": killed,
}


def attacks() -> Iterator[tuple[str, bool, str]]:
    """Each attack: its name, whether the server has survived it, and what was seen."""
    for name, attack in ATTACKS.items():
        try:
            survived, detail = attack()
        except Exception as error:  # an attack that comes to no end has not been survived
            survived, detail = False, f"{type(error).__name__}: {error}"
        yield name, survived, detail


if __name__ == "__main__":
    results = []
    for title, well, seen in attacks():
        print(f"{'survived' if well else 'FAILED':<9} {title}: {seen}", flush=True)
        results.append(well)
    sys.exit(not all(results))
