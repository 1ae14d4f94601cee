"""The expectiminimax player: minimax that looks through the dice, deeper and deeper while the limit allows."""

from __future__ import annotations

from typing import Annotated, ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.errors import BadOption
from plyground.players.player import Player, Position
from plyground.players.root_player import USUAL, RootOptions, RootPlayer
from plyground.search.endgame_table import EndgameTable, NoTable
from plyground.search.evaluations import find_evaluation
from plyground.search.expectiminimax import ExpectiminimaxVariant, expectiminimax_search, prepare_expectiminimax
from plyground.search.glimpse import Progress
from plyground.search.result import RootResult

__all__ = ["ExpectiminimaxPlayer", "expectiminimax"]


class ExpectiminimaxPlayer(RootPlayer):
    """Searches for itself against everybody else, with chance in between, and plays a best move.

    `total` is what all utilities add up to in a game that is constant-sum without being zero-sum.
    """

    accepts: ClassVar[Accepts] = Accepts(players=(1, 2), chance=True)

    def __init__(self, options: RootOptions, star: int, total: float | None = None) -> None:
        super().__init__(options)
        self._star, self._total = star, total

    def prepare(self, game: Game) -> None:
        prepare_expectiminimax(game, self._variant(game), self._total, self.open_table(game))

    def searched(
        self, position: Position, limit: Limit, table: EndgameTable | NoTable, progress: Progress
    ) -> RootResult:
        variant = self._variant(position.game)
        return expectiminimax_search(position.game, position.state, limit, variant, self._total, table, progress)

    def _variant(self, game: Game) -> ExpectiminimaxVariant:
        return ExpectiminimaxVariant(self._star, find_evaluation(self._evaluation, game))


def expectiminimax(
    options: RootOptions = USUAL, star: Annotated[int, "cuts at chance nodes: 0 none, 1 Star1, 2 Star2"] = 2
) -> Player:
    """Minimax for games with dice: chance nodes count by their average."""
    if star not in (0, 1, 2):
        raise BadOption(f"expectiminimax: star must be 0, 1 or 2, not {star}")
    return ExpectiminimaxPlayer(options, star)
