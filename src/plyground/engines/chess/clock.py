"""How much of the time that is left to spend on the next move.

Nobody knows how long a game of chess will last, so a share of what is left is spent, and a search that is in doubt may
take several times as much: when its best move has just changed, or has turned out worse than it looked.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["TimeForMove", "time_for_move"]

MOVES_TO_GO = 32
"""How many moves the game is expected to last from here."""
SHARE_OF_INCREMENT = 0.75
MOST_TIMES = 4.0
"""In doubt a move may take so many times its usual time."""
MOST_SHARE = 0.35
"""The share of what is left that one move may take at most, if others are to follow."""
LOST_A_MOVE = 0.015
"""Seconds of every move that no search can use: the clock runs on until the move is handed over."""


class TimeForMove(NamedTuple):
    """Seconds: a search ends when about `usual` is spent and nothing is in doubt, and at `most` in any case."""

    usual: float
    most: float


def time_for_move(left: float, increment: float = 0.0, moves: int | None = None) -> TimeForMove:
    """What to spend on a move, if `left` seconds are on the clock, for so many `moves` if their number is known.

    Whatever is left, it never allots all of it.
    """
    to_go = min(moves or MOVES_TO_GO, MOVES_TO_GO)
    usable = max(left - LOST_A_MOVE * min(to_go, 4), left / 20)
    usual = usable / to_go + SHARE_OF_INCREMENT * increment
    share = MOST_SHARE if to_go > 1 else 0.8
    most = min(MOST_TIMES * usual, share * usable)
    return TimeForMove(min(usual, most), most)
