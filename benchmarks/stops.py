"""How late a search stops: the worst overshoot of a deadline, in searches of Reversi.

Each figure is the longest time by which one of several searches has overrun its limit, and so is "time each". A player
that takes longer than it may loses, so this is to stay under 20 milliseconds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from benchmarks.harness import Comparison, Sample, Subject
from plyground import Limit, actions, make_game, result
from plyground.native.randomness import random_below, stream
from plyground.players import Position, make_player

__all__ = ["comparisons"]

SEARCHES = 10
LEAST = 1e-7
"""Seconds that count for a search that was not late at all: a rate needs some time to divide by."""
PLAYERS = (
    "minimax",
    "alphabeta",
    "alphabeta:reuse=off",
    "alphabeta:reuse=off,tt=1GB",
    "pvs",
    "mtdf",
    "expectiminimax",
    "maxn",
    "paranoid",
)


def comparisons() -> Iterator[Comparison]:
    """A table for each limit."""
    for limit in (0.001, 0.05, 0.5):
        subjects = tuple(Subject(player, _Run(player, limit)) for player in PLAYERS)
        yield Comparison(
            f"reversi: the worst overshoot of {limit * 1000:g} ms in {SEARCHES} searches",
            "stops",
            "alphabeta",
            subjects,
        )


class _Run:
    """One repetition: searches of positions of a random game, each within the limit."""

    def __init__(self, player: str, limit: float) -> None:
        self._spec, self._limit = player, limit
        self._game = make_game("reversi")
        self._player = None if "1GB" in player else make_player(player, self._game, 1)

    def __call__(self) -> Sample:
        # What takes a gigabyte is made for each repetition and let go after it.
        player = self._player or make_player(self._spec, self._game, 1)
        player.prepare(self._game)
        rng, state, worst = stream(1), self._game.initial, LEAST
        for _ in range(SEARCHES):
            start = time.perf_counter()
            player.choose(Position(self._game, state), Limit(time=self._limit))
            worst = max(worst, time.perf_counter() - start - self._limit)
            options = actions(state)
            state = result(state, options[random_below(rng, len(options))])
        return Sample(1, worst)
