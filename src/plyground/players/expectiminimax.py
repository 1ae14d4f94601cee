"""The expectiminimax player: minimax that looks through the dice, deeper and deeper while the limit allows."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from plyground.errors import BadOption
from plyground.game import Accepts, Game
from plyground.limits import Limit
from plyground.players.player import Move, Player, Position
from plyground.randomness import fresh_seed, random_below, stream
from plyground.search.evaluations import find_evaluation
from plyground.search.expectiminimax import Variant, expectiminimax_search, prepare

__all__ = ["ExpectiminimaxPlayer", "expectiminimax"]

DEFAULT_LIMIT = Limit(time=1.0)


class ExpectiminimaxPlayer(Player):
    """Searches for itself against everybody else, with chance in between, and plays a best move.

    `total` is what all utilities add up to in a game that is constant-sum without being zero-sum.
    """

    accepts: ClassVar[Accepts] = Accepts(players=(1, 2), chance=True)

    def __init__(
        self,
        limit: Limit,
        *,
        star: int,
        evaluation: str,
        ties: Literal["first", "random"],
        seed: int,
        total: float | None = None,
    ) -> None:
        self.limit = DEFAULT_LIMIT if limit == Limit() else limit
        self._star = star
        self._evaluation = evaluation
        self._ties = ties
        self._total = total
        self._rng = stream(seed)

    def prepare(self, game: Game) -> None:
        prepare(game, self._variant(game), self._total)

    def choose(self, position: Position, limit: Limit) -> Move:
        game = position.game
        found = expectiminimax_search(game, position.state, self.limit.within(limit), self._variant(game), self._total)
        best = list(found.lines)
        action = best[random_below(self._rng, len(best)) if self._ties == "random" else 0]
        return Move(action, found.value, found.lines[action], found.depth, found.nodes, found.time, found.cuts)

    def _variant(self, game: Game) -> Variant:
        return Variant(self._star, find_evaluation(self._evaluation, game))


def expectiminimax(
    depth: Annotated[int | None, "decisions to look ahead; as deep as the other limits allow if not set"] = None,
    time: Annotated[float | None, "seconds a move; 1 if no limit is set"] = None,
    nodes: Annotated[int | None, "positions to look at for a move"] = None,
    star: Annotated[int, "cuts at chance nodes: 0 none, 1 Star1, 2 Star2"] = 2,
    evaluation: Annotated[str, "another evaluation that the game has, or file.py:function"] = "",
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
        ties=ties,
        seed=fresh_seed() if seed is None else seed,
    )
