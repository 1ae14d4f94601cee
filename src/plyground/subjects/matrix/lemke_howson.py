"""The algorithm of Lemke and Howson (1964): from one equilibrium-like point along a path to a Nash equilibrium.

Start with both players doing nothing, a point that has all labels: strategies that are unused, or best responses. Drop
one label, and walk along the only edge on which all others stay; it ends where a label is picked up twice. Drop that
one in the other player's polytope, and so on, until the label dropped first is picked up: an equilibrium. Each of the
labels gives a path, and different paths may lead to different equilibria; there may be more that no path reaches.

The tableaux hold whole numbers, so no step is rounded. In degenerate games several strategies can leave at once; the
lexicographic rule chooses among them as if the payoffs were perturbed a little, so that no path goes round in circles
(von Stengel 2007, section 3.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from plyground.errors import BadOption
from plyground.subjects.matrix.exact_lp import pivot
from plyground.subjects.matrix.matrix_game import Matrix, MatrixGame, Mixed, Profile, transposed, whole

__all__ = ["Path", "lemke_howson", "lemke_howson_all"]


@dataclass(frozen=True)
class Path:
    """The walk from a dropped label: the labels that were picked up, the last one the dropped one, and where it ended.

    Labels 0, 1, ... are the rows, then come the columns.
    """

    dropped: int
    picked: tuple[int, ...]
    equilibrium: Profile


class _Tableau:
    """One player's polytope ``matrix z <= 1, z >= 0``: which variables are basic, in whole numbers.

    Its variables are the labels: `unknowns` are the strategies z mixes, `slacks` one for each row of the matrix.
    """

    def __init__(self, matrix: Matrix, unknowns: list[int], slacks: list[int]) -> None:
        least = min(min(row) for row in matrix)
        scaled = whole(tuple(tuple(value - least + 1 for value in row) for row in matrix))
        self.labels = [*unknowns, *slacks]
        self.unknowns = unknowns
        self.count = len(slacks)
        self.rows = [
            row + [int(place == number) for place in range(self.count)] + [1] for number, row in enumerate(scaled)
        ]
        self.basis = list(slacks)
        self.common = 1

    def enter(self, label: int) -> int:
        """Bring a variable into the basis; which one leaves it."""
        column = self.labels.index(label)
        row = self._leaving(column)
        self.common = pivot(self.rows, row, column, self.common)
        leaving = self.basis[row]
        self.basis[row] = label
        return leaving

    def _leaving(self, column: int) -> int:
        """The row with the smallest right side over its entry; against ties, the same of the slacks' columns."""
        rows = [number for number in range(self.count) if self.rows[number][column] > 0]
        slack = len(self.unknowns)
        for place in (-1, *range(slack, slack + self.count)):
            best = rows[:1]
            for number in rows[1:]:
                one, other = self.rows[number], self.rows[best[0]]
                difference = one[place] * other[column] - other[place] * one[column]
                if difference < 0:
                    best = [number]
                elif difference == 0:
                    best.append(number)
            rows = best
            if len(rows) == 1:
                break
        return rows[0]

    def strategy(self) -> Mixed:
        values = {label: self.rows[number][-1] for number, label in enumerate(self.basis)}
        weights = [values.get(label, 0) for label in self.unknowns]
        return tuple(Fraction(weight, sum(weights)) for weight in weights)


def lemke_howson(game: MatrixGame, dropped: int = 0) -> Path:
    """The equilibrium at the end of the path that begins by dropping a label, a row or, after them, a column.

    >>> from plyground.subjects.matrix.named_games import named_game
    >>> path = lemke_howson(named_game("stag-hunt"), 1)
    >>> path.picked, [[str(p) for p in mixed] for mixed in path.equilibrium]
    ((3, 1), [['0', '1'], ['0', '1']])
    """
    rows, columns = game.shape
    if not 0 <= dropped < rows + columns:
        raise BadOption(f"there is no label {dropped}; they are 0 to {rows + columns - 1}")
    row_labels, column_labels = list(range(rows)), list(range(rows, rows + columns))
    first = _Tableau(transposed(game.utilities[1]), row_labels, column_labels)
    second = _Tableau(game.utilities[0], column_labels, row_labels)
    tableaux = (first, second) if dropped < rows else (second, first)
    entering, turn, picked = dropped, 0, []
    while True:
        entering = tableaux[turn].enter(entering)
        picked.append(entering)
        if entering == dropped:
            return Path(dropped, tuple(picked), (first.strategy(), second.strategy()))
        turn = 1 - turn


def lemke_howson_all(game: MatrixGame) -> list[Path]:
    """The paths of all labels."""
    return [lemke_howson(game, label) for label in range(sum(game.shape))]
