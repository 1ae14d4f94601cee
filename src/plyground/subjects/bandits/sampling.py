"""Random numbers of other laws than the uniform one, from a stream of `plyground.native.randomness`."""

from __future__ import annotations

import math
from typing import Any

from plyground.native.compiling import compiled
from plyground.native.randomness import random_unit

__all__ = ["random_beta", "random_gamma", "random_normal"]


@compiled
def random_normal(rng: Any) -> float:
    """A standard normal number, by Marsaglia's polar method (Marsaglia and Bray 1964)."""
    while True:
        x, y = 2.0 * random_unit(rng) - 1.0, 2.0 * random_unit(rng) - 1.0
        s = x * x + y * y
        if 0.0 < s < 1.0:
            return x * math.sqrt(-2.0 * math.log(s) / s)


@compiled
def random_gamma(shape: float, rng: Any) -> float:
    """A number of the gamma law with this shape > 0 and scale 1 (Marsaglia and Tsang 2000)."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - random_unit(rng)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = random_normal(rng)
        v = 1.0 + c * x
        if v <= 0.0:
            continue
        v = v * v * v
        u = 1.0 - random_unit(rng)
        square = x * x
        if u < 1.0 - 0.0331 * square * square or math.log(u) < 0.5 * square + d * (1.0 - v + math.log(v)):
            return boost * d * v


@compiled
def random_beta(a: float, b: float, rng: Any) -> float:
    """A number of the beta law with shapes a, b > 0, as the share of one gamma number in the sum of two."""
    x = random_gamma(a, rng)
    y = random_gamma(b, rng)
    if x + y == 0.0:  # both shapes are so small that the law is a coin toss between 0 and 1
        return 1.0 if random_unit(rng) * (a + b) < a else 0.0
    return x / (x + y)
