"""What is proven of a value at a node of a search, while the search goes on.

A value is shown as far as what was seen proves it. At each node an interval is kept, and what was never looked at can
be anything:

    a MAX node lies between the largest lower and the largest upper bound of its children,
    a MIN node between the smallest lower and the smallest upper one,
    a chance node between the means of both.

Where a quiescence search lets the player to move stand on the evaluation, that counts as one child more.

So a node that was cut shows "≤ 2" or "≥ 5", and one whose children are all known shows its value.
"""

from __future__ import annotations

import math

from plyground.core.recording import Event
from plyground.core.rules import CHANCE, probability
from plyground.search.scale import Scale
from plyground.watch.search_tree import Place

__all__ = ["achieves", "leaf_bounds", "measure"]


def leaf_bounds(place: Place, event: Event) -> tuple[float, float]:
    """The value of a leaf is exact; one from a table is so only inside the window that was asked for."""
    assert isinstance(event.value, float)
    above = place.parent.window if place.parent is not None else None
    if event.kind == "evaluated" or above is None or above[0] < event.value < above[1]:
        return event.value, event.value
    bounds = (-math.inf, event.value) if event.value <= above[0] else (event.value, math.inf)
    return max(place.low, bounds[0]), min(place.high, bounds[1])


def measure(place: Place, player: int, scale: Scale) -> None:
    """Note what the children prove of a node, together with what was known before; `player` is MAX."""
    lows, highs = [], []
    for action, child in place.children.items():
        if place.mover == CHANCE:
            chance = float(probability(place.state, action))
            least, most = scale.low, scale.high
            lows.append(chance * max(child.low, least) if chance else 0.0)
            highs.append(chance * min(child.high, most) if chance else 0.0)
        else:
            lows.append(child.low)
            highs.append(child.high)
    if place.stand is not None:
        lows.append(place.stand)
        highs.append(place.stand)
    if place.mover == CHANCE:
        low, high = math.fsum(lows), math.fsum(highs)
    else:
        best = max if place.mover == player else min
        low, high = best(lows), best(highs)
    place.low, place.high = max(place.low, low), min(place.high, high)
    place.low = min(place.low, place.high)  # two ways to the same mean may round differently


def achieves(place: Place, child: Place, player: int) -> bool:
    """Whether a move proves what its player is sure of; where all moves fail, none is known to be best."""
    if place.mover == player:
        return child.low == place.low > -math.inf and place.bound != "most"
    return child.high == place.high < math.inf and place.bound != "least"
