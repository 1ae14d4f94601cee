"""The player `pubeval`: Gerald Tesauro's yardstick of backgammon."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import actions, max_actions
from plyground.engines.backgammon.pubeval import pubeval_play
from plyground.games.backgammon.board import MOVING, Backgammon
from plyground.players.player import Move, Player, Position

__all__ = ["PubevalPlayer", "pubeval"]


class Backgammons(Accepts):
    """Backgammon on the usual board."""

    def obstacle_beyond(self, game: Game) -> str | None:
        start = game.initial
        if not isinstance(start, Backgammon):
            return "it plays backgammon alone"
        if start.points != 24 or start.faces != 6:
            return "it knows backgammon on 24 points with usual dice alone"
        return None


class PubevalPlayer(Player):
    """Plays by `plyground.engines.backgammon.pubeval`; it rolls rather than doubles, and takes every double."""

    accepts: ClassVar[Accepts] = Backgammons(players=(2,), chance=True)

    def prepare(self, game: Game) -> None:
        state = game.initial._replace(phase=MOVING, roll=3 << 3 | 1)
        pubeval_play(state, np.zeros(max_actions(state), np.int64))

    def choose(self, position: Position, limit: Limit) -> Move:
        state = position.state
        if state.phase != MOVING:
            return Move(actions(state)[0])
        return Move(int(pubeval_play(state, np.zeros(max_actions(state), np.int64))))


def pubeval() -> Player:
    """Tesauro's pubeval, the yardstick of programs of backgammon since 1993."""
    return PubevalPlayer()
