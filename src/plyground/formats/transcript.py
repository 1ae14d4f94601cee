"""A game as a row of squares: ``f5d6c3d3c4``.

Any case, with blanks, commas or semicolons between the moves or without, with numbers (``1. f5 d6 2. c3``) or without.
Forced passes are left out, or written ``pa``, ``ps`` or ``pass``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plyground.core.notation import Fault
from plyground.errors import IllegalAction, UnreadableAction
from plyground.formats.places import OnError, read_each_line
from plyground.formats.record import Record
from plyground.formats.replay import START, no_square, play_written, read_square, why_illegal
from plyground.games.lattice import cell_name
from plyground.games.reversi import PASS, Reversi

__all__ = ["read_transcript", "read_transcript_beginning", "read_transcripts", "write_transcript"]

BLANK = r"[\s,;]"
BETWEEN = re.compile(rf"(?:{BLANK}+|[0-9]{{1,3}}(?:[.)]+|(?=\s)))*")
"""What may stand between moves: blanks, and numbers of moves."""
MOVE = re.compile(r"pass|pa|ps|[a-h][1-8]", re.IGNORECASE | re.ASCII)


def read_transcript(text: str, start: Reversi = START) -> Record:
    """One game from a position; it may end early.

    `UnreadableAction` for what is no square, `IllegalAction` for what the rules forbid; both say at which move, counted
    as written.

    >>> read_transcript("F5 d6 c3").moves
    (37, 43, 18)
    """
    record, fault = read_transcript_beginning(text, start)
    if fault is not None:
        raise fault.error
    return record


def read_transcript_beginning(text: str, start: Reversi = START) -> tuple[Record, Fault | None]:
    """The same up to the first move that cannot be made, and what is wrong with that one; None if all can be made."""
    written, places, fault = _written(text)
    played = play_written(start, written)
    if played.fault < len(written):
        number = played.fault + 1
        error = IllegalAction(f"move {number}: {why_illegal(played.final, written[played.fault])}")
        fault = Fault(number, *places[played.fault], error)
    return Record(start, played.actions), fault


def read_transcripts(lines: Iterable[str], source: str = "", *, on_error: OnError | None = None) -> Iterator[Record]:
    """A game a line, one after the other, as from an open file.

    Empty lines and lines that begin with ``%`` or ``#`` are left out. With `on_error` a line that
    cannot be read is handed to it, and reading goes on.
    """
    return read_each_line(lines, read_transcript, source, on_error)


def write_transcript(record: Record, *, passes: bool = False) -> str:
    """The moves of a game, from wherever it starts; with `passes` forced passes are written, as ``pa``.

    A pass at the end of a game that was broken off is always written, since nobody could tell that it was made.
    """
    last = len(record.moves) - 1
    return "".join(
        cell_name(move // 8, move % 8) if move != PASS else "pa"
        for i, move in enumerate(record.moves)
        if passes or move != PASS or i == last
    )


def _written(text: str) -> tuple[list[int], list[tuple[int, int]], Fault | None]:
    """The actions as they are written, passes only where there are any; where each stands; the first that is none."""
    written: list[int] = []
    places: list[tuple[int, int]] = []
    at = _after_blanks(text, 0)
    while at < len(text):
        found = MOVE.match(text, at)
        if found is None:
            number, word = len(written) + 1, re.split(BLANK, text[at : at + 20])[0]
            return (
                written,
                places,
                Fault(number, at, at + len(word), UnreadableAction(f"move {number}: {no_square(word)}")),
            )
        written.append(read_square(found[0]))
        places.append(found.span())
        at = _after_blanks(text, found.end())
    return written, places, None


def _after_blanks(text: str, at: int) -> int:
    found = BETWEEN.match(text, at)
    return found.end() if found else at
