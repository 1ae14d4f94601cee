"""The board of min-conflicts: queens, and counts that a move changes in constant time.

- How many queens stand in each row and on each diagonal is counted, and a move changes six of these numbers. So the
  attackers of any square are three look-ups.
- A row without attackers is a row without a queen. Those are kept in a list, which is short near the end.
- Queens under attack are kept in a list too. One that is not attacked any more leaves it when it is drawn.
- If every row has attackers, one with a single attacker is found by drawing rows at random. That is the same choice as
  a scan of the column would make, with the same probabilities.

Memory is linear: about 20 bytes a queen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plyground.errors import BadOption
from plyground.native.compiling import compiled, inlined
from plyground.native.randomness import random_below

__all__ = [
    "FREE_ROWS",
    "LAST",
    "LISTED",
    "MANY_TRIES",
    "TABU_USED",
    "Board",
    "attackers_at",
    "change_counts",
    "free_of_attack",
    "least_attacked",
    "lift_queen",
    "list_victims",
    "new_board",
    "put_queen",
    "under_attack",
]

FREE_ROWS, LISTED, TABU_USED, LAST = range(4)
"""What the entries of `Board.sizes` count; the last one is the column of the queen that moved last."""
FEW_ROWS = 24
"""This many free rows are looked at one by one; of more, half as many are drawn at random before that."""
MANY_TRIES = 256
"""Rows drawn at random before the whole column is looked at; a smaller board is looked at whole at once."""
BLOCK = 64
"""Queens that are looked at together to find out which stand on a line."""


class Board(NamedTuple):
    """Queens and counts, changed in place. Rows and columns are 0 to n-1; a square is on the rising diagonal
    row - column + n - 1 and on the falling one row + column.

    `rows` (n,) is where each queen stands, `in_row` (n,), `falling` and `rising` (2n-1,) count queens. The first
    `sizes[FREE_ROWS]` entries of `free` are the rows without a queen, and `place` says where in it a free row is. The
    first `sizes[LISTED]` entries of `listed` are columns that include all under attack, each once; `is_listed` says
    which. `tabu` (tenure, 2) are the columns and rows that were left last, of which `sizes[TABU_USED]` were written.
    """

    rows: Any
    in_row: Any
    falling: Any
    rising: Any
    free: Any
    place: Any
    listed: Any
    is_listed: Any
    tabu: Any
    sizes: Any


def new_board(n: int, tabu: int) -> Board:
    try:
        return Board(
            np.full(n, -n, np.int32), np.zeros(n, np.int8), np.zeros(2 * n - 1, np.int8), np.zeros(2 * n - 1, np.int8),
            np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32), np.zeros(n, np.bool_),
            np.full((max(1, tabu), 2), -1, np.int64), np.zeros(4, np.int64),
        )  # fmt: skip
    except MemoryError:
        raise BadOption(f"there is not enough memory for {n:,} queens; take fewer") from None


@inlined
def attackers_at(board: Board, column: int, row: int) -> int:
    """How many queens would attack one on this square; it has been lifted if it stands in the column."""
    n = len(board.rows)
    return int(board.in_row[row]) + int(board.falling[row + column]) + int(board.rising[row - column + n - 1])


@inlined
def under_attack(board: Board, column: int) -> bool:
    n = len(board.rows)
    row = int(board.rows[column])
    lonely = board.in_row[row] == 1 and board.falling[row + column] == 1 and board.rising[row - column + n - 1] == 1
    return not lonely


@inlined
def change_counts(board: Board, column: int, row: int, change: int) -> None:
    n = len(board.rows)
    board.in_row[row] += change
    board.falling[row + column] += change
    board.rising[row - column + n - 1] += change


@compiled
def least_attacked(board: Board, column: int, least: int, rng: Any) -> int:
    """A row in which a queen of this column is attacked least, any of the best alike; none has fewer than `least`."""
    n = len(board.rows)
    if n > MANY_TRIES:
        for _ in range(MANY_TRIES):
            row = random_below(rng, n)
            if attackers_at(board, column, row) == least and not is_tabu(board, column, row):
                return row
    best, fewest, count = -1, 1 << 30, 0
    for row in range(n):
        attackers = attackers_at(board, column, row)
        if attackers <= fewest and not is_tabu(board, column, row):
            if attackers < fewest:
                fewest, count = attackers, 0
            count += 1
            if random_below(rng, count) == 0:
                best = row
    return best if best >= 0 else random_below(rng, n)


@inlined
def is_tabu(board: Board, column: int, row: int) -> bool:
    found = False
    if board.sizes[TABU_USED] > 0:
        for k in range(min(board.sizes[TABU_USED], len(board.tabu))):
            found = found or (board.tabu[k, 0] == column and board.tabu[k, 1] == row)
    return found


@compiled
def free_of_attack(board: Board, column: int, rng: Any) -> int:
    """A row in which nothing attacks a queen of this column, any of them alike; -1 if there is none."""
    n = len(board.rows)
    count = int(board.sizes[FREE_ROWS])
    free, falling, rising = board.free, board.falling, board.rising
    if count > FEW_ROWS:
        for _ in range(count // 2):
            row = int(free[random_below(rng, count)])
            if falling[row + column] == 0 and rising[row - column + n - 1] == 0:
                return row
    found, best = 0, -1
    for k in range(count):
        row = int(free[k])
        if falling[row + column] == 0 and rising[row - column + n - 1] == 0:
            found += 1
            if random_below(rng, found) == 0:
                best = row
    return best


@inlined
def lift_queen(board: Board, column: int) -> int:
    row = int(board.rows[column])
    change_counts(board, column, row, -1)
    if board.in_row[row] == 0:
        count = int(board.sizes[FREE_ROWS])
        board.free[count] = row
        board.place[row] = count
        board.sizes[FREE_ROWS] = count + 1
    return row


@inlined
def put_queen(board: Board, column: int, row: int) -> None:
    if board.in_row[row] == 0:
        count = int(board.sizes[FREE_ROWS]) - 1
        last = board.free[count]
        k = board.place[row]
        board.free[k] = last
        board.place[last] = k
        board.sizes[FREE_ROWS] = count
    board.rows[column] = row
    change_counts(board, column, row, 1)


@inlined
def list_column(board: Board, column: int) -> None:
    if not board.is_listed[column]:
        board.is_listed[column] = True
        board.listed[board.sizes[LISTED]] = column
        board.sizes[LISTED] += 1


@compiled
def list_victims(board: Board, column: int, row: int) -> None:
    """All queens that this one attacks, and itself, are listed: a scan of the queens, a block at a time."""
    n = len(board.rows)
    rows = board.rows
    fall, rise = row + column, row - column
    for first in range(0, n, BLOCK):
        end = min(n, first + BLOCK)
        hit = False
        for other in range(first, end):
            stands = rows[other]
            hit |= (stands == row) | (stands + other == fall) | (stands - other == rise)
        if hit:
            for other in range(first, end):
                stands = rows[other]
                if stands == row or stands + other == fall or stands - other == rise:
                    list_column(board, other)
