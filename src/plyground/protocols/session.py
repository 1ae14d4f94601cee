"""A game in progress and the player who is asked: what every protocol does with them."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.notation import must_pass
from plyground.core.rules import actions, result, to_move
from plyground.errors import IllegalAction
from plyground.players.player import Choice, Player, Position

__all__ = ["LONGEST_TIME", "MOVES_TO_GO", "Session", "time_to_think"]

MOVES_TO_GO = 20
"""A move gets one part in this many of the clock."""
HANDING_OVER = 0.01
"""Seconds, and the share of the time for a move, that are left for the way back to the controller."""
SHARE_LEFT = 0.05
LEAST_TIME = 0.01
LONGEST_TIME = 1e7


def time_to_think(seconds: float) -> float:
    """The part of the seconds for a move that the player gets; the rest is for the way back."""
    seconds -= max(HANDING_OVER, seconds * SHARE_LEFT)
    return max(LEAST_TIME, min(seconds, LONGEST_TIME))


class Session:
    """One game, move by move, with the player that chooses when it is asked to.

    The player is prepared for each new game once, before it is first asked.
    """

    def __init__(self, game: Game, player: Player) -> None:
        self.game, self.player = game, player
        self.restart()

    def restart(self, game: Game | None = None, moves: Sequence[int] = ()) -> None:
        """Begin a new game, of another kind if one is given, and play these actions."""
        self.game = game or self.game
        self._states = [self.game.initial]
        self.history: list[int] = []
        self._prepared = False
        for action in moves:
            self.play(action)

    @property
    def state(self) -> object:
        """The position on the board."""
        return self._states[-1]

    def over(self) -> bool:
        """Whether the game has ended."""
        return not actions(self.state)

    @property
    def turn(self) -> int:
        """The player to move."""
        return int(to_move(self.state))

    def must_pass(self) -> bool:
        """Whether the only move is a pass."""
        return must_pass(self.state, actions(self.state))

    def play(self, action: int) -> None:
        """Make a move; `IllegalAction` if it is not legal."""
        self.game.legal(self.state, action)
        self.follow(action)

    def follow(self, action: int) -> None:
        """Make a move that is known to be legal."""
        self._states.append(result(self.state, action))
        self.history.append(action)

    def play_pass(self) -> None:
        """Make the pass that is due."""
        if not self.must_pass():
            raise IllegalAction("a pass is legal only when there is no other move")
        self.play(actions(self.state)[0])

    def undo(self) -> bool:
        """Take the last move back; False if there is none."""
        if not self.history:
            return False
        self._states.pop()
        self.history.pop()
        return True

    def prepare(self) -> None:
        """Let the player get ready, before any clock runs."""
        if not self._prepared:
            self.player.prepare(self.game)
            self._prepared = True

    def choose(self, limit: Limit) -> Choice:
        """What the player would do here; the board stays as it is."""
        self.prepare()
        return self.player.choose(self.position(), limit)

    def position(self) -> Position:
        """The position on the board, as players are shown it."""
        return Position(self.game, self.state, tuple(self.history))
