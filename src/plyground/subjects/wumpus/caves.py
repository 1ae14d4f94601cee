"""Caves in a text file: rows of squares from the top, a blank line between two caves, ``#`` for comments.

    # the cave of the textbook
    . . . P
    W G P .
    . . . .
    @ . P .

A square is ``.`` or the letters of what is in it, ``P`` for a pit, ``W`` for the wumpus and ``G`` for the gold; several
may be in one, such as ``WG``. The lower left square is the entrance and may be marked ``@``.
"""

from __future__ import annotations

from pathlib import Path

from plyground.core.files import read_text
from plyground.errors import BadOption, FormatError
from plyground.subjects.wumpus.world import ENTRANCE, Cave, Square, World

__all__ = ["read_caves", "write_cave"]

MOST_CAVES = 10_000
LARGEST = 1 << 24


def read_caves(path: str | Path, *, most_steps: int = 0) -> list[World]:
    """The worlds of a file; `most_steps` as in `Cave`. `FormatError` says which line is wrong."""
    worlds: list[World] = []
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate([*read_text(path, "file of caves", LARGEST).splitlines(), ""], 1):
        if words := line.partition("#")[0].split():
            rows.append((number, words))
        elif rows and not line.strip():
            worlds.append(_world(rows, path, most_steps))
            rows = []
            if len(worlds) > MOST_CAVES:
                raise FormatError(f"{path} has more than {MOST_CAVES:,} caves")
    if not worlds:
        raise FormatError(f"{path} has no cave; a cave is rows of squares such as '. P WG .'")
    return worlds


def write_cave(world: World) -> str:
    """A cave as the file has it, without the blank line after it."""

    def letters(square: Square) -> str:
        found = "P" * (square in world.pits) + "W" * (square == world.wumpus) + "G" * (square == world.gold)
        return found + "@" * (square == ENTRANCE) or "."

    columns, rows = range(1, world.cave.width + 1), range(world.cave.height, 0, -1)
    return "".join(" ".join(letters((x, y)) for x in columns) + "\n" for y in rows)


def _world(rows: list[tuple[int, list[str]]], path: str | Path, most_steps: int) -> World:
    width = len(rows[0][1])
    where: dict[str, list[Square]] = {letter: [] for letter in "PWG@."}
    for y, (number, row) in enumerate(reversed(rows), 1):
        if len(row) != width:
            raise FormatError(f"{path}, line {number}: this row has {len(row)} squares, and the first one {width}")
        for x, letters in enumerate(row, 1):
            for letter in letters:
                if letter not in where:
                    raise FormatError(f"{path}, line {number}: '{letter}' is none of P, W, G, @ and .")
                where[letter].append((x, y))
    first = rows[0][0]
    if len(where["W"]) != 1 or len(where["G"]) != 1:
        raise FormatError(
            f"{path}, line {first}: a cave has one W and one G, not {len(where['W'])} and {len(where['G'])}"
        )
    if any(square != ENTRANCE for square in where["@"]):
        raise FormatError(f"{path}, line {first}: the entrance @ is the lower left square")
    try:
        cave = Cave(width, len(rows), most_steps=most_steps)
        return World(cave, frozenset(where["P"]), where["W"][0], where["G"][0])
    except BadOption as error:
        raise FormatError(f"{path}, line {first}: {error}") from None
