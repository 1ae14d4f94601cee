"""Lines of four as bits: cells that would complete one, sets of cells that hold one; and a position as one number.

A set of cells is one word, laid out as in `plyground.games.connect4`: bit column * (rows + 1) + height from the bottom.
`memory` is the record of `plyground.engines.connect4.memory`, which says how large the board is.

The key of a position is the sum of the mover's cells, of all cells taken, and of the bottom row: in each column the
highest bit says how high the discs stand, and those below it whose they are.
"""

from __future__ import annotations

from typing import Any

from plyground.native.compiling import compiled

__all__ = ["canonical", "completing", "filled_up", "holds_four", "key_of", "mirror_image", "taken_in"]


@compiled
def completing(own: int, taken: int, memory: Any) -> int:
    """The empty cells that would give `own` four in a line, whether a disc can reach them yet or not."""
    found = own << 1 & own << 2 & own << 3
    for step in (memory.rows, memory.rows + 1, memory.rows + 2):
        pair = own << step & own << 2 * step
        found |= pair & (own << 3 * step | own >> step)
        pair = own >> step & own >> 2 * step
        found |= pair & (own >> 3 * step | own << step)
    return found & (memory.board ^ taken)  # type: ignore[no-any-return]


@compiled
def holds_four(cells: int, memory: Any) -> bool:
    """Whether a set of cells holds four in a line."""
    pair = cells & cells >> 1
    found = pair & pair >> 2
    for step in (memory.rows, memory.rows + 1, memory.rows + 2):
        pair = cells & cells >> step
        found |= pair & pair >> 2 * step
    return found != 0


@compiled
def filled_up(cells: int, memory: Any) -> int:
    """The cells and all above them."""
    cells |= cells << 1 & memory.board
    cells |= cells << 2 & memory.from_third
    return cells | cells << 4 & memory.from_fifth  # type: ignore[no-any-return]


@compiled
def key_of(mine: int, taken: int, memory: Any) -> int:
    """The number of a position, which no other has."""
    return mine + taken + memory.bottom  # type: ignore[no-any-return]


@compiled
def mirror_image(key: int, memory: Any) -> int:
    """The key of the position seen from behind the board: the first column is the last."""
    image = key & memory.middle
    for column in range(memory.columns >> 1):
        here, far = column * (memory.rows + 1), (memory.columns - 1 - column) * (memory.rows + 1)
        image |= (key >> here & memory.column) << far | (key >> far & memory.column) << here
    return image  # type: ignore[no-any-return]


@compiled
def canonical(key: int, memory: Any) -> int:
    """The smaller of a key and its mirror image, which stands for both."""
    return min(key, mirror_image(key, memory))


@compiled
def taken_in(key: int, memory: Any) -> int:
    """All cells that are taken in the position of a key: those below the highest bit of each column."""
    taken = 0
    for column in range(memory.columns):
        place = column * (memory.rows + 1)
        discs = key >> place & memory.column
        discs |= discs >> 1
        discs |= discs >> 2
        discs |= discs >> 4
        taken |= (discs >> 1) << place
    return taken
