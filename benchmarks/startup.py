"""From the command to the result of a game of tic-tac-toe, first and later starts, against importing Numba.

The first start compiles into an empty cache, a later one finds the machine code there. A Python with Numba in it is the
least that any of them can take. Each start is a process of its own; what is timed ends when the process ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from benchmarks.harness import Comparison, Sample, Subject
from plyground.errors import PlygroundError

__all__ = ["comparisons"]

BASELINE = 'python -c "import numba"'
PLAY = ["-m", "plyground.cli.main", "play", "tictactoe", "--first=minimax", "--second=random", "--seed=1", "--quiet"]


def comparisons() -> Iterator[Comparison]:
    """One table; the cache of the later starts lives as long as it is being measured."""
    with tempfile.TemporaryDirectory() as cache:
        subjects = (
            Subject("plyground play, first start (empty cache)", _first_start),
            Subject("plyground play, later start", lambda: _start(PLAY, cache)),
            Subject(BASELINE, lambda: _start(["-c", "import numba"], cache)),
        )
        yield Comparison("Start to finish of a process", "starts", BASELINE, subjects)


def _first_start() -> Sample:
    with tempfile.TemporaryDirectory() as empty:
        return _start(PLAY, empty)


def _start(arguments: list[str], cache: str) -> Sample:
    environment = os.environ | {"PLYGROUND_CACHE_DIR": cache}
    start = time.perf_counter()
    process = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if process.returncode != 0:
        reason = (process.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise PlygroundError(f"python {' '.join(arguments)} ended with status {process.returncode}: {reason}")
    return Sample(1, seconds)
