"""Why games ended, as codes: what the referee, the clocks and the archives have written is read back.

The database keeps a reason as the line that people read. Programs, and people who read another language, want to know
which of the few kinds of lines it is, and what its numbers are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from plyground.core.played_game import DISTURBED, OVER

__all__ = ["Reason", "read_reason"]

NUMBER = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
WHOLE = {"over": OVER, "agreed": r"agreed", "broken": r"broken off", "disturbed": rf"{DISTURBED}(?P<detail>.*)"}
LOST = {
    "resigns": r"resigns",
    "move_time": rf"took (?P<spent>{NUMBER}) s of (?P<limit>{NUMBER}) s for a move",
    "game_time": rf"has used up its (?P<limit>{NUMBER}) s for the game",
    "time": r"ran out of time",
    "illegal_moves": r"played (?P<count>\d+) illegal moves in a row",
    "illegal": r"(?P<detail>action .+ is not legal here; .*|moves are not taken back in this game)",
    "fails": r"fails: ?(?P<detail>.*)",
}
COUNTED = rf"(?:, counted (?P<counted>[+-]{NUMBER}))?"


@dataclass(frozen=True)
class Reason:
    """`code` names the kind of end, "" if the line is none of those that are known.

    `seat` is the name of the loser's seat as the line has it, `loser` its number if the game has such a seat. `facts`
    are the parts of the line that differ from game to game, as they are written: ``spent`` and ``limit`` in seconds,
    the ``count`` of illegal moves, the ``detail`` of a failure, and how the game was ``counted`` in discs.
    """

    code: str = ""
    seat: str = ""
    loser: int | None = None
    facts: dict[str, str] = field(default_factory=dict)


def read_reason(line: str, seats: Sequence[str] = ()) -> Reason:
    """Which kind of end a line tells of, in a game with these seats.

    >>> read_reason("white took 61.2 s of 60 s for a move", ("black", "white"))
    Reason(code='move_time', seat='white', loser=1, facts={'spent': '61.2', 'limit': '60'})
    """
    for code, pattern in WHOLE.items():
        if found := re.fullmatch(pattern + COUNTED, line):
            return Reason(code, facts=_told(found))
    for code, pattern in LOST.items():
        if found := re.fullmatch(rf"(?P<seat>.+?) {pattern}{COUNTED}", line, re.DOTALL):
            seat = found["seat"]
            return Reason(code, seat, seats.index(seat) if seat in seats else None, _told(found))
    return Reason()


def _told(found: re.Match[str]) -> dict[str, str]:
    return {name: text for name, text in found.groupdict().items() if text is not None and name != "seat"}
