"""Nash equilibria a second against nashpy and Gambit, and zero-sum games of 200x200 against nashpy.

All three list the equilibria of the same random games with whole numbers up to 99; ours and Gambit's are in fractions,
nashpy's in floating point. Nashpy's vertex enumeration is its algorithm that finds them all: its support enumeration
loses some to rounding.
"""

from __future__ import annotations

import importlib
import io
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks.harness import Comparison, Subject, timed
from plyground.subjects.matrix.matrix_game import MatrixGame, zero_sum_game
from plyground.subjects.matrix.supports import support_equilibria
from plyground.subjects.matrix.vertices import vertex_equilibria
from plyground.subjects.matrix.zero_sum import solve_zero_sum

__all__ = ["comparisons"]

BASELINE = "nashpy vertex enumeration"
SOLVER = "nashpy linear program"
SIZES = ((3, 200, 20), (5, 60, 3))
"""Strategies a side, our number of games in a run, the peers' number."""
LARGE = 200
NOTE = "nashpy or pygambit is not installed and its rows are left out; pip install '.[test]' would add them"


def comparisons() -> Iterator[Comparison]:
    """All equilibria of small games, and the value of a large one."""
    nashpy, gambit = _module("nashpy"), _module("pygambit")
    notes = () if nashpy and gambit else (NOTE,)
    for size, ours, theirs in SIZES:
        games = _games(size, ours)
        few = games[:theirs]
        subjects = [
            Subject("plyground vertex enumeration", timed(_each(games, vertex_equilibria))),
            Subject("plyground support enumeration", timed(_each(games, support_equilibria))),
        ]
        if nashpy is not None:
            pairs = [nashpy.Game(*game.arrays) for game in few]
            subjects.append(Subject(BASELINE, timed(_each(pairs, lambda game: list(game.vertex_enumeration())))))
        if gambit is not None:
            solve = gambit.nash.enummixed_solve
            read = [gambit.read_nfg(io.BytesIO(_nfg(game).encode())) for game in few]
            subjects.append(Subject("Gambit vertex enumeration", timed(_each(read, solve))))
        yield Comparison(f"All equilibria of {size}x{size} games", "games", BASELINE, tuple(subjects), notes)
    payoffs = np.random.default_rng(1).integers(-99, 100, (LARGE, LARGE))
    game = zero_sum_game(payoffs.tolist())
    subjects = [Subject("plyground by HiGHS", timed(_each([game], solve_zero_sum)))]
    if nashpy is not None:
        peer = nashpy.Game(payoffs.astype(float))
        subjects.append(Subject(SOLVER, timed(_each([peer], lambda game: game.linear_program()))))
    yield Comparison(f"Zero-sum games of {LARGE}x{LARGE}", "games", SOLVER, tuple(subjects), notes)


def _module(name: str) -> Any | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _each(games: list[Any], solve: Callable[[Any], Any]) -> Callable[[], int]:
    def job() -> int:
        for game in games:
            solve(game)
        return len(games)

    return job


def _games(size: int, count: int) -> list[MatrixGame]:
    chance = random.Random(size)

    def table() -> tuple[tuple[Fraction, ...], ...]:
        return tuple(tuple(Fraction(chance.randint(-99, 99)) for _ in range(size)) for _ in range(size))

    return [MatrixGame(table(), table()) for _ in range(count)]


def _nfg(game: MatrixGame) -> str:
    """The game as Gambit reads it."""
    rows, columns = game.shape
    numbers = " ".join(f"{game.first[i][j]} {game.second[i][j]}" for j in range(columns) for i in range(rows))
    return f'NFG 1 R "x" {{ "a" "b" }} {{ {rows} {columns} }}\n\n{numbers}\n'
