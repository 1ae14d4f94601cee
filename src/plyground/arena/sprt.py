"""Is it stronger? Playing until the answer is sure enough, and no longer.

Wald's sequential probability ratio test (1945) of two hypotheses on a player's Elo difference to its opponent:
H0, it is `elo0`, against H1, it is `elo1`. Elo is that of the expected score, ``1 / (1 + 10^(-elo/400))``. How often
draws occur, and how much the two games of a pair hang together, is not known beforehand; the likelihood of each
hypothesis is its largest one over all of that (a generalised test). Games come in pairs, the same opening with the
colours exchanged, and the pair is what counts: its score is one of five. Single games work too, with three.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from plyground.errors import BadOption

__all__ = ["Sprt", "expected_score"]

PHANTOM = 1e-3
"""What is added to the count of every possible score, so that none is thought impossible."""
SCORES = (0.0, 0.5, 1.0)
MOST_STEPS = 60


def expected_score(elo: float) -> float:
    """What a player that is this many points stronger scores on average, from 0 to 1."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass
class Sprt:
    """A running test. `alpha` is the risk to say H1 when H0 is true, `beta` that to say H0 when H1 is.

    `pairs` counts the pairs by their score, 0, 1/2, 1, 3/2 and 2 of two points; `singles` the single games by 0, 1/2
    and 1. The ratio may be asked for after any game.

    >>> test = Sprt(0, 50)
    >>> for _ in range(40):
    ...     test.update(1, 0.5)
    >>> test.decision, round(test.llr, 2), round(test.bounds[1], 2)
    ('H1', 5.34, 2.94)
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    singles: list[int] = field(default_factory=lambda: [0] * 3)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise BadOption(f"elo0 must be less than elo1, and here are {self.elo0:g} and {self.elo1:g}")
        for name, risk in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < risk < 0.5:
                raise BadOption(f"{name} is a risk between 0 and 0.5, not {risk:g}")

    def update(self, first: float, second: float | None = None) -> None:
        """Add a pair of games by the player's scores in them, each 0, 1/2 or 1; or a single game."""
        for score in (first,) if second is None else (first, second):
            if score not in SCORES:
                raise BadOption(f"a game is scored 0, 0.5 or 1, not {score}")
        if second is None:
            self.singles[SCORES.index(first)] += 1
        else:
            self.pairs[round(2 * (first + second))] += 1

    @property
    def games(self) -> int:
        """How many games were counted."""
        return 2 * sum(self.pairs) + sum(self.singles)

    @property
    def score(self) -> float | None:
        """The mean score of a game; None before the first."""
        points = sum(k * n for k, n in enumerate(self.pairs)) / 2 + sum(k * n for k, n in enumerate(self.singles)) / 2
        return points / self.games if self.games else None

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test ends: at the lower one with H0, at the upper one with H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio of H1 to H0."""
        low, high = expected_score(self.elo0), expected_score(self.elo1)
        return sum(
            _log_likelihood(counts, high) - _log_likelihood(counts, low)
            for counts in (self.pairs, self.singles)
            if any(counts)
        )

    @property
    def decision(self) -> Literal["H0", "H1"] | None:
        """Which hypothesis the games are for; None while the test goes on."""
        low, high = self.bounds
        ratio = self.llr
        return "H1" if ratio >= high else "H0" if ratio <= low else None

    @property
    def text(self) -> str:
        """Where the test stands, for people."""
        low, high = self.bounds
        verdict = {
            None: "not decided yet",
            "H1": f"H1: {self.elo1:+g} Elo is more likely",
            "H0": f"H0: {self.elo0:+g} Elo is more likely",
        }[self.decision]
        return f"{verdict} (LLR {self.llr:+.2f}, bounds {low:.2f} and {high:+.2f}, {self.games} games)"


def _log_likelihood(counts: Sequence[int], mean: float) -> float:
    """The largest log-likelihood of the counts of scores, evenly spaced from 0 to 1, over all laws with this mean.

    The law is ``p_k = share_k / (1 + t (score_k - mean))`` with the t that makes it one (Owen's empirical likelihood).
    """
    weights = [count + PHANTOM for count in counts]
    total = sum(weights)
    gaps = [k / (len(counts) - 1) - mean for k in range(len(counts))]
    # All p are positive between these ends, and the equation falls from plus to minus infinity.
    low, high = -1 / gaps[-1], -1 / gaps[0]
    t = 0.0
    for _ in range(MOST_STEPS):
        value = slope = 0.0
        for weight, gap in zip(weights, gaps, strict=True):
            part = gap / (1 + t * gap)
            value += weight * part
            slope -= weight * part * part
        if abs(value) < 1e-10 * total:
            break
        low, high = (t, high) if value > 0 else (low, t)
        t -= value / slope
        if not low < t < high:
            t = (low + high) / 2
    return -sum(weight * math.log(1 + t * gap) for weight, gap in zip(weights, gaps, strict=True))
