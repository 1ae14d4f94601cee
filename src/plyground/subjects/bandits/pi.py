"""Estimating pi by random points: the oldest Monte Carlo experiment.

A circle of radius 1 fills pi / 4 of the square around it. Of n random points in the square, the share that falls into
the circle is therefore close to pi / 4. Four times that share is an estimate of pi with no bias and with the standard
deviation sqrt(pi (4 - pi) / n), about 1.64 / sqrt(n): a hundred times the points give one more digit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BadOption
from plyground.native.compiling import compiled
from plyground.native.randomness import random_unit, stream
from plyground.subjects.bandits.experiment import recording_times

__all__ = ["STANDARD_DEVIATION", "PiErrors", "PiEstimate", "count_inside", "estimate_pi", "pi_errors", "random_points"]

STANDARD_DEVIATION = math.sqrt(math.pi * (4 - math.pi))
"""Of an estimate from one point; from n points it is this over sqrt(n)."""

MOST_POINTS = 10**12
WORK = 20_000_000
"""Points between two looks at the keyboard: a fraction of a second."""

Progress = Callable[[float], None]


@compiled
def count_inside(points: int, rng: Any) -> int:
    """Throw random points into the square from -1 to 1; how many fall into the circle of radius 1."""
    inside = 0
    for _ in range(points):
        x, y = 2.0 * random_unit(rng) - 1.0, 2.0 * random_unit(rng) - 1.0
        if x * x + y * y <= 1.0:
            inside += 1
    return inside


@dataclass(frozen=True)
class PiEstimate:
    """The estimates of one run after `times` points, shape (times,)."""

    times: NDArray[np.int64]
    estimates: NDArray[np.float64]

    @property
    def value(self) -> float:
        """The last estimate."""
        return float(self.estimates[-1])

    @property
    def error(self) -> float:
        """The standard error of the last estimate, as somebody who does not know pi would state it.

        It counts one more point inside and one more outside, so that a few points do not seem to be sure.
        """
        n = int(self.times[-1])
        share = (self.value / 4 * n + 1) / (n + 2)
        return 4 * math.sqrt(share * (1 - share) / n)


@dataclass(frozen=True)
class PiErrors:
    """The root mean square error of `runs` independent runs after `times` points, shape (times,)."""

    times: NDArray[np.int64]
    errors: NDArray[np.float64]
    runs: int


def random_points(count: int, seed: int) -> list[tuple[float, float]]:
    """The first points that `estimate_pi` throws from this seed."""
    rng = stream(seed, 0)
    return [(2.0 * random_unit(rng) - 1.0, 2.0 * random_unit(rng) - 1.0) for _ in range(count)]


def estimate_pi(points: int, seed: int, *, run: int = 0, on_progress: Progress | None = None) -> PiEstimate:
    """Estimate pi from this many random points, with the estimates on the way there.

    >>> estimate_pi(1000, seed=7).value == estimate_pi(1000, seed=7).value
    True
    """
    if not 1 <= points <= MOST_POINTS:
        raise BadOption(f"points must be from 1 to {MOST_POINTS:,}, not {points}")
    decades = [10**power for power in range(len(str(points)))]
    times = np.union1d(recording_times(points, 100, log=True), decades)
    estimates = np.zeros(len(times))
    rng, inside, done = stream(seed, run), 0, 0
    for index, time in enumerate(times.tolist()):
        while done < time:
            part = min(WORK, time - done)
            inside += count_inside(part, rng)
            done += part
            if on_progress is not None:
                on_progress(done / points)
        estimates[index] = 4 * inside / time
    return PiEstimate(times, estimates)


def pi_errors(points: int, runs: int, seed: int, *, on_progress: Progress | None = None) -> PiErrors:
    """How far the estimates of many independent runs are from pi, as the root of the mean square."""
    if runs < 1:
        raise BadOption(f"runs must be at least 1, not {runs}")
    squares = np.zeros(1)
    for run in range(runs):
        one = estimate_pi(points, seed, run=run)
        squares = squares + (one.estimates - math.pi) ** 2
        if on_progress is not None:
            on_progress((run + 1) / runs)
    return PiErrors(one.times, np.sqrt(squares / runs), runs)
