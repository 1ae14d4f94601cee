"""How much the app carries: many visitors who play at once against a program, and many sockets that only listen.

    python -m benchmarks.web [--games 50] [--sockets 200] [--seconds 600] [--player mcts:time=0.2] [--json]

A server of its own is started on loopback, and ended when the time is up. Each visitor has a socket and cookies of its
own, waits for the program's move, answers with a legal move at random, and begins a new game when one is over. What is
measured: whether the moves that a visitor has seen are those that the server has kept; how long requests took that need
no search; and the memory of the server and its workers over time. The status is 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import connect

BAR = 0.050
"""Seconds: 95 of 100 requests that need no search must be answered within."""
GROWTH = 0.10
"""Share by which memory may grow in the second half of the time."""
ARRIVAL = 5.0
"""Seconds within which everybody comes."""
LOOK = 2.0
"""Seconds between two looks at the memory."""
OTHERS = ("/", "/api/games", "/api/about", "/static/app.js")
"""What visitors ask for besides their moves."""


@dataclass
class Notes:
    """What was seen."""

    latencies: dict[str, list[float]] = field(default_factory=dict)
    moves: int = 0
    games: int = 0
    lost: list[str] = field(default_factory=list)
    memory: list[tuple[float, int, int]] = field(default_factory=list)
    idle: int = 0

    def took(self, what: str, seconds: float) -> None:
        self.latencies.setdefault(what, []).append(seconds)


@contextlib.contextmanager
def served(folder: Path) -> Iterator[tuple[str, int]]:
    """A server, its address and its process."""
    command = [
        sys.executable,
        "-m",
        "plyground.cli.main",
        "web",
        "--no-browser",
        "--port",
        "0",
        "--db",
        str(folder / "games.db"),
    ]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r"http://\S+:\d+", server.stdout.readline())
        assert found
        yield found[0], server.pid
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()


async def ask(client: httpx2.AsyncClient, notes: Notes, method: str, path: str, what: str, **body: Any) -> Any:
    """A request, and how long it took."""
    start = time.perf_counter()
    response = await client.request(method, path, json=body or None)
    notes.took(what, time.perf_counter() - start)
    response.raise_for_status()
    return response.json() if "json" in response.headers["content-type"] else response.text


async def visit(address: str, game: str, player: str, end: float, notes: Notes, seed: int) -> None:
    """One visitor, who plays until the time is up."""
    dice = random.Random(seed)
    await asyncio.sleep(dice.random() * ARRIVAL)
    async with httpx2.AsyncClient(base_url=address, timeout=60) as client:
        while time.monotonic() < end:
            await play(client, address, game, player, end, notes, dice)


async def play(
    client: httpx2.AsyncClient, address: str, game: str, player: str, end: float, notes: Notes, dice: random.Random
) -> None:
    """One game, or as much of it as there is time for."""
    seats = ["human", player] if dice.random() < 0.5 else [player, "human"]
    begun = await ask(client, notes, "POST", "/api/games", "begin", game=game, players=seats)
    number, person = begun["id"], seats.index("human")
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    played: list[str] = []
    shown: dict[str, Any] = begun
    async with connect(
        f"{address.replace('http', 'ws')}/ws/games/{number}", additional_headers={"Cookie": cookies}
    ) as socket:
        while not shown["over"] and time.monotonic() < end:
            message = json.loads(await asyncio.wait_for(socket.recv(), 120))
            if message["type"] == "failed":
                notes.lost.append(f"{number}: {message['message']}")
                return
            if message["type"] != "game":
                continue
            shown = message["game"]
            if shown["over"] or shown["thinking"] or shown["position"]["to_move"] != person:
                continue
            if [node["text"] for node in shown["nodes"][1:]][: len(played)] != played:
                notes.lost.append(f"{number}: a move is gone")
                return
            legal = dice.choice(shown["position"]["legal"])
            path = f"/api/games/{number}/move"
            shown = await ask(client, notes, "POST", path, "move", action=legal["action"], at=shown["at"])
            played = [node["text"] for node in shown["nodes"][1:]]
            notes.moves += 1
            if dice.random() < 0.3:
                await ask(client, notes, "GET", dice.choice(OTHERS), "other")
    kept = await ask(client, notes, "GET", f"/api/games/{number}", "show")
    if [node["text"] for node in kept["nodes"][1:]][: len(played)] != played:
        notes.lost.append(f"{number}: what is kept is not what was played")
    if shown["over"]:
        notes.games += 1
        key = f"/api/database/games/app/{number}/{shown['at']}"
        stored = await ask(client, notes, "GET", key, "database")
        if [move["text"] for move in stored["moves"]] != [node["text"] for node in kept["nodes"][1:]]:
            notes.lost.append(f"{number}: the database has another game")
        await client.delete(f"/api/games/{number}")


async def listen(address: str, end: float, notes: Notes) -> None:
    """A socket that is open and says nothing."""
    await asyncio.sleep(random.random() * ARRIVAL)
    async with connect(f"{address.replace('http', 'ws')}/ws/search") as socket:
        notes.idle += 1
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(socket.recv(), max(0.0, end - time.monotonic()))
        await socket.ping()


def resident(pid: int) -> int:
    """The memory of a process, in bytes; 0 if it is not there."""
    try:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    with contextlib.suppress(OSError):
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


async def weigh(pid: int, end: float, notes: Notes) -> None:
    """Look at the memory of the server and of its workers now and then."""
    start = time.monotonic()
    while time.monotonic() < end:
        workers = sum(map(resident, children(pid)))
        notes.memory.append((time.monotonic() - start, resident(pid), workers))
        await asyncio.sleep(LOOK)


async def load(options: argparse.Namespace, address: str, pid: int) -> Notes:
    """Everybody at once."""
    notes = Notes()
    async with httpx2.AsyncClient(base_url=address, timeout=300) as first:  # what is to be compiled is compiled now
        for path in OTHERS:
            await first.get(path)
        begun = (
            await first.post("/api/games", json={"game": options.game, "players": [options.player, "human"]})
        ).json()
        while (await first.get(f"/api/games/{begun['id']}")).json()["at"] == 0:
            await asyncio.sleep(0.2)
    end = time.monotonic() + options.seconds
    tasks = [asyncio.create_task(weigh(pid, end, notes))]
    tasks += [asyncio.create_task(listen(address, end, notes)) for _ in range(options.sockets)]
    tasks += [
        asyncio.create_task(visit(address, options.game, options.player, end, notes, seed))
        for seed in range(options.games)
    ]
    done = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), options.seconds + 180)
    notes.lost += [f"{type(error).__name__}: {error}" for error in done if isinstance(error, BaseException)]
    return notes


def judge(notes: Notes, options: argparse.Namespace) -> dict[str, Any]:
    """What it all comes to."""
    every = sorted(seconds for times in notes.latencies.values() for seconds in times)
    percentile = every[int(0.95 * (len(every) - 1))] if every else 0.0
    halves = [[total for _, *parts in part for total in [sum(parts)]] for part in _halves(notes.memory)]
    middle, last = (statistics.median(half) if half else 0.0 for half in halves)
    return {
        "games": options.games,
        "idle_sockets": notes.idle,
        "seconds": options.seconds,
        "player": options.player,
        "moves_of_visitors": notes.moves,
        "finished_games": notes.games,
        "lost": notes.lost[:20],
        "requests": len(every),
        "p50_ms": round(1000 * statistics.median(every), 1) if every else None,
        "p95_ms": round(1000 * percentile, 1),
        "most_ms": round(1000 * every[-1], 1) if every else None,
        "p95_ms_by_kind": {
            what: round(1000 * sorted(times)[int(0.95 * (len(times) - 1))], 1)
            for what, times in notes.latencies.items()
        },
        "server_mb": [round(server / 1e6) for _, server, _ in notes.memory[:: max(1, len(notes.memory) // 10)]],
        "workers_mb": [round(workers / 1e6) for _, _, workers in notes.memory[:: max(1, len(notes.memory) // 10)]],
        "bars": {
            "no move is lost": not notes.lost,
            f"p95 is under {BAR * 1000:g} ms": percentile < BAR,
            "all sockets stay open": notes.idle == options.sockets,
            "memory is flat in the second half": last <= middle * (1 + GROWTH),
        },
    }


def _halves(memory: list[tuple[float, int, int]]) -> tuple[list[tuple[float, int, int]], list[tuple[float, int, int]]]:
    """The third and the last quarter of the time."""
    half = memory[len(memory) // 2 :]
    return half[: len(half) // 2], half[len(half) // 2 :]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Load on the app.")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--sockets", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--game", default="reversi")
    parser.add_argument("--player", default="mcts:time=0.2")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (address, pid):
        found = judge(asyncio.run(load(options, address, pid)), options)
    if options.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:20} {value}")
    sys.exit(not all(found["bars"].values()))


if __name__ == "__main__":
    main()
