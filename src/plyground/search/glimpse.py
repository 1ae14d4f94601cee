"""What a search shows of itself while it runs, to another thread that looks on.

A search writes nothing for whoever looks on but what it keeps for itself: its table, the root's moves, its counters. So
looking costs it nothing. What is read may be a moment old, and two numbers a moment apart.
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from plyground.core.limits import Budget
from plyground.search.scale import UNCHECKED, Scale

__all__ = ["Glimpse", "Kind", "Known", "Progress", "RootMove", "now_and_then"]


Kind = Literal["windows", "values", "averages", "shares", "playouts", "book"]


@dataclass(frozen=True)
class Known:
    """What a table holds of a position: bounds on its value, the plies searched below it, an action.

    The action is the best one, or the one that made the cut; None if there is none. `depth` is infinite where the game
    was searched to its end.
    """

    low: float
    high: float
    depth: float
    action: int | None = None


@dataclass(frozen=True)
class RootMove:
    """A move at the root: bounds on its value, which are equal if it is exact, and what would follow it.

    `window` is what it was searched with; `visits` are its playouts; `values` is what each player gets, where that is
    counted. What does not apply is None.
    """

    action: int
    low: float = -math.inf
    high: float = math.inf
    window: tuple[float, float] | None = None
    visits: int | None = None
    line: tuple[int, ...] = ()
    values: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Glimpse:
    """A search at this moment. All values are to the player to move at the root, in the units of the search.

    `kind` says what it does: search with windows that cut, search everything, average over chance, count for every
    player, play out at random, or look up in a book.
    `depth` is that of the look that is running, `moves` are those that it has finished, in this order, and `before`
    those of the last look that was completed. `known` answers for any position below the root. `scale` tells utilities
    from evaluations; values of the unit "discs" do not need it.
    """

    kind: Kind
    nodes: int
    depth: int | None = None
    moves: tuple[RootMove, ...] = ()
    before: tuple[RootMove, ...] = ()
    window: tuple[float, float] | None = None
    cuts: int | None = None
    first_cuts: int | None = None
    known: Callable[[Any], Known | None] = lambda state: None
    scale: Scale = UNCHECKED
    unit: Literal["utility", "discs"] = "utility"


@dataclass
class Progress:
    """Where a search that goes through the root's moves one by one leaves what it has found of them.

    `searching` reads the moves of the look that is running where compiled code goes through them; they are also in
    `moves` when the look is completed. `player` is who chooses.
    """

    kind: Kind = "values"
    scale: Scale = UNCHECKED
    budget: Budget = field(default_factory=Budget)
    player: int = 0
    depth: int = 0
    moves: tuple[RootMove, ...] = ()
    before: tuple[RootMove, ...] = ()
    searching: Callable[[], tuple[RootMove, ...]] = tuple

    def begin(self, depth: int) -> None:
        """A look of this depth begins, perhaps again because values are counted differently now."""
        if depth != self.depth:
            self.before = self.moves
        self.moves, self.depth = (), depth

    def finish(self, action: int, value: float, line: tuple[int, ...]) -> None:
        """A move is searched."""
        self.moves = (*self.moves, RootMove(action, value, value, line=line))

    def complete(self) -> None:
        """The look of compiled code has gone through all moves."""
        self.moves = self.searching()

    def told(self, move: RootMove) -> float:
        """What a move is worth to whoever chooses, as people are shown it."""
        return self.scale.told(move.low if move.values is None else move.values[self.player])

    def glimpse(self) -> Glimpse:
        """The search at this moment."""
        moves = self.moves or self.searching()
        best = max((move.low for move in moves), default=-math.inf)
        window = (best, math.inf) if self.kind == "averages" else None
        return Glimpse(self.kind, self.budget.nodes, self.depth, moves, self.before, window=window, scale=self.scale)


@contextlib.contextmanager
def now_and_then(tell: Callable[[], None], pause: float) -> Iterator[None]:
    """While the context lasts, another thread reports something again and again, `pause` seconds apart."""
    over = threading.Event()

    def listen() -> None:
        while not over.wait(pause):
            with contextlib.suppress(Exception):  # what is read while it is written may make no sense
                tell()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
