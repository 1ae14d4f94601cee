"""Queens placed by hand: what min-conflicts would do next on a board that somebody else has begun, and why.

A row of -1 is a column without a queen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.errors import BadOption
from plyground.native.randomness import random_below, stream
from plyground.subjects.queens.min_conflicts import MinConflicts
from plyground.subjects.queens.placement import attack_counts, attacked_queens

__all__ = ["Step", "completed", "next_step"]


@dataclass(frozen=True)
class Step:
    """A queen of a column goes to `row`, from `came`, which is -1 if it was not on the board.

    `counts` are the attackers in each row of that column; `under` the columns whose queens are under attack.
    """

    column: int
    row: int
    came: int
    counts: tuple[int, ...]
    under: tuple[int, ...]

    @property
    def best(self) -> tuple[int, ...]:
        """The rows where the fewest attack it."""
        return tuple(row for row, count in enumerate(self.counts) if count == min(self.counts))


def next_step(rows: Sequence[int], seed: int = 0) -> Step | None:
    """The next step of min-conflicts, None if there is nothing left to do.

    While a column is empty it is one of the greedy start: the first such column, where the fewest attack.
    """
    n = len(rows)
    if not n or any(not -1 <= row < n for row in rows):
        raise BadOption(f"each of {n} queens stands in a row from 0 to {n - 1}, or -1 if it is not placed")
    if -1 not in rows:
        under = tuple(attacked_queens(rows))
        if not under:
            return None
        search = MinConflicts(n, seed=seed)
        search.begin(rows)
        search.run(1)
        column = search.last_moved
        return Step(column, int(search.rows[column]), rows[column], tuple(attack_counts(rows, column)), under)
    column = list(rows).index(-1)
    counts = attack_counts([row if row >= 0 else -n for row in rows], column)  # from there no square is attacked
    best = [row for row, count in enumerate(counts) if count == min(counts)]
    row = best[random_below(stream(seed), len(best))]
    return Step(column, row, -1, tuple(counts), ())


def completed(rows: Sequence[int], seed: int = 0) -> list[int]:
    """The board with a queen in every column: those that are missing are placed as the greedy start does."""
    board = list(rows)
    while -1 in board and (step := next_step(board, seed)):
        board[step.column] = step.row
    return board
