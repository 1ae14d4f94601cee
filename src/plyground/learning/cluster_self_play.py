"""Self-play on a cluster, with Ray (https://docs.ray.io).

A task plays some games from their beginning to their end. Tasks have numbers, by which their games are drawn, and are
taken in their order: a run brings the same positions however many machines there are, and whichever of them fails.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from plyground.core.game import Game
from plyground.games import make_game
from plyground.learning.fleet import Harvest, Plan, Style
from plyground.learning.onnx_file import OnnxNetwork
from plyground.learning.self_play import Tally, play_games
from plyground.processes.cluster import RETRIES, join_cluster, result_of

__all__ = ["ClusterSelfPlay"]

TASK = "plyground_selfplay"
GAMES = 16
"""Games of a task: as many positions are judged together."""
AHEAD = 2
"""How many tasks each processor has waiting, so that it never waits itself."""
MOVES = 20
"""Positions that a game is supposed to bring before one is known."""


class ClusterSelfPlay:
    """Plays a game against itself on the cluster at an address, or with ``local`` on one here of `jobs` jobs."""

    def __init__(self, game: Game, address: str, jobs: int = 1, *, solve: int = 0, seed: int = 0) -> None:
        self.game, self.solve, self.seed = game, solve, seed
        self._ray: Any = join_cluster(address, jobs)
        self._task = self._ray.remote(num_cpus=1, max_retries=RETRIES)(_play).options(name=TASK)
        self._stop = threading.Event()

    @property
    def processors(self) -> int:
        """How many games can be thought about at the same time."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def stop(self) -> None:
        """Let `gather` return at once, from any thread."""
        self._stop.set()

    def gather(
        self,
        network: bytes,
        plan: Plan,
        style: Style,
        iteration: int,
        positions: int,
        take: Callable[[Harvest], None],
        tell: Callable[[int], None],
    ) -> Tally:
        """Play until there are `positions`, `take` them in the order of the tasks; `tell` how many there are."""
        self._stop.clear()
        ray, room, tally = self._ray, AHEAD * self.processors, Tally()
        shared = ray.put(network)
        running: deque[Any] = deque()
        begun = ended = 0
        try:
            while tally.positions < positions and not self._stop.is_set():
                mean = tally.positions / ended if ended else GAMES * MOVES
                while len(running) < room and tally.positions + mean * len(running) < positions:
                    seed = (self.seed, iteration, begun)
                    details = self.game.spec, shared, tuple(plan), style.gumbel, self.solve, seed
                    running.append(self._task.remote(*details))
                    begun += 1
                done, _ = ray.wait([running[0]], timeout=0.1)
                if done:
                    harvest = result_of(ray, running.popleft(), "games cannot be played")
                    ended += 1
                    take(harvest)
                    tally.add(harvest)
                tell(tally.positions)
        finally:
            with contextlib.suppress(Exception):
                for task in running:
                    ray.cancel(task, force=True)
        return tally

    def close(self) -> None:
        """Leave the cluster; a local one ends."""
        self._ray.shutdown()


@functools.lru_cache(maxsize=1)
def _network(data: bytes) -> OnnxNetwork:
    return OnnxNetwork(data, "the network")


def _play(spec: str, network: bytes, plan: tuple[Any, ...], gumbel: bool, solve: int, seed: tuple[int, ...]) -> Harvest:
    """A task: some whole games of a network with itself."""
    game, judge = make_game(spec), _network(network)
    drawn = int(np.random.default_rng(seed).integers(1 << 62))
    return play_games(game, Plan(*plan), Style(gumbel), judge, games=GAMES, solve=solve, seed=drawn)
