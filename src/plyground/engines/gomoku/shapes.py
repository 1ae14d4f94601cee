"""What a stone on an empty cell makes of the line through it, for every content of the line: a table.

The line through a cell, in one direction, is the four cells on either side of it: no five that holds the cell reaches
further. Its key has two bits for each of the eight, the farthest on one side first: empty, black, white, or the edge
of the board. What a stone makes is its shape, one of ten, each better than those before it:

    ONE, TWO, THREE      with more stones it can become a five, but never a four that has two ways to be completed
    OPEN_ONE, OPEN_TWO   with more stones it can become an open three
    OPEN_THREE           one stone more makes an open four: it must be answered
    FOUR                 one cell is left to complete a five: it must be answered at once
    OPEN_FOUR            two such cells: nothing can be done about it
    FIVE                 the game is won

The names are those of the game in which five in a line win. Where it is four or three the same shapes have fewer
stones: "FIVE" is always the line that wins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.native.compiling import compiled

__all__ = [
    "DOUBLE_THREE", "FIVE", "FOUR", "FOUR_THREE", "KEYS", "KINDS", "LINE", "MAKES_FIVE", "MAKES_FOUR", "MAKES_THREE",
    "NOTHING", "ONE", "OPEN_FOUR", "OPEN_ONE", "OPEN_THREE", "OPEN_TWO", "SHAPES", "STRONG", "THREE", "TWO",
    "UNSTOPPABLE", "USEFUL", "USELESS", "fill_kinds", "fill_shapes",
]  # fmt: skip

NOTHING, ONE, OPEN_ONE, TWO, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(10)
SHAPES = 10

USELESS, WEAK, USEFUL, STRONG, MAKES_THREE, DOUBLE_THREE, MAKES_FOUR, FOUR_THREE, UNSTOPPABLE, MAKES_FIVE = range(10)
"""The kind of a cell to one side, by its shapes in the four directions together.

Strong cells make two things at once that may become threats; `UNSTOPPABLE` is an open four, or two fours."""
KINDS = 10

LINE = 8
KEYS = 1 << 2 * LINE
"""How many keys there are; as many as there are four shapes of four bits each."""


@compiled
def run_through(key: int, own: int) -> int:
    """How many stones of one colour would stand in a row with one on the cell itself."""
    length = 1
    for place in range(LINE // 2 - 1, -1, -1):
        if key >> 2 * place & 3 != own:
            break
        length += 1
    for place in range(LINE // 2, LINE):
        if key >> 2 * place & 3 != own:
            break
        length += 1
    return length


@compiled
def fill_shapes(out: Any, in_line: int) -> None:
    """The shape of every key, for black in the first row of `out` and for white in the second; `in_line` win.

    A stone more makes a greater key: from the greatest down, what a stone more leads to is known already.
    """
    for side in range(2):
        own = side + 1
        for key in range(KEYS - 1, -1, -1):
            if run_through(key, own) >= in_line:
                out[side, key] = FIVE
                continue
            completing = 0
            best: Any = 0
            for place in range(LINE):
                if key >> 2 * place & 3 == 0:
                    shape = np.int64(out[side, key | own << 2 * place])
                    completing += shape == FIVE
                    best = max(best, shape)
            if completing > 0:
                out[side, key] = OPEN_FOUR if completing > 1 else FOUR
            else:
                out[side, key] = max(best - 2, NOTHING)  # of the same openness, with one stone less


@compiled
def fill_kinds(out: Any) -> None:
    """The kind of a cell for every four shapes, each of which has four bits of the index."""
    for shapes in range(KEYS):
        fives, open_fours, fours, open_threes, others, weak = 0, 0, 0, 0, 0, 0
        for direction in range(4):
            shape = shapes >> 4 * direction & 15
            fives += shape == FIVE
            open_fours += shape == OPEN_FOUR
            fours += shape == FOUR
            open_threes += shape == OPEN_THREE
            others += shape in (OPEN_TWO, THREE)
            weak += shape > NOTHING
        if fives > 0:
            kind = MAKES_FIVE
        elif open_fours > 0 or fours > 1:
            kind = UNSTOPPABLE
        elif fours > 0:
            kind = FOUR_THREE if open_threes > 0 else MAKES_FOUR
        elif open_threes > 0:
            kind = DOUBLE_THREE if open_threes > 1 else MAKES_THREE
        elif others > 0:
            kind = STRONG if others > 1 else USEFUL
        else:
            kind = WEAK if weak > 0 else USELESS
        out[shapes] = kind
