"""The player `cfr`: plays the average strategy of CFR or CFR+, found before the game or read from a file."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import to_move
from plyground.native.randomness import fresh_seed, stream
from plyground.players.player import Move, Player, Position
from plyground.search.extensive import MOST_NODES, Extensive, estimated_size, extensive
from plyground.search.strategy_file import Strategy, load_strategy

__all__ = ["CfrPlayer", "cfr"]


class SmallHidden(Accepts):
    """Games of imperfect information whose whole tree can be held."""

    def obstacle_beyond(self, game: Game) -> str | None:
        if not game.axes.hidden:
            return "everything is seen (information: for games of imperfect information)"
        key = (type(game.initial), game.initial)
        if key not in _SIZES:
            _SIZES[key] = estimated_size(game)
        if _SIZES[key] > MOST_NODES:
            return f"its tree has about {_SIZES[key]:.1g} nodes (size: at most {MOST_NODES:,})"
        return None


_SIZES: dict[tuple[type, Any], float] = {}
_TREES: dict[tuple[type, Any], Extensive] = {}
KEPT = 4


@lru_cache(maxsize=8)
def _solved(tree: Extensive, iterations: int, algorithm: Literal["cfr", "cfr+"]) -> Strategy:
    from plyground.search.cfr import solve

    return Strategy(tree, solve(tree, iterations, algorithm).strategy)


def _tree(game: Game) -> Extensive:
    """The tree of a game, kept: two players of a match are to share it."""
    key = (type(game.initial), game.initial)
    if key not in _TREES:
        if len(_TREES) >= KEPT:
            _TREES.clear()
        _TREES[key] = extensive(game)
    return _TREES[key]


class CfrPlayer(Player):
    """Draws each action with the probability that the strategy has for it in the information set."""

    accepts: ClassVar[Accepts] = SmallHidden(hidden=True, chance=True, general_sum=True)

    def __init__(self, iterations: int, algorithm: Literal["cfr", "cfr+"], file: str, seed: int) -> None:
        self._iterations, self._algorithm, self._file = iterations, algorithm, file
        self._rng = stream(seed)
        self._strategy: Strategy | None = None

    def prepare(self, game: Game) -> None:
        tree = _tree(game)
        if self._strategy is None or self._strategy.tree is not tree:
            if self._file:
                self._strategy = load_strategy(self._file, tree)
            else:
                self._strategy = _solved(tree, self._iterations, self._algorithm)

    def choose(self, position: Position, limit: Limit) -> Move:
        self.prepare(position.game)
        assert self._strategy is not None
        return Move(self._strategy.sample(position.state, int(to_move(position.state)), self._rng))


def cfr(
    iterations: Annotated[int, "iterations before the game begins"] = 1000,
    algorithm: Annotated[Literal["cfr", "cfr+"], "which of the two"] = "cfr+",
    file: Annotated[str, "a strategy that plyground cfr --save wrote, instead"] = "",
    seed: Annotated[int | None, "the same seed plays the same game"] = None,
) -> Player:
    """Counterfactual regret minimisation: plays near an equilibrium of a small game of imperfect information."""
    return CfrPlayer(iterations, algorithm, file, fresh_seed() if seed is None else seed)
