"""Connect Four: drop discs into columns, four in a line win.

An action is a column, 0 at the left; people say 1 to 7. A side is a set of cells in one word, bit
column * (rows + 1) + height from the bottom; the spare bit on top of each column keeps lines from wrapping around.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from plyground.core import rules
from plyground.core.game import Game
from plyground.core.grid import Grid
from plyground.core.rules import to_move
from plyground.errors import BadOption
from plyground.games.lattice import board_cells
from plyground.native.bits import mix64

__all__ = ["ConnectFour", "connect4"]


class ConnectFour(NamedTuple):
    """The cells of the player to move and of the other one, and the size of the board."""

    mine: int
    theirs: int
    columns: int
    rows: int


def has_four(cells: int, rows: int) -> bool:
    """Whether a set of cells holds four in a line."""
    for step in (1, rows, rows + 1, rows + 2):
        pairs = cells & cells >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def window_points(own: int, other: int, board: int, step: int) -> int:
    """1, 4 or 16 for each window of four cells along `step` with one, two or three own discs and none of the other's.

    All windows at once: bit n of a word stands for the window that begins at cell n, and the four cells of each are
    added up in binary, digit by digit.
    """
    starts = board & board >> step & board >> 2 * step & board >> 3 * step
    starts &= ~(other | other >> step | other >> 2 * step | other >> 3 * step)
    first, second = own ^ own >> step, own & own >> step
    third, fourth = first >> 2 * step, second >> 2 * step
    odd = first ^ third
    pairs = second ^ fourth ^ first & third
    return (
        (starts & odd & ~pairs).bit_count()
        + 4 * (starts & ~odd & pairs).bit_count()
        + 16 * (starts & odd & pairs).bit_count()
    )


def landing_cell(state: ConnectFour, action: int) -> int:
    """Where a disc dropped into a column comes to rest, as a bit."""
    bottom = 1 << action * (state.rows + 1)
    column = (1 << state.rows) - 1 << action * (state.rows + 1)
    return ((state.mine | state.theirs) & column) + bottom & column


@rules.to_move.rule(ConnectFour)
def _(state: ConnectFour) -> int:
    return (state.mine | state.theirs).bit_count() & 1


@rules.max_actions.rule(ConnectFour)
def _(state: ConnectFour) -> int:
    return state.columns


@rules.legal_actions.rule(ConnectFour)
def _(state: ConnectFour, out: Any) -> int:
    count = 0
    if not has_four(state.theirs, state.rows):
        taken = state.mine | state.theirs
        for column in range(state.columns):
            if not taken >> (column * (state.rows + 1) + state.rows - 1) & 1:
                out[count] = column
                count += 1
    return count


@rules.result.rule(ConnectFour)
def _(state: ConnectFour, action: int) -> ConnectFour:
    return ConnectFour(state.theirs, state.mine | landing_cell(state, action), state.columns, state.rows)


@rules.terminal.rule(ConnectFour)
def _(state: ConnectFour) -> bool:
    full = (state.mine | state.theirs).bit_count() == state.columns * state.rows
    return full or has_four(state.theirs, state.rows)


@rules.utility.rule(ConnectFour)
def _(state: ConnectFour, player: int) -> float:
    if not has_four(state.theirs, state.rows):
        return 0.0
    return -1.0 if to_move(state) == player else 1.0


@rules.evaluation.rule(ConnectFour)
def _(state: ConnectFour) -> float:
    """Every window of four cells that only one side has entered counts 1, 4 or 16 for one, two or three discs."""
    total = 0
    column = (1 << state.rows + 1) - 1
    board = (column >> 1) * (((1 << state.columns * (state.rows + 1)) - 1) // column)
    for step in (1, state.rows, state.rows + 1, state.rows + 2):
        total += window_points(state.mine, state.theirs, board, step)
        total -= window_points(state.theirs, state.mine, board, step)
    return total / (abs(total) + 64.0)


@rules.noisy.rule(ConnectFour)
def _(state: ConnectFour, action: int) -> bool:
    """A move that makes four, or stops four."""
    landing = landing_cell(state, action)
    return has_four(state.mine | landing, state.rows) or has_four(state.theirs | landing, state.rows)


@rules.state_hash.rule(ConnectFour)
def _(state: ConnectFour) -> Any:
    return mix64(state.mine + (state.mine | state.theirs))  # in each column the sum says how high and whose discs


@rules.symmetries.rule(ConnectFour)
def _(state: ConnectFour) -> int:
    return 2


@rules.transformed.rule(ConnectFour)
def _(state: ConnectFour, index: int) -> ConnectFour:
    if index == 0:
        return state
    mine, theirs, stride = 0, 0, state.rows + 1
    for column in range(state.columns):
        here, there = column * stride, (state.columns - 1 - column) * stride
        mine |= (state.mine >> here & (1 << stride) - 1) << there
        theirs |= (state.theirs >> here & (1 << stride) - 1) << there
    return ConnectFour(mine, theirs, state.columns, state.rows)


@rules.transformed_action.rule(ConnectFour)
def _(state: ConnectFour, action: int, index: int) -> int:
    return state.columns - 1 - action if index else action


@rules.planes_shape.rule(ConnectFour)
def _(state: ConnectFour) -> tuple[int, int, int]:
    return (2, state.rows, state.columns)


@rules.planes.rule(ConnectFour)
def _(state: ConnectFour, out: Any) -> None:
    for row in range(state.rows):
        for column in range(state.columns):
            cell = column * (state.rows + 1) + state.rows - 1 - row
            out[0, row, column] = state.mine >> cell & 1
            out[1, row, column] = state.theirs >> cell & 1


@rules.action_text.rule(ConnectFour)
def _(state: ConnectFour, action: int) -> str:
    return str(action + 1)


@rules.grid.rule(ConnectFour)
def _(state: ConnectFour) -> Grid:
    first, second = (state.theirs, state.mine) if to_move(state) else (state.mine, state.theirs)

    def symbol(row: int, column: int) -> str:
        cell = column * (state.rows + 1) + state.rows - 1 - row
        return "X" if first >> cell & 1 else "O" if second >> cell & 1 else "."

    columns = tuple(str(column + 1) for column in range(state.columns))
    return Grid(board_cells(state.rows, state.columns, symbol), style="slots", columns=columns)


def connect4(
    columns: Annotated[int, "columns of the rack, at least 1"] = 7,
    rows: Annotated[int, "rows of the rack, at least 1"] = 6,
) -> Game:
    """Connect Four: drop discs into columns; four in a line win."""
    if columns < 1 or rows < 1 or columns * (rows + 1) > 62:
        raise BadOption(
            f"connect4: columns and rows must be at least 1 and columns * (rows + 1) at most 62, not {columns} x {rows}"
        )
    return Game("connect4", ConnectFour(0, 0, columns, rows), seats=("X", "O"))
