"""A game or a position as people give it to a command: a file, a pasted text, or ``-`` for standard input."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from plyground.core.files import LARGEST_TEXT
from plyground.errors import FormatError, UnknownFormat
from plyground.formats.board import BLACK, EMPTY, WHITE
from plyground.formats.epd import ChessPosition
from plyground.formats.pgn import ChessRecord, read_pgn_games
from plyground.formats.recognise import EPD, KNOWN, Item, read_any, read_any_file, recognise

__all__ = ["read_argument"]

MOST = 100_000
"""Games and positions that are taken at a time."""
FILE_NAME = re.compile(r"\S*[/\\]\S*|\S*\w\.[A-Za-z]{2,4}")
"""What can only be meant as a file: a path, or a name with a suffix."""


def read_argument(text: str, *, chess: bool = False) -> list[Item]:
    """All games and positions that an argument stands for; at least one.

    With `chess` they are of chess, and a pasted text is a game unless it looks like a position. Everything is read
    before anything is returned: a fault at the end of a file is found before work begins.
    """
    text = text.strip()
    if text == "-":
        content = sys.stdin.buffer.read(LARGEST_TEXT + 1)
        if len(content) > LARGEST_TEXT:
            raise FormatError(f"standard input is too large: it has more than {LARGEST_TEXT:,} bytes")
        items = _all(read_any(content, "standard input"))
    elif _is_there(text):
        items = _all(read_any_file(text))
    else:
        if FILE_NAME.fullmatch(text) and not set(text) <= set(BLACK + WHITE + EMPTY) and not EPD.match(text):
            raise FormatError(f"there is no file {text}")
        if chess and text and not EPD.match(text):
            return _all(read_pgn_games(text.splitlines(keepends=True)))
        try:
            recognise(text)
        except UnknownFormat:
            if not text:
                raise
            shown = " ".join(text.split())[:40]
            raise UnknownFormat(f"'{shown}' is neither a file nor a game or a position; {KNOWN}") from None
        items = _all(read_any(text))
    if not items:
        raise FormatError(f"{'standard input' if text == '-' else text}: there is no game and no position in it")
    if chess and not all(isinstance(item, ChessRecord | ChessPosition) for item in items):
        raise FormatError("this is Reversi, and games or positions of chess are wanted here: PGN, EPD or FEN")
    return items


def _all(items: Iterator[Item]) -> list[Item]:
    found = list(islice(items, MOST + 1))
    if len(found) > MOST:
        raise FormatError(f"there are more than {MOST:,} games or positions; give fewer at a time")
    return found


def _is_there(text: str) -> bool:
    try:
        return bool(text) and Path(text).exists()
    except (OSError, ValueError):  # too long for a name, or with characters that no name can have
        return False
