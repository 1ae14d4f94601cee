"""Tic-tac-toe: three in a row on 3 x 3. Its general form is `plyground.games.mnk`.

Cells are numbered 0-8 by rows and named a1 (top left) to c3. A side is a set of cells, one bit each.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plyground.core import rules
from plyground.core.game import Game, Points
from plyground.core.grid import Grid
from plyground.core.rules import to_move
from plyground.games.lattice import board_cells, cell_name, symmetric_cell
from plyground.native.bits import bit_index

__all__ = ["TicTacToe", "tictactoe"]

FULL = 0b111_111_111
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
MINUS, INFINITY = "\N{MINUS SIGN}", "\N{INFINITY}"
WON = np.array([any(cells & line == line for line in LINES) for cells in range(512)])
"""For every set of cells, whether it holds a line."""


class TicTacToe(NamedTuple):
    """The cells of the player to move, and of the other one. X moves first."""

    mine: int
    theirs: int


@rules.to_move.rule(TicTacToe)
def _(state: TicTacToe) -> int:
    return (state.mine | state.theirs).bit_count() & 1


@rules.max_actions.rule(TicTacToe)
def _(state: TicTacToe) -> int:
    return 9


@rules.legal_actions.rule(TicTacToe)
def _(state: TicTacToe, out: list[int]) -> int:
    count = 0
    free = 0 if WON[state.theirs] else FULL & ~(state.mine | state.theirs)
    while free:
        out[count] = bit_index(free)
        count += 1
        free &= free - 1
    return count


@rules.result.rule(TicTacToe)
def _(state: TicTacToe, action: int) -> TicTacToe:
    return TicTacToe(state.theirs, state.mine | 1 << action)


@rules.terminal.rule(TicTacToe)
def _(state: TicTacToe) -> bool:
    return WON[state.theirs] or (state.mine | state.theirs) == FULL


@rules.utility.rule(TicTacToe)
def _(state: TicTacToe, player: int) -> float:
    if not WON[state.theirs]:
        return 0.0
    return -1.0 if to_move(state) == player else 1.0


@rules.evaluation.rule(TicTacToe)
def _(state: TicTacToe) -> float:
    """Lines still open for me minus lines still open for the other side, scaled into (-1, 1)."""
    return open_lines(state)


def open_lines(state: TicTacToe) -> float:
    """Lines still open for the player to move minus those open for the other one, a tenth each."""
    return (open_lines_against(state.theirs) - open_lines_against(state.mine)) / 10.0


def counts(state: TicTacToe) -> float:
    """3 A2 + A1 - (3 B2 + B1), where A_n are the lines with n marks of the player to move and none of the other's.

    Each point counts 1/32, which keeps the sum inside (-1, 1).
    """
    mine = 3 * lines_with(2, state.mine, state.theirs) + lines_with(1, state.mine, state.theirs)
    theirs = 3 * lines_with(2, state.theirs, state.mine) + lines_with(1, state.theirs, state.mine)
    return (mine - theirs) / 32.0


def open_lines_against(other: int) -> int:
    """The lines that have no mark of the other side."""
    count = 0
    for line in LINES:
        count += not other & line
    return count


def lines_with(marks: int, own: int, other: int) -> int:
    """The lines that have so many own marks and none of the other side."""
    count = 0
    for line in LINES:
        count += (own & line).bit_count() == marks and not other & line
    return count


def _sides(state: TicTacToe) -> tuple[int, int]:
    """The cells of X, and of O."""
    return (state.theirs, state.mine) if to_move(state) else (state.mine, state.theirs)


def _open_lines_terms(state: TicTacToe) -> str:
    x, o = _sides(state)
    return f"{open_lines_against(o)} {MINUS} {open_lines_against(x)}"


def _counts_terms(state: TicTacToe) -> str:
    x, o = _sides(state)
    own, other = (f"3·{lines_with(2, a, b)}+{lines_with(1, a, b)}" for a, b in ((x, o), (o, x)))
    return f"{own} {MINUS} ({other})"


@rules.noisy.rule(TicTacToe)
def _(state: TicTacToe, action: int) -> bool:
    """A move that makes a line, or stops one."""
    return bool(WON[state.mine | 1 << action] or WON[state.theirs | 1 << action])


@rules.symmetries.rule(TicTacToe)
def _(state: TicTacToe) -> int:
    return 8


@rules.transformed.rule(TicTacToe)
def _(state: TicTacToe, index: int) -> TicTacToe:
    mine, theirs = 0, 0
    for cell in range(9):
        there = symmetric_cell(cell, 3, 3, index)
        mine |= (state.mine >> cell & 1) << there
        theirs |= (state.theirs >> cell & 1) << there
    return TicTacToe(mine, theirs)


@rules.transformed_action.rule(TicTacToe)
def _(state: TicTacToe, action: int, index: int) -> int:
    return symmetric_cell(action, 3, 3, index)


@rules.planes_shape.rule(TicTacToe)
def _(state: TicTacToe) -> tuple[int, int, int]:
    return (2, 3, 3)


@rules.planes.rule(TicTacToe)
def _(state: TicTacToe, out: Any) -> None:
    for cell in range(9):
        out[0, cell // 3, cell % 3] = state.mine >> cell & 1
        out[1, cell // 3, cell % 3] = state.theirs >> cell & 1


@rules.action_text.rule(TicTacToe)
def _(state: TicTacToe, action: int) -> str:
    return cell_name(action // 3, action % 3)


@rules.grid.rule(TicTacToe)
def _(state: TicTacToe) -> Grid:
    x, o = _sides(state)

    def symbol(row: int, column: int) -> str:
        cell = 3 * row + column
        return "X" if x >> cell & 1 else "O" if o >> cell & 1 else "."

    return Grid(board_cells(3, 3, symbol), columns=("a", "b", "c"), rows=("1", "2", "3"))


def tictactoe() -> Game:
    """Tic-tac-toe: three in a row on 3x3; X moves first."""
    line_points = Points(0.1, f"+{INFINITY}", f"{MINUS}{INFINITY}", _open_lines_terms)
    return Game(
        "tictactoe",
        TicTacToe(0, 0),
        seats=("X", "O"),
        opponent="minimax",
        evaluations={"open-lines": open_lines, "counts": counts},
        points={"": line_points, "open-lines": line_points, "counts": Points(1 / 32, terms=_counts_terms)},
    )
