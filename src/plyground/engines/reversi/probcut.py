"""Multi-ProbCut: leave out what a shallow search says is hopeless (M. Buro, "Experiments with Multi-ProbCut and a new
high-quality evaluation function for Othello", 1997).

The value v of a search to some depth is predicted by the value v' of a shallower one: v - v' has mean 0 and a standard
deviation that we fit (`plyground train probcut`). If v' is enough deviations beyond the window, the deep search is
skipped. How many is the confidence: the share of normally distributed errors that stay within.
"""

from __future__ import annotations

import math

import numpy as np

from plyground.native.compiling import compiled

__all__ = ["CONFIDENCES", "DEVIATIONS", "PROBE_DEPTHS", "PROBE_FROM", "deviation"]

DEVIATIONS = (1.1, 1.5, 2.0, 2.6, 3.3)
CONFIDENCES = ("73%", "87%", "95%", "99%", "99.9%", "100%")
PROBE_FROM = 4
"""The least depth that is worth a shallow search first."""
PROBE_DEPTHS = np.array([max(0, depth // 4 * 2 - 2 + depth % 2) for depth in range(64)], np.int64)
"""The depth of the shallow search for each depth. Both see the same side to move at their leaves: whoever has just
moved is rated too high."""
FIT = (1.1282, -0.0087, 0.3227, -0.0597)
"""Constant, for each empty square, for the logarithm of the depths' difference, for each ply of the shallow search."""


@compiled
def deviation(empties: int, depth: int, shallow: int) -> float:
    """The standard deviation, in discs, between searches to these depths."""
    return math.exp(FIT[0] + FIT[1] * empties + FIT[2] * math.log(depth - shallow) + FIT[3] * shallow)
