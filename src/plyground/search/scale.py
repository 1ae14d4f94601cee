"""One scale for utilities and evaluations: what a search compares must be comparable.

An evaluation lies strictly inside the range of the game's utilities, so that a win is better than every guess and a
loss is worse. People also write evaluations in units of their own, such as 3 X2 + X1 - (3 O2 + O1). A search that meets
one outside the range stretches the *utilities* by a power of two, about the middle of the range, until wins and losses
are beyond twice the guess, and looks again. Evaluations themselves are never changed, nor is their order.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyground.native.overloads import native_method
from plyground.native.pointers import PointedArray

__all__ = ["LARGEST", "UNCHECKED", "Scale"]

LARGEST = 1e250
"""Evaluations beyond this are as bad as infinite: nothing would be left to tell a win from them."""
LARGEST_FACTOR = 2.0**1000
FACTOR, SHIFT, LEAST, MOST, STRAY, STRAYED = range(6)


class Scale(PointedArray, dtype=np.float64):
    """How a running search measures: utilities are stretched, evaluations are checked.

    `low` and `high` are the range of the utilities, `centre` the point that stays where it is; with `averages`
    chance mixes values. Before anything is stretched every number is left exactly as it is. In compiled code a scale
    is one pointer.
    """

    def __init__(
        self, low: float = -math.inf, high: float = math.inf, centre: float = 0.0, *, averages: bool = False
    ) -> None:
        super().__init__()
        self.averages = averages
        self._range = float(low), float(high)
        self._centre = float(centre)
        self._words[FACTOR] = 1.0
        self._words[LEAST], self._words[MOST] = self._range

    def of(self, utility: float) -> float:
        """A utility as the search counts it."""
        return float(utility * self._words[FACTOR] + self._words[SHIFT])

    def checked(self, guess: float) -> float:
        """The evaluation itself; one that does not lie inside the range is noted."""
        words = self._words
        if not words[LEAST] < guess < words[MOST]:
            # The farthest off is kept; what is not a number is farther than all numbers.
            if words[STRAYED] == 0.0 or math.isnan(guess) or abs(guess) > abs(words[STRAY]):
                words[STRAY] = guess
            words[STRAYED] = 1.0
        return guess

    @property
    def stray(self) -> float | None:
        """The evaluation farthest from the range since it was last stretched, NaN before all; None if there is none."""
        return float(self._words[STRAY]) if self._words[STRAYED] else None

    @property
    def factor(self) -> float:
        """By how much utilities are stretched: 1, or a power of two."""
        return float(self._words[FACTOR])

    @property
    def low(self) -> float:
        """What the least utility counts."""
        return self.of(self._range[0])

    @property
    def high(self) -> float:
        """What the greatest utility counts."""
        return self.of(self._range[1])

    def stretch(self) -> None:
        """Make room for the stray evaluation, which is finite, and forget it."""
        words, centre = self._words, self._centre
        half, off = min(self._range[1] - centre, centre - self._range[0]), abs(words[STRAY] - centre)
        factor = words[FACTOR]
        while half * factor <= 2.0 * off and factor < LARGEST_FACTOR:
            factor *= 2.0
        reach = max(half * factor / 2.0, float(np.nextafter(off, math.inf)))  # more only where all utilities are equal
        words[FACTOR], words[SHIFT] = factor, centre * (1.0 - factor)
        words[LEAST], words[MOST] = centre - reach, centre + reach
        words[STRAYED] = 0.0

    def told(self, value: float, complete: bool = False) -> float:
        """A value as people are shown it: an evaluation as it is, and what is beyond all evaluations as a utility.

        Everything is shown as a utility if there are averages of both, or if the search is `complete` without any
        evaluation.
        """
        mixed = not (self.averages or complete)
        if self.factor == 1.0 or (mixed and self._words[LEAST] < value < self._words[MOST]):
            return value + 0.0  # never -0.0
        return float((value - self._words[SHIFT]) / self.factor) + 0.0


@native_method(Scale, "of")
def _of(scale: Any, utility: Any) -> Any:
    return Scale.of


@native_method(Scale, "checked")
def _checked(scale: Any, guess: Any) -> Any:
    return Scale.checked


UNCHECKED = Scale()
"""For searches that take every number as it is. What strays beyond infinity is noted in it, and nobody asks."""
