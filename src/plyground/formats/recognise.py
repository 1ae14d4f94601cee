"""Finding out what a pasted text or a file is, and reading it."""

from __future__ import annotations

import codecs
import enum
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TextIO

from plyground.core.files import open_file, read_file
from plyground.errors import FormatError, PlygroundError, UnknownFormat
from plyground.formats.board import BLACK, COLUMNS, EMPTY, WHITE, read_board
from plyground.formats.epd import ChessPosition, read_epd_lines
from plyground.formats.ggf import OPENING, read_ggf_games
from plyground.formats.obf import ScoredPosition, read_obf_lines
from plyground.formats.pgn import ChessRecord, read_pgn_games
from plyground.formats.places import OnError, has_content, located, place, read_one
from plyground.formats.record import Record
from plyground.formats.transcript import read_transcript, read_transcripts
from plyground.formats.wthor import names_beside, parse_wthor, wthor_kind

__all__ = ["Format", "Item", "only_reversi", "read_any", "read_any_file", "recognise"]

Item = Record | ScoredPosition | ChessRecord | ChessPosition
"""What can be in a text or a file: a game or a position, of Reversi or of chess."""

HEAD = 1 << 16
"""How much of a file is looked at to recognise it."""
LONGEST_LINE = 1 << 20
"""Characters in a line, or in a game that takes several."""
LONGEST_BOARD = 1 << 14
BYTE_ORDER_MARK = "\ufeff"
TRANSCRIPT = re.compile(r"\s*(?:[0-9]{1,3}(?:[.)]+\s*|\s+))?(?:[a-z][0-9]|pass|pa|ps)", re.IGNORECASE)
MOVE_TEXT = re.compile(r"\s*(?:[0-9]{1,3}(?:[.)]+\s*|\s+))?(?:[KQRBN]?[a-h1-8]?x?[a-h][1-8]|pass|pa|ps)", re.IGNORECASE)
"""How a line of moves begins, of Reversi or of chess."""
LATER_MOVE = re.compile(r"\s*(?!0*1\b)[0-9]{1,3}[.)]")
"""A line that begins with the number of another move than the first."""
EPD = re.compile(r"\s*[1-8KQRBNPkqrbnp]+(?:/[1-8KQRBNPkqrbnp]+){7}(?:\s|$)")
PGN = re.compile(r'\s*(?:\[\s*[A-Za-z]\w*\s+"|[{;])')
CHESS_MOVE = re.compile(
    r"(?<![\w])(?:[KQRBN][a-h1-8]?x?[a-h][1-8]|[a-h]x[a-h][1-8]|[a-h]2[a-h][34]|[bg]1[acfh]3|[O0]-[O0])(?!\w)"
)
"""What nobody writes in a game of Reversi, where the squares of the last ones cannot come first."""
PAWNS = re.compile(r"\s*(?:1[.)]*\s*)?(?!c4|d3)[a-h][34]\s+(?:1?\.+\s*)?[a-h][56](?!\w)")
"""Two moves of pawns, the first of which nobody can make in Reversi."""
KNOWN = (
    "known are transcripts (f5d6c3), boards (64 squares and the side to move), OBF, GGF, (;GM[Othello]...;), and WTHOR "
    "for Reversi; PGN, EPD and FEN for chess"
)


class Format(enum.Enum):
    """What a text or a file is; the value is its name for people."""

    TRANSCRIPT = "transcript"
    BOARD = "board"
    OBF = "OBF"
    GGF = "GGF"
    PGN = "PGN"
    EPD = "EPD"
    WTHOR = "WTHOR games"
    PLAYERS = "WTHOR names of players"
    TOURNAMENTS = "WTHOR names of tournaments"


BINARY = {".wtb": Format.WTHOR, ".jou": Format.PLAYERS, ".trn": Format.TOURNAMENTS}


def recognise(content: str | bytes) -> Format:
    """The format of a pasted text or of a file's content; `UnknownFormat` if it is none of them.

    It goes by the beginning, so that what is recognised may still turn out to be faulty when it is read.
    """
    if isinstance(content, bytes):
        if kind := wthor_kind(content):
            return BINARY[kind]
        if b"\0" in content:
            raise UnknownFormat(f"this is neither text nor a whole WTHOR file; {KNOWN}")
        content = content.decode(_encoding(content), errors="replace")
    return _recognise_text(content[:HEAD])


def read_any(content: str | bytes, source: str = "", *, on_error: OnError | None = None) -> Iterator[Item]:
    """The games or positions in a pasted text or in a file's content, one after the other.

    `source` is the name to use in errors. With `on_error` a game or position that cannot be read is handed to it, and
    reading goes on.
    """
    with located(source):
        kind = recognise(content)
    if isinstance(content, bytes):
        if kind in BINARY.values():
            yield from _read_binary(kind, content, source, on_error)
            return
        content = content.decode(_encoding(content), errors="replace")
    yield from _read_text(kind, io.StringIO(content.removeprefix(BYTE_ORDER_MARK), newline=None), source, on_error)


def read_any_file(path: str | Path, *, on_error: OnError | None = None) -> Iterator[Item]:
    """The same from a file, which is read as it is needed, so that it may be large."""
    source = str(path)
    try:
        with open_file(path) as file:
            head = file.peek(HEAD)
            suffix = Path(path).suffix.lower()
            if suffix in BINARY or b"\0" in head:
                data = read_file(path, "file of games")
                with located(source):
                    kind = BINARY.get(suffix) or recognise(data)
                names = names_beside(path) if kind is Format.WTHOR else {}
                yield from _read_binary(kind, data, source, on_error, **names)
            else:
                text = io.TextIOWrapper(file, _encoding(head), errors="replace")
                with located(source):
                    kind = _recognise_text(head.decode(text.encoding, errors="replace"))
                yield from _read_text(kind, text, source, on_error)
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror or error}") from None


def only_reversi(items: Iterable[Item]) -> Iterator[Record | ScoredPosition]:
    """The same items, if they are of Reversi; `FormatError` at the first one that is not."""
    for item in items:
        if isinstance(item, ChessRecord | ChessPosition):
            raise FormatError("this is chess, and games or positions of Reversi are wanted here")
        yield item


# Recognising ------------------------------------------------------------------------------------------------------


def _encoding(head: bytes) -> str:
    """UTF-8 if it can be, which any text that is only ASCII is, else Latin-1, which old files are in."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8-sig"


def _recognise_text(text: str) -> Format:
    lines = [line for line in text.removeprefix(BYTE_ORDER_MARK).splitlines() if has_content(line)]
    if not lines:
        raise UnknownFormat(f"there is nothing to read here; {KNOWN}")
    first = lines[0]
    if OPENING.match(first.lstrip()):
        return Format.GGF
    if EPD.match(first):
        return Format.EPD
    if PGN.match(first) or PAWNS.match(first) or (MOVE_TEXT.match(first) and CHESS_MOVE.search(" ".join(lines[:40]))):
        return Format.PGN
    if TRANSCRIPT.match(first):
        return Format.TRANSCRIPT
    if COLUMNS.fullmatch(first):
        return Format.BOARD
    if _like_a_board(first):
        several = ";" in first or "%" in first or (len(lines) > 1 and len("".join(lines[1].split())) > 16)
        return Format.OBF if several else Format.BOARD
    raise UnknownFormat(f"{' '.join(first.split())[:20]!r} is not the beginning of a game or a position; {KNOWN}")


def _like_a_board(line: str) -> bool:
    """Whether most of a line, up to scores or a comment, are squares of a board."""
    cells = "".join(re.split("[;%]", line)[0].split())
    return len(cells) >= 8 and sum(cell in BLACK + WHITE + EMPTY for cell in cells) > 0.7 * len(cells)


# Reading ----------------------------------------------------------------------------------------------------------


def _read_binary(
    kind: Format, data: bytes, source: str, on_error: OnError | None, **names: Sequence[str]
) -> Iterator[Record]:
    if kind is not Format.WTHOR:
        raise FormatError(f"{place(source, kind.value)}: these are names, and the games are in the .wtb files")
    base = parse_wthor(data, source, **names)
    for index in range(len(base)):
        yield from read_one(partial(base.__getitem__, index), "", on_error)


def _read_text(kind: Format, text: TextIO, source: str, on_error: OnError | None) -> Iterator[Item]:
    lines = _bounded_lines(text, source)
    if kind is Format.GGF:
        yield from read_ggf_games(lines, source, on_error=on_error)
    elif kind is Format.PGN:
        yield from read_pgn_games(lines, source, on_error=on_error)
    elif kind is Format.EPD:
        yield from read_epd_lines(lines, source, on_error=on_error)
    elif kind is Format.OBF:
        yield from read_obf_lines(lines, source, on_error=on_error)
    elif kind is Format.TRANSCRIPT:
        yield from _read_transcripts(lines, source, on_error)
    else:
        yield from read_one(
            lambda: ScoredPosition(read_board(_joined(filter(has_content, lines), LONGEST_BOARD))), source, on_error
        )


def _bounded_lines(text: TextIO, source: str) -> Iterator[str]:
    number = 1
    while line := text.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise FormatError(f"{place(source, f'line {number}')}: it has more than {LONGEST_LINE:,} characters")
        yield line
        number += 1


def _joined(lines: Iterable[str], most: int) -> str:
    """One game or position that stands in several lines."""
    found, size = [], 0
    for line in lines:
        found.append(line)
        size += len(line)
        if size > most:
            raise FormatError(f"a game or a position has at most {most:,} characters, and here are more")
    return "".join(found)


def _read_transcripts(lines: Iterable[str], source: str, on_error: OnError | None) -> Iterator[Record]:
    """A game a line, or one game over several lines: it is one if the second line can only go on from the first."""
    lines = iter(lines)
    head: list[str] = []
    wanted: list[str] = []
    for line in lines:
        head.append(line)
        if has_content(line):
            wanted.append(line)
        if len(wanted) == 2 or len(head) > LONGEST_LINE:
            break
    if len(wanted) == 1 or _goes_on(*wanted):
        yield from read_one(lambda: read_transcript(_joined(chain(wanted, lines), LONGEST_LINE)), source, on_error)
    else:
        yield from read_transcripts(chain(head, lines), source, on_error=on_error)


def _goes_on(first: str, second: str) -> bool:
    """Whether the second line is not a game of its own, but legal after the first."""
    return bool(LATER_MOVE.match(second) or not _is_game(second)) and _is_game(f"{first} {second}")


def _is_game(text: str) -> bool:
    try:
        read_transcript(text)
    except PlygroundError:
        return False
    return True
