"""n queens by min-conflicts: a queen in every column, and the one that is attacked moves where it is attacked least.

    >>> found = solve_queens(8, seed=7)
    >>> found.solved, is_solution(found.rows)
    (True, True)

Minton, Johnston, Philips and Laird, "Minimizing conflicts: a heuristic repair method for constraint satisfaction and
scheduling problems", 1992. How a step stays cheap however large the board is:

- How many queens stand in each row and on each diagonal is counted, and a move changes six of these numbers. So the
  attackers of any square are three look-ups.
- A row without attackers is a row without a queen. Those are kept in a list, which is short near the end.
- Queens under attack are kept in a list too. Who is not attacked any more leaves it when it is drawn.
- If every row has attackers, one with a single attacker is found by drawing rows at random. That is the same choice as
  a scan of the column would make, with the same probabilities.

Memory is linear: about 20 bytes a queen.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BadOption
from plyground.native.compiling import compiled, inlined
from plyground.native.randomness import fresh_seed, random_below, random_unit, stream

__all__ = [
    "CHOICES",
    "MOST_QUEENS",
    "NO_SOLUTION",
    "STARTS",
    "Method",
    "MinConflicts",
    "Queens",
    "attack_counts",
    "attacked_queens",
    "check_size",
    "is_solution",
    "solve_queens",
    "watch_queens",
]

MOST_QUEENS = 100_000_000
"""More would need more than 2 GB of memory."""
NO_SOLUTION = (2, 3)
"""The only boards on which the queens cannot be placed."""
STARTS = ("greedy", "permutation", "random")
CHOICES = ("random", "first")

FREE_ROWS, LISTED, TABU_USED, LAST = range(4)
"""What the entries of `Board.sizes` count; the last one is the column of the queen that moved last."""
FEW_ROWS = 24
"""So many free rows are looked at one by one; of more, half as many are drawn at random before that."""
MANY_TRIES = 256
"""Rows drawn at random before the whole column is looked at; a smaller board is looked at whole at once."""
MOST_ON_A_LINE = 120
"""Counts are kept in bytes, for speed: far more than any start of ours ever has on one row or diagonal."""
PORTION = 1_000_000
"""Columns between two looks at the keyboard, about."""
WORK = 50_000_000
"""Squares that the steps between two looks at the keyboard look at, at the most."""
BLOCK = 64
"""Queens that are looked at together when it is asked who stands on a line."""
Rows = NDArray[np.int32]


@dataclass(frozen=True)
class Method:
    """How queens are placed and moved.

    `start` is "greedy" (column after column, each queen where it is attacked least), "permutation" (a random one, so
    that no row has two queens) or "random" (every queen in any row). `choice` is which queen under attack moves:
    a "random" one, or the "first", that of the lowest column. With probability `walk` it moves to any row instead of
    the best. A queen may not return within `tabu` steps to a row it has left, unless nothing attacks it there.
    After `restart` steps without a solution the search starts anew; 0 means never, and None what suits the size.
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
        """After how many steps the search starts anew; 0 for never."""
        return 200 + 4 * n if self.restart is None else self.restart


USUAL = Method()


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


# The board -------------------------------------------------------------------------------------------------------


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


def _new_board(n: int, tabu: int) -> Board:
    def empty(length: int, kind: Any) -> Any:
        return np.empty(length, kind)

    try:
        return Board(
            np.full(n, -n, np.int32), np.zeros(n, np.int8), np.zeros(2 * n - 1, np.int8), np.zeros(2 * n - 1, np.int8),
            empty(n, np.int32), empty(n, np.int32), empty(n, np.int32), np.zeros(n, np.bool_),
            np.full((max(1, tabu), 2), -1, np.int64), np.zeros(4, np.int64),
        )  # fmt: skip
    except MemoryError:
        raise BadOption(f"there is not enough memory for {n:,} queens; take fewer") from None


@inlined
def _attackers(board: Board, column: int, row: int) -> int:
    """How many queens would attack one on this square; it has been lifted if it stands in the column."""
    n = len(board.rows)
    return int(board.in_row[row]) + int(board.falling[row + column]) + int(board.rising[row - column + n - 1])


@inlined
def _under_attack(board: Board, column: int) -> bool:
    n = len(board.rows)
    row = int(board.rows[column])
    lonely = board.in_row[row] == 1 and board.falling[row + column] == 1 and board.rising[row - column + n - 1] == 1
    return not lonely


@inlined
def _count(board: Board, column: int, row: int, change: int) -> None:
    n = len(board.rows)
    board.in_row[row] += change
    board.falling[row + column] += change
    board.rising[row - column + n - 1] += change


# Where to begin --------------------------------------------------------------------------------------------------


@compiled
def _shuffle(items: Any, last: int, first: int, rng: Any) -> None:
    """Part of a random order of the items (Fisher and Yates): the places `last` down to `first`."""
    for i in range(last, first - 1, -1):
        j = random_below(rng, i + 1)
        item = items[i]
        items[i] = items[j]
        items[j] = item


@compiled
def _place_by_bits(board: Board, falling: Any, rising: Any, first: int, end: int, rng: Any) -> int:
    """`_place_greedily` for as long as some tries find a row: the column where they did not, or `end`.

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
def _count_diagonals(board: Board, first: int, end: int) -> None:
    n = len(board.rows)
    for column in range(first, end):
        row = int(board.rows[column])
        board.falling[row + column] += 1
        board.rising[row - column + n - 1] += 1


@compiled
def _place_greedily(board: Board, first: int, end: int, rng: Any) -> None:
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
                row = _least_attacked(board, column, 1, rng)
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
def _complete_greedy_start(board: Board) -> None:
    """After a greedy start: of two queens that attack each other, the later one is listed; list the others too."""
    for k in range(board.sizes[FREE_ROWS]):
        board.in_row[board.free[k]] = 0
    for k in range(board.sizes[LISTED]):
        board.is_listed[board.listed[k]] = True
    for k in range(board.sizes[LISTED]):
        column = int(board.listed[k])
        _list_victims(board, column, int(board.rows[column]))


@compiled
def _count_queens(board: Board, first: int, end: int) -> None:
    for column in range(first, end):
        _count(board, column, int(board.rows[column]), 1)


@compiled
def _list_free_rows(board: Board) -> None:
    count = 0
    for row in range(len(board.rows)):
        if board.in_row[row] == 0:
            board.free[count] = row
            count += 1
    board.sizes[FREE_ROWS] = count


@compiled
def _note_places(board: Board) -> None:
    for k in range(board.sizes[FREE_ROWS]):
        board.place[board.free[k]] = k


@compiled
def _list_attacked(board: Board, first: int, end: int) -> None:
    for column in range(first, end):
        if _under_attack(board, column):
            board.is_listed[column] = True
            board.listed[board.sizes[LISTED]] = column
            board.sizes[LISTED] += 1


# Steps -----------------------------------------------------------------------------------------------------------


@compiled
def _least_attacked(board: Board, column: int, least: int, rng: Any) -> int:
    """A row in which a queen of this column is attacked least, any of the best alike; none has fewer than `least`."""
    n = len(board.rows)
    if n > MANY_TRIES:
        for _ in range(MANY_TRIES):
            row = random_below(rng, n)
            if _attackers(board, column, row) == least and not _is_tabu(board, column, row):
                return row
    best, fewest, count = -1, 1 << 30, 0
    for row in range(n):
        attackers = _attackers(board, column, row)
        if attackers <= fewest and not _is_tabu(board, column, row):
            if attackers < fewest:
                fewest, count = attackers, 0
            count += 1
            if random_below(rng, count) == 0:
                best = row
    return best if best >= 0 else random_below(rng, n)


@inlined
def _is_tabu(board: Board, column: int, row: int) -> bool:
    found = False
    if board.sizes[TABU_USED] > 0:
        for k in range(min(board.sizes[TABU_USED], len(board.tabu))):
            found = found or (board.tabu[k, 0] == column and board.tabu[k, 1] == row)
    return found


@compiled
def _free_of_attack(board: Board, column: int, rng: Any) -> int:
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
def _lift(board: Board, column: int) -> int:
    row = int(board.rows[column])
    _count(board, column, row, -1)
    if board.in_row[row] == 0:
        count = int(board.sizes[FREE_ROWS])
        board.free[count] = row
        board.place[row] = count
        board.sizes[FREE_ROWS] = count + 1
    return row


@inlined
def _put(board: Board, column: int, row: int) -> None:
    if board.in_row[row] == 0:
        count = int(board.sizes[FREE_ROWS]) - 1
        last = board.free[count]
        k = board.place[row]
        board.free[k] = last
        board.place[last] = k
        board.sizes[FREE_ROWS] = count
    board.rows[column] = row
    _count(board, column, row, 1)


@inlined
def _list_column(board: Board, column: int) -> None:
    if not board.is_listed[column]:
        board.is_listed[column] = True
        board.listed[board.sizes[LISTED]] = column
        board.sizes[LISTED] += 1


@compiled
def _list_victims(board: Board, column: int, row: int) -> None:
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
                    _list_column(board, other)


@compiled
def _chosen(board: Board, first: bool, rng: Any) -> int:
    """The queen under attack that is to move, by its column; -1 if there is none. Others leave the list."""
    listed = board.listed
    if not first:
        while board.sizes[LISTED] > 0:
            k = random_below(rng, board.sizes[LISTED])
            column = int(listed[k])
            if _under_attack(board, column):
                return column
            board.is_listed[column] = False
            board.sizes[LISTED] -= 1
            listed[k] = listed[board.sizes[LISTED]]
        return -1
    lowest, kept = -1, 0
    for k in range(board.sizes[LISTED]):
        column = int(listed[k])
        if _under_attack(board, column):
            listed[kept] = column
            kept += 1
            if lowest < 0 or column < lowest:
                lowest = column
        else:
            board.is_listed[column] = False
    board.sizes[LISTED] = kept
    return lowest


@compiled
def _any_under_attack(board: Board) -> bool:
    """Looks only: the search goes on as if nobody had asked."""
    found = False
    for k in range(board.sizes[LISTED]):
        found = found or _under_attack(board, int(board.listed[k]))
    return found


@compiled
def _repair(board: Board, first: bool, walk: float, tenure: int, steps: int, rng: Any) -> tuple[int, bool]:
    """Make at most so many steps. How many were made, and whether no queen is under attack any more."""
    for done in range(steps):
        column = _chosen(board, first, rng)
        if column < 0:
            return done, True
        left = _lift(board, column)
        board.sizes[LAST] = column
        if tenure > 0:
            k = int(board.sizes[TABU_USED]) % tenure
            board.tabu[k, 0] = column
            board.tabu[k, 1] = left
            board.sizes[TABU_USED] += 1
        if walk > 0.0 and random_unit(rng) < walk:
            row = random_below(rng, len(board.rows))
        else:
            row = _free_of_attack(board, column, rng)
            if row < 0:
                row = _least_attacked(board, column, 1, rng)
        attacked = _attackers(board, column, row) > 0
        _put(board, column, row)
        if attacked:
            _list_victims(board, column, row)
    return steps, not _any_under_attack(board)


class MinConflicts:
    """One search on one board, in portions; `begin` puts the queens on it, and `run` moves them."""

    def __init__(self, n: int, method: Method = USUAL, seed: int = 0) -> None:
        self.n, self.method, self.seed = check_size(n), method, seed
        if n < 1:
            raise BadOption("a board without queens has nothing to search")
        self.steps = self.all_steps = self.restarts = 0
        self.solved = False
        self._rng = stream(seed)
        self._board = _new_board(n, method.tabu)

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
                    _random_rows(board, first, end, rng)
            else:
                board.rows[:] = np.arange(n, dtype=np.int32)
                for first, end in _portions(n, n // PORTION + 1):
                    _shuffle(board.rows, n - 1 - first, n - end, rng)
            for first, end in _portions(n, n // PORTION + 1):
                _count_queens(board, first, end)
                on_progress(0.5 * end / n)
            _list_free_rows(board)
            for first, end in _portions(n, n // PORTION + 1):
                _list_attacked(board, first, end)
                on_progress(0.5 + 0.5 * end / n)
        _note_places(board)

    def _begin_greedily(self, on_progress: Callable[[float], None]) -> None:
        board, n = self._board, self.n
        board.free[:] = np.arange(n, dtype=np.int32)
        board.in_row.fill(1)
        board.sizes[FREE_ROWS] = n
        falling, rising = np.zeros((2, (2 * n + 63) // 64), np.uint64)
        reached = 0
        for first, end in _portions(n, n // PORTION + 1):
            reached = _place_by_bits(board, falling, rising, first, end, self._rng)
            on_progress(0.7 * end / n)
            if reached < end:
                break
        for first, end in _portions(reached, reached // PORTION + 1):
            _count_diagonals(board, first, end)
            on_progress(0.7 + 0.3 * end / n)
        _place_greedily(board, reached, n, self._rng)
        _complete_greedy_start(board)

    def run(self, steps: int) -> bool:
        """Make so many steps, or fewer if that solves it; True if it is solved."""
        method = self.method
        made, self.solved = _repair(
            self._board, method.choice == "first", float(method.walk), method.tabu, steps, self._rng
        )
        self.steps += made
        self.all_steps += made
        return bool(self.solved)


@compiled
def _random_rows(board: Board, first: int, end: int, rng: Any) -> None:
    for column in range(first, end):
        board.rows[column] = random_below(rng, len(board.rows))


def _portions(n: int, count: int) -> Iterator[tuple[int, int]]:
    """The numbers from 0 to n-1 in so many parts of nearly the same size: first and end of each."""
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

    The same seed gives the same queens. On boards without a solution the answer comes at once. `on_progress` hears
    which part of the start is done.
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


# Looking at boards -----------------------------------------------------------------------------------------------


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
