"""Everything that can go wrong, under one root.

    PlygroundError
    ├── SpecError (ValueError)            a "name:option=value" text that cannot be understood
    │   ├── UnknownName (LookupError)     no game, player or option of that name
    │   └── BadOption                     the option exists, its value does not fit
    ├── ActionError (ValueError)
    │   ├── UnreadableAction              the text cannot be read as an action at all
    │   └── IllegalAction                 readable, but not legal in this position
    ├── FormatError (ValueError)          a file that is not what it should be
    │   ├── UnknownFormat                 a text or a file in none of the known formats
    │   ├── TruncatedFile                 it ends before what it has announced
    │   └── ImpossibleBoard               64 squares and a side to move that are not
    ├── GameError
    │   ├── MissingRule (NotImplementedError)  the game lacks a rule that was asked for
    │   ├── BrokenRule (RuntimeError)     a rule did something its contract forbids
    │   └── ContractBroken (AssertionError)    found by `plyground.games.contract.check_game`
    ├── AlteredFile                       a file that must stay as it is has been changed by somebody else
    ├── DatabaseError (OSError)           a games database that cannot be opened, read or written
    ├── UnsuitableGame (TypeError)        the algorithm cannot play this kind of game
    ├── PlayerFailed (RuntimeError)       another program, as a player, cannot go on: it loses the game
    │   ├── ProgramEnded                  it has ended, or closed its output
    │   │   └── ProgramKilled             something else has ended it: nobody loses the game
    │   ├── ProgramTimeout (TimeoutError) it did not answer in time
    │   └── ProtocolBroken                it answered something that cannot be understood
    └── MissingExtra (ImportError)        an optional dependency is not installed

    UncompiledWarning (UserWarning)       a game or an algorithm runs interpreted

Messages are one line: what was wrong, then what would be right.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from plyground.visible_text import visible

__all__ = [
    "ActionError",
    "AlteredFile",
    "BadOption",
    "BrokenRule",
    "ContractBroken",
    "DatabaseError",
    "FormatError",
    "GameError",
    "IllegalAction",
    "ImpossibleBoard",
    "MissingExtra",
    "MissingRule",
    "PlayerFailed",
    "PlygroundError",
    "ProgramEnded",
    "ProgramKilled",
    "ProgramTimeout",
    "ProtocolBroken",
    "SpecError",
    "TruncatedFile",
    "UncompiledWarning",
    "UnknownFormat",
    "UnknownName",
    "UnreadableAction",
    "UnsuitableGame",
    "suggestion",
]


class PlygroundError(Exception):
    """The root of all errors that Plyground raises on purpose; what they quote is shown, and does nothing else."""

    def __str__(self) -> str:
        return visible(super().__str__())


class SpecError(PlygroundError, ValueError):
    """A specification such as ``minimax:depth=9`` that cannot be understood."""


class UnknownName(SpecError, LookupError):
    """There is no game, player or option of that name."""


class BadOption(SpecError):
    """The option exists, but its value does not fit."""


class ActionError(PlygroundError, ValueError):
    """Something is wrong with an action."""


class UnreadableAction(ActionError):
    """The text cannot be read as an action of this game."""


class IllegalAction(ActionError):
    """The action is readable, but not legal in this position."""


class FormatError(PlygroundError, ValueError):
    """A file or a text is not in the form that was expected."""


class UnknownFormat(FormatError):
    """A text or a file is in none of the formats that are known."""


class TruncatedFile(FormatError):
    """A file or a text ends before what it has announced."""


class ImpossibleBoard(FormatError):
    """What should be the squares of a board and the side to move is not, or has no discs."""


class GameError(PlygroundError):
    """A game's rules are at fault."""


class MissingRule(GameError, NotImplementedError):
    """The game does not define a rule that was asked for."""


class BrokenRule(GameError, RuntimeError):
    """A rule did something that its contract forbids."""


class ContractBroken(GameError, AssertionError):
    """`plyground.games.contract.check_game` found a rule that contradicts another; `rule` is its name, if it is one."""

    def __init__(self, line: str, rule: str = "") -> None:
        super().__init__(line)
        self.rule = rule


class AlteredFile(PlygroundError):
    """A file that must stay as it is, such as a player's in a tournament, has been changed by somebody else."""


class DatabaseError(PlygroundError, OSError):
    """A games database cannot be opened, read or written."""


class UnsuitableGame(PlygroundError, TypeError):
    """An algorithm was handed a game of a kind that it cannot play."""


class PlayerFailed(PlygroundError, RuntimeError):
    """A player that is another program, or somebody's file, cannot go on; it loses the game."""


class ProgramEnded(PlayerFailed):
    """The program has ended, or closed its output."""


class ProgramKilled(ProgramEnded):
    """A signal that neither the program itself nor the referee has sent has ended it."""


class ProgramTimeout(PlayerFailed, TimeoutError):
    """The program did not answer in time."""


class ProtocolBroken(PlayerFailed):
    """The program answered something that cannot be understood."""


class MissingExtra(PlygroundError, ImportError):
    """An optional dependency is needed and not installed."""


class UncompiledWarning(UserWarning):
    """A game or an algorithm could not be compiled and runs interpreted."""


def suggestion(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'x'?"`` for the nearest known word, or the list of all known ones."""
    names = sorted(known)
    folded = {name.lower(): name for name in names}
    near = difflib.get_close_matches(word.lower(), folded, n=1, cutoff=0.5)
    if near:
        return f"; did you mean '{folded[near[0]]}'?"
    return f"; there are: {', '.join(names)}" if names else "; there are none"
