"""Your solver. Hand in this file."""

import random

from board import conflicts


def solve(n):
    """Place n queens so that none attacks another: a list of n rows from 0 to n - 1, one for each column."""
    rows = [random.randrange(n) for _ in range(n)]
    # TODO: min-conflicts. While some queen is under attack, take one of them and move it to the row of its column
    # where the fewest others attack it; of equal rows take any. conflicts(rows, column, row) counts the attackers.
    assert conflicts(rows, 0, rows[0]) >= 0
    return rows
