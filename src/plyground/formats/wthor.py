"""WTHOR, the base of tournament games of the French federation: binary files of 68 bytes a game.

A file ``.wtb`` has the games of a year; the names of players and tournaments are in two files beside it, ``WTH.JOU``
and ``WTH.TRN``. All begin with a header of 16 bytes; numbers are little-endian. A move is a byte, 10*row + column, both
from 1; passes are left out. A game's result is black's discs, squares left empty counted for the winner.

For all games of a file at once there are NumPy arrays, `GameBase.games` and `GameBase.moves`; a single game is a
`Record`, ``base[i]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from plyground.core.files import read_file, write_file
from plyground.errors import FormatError, PlygroundError, TruncatedFile, UnreadableAction
from plyground.formats.places import located, place
from plyground.formats.record import Record, Result
from plyground.formats.replay import END, NO_SQUARE, START, Replayed, replay, replay_games
from plyground.games.reversi import PASS

__all__ = [
    "PLAYERS",
    "TOURNAMENTS",
    "GameBase",
    "collect_games",
    "name_at",
    "names_beside",
    "names_bytes",
    "parse_names",
    "parse_wthor",
    "read_names",
    "read_wthor",
    "write_names",
    "write_wthor",
    "wthor_bytes",
    "wthor_kind",
]

PLAYERS = 20
TOURNAMENTS = 26
"""How many bytes a name has in the two files of names, a NUL at its end included."""
UNKNOWN = "???"
"""The name that stands for none."""
ENCODING = "latin-1"

HEADER = np.dtype(
    [
        ("century", "u1"),
        ("year_of_century", "u1"),
        ("month", "u1"),
        ("day", "u1"),
        ("games", "<u4"),
        ("names", "<u2"),
        ("year", "<u2"),
        ("size", "u1"),
        ("kind", "u1"),
        ("depth", "u1"),
        ("reserved", "u1"),
    ]
)
GAME = np.dtype(
    [
        ("tournament", "<u2"),
        ("black", "<u2"),
        ("white", "<u2"),
        ("discs", "u1"),
        ("best", "u1"),
        ("moves", "u1", (60,)),
    ]
)
"""A game in a file: the indices of the names, black's discs, black's discs after best play from `depth` empty squares
on, and the moves."""

Games = np.ndarray[Any, np.dtype[np.void]]
Squares = np.ndarray[Any, np.dtype[np.uint8]]

_SQUARES = np.full(256, NO_SQUARE, np.uint8)
_SQUARES[0] = END
for _row in range(8):
    for _column in range(8):
        _SQUARES[10 * (_row + 1) + _column + 1] = 8 * _row + _column
_BYTES = np.zeros(256, np.uint8)
_BYTES[_SQUARES[11:89]] = np.arange(11, 89)
_BYTES[NO_SQUARE] = 0


@dataclass(frozen=True, eq=False)
class GameBase:
    """The games of one file.

    `games` is a structured array with the fields of `GAME`. `year` is when the games were played, `written` when the
    file was: year, month and day. `depth` is from how many empty squares on the best result was computed. `players`
    and `tournaments` are the names that the indices mean; empty if they are not known.
    """

    games: Games
    year: int
    written: tuple[int, int, int]
    depth: int = 24
    kind: int = 0
    players: tuple[str, ...] = ()
    tournaments: tuple[str, ...] = ()
    source: str = ""

    def __len__(self) -> int:
        return len(self.games)

    @cached_property
    def moves(self) -> Squares:
        """The moves of all games, shape (n, 60): squares 0..63 without passes, 255 after the last.

        254 stands for a byte that is no square.
        """
        squares: Squares = _SQUARES[self.games["moves"]]
        return squares

    @cached_property
    def replayed(self) -> Replayed:
        """How all games went, by the compiled rules: the first illegal move, the discs, whether it was finished."""
        return replay_games(self.moves)

    def __getitem__(self, index: int) -> Record:
        """One game as a record; an error says which game, from 1, and which move."""
        game = self.games[index]
        with located(place(self.source, f"game {range(len(self))[index] + 1}")):
            return Record(
                START,
                replay(START, _written(game["moves"])),
                black=name_at(self.players, int(game["black"])),
                white=name_at(self.players, int(game["white"])),
                date=str(self.year) if self.year else "",
                place=name_at(self.tournaments, int(game["tournament"])),
                result=Result(2.0 * int(game["discs"]) - 64.0),
            )

    def __iter__(self) -> Iterator[Record]:
        return (self[index] for index in range(len(self)))

    def doubts(self) -> Iterator[str]:
        """A line for each game that is not legal, or whose stated result is not what its moves lead to."""
        replayed, stated = self.replayed, self.games["discs"]
        score = replayed.black - replayed.white
        empty = 64 - replayed.black - replayed.white
        discs = (64 + score + np.sign(score) * empty) // 2
        wrong = (replayed.faults >= 0) | (stated > 64) | (replayed.finished & (discs != stated))
        for index in np.flatnonzero(wrong).tolist():
            try:
                record = self[index]
            except PlygroundError as error:
                yield str(error)
            else:
                yield f"{place(self.source, f'game {index + 1}')}: {record.doubt}"


# Reading ----------------------------------------------------------------------------------------------------------


def read_wthor(path: str | Path) -> GameBase:
    """The games of a file, with the names from ``WTH.JOU`` and ``WTH.TRN`` in the same folder if they are there."""
    return parse_wthor(read_file(path, "WTHOR file"), str(path), **names_beside(path))


def names_beside(path: str | Path) -> dict[str, tuple[str, ...]]:
    """The players' and tournaments' names that belong to a file of games, as keywords for `parse_wthor`."""
    keywords = {"wth.jou": "players", "wth.trn": "tournaments"}
    beside = [file for file in Path(path).parent.iterdir() if file.name.lower() in keywords]
    return {keywords[file.name.lower()]: read_names(file) for file in sorted(beside)}


def parse_wthor(
    data: bytes, source: str = "", *, players: Sequence[str] = (), tournaments: Sequence[str] = ()
) -> GameBase:
    """The games in the bytes of a ``.wtb`` file."""
    with located(source):
        header = _header(data)
        if header["size"] not in (0, 8):
            raise FormatError(f"the games are on a {header['size']}x{header['size']} board; only 8x8 is read")
        games = np.frombuffer(_body(data, int(header["games"]), GAME.itemsize, "games"), GAME)
    century, year, month, day = (int(header[name]) for name in ("century", "year_of_century", "month", "day"))
    played, depth, kind = (int(header[name]) for name in ("year", "depth", "kind"))
    written = (100 * century + year, month, day)
    return GameBase(games, played, written, depth, kind, tuple(players), tuple(tournaments), source)


def read_names(path: str | Path) -> tuple[str, ...]:
    """The names in a file ``.JOU`` or ``.TRN``; a game gives the index of a name."""
    width = TOURNAMENTS if Path(path).suffix.lower() == ".trn" else PLAYERS
    return parse_names(read_file(path, "file of names"), width, str(path))


def parse_names(data: bytes, width: int, source: str = "") -> tuple[str, ...]:
    """The names in the bytes of a file of names, each of `width` bytes: `PLAYERS` or `TOURNAMENTS`."""
    with located(source):
        body = _body(data, int(_header(data)["names"]), width, "names")
    return tuple(body[at : at + width].split(b"\0", 1)[0].decode(ENCODING).strip() for at in range(0, len(body), width))


def wthor_kind(data: bytes) -> str:
    """``.wtb``, ``.jou`` or ``.trn`` if the bytes can be such a file, by their header and their length; else ""."""
    if len(data) < HEADER.itemsize:
        return ""
    header = np.frombuffer(data, HEADER, 1)[0]
    if not _plausible(header):
        return ""
    body = len(data) - HEADER.itemsize
    if header["size"] in (0, 8, 10) and int(header["games"]) * GAME.itemsize == body and not header["names"]:
        return ".wtb"
    widths = {PLAYERS: ".jou", TOURNAMENTS: ".trn"}
    return next((kind for width, kind in widths.items() if 0 < int(header["names"]) * width == body), "")


def _header(data: bytes) -> Any:
    if len(data) < HEADER.itemsize:
        raise TruncatedFile(f"a WTHOR file begins with {HEADER.itemsize} bytes of header, and here are {len(data)}")
    header = np.frombuffer(data, HEADER, 1)[0]
    if not _plausible(header):
        raise FormatError("this is not a WTHOR file: its header has no date")
    return header


def _plausible(header: Any) -> bool:
    return bool(header["century"] in (19, 20, 21) and header["month"] <= 12 and header["day"] <= 31)


def _body(data: bytes, count: int, width: int, what: str) -> bytes:
    body = data[HEADER.itemsize :]
    if len(body) < count * width:
        raise TruncatedFile(f"the header announces {count} {what}, and the file has {len(body) // width}")
    if len(body) > count * width:
        raise FormatError(f"the header announces {count} {what}, and {len(body) - count * width} more bytes follow")
    return body


def _written(moves: Squares) -> list[int]:
    squares: list[int] = _SQUARES[moves].tolist()
    length = squares.index(END) if END in squares else len(squares)
    for number, square in enumerate(squares, 1):
        if square == NO_SQUARE:
            raise UnreadableAction(f"move {number}: the byte {int(moves[number - 1])} is not a square; f5 is 56")
        if number > length and square != END:
            raise FormatError(f"move {number}: the game has a move after its end")
    return squares[:length]


def name_at(names: tuple[str, ...], index: int) -> str:
    """The name that an index means; "" if none is known."""
    name = names[index] if index < len(names) else ""
    return "" if name == UNKNOWN else name


# Writing ----------------------------------------------------------------------------------------------------------


def collect_games(
    records: Iterable[Record],
    year: int,
    written: tuple[int, int, int],
    *,
    players: Sequence[str] = (UNKNOWN,),
    tournaments: Sequence[str] = (UNKNOWN,),
) -> GameBase:
    """A base of these games, which must start from the usual position; `written` is today's year, month and day.

    New names are added after those that are given. A game that was broken off needs a result. A pass at the very
    end, evaluations, times, ratings and clocks are lost: the format has no place for them.
    """
    known_players = {name: index for index, name in enumerate(players)}
    known_tournaments = {name: index for index, name in enumerate(tournaments)}
    rows = []
    for number, record in enumerate(records, 1):
        with located(f"game {number}"):
            if record.start != START:
                raise FormatError("WTHOR has only games from the usual first position")
            squares = np.full(60, END, np.uint8)
            placed = [move for move in record.moves if move != PASS]
            squares[: len(placed)] = placed
            discs = _discs(record)
            indices = (
                known_tournaments.setdefault(record.place or UNKNOWN, len(known_tournaments)),
                known_players.setdefault(record.black or UNKNOWN, len(known_players)),
                known_players.setdefault(record.white or UNKNOWN, len(known_players)),
            )
            rows.append((*indices, discs, discs, _BYTES[squares]))
    for names, width in ((known_players, PLAYERS), (known_tournaments, TOURNAMENTS)):
        _names_bytes(tuple(names), width)
    return GameBase(
        np.array(rows, GAME), year, written, players=tuple(known_players), tournaments=tuple(known_tournaments)
    )


def write_wthor(path: str | Path, base: GameBase) -> None:
    """Write the games to a ``.wtb`` file; the names go to files of their own, see `write_names`."""
    write_file(path, wthor_bytes(base))


def wthor_bytes(base: GameBase) -> bytes:
    """The content of a ``.wtb`` file."""
    return _header_bytes(base.written, games=len(base), year=base.year, kind=base.kind, depth=base.depth, size=8) + (
        base.games.tobytes()
    )


def write_names(path: str | Path, names: Sequence[str], written: tuple[int, int, int]) -> None:
    """Write names to a file ``.JOU`` (players) or ``.TRN`` (tournaments), by the path's suffix."""
    width = TOURNAMENTS if Path(path).suffix.lower() == ".trn" else PLAYERS
    write_file(path, names_bytes(names, width, written))


def names_bytes(names: Sequence[str], width: int, written: tuple[int, int, int]) -> bytes:
    """The content of a file of names, each of `width` bytes: `PLAYERS` or `TOURNAMENTS`."""
    body = _names_bytes(names, width)
    return _header_bytes(written, names=len(names)) + body


def _names_bytes(names: Sequence[str], width: int) -> bytes:
    if len(names) > 65535:
        raise FormatError(f"WTHOR has room for 65,535 names, not {len(names):,}")
    fields = []
    for name in names:
        try:
            field = name.encode(ENCODING)
        except UnicodeEncodeError:
            raise FormatError(f"the name {name!r} has letters that WTHOR (Latin-1) cannot have") from None
        if len(field) >= width or b"\0" in field:
            raise FormatError(f"the name {name!r} does not fit: at most {width - 1} letters")
        fields.append(field.ljust(width, b"\0"))
    return b"".join(fields)


def _header_bytes(written: tuple[int, int, int], **fields: int) -> bytes:
    year, month, day = written
    header = np.zeros((), HEADER)
    given = {"century": year // 100, "year_of_century": year % 100, "month": month, "day": day, **fields}
    for name, value in given.items():
        if not 0 <= value <= np.iinfo(HEADER[name]).max:
            raise FormatError(f"{value} does not fit into a WTHOR header as its {name}")
        header[name] = value
    if not _plausible(header):
        raise FormatError(f"{year}-{month}-{day} is not a date that a WTHOR file can have")
    return header.tobytes()


def _discs(record: Record) -> int:
    """Black's discs as the format counts them: by the stated result if there is one, else by the final position."""
    score = record.result.score if record.result else record.score
    if score is None:
        raise FormatError("the game was broken off and has no result, which WTHOR must have")
    black, white = record.discs
    if record.score is not None and score == black - white:  # stated without the squares left empty
        score = record.score
    discs = (64 + score) / 2
    if not discs.is_integer() or not 0 <= discs <= 64:
        raise FormatError(f"a result of {score:+g} cannot be written in black's discs")
    return int(discs)
