"""Where a student's search first does something else than a right one would, told in values and not yet in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Difference"]


@dataclass(frozen=True)
class Difference:
    """The first difference.

    `kind` names the sentence for it, and `parts` are what the sentence needs: numbers are to MAX. `place` is the number
    of the position. `cause` names a known mistake that would look like this, or is "". `moment` counts the events until
    then. `costs` says that the values are not touched: the search only takes longer.
    """

    kind: str
    place: int
    parts: Mapping[str, Any] = field(default_factory=dict)
    cause: str = ""
    moment: int = 0
    costs: bool = False
    besides: Difference | None = None
    """Something before it that only costs time."""
    seen: Mapping[int, float] = field(default_factory=dict)
    """The values that the program itself has found along the way to the place and beside it, by position."""
