"""The expectiminimax player: minimax that looks through the dice, deeper and deeper while the limit allows."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.errors import BadOption
from plyground.native.randomness import fresh_seed
from plyground.players.endgame_option import Endgame
from plyground.players.player import Player, Position
from plyground.players.root_player import RootPlayer
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

    def __init__(self, limit: Limit, *, star: int, total: float | None = None, **common: Any) -> None:
        super().__init__(limit, **common)
        self._star = star
        self._total = total

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
    depth: Annotated[int | None, "decisions to look ahead; as deep as the other limits allow if not set"] = None,
    time: Annotated[float | None, "seconds a move; 1 if no limit is set"] = None,
    nodes: Annotated[int | None, "positions to look at for a move"] = None,
    star: Annotated[int, "cuts at chance nodes: 0 none, 1 Star1, 2 Star2"] = 2,
    evaluation: Annotated[str, "another evaluation that the game has, or file.py:function"] = "",
    endgame: Endgame = "",
    ties: Annotated[Literal["first", "random"], "which of equally good moves to play"] = "random",
    seed: Annotated[int | None, "seed of the choice between equally good moves"] = None,
) -> Player:
    """Minimax for games with dice: chance nodes count by their average."""
    if star not in (0, 1, 2):
        raise BadOption(f"expectiminimax: star must be 0, 1 or 2, not {star}")
    return ExpectiminimaxPlayer(
        Limit(time=time, nodes=nodes, depth=depth),
        star=star,
        evaluation=evaluation,
        endgame=endgame,
        ties=ties,
        seed=fresh_seed() if seed is None else seed,
    )
