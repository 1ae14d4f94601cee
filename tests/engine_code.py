"""The Reversi engine's machine code. One process compiles all entries, and so what they have in common only once."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from plyground.engines.reversi.engine import Engine
from plyground.engines.reversi.probcut_fit import measure_positions
from plyground.engines.reversi.self_play import play_games, score_games
from plyground.engines.reversi.weights import load_weights
from plyground.formats.replay import END
from plyground.native.compiling import cache_folder


def compile_engine() -> None:
    """Compile every entry, or load it from the cache; other test processes wait meanwhile."""
    folder = cache_folder()
    with locked(folder / "engine.lock") if folder else contextlib.nullcontext():
        weights = load_weights()
        Engine(table=1 << 16).prepare()
        for results in (
            play_games(1, 0, weights=weights),
            score_games(np.full((1, 60), END, np.uint8), weights=weights),
            measure_positions([], weights=weights),
        ):
            results.close()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a file that one process at a time can hold, where the system has such locks."""
    with path.open("w") as file:
        with contextlib.suppress(ImportError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
