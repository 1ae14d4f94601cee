"""Levels of play from 1, a beginner, to 10, the engine's best in a few seconds.

A level says how deep to look, how far to see wins by fours and by threats, and how badly moves are judged: to the value
of every move an error is added, drawn again for each move. What wins or loses by force, as far as the level looks, is
judged without error; a level that `overlooks` does not see some of it. So a weak level builds lines and loses to two
threats at once, as people do, and only the first two leave an open four, or what becomes one, unanswered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.core.limits import Limit
from plyground.engines.gomoku.engine import Engine, Report, Sight
from plyground.errors import BadOption
from plyground.games.mnk import MNK
from plyground.native.randomness import Stream, random_unit

__all__ = ["LEVELS", "Level", "find_level", "play_level"]

CERTAIN = 0.9
"""From this value on a move wins, or loses, by force."""


@dataclass(frozen=True)
class Level:
    """How well to play: at most so many `nodes`, `depth` plies deep, with this `sight`.

    `noise` is the largest error in the value of a move, in utilities; `overlooks` the share of moves at which nothing
    that is forced is seen.
    """

    nodes: int
    depth: int
    sight: Sight
    noise: float = 0.0
    overlooks: float = 0.0


LEVELS = (
    Level(2_000, 1, Sight(0, 0, 0), 0.25, 0.4),
    Level(2_000, 1, Sight(0, 0, 0), 0.18, 0.15),
    Level(5_000, 1, Sight(0, 0, 0), 0.14),
    Level(10_000, 2, Sight(20, 0, 10), 0.10),
    Level(20_000, 3, Sight(100, 0), 0.06),
    Level(100_000, 4, Sight(500, 0), 0.03),
    Level(20_000, 4, Sight(2_000, 300)),
    Level(60_000, 6, Sight(2_000, 2_000)),
    Level(250_000, 8, Sight(2_000, 3_000)),
    Level(1_000_000, 30, Sight(2_000, 3_000)),
)
"""The levels in order; the first is level 1."""


def find_level(number: int) -> Level:
    """The level of a number from 1."""
    if not 1 <= number <= len(LEVELS):
        raise BadOption(f"level must be from 1 to {len(LEVELS)} in Gomoku, not {number}")
    return LEVELS[number - 1]


def play_level(engine: Engine, state: MNK, level: Level, limit: Limit, rng: Stream) -> Report:
    """The move that a level plays, with its true value as far as the level looked; `limit` comes on top."""
    allowed = Limit(nodes=level.nodes, depth=level.depth).within(limit)
    if level.noise == 0:
        return engine.search(state, allowed, sight=level.sight)
    overlooked = random_unit(rng) < level.overlooks
    return misjudged(engine.score_moves(state, allowed, sight=level.sight), level.noise, overlooked, rng)


def misjudged(reports: Sequence[Report], noise: float, overlooked: bool, rng: Stream) -> Report:
    """The best of some moves to somebody who judges each with an error, and perhaps does not see what is forced."""

    def judged(report: Report) -> float:
        error = noise * (2 * random_unit(rng) - 1)
        if abs(report.value) < CERTAIN:
            return report.value + error
        return error if overlooked else report.value

    return max(reports, key=judged)
