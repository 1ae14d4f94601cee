"""A game that was played: who sat where, every move, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PlayedGame", "PlayedMove", "PlayerEntry"]


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    """Who played: the name as people see it, the spec with every option spelled out, the digest of the code.

    Two players of one name but another spec or digest are different players to the database.
    """

    name: str
    spec: str = ""
    digest: str = ""


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


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played to its end, whatever that end was.

    `key` names the planned game, ``tournament/round/pair/colour`` or anything else after the first slash: no two
    games of a database have the same. `players` are in the order of the seats, and so are the `returns`, the
    utilities at the end. `reason` is why the game ended; `opening` are the moves that it was begun with, as people
    write them, and which are among `moves` too. `started` is in seconds since 1970, `seconds` how long it took.
    """

    key: str
    game: str
    players: tuple[PlayerEntry, ...]
    returns: tuple[float, ...]
    moves: tuple[PlayedMove, ...] = ()
    reason: str = "the game is over"
    opening: str = ""
    started: float = 0.0
    seconds: float = 0.0

    @property
    def tournament(self) -> str:
        """The id of the tournament that the game belongs to: the key up to its first slash."""
        return self.key.partition("/")[0]

    @property
    def winner(self) -> int | None:
        """The seat with the highest return, if it is alone with it."""
        best = max(self.returns, default=0.0)
        return self.returns.index(best) if len(self.returns) > 1 and self.returns.count(best) == 1 else None
