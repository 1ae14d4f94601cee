"""The player `gunner` of Battleship: places its fleet at random and aims as a shooter does."""

from __future__ import annotations

from typing import Annotated, ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import actions, to_move
from plyground.games.battleship import Battleship, ship_to_place, shots_of
from plyground.native.randomness import fresh_seed, random_below, stream
from plyground.players.player import Move, Player, Position
from plyground.subjects.battleship.belief import Sea, placing_actions, random_fleet
from plyground.subjects.battleship.shooters import CURIOSITY, Aim, aim_at

__all__ = ["Gunner", "gunner"]


class OnlyBattleship(Accepts):
    """Battleship alone."""

    def obstacle_in(self, game: Game) -> str | None:
        """See `Accepts`."""
        return None if isinstance(game.initial, Battleship) else "it is not Battleship (game: needs battleship)"


class Gunner(Player):
    """Shoots by what it believes of the other fleet."""

    accepts: ClassVar[Accepts] = OnlyBattleship(hidden=True)

    def __init__(self, aim: Aim, samples: int, curiosity: float, seed: int) -> None:
        self._aim, self._samples, self._curiosity, self._seed = aim, samples, curiosity, seed
        self._rng = stream(seed)
        self._fleet: list[int] = []

    def prepare(self, game: Game) -> None:
        aim_at(_sea(game.initial), [], self._aim, self._seed, curiosity=self._curiosity, samples=2)

    def choose(self, position: Position, limit: Limit) -> Move:
        state: Battleship = position.state
        player = int(to_move(state))
        number = ship_to_place(state)
        if number < len(state.ships):
            return Move(self._placed(state, number % len(state.lengths)))
        shots = shots_of(state, player)
        seed = self._seed + 1000 * len(shots)
        cell, _ = aim_at(_sea(state), shots, self._aim, seed, curiosity=self._curiosity, samples=self._samples)
        return Move(cell)

    def _placed(self, state: Battleship, ship: int) -> int:
        """The place of the next ship, of a fleet that is drawn with the first one; all fleets are equally likely."""
        if ship == 0:
            sea = _sea(state)
            self._fleet = placing_actions(sea, random_fleet(sea, self._rng))
        options = actions(state)
        wish = self._fleet[ship] if ship < len(self._fleet) else -1
        return wish if wish in options else options[random_below(self._rng, len(options))]


def _sea(state: Battleship) -> Sea:
    return Sea(state.rows, state.columns, state.lengths)


def gunner(
    aim: Annotated[Aim, "anywhere, hunt and target, the likeliest cell, or also what the answer tells"] = "informed",
    samples: Annotated[int, "fleets drawn for each shot"] = 1000,
    curiosity: Annotated[float, "what a bit of information counts, in hits, with aim=informed"] = CURIOSITY,
    seed: Annotated[int | None, "the same seed plays the same game"] = None,
) -> Player:
    """Battleship by belief: shoots where ships most likely lie, given all answers."""
    return Gunner(aim, samples, curiosity, fresh_seed() if seed is None else seed)
