"""The minimax player: looks ahead by plain minimax, deeper and deeper while the limit allows."""

from __future__ import annotations

from typing import ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Budget, Limit
from plyground.players.player import Player, Position
from plyground.players.root_player import USUAL, RootOptions, RootPlayer
from plyground.search.endgame_table import EndgameTable, NoTable
from plyground.search.evaluations import find_evaluation
from plyground.search.glimpse import Progress
from plyground.search.minimax import MinimaxVariant, minimax_search, minimax_value
from plyground.search.result import RootResult
from plyground.search.stakes import stakes_of

__all__ = ["MinimaxPlayer", "minimax"]


class MinimaxPlayer(RootPlayer):
    """Searches with `plyground.search.minimax` within a limit and plays a best move."""

    accepts: ClassVar[Accepts] = Accepts(players=(2,))

    def prepare(self, game: Game) -> None:
        table, variant = self.open_table(game), self._variant(game)
        minimax_value.prepare(game.initial, 0, 0, Budget(), table, variant, stakes_of(game).scale)

    def searched(
        self, position: Position, limit: Limit, table: EndgameTable | NoTable, progress: Progress
    ) -> RootResult:
        game = position.game
        return minimax_search(position.state, limit, table, self._variant(game), stakes_of(game).scale, progress)

    def _variant(self, game: Game) -> MinimaxVariant:
        return MinimaxVariant(find_evaluation(self._evaluation, game), lines=True)


def minimax(options: RootOptions = USUAL) -> Player:
    """Plain minimax, with an evaluation at the depth limit."""
    return MinimaxPlayer(options)
