"""Players for hidden cards that deal what they do not see again and again: `pimc` and `ismcts`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import possible_state
from plyground.errors import BadOption
from plyground.native.randomness import fresh_seed
from plyground.players.player import Player, Position
from plyground.players.search_player import SearchPlayer
from plyground.search.result import SearchResult

__all__ = ["IsmctsPlayer", "PimcPlayer", "ismcts", "pimc"]

DEFAULT_LIMIT = Limit(time=1.0)
LARGEST_OPEN = 20_000
"""Nodes of the tree of a game that PIMC still solves world by world, if the game has no faster way."""


class Dealable(Accepts):
    """Games of imperfect information that say what may be hidden."""

    def obstacle_beyond(self, game: Game) -> str | None:
        if not game.axes.hidden:
            return "everything is seen (information: for games of imperfect information)"
        if type(game.initial) not in possible_state.implementations:
            return "it does not say what may be hidden (rules: needs possible_state)"
        return None


class Solvable(Dealable):
    """Of these, the ones that can be solved with open cards."""

    def obstacle_beyond(self, game: Game) -> str | None:
        if obstacle := super().obstacle_beyond(game):
            return obstacle
        import plyground.engines.bridge.double_dummy  # noqa: F401 - it adds its way to solve mini-bridge
        from plyground.search.extensive import estimated_size
        from plyground.search.pimc import open_value

        if type(game.initial) in open_value.implementations:
            return None
        if (size := estimated_size(game)) > LARGEST_OPEN:
            return f"its tree has about {size:.1g} nodes (size: at most {LARGEST_OPEN:,})"
        return None


class PimcPlayer(SearchPlayer):
    """Perfect information Monte Carlo."""

    accepts: ClassVar[Accepts] = Solvable(players=(2,), hidden=True, chance=True)

    def __init__(self, limit: Limit, seed: int) -> None:
        self.limit, self._seed, self._moves = limit, seed, 0

    def prepare(self, game: Game) -> None:
        import plyground.engines.bridge.double_dummy  # noqa: F401 - it adds its way to solve mini-bridge

    def find(self, position: Position, limit: Limit) -> SearchResult:
        from plyground.search.pimc import pimc_search

        self.prepare(position.game)
        self._moves += 1
        return pimc_search(position.state, self.limit.within(limit), self._seed + self._moves)


class IsmctsPlayer(SearchPlayer):
    """Information set Monte Carlo tree search."""

    accepts: ClassVar[Accepts] = Dealable(hidden=True, chance=True, general_sum=True)

    def __init__(self, limit: Limit, exploration: float, seed: int) -> None:
        self.limit, self._exploration, self._seed, self._moves = limit, exploration, seed, 0

    def find(self, position: Position, limit: Limit) -> SearchResult:
        from plyground.search.ismcts import ismcts_search

        self._moves += 1
        own, seed, utilities = self.limit.within(limit), self._seed + self._moves, position.game.utilities
        return ismcts_search(position.state, own, seed, exploration=self._exploration, utilities=utilities)


def pimc(
    worlds: Annotated[int | None, "deals that are solved for each move"] = None,
    time: Annotated[float | None, "seconds a move; 1 if no limit is set"] = None,
    seed: Annotated[int | None, "the same seed plays the same game"] = None,
) -> Player:
    """Perfect information Monte Carlo: deals the hidden cards again and again, and solves each deal open."""
    if worlds is not None and worlds < 1:
        raise BadOption(f"pimc: worlds must be at least 1, not {worlds}")
    limit = Limit(time=time, simulations=worlds)
    return PimcPlayer(DEFAULT_LIMIT if limit == Limit() else limit, fresh_seed() if seed is None else seed)


def ismcts(
    simulations: Annotated[int | None, "simulations a move"] = None,
    time: Annotated[float | None, "seconds a move; 1 if no limit is set"] = None,
    c: Annotated[float, "exploration constant: c * sqrt(ln N / n)"] = 1.0,
    seed: Annotated[int | None, "the same seed plays the same game"] = None,
) -> Player:
    """Information set Monte Carlo tree search: learns one move for all deals that look alike."""
    if not c > 0:
        raise BadOption(f"ismcts: c must be a positive number, not {c:g}")
    limit = Limit(time=time, simulations=simulations)
    return IsmctsPlayer(DEFAULT_LIMIT if limit == Limit() else limit, c, fresh_seed() if seed is None else seed)
