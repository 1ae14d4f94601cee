"""What a state of Pac-Man is made of: directions, sets of cells, and a byte of a word for each ghost.

A cell is a number, row by row from the upper left corner. A set of cells has 256 bits, in four words. What each ghost
has of its own is one byte of a word, the first ghost's the lowest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.core.rules import with_item

__all__ = [
    "CAUGHT", "DIRECTIONS", "EAST", "FAR", "GOING_ON", "NORTH", "NOTHING", "NOWHERE", "SOUTH", "STOP", "TIME_UP",
    "WEST", "WON", "Cells", "after", "byte_of", "cell_set", "distance", "empty", "has", "meet", "size", "spread",
    "with_byte", "with_cell", "without",
]  # fmt: skip

Cells = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""A set of cells."""
NORTH, EAST, SOUTH, WEST, STOP = range(5)
NOWHERE = STOP
"""The heading of a ghost that has not moved yet, and may go anywhere."""
DIRECTIONS = ("north", "east", "south", "west", "stop")
GOING_ON, WON, CAUGHT, TIME_UP = range(4)
"""How a game stands, or has ended."""
FAR = 64
"""A distance that counts as farther than all others."""
NOTHING = (np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0))


def cell_set(cells: Any) -> Cells:
    """The set of some cells."""
    words = [0, 0, 0, 0]
    for cell in cells:
        words[cell >> 6] |= 1 << (cell & 63)
    return tuple(map(np.uint64, words))  # type: ignore[return-value]


def has(cells: Any, cell: int) -> bool:
    """Whether a cell is in a set."""
    return (cells[cell >> 6] >> np.uint64(cell & 63)) & np.uint64(1) != np.uint64(0)  # type: ignore[no-any-return]


def without(cells: Any, cell: int) -> Any:
    """The set less one cell."""
    word = cell >> 6
    return with_item(cells, word, cells[word] & ~(np.uint64(1) << np.uint64(cell & 63)))


def with_cell(cells: Any, cell: int) -> Any:
    """The set and one more cell."""
    word = cell >> 6
    return with_item(cells, word, cells[word] | np.uint64(1) << np.uint64(cell & 63))


def empty(cells: Any) -> bool:
    """Whether a set has no cell."""
    return cells[0] | cells[1] | cells[2] | cells[3] == np.uint64(0)  # type: ignore[no-any-return]


def meet(one: Any, other: Any) -> bool:
    """Whether two sets have a cell in common."""
    return (one[0] & other[0]) | (one[1] & other[1]) | (one[2] & other[2]) | (one[3] & other[3]) != np.uint64(0)  # type: ignore[no-any-return]


def size(cells: Any) -> int:
    """How many cells a set has."""
    return int(cells[0]).bit_count() + int(cells[1]).bit_count() + int(cells[2]).bit_count() + int(cells[3]).bit_count()


def spread(cells: Any, floor: Any, width: int) -> Any:
    """The cells of the floor that are in a set, or beside one of its cells. Walls all around keep rows apart."""
    one, rest, row, row_rest = np.uint64(1), np.uint64(63), np.uint64(width), np.uint64(64 - width)
    a, b, c, d = cells
    return (
        (a | a << one | a >> one | b << rest | a << row | a >> row | b << row_rest) & floor[0],
        (b | b << one | a >> rest | b >> one | c << rest | b << row | a >> row_rest | b >> row | c << row_rest)
        & floor[1],
        (c | c << one | b >> rest | c >> one | d << rest | c << row | b >> row_rest | c >> row | d << row_rest)
        & floor[2],
        (d | d << one | c >> rest | d >> one | d << row | c >> row_rest | d >> row) & floor[3],
    )


def distance(floor: Any, width: int, start: int, end: int) -> int:
    """Steps from one cell to another; `FAR` if there is no way, or none so short."""
    reached = with_cell(NOTHING, start)
    for steps in range(FAR):
        if has(reached, end):
            return steps
        reached = spread(reached, floor, width)
    return FAR


def byte_of(word: int, ghost: int) -> int:
    """What a word has for a ghost."""
    return word >> (8 * ghost) & 255


def with_byte(word: int, ghost: int, value: int) -> int:
    """The word with something else for a ghost."""
    return word & ~(255 << (8 * ghost)) | value << (8 * ghost)


def after(cell: int, direction: int, width: int) -> int:
    """The cell that a step leads to."""
    if direction == NORTH:
        return cell - width
    if direction == EAST:
        return cell + 1
    if direction == SOUTH:
        return cell + width
    if direction == WEST:
        return cell - 1
    return cell
