"""The games of a tournament on a cluster, with Ray (https://docs.ray.io).

Every game is a task. A task whose worker has gone, with its process or its whole machine, is given to another one. The
results come to the arena that has asked for them, which alone writes the database: no game is there twice.

All machines need the same Plyground, and players' files under the same paths.
"""

from __future__ import annotations

import contextlib
import functools
import socket
from collections.abc import Iterable, Iterator
from typing import Any

from plyground.arena.match import Hall, Setting
from plyground.arena.results import GameResult
from plyground.arena.tournament import Fixture
from plyground.errors import BadOption, MissingExtra, ProgramEnded

__all__ = ["Cluster"]

LOCAL = "local"
RETRIES = 5
"""How often a game is given to another worker when one has gone."""
AHEAD = 2
"""How many games each processor has waiting, so that it never waits itself."""
TASK = "plyground_game"
PATIENCE = 10.0
"""Seconds to wait for an address to answer."""


class Cluster:
    """Games as tasks of a cluster: the one at an address, or with ``local`` one on this machine, of so many `jobs`."""

    def __init__(self, setting: Setting, address: str, jobs: int = 1) -> None:
        try:
            import ray
        except ImportError:
            raise MissingExtra("a cluster needs Ray; install it: pip install 'plyground[cluster]'") from None
        self._ray: Any = ray
        Hall(setting)  # what is wrong with the game is found here
        _knock(address)
        try:
            if address == LOCAL:
                ray.init(LOCAL, num_cpus=jobs, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
            else:
                ray.init(address, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, ValueError, RuntimeError) as error:
            reason = " ".join(str(error).split())[:200]
            raise BadOption(f"there is no cluster at '{address}': {reason}; give its address, or 'local'") from None
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(_play).options(name=TASK)
        self._setting = ray.put(setting)
        self._running: dict[Any, Fixture] = {}

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[GameResult]:
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
            try:
                result = ray.get(done)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
            except ray.exceptions.RayError as error:
                reason = " ".join(str(error).split())[:200]
                raise ProgramEnded(f"the game {fixture.key} cannot be played on the cluster: {reason}") from None
            yield result

    def close(self) -> None:
        """Give up what is being played, and leave the cluster; a local one ends."""
        with contextlib.suppress(Exception):
            for task in self._running:
                self._ray.cancel(task, force=True)
        self._ray.shutdown()


def _knock(address: str) -> None:
    """`BadOption` if nobody listens there; Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=PATIENCE).close()
        except (OSError, OverflowError) as error:
            raise BadOption(f"there is no cluster at '{address}': {error}; give its address, or 'local'") from None


@functools.lru_cache(maxsize=1)
def _hall(setting: Setting) -> Hall:
    """Kept from game to game of a worker."""
    return Hall(setting)


def _play(setting: Setting, fixture: Fixture) -> GameResult:
    return _hall(setting).play(fixture)
