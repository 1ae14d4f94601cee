"""Dots and Boxes: draw lines between dots; whoever draws the fourth side of a box owns it and moves again.

An action is a line: those that lie come first, row * columns + column, then those that stand,
(rows + 1) * columns + row * (columns + 1) + column, each from the top left. People name the two dots that a line joins:
a1-b1 is the line at the top left that lies, a1-a2 the one that stands.

Dots, lines and boxes together are the cells of a lattice of 2 rows + 1 by 2 columns + 1: dots where both row and column
are even, boxes where both are odd, lines elsewhere. Pictures and symmetries see this lattice.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, NamedTuple

import numpy as np

from plyground.core import rules
from plyground.core.game import Game
from plyground.core.grid import Grid
from plyground.core.rules import parse_action, score, with_item
from plyground.errors import BadOption
from plyground.games.lattice import (
    board_cells,
    cell_name,
    cells_of_word,
    has,
    no_cells,
    symmetric_cell,
    symmetry_count,
    with_cell,
)
from plyground.native.bits import bit_index, mix64, popcount
from plyground.native.randomness import random_below

__all__ = ["DotsAndBoxes", "dots_and_boxes"]

LARGEST = 7


class DotsAndBoxes(NamedTuple):
    """The lines that are drawn, the boxes of the first and of the second player, and whose turn it is.

    Box row * columns + column is one bit. Whose boxes they are matters only in sum, so that states of the same lines,
    difference and turn share a hash.
    """

    lines: tuple[np.uint64, ...]
    first: np.uint64
    second: np.uint64
    turn: int
    rows: int
    columns: int


def line_count(state: DotsAndBoxes) -> int:
    """How many lines the board has, drawn or not."""
    return (state.rows + 1) * state.columns + state.rows * (state.columns + 1)


def lattice_cell(state: DotsAndBoxes, line: int) -> int:
    """Where a line lies in the lattice, as row * (2 columns + 1) + column."""
    lying = (state.rows + 1) * state.columns
    if line < lying:
        row, column = 2 * (line // state.columns), 2 * (line % state.columns) + 1
    else:
        row, column = 2 * ((line - lying) // (state.columns + 1)) + 1, 2 * ((line - lying) % (state.columns + 1))
    return row * (2 * state.columns + 1) + column


def line_at(state: DotsAndBoxes, cell: int) -> int:
    """The line at a cell of the lattice."""
    row, column = cell // (2 * state.columns + 1), cell % (2 * state.columns + 1)
    if row % 2 == 0:
        return row // 2 * state.columns + column // 2
    return (state.rows + 1) * state.columns + row // 2 * (state.columns + 1) + column // 2


def sides(state: DotsAndBoxes, row: int, column: int) -> int:
    """How many sides of a box are drawn; -1 for a place outside of the board."""
    if not (0 <= row < state.rows and 0 <= column < state.columns):
        return -1
    lying = row * state.columns + column
    standing = (state.rows + 1) * state.columns + row * (state.columns + 1) + column
    drawn = has(state.lines, lying) + has(state.lines, lying + state.columns)
    return drawn + has(state.lines, standing) + has(state.lines, standing + 1)


def most_sides(state: DotsAndBoxes, line: int) -> int:
    """Of the two boxes beside a line, how many sides are drawn of the one with more: with 3 the line takes it."""
    cell = lattice_cell(state, line)
    row, column = cell // (2 * state.columns + 1), cell % (2 * state.columns + 1)
    if row % 2 == 0:
        return max(sides(state, row // 2 - 1, column // 2), sides(state, row // 2, column // 2))
    return max(sides(state, row // 2, column // 2 - 1), sides(state, row // 2, column // 2))


@rules.to_move.rule(DotsAndBoxes)
def _(state: DotsAndBoxes) -> int:
    return state.turn


@rules.max_actions.rule(DotsAndBoxes)
def _(state: DotsAndBoxes) -> int:
    return line_count(state)


@rules.count_actions.rule(DotsAndBoxes)
def _(state: DotsAndBoxes) -> int:
    drawn = 0
    for word in range(len(state.lines)):
        drawn += popcount(state.lines[word])
    return line_count(state) - drawn


@rules.legal_actions.rule(DotsAndBoxes)
def _(state: DotsAndBoxes, out: Any) -> int:
    count = 0
    for word in range(len(state.lines)):
        free = cells_of_word(word, line_count(state)) & ~state.lines[word]
        while free:
            out[count] = 64 * word + bit_index(free)
            count += 1
            free &= free - np.uint64(1)
    return count


@rules.result.rule(DotsAndBoxes)
def _(state: DotsAndBoxes, action: int) -> DotsAndBoxes:
    lines = with_cell(state.lines, action)
    cell = lattice_cell(state, action)
    row, column = cell // (2 * state.columns + 1), cell % (2 * state.columns + 1)
    taken = np.uint64(0)
    for back in range(2):
        box_row, box_column = (row // 2 - back, column // 2) if row % 2 == 0 else (row // 2, column // 2 - back)
        if sides(state, box_row, box_column) == 3:
            taken |= np.uint64(1) << np.uint64(box_row * state.columns + box_column)
    if not taken:
        return DotsAndBoxes(lines, state.first, state.second, 1 - state.turn, state.rows, state.columns)
    if state.turn == 0:
        return DotsAndBoxes(lines, state.first | taken, state.second, 0, state.rows, state.columns)
    return DotsAndBoxes(lines, state.first, state.second | taken, 1, state.rows, state.columns)


@rules.score.rule(DotsAndBoxes)
def _(state: DotsAndBoxes, player: int) -> float:
    """The difference in boxes."""
    difference = float(popcount(state.first) - popcount(state.second))
    return -difference if player else difference


@rules.utility.rule(DotsAndBoxes)
def _(state: DotsAndBoxes, player: int) -> float:
    difference = score(state, player)
    return 1.0 if difference > 0 else -1.0 if difference < 0 else 0.0


@rules.evaluation.rule(DotsAndBoxes)
def _(state: DotsAndBoxes) -> float:
    """The difference in boxes, where those with three sides count for the player to move, as a share of the board."""
    lead = score(state, state.turn)
    for row in range(state.rows):
        for column in range(state.columns):
            lead += sides(state, row, column) == 3
    return lead / (state.rows * state.columns + 1.0)


@rules.noisy.rule(DotsAndBoxes)
def _(state: DotsAndBoxes, action: int) -> bool:
    """A line that takes a box."""
    return most_sides(state, action) == 3


@rules.playout_action.rule(DotsAndBoxes)
def _(state: DotsAndBoxes, actions: Any, count: int, rng: Any) -> int:
    """A line that takes a box if there is one; otherwise one that gives none away, if there is one."""
    chosen, best, alike = actions[0], -1, 0
    for i in range(count):
        drawn = most_sides(state, actions[i])
        worth = 2 if drawn == 3 else 0 if drawn == 2 else 1
        if worth > best:
            best, alike = worth, 0
        if worth == best:
            alike += 1
            if random_below(rng, alike) == 0:
                chosen = actions[i]
    return chosen  # type: ignore[no-any-return]


@rules.state_hash.rule(DotsAndBoxes)
def _(state: DotsAndBoxes) -> Any:
    lead = popcount(state.first) - popcount(state.second) + 64
    word = mix64(np.uint64(2 * lead + state.turn))
    for i in range(len(state.lines)):
        word = mix64(word ^ state.lines[i])
    return word


@rules.symmetries.rule(DotsAndBoxes)
def _(state: DotsAndBoxes) -> int:
    return symmetry_count(state.rows, state.columns)


@rules.transformed.rule(DotsAndBoxes)
def _(state: DotsAndBoxes, index: int) -> DotsAndBoxes:
    lines = state.lines
    for word in range(len(state.lines)):
        lines = with_item(lines, word, np.uint64(0))
    for line in range(line_count(state)):
        if has(state.lines, line):
            lines = with_cell(lines, transformed_line(state, line, index))
    first, second = np.uint64(0), np.uint64(0)
    for box in range(state.rows * state.columns):
        there = np.uint64(symmetric_cell(box, state.rows, state.columns, index))
        first |= (state.first >> np.uint64(box) & np.uint64(1)) << there
        second |= (state.second >> np.uint64(box) & np.uint64(1)) << there
    return DotsAndBoxes(lines, first, second, state.turn, state.rows, state.columns)


def transformed_line(state: DotsAndBoxes, line: int, index: int) -> int:
    """Where a line goes under a symmetry."""
    height, width = 2 * state.rows + 1, 2 * state.columns + 1
    return line_at(state, symmetric_cell(lattice_cell(state, line), height, width, index))


@rules.transformed_action.rule(DotsAndBoxes)
def _(state: DotsAndBoxes, action: int, index: int) -> int:
    return transformed_line(state, action, index)


@rules.planes_shape.rule(DotsAndBoxes)
def _(state: DotsAndBoxes) -> tuple[int, int, int]:
    return (3, 2 * state.rows + 1, 2 * state.columns + 1)


@rules.planes.rule(DotsAndBoxes)
def _(state: DotsAndBoxes, out: Any) -> None:
    """On the lattice: the lines, the mover's boxes, the other's."""
    width = 2 * state.columns + 1
    for line in range(line_count(state)):
        cell = lattice_cell(state, line)
        out[0, cell // width, cell % width] = has(state.lines, line)
    for box in range(state.rows * state.columns):
        row, column = 2 * (box // state.columns) + 1, 2 * (box % state.columns) + 1
        out[1 + state.turn, row, column] = state.first >> np.uint64(box) & np.uint64(1)
        out[2 - state.turn, row, column] = state.second >> np.uint64(box) & np.uint64(1)


@rules.action_text.rule(DotsAndBoxes)
def _(state: DotsAndBoxes, action: int) -> str:
    cell = lattice_cell(state, action)
    row, column = cell // (2 * state.columns + 1), cell % (2 * state.columns + 1)
    lying = row % 2 == 0
    return f"{cell_name(row // 2, column // 2)}-{cell_name(row // 2 + (not lying), column // 2 + lying)}"


@rules.parse_action.rule(DotsAndBoxes)
def _(state: DotsAndBoxes, text: str) -> int:
    """Either dot may come first, and what stands between them does not matter."""
    dots = re.fullmatch(r"\s*([a-z])(\d)\W*([a-z])(\d)\s*", text.lower())
    if dots:
        one, other = sorted([(dots[2], dots[1]), (dots[4], dots[3])])
        return int(parse_action.default(state, f"{one[1]}{one[0]}-{other[1]}{other[0]}"))
    return int(parse_action.default(state, text))


@rules.grid.rule(DotsAndBoxes)
def _(state: DotsAndBoxes) -> Grid:
    def symbol(row: int, column: int) -> str:
        if row % 2 == column % 2 == 0:
            return "+"
        if row % 2 and column % 2:
            box = row // 2 * state.columns + column // 2
            return "R" if int(state.first) >> box & 1 else "B" if int(state.second) >> box & 1 else " "
        drawn = has(state.lines, line_at(state, row * (2 * state.columns + 1) + column))
        return "." if not drawn else "|" if row % 2 else "-"

    height, width = 2 * state.rows + 1, 2 * state.columns + 1
    return Grid(
        board_cells(height, width, symbol),
        symbols=("R", "B"),
        style="boxes",
        columns=tuple("" if column % 2 else chr(97 + column // 2) for column in range(width)),
        rows=tuple("" if row % 2 else str(row // 2 + 1) for row in range(height)),
    )


def dots_and_boxes(
    rows: Annotated[int, "rows of boxes, 1 to 7"] = 3,
    columns: Annotated[int, "columns of boxes, 1 to 7"] = 3,
) -> Game:
    """Dots and Boxes: draw the fourth side of a box, and it is yours and you move again; more boxes win."""
    for name, value in (("rows", rows), ("columns", columns)):
        if not 1 <= value <= LARGEST:
            raise BadOption(f"dots_and_boxes: {name} must be 1 to {LARGEST}, not {value}")
    none = no_cells((rows + 1) * columns + rows * (columns + 1))
    start = DotsAndBoxes(none, np.uint64(0), np.uint64(0), 0, rows, columns)
    return Game("dots_and_boxes", start, seats=("red", "blue"), draws=rows * columns % 2 == 0)
