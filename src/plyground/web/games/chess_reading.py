"""What people paste of chess: games in PGN with all that is said of them, moves, positions in FEN or EPD."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from plyground.core.rules import action_text, result
from plyground.errors import FormatError
from plyground.formats.pgn import NULL_MOVE, ChessRecord, PgnMove, read_pgn_games
from plyground.games.chess import Chess, chess, fen, read_fen
from plyground.native.compiling import interpreted

__all__ = ["read_chess"]

MOST_READ = 100
"""Games or positions of one text that are shown."""
BOARD = re.compile(r"\s*(?:[KQRBNPkqrbnp1-8]{1,8}/){7}[KQRBNPkqrbnp1-8]{1,8}\s")
"""How a line with a position begins."""
LONGEST_COMMENT = 2000


def read_chess(pasted: str) -> dict[str, Any]:
    """The games and positions in a text, as `read_pasted` tells them of Reversi; a game has its `line` with variations.

    A line is a list of moves: each has its text, its NAGs, comments, and its variations, which are lines. A variation
    ends before a null move.
    """
    lines = [line for line in pasted.splitlines() if line.strip()]
    if not lines:
        raise FormatError("there is no game and no position in this text")
    with interpreted():
        if all(BOARD.match(f"{line} ") for line in lines):
            positions = [_position(line) for line in lines[:MOST_READ]]
            return _told("FEN", [], positions, more=len(lines) > MOST_READ)
        records = list(islice(read_pgn_games(pasted.splitlines(keepends=True)), MOST_READ + 1))
        if not records:
            raise FormatError("there is no game and no position in this text")
        games = [_game(record) for record in records[:MOST_READ]]
        return _told("PGN", games, [], more=len(records) > MOST_READ)


def _told(kind: str, games: list[Any], positions: list[Any], *, more: bool) -> dict[str, Any]:
    return {"kind": kind, "more": more, "problem": None, "games": games, "positions": positions}


def _position(line: str) -> dict[str, Any]:
    """A FEN; of EPD, where operations follow instead of the numbers, the four fields that are a position."""
    fields = line.split()
    numbers = [field for field in fields[4:6] if field.isdigit()]
    state = read_fen(" ".join([*fields[:4], *(numbers if len(numbers) == 2 else [])]) if len(fields) > 6 else line)
    said = re.search(r'\bid\s+"([^"]{1,80})"', line)
    return {"board": fen(state), "to_move": int(state.turn), "scores": [], "comment": said[1] if said else ""}


def _game(record: ChessRecord) -> dict[str, Any]:
    start = "" if record.start == chess().initial else fen(record.start)
    told = " · ".join(filter(None, (record.tag("Event"), record.tag("Date").replace("????.??.??", ""))))
    return {
        "start": start,
        "line": _line(record.start, record.line),
        "comments": [_shortened(comment) for comment in record.comments],
        "names": [record.white, record.black],
        "result": record.result,
        "told": told,
        "doubt": record.doubt,
    }


def _line(state: Chess, moves: Sequence[PgnMove]) -> list[dict[str, Any]]:
    found = []
    for move in moves:
        if move.action == NULL_MOVE:
            break
        found.append(
            {
                "text": action_text(state, move.action),
                "nags": list(move.nags[:8]),
                "comments": [_shortened(comment) for comment in (*move.before, *move.comments)],
                "variations": [line for variation in move.variations if (line := _line(state, variation))],
            }
        )
        state = result(state, move.action)
    return found


def _shortened(comment: str) -> str:
    """A comment without the commands of programs, such as the clock."""
    plain = " ".join(re.sub(r"\[%[^\]]*\]", "", comment).split())
    return plain if len(plain) <= LONGEST_COMMENT else plain[:LONGEST_COMMENT] + " …"
