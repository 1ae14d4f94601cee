"""Where min-conflicts begins: queens placed greedily, in a random order or at random, counted and listed."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.native.compiling import compiled
from plyground.native.randomness import random_below
from plyground.subjects.queens.board import (
    FREE_ROWS,
    LISTED,
    MANY_TRIES,
    Board,
    change_counts,
    least_attacked,
    list_victims,
    under_attack,
)

__all__ = [
    "complete_greedy_start",
    "count_diagonals",
    "count_queens",
    "list_attacked",
    "list_free_rows",
    "note_places",
    "place_by_bits",
    "place_greedily",
    "random_rows",
    "shuffle",
]


@compiled
def shuffle(items: Any, last: int, first: int, rng: Any) -> None:
    """Part of a random order of the items (Fisher and Yates): the places `last` down to `first`."""
    for i in range(last, first - 1, -1):
        j = random_below(rng, i + 1)
        item = items[i]
        items[i] = items[j]
        items[j] = item


@compiled
def place_by_bits(board: Board, falling: Any, rising: Any, first: int, end: int, rng: Any) -> int:
    """`place_greedily` for as long as some tries find a row: the column where they did not, or `end`.

    Diagonals that are taken are bits of these arrays, which stay in the cache where counts would not; the counts are
    still to be made.
    """
    n, free = len(board.rows), board.free
    count = int(board.sizes[FREE_ROWS])
    reached = end
    for column in range(first, end):
        before = rng[0]
        place, row, down, up = -1, 0, 0, 0
        for _ in range(MANY_TRIES):
            k = random_below(rng, count)
            row = int(free[k])
            down, up = row + column, row - column + n - 1
            taken = falling[down >> 6] >> np.uint64(down & 63) | rising[up >> 6] >> np.uint64(up & 63)
            if not taken & np.uint64(1):
                place = k
                break
        if place < 0:
            rng[0] = before  # the tries are made again, with counts
            reached = column
            break
        count -= 1
        free[place] = free[count]
        board.rows[column] = row
        falling[down >> 6] |= np.uint64(1) << np.uint64(down & 63)
        rising[up >> 6] |= np.uint64(1) << np.uint64(up & 63)
    board.sizes[FREE_ROWS] = count
    return reached


@compiled
def count_diagonals(board: Board, first: int, end: int) -> None:
    n = len(board.rows)
    for column in range(first, end):
        row = int(board.rows[column])
        board.falling[row + column] += 1
        board.rising[row - column + n - 1] += 1


@compiled
def place_greedily(board: Board, first: int, end: int, rng: Any) -> None:
    """Put a queen into each of these columns, in a free row where none attacks it, any of these rows alike.

    Where there is none, a row is taken where it is attacked least, and the queen is listed. `in_row` counts one queen
    in every row, free or not, until it is needed, so as not to touch one more place in memory for every queen.
    """
    n = len(board.rows)
    free, in_row, falling, rising = board.free, board.in_row, board.falling, board.rising
    count = int(board.sizes[FREE_ROWS])
    for column in range(first, end):
        place, row = -1, 0
        for _ in range(MANY_TRIES):
            k = random_below(rng, count)
            row = int(free[k])
            if falling[row + column] == 0 and rising[row - column + n - 1] == 0:
                place = k
                break
        if place < 0:
            found = 0
            for k in range(count):
                row = int(free[k])
                in_row[row] = 0
                if falling[row + column] == 0 and rising[row - column + n - 1] == 0:
                    found += 1
                    if random_below(rng, found) == 0:
                        place = k
            if found > 0:
                row = int(free[place])
            else:
                row = least_attacked(board, column, 1, rng)
                board.listed[board.sizes[LISTED]] = column
                board.sizes[LISTED] += 1
                if in_row[row] == 0:
                    for k in range(count):
                        if free[k] == row:
                            place = k
                else:
                    in_row[row] += 1
            for k in range(count):
                in_row[free[k]] = 1
        if place >= 0:
            count -= 1
            free[place] = free[count]
        board.rows[column] = row
        falling[row + column] += 1
        rising[row - column + n - 1] += 1
    board.sizes[FREE_ROWS] = count


@compiled
def complete_greedy_start(board: Board) -> None:
    """After a greedy start: of two queens that attack each other, the later one is listed; list the others too."""
    for k in range(board.sizes[FREE_ROWS]):
        board.in_row[board.free[k]] = 0
    for k in range(board.sizes[LISTED]):
        board.is_listed[board.listed[k]] = True
    for k in range(board.sizes[LISTED]):
        column = int(board.listed[k])
        list_victims(board, column, int(board.rows[column]))


@compiled
def count_queens(board: Board, first: int, end: int) -> None:
    for column in range(first, end):
        change_counts(board, column, int(board.rows[column]), 1)


@compiled
def list_free_rows(board: Board) -> None:
    count = 0
    for row in range(len(board.rows)):
        if board.in_row[row] == 0:
            board.free[count] = row
            count += 1
    board.sizes[FREE_ROWS] = count


@compiled
def note_places(board: Board) -> None:
    for k in range(board.sizes[FREE_ROWS]):
        board.place[board.free[k]] = k


@compiled
def list_attacked(board: Board, first: int, end: int) -> None:
    for column in range(first, end):
        if under_attack(board, column):
            board.is_listed[column] = True
            board.listed[board.sizes[LISTED]] = column
            board.sizes[LISTED] += 1


@compiled
def random_rows(board: Board, first: int, end: int, rng: Any) -> None:
    for column in range(first, end):
        board.rows[column] = random_below(rng, len(board.rows))
