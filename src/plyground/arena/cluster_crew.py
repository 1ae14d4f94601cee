"""The games of a tournament on a cluster, with Ray (https://docs.ray.io).

Every game is a task. A task whose worker has gone, with its process or its whole machine, is given to another one. A
worker itself plays no game, but has a process for it: whoever brings that down has lost. The results come to the arena
that has asked for them, which alone writes the database: no game is there twice.

All machines need the same Plyground, and players' files under the same paths.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Iterator
from typing import Any

from plyground.arena.crew import Workers
from plyground.arena.hall import Hall, Setting
from plyground.arena.tournament import Fixture
from plyground.core.played_game import PlayedGame
from plyground.processes.cluster import RETRIES, join_cluster, result_of

__all__ = ["Cluster"]

AHEAD = 2
"""How many games each processor has waiting, so that it never waits itself."""
TASK = "plyground_game"


class Cluster:
    """Games as tasks of a cluster: the one at an address, or with ``local`` one on this machine, of `jobs` jobs."""

    def __init__(self, setting: Setting, address: str, jobs: int = 1) -> None:
        Hall(setting)  # what is wrong with the game is found here
        ray = self._ray = join_cluster(address, jobs)
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(_play).options(name=TASK)
        self._setting = ray.put(setting)
        self._running: dict[Any, Fixture] = {}

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[PlayedGame]:
        """As many at once as the cluster has processors."""
        ray, waiting = self._ray, iter(fixtures)
        room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        while True:
            while len(self._running) < room and (fixture := next(waiting, None)) is not None:
                self._running[self._task.remote(self._setting, fixture)] = fixture
            if not self._running:
                return
            (done,), _ = ray.wait(list(self._running), num_returns=1)
            fixture = self._running.pop(done)
            yield result_of(ray, done, f"the game {fixture.key} cannot be played")

    def close(self) -> None:
        """Give up what is being played, and leave the cluster; a local one ends."""
        with contextlib.suppress(Exception):
            for task in self._running:
                self._ray.cancel(task, force=True)
        self._ray.shutdown()


@functools.lru_cache(maxsize=1)
def _crew(setting: Setting) -> Workers:
    """Kept from game to game of a worker of Ray, and ended with it."""
    return Workers(setting, 1)


def _play(setting: Setting, fixture: Fixture) -> PlayedGame:
    return next(_crew(setting).play([fixture]))
