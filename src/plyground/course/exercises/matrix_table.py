"""Tables of small games for exercises: drawn without best responses, which would be half of the answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from plyground.course.exercises.dice import Dice
from plyground.course.exercises.hot_spots import STYLE, hot_spot
from plyground.course.exercises.numbers import number_words
from plyground.pictures.lettering import escaped
from plyground.subjects.matrix.matrix_game import MatrixGame

__all__ = ["STYLE", "random_tables", "table_game", "table_svg"]

CELL, HIGH, LABEL, TOP = 92, 54, 58, 64
LETTERS = {"rows": "abcdef", "columns": "uvwxyz"}


def random_tables(dice: Dice, rows: int, columns: int, high: int = 9) -> list[list[list[int]]]:
    """What both players get in each cell, from 0 to `high`."""
    return [[[dice.between(0, high), dice.between(0, high)] for _ in range(columns)] for _ in range(rows)]


def table_game(data: Mapping[str, Any]) -> MatrixGame:
    """The game of an exercise; rows are called a, b, c and columns u, v, w."""
    cells = data["cells"]
    first, second = (tuple(tuple(Fraction(cell[player]) for cell in row) for row in cells) for player in (0, 1))
    return MatrixGame(first, second, tuple(LETTERS["rows"][: len(cells)]), tuple(LETTERS["columns"][: len(cells[0])]))


def table_svg(
    game: MatrixGame,
    words: Mapping[str, str],
    spots: Sequence[tuple[str, str]] = (),
    marked: Collection[str] = (),
) -> str:
    """The table, "first, second" in each cell; `spots` are the items that can be marked, as (key, label).

    Keys are ``row-0``, ``column-2`` for a strategy, ``cell-0-2`` for an outcome.
    """
    rows, columns = game.shape
    width, height = LABEL + 24 + columns * CELL + 8, TOP + rows * HIGH + 8
    left = LABEL + 24
    label = escaped(words["table"])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{label}">',
        f'<text class="exercise-side" x="{left + columns * CELL / 2:g}" y="18">{escaped(words["columns"])}</text>',
        f'<text class="exercise-side" transform="translate(16 {TOP + rows * HIGH / 2:g}) rotate(-90)">'
        f"{escaped(words['rows'])}</text>",
    ]
    for j, name in enumerate(game.columns):
        parts.append(f'<text class="exercise-name" x="{left + (j + 0.5) * CELL:g}" y="{TOP - 14}">{name}</text>')
    for i, name in enumerate(game.rows):
        parts.append(f'<text class="exercise-name" x="{left - 24}" y="{TOP + (i + 0.5) * HIGH + 6:g}">{name}</text>')
        for j in range(columns):
            x, y = left + j * CELL, TOP + i * HIGH
            pair = f"{number_words(game.first[i][j])}, {number_words(game.second[i][j])}"
            parts.append(f'<rect class="exercise-cell" x="{x}" y="{y}" width="{CELL}" height="{HIGH}"/>')
            parts.append(f'<text class="exercise-number" x="{x + CELL / 2:g}" y="{y + HIGH / 2 + 6:g}">{pair}</text>')
    for key, spoken in spots:
        kind, *places = key.split("-")
        if kind == "cell":
            i, j = map(int, places)
            box = (left + j * CELL + 5, TOP + i * HIGH + 5, CELL - 10, HIGH - 10)
        elif kind == "row":
            box = (left - 46, TOP + int(places[0]) * HIGH + 8, 42, HIGH - 16)
        else:
            box = (left + int(places[0]) * CELL + 16, TOP - 38, CELL - 32, 34)
        parts.append(hot_spot(key, spoken, *box, marked=key in marked))
    return "".join(parts) + "</svg>"
