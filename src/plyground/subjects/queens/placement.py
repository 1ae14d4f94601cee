"""A queen in each column: how many there can be, who attacks whom, and what a way to place them has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BadOption
from plyground.native.compiling import compiled

__all__ = ["NO_SOLUTION", "Queens", "Rows", "attack_counts", "attacked_queens", "check_size", "is_solution"]

MOST_QUEENS = 100_000_000
"""More would need more than 2 GB of memory."""
NO_SOLUTION = (2, 3)
"""The only boards on which the queens cannot be placed."""
Rows = NDArray[np.int32]


@dataclass(frozen=True)
class Queens:
    """What was found. `rows` (n,) has the row of the queen in each column, from 0; it is None without a solution.

    `steps` are the moves of queens after the last start, `all_steps` those after all starts. `attacked` are the queens
    under attack after the first start. `seconds` are without the time to compile.
    """

    n: int
    seed: int
    rows: Rows | None
    steps: int = 0
    all_steps: int = 0
    restarts: int = 0
    attacked: int = 0
    seconds: float = 0.0

    @property
    def solved(self) -> bool:
        """Whether all queens stand so that none attacks another."""
        return self.rows is not None


def check_size(n: Any) -> int:
    """The number of queens, if it is one that can be placed."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer):
        raise BadOption(f"the number of queens is a whole number, not {n!r}")
    if n < 0:
        raise BadOption(f"the number of queens cannot be negative, as {n} is")
    if n > MOST_QUEENS:
        raise BadOption(f"{float(n):.3g} queens are too many; {MOST_QUEENS:,} are possible")
    return int(n)


@compiled
def _all_different(rows: Any, falling: Any, rising: Any, in_row: Any) -> bool:
    n = len(rows)
    for column in range(n):
        row = int(rows[column])
        if in_row[row] or falling[row + column] or rising[row - column + n - 1]:
            return False
        in_row[row] = falling[row + column] = rising[row - column + n - 1] = True
    return True


def is_solution(rows: Any) -> bool:
    """Whether a queen in each column, in these rows, is attacked by none; checked from scratch, in linear time."""
    given = np.asarray(rows, dtype=np.int64) if len(rows) else np.zeros(0, np.int64)
    n = len(given)
    if n == 0:
        return True
    if given.min() < 0 or given.max() >= n:
        return False
    lines = np.zeros(2 * n - 1, np.bool_), np.zeros(2 * n - 1, np.bool_), np.zeros(n, np.bool_)
    return bool(_all_different(given.astype(np.int32), *lines))


def attack_counts(rows: Any, column: int) -> list[int]:
    """For every row, how many of the other queens attack a queen that stands there in this column."""
    given = np.asarray(rows, dtype=np.int64)
    n = len(given)
    others = np.flatnonzero(np.arange(n) != column)
    counts = np.zeros(n, np.int64)
    for other in others:
        row, distance = int(given[other]), abs(int(other) - column)
        for attacked in {row, row - distance, row + distance}:
            if 0 <= attacked < n:
                counts[attacked] += 1
    return [int(count) for count in counts]


def attacked_queens(rows: Any) -> list[int]:
    """The columns whose queens are under attack, in order; in linear time."""
    given = np.asarray(rows, dtype=np.int64)
    columns = np.arange(len(given))
    under = np.zeros(len(given), np.bool_)
    for line in (given, given + columns, given - columns):
        _, which, counts = np.unique(line, return_inverse=True, return_counts=True)
        under |= counts[which] > 1
    return [int(column) for column in np.flatnonzero(under)]
