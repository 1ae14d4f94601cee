"""A puzzle: a position in which exactly one move is best, and what every move leads to, solved to the end.

A set is a text file, one puzzle a line, its parts separated by semicolons: the stars; the moves that lead to the
position, or of chess the position in FEN; then for each legal move its score, and best play from there, the move first:

    3;f5d6c3...;+6 h8g7b2;-4 b2a1h8
    2;8/8/8/8/8/2K5/1R6/k7 w - - 0 1;+3 b2b8a1a2b8a8;+0 b2b1a1b1;...

What a score says depends on the game, see `Kind`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Literal

from plyground.core.files import read_text
from plyground.errors import FormatError, UnknownName, suggestion
from plyground.games.chess import read_fen

__all__ = ["SETS", "Kind", "Puzzle", "Variation", "daily", "parse_puzzle", "puzzles"]

FOLDER = Path(__file__).parent
MARGIN = 4
"""Discs by which the best move is better than any other, where discs are counted."""
LARGEST = 1_000_000
"""Bytes of a set."""
VARIATION = re.compile(r"(?P<score>[+-]\d{1,2}) (?P<line>\S+)")


@dataclass(frozen=True)
class Kind:
    """How the puzzles of a game are written and judged.

    `move` is the pattern of a move in its file. Where `counts` says "discs", a score is by how many discs whoever is to
    move wins or loses; where it says "plies", after how many plies, this move counted: +7 wins, -12 loses, +0 draws.
    With "mate" it is the same, and what is to be found is the quickest win.
    `depths` are the plies of the four searches that measure the stars.
    """

    move: str
    counts: Literal["discs", "plies", "mate"]
    depths: tuple[int, int, int, int]

    def only(self, best: int, other: int) -> bool:
        """Whether a move of the first score is the one to find, beside one of the other: it keeps what that loses."""
        if self.counts == "discs":
            return best - other >= MARGIN
        if self.counts == "mate":
            return best > 0 and not 0 < other <= best
        return _outcome(best) > _outcome(other)

    @property
    def rule(self) -> str:
        """What `only` asks for, in words."""
        return {
            "discs": f"better than all others, by {MARGIN} discs",
            "plies": "the only one to win, or draw",
            "mate": "the only one that mates as soon",
        }[self.counts]


SETS = {
    "reversi": Kind("[a-h][1-8]|--", "discs", (1, 2, 4, 6)),
    "connect4": Kind("[1-7]", "plies", (2, 4, 8, 12)),
    "chess": Kind("[a-h][1-8][a-h][1-8](?:[qrbn](?![1-8]))?", "mate", (1, 3, 5, 7)),
}
"""The games that have puzzles, each with its file; `making.SOURCES` says where they come from."""


def _outcome(score: int) -> int:
    return (score > 0) - (score < 0)


@dataclass(frozen=True)
class Variation:
    """A move, what it is worth with best play, and best play from there; a pass is written ``--``."""

    score: int
    line: tuple[str, ...]

    @property
    def move(self) -> str:
        """The move."""
        return self.line[0]


@dataclass(frozen=True)
class Puzzle:
    """`stars`, from 1 to 5, were measured: a star for each of four depths at which a search goes wrong, and one.

    `moves` lead to the position, or `start` is it, in FEN. `variations` are all legal moves, the best first.
    """

    game: str
    stars: int
    moves: tuple[str, ...]
    variations: tuple[Variation, ...]
    start: str = ""

    @property
    def best(self) -> Variation:
        """The only best move."""
        return self.variations[0]

    def find(self, move: str) -> Variation | None:
        """What a move leads to; None if it is not legal."""
        return next((one for one in self.variations if one.move == move), None)

    def line(self) -> str:
        """The puzzle as a line of its file."""
        told = (f"{one.score:+d} {''.join(one.line)}" for one in self.variations)
        return ";".join((str(self.stars), self.start or "".join(self.moves), *told))


def parse_puzzle(line: str, game: str, where: str = "puzzle") -> Puzzle:
    """A puzzle from its line; `FormatError` says what is wrong with it."""
    kind = kind_of(game)
    stars, _, rest = line.strip().partition(";")
    moves, _, told = rest.partition(";")
    found = [VARIATION.fullmatch(part) for part in told.split(";")]
    start, moves = (moves, "") if kind.counts == "mate" else ("", moves)
    unread = re.sub(kind.move, "", moves + "".join(one["line"] for one in found if one))
    if stars not in "12345" or not stars or unread or not all(found):
        raise FormatError(f"{where}: a puzzle is written 'stars;moves;+6 h8g7;-4 b2', not '{line[:40]}'")
    if kind.counts == "mate":
        try:
            read_fen(start)
        except FormatError as error:
            raise FormatError(f"{where}: {error}") from None
    variations = tuple(Variation(int(one["score"]), tuple(re.findall(kind.move, one["line"]))) for one in found if one)
    if len(variations) < 2 or not all(kind.only(variations[0].score, one.score) for one in variations[1:]):
        raise FormatError(f"{where}: the first move must be {kind.rule}")
    return Puzzle(game, int(stars), tuple(re.findall(kind.move, moves)), variations, start)


def kind_of(game: str) -> Kind:
    """How the puzzles of a game are written; `UnknownName` if there are none."""
    if game not in SETS:
        raise UnknownName(f"there are no puzzles of '{game[:40]}'{suggestion(game, SETS)}")
    return SETS[game]


@cache
def puzzles(game: str) -> tuple[Puzzle, ...]:
    """The bundled puzzles of a game, the easy ones first."""
    kind_of(game)
    text = read_text(FOLDER / f"{game}.txt", "set of puzzles", LARGEST)
    lines = enumerate(text.splitlines(), 1)
    return tuple(parse_puzzle(line, game, f"{game}.txt, line {number}") for number, line in lines if line.strip())


def daily(day: date, count: int) -> int:
    """The number of the puzzle of a day, from 0: the same for everybody, and each once before one comes again.

    >>> daily(date(2026, 1, 1), 100) == daily(date(2026, 1, 1), 100)
    True
    """
    turn, place = divmod(day.toordinal(), count)
    order = sorted(range(count), key=lambda number: hashlib.sha256(f"{turn}/{number}".encode()).digest())
    return order[place]
