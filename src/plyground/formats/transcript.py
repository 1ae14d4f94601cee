"""A game as a row of squares: ``f5d6c3d3c4``.

Any case, with blanks, commas or semicolons between the moves or without, with numbers (``1. f5 d6 2. c3``) or without.
Forced passes are left out, or written ``pa``, ``ps`` or ``pass``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plyground.errors import UnreadableAction
from plyground.formats.places import OnError, read_each_line
from plyground.formats.record import Record
from plyground.formats.replay import START, no_square, read_square, replay
from plyground.games.lattice import cell_name
from plyground.games.reversi import PASS, Reversi

__all__ = ["read_transcript", "read_transcripts", "write_transcript"]

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
    return Record(start, replay(start, _written(text)))


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


def _written(text: str) -> list[int]:
    """The actions as they are written, passes only where there are any."""
    written: list[int] = []
    at = _after_blanks(text, 0)
    while at < len(text):
        found = MOVE.match(text, at)
        if found is None:
            raise UnreadableAction(f"move {len(written) + 1}: {no_square(re.split(BLANK, text[at : at + 20])[0])}")
        written.append(read_square(found[0]))
        at = _after_blanks(text, found.end())
    return written


def _after_blanks(text: str, at: int) -> int:
    found = BETWEEN.match(text, at)
    return found.end() if found else at
