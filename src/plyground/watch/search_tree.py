"""The tree that a search has met: where each event took place, and what is known of each place."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import Any

from plyground.core.game import actions, result, terminal, to_move
from plyground.core.recording import Event, Value
from plyground.watch.narration import Bound

__all__ = ["MOST_NODES", "Place", "all_places", "grow_whole", "places_of"]

MOST_NODES = 20_000
"""How many nodes a drawing may hold."""


class Place:
    """A node of the tree that is drawn, and what is known of it so far."""

    __slots__ = (
        "action", "asked", "best", "children", "high", "low", "name", "number", "parent", "state", "value", "window",
    )  # fmt: skip

    def __init__(self, state: Any, parent: Place | None = None, action: int = -1) -> None:
        self.state, self.parent, self.action = state, parent, action
        self.children: dict[int, Place] = {}
        self.number, self.name = -1, ""
        self.low, self.high = -math.inf, math.inf
        self.value: Value | None = None
        self.best: int | None = None
        self.asked = (-math.inf, math.inf)
        self.window: tuple[float, float] | None = None

    def grow(self) -> None:
        """Add the children, in the order in which the game lists them."""
        if not self.children:
            options = actions(self.state)
            self.children = {action: Place(result(self.state, action), self, action) for action in options}

    @property
    def bound(self) -> Bound:
        """What is told of the value: outside the window that was asked for, only the bound that matters there."""
        if self.low == self.high:
            return "exact"
        if self.high <= self.asked[0]:
            return "most"
        if self.low >= self.asked[1]:
            return "least"
        if math.isinf(self.low) and math.isinf(self.high):
            return ""
        return "most" if math.isinf(self.low) else "least" if math.isinf(self.high) else "between"

    @property
    def mover(self) -> int:
        return int(to_move(self.state))

    @property
    def ended(self) -> bool:
        return bool(terminal(self.state))


def places_of(events: Sequence[Event], root: Place) -> list[Place]:
    """The place of each event. A node that is entered again is the same place."""
    hints: list[int | None] = [None] * len(events)  # the action of a node that is entered, as it will be backed up
    later: dict[int, int | None] = {}
    for i in range(len(events) - 1, -1, -1):
        event = events[i]
        if event.kind == "backed_up":
            later[event.ply] = event.action
        elif event.kind == "entered":
            hints[i] = later.get(event.ply - 1)
    path: list[Place] = []
    found = []
    for event, hint in zip(events, hints, strict=True):
        if event.kind == "entered":
            path.append(_entered(path[-1], event.state, hint) if path else root)
        elif event.kind not in ("evaluated", "looked_up"):
            path[-1].grow()
        found.append(path[-1])
        if event.kind in ("evaluated", "looked_up", "chose"):
            path.pop()
    return found


def _entered(parent: Place, state: Any, hint: int | None) -> Place:
    """The child that is this state; `hint` tells which, where two actions lead to the same state."""
    parent.grow()
    if hint is not None and hint in parent.children and parent.children[hint].state == state:
        return parent.children[hint]
    return next(child for child in parent.children.values() if child.state == state)


def all_places(root: Place) -> list[Place]:
    """The places by levels; siblings stand together."""
    found: list[Place] = []
    waiting = deque([root])
    while waiting:
        place = waiting.popleft()
        place.number = len(found)
        found.append(place)
        waiting.extend(place.children.values())
    return found


def grow_whole(root: Place) -> None:
    """Add all that was never visited, which a given tree has."""
    waiting = [root]
    while waiting:
        place = waiting.pop()
        if not place.ended:
            place.grow()
            waiting.extend(place.children.values())
