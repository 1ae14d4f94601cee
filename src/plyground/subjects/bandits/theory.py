"""What can be proved: Hoeffding's confidence radius, and the logarithmic bound on the regret of UCB1."""

from __future__ import annotations

import math

from plyground.errors import BadOption
from plyground.subjects.bandits.arms import Arms

__all__ = ["hoeffding_radius", "ucb1_bound"]


def hoeffding_radius(t: int, pulls: int, scale: float = 1.0) -> float:
    """How far the mean of `pulls` rewards may be from the truth at time `t`: scale * sqrt(2 ln t / pulls).

    For rewards in [0, 1] each side is exceeded with probability at most t^-4; for noise of standard deviation sigma
    the same holds with ``scale=2 * sigma``. An arm never pulled may be anything: its radius is infinite.

    >>> round(hoeffding_radius(10_000, 100), 4)
    0.4292
    """
    if t < 1 or pulls < 0:
        raise BadOption(f"a radius needs a time of at least 1 and pulls of at least 0, not {t} and {pulls}")
    return scale * math.sqrt(2 * math.log(t) / pulls) if pulls else math.inf


def ucb1_bound(arms: Arms, pulls: int) -> float:
    """An upper bound on the expected pseudo-regret of UCB1 (C = 1) after this many pulls.

    Auer, Cesa-Bianchi and Fischer (2002), Theorem 1: the sum over the arms with Delta_i > 0 of
    8 ln n / Delta_i, plus (1 + pi^2 / 3) times the sum of all Delta_i.

    >>> round(ucb1_bound(Arms((0.6, 0.55, 0.4)), 10_000), 1)
    1843.1
    """
    if pulls < 1:
        raise BadOption(f"pulls must be at least 1, not {pulls}")
    if arms.scale > 1:
        raise BadOption(f"the bound holds for Gaussian arms up to a standard deviation of 0.5, not {arms.sigma:g}")
    gaps = [gap for gap in arms.gaps if gap > 0]
    return sum(8 * math.log(pulls) / gap for gap in gaps) + (1 + math.pi**2 / 3) * sum(gaps)
