"""The text form of a game: a table as one would write it by hand.

    # comments begin with a hash
    name: prisoner's dilemma
    players: Anna, Bert
    payoffs: costs                 less is better; utilities, the default, are the more the better
              silent   betray      the columns' names, if there are any
    silent    1,1      3,0         a row: its name, if it has one, and a cell for each column
    betray    0,3      2,2

A cell is two numbers with a comma between them, `1,1` or `(1, 1)`, or a single number, which the second player loses:
then it is a zero-sum game. Numbers are whole, decimal or fractions: `-2`, `0.25`, `1/3`, `1e-3`. Names with blanks, or
such as look like numbers, are in double quotes. A semicolon is as good as the end of a line, so that a small game fits
into one: `1,1 3,0; 0,3 2,2`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from plyground.errors import BadOption, FormatError
from plyground.subjects.matrix.matrix_game import LARGEST, MatrixGame

__all__ = ["read_game"]

LONGEST_TEXT = 4_000_000
LONGEST_NAME = 60
LONGEST_SHOWN = 30
NUMBER = r"[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,2}|/\d{1,40})?"
TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"'
    rf"|\(\s*(?P<left>{NUMBER})\s*,\s*(?P<right>{NUMBER})\s*\)(?=\s|$)"
    rf"|(?P<one>{NUMBER})(?:,(?P<two>{NUMBER}))?(?=\s|$)"
    r'|(?P<word>[^\s",()]+)(?=\s|$)'
)
DIRECTIVE = re.compile(r"\s*(name|players|payoffs)\s*:(.*)", re.IGNORECASE | re.DOTALL)
ANY_DIRECTIVE = re.compile(r"\s*([A-Za-z]+)\s*:")


@dataclass(frozen=True)
class _Piece:
    """A stretch of text between line ends and semicolons, with its place."""

    text: str
    line: int
    column: int

    def wrong(self, offset: int, what: str) -> FormatError:
        return FormatError(f"line {self.line}, column {self.column + offset}: {what}")


@dataclass(frozen=True)
class _Token:
    """A name, or a cell of one or two numbers."""

    place: int
    name: str | None = None
    cell: tuple[Fraction, ...] = ()


def read_game(text: str) -> MatrixGame:
    """The game of a text; what is wrong with it is said with line and column.

    >>> game = read_game("silent betray; silent 1,1 3,0; betray 0,3 2,2")
    >>> game.rows, game.second[0]
    (('silent', 'betray'), (Fraction(1, 1), Fraction(0, 1)))
    """
    if len(text) > LONGEST_TEXT:
        raise FormatError(f"the text of a game may have at most {LONGEST_TEXT:,} characters, not {len(text):,}")
    facts: dict[str, str] = {}
    columns: tuple[str, ...] | None = None
    header: _Piece | None = None
    names: list[str] = []
    cells: list[list[tuple[Fraction, ...]]] = []
    for piece in _pieces(text):
        directive = DIRECTIVE.fullmatch(piece.text)
        if directive:
            _note(facts, directive, piece)
            continue
        if (other := ANY_DIRECTIVE.match(piece.text)) is not None:
            raise piece.wrong(
                other.start(1), f"there is no setting '{other[1][:20]}'; there are: name, players, payoffs"
            )
        tokens = list(_tokens(piece))
        labels = [token for token in tokens if token.name is not None]
        if len(labels) == len(tokens):
            if cells or columns is not None:
                raise piece.wrong(
                    tokens[0].place, "a row without payoffs; the names of the columns come once, at the top"
                )
            columns, header = tuple(token.name or "" for token in tokens), piece
            continue
        if tokens[0].name is not None:
            names.append(tokens[0].name)
            tokens = tokens[1:]
        for token in tokens:
            if token.name is not None:
                shown = token.name[:LONGEST_SHOWN]
                raise piece.wrong(token.place, f"'{shown}' is not a payoff; write numbers such as 2, -1/2 or 3,0")
            if cells and len(token.cell) != len(cells[0][0]):
                raise piece.wrong(token.place, "some cells have one number and some two; write all of them alike")
        width = len(cells[0]) if cells else len(tokens)
        if len(tokens) != width:
            raise piece.wrong(
                tokens[-1].place, f"this row has {_count(len(tokens), 'cell')}, the first one has {width}"
            )
        if tokens and len({len(token.cell) for token in tokens}) > 1:
            odd = next(token for token in tokens if len(token.cell) != len(tokens[0].cell))
            raise piece.wrong(odd.place, "some cells have one number and some two; write all of them alike")
        cells.append([token.cell for token in tokens])
        if len(names) not in (0, len(cells)):
            raise piece.wrong(0, "either every row has a name or none has one")
        if max(len(cells), width) > LARGEST:
            raise piece.wrong(0, f"a player may have at most {LARGEST} strategies")
    if not cells:
        raise FormatError("line 1, column 1: there are no payoffs; a game is rows of cells, such as 1,1 3,0; 0,3 2,2")
    width = len(cells[0])
    if columns is not None and header is not None:
        if len(columns) == width + 1:  # something stands in the corner above the rows' names
            columns = columns[1:]
        if len(columns) != width:
            raise header.wrong(0, f"there are {_count(len(columns), 'name')} for {_count(width, 'column')}")
    return _game(facts, columns or (), tuple(names), cells)


def _game(
    facts: dict[str, str], columns: tuple[str, ...], rows: tuple[str, ...], cells: list[list[tuple[Fraction, ...]]]
) -> MatrixGame:
    first = tuple(tuple(cell[0] for cell in row) for row in cells)
    second = tuple(tuple(cell[1] if len(cell) > 1 else -cell[0] for cell in row) for row in cells)
    players = [player.strip() for player in facts.get("players", "Row, Column").split(",")]
    name, costs = facts.get("name", ""), facts.get("payoffs") == "costs"
    try:
        return MatrixGame(first, second, rows, columns, name, (players[0], players[1]), costs)
    except BadOption as error:
        raise FormatError(f"line 1, column 1: {error}") from None


def _pieces(text: str) -> Iterator[_Piece]:
    for number, line in enumerate(text.splitlines(), 1):
        start, quoted = 0, False
        for place, character in enumerate(f"{line};"):
            if character == '"' and place < len(line):
                quoted = not quoted
            ends = place == len(line)
            if ends or (not quoted and character in ";#"):
                part = line[start:place]
                if part.strip():
                    yield _Piece(part, number, start + 1)
                start = place + 1
                if character == "#":
                    break


def _note(facts: dict[str, str], directive: re.Match[str], piece: _Piece) -> None:
    setting, value = directive[1].lower(), " ".join(directive[2].split())
    place = directive.start(2)
    if setting in facts:
        raise piece.wrong(directive.start(1), f"'{setting}' is there twice")
    if setting == "payoffs" and value not in ("costs", "utilities"):
        raise piece.wrong(place, f"payoffs are costs or utilities, not '{value[:LONGEST_SHOWN]}'")
    if setting == "players":
        players = [player.strip() for player in value.split(",")]
        if (
            len(players) != 2
            or not all(0 < len(player) <= LONGEST_NAME for player in players)
            or players[0] == players[1]
        ):
            raise piece.wrong(place, "players are two different names with a comma between them")
    if not value.isprintable() or len(value) > 2 * LONGEST_NAME or not value:
        raise piece.wrong(place, f"'{setting}' needs a printable text of at most {2 * LONGEST_NAME} characters")
    facts[setting] = value


def _tokens(piece: _Piece) -> Iterator[_Token]:
    # A minus as it is printed; of the same length, so that places stay.
    text = piece.text.replace("\N{MINUS SIGN}", "-")
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        found = TOKEN.match(text, place)
        if found is None:
            shown = text[place:].split()[0][:LONGEST_SHOWN]
            raise piece.wrong(place, f"{shown!r} is neither a payoff, such as 2, -1/2 or 3,0, nor a name")
        if found["quoted"] is not None or found["word"] is not None:
            name = found["word"] if found["quoted"] is None else found["quoted"].strip()
            if not name or len(name) > LONGEST_NAME or not name.isprintable():
                raise piece.wrong(place, f"a name has 1 to {LONGEST_NAME} printable characters")
            if found["word"] is not None and (name[0].isdigit() or name[0] in "+-."):
                raise piece.wrong(place, f"'{name[:LONGEST_SHOWN]}' is not a number; a name like it must be in quotes")
            yield _Token(place, name=name)
        else:
            numbers = [found["left"], found["right"]] if found["left"] else [found["one"], found["two"]]
            yield _Token(place, cell=tuple(_number(number, piece, place) for number in numbers if number))
        place = found.end()


def _number(text: str, piece: _Piece, place: int) -> Fraction:
    if "/" in text and "." in text:
        raise piece.wrong(place, f"'{text[:LONGEST_SHOWN]}' is not a number; a fraction has no decimal point")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise piece.wrong(place, f"'{text[:LONGEST_SHOWN]}' divides by zero") from None


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
