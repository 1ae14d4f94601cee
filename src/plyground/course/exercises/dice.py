"""Chance for exercises: the same numbers on every machine and with every version of Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from plyground.native.randomness import random_below, random_unit, stream

__all__ = ["Dice"]

T = TypeVar("T")


class Dice:
    """Random choices from whole numbers that name them.

    >>> Dice(7, 1).between(1, 6) == Dice(7, 1).between(1, 6)
    True
    """

    def __init__(self, *names: int) -> None:
        self._stream = stream(0xE5E2C15E, *names)

    def below(self, n: int) -> int:
        """A whole number from 0 to n-1."""
        return random_below(self._stream, n)

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def chance(self, p: float) -> bool:
        """True with probability `p`."""
        return random_unit(self._stream) < p

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a random order."""
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found
