"""n queens by min-conflicts: time against the size of the board, up to ten million, and simpleai on a small one.

The rate is queens a second, so that a line of equal rates is linear time. What is measured is the whole: the start, the
steps, and the check of the solution from scratch.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.harness import Comparison, Subject, timed
from plyground.errors import PlygroundError
from plyground.subjects.queens.min_conflicts import Method, solve_queens
from plyground.subjects.queens.placement import is_solution

__all__ = ["comparisons"]

SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
QUEENS = 2_000_000
"""Queens placed in a repetition, on as many boards of a size as it takes."""
RANDOM_START = 10_000
PEER_SIZE = 40
BASELINE = "simpleai in Python"
NO_SIMPLEAI = "simpleai is not installed and its row is left out; pip install '.[peers]' would add it"


def comparisons() -> Iterator[Comparison]:
    """One table over the sizes, and one against the peer."""
    subjects = [Subject(f"{n:,} queens", timed(_ours(n, Method()), max(1, QUEENS // n))) for n in SIZES]
    subjects.append(Subject(f"{RANDOM_START:,} queens, random start", timed(_ours(RANDOM_START, Method("random")), 20)))
    yield Comparison("From a thousand to ten million", "queens", f"{SIZES[0]:,} queens", tuple(subjects))
    both = [Subject("plyground compiled", timed(_ours(PEER_SIZE, Method()), 500))]
    simpleai = _simpleai()
    if simpleai is not None:
        both.append(Subject(BASELINE, timed(_theirs(simpleai), 1)))
    notes = () if simpleai else (NO_SIMPLEAI,)
    yield Comparison(f"{PEER_SIZE} queens", "queens", BASELINE, tuple(both), notes)


def _ours(n: int, method: Method) -> Callable[[], int]:
    seeds = itertools.count()

    def job() -> int:
        found = solve_queens(n, method, seed=next(seeds))
        if found.rows is None or not is_solution(found.rows):
            raise PlygroundError(f"{n} queens were not placed")  # the speed of a wrong answer is worth nothing
        return n

    return job


def _simpleai() -> Any | None:
    try:
        return importlib.import_module("simpleai.search")
    except ImportError:
        return None


def _theirs(simpleai: Any) -> Callable[[], int]:
    columns = list(range(PEER_SIZE))

    def apart(pair: tuple[int, int], rows: tuple[int, int]) -> bool:
        return rows[0] != rows[1] and abs(rows[0] - rows[1]) != abs(pair[0] - pair[1])

    problem = simpleai.CspProblem(
        columns, dict.fromkeys(columns, columns), [(pair, apart) for pair in itertools.combinations(columns, 2)]
    )

    def job() -> int:
        found = simpleai.min_conflicts(problem)
        if not is_solution([found[column] for column in columns]):
            raise PlygroundError("simpleai did not place the queens")
        return PEER_SIZE

    return job
