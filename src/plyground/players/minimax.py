"""The minimax player: looks ahead by plain minimax, deeper and deeper while the limit allows."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Budget, Limit
from plyground.native.randomness import fresh_seed
from plyground.players.endgame_option import Endgame
from plyground.players.player import Player, Position
from plyground.players.root_player import RootPlayer
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


def minimax(
    depth: Annotated[int | None, "plies to look ahead; as deep as the other limits allow if not set"] = None,
    time: Annotated[float | None, "seconds a move; 1 if no limit is set"] = None,
    nodes: Annotated[int | None, "positions to look at for a move"] = None,
    ties: Annotated[Literal["first", "random"], "which of equally good moves to play"] = "random",
    evaluation: Annotated[str, "another evaluation that the game has, or your own as file.py:function"] = "",
    endgame: Endgame = "",
    seed: Annotated[int | None, "seed of the choice between equally good moves"] = None,
) -> Player:
    """Plain minimax, with an evaluation at the depth limit."""
    limit, seed = Limit(time=time, nodes=nodes, depth=depth), fresh_seed() if seed is None else seed
    return MinimaxPlayer(limit, ties=ties, seed=seed, endgame=endgame, evaluation=evaluation)
