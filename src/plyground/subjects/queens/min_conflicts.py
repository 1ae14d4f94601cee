"""n queens by min-conflicts: a queen in every column, and the one that is attacked moves where it is attacked least.

    >>> from plyground.subjects.queens.placement import is_solution
    >>> found = solve_queens(8, seed=7)
    >>> found.solved, is_solution(found.rows)
    (True, True)

Minton, Johnston, Philips and Laird, "Minimizing conflicts: a heuristic repair method for constraint satisfaction and
scheduling problems", 1992. How a step stays cheap however large the board is, `plyground.subjects.queens.board` says.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from plyground.errors import BadOption
from plyground.native.randomness import fresh_seed, stream
from plyground.subjects.queens import starts
from plyground.subjects.queens.board import FREE_ROWS, LAST, LISTED, new_board
from plyground.subjects.queens.placement import NO_SOLUTION, Queens, Rows, check_size
from plyground.subjects.queens.repair import repair

__all__ = ["CHOICES", "STARTS", "Method", "MinConflicts", "solve_queens", "watch_queens"]

STARTS = ("greedy", "permutation", "random")
CHOICES = ("random", "first")
MOST_ON_A_LINE = 120
"""Counts are kept in bytes, for speed: far more than any start of ours ever has on one row or diagonal."""
PORTION = 1_000_000
"""Columns between two looks at the keyboard, about."""
WORK = 50_000_000
"""Squares that the steps between two looks at the keyboard look at, at the most."""


@dataclass(frozen=True)
class Method:
    """How queens are placed and moved.

    `start` is "greedy" (column after column, each queen where it is attacked least), "permutation" (a random one, so
    that no row has two queens) or "random" (every queen in any row). `choice` is which queen under attack moves:
    a "random" one, or the "first", that of the lowest column. With probability `walk` it moves to any row instead of
    the best. A queen may not return within `tabu` steps to a row it has left, unless nothing attacks it there.
    After `restart` steps without a solution the search restarts; 0 means never, and None what suits the size.
    """

    start: str = "greedy"
    choice: str = "random"
    walk: float = 0.0
    tabu: int = 0
    restart: int | None = None

    def __post_init__(self) -> None:
        if self.start not in STARTS:
            raise BadOption(f"start is one of {', '.join(STARTS)}, not '{self.start}'")
        if self.choice not in CHOICES:
            raise BadOption(f"choice is one of {', '.join(CHOICES)}, not '{self.choice}'")
        if not 0 <= self.walk <= 1:
            raise BadOption(f"walk is a probability from 0 to 1, not {self.walk:g}")
        if not 0 <= self.tabu <= 10_000:
            raise BadOption(f"tabu is a number of steps from 0 to 10,000, not {self.tabu}")
        if self.restart is not None and self.restart < 0:
            raise BadOption(f"restart is a number of steps, or 0 for never, not {self.restart}")

    def steps_before_restart(self, n: int) -> int:
        """After how many steps the search restarts; 0 for never."""
        return 200 + 4 * n if self.restart is None else self.restart


USUAL = Method()


class MinConflicts:
    """One search on one board, in portions; `begin` puts the queens on it, and `run` moves them."""

    def __init__(self, n: int, method: Method = USUAL, seed: int = 0) -> None:
        self.n, self.method, self.seed = check_size(n), method, seed
        if n < 1:
            raise BadOption("a board without queens has nothing to search")
        self.steps = self.all_steps = self.restarts = 0
        self.solved = False
        self._rng = stream(seed)
        self._board = new_board(n, method.tabu)

    @property
    def rows(self) -> Rows:
        """The row of the queen in each column; a copy."""
        return self._board.rows.copy()  # type: ignore[no-any-return]

    @property
    def last_moved(self) -> int:
        """The column of the queen that was moved last."""
        return int(self._board.sizes[LAST])

    @property
    def listed(self) -> int:
        """How many queens are listed as under attack: all that are, right after `begin` no others."""
        return int(self._board.sizes[LISTED])

    def begin(
        self, rows: Sequence[int] | None = None, on_progress: Callable[[float], None] = lambda part: None
    ) -> None:
        """Put all queens on the board: these, or those of the method's start."""
        board, n, rng = self._board, self.n, self._rng
        for counts in (board.in_row, board.falling, board.rising, board.is_listed, board.sizes):
            counts.fill(0)
        self.steps, self.solved = 0, False
        if rows is None and self.method.start == "greedy":
            self._begin_greedily(on_progress)
        else:
            if rows is not None:
                board.rows[:] = _checked_rows(rows, n)
            elif self.method.start == "random":
                for first, end in _portions(n, n // PORTION + 1):
                    starts.random_rows(board, first, end, rng)
            else:
                board.rows[:] = np.arange(n, dtype=np.int32)
                for first, end in _portions(n, n // PORTION + 1):
                    starts.shuffle(board.rows, n - 1 - first, n - end, rng)
            for first, end in _portions(n, n // PORTION + 1):
                starts.count_queens(board, first, end)
                on_progress(0.5 * end / n)
            starts.list_free_rows(board)
            for first, end in _portions(n, n // PORTION + 1):
                starts.list_attacked(board, first, end)
                on_progress(0.5 + 0.5 * end / n)
        starts.note_places(board)

    def _begin_greedily(self, on_progress: Callable[[float], None]) -> None:
        board, n = self._board, self.n
        board.free[:] = np.arange(n, dtype=np.int32)
        board.in_row.fill(1)
        board.sizes[FREE_ROWS] = n
        falling, rising = np.zeros((2, (2 * n + 63) // 64), np.uint64)
        reached = 0
        for first, end in _portions(n, n // PORTION + 1):
            reached = starts.place_by_bits(board, falling, rising, first, end, self._rng)
            on_progress(0.7 * end / n)
            if reached < end:
                break
        for first, end in _portions(reached, reached // PORTION + 1):
            starts.count_diagonals(board, first, end)
            on_progress(0.7 + 0.3 * end / n)
        starts.place_greedily(board, reached, n, self._rng)
        starts.complete_greedy_start(board)

    def run(self, steps: int) -> bool:
        """Make this many steps, or fewer if that solves it; True if it is solved."""
        method = self.method
        made, self.solved = repair(
            self._board, method.choice == "first", float(method.walk), method.tabu, steps, self._rng
        )
        self.steps += made
        self.all_steps += made
        return bool(self.solved)


def _portions(n: int, count: int) -> Iterator[tuple[int, int]]:
    """The numbers from 0 to n-1 in this many parts of nearly the same size: first and end of each."""
    for number in range(count):
        yield n * number // count, n * (number + 1) // count


def _checked_rows(rows: Sequence[int], n: int) -> Rows:
    given = np.asarray(rows)
    if given.shape != (n,) or given.dtype.kind not in "iu" or (n and (given.min() < 0 or given.max() >= n)):
        raise BadOption(f"{n} queens need {n} rows from 0 to {n - 1}, one for each column")
    columns = np.arange(n)
    lines = (given, given + columns, given - columns + n - 1)
    if n > MOST_ON_A_LINE and max(np.bincount(line).max() for line in lines) > MOST_ON_A_LINE:
        raise BadOption(f"more than {MOST_ON_A_LINE} queens stand on one line; spread them out")
    return given.astype(np.int32)


def solve_queens(
    n: int,
    method: Method = USUAL,
    *,
    seed: int | None = None,
    max_steps: int | None = None,
    on_progress: Callable[[float], None] = lambda part: None,
) -> Queens:
    """Place n queens so that none attacks another, by min-conflicts; or stop after `max_steps` steps.

    The same seed gives the same queens. On boards without a solution the answer comes at once. `on_progress` receives
    the part of the start that is done.
    """
    n, seed = check_size(n), fresh_seed() if seed is None else seed
    if max_steps is not None and max_steps < 0:
        raise BadOption(f"max_steps is a number of steps, not {max_steps}")
    if n == 0 or n in NO_SOLUTION:
        return Queens(n, seed, np.zeros(0, np.int32) if n == 0 else None)
    _compile()
    begun = clock.perf_counter()
    search = MinConflicts(n, method, seed)
    attacked = -1
    portion, patience = max(64, WORK // n), method.steps_before_restart(n)
    most = max_steps if max_steps is not None else 1 << 62
    while True:
        search.begin(on_progress=on_progress)
        attacked = search.listed if attacked < 0 else attacked
        while True:
            wanted = min(portion, most - search.all_steps, (patience or 1 << 62) - search.steps)
            if search.run(wanted) or search.all_steps >= most or (patience and search.steps >= patience):
                break
        if search.solved or search.all_steps >= most:
            break
        search.restarts += 1
    rows = search.rows if search.solved else None
    seconds = clock.perf_counter() - begun
    return Queens(n, seed, rows, search.steps, search.all_steps, search.restarts, attacked, seconds)


@cache
def _compile() -> None:
    """Compile everything now, so that no clock pays for it; on boards that need all of it."""
    for method in (Method(), Method("random", tabu=2)):
        search = MinConflicts(5, method)
        search.begin()
        search.run(1)


def watch_queens(
    n: int, method: Method = USUAL, *, seed: int = 0, rows: Sequence[int] | None = None, max_steps: int = 1000
) -> Iterator[tuple[Rows, int | None]]:
    """The board after the start and after every step, with the column of the queen that was moved, or stays.

    After a start there is no such column. `rows` is a board to begin from. The steps are those of
    `solve_queens` with the same seed.
    """
    search = MinConflicts(n, method, seed)
    search.begin(rows)
    patience = method.steps_before_restart(n)
    yield search.rows, None
    while search.all_steps < max_steps and not search.run(0):
        if patience and search.steps >= patience:
            search.begin()
            search.restarts += 1
            yield search.rows, None
        else:
            search.run(1)
            yield search.rows, search.last_moved
