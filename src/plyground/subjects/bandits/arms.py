"""The arms of a bandit: what each pays on average, and how its rewards vary.

A Bernoulli arm pays 1 with probability p and otherwise 0. A Gaussian arm pays its mean plus normal noise of standard
deviation sigma, the same for all arms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from plyground.errors import BadOption

__all__ = ["Arms", "parse_arms"]

MOST_ARMS = 1000
LARGEST = 1e9
"""Means and deviations beyond this would lose their digits in sums of squares."""


@dataclass(frozen=True)
class Arms:
    """The arms: `means` in order; `sigma` is None for Bernoulli arms, else the standard deviation of the noise.

    >>> arms = Arms((0.6, 0.55, 0.4))
    >>> arms.best, [round(gap, 2) for gap in arms.gaps]
    (0.6, [0.0, 0.05, 0.2])
    """

    means: tuple[float, ...]
    sigma: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.means) <= MOST_ARMS:
            raise BadOption(
                f"a bandit has 1 to {MOST_ARMS} arms, not {len(self.means)}; write their means, such as 0.6,0.55,0.4"
            )
        for number, mean in enumerate(self.means, 1):
            if self.sigma is None and not 0 <= mean <= 1:
                raise BadOption(f"arm {number} must pay with a probability from 0 to 1, not {mean:g}")
            if not abs(mean) <= LARGEST:
                raise BadOption(f"the mean of arm {number} must be a number of at most {LARGEST:g}, not {mean:g}")
        if self.sigma is not None and not 0 <= self.sigma <= LARGEST:
            raise BadOption(
                f"the standard deviation of Gaussian arms must be from 0 to {LARGEST:g}, not {self.sigma:g}"
            )

    def __len__(self) -> int:
        return len(self.means)

    @property
    def best(self) -> float:
        """The largest mean."""
        return max(self.means)

    @property
    def gaps(self) -> tuple[float, ...]:
        """By how much each arm's mean falls short of the best: Delta_i."""
        return tuple(self.best - mean for mean in self.means)

    @property
    def scale(self) -> float:
        """How much wider than those of rewards in [0, 1] the confidence intervals are: 1, or 2 sigma.

        Hoeffding's inequality for [0, 1] is the one for normal noise with a standard deviation of one half.
        """
        return 1.0 if self.sigma is None else 2 * self.sigma


def parse_arms(text: str, sigma: float | None = None) -> Arms:
    """The arms that a text such as ``0.6,0.55,0.4`` lists.

    >>> parse_arms("0.6, 0.5")
    Arms(means=(0.6, 0.5), sigma=None)
    """
    means = []
    for part in text.split(",") if text.strip() else []:
        try:
            mean = float(part)
        except ValueError:
            raise BadOption(f"'{part.strip()}' is not an arm's mean; write numbers, such as 0.6,0.55,0.4") from None
        if not math.isfinite(mean):
            raise BadOption(f"an arm's mean must be a finite number, not {mean:g}")
        means.append(mean)
    return Arms(tuple(means), sigma)
