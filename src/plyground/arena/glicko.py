"""The rating of somebody who learns: Glicko-2 (Glickman 2013), which counts what was played last for more.

`plyground.arena.ratings` rates players that do not change, from all their games at once. A person does change. Here a
rating is a belief, a normal distribution, that each new result moves: far while little is known, less later on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Belief", "Result", "updated"]

SCALE = 400 / math.log(10)
"""Points of Elo in a natural unit."""
FIRST_DEVIATION, FIRST_VOLATILITY = 350.0, 0.06
CHANGE = 0.5
"""The system constant tau: how much the volatility itself may change."""
PRECISION = 1e-6

Result = tuple[float, float, float]
"""The opponent's rating and its deviation, and the score: 1, 1/2 or 0."""


@dataclass(frozen=True)
class Belief:
    """What is known of somebody's strength, in points of Elo; `volatility` is how much it is expected to change."""

    rating: float
    deviation: float = FIRST_DEVIATION
    volatility: float = FIRST_VOLATILITY


def updated(before: Belief, results: Iterable[Result]) -> Belief:
    """The belief after the results of one rating period, of one game or of several.

    >>> after = updated(Belief(1500, 200, 0.06), [(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)])
    >>> round(after.rating, 2), round(after.deviation, 2), round(after.volatility, 5)
    (1464.05, 151.52, 0.06)
    """
    spread = before.deviation / SCALE
    information = gain = 0.0
    for rating, deviation, score in results:
        weight = 1 / math.sqrt(1 + 3 * (deviation / SCALE / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-weight * (before.rating - rating) / SCALE))
        information += weight * weight * expected * (1 - expected)
        gain += weight * (score - expected)
    if not information:
        return before
    volatility = _volatility(spread, before.volatility, 1 / information, gain / information)
    after = 1 / (1 / (spread * spread + volatility * volatility) + information)
    deviation = min(FIRST_DEVIATION, SCALE * math.sqrt(after))
    return Belief(before.rating + SCALE * after * gain, deviation, volatility)


def _volatility(spread: float, before: float, variance: float, improvement: float) -> float:
    """Step 5 of the paper: the root of f, by the Illinois form of regula falsi."""
    start = math.log(before * before)

    def f(x: float) -> float:
        grown = spread * spread + variance + math.exp(x)
        return math.exp(x) * (improvement**2 - grown) / (2 * grown * grown) - (x - start) / CHANGE**2

    low = start
    excess = improvement**2 - spread**2 - variance
    if excess > 0:
        high = math.log(excess)
    else:
        high = start - CHANGE
        while f(high) < 0:
            high -= CHANGE
    at_low, at_high = f(low), f(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
