"""The minimax player: looks ahead by plain minimax, deeper and deeper while the limit allows."""

from __future__ import annotations

import time as clock
from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from plyground.core.game import Accepts, Game
from plyground.core.limits import Budget, Limit
from plyground.native.randomness import fresh_seed, random_below, stream
from plyground.players.endgame_option import Endgame, EndgameOption
from plyground.players.player import Move, Player, Position
from plyground.players.root_player import RootPlayer
from plyground.search.evaluations import find_evaluation
from plyground.search.glimpse import Progress
from plyground.search.minimax import MinimaxVariant, minimax_search, minimax_value
from plyground.search.stakes import stakes_of

__all__ = ["MinimaxPlayer", "minimax"]

DEFAULT_LIMIT = Limit(time=1.0)


class MinimaxPlayer(RootPlayer):
    """Searches with `plyground.search.minimax` within a limit and plays a best move.

    `endgame` is the file of an endgame table, or "". In a position that is in it nothing is searched.
    """

    accepts: ClassVar[Accepts] = Accepts(players=(2,))

    def __init__(
        self, limit: Limit, *, ties: Literal["first", "random"], seed: int, endgame: str = "", evaluation: str = ""
    ) -> None:
        self.limit = limit
        self._evaluation = evaluation
        self._ties = ties
        self._rng = stream(seed)
        self._endgame = EndgameOption(endgame)

    def prepare(self, game: Game) -> None:
        table, variant = self._endgame.open_for(game), self._variant(game)
        minimax_value.prepare(game.initial, 0, 0, Budget(), table, variant, stakes_of(game).scale)

    def choose(self, position: Position, limit: Limit) -> Move:
        start = clock.perf_counter()
        self.progress = None
        table = self._endgame.open_for(position.game)
        moves = self._endgame.moves(position)
        if not moves:
            game, allowed = position.game, self.limit.within(limit)
            progress = self.progress = Progress()
            found = minimax_search(position.state, allowed, table, self._variant(game), stakes_of(game).scale, progress)
            moves = [Move(action, found.value, found.lines[action], found.depth, found.nodes) for action in found.best]
        move = moves[random_below(self._rng, len(moves))] if self._ties == "random" else moves[0]
        return replace(move, time=clock.perf_counter() - start)

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
    limit = Limit(time=time, nodes=nodes, depth=depth)
    if limit == Limit():
        limit = DEFAULT_LIMIT
    seed = fresh_seed() if seed is None else seed
    return MinimaxPlayer(limit, ties=ties, seed=seed, endgame=endgame, evaluation=evaluation)
