"""How the values of a search are written: in points where the game has them, as bounds, and as windows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from plyground.core.game import Points
from plyground.core.recording import Value
from plyground.core.rules import terminal
from plyground.search.scale import Scale

__all__ = ["Bound", "SearchNumbers", "plain"]

MINUS, INFINITY = "\N{MINUS SIGN}", "\N{INFINITY}"
Bound = Literal["exact", "most", "least", "between", ""]
"""How much is known of a value: itself, a bound from above, one from below, both, or nothing."""


@dataclass(frozen=True)
class SearchNumbers:
    """How values are written: in points where the game has them, with a true minus sign.

    `scale` is how the search has counted. If it had to stretch the utilities, a win and a loss are words, since
    no number would say that they are beyond all evaluations. Where one agent is `alone`, its own value is all there is.
    """

    points: Points | None
    scale: Scale
    alone: bool = False

    def text(self, value: Value) -> str:
        if isinstance(value, tuple):
            told = [self.text(number) for number in value]
            return told[0] if self.alone else f"({', '.join(told)})"
        points = self.points
        if points is None and self.scale.factor != 1.0 and not self.scale.averages:
            points = Points(1.0)
        if math.isinf(value) or points is None:
            return plain(value if math.isinf(value) else self.scale.told(value))
        if value >= self.scale.high:
            return points.win
        if value <= self.scale.low:
            return points.loss
        return plain(self.scale.told(value) / points.size)

    def told(self, bound: Bound, low: float, high: float) -> Bound:
        """The same bound, or "exact" for a win, since nothing is better, and for a loss."""
        if self.points and (low >= self.scale.high or high <= self.scale.low):
            return "exact"
        return bound

    def bounded(self, bound: Bound, low: float, high: float) -> str:
        """What is known of a value that lies between these."""
        bound = self.told(bound, low, high)
        if bound == "between":
            return f"{self.text(low)} … {self.text(high)}"
        return {
            "exact": self.text(high if math.isinf(low) else low),
            "most": f"≤ {self.text(high)}",
            "least": f"≥ {self.text(low)}",
            "": "",
        }[bound]

    def window(self, alpha: float, beta: float) -> str:
        low, high = self.text(alpha), self.text(beta)
        if math.isfinite(alpha) and np.nextafter(alpha, math.inf) == beta:
            # A null window: two neighbouring numbers, one of which is somebody's value.
            if round(alpha, 9) == alpha:
                high = f"{low}+ε"
            else:
                low = f"{high}{MINUS}ε"
        return f"α = {low}, β = {high}"

    def terms(self, state: Any) -> str:
        return self.points.terms(state) if self.points and self.points.terms and not terminal(state) else ""


def plain(value: float) -> str:
    """A number without needless digits.

    >>> plain(-2.5), plain(12345.0), plain(1 / 3), plain(float("inf"))
    ('−2.5', '12345', '0.333', '+∞')
    """
    if math.isinf(value):
        return f"{'+' if value > 0 else MINUS}{INFINITY}"
    shown = f"{round(value, 3):.12g}" if abs(value) >= 0.001 or value == 0 else f"{value:.2g}"
    return shown.replace("-", MINUS) if shown != "-0" else "0"
