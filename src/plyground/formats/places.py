"""Where in a file something is wrong: errors carry the file, the line and the game, and reading may go on after one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from plyground.errors import PlygroundError

__all__ = ["OnError", "has_content", "located", "place", "read_each_line", "read_one"]

T = TypeVar("T")

OnError = Callable[[PlygroundError], None]
"""What is reported of a game or a position that cannot be read; reading then goes on with the next one."""

COMMENTS = ("%", "#")
"""How a line begins that is for people."""


def place(*parts: str) -> str:
    """The parts that are known, such as ``games.ggf, line 3``."""
    return ", ".join(filter(None, parts))


@contextlib.contextmanager
def located(where: str) -> Iterator[None]:
    """Put a place in front of the message of any error from inside."""
    try:
        yield
    except PlygroundError as error:
        if not where:
            raise
        raise type(error)(f"{where}: {error}") from None


def read_one(read: Callable[[], T], where: str, on_error: OnError | None) -> Iterator[T]:
    """What `read` returns; or nothing, if it raises one of our errors and `on_error` takes it. The error says where."""
    try:
        with located(where):
            item = read()
    except PlygroundError as error:
        if on_error is None:
            raise
        on_error(error)
    else:
        yield item


def has_content(line: str) -> bool:
    """Whether a line is neither empty nor a comment."""
    return bool(line.strip()) and not line.lstrip().startswith(COMMENTS)


def read_each_line(
    lines: Iterable[str], read: Callable[[str], T], source: str, on_error: OnError | None
) -> Iterator[T]:
    """What `read` makes of each line, one after the other; empty lines and comments are left out.

    An error says the line. It is raised, or handed to `on_error` if there is one.
    """
    for number, line in enumerate(lines, 1):
        if not has_content(line):
            continue
        yield from read_one(partial(read, line), place(source, f"line {number}"), on_error)
