"""Time for a whole game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from plyground.errors import BadOption

__all__ = ["ClockFace", "GameTime"]

LONGEST = 1e7


class ClockFace(NamedTuple):
    """What the clocks of a game show: the seconds that each seat has left, and those that each move adds.

    `moves` is how many moves that time is for, where more is given after them.
    """

    left: tuple[float, ...]
    increment: float = 0.0
    moves: int | None = None


@dataclass(frozen=True)
class GameTime:
    """Seconds for all moves of a game together, and seconds added after each move."""

    main: float
    increment: float = 0.0

    @classmethod
    def parse(cls, text: str, name: str = "clock") -> GameTime:
        """The time of a text such as ``300`` or ``300+2``."""
        found = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)(?:\+(\d+(?:\.\d*)?|\.\d+))?", text.replace(" ", ""))
        if not found:
            raise BadOption(f"{name} must be seconds for a game and for each move, such as 300 or 300+2, not '{text}'")
        time = cls(float(found[1]), float(found[2] or 0))
        if not 0 < time.main <= LONGEST or time.increment > LONGEST:
            raise BadOption(f"{name} must begin with a positive number of seconds up to {LONGEST:g}, not '{text}'")
        return time
