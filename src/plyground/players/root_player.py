"""Players whose search goes through the root's moves one by one, and can be watched meanwhile."""

from __future__ import annotations

from plyground.players.player import Move, Player
from plyground.search.glimpse import Glimpse, Progress

__all__ = ["RootPlayer"]


class RootPlayer(Player):
    """`progress` is that of the last search; None before it, and where nothing was searched."""

    progress: Progress | None = None

    def thoughts(self) -> Move | None:
        progress = self.progress
        if progress is None or not (moves := progress.before or progress.moves):
            return None
        best = max(moves, key=lambda move: move.low)
        depth = progress.depth - bool(progress.before)
        return Move(best.action, progress.told(best), best.line, depth, progress.budget.nodes)

    def glimpse(self) -> Glimpse | None:
        return None if self.progress is None else self.progress.glimpse()
