"""Levels of play from 1, a beginner, to 10: how far a level looks, and how wrong it is about each play."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.errors import BadOption

__all__ = ["LEVELS", "Level", "find_level"]


@dataclass(frozen=True)
class Level:
    """How well to play: by so many plies, with an error in the worth of each play of at most `noise` points."""

    plies: int
    noise: float = 0.0


LEVELS = (
    Level(0, 1.2), Level(0, 0.8), Level(0, 0.5), Level(0, 0.35), Level(0, 0.24), Level(0, 0.15), Level(0, 0.08),
    Level(0), Level(1), Level(2),
)  # fmt: skip
"""The levels in order; the first is level 1."""


def find_level(number: int) -> Level:
    """The level of a number from 1."""
    if not 1 <= number <= len(LEVELS):
        raise BadOption(f"level must be from 1 to {len(LEVELS)} in backgammon, not {number}")
    return LEVELS[number - 1]
