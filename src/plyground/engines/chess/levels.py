"""Levels of play from 1, a beginner, to 20, the engine's best in a few seconds.

The weaker half errs as people do: it overlooks, and the longer a tactic is, the more easily. Every move is searched ply
by ply; at each ply beyond the first a level goes on to look at that move with the probability `sees`, and judges it by
the last depth that it has looked to, with an error of up to `noise`. In one turn of so many, `hasty`, it does not even
look what can be captured after its moves, and judges what is then on the board. So a weak level takes what is offered,
leaves a piece where it is lost now and then, and misses the reply two moves later; none plays at random. The stronger
half searches as the engine does, for so many positions, with a smaller error in each evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.limits import Limit
from plyground.core.rules import result
from plyground.engines.chess.engine import Engine, Report
from plyground.errors import BadOption
from plyground.games.chess.board import Chess
from plyground.games.chess.features import weighted_sum
from plyground.native.randomness import Stream, random_below, random_unit

__all__ = ["LEVELS", "Level", "find_level", "play_level"]

CENTIPAWNS = 100


@dataclass(frozen=True)
class Level:
    """How well to play: at most so many `nodes`, `depth` plies deep.

    With `sees` less than 1 every move is judged by itself, as far as the level looks at it; with the probability
    `hasty` all are judged by the look of them. `noise` is the largest error in the value of a move, else of every
    evaluation, in centipawns.
    """

    nodes: int
    depth: int
    sees: float = 1.0
    noise: int = 0
    hasty: float = 0.0


LEVELS = (
    Level(20_000, 2, 0.20, 260, 0.35),
    Level(20_000, 2, 0.35, 200, 0.28),
    Level(40_000, 3, 0.45, 160, 0.22),
    Level(40_000, 3, 0.55, 130, 0.17),
    Level(60_000, 4, 0.62, 100, 0.13),
    Level(60_000, 4, 0.70, 80, 0.10),
    Level(100_000, 5, 0.76, 60, 0.07),
    Level(100_000, 5, 0.82, 45, 0.05),
    Level(150_000, 6, 0.87, 32, 0.03),
    Level(200_000, 6, 0.92, 24, 0.02),
    Level(3_000, 6, 1.0, 40),
    Level(5_000, 7, 1.0, 30),
    Level(10_000, 8, 1.0, 20),
    Level(20_000, 9, 1.0, 12),
    Level(40_000, 10, 1.0, 6),
    Level(80_000, 12),
    Level(200_000, 14),
    Level(500_000, 20),
    Level(1_500_000, 40),
    Level(5_000_000, 60),
)
"""The levels in order; the first is level 1."""


def find_level(number: int) -> Level:
    """The level of a number from 1."""
    if not 1 <= number <= len(LEVELS):
        raise BadOption(f"level must be from 1 to {len(LEVELS)} in chess, not {number}")
    return LEVELS[number - 1]


def play_level(engine: Engine, state: Chess, level: Level, limit: Limit, rng: Stream) -> Report:
    """The move that a level plays, with its value as far as the level looked; `limit` comes on top."""
    allowed = Limit(nodes=level.nodes, depth=level.depth).within(limit)
    if level.sees == 1:
        seed = random_below(rng, 1 << 30)
        if level.noise:
            engine.clear()  # its evaluations had other errors
        return engine.search(state, allowed, noise=level.noise, seed=seed)
    steps: list[tuple[Report, ...]] = []
    last = engine.score_moves(state, allowed, every=True, on_reports=steps.append)
    if random_unit(rng) < level.hasty:
        return max(last, key=lambda report: glance(state, report.move) + error_of(level, rng))
    return overlooking(steps or [last], level, rng)


def glance(state: Chess, move: int) -> float:
    """What a move is worth by what is on the board after it, in centipawns, whatever can be captured then."""
    return -CENTIPAWNS * weighted_sum(result(state, move))


def error_of(level: Level, rng: Stream) -> float:
    """An error in the value of a move, in centipawns; small ones are more likely."""
    return level.noise * (random_unit(rng) + random_unit(rng) - 1)


def overlooking(steps: list[tuple[Report, ...]], level: Level, rng: Stream) -> Report:
    """The best move to somebody who looks at each one only so far, and errs in its value.

    `steps` has the values of all moves at each depth.
    """
    by_depth = [{report.move: report for report in reports} for reports in steps]

    def judged(move: int) -> tuple[float, Report]:
        seen = 0
        while seen + 1 < len(by_depth) and random_unit(rng) < level.sees:
            seen += 1
        report = by_depth[seen][move]
        error = error_of(level, rng)
        return report.centipawns + (0.0 if report.exact else error), report

    return max((judged(move) for move in by_depth[0]), key=lambda found: found[0])[1]
