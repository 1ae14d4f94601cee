"""Tic-tac-toe: three in a row on 3 x 3. Its general form is `plyground.games.mnk`.

Cells are numbered 0-8 by rows and named a1 (top left) to c3. A side is a set of cells, one bit each.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plyground.bits import bit_index
from plyground.draw.grid import Grid
from plyground.game import (
    Game,
    action_text,
    evaluation,
    grid,
    legal_actions,
    max_actions,
    planes,
    planes_shape,
    result,
    symmetries,
    terminal,
    to_move,
    transformed,
    transformed_action,
    utility,
)
from plyground.games.lattice import board_cells, cell_name, symmetric_cell

__all__ = ["TicTacToe", "tictactoe"]

FULL = 0b111_111_111
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
WON = np.array([any(cells & line == line for line in LINES) for cells in range(512)])
"""For every set of cells, whether it holds a line."""


class TicTacToe(NamedTuple):
    """The cells of the player to move, and of the other one. X moves first."""

    mine: int
    theirs: int


@to_move.rule(TicTacToe)
def _(state: TicTacToe) -> int:
    return (state.mine | state.theirs).bit_count() & 1


@max_actions.rule(TicTacToe)
def _(state: TicTacToe) -> int:
    return 9


@legal_actions.rule(TicTacToe)
def _(state: TicTacToe, out: list[int]) -> int:
    count = 0
    free = 0 if WON[state.theirs] else FULL & ~(state.mine | state.theirs)
    while free:
        out[count] = bit_index(free)
        count += 1
        free &= free - 1
    return count


@result.rule(TicTacToe)
def _(state: TicTacToe, action: int) -> TicTacToe:
    return TicTacToe(state.theirs, state.mine | 1 << action)


@terminal.rule(TicTacToe)
def _(state: TicTacToe) -> bool:
    return WON[state.theirs] or (state.mine | state.theirs) == FULL


@utility.rule(TicTacToe)
def _(state: TicTacToe, player: int) -> float:
    if not WON[state.theirs]:
        return 0.0
    return -1.0 if to_move(state) == player else 1.0


@evaluation.rule(TicTacToe)
def _(state: TicTacToe) -> float:
    """Lines still open for me minus lines still open for the other side, scaled into (-1, 1)."""
    mine, theirs = 0, 0
    for line in LINES:
        mine += not state.theirs & line
        theirs += not state.mine & line
    return (mine - theirs) / 10.0


@symmetries.rule(TicTacToe)
def _(state: TicTacToe) -> int:
    return 8


@transformed.rule(TicTacToe)
def _(state: TicTacToe, index: int) -> TicTacToe:
    mine, theirs = 0, 0
    for cell in range(9):
        there = symmetric_cell(cell, 3, 3, index)
        mine |= (state.mine >> cell & 1) << there
        theirs |= (state.theirs >> cell & 1) << there
    return TicTacToe(mine, theirs)


@transformed_action.rule(TicTacToe)
def _(state: TicTacToe, action: int, index: int) -> int:
    return symmetric_cell(action, 3, 3, index)


@planes_shape.rule(TicTacToe)
def _(state: TicTacToe) -> tuple[int, int, int]:
    return (2, 3, 3)


@planes.rule(TicTacToe)
def _(state: TicTacToe, out: Any) -> None:
    for cell in range(9):
        out[0, cell // 3, cell % 3] = state.mine >> cell & 1
        out[1, cell // 3, cell % 3] = state.theirs >> cell & 1


@action_text.rule(TicTacToe)
def _(state: TicTacToe, action: int) -> str:
    return cell_name(action // 3, action % 3)


@grid.rule(TicTacToe)
def _(state: TicTacToe) -> Grid:
    x, o = (state.theirs, state.mine) if to_move(state) else (state.mine, state.theirs)

    def symbol(row: int, column: int) -> str:
        cell = 3 * row + column
        return "X" if x >> cell & 1 else "O" if o >> cell & 1 else "."

    return Grid(board_cells(3, 3, symbol), columns=("a", "b", "c"), rows=("1", "2", "3"))


def tictactoe() -> Game:
    """Tic-tac-toe: three in a row on 3x3; X moves first."""
    return Game("tictactoe", TicTacToe(0, 0), seats=("X", "O"))
