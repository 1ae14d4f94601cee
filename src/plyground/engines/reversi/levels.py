"""Levels of play from 1, a beginner, to 20, the engine's best in a few seconds.

A level says how deep to look, from how many empty squares on to solve the game, and how badly moves are judged: to the
value of every move an error is added, drawn again for each move and as large as the level says. So a weak level plays
sensible moves and misses better ones, as people do, and does not move at random. From the end that it solves it plays
without error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from plyground.core.limits import Limit
from plyground.engines.reversi.engine import Engine, Report
from plyground.errors import BadOption
from plyground.games.reversi import Reversi
from plyground.native.randomness import Stream, random_unit

__all__ = ["LEVELS", "Level", "find_level", "play_level"]

MOST_ERROR = 2.0
"""An error is at most this many standard deviations: nobody overlooks everything."""


@dataclass(frozen=True)
class Level:
    """How well to play: `depth` is in plies, `noise` the standard deviation of the error in discs.

    With `solved` empty squares or fewer the game is played to its end without error.
    """

    depth: int
    solved: int
    noise: float = 0.0

    def limit(self, empties: int) -> Limit:
        """How far to search a position with this many empty squares."""
        return Limit() if empties <= self.solved else Limit(depth=min(self.depth, empties))


LEVELS = (
    Level(1, 2, 12.0),
    Level(1, 3, 10.0),
    Level(2, 4, 8.0),
    Level(2, 5, 6.5),
    Level(3, 6, 5.5),
    Level(3, 7, 4.6),
    Level(4, 8, 3.8),
    Level(4, 9, 3.1),
    Level(4, 11, 2.3),
    Level(4, 12, 1.6),
    Level(5, 13, 1.1),
    Level(5, 14, 0.75),
    Level(6, 15),
    Level(7, 16),
    Level(9, 17),
    Level(10, 18),
    Level(13, 19),
    Level(14, 20),
    Level(19, 23),
    Level(24, 24),
)
"""The levels in order; the first is level 1. How they were found: `python -m benchmarks.levels`."""


def find_level(number: int) -> Level:
    """The level of a number from 1."""
    if not 1 <= number <= len(LEVELS):
        raise BadOption(f"level must be from 1 to {len(LEVELS)}, not {number}")
    return LEVELS[number - 1]


def play_level(engine: Engine, state: Reversi, level: Level, limit: Limit, rng: Stream) -> Report:
    """The move that a level plays, with its true value as far as the level looked; `limit` comes on top."""
    empties = 64 - (int(state.own) | int(state.opponent)).bit_count()
    allowed = level.limit(empties).within(limit)
    if empties <= level.solved or level.noise == 0:
        return engine.search(state, allowed)
    return misjudged(engine.score_moves(state, allowed), level.noise, rng)


def misjudged(reports: Sequence[Report], noise: float, rng: Stream) -> Report:
    """The best of some moves to somebody who judges each with an error."""
    return max(reports, key=lambda report: report.value + noise * error(rng))


def error(rng: Stream) -> float:
    """A number from the normal distribution, those beyond `MOST_ERROR` drawn again (the method of Box and Muller)."""
    while True:
        size = math.sqrt(-2 * math.log(1.0 - random_unit(rng)))
        drawn = size * math.cos(2 * math.pi * random_unit(rng))
        if abs(drawn) <= MOST_ERROR:
            return drawn
