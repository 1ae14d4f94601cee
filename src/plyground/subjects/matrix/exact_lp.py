"""Linear programs in fractions: the simplex method without rounding.

The tableau holds whole numbers over one common denominator, so that a pivot divides without remainder (Edmonds 1967;
Azulay and Pique 2001). Bland's rule (1977) chooses what enters and leaves: it never goes round in circles.

For programs of up to a few dozen variables, whose answers people want to read as 1/3. The large ones are for HiGHS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from plyground.errors import BadOption

__all__ = ["Optimum", "maximise", "pivot"]


@dataclass(frozen=True)
class Optimum:
    """The largest value, where it is reached, and the prices: what one more of each bound would be worth."""

    value: Fraction
    point: tuple[Fraction, ...]
    prices: tuple[Fraction, ...]


def maximise(
    goal: Sequence[Fraction], rows: Sequence[Sequence[Fraction]], bounds: Sequence[Fraction]
) -> Optimum | None:
    """The largest ``goal . x`` with ``rows x <= bounds`` and ``x >= 0``; None if there is no largest.

    No bound may be negative, so that 0 is a point to start from.

    >>> best = maximise([Fraction(1), Fraction(1)], [[Fraction(2), Fraction(1)], [Fraction(1), Fraction(3)]],
    ...                 [Fraction(1), Fraction(1)])
    >>> [str(number) for number in best.point]
    ['2/5', '1/5']
    """
    if any(bound < 0 for bound in bounds):
        raise BadOption("no bound of the program may be negative")
    count, size = len(rows), len(goal)
    # Each row is multiplied by a number that makes it whole; its slack is then in other units, which the prices undo.
    scales = [
        lcm(bound.denominator, *(value.denominator for value in row)) for row, bound in zip(rows, bounds, strict=True)
    ]
    goal_scale = lcm(1, *(value.denominator for value in goal))
    table = [
        [int(value * scale) for value in row] + [int(other == number) for other in range(count)] + [int(bound * scale)]
        for number, (row, bound, scale) in enumerate(zip(rows, bounds, scales, strict=True))
    ]
    table.append([-int(value * goal_scale) for value in goal] + [0] * (count + 1))
    basis = list(range(size, size + count))
    common = 1
    while True:
        entering = next((column for column in range(size + count) if table[-1][column] < 0), None)
        if entering is None:
            break
        leaving = _leaving(table, basis, entering)
        if leaving is None:
            return None
        common = pivot(table, leaving, entering, common)
        basis[leaving] = entering
    point = [Fraction(0)] * size
    for number, variable in enumerate(basis):
        if variable < size:
            point[variable] = Fraction(table[number][-1], common)
    prices = [Fraction(table[-1][size + number] * scales[number], common * goal_scale) for number in range(count)]
    return Optimum(Fraction(table[-1][-1], common * goal_scale), tuple(point), tuple(prices))


def _leaving(table: list[list[int]], basis: list[int], entering: int) -> int | None:
    best: int | None = None
    for number in range(len(basis)):
        if table[number][entering] > 0:
            if best is None:
                best = number
                continue
            difference = table[number][-1] * table[best][entering] - table[best][-1] * table[number][entering]
            if difference < 0 or (difference == 0 and basis[number] < basis[best]):
                best = number
    return best


def pivot(table: list[list[int]], row: int, column: int, common: int) -> int:
    """Solve a row for a column's variable, in all rows; every number is over the denominator that is returned."""
    one = table[row]
    by = one[column]
    for number, other in enumerate(table):
        if number != row:
            factor = other[column]
            if factor:
                table[number] = [(value * by - factor * mine) // common for value, mine in zip(other, one, strict=True)]
            elif by != common:
                table[number] = [value * by // common for value in other]
    return by
