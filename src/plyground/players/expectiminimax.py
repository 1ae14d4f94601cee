"""The expectiminimax player: minimax that looks through the dice, deeper and deeper while the limit allows."""

from __future__ import annotations

import time as clock
from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from plyground.core.game import Accepts, Game
from plyground.core.limits import Limit
from plyground.errors import BadOption
from plyground.native.randomness import fresh_seed, random_below, stream
from plyground.players.endgame_option import Endgame, EndgameOption
from plyground.players.player import Move, Player, Position
from plyground.players.root_player import RootPlayer
from plyground.search.evaluations import find_evaluation
from plyground.search.expectiminimax import ExpectiminimaxVariant, expectiminimax_search, prepare_expectiminimax
from plyground.search.glimpse import Progress

__all__ = ["ExpectiminimaxPlayer", "expectiminimax"]

DEFAULT_LIMIT = Limit(time=1.0)


class ExpectiminimaxPlayer(RootPlayer):
    """Searches for itself against everybody else, with chance in between, and plays a best move.

    `total` is what all utilities add up to in a game that is constant-sum without being zero-sum. `endgame` is the
    file of an endgame table, or "". In a position that is in it nothing is searched.
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
        endgame: str = "",
    ) -> None:
        self.limit = DEFAULT_LIMIT if limit == Limit() else limit
        self._star = star
        self._evaluation = evaluation
        self._ties = ties
        self._total = total
        self._endgame = EndgameOption(endgame)
        self._rng = stream(seed)

    def prepare(self, game: Game) -> None:
        prepare_expectiminimax(game, self._variant(game), self._total, self._endgame.open_for(game))

    def choose(self, position: Position, limit: Limit) -> Move:
        start = clock.perf_counter()
        self.progress = None
        game, table = position.game, self._endgame.open_for(position.game)
        moves = self._endgame.moves(position)
        if not moves:
            allowed = self.limit.within(limit)
            self.progress = Progress()
            found = expectiminimax_search(
                game, position.state, allowed, self._variant(game), self._total, table, self.progress
            )
            moves = [
                Move(action, found.value, line, found.depth, found.nodes, cuts=found.cuts)
                for action, line in found.lines.items()
            ]
        move = moves[random_below(self._rng, len(moves)) if self._ties == "random" else 0]
        return replace(move, time=clock.perf_counter() - start)

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
