"""Players whose search goes through the root's moves one by one, and can be watched meanwhile."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, Literal

from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.native.randomness import fresh_seed, random_below, stream
from plyground.players.endgame_option import Endgame, EndgameOption
from plyground.players.player import Move, Position
from plyground.players.search_player import SearchPlayer
from plyground.search.endgame_table import EndgameTable, NoTable
from plyground.search.glimpse import Glimpse, Progress
from plyground.search.result import RootResult

__all__ = ["USUAL", "RootOptions", "RootPlayer"]

DEFAULT_LIMIT = Limit(time=1.0)


@dataclass(frozen=True)
class RootOptions:
    """The options that all these players have."""

    depth: Annotated[int | None, "decisions to look ahead; as deep as the other limits allow if not set"] = None
    time: Annotated[float | None, "seconds a move; 1 if no limit is set"] = None
    nodes: Annotated[int | None, "positions to look at for a move"] = None
    evaluation: Annotated[str, "another evaluation that the game has, or your own as file.py:function"] = ""
    endgame: Endgame = ""
    ties: Annotated[Literal["first", "random"], "which of equally good moves to play"] = "random"
    seed: Annotated[int | None, "seed of the choice between equally good moves"] = None


USUAL = RootOptions()


class RootPlayer(SearchPlayer):
    """Plays one of the best moves: the first one, or one at random.

    In a position that is in the endgame table nothing is searched. `progress` is that of the last search; None before
    it, and where nothing was searched.
    """

    progress: Progress | None = None

    def __init__(self, options: RootOptions) -> None:
        limit = Limit(time=options.time, nodes=options.nodes, depth=options.depth)
        self.limit = DEFAULT_LIMIT if limit == Limit() else limit
        self._evaluation, self._ties = options.evaluation, options.ties
        self._endgame = EndgameOption(options.endgame)
        self._rng = stream(fresh_seed() if options.seed is None else options.seed)

    @abstractmethod
    def searched(
        self, position: Position, limit: Limit, table: EndgameTable | NoTable, progress: Progress
    ) -> RootResult:
        """What the player's search finds within this limit."""

    def open_table(self, game: Game) -> EndgameTable | NoTable:
        """The endgame table for this game."""
        return self._endgame.open_for(game)

    def find(self, position: Position, limit: Limit) -> RootResult:
        self.progress = None
        table = self.open_table(position.game)
        found = self._endgame.found(position)
        if found is None:
            self.progress = Progress()
            found = self.searched(position, self.limit.within(limit), table, self.progress)
        place = random_below(self._rng, len(found.best)) if self._ties == "random" else 0
        return found.choosing(found.best[place])

    def thoughts(self) -> Move | None:
        progress = self.progress
        if progress is None or not (moves := progress.before or progress.moves):
            return None
        best = max(moves, key=lambda move: move.low)
        depth = progress.depth - bool(progress.before)
        return Move(best.action, progress.told(best), best.line, depth, progress.budget.nodes)

    def glimpse(self) -> Glimpse | None:
        return None if self.progress is None else self.progress.glimpse()
