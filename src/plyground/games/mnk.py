"""The m,n,k game: k in a row, column or diagonal on a board of m columns and n rows. Gomoku is 15,15,5.

An action is the cell row * columns + column, a1 at the top left. A side is a set of cells in as many 64-bit words as
the board needs. More than k in a row win too ("freestyle").
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from plyground.core import rules
from plyground.core.game import Game
from plyground.core.grid import Grid, column_name
from plyground.core.rules import to_move, with_item
from plyground.errors import BadOption
from plyground.games.lattice import (
    board_cells,
    cell_name,
    has,
    no_cells,
    symmetric_cell,
    symmetry_count,
    with_cell,
)
from plyground.native.randomness import random_below

__all__ = ["MNK", "gomoku", "mnk"]

LARGEST = 19


class MNK(NamedTuple):
    """The cells of the player to move and of the other one; how many are taken; whether the last move won."""

    mine: tuple[np.uint64, ...]
    theirs: tuple[np.uint64, ...]
    taken: int
    won: bool
    columns: int
    rows: int
    k: int


def run_length(state: MNK, cells: tuple[np.uint64, ...], cell: int, down: int, right: int) -> int:
    """How many cells of the set follow each other from `cell` (not counted) in one direction, up to k."""
    row, column = cell // state.columns + down, cell % state.columns + right
    length = 0
    while 0 <= row < state.rows and 0 <= column < state.columns and length < state.k:
        if not has(cells, row * state.columns + column):
            break
        length += 1
        row += down
        column += right
    return length


def makes_line(state: MNK, cells: tuple[np.uint64, ...], cell: int) -> bool:
    """Whether the set, with `cell` in it, has k in a line through that cell."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        ahead = run_length(state, cells, cell, down, right)
        if ahead + 1 + run_length(state, cells, cell, -down, -right) >= state.k:
            return True
    return False


@rules.to_move.rule(MNK)
def _(state: MNK) -> int:
    return state.taken & 1


@rules.max_actions.rule(MNK)
def _(state: MNK) -> int:
    return state.rows * state.columns


@rules.legal_actions.rule(MNK)
def _(state: MNK, out: Any) -> int:
    count = 0
    if not state.won:
        for cell in range(state.rows * state.columns):
            if not (has(state.mine, cell) or has(state.theirs, cell)):
                out[count] = cell
                count += 1
    return count


@rules.result.rule(MNK)
def _(state: MNK, action: int) -> MNK:
    mine = with_cell(state.mine, action)
    won = makes_line(state, mine, action)
    return MNK(state.theirs, mine, state.taken + 1, won, state.columns, state.rows, state.k)


@rules.terminal.rule(MNK)
def _(state: MNK) -> bool:
    return state.won or state.taken == state.rows * state.columns


@rules.utility.rule(MNK)
def _(state: MNK, player: int) -> float:
    if not state.won:
        return 0.0
    return -1.0 if to_move(state) == player else 1.0


@rules.noisy.rule(MNK)
def _(state: MNK, action: int) -> bool:
    """A move that makes a line, or stops one."""
    return makes_line(state, state.mine, action) or makes_line(state, state.theirs, action)


def has_neighbour(state: MNK, cell: int, distance: int) -> bool:
    """Whether a stone of either side stands in one of the eight directions, at most so many cells away."""
    row, column = cell // state.columns, cell % state.columns
    for down in range(-1, 2):
        for right in range(-1, 2):
            for steps in range(1, distance + 1):
                there, beside = row + down * steps, column + right * steps
                if (down != 0 or right != 0) and 0 <= there < state.rows and 0 <= beside < state.columns:
                    other = there * state.columns + beside
                    if has(state.mine, other) or has(state.theirs, other):
                        return True
    return False


@rules.promising.rule(MNK)
def _(state: MNK, action: int) -> bool:
    """A cell at most two away from a stone; of an empty board the nine in the middle."""
    if state.taken > 0:
        return has_neighbour(state, action, 2)
    row, column = action // state.columns, action % state.columns
    return abs(2 * row + 1 - state.rows) <= 3 and abs(2 * column + 1 - state.columns) <= 3


@rules.playout_action.rule(MNK)
def _(state: MNK, actions: Any, count: int, rng: Any) -> int:
    """Completes a line, or stops one; otherwise a cell beside a stone, if a few tries find one."""
    start = random_below(rng, count)
    stopping = -1
    for i in range(count):
        action = actions[start + i - count if start + i >= count else start + i]
        if has_neighbour(state, action, 1):
            if makes_line(state, state.mine, action):
                return action  # type: ignore[no-any-return]
            if stopping < 0 and makes_line(state, state.theirs, action):
                stopping = action
    if stopping >= 0:
        return stopping
    chosen = actions[start]
    for _ in range(8):
        if has_neighbour(state, chosen, 1):
            break
        chosen = actions[random_below(rng, count)]
    return chosen  # type: ignore[no-any-return]


@rules.evaluation.rule(MNK)
def _(state: MNK) -> float:
    """Every window of k cells that only one side has entered counts 4 to the power of its stones there."""
    total = 0.0
    for row in range(state.rows):
        for column in range(state.columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_column = row + down * (state.k - 1), column + right * (state.k - 1)
                if last_row < state.rows and 0 <= last_column < state.columns:
                    mine, theirs = 0, 0
                    for i in range(state.k):
                        cell = (row + down * i) * state.columns + column + right * i
                        mine += has(state.mine, cell)
                        theirs += has(state.theirs, cell)
                    if theirs == 0 and mine > 0:
                        total += 4.0**mine
                    elif mine == 0 and theirs > 0:
                        total -= 4.0**theirs
    return total / (abs(total) + 4.0**state.k)


@rules.symmetries.rule(MNK)
def _(state: MNK) -> int:
    return symmetry_count(state.rows, state.columns)


@rules.transformed.rule(MNK)
def _(state: MNK, index: int) -> MNK:
    mine, theirs = state.mine, state.theirs
    for word in range(len(state.mine)):
        mine = with_item(mine, word, np.uint64(0))
        theirs = with_item(theirs, word, np.uint64(0))
    for cell in range(state.rows * state.columns):
        there = symmetric_cell(cell, state.rows, state.columns, index)
        if has(state.mine, cell):
            mine = with_cell(mine, there)
        if has(state.theirs, cell):
            theirs = with_cell(theirs, there)
    return MNK(mine, theirs, state.taken, state.won, state.columns, state.rows, state.k)


@rules.transformed_action.rule(MNK)
def _(state: MNK, action: int, index: int) -> int:
    return symmetric_cell(action, state.rows, state.columns, index)


@rules.planes_shape.rule(MNK)
def _(state: MNK) -> tuple[int, int, int]:
    return (2, state.rows, state.columns)


@rules.planes.rule(MNK)
def _(state: MNK, out: Any) -> None:
    for cell in range(state.rows * state.columns):
        out[0, cell // state.columns, cell % state.columns] = has(state.mine, cell)
        out[1, cell // state.columns, cell % state.columns] = has(state.theirs, cell)


@rules.action_text.rule(MNK)
def _(state: MNK, action: int) -> str:
    return cell_name(action // state.columns, action % state.columns)


@rules.grid.rule(MNK)
def _(state: MNK) -> Grid:
    x, o = (state.theirs, state.mine) if to_move(state) else (state.mine, state.theirs)

    def symbol(row: int, column: int) -> str:
        cell = row * state.columns + column
        return "X" if has(x, cell) else "O" if has(o, cell) else "."

    return Grid(
        board_cells(state.rows, state.columns, symbol),
        columns=tuple(column_name(column) for column in range(state.columns)),
        rows=tuple(str(row + 1) for row in range(state.rows)),
    )


def mnk(
    m: Annotated[int, "columns, 1 to 19"] = 3,
    n: Annotated[int, "rows, 1 to 19"] = 3,
    k: Annotated[int, "how many in a line win"] = 3,
) -> Game:
    """The m,n,k game: k in a line on m columns and n rows; 3,3,3 is tic-tac-toe, 15,15,5 Gomoku."""
    for name, value in (("m", m), ("n", n)):
        if not 1 <= value <= LARGEST:
            raise BadOption(f"mnk: {name} must be 1 to {LARGEST}, not {value}")
    if not 1 <= k <= max(m, n):
        raise BadOption(f"mnk: k must be 1 to {max(m, n)} on a board of {m} columns and {n} rows, not {k}")
    empty = no_cells(m * n)
    return Game("mnk", MNK(empty, empty, 0, False, m, n, k), seats=("X", "O"))


def gomoku(size: Annotated[int, "cells along a side, 5 to 19"] = 15) -> Game:
    """Gomoku: five in a row on 15x15, freestyle."""
    if not 5 <= size <= LARGEST:
        raise BadOption(f"gomoku: size must be 5 to {LARGEST}, not {size}")
    return Game("gomoku", mnk(size, size, 5).initial, seats=("X", "O"))
