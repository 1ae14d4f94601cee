"""kill -9 of a tournament and of a training, twenty times each at moments that are spread out: nothing lost or doubled.

Each is killed and started again until it has been killed often enough, then left to end. A tournament must end with the
games that it has when nobody disturbs it; a training with a journal that has every iteration once, in order, and with a
checkpoint that is opened. The server is killed in `benchmarks.attack.server`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from plyground.arena.database import Database

__all__ = ["attacks"]

TIMES = 20
LATEST = 5.0
"""Seconds after which a process is killed at the latest."""
LONGEST = 300.0
PLAYERS = ("random:seed=1", "minimax:depth=1,ties=first", "mcts:simulations=20,seed=2")
GAMES = 2000


def attacks() -> Iterator[tuple[str, bool, str]]:
    """Each kind of work: its name, whether it survived, and what was wrong if not."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name, work in (("arena", _arena), ("training", _training)):
            (place / name).mkdir()
            for number, fault in enumerate(work(place / name), 1):
                yield f"kill -9 of the {name}, number {number}", not fault, fault


def _moment(number: int) -> float:
    return LATEST * (0.15 + 0.85 * ((number * 0.6180339887) % 1))


def _killed(words: list[str], folder: Path, moment: float | None) -> str:
    """Run the command and kill it at that moment, or let it end; what it did that it must not."""
    with tempfile.TemporaryFile("w+") as errors:  # a pipe would stay open as long as one of its processes lives
        process = subprocess.Popen(
            [sys.executable, "-m", "plyground", *words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )
        try:
            process.wait(moment or LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            if moment is None:
                return "it does not end"
        errors.seek(0)
        said = errors.read()
    if "Traceback" in said:
        return said.strip().splitlines()[-1]
    return "" if process.returncode in (0, -signal.SIGKILL) else f"status {process.returncode}: {said.strip()[-200:]}"


def _left(folder: Path) -> list[int]:
    """Processes that still work in this folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cwd").resolve() == folder.resolve() and int(entry.name) != os.getpid():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def _after(folder: Path, fault: str) -> str:
    """What is wrong after a kill: its own fault, or somebody who is still there a little later."""
    end = time.monotonic() + 10
    while not fault and _left(folder):
        if time.monotonic() > end:
            return "processes are left"
        time.sleep(0.1)
    return fault


def _arena(folder: Path) -> Iterator[str]:
    words = ["arena", "tictactoe", *PLAYERS, "--games", str(GAMES), "--openings", "2", "--seed", "5", "--jobs", "2"]
    _killed(["arena", "tictactoe", *PLAYERS, "--games", "2", "--db", "first.db"], folder, None)  # which compiles
    for number in range(TIMES):
        yield _after(folder, _killed([*words, "--db", "games.db", "--resume"], folder, _moment(number)))
    with Database(folder / "games.db", write=False) as base:
        before = len(list(base.results()))
    fault = _killed([*words, "--db", "games.db", "--resume"], folder, None)
    fault = fault or _killed([*words, "--db", "whole.db"], folder, None)
    if not fault:
        games = []
        for name in ("games.db", "whole.db"):
            with Database(folder / name, write=False) as base:
                games.append({each.key: (each.returns, [move.text for move in each.moves]) for each in base.results()})
        fault = "" if games[0] == games[1] else f"{len(games[0])} games, {len(games[1])} undisturbed, or other ones"
        if not 0 < before < len(games[1]):
            fault = f"it was not killed in the middle of its work, but after {before} games"
    yield fault


def _training(folder: Path) -> Iterator[str]:
    words = ["train", "tictactoe", "--size", "tiny", "--positions", "200", "--out", "run"]
    for number in range(TIMES):
        yield _after(folder, _killed([*words, "--iterations", "100000"], folder, 2 + 2 * _moment(number)))
    journal = folder / "run" / "journal.jsonl"
    before = _iterations(journal)
    fault = _killed([*words, "--iterations", str(len(before) + 2)], folder, None)
    after = _iterations(journal)
    if not fault and after != list(range(1, len(before) + 3)):
        fault = f"the journal has the iterations {after[:3]} to {after[-3:]} after {len(before)} before"
    yield fault


def _iterations(journal: Path) -> list[int]:
    lines = journal.read_text("utf-8").splitlines() if journal.exists() else []
    return [json.loads(line)["iteration"] for line in lines]
