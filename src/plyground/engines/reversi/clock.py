"""Time for a whole game: how much of what is left to spend on the next move.

Thought is worth most in the middle of the game, where positions are rich and a mistake can still be avoided; and as
soon as the rest can be solved, every mistake is avoidable for the price of one long search. So the time is dealt out by
weights that grow from the opening to the end of the midgame, and a fixed share is kept for the ending.
"""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.game_time import GameTime

__all__ = ["Allotment", "Clock", "allot"]

ENDING = 24
"""With this many empty squares or fewer a search tries to solve the game."""
ENDING_WEIGHT = 12.0
"""What is kept for the ending, in the same unit as the weights of single moves: about two fifths of the time."""
ENDING_SHARE = 0.5
"""The share of what is left that one move of the ending may take. Once solved, the moves that follow cost nothing."""
LOST_A_MOVE = 0.012
"""Seconds of every move that no search can use: the clock runs on until the move is handed over."""
OVERTIME = 2.0
"""A search that is in the middle of a step may take this many times its target."""
MOST_SHARE = 0.4
"""The share of what is left that one move of the midgame may take at most."""


@dataclass(frozen=True)
class Allotment:
    """Seconds for one move: a search begins no new step once half the `target` is gone, and ends at `most`."""

    target: float
    most: float


def weight(empties: int) -> float:
    """How much a move of the opening or the midgame is worth thinking about: from 0.5 to 1.5."""
    return 0.5 + (60 - empties) / (60 - ENDING)


def allot(left: float, increment: float, empties: int) -> Allotment:
    """What to spend on a move in a position with this many empty squares, if `left` seconds are on the clock.

    Whatever is left, it never allots all of it.
    """
    moves = max(1, (empties + 1) // 2)
    usable = max(left - moves * LOST_A_MOVE, left / (20 * moves))
    if empties <= ENDING:
        most = usable * ENDING_SHARE
        return Allotment(most, most)
    coming = sum(weight(later) for later in range(empties, ENDING, -2))
    target = usable * weight(empties) / (coming + ENDING_WEIGHT) + 0.8 * increment
    most = min(OVERTIME * target, MOST_SHARE * usable)
    return Allotment(min(target, most), most)


class Clock:
    """The clock of one player in a game: it starts full, and runs only while the player thinks."""

    def __init__(self, time: GameTime) -> None:
        self.time = time
        self.left = time.main

    def restart(self) -> None:
        """A new game."""
        self.left = self.time.main

    def allot(self, empties: int) -> Allotment:
        """What to spend on the next move."""
        return allot(self.left, self.time.increment, empties)

    def spend(self, seconds: float) -> None:
        """A move was made that took this long. A clock that has run out shows what it gains by the increment."""
        self.left = max(0.0, self.left - seconds) + self.time.increment
