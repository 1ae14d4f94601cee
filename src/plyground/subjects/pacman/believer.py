"""A player of Pac-Man who takes the ghosts for others than they are.

A search is as good as what it believes of the opponent. This player shows another one the same position with ghosts of
another kind, and plays its move: so minimax, which needs an opponent, meets ghosts that only move at random.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Annotated, ClassVar, Literal

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.errors import BadOption
from plyground.games.pacman import Pacman, believing
from plyground.native.randomness import fresh_seed
from plyground.players import Choice, Move, Player, Position, make_player, players_for

__all__ = ["BelieverPlayer", "believer"]

NESTED_COMMA = ";"


class OnlyPacman(Accepts):
    """Of all games one."""

    def obstacle_in(self, game: Game) -> str | None:
        return None if isinstance(game.initial, Pacman) else "it knows one game only (game: needs pacman)"


class BelieverPlayer(Player):
    """Plays what `player` would play if all ghosts were of that kind; "true" takes them for what they are."""

    accepts: ClassVar[Accepts] = OnlyPacman()

    def __init__(self, kind: str, player: Player) -> None:
        self._kind = kind
        self._player = player
        self._seen: Game | None = None
        self._believed: Game | None = None

    def _world(self, game: Game) -> Game:
        """The game as the player sees it: the same one for the same game, so that it keeps what it has learned."""
        if self._believed is None or self._seen is not game:
            believed, _ = believing(game, self._kind)
            self._player.accepts.check(self._player.spec.partition(":")[0], believed, players_for(believed))
            self._seen, self._believed = game, believed
        return self._believed

    def _shown(self, position: Position) -> Position:
        world = self._world(position.game)
        _, state = believing(position.game, self._kind, position.state)
        return Position(world, state, position.history)

    def prepare(self, game: Game) -> None:
        self._player.prepare(self._world(game))

    def choose(self, position: Position, limit: Limit) -> Choice:
        return self._player.choose(self._shown(position), limit)

    def pondering(self, position: Position) -> AbstractContextManager[None]:
        return self._player.pondering(self._shown(position))

    def thoughts(self) -> Move | None:
        return self._player.thoughts()

    def refused(self, reason: str) -> None:
        self._player.refused(reason)

    def close(self) -> None:
        self._player.close()


def believer(
    player: Annotated[str, "who chooses; ; for the commas in its spec, as in alphabeta:depth=8;tt=0"],
    ghosts: Annotated[Literal["minimax", "random", "directional", "true"], "what it takes the ghosts for"] = "minimax",
    seed: Annotated[int | None, "seed of that player"] = None,
) -> Player:
    """Plays Pac-Man as another player would if the ghosts were of another kind."""
    spec = player.replace(NESTED_COMMA, ",")
    if spec.partition(":")[0] == "human":
        raise BadOption("believer: a person believes what they like; name a program")
    return BelieverPlayer(ghosts, make_player(spec, seed=fresh_seed() if seed is None else seed))
