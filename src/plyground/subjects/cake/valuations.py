"""What a cake is worth to somebody: a density over the cake from 0 to 1 that is constant on pieces.

Values and cuts are fractions, so that a half is a half. The whole cake is worth 1 to everybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from plyground.errors import FormatError

__all__ = ["Interval", "Valuation", "read_valuation", "read_valuations"]

Interval = tuple[Fraction, Fraction]
"""A stretch of cake from the left end to the right one."""
MOST_PIECES = 200
MOST_PEOPLE = 12
LONGEST_NAME = 40
NUMBER = re.compile(r"\d{1,20}(?:\.\d{1,20})?|\.\d{1,20}|\d{1,20}/\d{1,20}")


@dataclass(frozen=True)
class Valuation:
    """Somebody's name, the borders of the pieces from 0 to 1, and the density on each, so that all is worth 1."""

    name: str
    borders: tuple[Fraction, ...]
    densities: tuple[Fraction, ...]

    def worth(self, pieces: Iterable[Interval]) -> Fraction:
        """The value of some stretches of cake."""
        return sum((self._up_to(right) - self._up_to(left) for left, right in pieces), Fraction(0))

    def cut(self, start: Fraction, value: Fraction) -> Fraction | None:
        """The leftmost place so that from `start` to it is worth `value`; None if all that is right is worth less."""
        if value <= 0:
            return start
        for (left, right), density in zip(pairwise(self.borders), self.densities, strict=True):
            begin = max(left, start)
            if right <= begin or not density:
                continue
            here = (right - begin) * density
            if here >= value:
                return begin + value / density
            value -= here
        return None

    def _up_to(self, place: Fraction) -> Fraction:
        total = Fraction(0)
        for (left, right), density in zip(pairwise(self.borders), self.densities, strict=True):
            if place <= left:
                break
            total += (min(place, right) - left) * density
        return total


def read_valuation(text: str, default: str = "somebody") -> Valuation:
    """``Anna: 1 0 2`` is three equal pieces worth 0 to 2 each; ``Anna: 1*1/4 3*3/4`` gives heights with widths.

    >>> read_valuation("Anna: 1 3").worth([(Fraction(0), Fraction(1, 2))])
    Fraction(1, 4)
    """
    name, colon, rest = text.rpartition(":")
    name = name.strip() if colon else default
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise FormatError(f"a name has 1 to {LONGEST_NAME} printable characters, not '{name[:40]!r}'")
    heights, widths = [], []
    words = rest.replace(",", " ").split()
    for place, word in enumerate(words, 1):
        height, star, wide = word.partition("*")
        heights.append(_number(height, name, place))
        widths.append(_number(wide, name, place) if star else Fraction(1))
    if not 1 <= len(words) <= MOST_PIECES:
        raise FormatError(f"{name}: write 1 to {MOST_PIECES} values, such as {name}: 1 0 2")
    whole = sum(widths, Fraction(0))
    total = sum((height * width for height, width in zip(heights, widths, strict=True)), Fraction(0))
    if not whole or not total:
        raise FormatError(f"{name}: the cake must be worth something; write at least one number that is not 0")
    borders = [Fraction(0)]
    for width in widths:
        borders.append(borders[-1] + width / whole)
    return Valuation(name, tuple(borders), tuple(height * whole / total for height in heights))


def read_valuations(texts: Iterable[str]) -> tuple[Valuation, ...]:
    """One for each text; people without a name are called A, B, C."""
    people = tuple(read_valuation(text, chr(ord("A") + number % 26)) for number, text in enumerate(texts))
    if not 1 <= len(people) <= MOST_PEOPLE:
        raise FormatError(f"a cake is for 1 to {MOST_PEOPLE} people, not {len(people)}")
    if len({person.name for person in people}) < len(people):
        raise FormatError("two people must not have the same name")
    return people


def _number(text: str, name: str, place: int) -> Fraction:
    if not NUMBER.fullmatch(text):
        raise FormatError(f"{name}, value {place}: '{text[:30]}' is not a number from 0 up, such as 2, 0.5 or 1/3")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise FormatError(f"{name}, value {place}: '{text[:30]}' divides by zero") from None
