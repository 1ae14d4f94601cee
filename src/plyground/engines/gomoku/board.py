"""The board of a search: stones are put and taken back, and what every empty cell is worth is known at any time.

A stone changes the lines of at most 32 cells; only these are looked up again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.engines.gomoku.memory import CELLS, FIRST, MARGIN, STRIDE
from plyground.native.compiling import compiled

__all__ = ["BLACK", "EDGE", "EMPTY", "STEPS", "WHITE", "place", "put_position", "remove"]

EMPTY, BLACK, WHITE, EDGE = range(4)
STEPS = (1, STRIDE, STRIDE + 1, STRIDE - 1)
TO_MOVE = 0x9E3779B97F4A7C15
"""What the hash of a position differs by when white is to move."""


@compiled
def cell_at(action: int, columns: int) -> int:
    """The cell of an action of the game."""
    return FIRST + action // columns * STRIDE + action % columns


@compiled
def set_up(memory: Any, rows: int, columns: int) -> None:
    """An empty board of this size."""
    memory.rows, memory.columns = rows, columns
    memory.side, memory.stones = 0, 0
    memory.hash = np.uint64(rows * 64 + columns)
    for side in range(2):
        memory.value[side] = 0
        for kind in range(len(memory.count[side])):
            memory.count[side, kind] = 0
    for cell in range(CELLS):
        row, column = cell // STRIDE - MARGIN, cell % STRIDE - MARGIN
        memory.cell[cell] = EMPTY if 0 <= row < rows and 0 <= column < columns else EDGE
        memory.near[cell] = 0
    for row in range(rows):
        for column in range(columns):
            cell = FIRST + row * STRIDE + column
            for direction in range(4):
                key: Any = 0
                for place_in_line in range(8):
                    offset = place_in_line - 4 if place_in_line < 4 else place_in_line - 3
                    key |= np.int64(memory.cell[cell + offset * STEPS[direction]]) << 2 * place_in_line
                memory.key[cell, direction] = key
            for side in range(2):
                memory.history[side, cell] = 0
                shapes: Any = 0
                worth = 0
                for direction in range(4):
                    shape = np.int64(memory.shape_of[side, memory.key[cell, direction]])
                    shapes |= shape << 4 * direction
                    worth += memory.weight[shape]
                memory.shapes[side, cell] = shapes
                memory.worth[side, cell] = worth
                memory.kind[side, cell] = memory.kind_of[shapes]
                count_cell(memory, side, cell, 1)


@compiled
def count_cell(memory: Any, side: int, cell: int, sign: int) -> None:
    """Let an empty cell count, or count no longer."""
    memory.count[side, memory.kind[side, cell]] += sign
    memory.value[side] += sign * memory.worth[side, cell]


@compiled
def refresh(memory: Any, cell: int, direction: int) -> None:
    """Look up what an empty cell is to both sides, after one of its lines has changed."""
    for side in range(2):
        old = np.int64(memory.shapes[side, cell])
        before = old >> 4 * direction & 15
        after = np.int64(memory.shape_of[side, memory.key[cell, direction]])
        if before != after:
            shapes = old ^ (before ^ after) << 4 * direction
            more = memory.weight[after] - memory.weight[before]
            memory.shapes[side, cell] = shapes
            memory.worth[side, cell] += more
            memory.value[side] += more
            kind = memory.kind_of[shapes]
            if kind != memory.kind[side, cell]:
                memory.count[side, memory.kind[side, cell]] -= 1
                memory.count[side, kind] += 1
                memory.kind[side, cell] = kind


@compiled
def change_lines(memory: Any, cell: int, colour: int) -> None:
    """A stone of this colour has come to a cell, or has gone: both change the same bits."""
    for direction in range(4):
        step = STEPS[direction]
        for distance in range(1, MARGIN + 1):
            other = cell + distance * step
            if memory.cell[other] == EDGE:
                break
            memory.key[other, direction] ^= colour << 2 * (4 - distance)
            if memory.cell[other] == EMPTY:
                refresh(memory, other, direction)
        for distance in range(1, MARGIN + 1):
            other = cell - distance * step
            if memory.cell[other] == EDGE:
                break
            memory.key[other, direction] ^= colour << 2 * (3 + distance)
            if memory.cell[other] == EMPTY:
                refresh(memory, other, direction)


@compiled
def place(memory: Any, cell: int) -> None:
    """The side to move puts a stone on an empty cell."""
    side = memory.side
    count_cell(memory, 0, cell, -1)
    count_cell(memory, 1, cell, -1)
    memory.cell[cell] = side + 1
    change_lines(memory, cell, side + 1)
    for down in range(-2, 3):
        for right in range(-2, 3):
            memory.near[cell + down * STRIDE + right] += 1
    memory.hash ^= memory.zobrist[side, cell] ^ np.uint64(TO_MOVE)
    memory.side = 1 - side
    memory.stones += 1


@compiled
def remove(memory: Any, cell: int) -> None:
    """Take back the stone that was put last, which stands on this cell."""
    side = 1 - memory.side
    memory.stones -= 1
    memory.side = side
    memory.hash ^= memory.zobrist[side, cell] ^ np.uint64(TO_MOVE)
    for down in range(-2, 3):
        for right in range(-2, 3):
            memory.near[cell + down * STRIDE + right] -= 1
    change_lines(memory, cell, side + 1)
    memory.cell[cell] = EMPTY
    count_cell(memory, 0, cell, 1)
    count_cell(memory, 1, cell, 1)


@compiled
def put_position(memory: Any, rows: int, columns: int, stones: Any) -> None:
    """A position in which sides have moved in turn; `stones` has EMPTY, BLACK or WHITE for every action's cell."""
    set_up(memory, rows, columns)
    for action in range(rows * columns):
        if stones[action] != EMPTY:
            memory.side = stones[action] - 1
            place(memory, cell_at(action, columns))
    memory.side = memory.stones & 1
