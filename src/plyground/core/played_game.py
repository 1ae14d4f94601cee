"""A game that was played: who sat where, every move, and how it ended.

The one value of it, from the referee to the database, the pages, the ratings and the files. What a player answers when
it is asked for a move is another thing, see `plyground.players.player.Move`.

Names, reasons and moves are written by programs, files and people: what would act on a terminal is spelled out in them,
whether they are shown or stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyground.core.game import Game
from plyground.core.rules import result
from plyground.visible_text import visible

__all__ = ["DISTURBED", "OVER", "PlayedGame", "PlayedMove", "PlayerEntry", "forfeited", "undecided", "winner_of"]

OVER = "the game is over"
"""The reason of a game that ended by its own rules."""
DISTURBED = "disturbed: "
"""How the reason begins of a game that something from outside has ended: it counts for nobody."""


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    """Who played: the name as people see it, the spec with every option spelled out, the digest of the code.

    Two players of one name but another spec or digest are different players to the database.
    """

    name: str
    spec: str = ""
    digest: str = ""

    def __post_init__(self) -> None:
        _show(self, "name", "spec")


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move: which seat made it, -1 for chance; the action and how people write it; the seconds it took.

    `value` is what the player thought of the position, from its own point of view, after `depth` moves of search
    and `nodes` positions; None where it did not say.
    """

    player: int
    action: int
    text: str
    time: float = 0.0
    value: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        _show(self, "text")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played to its end, whatever that end was.

    `key` names the planned game, ``tournament/round/pair/colour`` or anything else after the first slash: no two
    games of a database have the same; a game that nobody planned has none. `game` is the spec. `players` are in the
    order of the seats, and so are the `returns`, the utilities at the end. `reason` is why the game ended; `opening`
    are the moves that it was begun with, as people write them, and which are among `moves` too. `started` is in seconds
    since 1970, `seconds` how long it took; `processor_times` are the seconds of processor time that each seat has used,
    none if they are not known.
    """

    key: str
    game: str
    players: tuple[PlayerEntry, ...]
    returns: tuple[float, ...]
    moves: tuple[PlayedMove, ...] = ()
    reason: str = OVER
    opening: str = ""
    started: float = 0.0
    seconds: float = 0.0
    processor_times: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        _show(self, "game", "reason", "opening")

    @property
    def tournament(self) -> str:
        """The id of the tournament that the game belongs to: the key up to its first slash."""
        return self.key.partition("/")[0]

    @property
    def winner(self) -> int | None:
        """The seat with the highest return, if it is alone with it."""
        return winner_of(self.returns)

    @property
    def complete(self) -> bool:
        """Whether it was decided at the board, and not by time, by a fault, by resignation."""
        return self.reason == OVER

    @property
    def disturbed(self) -> bool:
        """Whether something from outside has ended it, so that nobody has won or lost."""
        return self.reason.startswith(DISTURBED)

    def states(self, start: Any) -> list[Any]:
        """The state before each move and after the last, from the state in which the game began."""
        states = [start]
        for move in self.moves:
            states.append(result(states[-1], move.action))
        return states


def _show(value: object, *names: str) -> None:
    for name in names:
        text = getattr(value, name)
        if isinstance(text, str) and not text.isprintable():  # a damaged database may hold anything
            object.__setattr__(value, name, visible(text))


def winner_of(returns: Sequence[float]) -> int | None:
    """The seat with the highest return; None if several share it, or if nobody else has played."""
    best = max(returns, default=0.0)
    return returns.index(best) if len(returns) > 1 and returns.count(best) == 1 else None


def forfeited(game: Game, loser: int, why: str) -> tuple[tuple[float, ...], str]:
    """The returns and the reason of a game that somebody has lost otherwise than at the board: the others have won.

    `why` is the end of a sentence about the loser, such as ``resigns``.
    """
    low, high = game.utilities
    return tuple(low if seat == loser else high for seat in range(game.axes.players)), f"{game.seats[loser]} {why}"


def undecided(game: Game, seat: int, why: str) -> tuple[tuple[float, ...], str]:
    """The returns and the reason of a game that was disturbed where a seat was to move: all have the same, and none
    of it counts."""
    low, high = game.utilities
    return ((low + high) / 2,) * game.axes.players, f"{DISTURBED}{game.seats[seat]} {why}"
