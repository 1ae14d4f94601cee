"""What the doubling cube is worth, and what to do with it, by Rick Janowski's model (1993).

A cube that will never be turned again is *dead*: what a position is worth then follows from the outputs alone. One that
is turned at the very moment when the other side is indifferent between take and pass is *live*. The truth is between
them: LIVE of the way from the one to the other. For money the formulas are Janowski's. In a match what a point is worth
depends on the score; there the points at which doubling and passing begin are worked out for a dead cube from the
chances to win the match, and doubling begins LIVE of the way from the first to the second.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plyground.engines.backgammon.search import value_of, weights_of
from plyground.games.backgammon.board import JACOBY, NO_OWNER, Backgammon
from plyground.games.backgammon.cube import awarded

__all__ = ["CubeValues", "cube_values"]

LIVE = 0.68


class CubeValues(NamedTuple):
    """What it is worth to the player who may double, as utilities: to roll on, to double if the other side takes it,
    to double if the other side passes."""

    roll: float
    taken: float
    passed: float

    @property
    def doubles(self) -> bool:
        """Whether to double: neither too early nor too good."""
        return min(self.taken, self.passed) >= self.roll

    @property
    def takes(self) -> bool:
        """Whether the other side should take."""
        return self.taken < self.passed


def cube_values(state: Backgammon, player: int, out: Any) -> CubeValues:
    """What the player makes of the cube before a roll, by the outputs for this player."""
    return _for_money(state, player, out) if state.length == 0 else _in_a_match(state, player, out)


def _for_money(state: Backgammon, player: int, out: Any) -> CubeValues:
    wins, losses = float(out[0]), 1.0 - float(out[0])
    won = 1.0 + float(out[1] + out[2]) / max(wins, 1e-9)
    lost = 1.0 + float(out[3] + out[4]) / max(losses, 1e-9)
    held = (1.0, 1.0) if state.rules & JACOBY and state.owner == NO_OWNER else (won, lost)
    owner = NO_OWNER if state.owner == NO_OWNER else 0 if state.owner == player else 1
    return CubeValues(
        state.cube * _janowski(wins, *held, owner), 2.0 * state.cube * _janowski(wins, won, lost, 1), float(state.cube)
    )


def _janowski(wins: float, won: float, lost: float, owner: int) -> float:
    """What a cube of 1 is worth, owned by the player (0), the other side (1) or nobody.

    `won` and `lost` are the points that a win and a loss count on average.
    """
    dead = wins * (won + lost) - lost
    take = (lost - 0.5) / (won + lost + 0.5)  # where the player just takes
    cash = (lost + 1.0) / (won + lost + 0.5)  # where the other side just takes
    low, high = (0.0, -lost) if owner == 0 else (take, -1.0), (1.0, won) if owner == 1 else (cash, 1.0)
    ends = sorted({(0.0, -lost), low, high, (1.0, won)})
    live = float(np.interp(wins, [place for place, _ in ends], [value for _, value in ends]))
    return LIVE * live + (1.0 - LIVE) * dead


def _in_a_match(state: Backgammon, player: int, out: Any) -> CubeValues:
    sign = 1 if player == 0 else -1
    weights = np.zeros(6)
    weights_of(state, player, weights)
    after = state._replace(cube=2 * state.cube)
    doubled = np.zeros(6)
    weights_of(after, player, doubled)
    passed = float(sign * awarded(state, sign * state.cube))
    kept, taken = float(value_of(out, weights)), float(value_of(out, doubled))
    if passed <= kept:  # too good
        return CubeValues(kept, taken, passed)
    # Both are lines in the chance to win, gammons in proportion: where they meet, and where the other side passes.
    wins = float(out[0])
    shares = [float(out[k]) / max(side, 1e-9) for k, side in ((1, wins), (2, wins), (3, 1 - wins), (4, 1 - wins))]

    def at(chance: float, by: Any) -> float:
        parts = (shares[0] * chance, shares[1] * chance, shares[2] * (1 - chance), shares[3] * (1 - chance))
        return float(value_of(np.array([chance, *parts]), by))

    def gained(chance: float) -> float:
        return at(chance, doubled) - at(chance, weights)

    begin, cash = _crossing(gained), _crossing(lambda chance: at(chance, doubled) - passed)
    opens = begin + LIVE * (cash - begin)
    if wins < opens:  # to keep the cube is worth more than it seems, by what it can still do
        kept += gained(opens) * wins / opens
    return CubeValues(kept, taken, passed)


def _crossing(line: Any) -> float:
    """Where a rising line is 0, from 0 to 1."""
    low, high = line(0.0), line(1.0)
    if high <= 0.0:
        return 1.0
    return 0.0 if low >= 0.0 else -low / (high - low)
