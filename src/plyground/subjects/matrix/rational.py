"""Systems of linear equations in whole numbers, solved without rounding (Bareiss 1968)."""

from __future__ import annotations

from fractions import Fraction

from plyground.subjects.matrix.exact_lp import pivot

__all__ = ["solve_exactly"]


def solve_exactly(system: list[list[int]]) -> list[Fraction] | None:
    """The solution of n equations, each a row of n coefficients and the right side; None if it is not the only one.

    >>> [str(x) for x in solve_exactly([[2, 1, 1], [1, 3, 1]])]
    ['2/5', '1/5']
    """
    size = len(system)
    rows = [list(row) for row in system]
    common = 1
    for step in range(size):
        found = next((number for number in range(step, size) if rows[number][step]), None)
        if found is None:
            return None
        rows[step], rows[found] = rows[found], rows[step]
        common = pivot(rows, step, step, common)
    return [Fraction(row[-1], common) for row in rows]
