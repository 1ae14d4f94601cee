"""The players for games of many: `maxn`, for which everybody plays for itself, and `paranoid`, which trusts nobody."""

from __future__ import annotations

from typing import Annotated, ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.errors import BadOption
from plyground.players.expectiminimax import ExpectiminimaxPlayer
from plyground.players.player import Player, Position
from plyground.players.root_player import USUAL, RootOptions, RootPlayer
from plyground.search.endgame_table import EndgameTable, NoTable
from plyground.search.evaluations import find_evaluation
from plyground.search.glimpse import Progress
from plyground.search.maxn import (
    Coalitions,
    MaxnVariant,
    can_prune,
    check_opponents,
    coalition_numbers,
    maxn_search,
    prepare_maxn,
)
from plyground.search.paranoid import parse_coalitions
from plyground.search.result import RootResult
from plyground.search.stakes import stakes_of

__all__ = ["MaxnPlayer", "ParanoidPlayer", "maxn", "paranoid"]


class MaxnPlayer(RootPlayer):
    """Searches with `plyground.search.maxn` within a limit and plays a move that is best for its coalition.

    `shallow` is None for pruning where it is sure to change nothing. `coalitions` is None where everybody plays alone.
    """

    accepts: ClassVar[Accepts] = Accepts(chance=True, general_sum=True)

    def __init__(
        self,
        options: RootOptions,
        total: float | None,
        *,
        shallow: bool | None = None,
        coalitions: Coalitions | None = None,
    ) -> None:
        super().__init__(options)
        self._total, self._shallow, self._coalitions = total, shallow, coalitions

    def prepare(self, game: Game) -> None:
        prepare_maxn(game, self._variant(game), self._total, self.open_table(game))

    def searched(
        self, position: Position, limit: Limit, table: EndgameTable | NoTable, progress: Progress
    ) -> RootResult:
        return maxn_search(
            position.game,
            position.state,
            limit,
            self._variant(position.game),
            coalitions=self._coalitions,
            total=self._total,
            endgame=table,
            progress=progress,
        )

    def open_table(self, game: Game) -> EndgameTable | NoTable:
        """The endgame table, if the coalitions are a partition of the game's players, and one with opponents."""
        numbers = coalition_numbers(self._coalitions, game.axes.players)
        table = super().open_table(game)
        check_opponents(numbers, table)
        return table

    def _variant(self, game: Game) -> MaxnVariant:
        stakes = stakes_of(game, self._total)
        if self._shallow and not stakes.constant_sum:
            raise BadOption("maxn: shallow=on needs a game of constant sum; say what it is, such as total=10")
        shallow = can_prune(game, stakes, self._evaluation) if self._shallow is None else self._shallow
        return MaxnVariant(shallow, find_evaluation(self._evaluation, game))


class ParanoidPlayer(ExpectiminimaxPlayer):
    """Searches against everybody else together, whatever their number and their own interests."""

    accepts: ClassVar[Accepts] = Accepts(chance=True, general_sum=True)


Total = Annotated[float | None, "what all utilities add up to, if always the same; 0 in zero-sum games"]


def maxn(
    options: RootOptions = USUAL,
    shallow: Annotated[bool | None, "shallow pruning; on where it is sure to change no value if not set"] = None,
    total: Total = None,
) -> Player:
    """Max^n for any number of players: everybody maximises its own utility."""
    return MaxnPlayer(options, total, shallow=shallow)


def paranoid(
    options: RootOptions = USUAL,
    coalitions: Annotated[str, "who plays together, such as 0+2/1; all others against me if not set"] = "",
    star: Annotated[int | None, "cuts at chance nodes: 0 none, 1 Star1, 2 Star2; 2 if not set"] = None,
    total: Total = None,
) -> Player:
    """Paranoid search for any number of players: the others play against me, or in coalitions."""
    if star not in (None, 0, 1, 2):
        raise BadOption(f"paranoid: star must be 0, 1 or 2, not {star}")
    if star is not None and coalitions:
        raise BadOption("paranoid: star is for a search without coalitions; leave one of the two out")
    if coalitions:
        return MaxnPlayer(options, total, coalitions=parse_coalitions(coalitions))
    return ParanoidPlayer(options, 2 if star is None else star, total)
