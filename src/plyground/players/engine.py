"""The player `engine`: for each game that has one, the program that knows it by heart, at any strength.

Which games have one is said in `plyground.rooms`, a line a game; what all of them can be asked for is declared here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.game_time import GameTime
from plyground.core.limits import Limit
from plyground.core.registry import ENGINES
from plyground.errors import BadOption
from plyground.players.alphabeta import memory_size
from plyground.players.player import Player
from plyground.players.search_player import SearchPlayer

__all__ = ["EngineOptions", "EnginePlayer", "HasEngine", "ScoredMove", "Scores", "engine"]

LEAST_TABLE = 1_000_000
FIRST = "reversi"
"""The engine that is meant where no game is named."""


@dataclass(frozen=True)
class EngineOptions:
    """The options of the player. An engine refuses those that mean nothing in its game."""

    level: Annotated[int | None, "strength from 1, a beginner, to 20; see the game's page for how many it has"] = None
    time: Annotated[
        float | None, "seconds a move; if no limit is set 1 (Connect Four: 5), or a tenth of the referee's"
    ] = None
    clock: Annotated[str, "seconds for all moves of a game, and for each move on top, such as 300+2"] = ""
    depth: Annotated[int | None, "plies to look ahead; as deep as the other limits allow if not set"] = None
    nodes: Annotated[int | None, "positions to look at for a move"] = None
    threads: Annotated[int, "threads"] = 1
    table: Annotated[str, "size of the transposition table, such as 64MB"] = "64MB"
    ponder: Annotated[bool, "think on while the other side chooses"] = False
    book: Annotated[
        bool | None, "Reversi: play from the opening book; on if no depth, nodes or level below 13 is set"
    ] = None
    tolerance: Annotated[float, "Reversi: discs that a book move may lose, for the sake of variety"] = 0.5
    seed: Annotated[int | None, "seed of the mistakes of weak levels, and of the choice in the book"] = None

    def __post_init__(self) -> None:
        if self.table_size < LEAST_TABLE:
            raise BadOption(f"engine: table must be at least {LEAST_TABLE / 1e6:g}MB, not '{self.table}'")
        if not 1 <= self.threads <= 256:
            raise BadOption(f"engine: threads must be from 1 to 256, not {self.threads}")
        if self.level is not None and (self.depth is not None or self.nodes is not None):
            raise BadOption("engine: a level says itself how deep to look; give level, or depth and nodes, not both")
        if self.level is not None and self.ponder:
            raise BadOption("engine: ponder=on would make a level stronger than it is; leave one of them out")

    @property
    def limit(self) -> Limit:
        """What a move may cost."""
        return Limit(time=self.time, nodes=self.nodes, depth=self.depth)

    @property
    def table_size(self) -> int:
        """The size of the table in bytes."""
        return memory_size(self.table, "engine: table")

    @property
    def game_time(self) -> GameTime | None:
        """The time for a whole game; None if there is none."""
        return GameTime.parse(self.clock, "engine: clock") if self.clock else None

    def refuse(self, game: str, *names: str) -> None:
        """`BadOption` if one of these options, which mean nothing in a game, is given."""
        for name in names:
            if getattr(self, name) != getattr(USUAL, name):
                raise BadOption(f"engine: the option {name} means nothing in {game}; leave it out")


USUAL = EngineOptions()


class HasEngine(Accepts):
    """The games that there are engines for."""

    def obstacle_in(self, game: Game) -> str | None:
        if game.name not in ENGINES:
            return f"there is no engine for it (game: needs {' or '.join(ENGINES)})"
        return self.obstacle_on_board(game)

    def obstacle_on_board(self, game: Game) -> str | None:
        """What is in the way in a game with an engine, such as the size of its board."""
        return None


class ScoredMove(NamedTuple):
    """What a move is worth to the player who makes it, the line that begins with it, and whether that is proven.

    `plies` is how long the game lasts with best play, this move counted, where an engine has proven it.
    """

    action: int
    value: float
    line: tuple[int, ...]
    exact: bool
    plies: int | None = None


@dataclass(frozen=True)
class Scores:
    """What the moves of a position are worth, the best first, each searched to the same depth; `unit` says in what.

    `confidence` is how far the values can be trusted, where an engine says so.
    """

    moves: tuple[ScoredMove, ...]
    depth: int
    nodes: int
    unit: Literal["discs", "utility"] = "utility"
    confidence: str | None = None


class EnginePlayer(SearchPlayer):
    """A player that also says what every move of a position is worth, for hints and for the analysis of games."""

    @abstractmethod
    def score_moves(
        self, state: Any, limit: Limit, on_scores: Callable[[Scores], None] | None = None, also: Sequence[int] = ()
    ) -> Scores:
        """The moves that are worth a look, and those of `also`; `on_scores` is told after every step of the search."""


def engine(options: EngineOptions = USUAL, *, game: Game | None = None) -> Player:
    """The game's own engine: from a beginner to far beyond people. Of Reversi it solves the last 24 squares."""
    name = game.name if game is not None and game.name in ENGINES else FIRST
    player: Player = ENGINES.factory(name)(options)
    return player
