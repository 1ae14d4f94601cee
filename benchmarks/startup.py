"""From the command to the first move on the screen: first and later starts of players, against importing Numba.

The first start compiles into an empty cache, a later one finds the machine code there. A Python with Numba in it is the
least that any of them can take. Each start is a process of its own, with all cores; what comes after the first move is
not timed. With PLYGROUND_EARLIER, the folder of a clone of an earlier version, its starts are measured in the same run.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.harness import Comparison, Sample, Subject, every_core
from plyground.errors import PlygroundError

__all__ = ["comparisons"]

BASELINE = 'python -c "import numba"'
FIRST_MOVE = "  1. "
"""How the line of the first move begins."""
PLAYERS = {
    "tictactoe": ("minimax",),
    "reversi": ("mcts:simulations=20", "engine:level=1", "minialphago:simulations=2"),
}


def comparisons() -> Iterator[Comparison]:
    """A table a player; the cache of the later starts lives as long as it is being measured."""
    builds = {"": None}
    if earlier := os.environ.get("PLYGROUND_EARLIER"):
        builds["earlier version, "] = str(Path(earlier) / "src")
    for game, players in PLAYERS.items():
        for player in players:
            play = ["-m", "plyground", "play", game, f"--first={player}", "--second=random", "--seed=1"]
            with tempfile.TemporaryDirectory() as cache:
                subjects = [
                    subject
                    for build, sources in builds.items()
                    for subject in (
                        Subject(f"{build}first start (empty cache)", partial(_first_start, play, sources)),
                        Subject(f"{build}later start", partial(_start, play, sources, cache)),
                    )
                ]
                subjects.append(Subject(BASELINE, lambda cache=cache: _start(["-c", "import numba"], None, cache)))  # type: ignore[misc]
                yield Comparison(f"{player} plays {game}", "starts", BASELINE, tuple(subjects))


def _first_start(arguments: list[str], sources: str | None) -> Sample:
    with tempfile.TemporaryDirectory() as empty:
        return _start(arguments, sources, empty)


def _start(arguments: list[str], sources: str | None, cache: str) -> Sample:
    environment = os.environ | {"PLYGROUND_CACHE_DIR": cache} | ({"PYTHONPATH": sources} if sources else {})
    with every_core():
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert process.stdout is not None
        with process.stdout as lines:
            said = list(itertools.takewhile(lambda line: not line.startswith(FIRST_MOVE), lines))
            seconds = time.perf_counter() - start
            said += lines
        process.wait()
    if process.returncode != 0:
        reason = (said or ["no reason given"])[-1].strip()
        raise PlygroundError(f"python {' '.join(arguments)} ended with status {process.returncode}: {reason}")
    return Sample(1, seconds)
