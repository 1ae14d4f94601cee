"""What a player is: it is shown a position and answers with a move, or resigns, or asks to take back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, ClassVar, Self

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.search.glimpse import Glimpse

__all__ = ["Choice", "Move", "Player", "Position", "Resign", "TakeBack"]


@dataclass(frozen=True)
class Position:
    """A state in a game, with the actions that led to it from the game's initial state.

    In a game of imperfect information it is what the player sees of the state, and there are no actions: those that
    were seen are part of the observation.
    """

    game: Game
    state: Any
    history: tuple[int, ...] = ()


@dataclass(frozen=True)
class Move:
    """What a player answers: the chosen action, and what it thinks of it.

    What became of it in a game is a `plyground.core.played_game.PlayedMove`.

    `value` is from the player's own point of view, in utilities; `line` is what it expects to be played, the chosen
    action first; `depth`, `nodes`, `cuts`, `table_hits` and `time` (seconds) say what the choice cost. `lines` are the
    best moves with their values, the chosen one among them, where the player was asked for several.
    """

    action: int
    value: float | None = None
    line: tuple[int, ...] = field(default=())
    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    cuts: int | None = None
    table_hits: int | None = None
    lines: tuple[tuple[float, tuple[int, ...]], ...] = ()


@dataclass(frozen=True)
class Resign:
    """The player gives up."""


@dataclass(frozen=True)
class TakeBack:
    """The player asks to go back to its own last decision."""


Choice = Move | Resign | TakeBack


class Player(ABC):
    """Something that chooses moves. `accepts` says which kinds of games it can play.

    As a context manager it is prepared for the `game` that it was made for, if it was made for one, and closed at the
    end.
    """

    accepts: ClassVar[Accepts] = Accepts()
    plans_by_clock: ClassVar[bool] = False
    """Whether it deals out the time on the game's clock by itself, if a limit says what that shows."""
    spec: str = ""
    game: Game | None = None

    def __enter__(self) -> Self:
        try:
            if self.game is not None:
                self.prepare(self.game)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def choose(self, position: Position, limit: Limit) -> Choice:
        """The choice in a position where it is this player's turn; `limit` comes on top of the player's own."""

    def prepare(self, game: Game) -> None:  # noqa: B027 - most players are ready at once
        """Get ready to play a game, before any clock runs: compile, load, warm up."""

    def pondering(self, position: Position) -> AbstractContextManager[None]:
        """Entered while somebody else chooses in this position: the time to think on, if the player does."""
        return nullcontext()

    def thoughts(self) -> Move | None:
        """What the player would choose if it had to now, for another thread while it chooses; None if unknown."""
        return None

    def glimpse(self) -> Glimpse | None:
        """What the search of the last choice looks like, for another thread while it runs; None if unknown."""
        return None

    def processor_time(self) -> float:
        """Seconds of processor time that it has used so far in other processes than this one."""
        return 0.0

    def refused(self, reason: str) -> None:  # noqa: B027 - most players have nothing to do about it
        """The last choice was not accepted, and why; the same position will be asked again."""

    def close(self) -> None:  # noqa: B027 - most players hold nothing that outlives them
        """Give back what the player holds, such as a running program; it may be prepared again afterwards."""
