"""Players that search: their move is what the search has found."""

from __future__ import annotations

import time as clock
from abc import abstractmethod

from plyground.core.limits import Limit
from plyground.players.player import Move, Player, Position
from plyground.search.result import SearchResult

__all__ = ["SearchPlayer"]


class SearchPlayer(Player):
    """A player whose moves are the results of a search."""

    @abstractmethod
    def find(self, position: Position, limit: Limit) -> SearchResult:
        """What the search finds where it is this player's turn; `limit` comes on top of the player's own."""

    def choose(self, position: Position, limit: Limit) -> Move:
        start = clock.perf_counter()
        found = self.find(position, limit)
        return self.move_of(found, clock.perf_counter() - start)

    def move_of(self, found: SearchResult, time: float | None = None) -> Move:
        """A result as a move that took this many seconds; None if it is not to be played yet."""
        nodes = found.nodes if found.simulations is None else found.simulations
        return Move(found.action, found.value, found.line, found.depth, nodes, time, found.cuts)
