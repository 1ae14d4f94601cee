"""A process in which games of a tournament are played, one at a time.

    python -m plyground.arena.worker WATCH

On its input come pickled the setting and then the games to play, and on its output go their results, or the error that
was in the way. WATCH is the number of an open file in which it says who is thinking and since when.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import sys
import time
from collections.abc import Iterator

from plyground.arena.crew import WATCH
from plyground.arena.hall import Hall
from plyground.errors import PlygroundError


def main(watch: str) -> None:
    """Play until the input ends."""
    games, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what a player prints is not mistaken for a result
    seen = mmap.mmap(int(watch), WATCH.size)

    @contextlib.contextmanager
    def waiting(seat: int) -> Iterator[None]:
        seen[:] = WATCH.pack(time.monotonic(), seat)
        yield
        seen[:] = WATCH.pack(0.0, -1)

    hall = Hall(pickle.load(games))
    while True:
        seen[:] = WATCH.pack(0.0, -1)
        try:
            fixture = pickle.load(games)
        except EOFError:
            return
        try:
            answer: object = hall.play(fixture, waiting)
        except PlygroundError as error:
            answer = error
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
