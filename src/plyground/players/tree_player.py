"""What players who search with a tree have in common: the search of the game at hand, thinking aloud, thinking on."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.errors import BadOption
from plyground.games.reversi import on_8x8
from plyground.native.randomness import fresh_seed
from plyground.players.player import Move, Position
from plyground.players.search_player import SearchPlayer
from plyground.search.mcts_variant import GAME, GREEDY, LEARNED, UNIFORM
from plyground.search.tree_search import TreeResult, TreeSearch

__all__ = ["ROLLOUTS", "TreePlayer", "learned_rollouts"]

ROLLOUTS = {"uniform": UNIFORM, "game": GAME, "greedy": GREEDY, "learned": LEARNED}
"""How playouts are played, by the names that options have."""


def learned_rollouts(player: str, game: Game) -> Any:
    """The package's learned policy of playouts; `BadOption`, to a player of this name, if the game has none."""
    if not on_8x8(game):
        raise BadOption(f"{player}: rollout=learned is for Reversi on 8x8 squares; for {game.spec} write rollout=game")
    from plyground.engines.reversi.rollout import load_rollout

    return load_rollout()


class TreePlayer(SearchPlayer):
    """A player with a `TreeSearch`, whose tree is kept from move to move. `memory` is in bytes.

    All of their options have `limit`, `memory` in megabytes, `reuse`, `ponder` and `seed`.
    """

    def __init__(self, options: Any) -> None:
        self.limit, self.memory = options.limit, int(options.memory * 1e6)
        self.seed = fresh_seed() if options.seed is None else options.seed
        self.reuse = options.reuse or options.ponder
        self._ponder = options.ponder
        self._search: TreeSearch | None = None

    @abstractmethod
    def new_search(self, game: Game) -> TreeSearch:
        """A search of this game with the player's options; `BadOption` if they do not fit the game."""

    @property
    def search(self) -> TreeSearch | None:
        """The search of the game that was prepared last."""
        return self._search

    def prepare(self, game: Game) -> None:
        self.search_of(game).prepare()

    def search_of(self, game: Game) -> TreeSearch:
        """The search of this game, a new one if the last was of another."""
        if self._search is None or self._search.game is not game:
            self._search = self.new_search(game)
        return self._search

    def searched(self, position: Position, limit: Limit) -> TreeResult:
        """What a search within this limit finds."""
        return self.search_of(position.game).search(position.state, limit, position.history)

    def thoughts(self) -> Move | None:
        found = None if self._search is None else self._search.thoughts()
        return self.move_of(found) if found is not None and found.children else None

    def pondering(self, position: Position) -> AbstractContextManager[None]:
        if not self._ponder:
            return nullcontext()
        return self.search_of(position.game).pondering(position.state, position.history)
