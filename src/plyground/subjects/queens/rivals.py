"""Two other ways to place queens, to compare with min-conflicts: hill climbing, and backtracking with forward checking.

*Hill climbing* looks at every queen and every row and makes the move after which the fewest pairs of queens attack each
other. From a random board of 8 queens it ends in a solution 14% of the time, and with up to 100 sideways moves 94%
(Russell and Norvig, "Artificial Intelligence: A Modern Approach").

*Backtracking* fills column after column. Forward checking takes the squares that a new queen attacks from the columns
still empty, and goes back as soon as one of them has no square left (Haralick and Elliott 1980). With `fewest_first`
the column with the fewest squares left comes next.
"""

from __future__ import annotations

import math
import statistics
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyground.errors import BadOption
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, stream
from plyground.subjects.queens.min_conflicts import Method, solve_queens
from plyground.subjects.queens.placement import NO_SOLUTION, Queens, check_size

__all__ = ["RIVALS", "Measured", "backtrack_queens", "climb_queens", "measure_queens", "sizes_up_to", "solve_with"]

MOST_CLIMBING = 10_000
MOST_BACKTRACKING = 2_000
"""Forward checking keeps a number for every square."""
PORTION = 20_000_000
"""Squares looked at between two looks at the keyboard."""


@compiled
def _climb(rows: Any, in_row: Any, falling: Any, rising: Any, sideways: int, steps: int, rng: Any) -> tuple[int, int]:
    """Moves until a peak is reached, at most `steps` of them and `sideways` in a row that gain nothing.

    Answers how many were made, and how many sideways moves are left; -1 if it stands on a peak.
    """
    n = len(rows)
    for done in range(steps):
        gain, count, chosen, target = -(1 << 30), 0, -1, -1
        for column in range(n):
            row = rows[column]
            now = in_row[row] + falling[row + column] + rising[row - column + n - 1] - 3
            for other in range(n):
                if other != row:
                    then = in_row[other] + falling[other + column] + rising[other - column + n - 1]
                    if now - then > gain:
                        gain, count = now - then, 0
                    if now - then == gain:
                        count += 1
                        if random_below(rng, count) == 0:
                            chosen, target = column, other
        if gain < 0 or (gain == 0 and sideways == 0) or chosen < 0:
            return done, -1
        sideways = sideways - 1 if gain == 0 else sideways
        row = rows[chosen]
        in_row[row] -= 1
        falling[row + chosen] -= 1
        rising[row - chosen + n - 1] -= 1
        rows[chosen] = target
        in_row[target] += 1
        falling[target + chosen] += 1
        rising[target - chosen + n - 1] += 1
    return steps, sideways


def climb_queens(n: int, *, seed: int = 0, sideways: int = 0, max_steps: int = 1 << 62) -> Queens:
    """One climb from a random board to a peak, which may not be a solution; `sideways` moves gain nothing."""
    n = _limited(n, MOST_CLIMBING, "hill climbing")
    if n == 0:
        return Queens(0, seed, np.zeros(0, np.int32))
    rng = stream(seed)
    rows = np.array([random_below(rng, n) for _ in range(n)], dtype=np.int64)
    columns = np.arange(n)
    in_row = np.bincount(rows, minlength=n)
    falling, rising = (np.bincount(line, minlength=2 * n - 1) for line in (rows + columns, rows - columns + n - 1))
    _climb.prepare(rows, in_row, falling, rising, 0, 0, rng)
    begun, steps, left = clock.perf_counter(), 0, sideways
    while left >= 0 and steps < max_steps:
        portion = min(max_steps - steps, max(1, PORTION // (n * n)))
        made, left = _climb(rows, in_row, falling, rising, left, portion, rng)
        steps += made
    solved = all(int(count.max()) <= 1 for count in (in_row, falling, rising))
    found = rows.astype(np.int32) if solved else None
    return Queens(n, seed, found, steps, steps, seconds=clock.perf_counter() - begun)


@compiled
def _backtrack(
    rows: Any, order: Any, attacked: Any, left: Any, next_row: Any, at: int, fewest_first: bool, nodes: int
) -> tuple[int, int, int]:
    """Go on from depth `at` for at most this many placements. Answers the depth, the placements and the steps back.

    `attacked` (columns, rows) counts the queens that attack a square of an empty column, `left` (n,) its free squares.
    """
    n = len(rows)
    placed = back = 0
    while 0 <= at < n and placed < nodes:
        if next_row[at] == 0:
            best = at
            if fewest_first:
                for k in range(at + 1, n):
                    if left[order[k]] < left[order[best]]:
                        best = k
            order[at], order[best] = order[best], order[at]
        column = order[at]
        row = next_row[at]
        while row < n and attacked[column, row] > 0:
            row += 1
        if row == n:
            next_row[at] = 0
            at -= 1
            back += 1
            if at >= 0:
                _check_forward(order, attacked, left, at, rows[order[at]], -1)
            continue
        placed += 1
        next_row[at] = row + 1
        rows[column] = row
        if _check_forward(order, attacked, left, at, row, 1):
            at += 1
        else:
            _check_forward(order, attacked, left, at, row, -1)
    return at, placed, back


@compiled
def _check_forward(order: Any, attacked: Any, left: Any, at: int, row: int, change: int) -> bool:
    """Take the squares that the queen at this depth attacks from the later columns, or give them back.

    False if a column has no square left.
    """
    n = len(order)
    column, possible = order[at], True
    for k in range(at + 1, n):
        other = order[k]
        distance = abs(other - column)
        for attack in range(3):
            target = row + (attack - 1) * distance
            if 0 <= target < n:
                if change > 0:
                    left[other] -= attacked[other, target] == 0
                    attacked[other, target] += 1
                else:
                    attacked[other, target] -= 1
                    left[other] += attacked[other, target] == 0
        possible = possible and left[other] > 0
    return possible


def backtrack_queens(n: int, *, fewest_first: bool = False, max_nodes: int = 10_000_000) -> Queens:
    """Depth-first with forward checking; `steps` are the queens placed, `restarts` the steps back.

    It is complete: without a solution it answers so, unless it stops after `max_nodes` placements.
    """
    n = _limited(n, MOST_BACKTRACKING, "backtracking")
    rows, order = np.zeros(n, np.int64), np.arange(n)
    attacked, left, next_row = np.zeros((n, n), np.int32), np.full(n, n), np.zeros(n, np.int64)
    _backtrack.prepare(rows, order, attacked, left, next_row, 0, fewest_first, 0)
    begun, at, nodes, steps_back = clock.perf_counter(), 0, 0, 0
    while 0 <= at < n and nodes < max_nodes:
        portion = min(max_nodes - nodes, max(1, PORTION // (n * n)))
        at, placed, back = _backtrack(rows, order, attacked, left, next_row, at, fewest_first, portion)
        nodes, steps_back = nodes + placed, steps_back + back
    found = rows.astype(np.int32) if at == n else None
    return Queens(n, 0, found, nodes, nodes, steps_back, seconds=clock.perf_counter() - begun)


def _limited(n: int, most: int, what: str) -> int:
    if check_size(n) > most:
        raise BadOption(f"{what} takes too long for {n:,} queens; at most {most:,} are possible")
    return int(n)


# Comparing -------------------------------------------------------------------------------------------------------

RIVALS: dict[str, str] = {
    "min-conflicts": "greedy start, a random queen under attack moves to the best row",
    "min-conflicts, random start": "the same from a random board",
    "hill climbing": "the best move of all, until none is better",
    "hill climbing, 100 sideways": "the same, with up to 100 moves that gain nothing",
    "backtracking": "column after column, with forward checking",
    "backtracking, fewest first": "the same, the column with the fewest squares left first",
}
"""What can be compared, each with one line about it."""


def solve_with(rival: str, n: int, *, seed: int, patience: int) -> Queens:
    """One attempt by one of the `RIVALS`; `patience` is the number of steps or placements after which it gives up."""
    if rival == "min-conflicts":
        return solve_queens(n, Method(restart=0), seed=seed, max_steps=patience)
    if rival == "min-conflicts, random start":
        return solve_queens(n, Method("random", restart=0), seed=seed, max_steps=patience)
    if rival.startswith("hill climbing"):
        return climb_queens(n, seed=seed, sideways=100 if "sideways" in rival else 0, max_steps=patience)
    if rival.startswith("backtracking"):
        return backtrack_queens(n, fewest_first="fewest" in rival, max_nodes=patience)
    raise BadOption(f"there is no '{rival}'; there are: {', '.join(RIVALS)}")


@dataclass(frozen=True)
class Measured:
    """One way on one size of board: the share of runs that found a solution, with medians over all runs."""

    rival: str
    n: int
    runs: int
    success: float
    steps: float
    seconds: float


def measure_queens(
    sizes: Sequence[int],
    rivals: Sequence[str] = tuple(RIVALS),
    *,
    runs: int = 10,
    seed: int = 0,
    patience: int = 100_000,
    longest: float = 2.0,
    on_progress: Callable[[float], None] = lambda part: None,
) -> list[Measured]:
    """Every way on every size, in rows. A way whose run took `longest` seconds is not tried on larger boards."""
    if runs < 1:
        raise BadOption(f"runs must be at least 1, not {runs}")
    rows = []
    for number, rival in enumerate(rivals):
        for place, n in enumerate(sizes):
            # Backtracking does the same every time.
            seeds = range(seed, seed + (1 if rival.startswith("backtracking") else runs))
            found = []
            for one in seeds:
                found.append(solve_with(rival, n, seed=one, patience=patience))
                if found[-1].seconds > longest:
                    break
            solved = sum(one.solved for one in found) / len(found)
            steps = statistics.median(one.all_steps for one in found)
            seconds = statistics.median(one.seconds for one in found)
            rows.append(Measured(rival, n, len(found), solved, steps, seconds))
            on_progress((number + (place + 1) / len(sizes)) / len(rivals))
            too_large = n >= (MOST_CLIMBING if "climbing" in rival else MOST_BACKTRACKING) // 2
            if found[-1].seconds > longest or (not rival.startswith("min-conflicts") and too_large):
                break
    return rows


def sizes_up_to(n: int) -> list[int]:
    """Sizes that are evenly spread on a logarithmic scale, from 8 to n."""
    if check_size(n) in NO_SOLUTION or n < 4:
        raise BadOption(f"a comparison needs 4 queens or more, not {n}")
    if n <= 8:
        return [n]
    count = max(2, round(3 * math.log10(n / 8)) + 1)
    return sorted({round(8 * (n / 8) ** (k / (count - 1))) for k in range(count)})
