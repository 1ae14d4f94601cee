"""The random player: every legal action as likely."""

from __future__ import annotations

from typing import Annotated, ClassVar

from plyground.core.axes import Accepts
from plyground.core.limits import Limit
from plyground.core.rules import actions
from plyground.native.randomness import fresh_seed, random_below, stream
from plyground.players.player import Move, Player, Position

__all__ = ["RandomPlayer", "random"]


class RandomPlayer(Player):
    """Plays every legal action as likely as any other."""

    accepts: ClassVar[Accepts] = Accepts(simultaneous=True, hidden=True, chance=True, general_sum=True)

    def __init__(self, seed: int) -> None:
        self._rng = stream(seed)

    def choose(self, position: Position, limit: Limit) -> Move:
        options = actions(position.state)
        return Move(options[random_below(self._rng, len(options))])


def random(seed: Annotated[int | None, "the same seed plays the same game"] = None) -> Player:
    """Plays uniformly random legal moves."""
    return RandomPlayer(fresh_seed() if seed is None else seed)
