"""Random numbers for searches and playouts: a seeded stream in an array, the same interpreted and compiled.

The generator is splitmix64 (Steele, Lea, Flood 2014): one addition and one mix a number. The array's first word is the
stream's whole state, so compiled code can advance it in place and two runs from one seed are the same to the bit.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.native.bits import MASK64, mix64
from plyground.native.overloads import native

__all__ = ["Stream", "fresh_seed", "random_below", "random_unit", "stream"]

Stream = NDArray[np.uint64]
CACHE_LINES = 16
"""Words in two cache lines: threads that each write their own stream must not share a line."""
_GOLDEN = 0x9E3779B97F4A7C15


def fresh_seed() -> int:
    """A random seed, short enough to read out and type again."""
    return secrets.randbelow(1_000_000_000)


def stream(seed: int, *names: int) -> Stream:
    """The stream of a seed; further whole numbers name independent streams of the same seed."""
    word = int(mix64(seed))
    for name in names:
        word = int(mix64((word + _GOLDEN + name) & MASK64))
    state = np.zeros(CACHE_LINES, dtype=np.uint64)
    state[0] = word
    return state


def random_word(rng: Any) -> Any:
    """The next 64 random bits."""
    rng[0] = (int(rng[0]) + _GOLDEN) & MASK64
    return mix64(rng[0])


def random_below(rng: Any, n: Any) -> int:
    """A whole number from 0 to n-1, each as likely (to within n / 2^32)."""
    return (int(random_word(rng)) >> 32) * int(n) >> 32


def random_unit(rng: Any) -> float:
    """A number in [0, 1)."""
    return (int(random_word(rng)) >> 11) * 2.0**-53


@native(random_word)
def _random_word(rng: Any) -> Any:
    def impl(rng):  # type: ignore[no-untyped-def]
        rng[0] += np.uint64(_GOLDEN)
        return mix64(rng[0])

    return impl


@native(random_below)
def _random_below(rng: Any, n: Any) -> Any:
    return lambda rng, n: np.int64((random_word(rng) >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))


@native(random_unit)
def _random_unit(rng: Any) -> Any:
    return lambda rng: np.float64(random_word(rng) >> np.uint64(11)) * 2.0**-53
