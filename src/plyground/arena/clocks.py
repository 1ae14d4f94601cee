"""The referee's clocks: a limit for each move, and a clock for all moves of a game, with an increment.

All attempts at one move share its limit: an illegal answer gets no time back.
"""

from __future__ import annotations

from plyground.core.game_time import ClockFace, GameTime
from plyground.core.limits import Limit

__all__ = ["Clocks", "GameTime"]

SAFETY = 0.05
LEAST_SAFETY = 0.005
"""The share of the limit, and the least number of seconds, that are held back from a player, as a reserve."""


class Clocks:
    """The time of all seats in one game; seconds of a monotonic clock.

    `move_time` is the most for one move and `game_time` what there is for all of them; None is no limit.
    """

    def __init__(self, seats: int, move_time: float | None = None, game_time: GameTime | None = None) -> None:
        self._move_time = move_time
        self._game_time = game_time
        self.left = [game_time.main if game_time else 0.0] * seats
        self._attempts = 0.0
        self._fresh = Limit(time=None if move_time is None else told(move_time))

    def limit(self, seat: int) -> Limit:
        """What a player may spend now: a little less than it has."""
        if self._game_time is None and self._attempts == 0.0:
            return self._fresh
        has = [self._move_time - self._attempts] if self._move_time is not None else []
        face = None
        if self._game_time is not None:
            has.append(self.left[seat])
            face = ClockFace(tuple(self.left), self._game_time.increment)
        return Limit(time=told(max(min(has), LEAST_SAFETY)), clock=face) if has else Limit()

    def spend(self, seat: int, seconds: float) -> str | None:
        """The seat has thought for this long; why it has lost, as the end of a sentence, or None."""
        self._attempts += seconds
        if self._move_time is not None and self._attempts > self._move_time:
            return f"took {self._attempts:.3g} s of {self._move_time:g} s for a move"
        if self._game_time is not None:
            self.left[seat] -= seconds
            if self.left[seat] < 0:
                return f"has used up its {self._game_time.main:g} s for the game"
        return None

    def moved(self, seat: int) -> None:
        """The seat has made a legal move: the increment is added, and the next move begins."""
        self._attempts = 0.0
        if self._game_time is not None:
            self.left[seat] += self._game_time.increment


def told(seconds: float) -> float:
    """What a player is given of the time that it has."""
    return max(seconds / 2, seconds - max(SAFETY * seconds, LEAST_SAFETY))
