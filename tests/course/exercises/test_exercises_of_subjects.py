"""Exercises on boards, caves and tables, against everything tried out by slow code that shares nothing with ours."""

from __future__ import annotations

import itertools

import nashpy
import numpy as np
import pytest
from scipy.optimize import linprog

from plyground.course.exercises.exercise import LEVELS
from plyground.course.exercises.kinds import answer_key, ask, judge, make_exercise

CASES = list(itertools.product(LEVELS, range(8)))


def found(exercise, given):
    return {verdict.found for verdict in judge(exercise, given)}


def all_marks(exercise):
    return [item.key for item in ask(exercise).items if item.form == "mark"]


# Queens ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "number"), CASES)
def test_min_conflicts_moves_where_the_fewest_attack(level, number):
    exercise = make_exercise("min_conflicts", level, number)
    rows, column = exercise.data["rows"], exercise.data["column"]
    n = len(rows)
    board = np.zeros((n, n), bool)
    for other, row in enumerate(rows):
        board[row, other] = other != column

    def attackers(row):
        """Look along all eight directions: one behind another counts too, for it attacks once the first has gone."""
        total = 0
        for down, right in itertools.product((-1, 0, 1), repeat=2):
            r, c = row + down, column + right
            while (down or right) and 0 <= r < n and 0 <= c < n:
                total += board[r, c]
                r, c = r + down, c + right
        return int(total)

    counts = [attackers(row) for row in range(n)]
    given = {f"row-{row}": str(count) for row, count in enumerate(counts)}
    assert counts[rows[column]] > min(counts)
    for row in range(n):
        verdicts = judge(exercise, given | {"pick": str(row)})
        assert [verdict.found for verdict in verdicts[:-1]] == ["right"] * n
        assert verdicts[-1].found == ("right" if counts[row] == min(counts) else "wrong")
    assert found(exercise, {key: str(int(value) + 1) for key, value in given.items()}) == {"wrong", "missing"}


# Wumpus ---------------------------------------------------------------------------------------------------------------


def safe_squares(data):
    """Squares in which neither a pit nor the wumpus stands in any cave that agrees with what was perceived.

    Pits that touch no visited square change no percept: they are tried out alone, the others all together.
    """
    width, height = data["size"]
    squares = [(x, y) for x in range(1, width + 1) for y in range(1, height + 1)]
    seen = {(x, y): (breeze, stench) for x, y, breeze, stench in data["visited"]}

    def beside(square):
        x, y = square
        return [other for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if other in squares]

    closed = [square for square in squares if square not in seen]
    near = [square for square in closed if any(other in seen for other in beside(square))]
    deadly = set(closed) - set(near)
    for choice in itertools.product((False, True), repeat=len(near)):
        pits = {square for square, pit in zip(near, choice, strict=True) if pit}
        if all(any(other in pits for other in beside(at)) == bool(breeze) for at, (breeze, _) in seen.items()):
            deadly |= pits
    for wumpus in closed:
        if all((wumpus in beside(at)) == bool(stench) for at, (_, stench) in seen.items()):
            deadly.add(wumpus)
    return {square for square in closed if square not in deadly}


@pytest.mark.parametrize(("level", "number"), CASES)
def test_safe_squares_are_safe_in_every_cave_that_agrees(level, number):
    exercise = make_exercise("wumpus", level, number)
    safe = {f"{x}-{y}" for x, y in safe_squares(exercise.data)}
    assert safe
    assert found(exercise, dict.fromkeys(safe, "safe")) == {"right"}
    verdicts = judge(exercise, dict.fromkeys(all_marks(exercise), "safe"))
    assert {verdict.key for verdict in verdicts if verdict.found == "right"} == safe
    assert len(verdicts) == exercise.data["size"][0] * exercise.data["size"][1] - len(exercise.data["visited"])
    assert {verdict.key for verdict in judge(exercise, {}) if verdict.found == "missing"} == safe
    assert all(verdict.reason for verdict in verdicts)


def test_the_picture_of_a_cave_shows_what_was_perceived_and_no_more():
    for level, number in CASES:
        exercise = make_exercise("wumpus", level, number)
        svg = ask(exercise).svg
        visited = exercise.data["visited"]
        assert svg.count('class="wumpus-breeze"') == sum(breeze for _, _, breeze, _ in visited)
        assert svg.count('class="wumpus-stench"') == sum(stench for _, _, _, stench in visited)
        assert svg.count('class="wumpus-visited"') == len(visited)
        for secret in ("wumpus-pit", "wumpus-beast", "wumpus-gold", "wumpus-safe", "exercise-marked", "wumpus-number"):
            assert secret not in svg


def test_squares_are_named_by_what_is_seen_in_any_theme():
    exercise = make_exercise("wumpus", 1, 1)
    asked = {lang: ask(exercise, lang).text for lang in ("en", "zh")}
    assert "light squares" in asked["en"]  # in the dark theme no square is white or grey
    assert not [word for word in ("white", "grey", "白色", "灰色") if word in asked["en"] + asked["zh"]]


# Tables ---------------------------------------------------------------------------------------------------------------


def tables(data):
    cells = np.array(data["cells"], float)
    return cells[..., 0], cells[..., 1]


def dominated(payoffs, strategy):
    """Whether a mixture of the other rows is better in every column: by how much at most, from a linear program."""
    others = [row for row in range(len(payoffs)) if row != strategy]
    if not others:
        return False
    gain = np.hstack([-(payoffs[others] - payoffs[strategy]).T, np.ones((payoffs.shape[1], 1))])
    shares = [[1.0] * len(others) + [0.0]]
    best = linprog([0.0] * len(others) + [-1.0], A_ub=gain, b_ub=np.zeros(len(gain)), A_eq=shares, b_eq=[1.0],
                   bounds=[(0, None)] * len(others) + [(None, None)])  # fmt: skip
    return -best.fun > 1e-9


@pytest.mark.parametrize(("level", "number"), CASES)
def test_dominated_strategies_go_in_any_order(level, number):
    exercise = make_exercise("dominance", level, number)
    first, second = tables(exercise.data)
    rows, columns = list(range(len(first))), list(range(len(first[0])))
    gone = set()
    while True:
        out_rows = [i for i, row in enumerate(rows) if dominated(first[np.ix_(rows, columns)], i)]
        out_columns = [j for j, column in enumerate(columns) if dominated(second[np.ix_(rows, columns)].T, j)]
        if out_columns:  # the last column first: as unlike our order as can be
            gone.add(f"column-{columns.pop(out_columns[-1])}")
        elif out_rows:
            gone.add(f"row-{rows.pop(out_rows[-1])}")
        else:
            break
    assert gone
    assert found(exercise, dict.fromkeys(gone, "out")) == {"right"}
    verdicts = judge(exercise, dict.fromkeys(all_marks(exercise), "out"))
    assert {verdict.key for verdict in verdicts if verdict.found == "right"} == gone


@pytest.mark.parametrize(("level", "number"), CASES)
def test_equilibria_are_those_of_nashpy(level, number):
    exercise = make_exercise("equilibrium", level, number)
    game = nashpy.Game(*tables(exercise.data))
    pure, mixed = set(), []
    for x, y in game.vertex_enumeration():  # its other way loses some to rounding
        if np.isclose(x.max(), 1) and np.isclose(y.max(), 1):
            pure.add(f"cell-{x.argmax()}-{y.argmax()}")
        else:
            mixed.append((x, y))
    given = dict.fromkeys(pure, "nash")
    if exercise.data["mixed"]:
        ((x, y),) = mixed
        given |= {f"share-0-{k}": f"{p:.4f}" for k, p in enumerate(x)} | {
            f"share-1-{k}": f"{q:.2f}" for k, q in enumerate(y)
        }
    assert found(exercise, given) <= {"right"}
    assert len(judge(exercise, given)) == len(given)
    verdicts = judge(exercise, dict.fromkeys(all_marks(exercise), "nash"))
    assert {verdict.key for verdict in verdicts if verdict.found == "right"} == pure
    assert all(("regrets" in verdict.reason and "Nobody" not in verdict.reason) == (verdict.found == "wrong")
               for verdict in verdicts if verdict.key.startswith("cell"))  # fmt: skip


def test_fractions_are_accepted_as_probabilities():
    exercise = make_exercise("equilibrium", 4, 2)
    shares = {item.key: answer.text for item, answer in answer_key(exercise) if item.form == "number"}
    assert any("/" in text for text in shares.values())
    assert found(exercise, shares) == {"right"}


def test_both_languages_ask_for_the_same():
    for kind, level in itertools.product(["min_conflicts", "wumpus", "dominance", "equilibrium"], LEVELS):
        exercise = make_exercise(kind, level, 1)
        assert [item.key for item in ask(exercise, "en").items] == [item.key for item in ask(exercise, "zh").items]
        assert not ask(exercise, "zh").text.isascii()
        assert all(not answer.reason.isascii() for _, answer in answer_key(exercise, "zh"))
