"""Levels of play from 1, a beginner, to 10, which is perfect.

A level sees the wins and losses that are at most so many plies away, and those it judges without error, unless it
`overlooks` them. All other moves it judges by the game's evaluation, with an error that is drawn again for each move.
So a weak level builds lines and misses two threats at once, as people do; a stronger one falls for what is farther
away; and all but the last know nothing of zugzwang, which decides games between people who miss nothing near.
"""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.limits import Limit
from plyground.engines.connect4.engine import Engine, Report
from plyground.errors import BadOption
from plyground.games.connect4 import ConnectFour
from plyground.native.randomness import Stream, random_unit

__all__ = ["LEVELS", "Level", "find_level", "play_level"]


@dataclass(frozen=True)
class Level:
    """How well to play: to see so many plies ahead, to the end of the game if None.

    `noise` is the largest error in the value of a move, in utilities; `overlooks` the share of moves at which no win
    and no loss is seen.
    """

    depth: int | None = None
    noise: float = 0.0
    overlooks: float = 0.0


LEVELS = (
    Level(2, 0.50, 0.50),
    Level(2, 0.40, 0.28),
    Level(2, 0.25, 0.08),
    Level(2, 0.20),
    Level(4, 0.15),
    Level(6, 0.12),
    Level(8, 0.09),
    Level(12, 0.06),
    Level(18, 0.04),
    Level(),
)
"""The levels in order; the first is level 1."""


def find_level(number: int) -> Level:
    """The level of a number from 1."""
    if not 1 <= number <= len(LEVELS):
        raise BadOption(f"level must be from 1 to {len(LEVELS)} in Connect Four, not {number}")
    return LEVELS[number - 1]


def play_level(engine: Engine, state: ConnectFour, level: Level, limit: Limit, rng: Stream) -> Report:
    """The move that a level plays, with its value as far as the level looked; `limit` comes on top."""
    if level.depth is None:
        return engine.search(state, limit)
    overlooked = random_unit(rng) < level.overlooks

    def judged(report: Report) -> tuple[float, int]:
        error = level.noise * (2 * random_unit(rng) - 1)
        if report.exact and not overlooked:
            return report.rank
        return (error if report.exact else report.value + error), 0

    return max(engine.score_moves(state, Limit(depth=level.depth).within(limit)), key=judged)
