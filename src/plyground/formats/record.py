"""A game as it was played, whatever file it came from."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from plyground.core.rules import result, terminal
from plyground.errors import FormatError, IllegalAction
from plyground.formats.board import check_board
from plyground.formats.replay import START, play_written, why_illegal
from plyground.games.reversi import PASS, Reversi, final_score
from plyground.native.bits import popcount
from plyground.native.dispatch import coerced

__all__ = ["Clock", "Ending", "Record", "Result"]


class Ending(enum.Enum):
    """How a game came to its result; the values are GGF's letters."""

    PLAYED = ""
    RESIGNED = "r"
    TIMEOUT = "t"
    AGREED = "s"


@dataclass(frozen=True)
class Result:
    """The result as the file states it: the difference in discs for black, and how it came about."""

    score: float
    ending: Ending = Ending.PLAYED

    def __post_init__(self) -> None:
        if not math.isfinite(self.score):
            raise FormatError(f"a result is a number of discs, not {self.score}")


@dataclass(frozen=True)
class Clock:
    """A player's time for the game, what each move adds, and the extension after the time is up; in seconds.

    All are 0 where a file says that there was no clock.
    """

    main: float
    increment: float = 0.0
    extension: float = 0.0

    def __post_init__(self) -> None:
        for part in (self.main, self.increment, self.extension):
            if not (math.isfinite(part) and part >= 0):
                raise FormatError(f"a clock shows a number of seconds from 0, not {part}")


@dataclass(frozen=True)
class Record:
    """A game of Reversi on 8x8 as a file has it: a legal sequence of actions from a position, and what is known of it.

    It is not a `plyground.core.played_game.PlayedGame`, which has one value of each move where a file has separate
    columns that may be missing, returns where a file states discs, and a spec where a file has a position; which need
    not be legal either. `plyground.arena.archive` makes one of the other.

    `moves` are action ids, 8*row + column, and every forced pass is there as 64; a sequence that is not legal is
    refused with `IllegalAction`. `evaluations` (in discs, to the player who moved) and `times` (in seconds) have an
    entry for each move, None where nothing is known, or are empty. `date`, `place` and the names are free texts, ""
    where unknown. `properties` are pairs of name and value that only GGF has a use for.

    `final` is the position after the last move. A game that is not `finished` was broken off before its end.
    """

    start: Reversi = START
    moves: tuple[int, ...] = ()
    evaluations: tuple[float | None, ...] = ()
    times: tuple[float | None, ...] = ()
    black: str = ""
    white: str = ""
    black_rating: float | None = None
    white_rating: float | None = None
    black_clock: Clock | None = None
    white_clock: Clock | None = None
    date: str = ""
    place: str = ""
    result: Result | None = None
    properties: tuple[tuple[str, str], ...] = ()
    final: Reversi = field(init=False, repr=False, compare=False)
    finished: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        start = coerced(check_board(self.start))
        moves, final, fault = play_written(start, self.moves)
        if fault < len(self.moves):
            raise IllegalAction(f"move {fault + 1}: {why_illegal(final, self.moves[fault])}")
        if len(moves) != len(self.moves):
            number = [mine == real for mine, real in zip(self.moves, moves, strict=False)].index(False) + 1
            raise IllegalAction(f"move {number}: a pass is due here; a record has every pass, as {PASS}")
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "moves", moves)
        object.__setattr__(self, "final", final)
        object.__setattr__(self, "finished", bool(terminal(final)))
        for name in ("evaluations", "times"):
            object.__setattr__(self, name, _notes(name, getattr(self, name), len(moves)))
        if any(time is not None and time < 0 for time in self.times):
            raise FormatError("a move takes a number of seconds from 0")
        for rating in (self.black_rating, self.white_rating):
            if rating is not None and not math.isfinite(rating):
                raise FormatError(f"a rating is a number, not {rating}")

    @property
    def discs(self) -> tuple[int, int]:
        """Black's and white's discs after the last move."""
        own, opponent = popcount(self.final.own), popcount(self.final.opponent)
        return (opponent, own) if self.final.turn else (own, opponent)

    @property
    def score(self) -> int | None:
        """The difference in discs for black, squares left empty counted for the winner; None if not finished."""
        if not self.finished:
            return None
        score = final_score(self.final.own, self.final.opponent)
        return -score if self.final.turn else score

    @property
    def doubt(self) -> str | None:
        """What contradicts the stated result, as a sentence; None if nothing does.

        A game that was resigned, timed out, agreed or broken off can have any result that a board can.
        """
        if self.result is None:
            return None
        stated = self.result.score
        if not -64 <= stated <= 64:
            return f"the stated result is {stated:+g}, and a board has 64 discs"
        black, white = self.discs
        if self.finished and self.result.ending is Ending.PLAYED and stated not in (black - white, self.score):
            return f"the stated result is {stated:+g}, but the game ends {black}-{white}"
        return None

    def states(self) -> list[Reversi]:
        """The position before each move, and at last the final one."""
        states = [self.start]
        for action in self.moves:
            states.append(result(states[-1], action))
        return states


def _notes(name: str, values: Sequence[float | None], moves: int) -> tuple[float | None, ...]:
    """One note for each move, or none at all."""
    if all(value is None for value in values) and len(values) <= moves:
        return ()
    if len(values) != moves:
        raise FormatError(f"{name} must have one entry for each of the {moves} moves, or none, not {len(values)}")
    if not all(value is None or math.isfinite(value) for value in values):
        raise FormatError(f"{name} must be numbers")
    return tuple(None if value is None else float(value) for value in values)
