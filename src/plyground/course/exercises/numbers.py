"""Numbers as students write them, and as they are written for students."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable
from fractions import Fraction

__all__ = ["close", "is_number", "number_words", "read_number", "read_numbers", "vector_words"]

DECIMAL = re.compile(r"[+-]?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})%?")
RATIO = re.compile(r"([+-]?\d{1,9})/(\d{1,9})")
INFINITY = re.compile(r"([+-]?)(∞|inf|infinity|oo)", re.I)
LONGEST = 200
"""Characters of an answer; no right one is longer."""


def read_number(text: str) -> float | None:
    """A number such as ``3``, ``-2.5``, ``1/3``, ``50%``, ``+∞`` or ``-inf``, also in full-width signs; or None.

    >>> read_number("−1/4"), read_number("∞"), read_number("two")
    (-0.25, inf, None)
    """
    plain = "".join(unicodedata.normalize("NFKC", text[:LONGEST]).replace("−", "-").replace("–", "-").split())
    if DECIMAL.fullmatch(plain):
        return float(plain[:-1]) / 100 if plain.endswith("%") else float(plain)
    if (ratio := RATIO.fullmatch(plain)) and int(ratio[2]):
        return int(ratio[1]) / int(ratio[2])
    if endless := INFINITY.fullmatch(plain):
        return -math.inf if endless[1] == "-" else math.inf
    return None


def read_numbers(text: str, count: int) -> tuple[float, ...] | None:
    """So many numbers in a line, between commas, semicolons or blanks, with brackets around them or without.

    >>> read_numbers("(−∞, 3]", 2), read_numbers("1 2", 3)
    ((-inf, 3.0), None)
    """
    plain = unicodedata.normalize("NFKC", text[:LONGEST]).strip().strip("()[]")
    parts = [part for part in re.split(r"[,;、\s]+", plain) if part]
    found = [read_number(part) for part in parts]
    if len(found) != count or None in found:
        return None
    return tuple(value for value in found if value is not None)


def close(given: float | None, right: float, tolerance: float = 1e-6) -> bool:
    """Whether an answer is the right number, or near enough."""
    return given is not None and (given == right or (math.isfinite(right) and abs(given - right) <= tolerance))


def is_number(right: float, tolerance: float = 1e-6) -> Callable[[str], bool]:
    """Whether a text is the right number, or near enough."""
    return lambda given: close(read_number(given), right, tolerance)


def number_words(value: float | Fraction) -> str:
    """A number for people: a true minus, infinity as a sign, at most four decimals.

    >>> number_words(-2.5), number_words(float("inf")), number_words(3.0)
    ('−2.5', '+∞', '3')
    """
    if isinstance(value, float) and math.isinf(value):
        return "+∞" if value > 0 else "−∞"
    text = f"{float(value):.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")


def vector_words(values: tuple[float, ...] | list[float]) -> str:
    """Numbers in brackets, such as ``(1, 2, 6)``."""
    return f"({', '.join(map(number_words, values))})"
