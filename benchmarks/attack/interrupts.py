"""Interrupts: Ctrl-C and SIGTERM, at moments from the start to five seconds later, in all commands that take long.

Ctrl-C goes to the whole group of processes, as a terminal sends it; SIGTERM to the command alone. It must say one line
and answer with status 130 or 143, leave no process and no half of a file. Before the command's first line runs and
after its last, Python itself answers: those are counted as survived, and said to be Python's.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.attack.endings import adopt_orphans, environment, faults, processes_left

__all__ = ["attacks"]

TIMES = 200
LATEST = 5.0
ENDS = 60.0
"""Seconds that a command may take to end, on a machine that has other things to do."""
START = "---------------------------OX------XO--------------------------- X"
COMMANDS = (
    "play reversi --first minimax:time=1 --second mcts:time=1",
    "perft reversi 30",
    "bandit --runs 10000000 --out x.svg",
    "pi --runs 10000000 --out x.svg",
    "queens 2000000 --out x.svg",
    "wumpus --worlds 1000000",
    "cfr leduc --iterations 100000000 --save s.json --out x.svg",
    "pacman tiny --games 1000000 --player random",
    "battleship --games 10000000",
    "bridge --simulations 1000000000",
    "endgame connect4 --most 100000000 --out c.table",
    "book reversi --out r.book --plies 9 --player alphabeta:depth=4",
    "tree connect4 --algorithm mcts --simulations 100000000 --out t.svg",
    f"solve '{START}'",
    f"analyze reversi '{START}' --depth 60",
    "arena tictactoe random minimax --games 1000000 --jobs 2 --db g.db",
    "arena reversi random engine:level=1 --games 1000000 --db g.db",
    "gtp reversi --player engine:level=1",
    "uci reversi --player engine:level=1",
    "train game tictactoe --iterations 100000 --out run",
    "train td tictactoe --games 100000000 --out td.npz",
    "train pacman --maze tiny --generations 100000 --out w.py",
    "train book --out t.book --positions 1000000",
    "train evaluation games --out g.npz --games 1000000 --depth 1",
    "matrix learn chicken --steps 1000000000 --out x.svg",
    "matrix repeated --repetitions 900 --rounds 300 --out x.svg",
    "web --no-browser --port 0 --db web.db",
    "games",
)
SERVES = ("web", "gtp", "uci")
"""Commands that have no other end than a signal, or the end of their input."""


def attacks() -> Iterator[tuple[str, bool, str]]:
    """Each interrupt, whether the command ended well, and what was wrong if not."""
    adopt_orphans()
    for number in range(TIMES):
        command = COMMANDS[number % len(COMMANDS)]
        moment = LATEST * ((number * 0.6180339887) % 1) ** 2  # spread out, and closer at the start
        by = (signal.SIGINT, signal.SIGTERM)[number // len(COMMANDS) % 2]
        with tempfile.TemporaryDirectory() as folder:
            fault = _interrupted(shlex.split(command), by, moment, Path(folder))
        survived = not fault or fault.startswith("Python")
        yield f"{by.name} after {moment:.3f} s: {command[:60]}", survived, fault


def _interrupted(words: list[str], by: signal.Signals, moment: float, folder: Path) -> str:
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground", *words],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(moment)
    if process.poll() is not None:
        by_itself = True
    else:
        by_itself = False
        (os.killpg if by is signal.SIGINT else os.kill)(process.pid, by)
    try:
        out, err = process.communicate(timeout=ENDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"hangs: still there {ENDS:g} s later"
    if not by_itself and _is_pythons(process.returncode, err, by):
        return "Python was starting or going away"
    fault = faults(process.returncode, out, err, stopped_by=None if by_itself else by)
    if not fault and words[0] not in SERVES and not by_itself and process.returncode != 128 + by and words != ["games"]:
        fault = f"status {process.returncode}"
    if not fault and (left := processes_left()):
        fault = f"{left} processes are left"
    return fault or _halves(folder)


def _is_pythons(status: int, err: str, by: signal.Signals) -> bool:
    """Whether none of our lines could run when the signal came: then it kills, or the traceback has none of them."""
    if "Traceback" not in err:
        return status == -by
    return "stopped" not in err and f"plyground{os.sep}" not in err


def _halves(folder: Path) -> str:
    """What is wrong with the files that were written; those under a name of their own are whole."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name == ".lock":  # by which a training has its folder; it stays there
            continue
        if path.name.startswith(".") or path.suffix == ".tmp":
            return f"{path.name} is left"
        if path.suffix == ".svg" and not path.read_text(encoding="utf-8").rstrip().endswith("</svg>"):
            return f"{path.name} is half a picture"
        if path.suffix == ".db":
            with contextlib.closing(sqlite3.connect(path)) as base:
                if base.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                    return f"{path.name} is damaged"
    return ""


if __name__ == "__main__":
    tried = 0
    for name, survived, detail in attacks():
        tried += 1
        if detail:
            print("survived" if survived else "FAILED", name, detail, flush=True)
    print(f"{tried} tried", flush=True)
