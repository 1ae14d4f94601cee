"""What one side of a game between two people proposes to the other: taking back, a draw, a rematch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Offer", "Proposal"]

Proposal = Literal["takeback", "draw", "rematch"]


@dataclass(frozen=True)
class Offer:
    """What the holder of a seat proposes while node `at` is on the board; in a rematch the sides may be swapped."""

    what: Proposal
    seat: int
    at: int
    swap: bool = False

    def stands(self, *, over: bool) -> bool:
        """Whether it makes sense in a game that is over, or is not: a rematch after the end, all else before."""
        return (self.what == "rematch") == over
