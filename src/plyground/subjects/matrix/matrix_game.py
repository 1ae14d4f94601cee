"""A game of one move: two players choose at the same time, and a table says what each of them gets.

Payoffs are kept as they were written, as fractions. Where they are *costs*, such as years in prison, less is better;
everything that reasons about a game uses *utilities*, of which more is better: the payoffs, or the costs with a minus.

A mixed strategy is a tuple of probabilities, one for each strategy of a player. Rows are player 0, columns player 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BadOption

__all__ = [
    "LARGEST",
    "Floats",
    "Matrix",
    "MatrixGame",
    "Mixed",
    "Profile",
    "expected",
    "number_text",
    "transposed",
    "whole",
    "zero_sum_game",
]

Matrix = tuple[tuple[Fraction, ...], ...]
Mixed = tuple[Fraction, ...]
Profile = tuple[Mixed, Mixed]
"""A mixed strategy of each player."""
Floats = NDArray[np.float64]

LARGEST = 500
"""Strategies of a player."""
LONGEST_FRACTION = 10
"""Characters; numbers that are longer as fractions are written as decimals."""


@dataclass(frozen=True)
class MatrixGame:
    """Two tables of payoffs, as written, of the same shape: `first` is what the player of the rows gets.

    With `costs`, players want less of what is written.
    """

    first: Matrix
    second: Matrix
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    name: str = ""
    players: tuple[str, str] = ("Row", "Column")
    costs: bool = False

    def __post_init__(self) -> None:
        shapes = {(len(matrix), *sorted({len(row) for row in matrix})) for matrix in (self.first, self.second)}
        shape = next(iter(shapes))
        if len(shapes) > 1 or len(shape) != 2 or 0 in shape:
            raise BadOption("the two tables of a game need rows of the same length, and at least one strategy a player")
        if max(shape) > LARGEST:
            raise BadOption(f"a player may have at most {LARGEST} strategies, not {max(shape)}")
        for field, count, word in (("rows", shape[0], "row"), ("columns", shape[1], "column")):
            names = getattr(self, field) or tuple(f"{word} {number + 1}" for number in range(count))
            if len(names) != count or len(set(names)) < count:
                raise BadOption(f"the {field} need {count} different names, not: {', '.join(names)[:80]}")
            object.__setattr__(self, field, names)
        if self.players[0] == self.players[1]:
            raise BadOption(f"the two players need different names, not both '{self.players[0]}'")

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns."""
        return len(self.rows), len(self.columns)

    @cached_property
    def utilities(self) -> tuple[Matrix, Matrix]:
        """What each player wants as much of as possible."""
        if not self.costs:
            return self.first, self.second
        return _negated(self.first), _negated(self.second)

    @cached_property
    def arrays(self) -> tuple[Floats, Floats]:
        """The utilities as numbers, each of shape (rows, columns)."""
        first, second = (np.array([[float(value) for value in row] for row in table]) for table in self.utilities)
        return first, second

    @cached_property
    def constant_sum(self) -> Fraction | None:
        """What the two utilities add up to, if it is the same everywhere; None in a game of general sum."""
        pairs = zip(*self.utilities, strict=True)
        sums = {a + b for row, other in pairs for a, b in zip(row, other, strict=True)}
        return sums.pop() if len(sums) == 1 else None

    @cached_property
    def symmetric(self) -> bool:
        """Whether both players face the same game."""
        return self.shape[0] == self.shape[1] and self.second == transposed(self.first)

    def names(self, player: int) -> tuple[str, ...]:
        """The strategies of a player."""
        return self.columns if player else self.rows

    def written(self, utility: Fraction) -> Fraction:
        """A utility in the numbers of the table: as a cost, where payoffs are costs."""
        return -utility if self.costs else utility


def zero_sum_game(payoffs: Sequence[Sequence[int | Fraction]], name: str = "") -> MatrixGame:
    """The game in which the second player loses what the first one wins.

    >>> zero_sum_game([[1, -1], [-1, 1]]).constant_sum
    Fraction(0, 1)
    """
    first = tuple(tuple(Fraction(value) for value in row) for row in payoffs)
    return MatrixGame(first, _negated(first), name=name)


def expected(matrix: Matrix, x: Mixed, y: Mixed) -> Fraction:
    """What a table pays on average when rows and columns are chosen by these probabilities."""
    return sum((p * q * matrix[i][j] for i, p in enumerate(x) if p for j, q in enumerate(y) if q), start=Fraction(0))


def transposed(matrix: Matrix) -> Matrix:
    """Rows become columns."""
    return tuple(zip(*matrix, strict=True))


def whole(matrix: Matrix) -> list[list[int]]:
    """The table times the least number that makes all of it whole numbers."""
    factor = lcm(*(value.denominator for row in matrix for value in row))
    return [[int(value * factor) for value in row] for row in matrix]


def number_text(value: Fraction | float) -> str:
    """A number for people: a short fraction as such, anything else with four digits.

    >>> number_text(Fraction(-1, 3)), number_text(Fraction(5, 2)), number_text(0.123456)
    ('-1/3', '5/2', '0.1235')
    """
    if isinstance(value, Fraction):
        text = str(value)
        if len(text) <= LONGEST_FRACTION:
            return text
    rounded = f"{float(value):.4f}".rstrip("0").rstrip(".")
    return "0" if rounded == "-0" else rounded


def _negated(matrix: Matrix) -> Matrix:
    return tuple(tuple(-value for value in row) for row in matrix)
