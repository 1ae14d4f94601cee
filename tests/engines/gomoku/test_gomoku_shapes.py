"""Shapes on lines: the table against their definitions, and what is kept move by move against a slow recount."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from plyground.engines.gomoku.board import STEPS, place, put_position, remove
from plyground.engines.gomoku.memory import CELLS, FIRST, STRIDE, WEIGHTS, Memory
from plyground.engines.gomoku.shapes import (
    DOUBLE_THREE,
    FIVE,
    FOUR,
    FOUR_THREE,
    KINDS,
    MAKES_FIVE,
    MAKES_FOUR,
    MAKES_THREE,
    NOTHING,
    ONE,
    OPEN_FOUR,
    OPEN_ONE,
    OPEN_THREE,
    OPEN_TWO,
    STRONG,
    THREE,
    TWO,
    UNSTOPPABLE,
)
from plyground.engines.gomoku.table import Table

BOARDS = [(15, 15, 5), (9, 9, 5), (19, 19, 5), (6, 5, 4), (7, 9, 3)]


@cache
def shape(line: str, in_line: int) -> int:
    """The shape of a line of nine cells, a stone of the side's own in the middle: x own, o the other's or edge."""
    windows = [line[i : i + in_line] for i in range(max(0, 5 - in_line), min(4, 9 - in_line) + 1)]
    if "x" * in_line in windows:
        return FIVE
    after = [shape(line[:i] + "x" + line[i + 1 :], in_line) for i in range(9) if line[i] == "."]
    if FIVE in after:
        return FOUR if after.count(FIVE) == 1 else OPEN_FOUR
    for made, before in ((OPEN_FOUR, OPEN_THREE), (FOUR, THREE), (OPEN_THREE, OPEN_TWO), (THREE, TWO)):
        if made in after:
            return before
    return OPEN_ONE if OPEN_TWO in after else ONE if TWO in after else NOTHING


def recounted(stones: dict[tuple[int, int], int], rows: int, columns: int, in_line: int) -> dict:
    """The shapes of every empty cell to both sides, from the board alone."""
    found = {}
    for row in range(rows):
        for column in range(columns):
            if (row, column) in stones:
                continue
            for side in (0, 1):
                shapes = []
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    line = ""
                    for i in range(-4, 5):
                        at = row + i * down, column + i * right
                        on_board = 0 <= at[0] < rows and 0 <= at[1] < columns
                        stone = stones.get(at) if on_board else 1 - side
                        line += "x" if i == 0 or stone == side else "." if stone is None else "o"
                    shapes.append(shape(line, in_line))
                found[side, row, column] = shapes
    return found


def kept(record, rows: int, columns: int) -> dict:
    """The same as the record has it."""
    cells = {(row, column): FIRST + row * STRIDE + column for row in range(rows) for column in range(columns)}
    return {
        (side, *at): [int(record["shapes"][side, cell]) >> 4 * direction & 15 for direction in range(4)]
        for side in (0, 1)
        for at, cell in cells.items()
        if record["cell"][cell] == 0
    }


@pytest.mark.parametrize(("line", "expected"), [
    ("xxxx*....", FIVE), (".xxx*....", OPEN_FOUR), ("oxxx*....", FOUR), ("..xx*....", OPEN_THREE),
    (".oxx*....", THREE), ("..x.*x...", OPEN_THREE), ("x.xx*.x..", OPEN_FOUR), ("o..x*...o", OPEN_TWO),
    ("o..x*.o..", TWO), ("....*....", OPEN_ONE), ("o...*o...", NOTHING), ("...o*....", ONE), ("xx.x*o...", FOUR),
])  # fmt: skip
def test_shapes_as_players_know_them(line, expected):
    own = line.replace("*", "x")
    assert shape(own, 5) == expected
    record = Memory(Table(1 << 10), 5).record
    codes = [{".": 0, "x": 1, "o": 2}[mark] for i, mark in enumerate(own) if i != 4]
    key = sum(code << 2 * place for place, code in enumerate(codes))
    assert record["shape_of"][0, key] == expected


@pytest.mark.parametrize("in_line", [3, 4, 5])
def test_the_table_of_shapes_is_that_of_the_definitions(in_line):
    record = Memory(Table(1 << 10), in_line).record
    drawn = random.Random(in_line)
    for key in (drawn.randrange(1 << 16) for _ in range(3000)):
        for side, marks in ((0, ".xoo"), (1, ".oxo")):
            cells = [marks[key >> 2 * place & 3] for place in range(8)]
            line = "".join(cells[:4]) + "x" + "".join(cells[4:])
            assert record["shape_of"][side, key] == shape(line, in_line), (line, in_line)


@pytest.mark.parametrize(("rows", "columns", "in_line"), BOARDS)
def test_what_is_kept_move_by_move_equals_a_recount(rows, columns, in_line):
    record = Memory(Table(1 << 10), in_line).record
    drawn = random.Random(rows * columns)
    put_position(record, rows, columns, np.zeros(rows * columns, np.int64))
    fresh = record.copy()
    stones: dict[tuple[int, int], int] = {}
    played: list[int] = []
    for number in range(2 * rows * columns // 3):
        if played and drawn.random() < 0.3:
            cell = played.pop()
            remove(record, cell)
            del stones[divmod(cell - FIRST, STRIDE)]
        else:
            at = drawn.choice([(r, c) for r in range(rows) for c in range(columns) if (r, c) not in stones])
            stones[at] = int(record["side"])
            played.append(FIRST + at[0] * STRIDE + at[1])
            place(record, played[-1])
        if number % 7 == 0:
            expected = recounted(stones, rows, columns, in_line)
            assert kept(record, rows, columns) == expected
            for side in (0, 1):
                mine = [shapes for (owner, *_), shapes in expected.items() if owner == side]
                assert record["value"][side] == sum(int(WEIGHTS[one]) for shapes in mine for one in shapes)
                kinds = [kind(shapes) for shapes in mine]
                assert [int(count) for count in record["count"][side]][2:] == [kinds.count(k) for k in range(KINDS)][2:]
    while played:
        remove(record, played.pop())
    for field in ("hash", "side", "stones", "value", "count", "cell", "near", "key", "shapes", "kind", "worth"):
        assert np.array_equal(record[field], fresh[field]), field


def kind(shapes: list[int]) -> int:
    if FIVE in shapes:
        return MAKES_FIVE
    if OPEN_FOUR in shapes or shapes.count(FOUR) > 1:
        return UNSTOPPABLE
    if FOUR in shapes:
        return FOUR_THREE if OPEN_THREE in shapes else MAKES_FOUR
    if OPEN_THREE in shapes:
        return DOUBLE_THREE if shapes.count(OPEN_THREE) > 1 else MAKES_THREE
    useful = shapes.count(OPEN_TWO) + shapes.count(THREE)
    return useful if useful < 1 else STRONG if useful > 1 else STRONG - 1


def test_a_position_is_the_same_whatever_the_order_of_its_moves():
    drawn = random.Random(5)
    record = Memory(Table(1 << 10), 5).record
    put_position(record, 15, 15, np.zeros(225, np.int64))
    actions = drawn.sample(range(225), 40)
    stones = np.zeros(225, np.int64)
    for number, action in enumerate(actions):
        place(record, FIRST + action // 15 * STRIDE + action % 15)
        stones[action] = 1 + number % 2
    other = Memory(Table(1 << 10), 5).record
    put_position(other, 15, 15, stones)
    for field in ("hash", "side", "stones", "value", "count", "key"):
        assert np.array_equal(record[field], other[field]), field
    assert len({int(word) for word in record["zobrist"].ravel()}) == 2 * CELLS
    assert STEPS == (1, STRIDE, STRIDE + 1, STRIDE - 1)
