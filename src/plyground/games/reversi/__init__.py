"""Reversi (Othello) on 4x4, 6x6 and 8x8 boards.

An action is the square 8*row + column, a1 at the top left, on every board size; 64 is the pass, legal only when it is
forced. Black (player 0) moves first. Smaller boards lie in the top left corner of the 8x8 one.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from plyground.core import rules
from plyground.core.game import Game
from plyground.core.grid import Grid, column_name
from plyground.core.rules import actions, parse_action, score
from plyground.errors import BadOption, IllegalAction
from plyground.games.lattice import board_cells, cell_name, symmetric_cell
from plyground.games.reversi.moves import flips, moves
from plyground.native.bits import bit_index, mix64, popcount
from plyground.native.overloads import native
from plyground.native.randomness import random_below

__all__ = ["FULL", "PASS", "Reversi", "final_score", "on_8x8", "reversi"]

PASS = 64
FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
CORNERS = np.uint64(0x8100000000000081)
DIAGONAL = np.uint64(0x0042000000004200)
"""The squares diagonally next to the corners: b2, g2, b7, g7."""


class Reversi(NamedTuple):
    """The discs of the player to move and of the other one, the squares of the board, and whose turn it is."""

    own: np.uint64
    opponent: np.uint64
    board: np.uint64
    turn: int


@rules.to_move.rule(Reversi)
def _(state: Reversi) -> int:
    return state.turn


@rules.max_actions.rule(Reversi)
def _(state: Reversi) -> int:
    return 60  # reachable positions are known to have 33 at most, boards that somebody makes up have more


@rules.distinct_actions.rule(Reversi)
def _(state: Reversi) -> int:
    return PASS + 1


@rules.count_actions.rule(Reversi)
def _(state: Reversi) -> int:
    squares = moves(state.own, state.opponent) & state.board
    if squares:
        return popcount(squares)
    return 1 if moves(state.opponent, state.own) & state.board else 0


@rules.legal_actions.rule(Reversi)
def _(state: Reversi, out: Any) -> int:
    squares = moves(state.own, state.opponent) & state.board
    count = 0
    while squares:
        out[count] = bit_index(squares)
        count += 1
        squares &= squares - np.uint64(1)
    if count == 0 and moves(state.opponent, state.own) & state.board:
        out[0] = PASS
        count = 1
    return count


@rules.result.rule(Reversi)
def _(state: Reversi, action: int) -> Reversi:
    if action == PASS:
        return Reversi(state.opponent, state.own, state.board, 1 - state.turn)
    flipped = flips(state.own, state.opponent, action)
    own = state.own | flipped | np.uint64(1) << np.uint64(action)
    return Reversi(state.opponent & ~flipped, own, state.board, 1 - state.turn)


@rules.terminal.rule(Reversi)
def _(state: Reversi) -> bool:
    return not (moves(state.own, state.opponent) & state.board or moves(state.opponent, state.own) & state.board)


@rules.utility.rule(Reversi)
def _(state: Reversi, player: int) -> float:
    difference = score(state, player)
    return 1.0 if difference > 0 else -1.0 if difference < 0 else 0.0


@rules.score.rule(Reversi)
def _(state: Reversi, player: int) -> float:
    """The difference in discs; squares left empty count for nobody."""
    difference = float(popcount(state.own) - popcount(state.opponent))
    return difference if player == state.turn else -difference


def final_score(own: Any, opponent: Any) -> int:
    """The difference in discs on 8x8 when neither side can move; squares left empty count for the winner."""
    ours, theirs = popcount(own), popcount(opponent)
    if ours > theirs:
        return 64 - 2 * theirs
    if ours < theirs:
        return 2 * ours - 64
    return 0


@native(final_score)
def _final_score(own: Any, opponent: Any) -> Any:
    return final_score


@rules.evaluation.rule(Reversi)
def _(state: Reversi) -> float:
    """The difference in discs as a share of the board."""
    return (popcount(state.own) - popcount(state.opponent)) / (popcount(state.board) + 1)


@rules.noisy.rule(Reversi)
def _(state: Reversi, action: int) -> bool:
    """A move into a corner of the 8x8 board: it is there to stay."""
    return state.board == FULL and action != PASS and bool(CORNERS & np.uint64(1) << np.uint64(action))


@rules.playout_action.rule(Reversi)
def _(state: Reversi, actions: Any, count: int, rng: Any) -> int:
    """A corner if there is one; a square diagonally next to an empty corner only if there is nothing else."""
    if actions[0] == PASS or state.board != FULL:
        return actions[random_below(rng, count)]  # type: ignore[no-any-return]
    squares = np.uint64(0)
    for i in range(count):
        squares |= np.uint64(1) << np.uint64(actions[i])
    empty = CORNERS & ~(state.own | state.opponent)
    if squares & CORNERS:
        squares &= CORNERS
    else:
        risky = empty << np.uint64(9) | empty << np.uint64(7) | empty >> np.uint64(9) | empty >> np.uint64(7)
        if squares & ~(risky & DIAGONAL):
            squares &= ~(risky & DIAGONAL)
    for _ in range(random_below(rng, popcount(squares))):
        squares &= squares - np.uint64(1)
    return bit_index(squares)


@rules.state_hash.rule(Reversi)
def _(state: Reversi) -> Any:
    key = mix64(state.own ^ mix64(state.opponent))
    return ~key if state.turn else key


@rules.symmetries.rule(Reversi)
def _(state: Reversi) -> int:
    return 8


@rules.transformed.rule(Reversi)
def _(state: Reversi, index: int) -> Reversi:
    size = board_size(state)
    own, opponent = np.uint64(0), np.uint64(0)
    for cell in range(size * size):
        here = np.uint64(cell // size * 8 + cell % size)
        cell_there = symmetric_cell(cell, size, size, index)
        there = np.uint64(cell_there // size * 8 + cell_there % size)
        own |= (state.own >> here & np.uint64(1)) << there
        opponent |= (state.opponent >> here & np.uint64(1)) << there
    return Reversi(own, opponent, state.board, state.turn)


@rules.transformed_action.rule(Reversi)
def _(state: Reversi, action: int, index: int) -> int:
    if action == PASS:
        return PASS
    size = board_size(state)
    there = symmetric_cell(action // 8 * size + action % 8, size, size, index)
    return there // size * 8 + there % size


@rules.planes_shape.rule(Reversi)
def _(state: Reversi) -> tuple[int, int, int]:
    size = board_size(state)
    return (2, size, size)


@rules.planes.rule(Reversi)
def _(state: Reversi, out: Any) -> None:
    size = board_size(state)
    for row in range(size):
        for column in range(size):
            square = np.uint64(8 * row + column)
            out[0, row, column] = state.own >> square & np.uint64(1)
            out[1, row, column] = state.opponent >> square & np.uint64(1)


def board_size(state: Reversi) -> int:
    """4, 6 or 8."""
    return popcount(state.board & np.uint64(255))


@rules.action_text.rule(Reversi)
def _(state: Reversi, action: int) -> str:
    return "pass" if action == PASS else cell_name(action // 8, action % 8)


@rules.parse_action.rule(Reversi)
def _(state: Reversi, text: str) -> int:
    word = text.strip().lower()
    if word in ("pass", "pa", "ps") and actions(state) != [PASS]:
        raise IllegalAction("a pass is legal only when there is no other move")
    return int(parse_action.default(state, "pass" if word in ("pa", "ps") else word))


@rules.position_code.rule(Reversi)
def _(state: Reversi) -> str:
    """As the option `board` has it, with a blank before the side to move; for 8x8 squares only."""
    if state.board != FULL:
        return ""
    black, white = (state.opponent, state.own) if state.turn else (state.own, state.opponent)
    cells = ("X" if int(black) >> s & 1 else "O" if int(white) >> s & 1 else "-" for s in range(64))
    return f"{''.join(cells)} {'XO'[state.turn]}"


@rules.read_position.rule(Reversi)
def _(state: Reversi, code: str) -> Reversi:
    return _set_up("".join(code.split()), board_size(state))


@rules.grid.rule(Reversi)
def _(state: Reversi) -> Grid:
    size = board_size(state)
    black, white = (state.opponent, state.own) if state.turn else (state.own, state.opponent)
    places = moves(state.own, state.opponent) & state.board

    def symbol(row: int, column: int) -> str:
        square = 8 * row + column
        return "X" if int(black) >> square & 1 else "O" if int(white) >> square & 1 else "."

    return Grid(
        board_cells(size, size, symbol),
        style="discs",
        columns=tuple(column_name(column) for column in range(size)),
        rows=tuple(str(row + 1) for row in range(size)),
        dots=tuple((s // 8, s % 8) for s in range(64) if int(places) >> s & 1),
    )


def reversi(
    size: Annotated[int, "squares along a side: 4, 6 or 8"] = 8,
    board: Annotated[str, "where to begin: 64 of X, O and - from a1 to h8, and X or O for who moves"] = "",
) -> Game:
    """Reversi (Othello): bracket the other side's discs to flip them; more discs win. Black moves first."""
    if size not in (4, 6, 8):
        raise BadOption(f"reversi: size must be 4, 6 or 8, not {size}")
    low, high = size // 2 - 1, size // 2
    black = 1 << 8 * low + high | 1 << 8 * high + low
    white = 1 << 8 * low + low | 1 << 8 * high + high
    squares = sum(1 << 8 * row + column for row in range(size) for column in range(size))
    start = Reversi(np.uint64(black), np.uint64(white), np.uint64(squares), 0)
    if board:
        start = _set_up(board, size)
    return Game("reversi", start, seats=("black", "white"), opponent="engine" if size == 8 else "mcts")


def on_8x8(game: Game) -> bool:
    """Whether a game is Reversi on the full board: what the engine plays, and other programs write down."""
    return isinstance(game.initial, Reversi) and bool(game.initial.board == FULL)


def _set_up(board: str, size: int) -> Reversi:
    """The position that the option `board` describes."""
    if size != 8 or len(board) != 65 or set(board[:64]) - set("XO-") or board[64] not in "XO":
        raise BadOption(
            "reversi: board must be 64 of X, O and - from a1 to h8, and X or O for who moves, on 8x8 squares"
        )
    black, white = (sum(1 << square for square in range(64) if board[square] == disc) for disc in "XO")
    turn = "XO".index(board[64])
    own, opponent = (white, black) if turn else (black, white)
    return Reversi(np.uint64(own), np.uint64(opponent), np.uint64(FULL), turn)
