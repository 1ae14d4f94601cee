"""Fictitious play (Brown 1951): each time, the best response to what the other player has done on average so far.

In zero-sum games the averages converge to optimal strategies (Robinson 1951), slowly: the gap shrinks like 1 / sqrt(t)
as a rule.
"""

from __future__ import annotations

from typing import Any

from plyground.native.compiling import compiled

__all__ = ["play_fictitiously"]


@compiled
def play_fictitiously(
    first: Any, second: Any, rows: Any, columns: Any, row_totals: Any, column_totals: Any, steps: int
) -> None:
    """Play `steps` more steps. `first` and `second` are the utilities, of shape (rows, columns).

    `rows` and `columns` count how often each strategy was played; the totals are what each would have got so far. Both
    are changed. Among equally good strategies the first one is played.
    """
    for _ in range(steps):
        row = 0
        for i in range(1, len(row_totals)):
            if row_totals[i] > row_totals[row]:
                row = i
        column = 0
        for j in range(1, len(column_totals)):
            if column_totals[j] > column_totals[column]:
                column = j
        rows[row] += 1.0
        columns[column] += 1.0
        for i in range(len(row_totals)):
            row_totals[i] += first[i, column]
        for j in range(len(column_totals)):
            column_totals[j] += second[row, j]
