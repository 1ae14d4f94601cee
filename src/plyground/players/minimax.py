"""The minimax player: looks ahead by plain minimax, deeper and deeper while the limit allows."""

from __future__ import annotations

import time as clock
from typing import Annotated, ClassVar, Literal

from plyground.game import Accepts, Game
from plyground.limits import Budget, Limit
from plyground.players.player import Move, Player, Position
from plyground.randomness import fresh_seed, random_below, stream
from plyground.search.minimax import minimax_search, minimax_value

__all__ = ["MinimaxPlayer", "minimax"]

DEFAULT_LIMIT = Limit(time=1.0)


class MinimaxPlayer(Player):
    """Searches with `plyground.search.minimax` within a limit and plays a best move."""

    accepts: ClassVar[Accepts] = Accepts(players=(2,))

    def __init__(self, limit: Limit, *, ties: Literal["first", "random"], seed: int) -> None:
        self.limit = limit
        self._ties = ties
        self._rng = stream(seed)

    def prepare(self, game: Game) -> None:
        minimax_value.prepare(game.initial, 0, 0, Budget())

    def choose(self, position: Position, limit: Limit) -> Move:
        start = clock.perf_counter()
        found = minimax_search(position.state, self.limit.within(limit))
        best = [action for action, value in found.values.items() if value == found.value]
        action = best[random_below(self._rng, len(best))] if self._ties == "random" else best[0]
        spent = clock.perf_counter() - start
        return Move(action, found.value, (action,), found.depth, found.nodes, spent)


def minimax(
    depth: Annotated[int | None, "plies to look ahead; as deep as the other limits allow if not set"] = None,
    time: Annotated[float | None, "seconds a move; 1 if no limit is set"] = None,
    nodes: Annotated[int | None, "positions to look at for a move"] = None,
    ties: Annotated[Literal["first", "random"], "which of equally good moves to play"] = "random",
    seed: Annotated[int | None, "seed of the choice between equally good moves"] = None,
) -> Player:
    """Plain minimax with the game's evaluation at the depth limit."""
    limit = Limit(time=time, nodes=nodes, depth=depth)
    if limit == Limit():
        limit = DEFAULT_LIMIT
    return MinimaxPlayer(limit, ties=ties, seed=fresh_seed() if seed is None else seed)
