"""Connect Four solved: positions 12 moves into random games, and the standard smaller boards from the start.

Every search goes to the end of the game, and its answer is checked: that of the positions against the other subjects,
that of the boards against the literature (Tromp, https://tromp.github.io/c4/c4.html: all of these are draws).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.harness import Comparison, Subject, timed
from plyground import Game, Limit, actions, make_game, result, terminal
from plyground.errors import PlygroundError
from plyground.native.randomness import random_below, stream
from plyground.search.alphabeta import AlphaBetaVariant
from plyground.search.alphabeta_search import AlphaBetaSearch
from plyground.search.mtdf import mtdf
from plyground.search.pvs import pvs

__all__ = ["comparisons"]

TABLE = 1 << 26
PLIES, POSITIONS = 12, 10
BOARDS = ((4, 4), (5, 4), (5, 5))
ALL = AlphaBetaVariant(table=True, previous=True, killers=True, history=True, by_evaluation=True)
SEARCHES = (("alphabeta", ALL, None), ("pvs", pvs(ALL), None), ("mtdf", ALL, mtdf))


def comparisons() -> Iterator[Comparison]:
    """Positions of the standard board, then smaller boards."""
    game = make_game("connect4")
    positions = [_position(game, seed) for seed in range(POSITIONS)]
    values: dict[int, float] = {}
    yield Comparison(
        f"connect4 7x6: {POSITIONS} positions, {PLIES} moves into random games, solved",
        "positions",
        "alphabeta",
        tuple(Subject(name, timed(_solve(game, positions, values, search))) for name, *search in SEARCHES),
    )
    for columns, rows in BOARDS:
        board = make_game(f"connect4:columns={columns},rows={rows}")
        known = {0: 0.0}
        yield Comparison(
            f"connect4 {columns}x{rows} from the start, solved",
            "boards",
            "alphabeta",
            tuple(Subject(name, timed(_solve(board, [board.initial], known, search))) for name, *search in SEARCHES),
        )


def _position(game: Game, seed: int) -> Any:
    """The position after the first moves of a random game that lasts longer."""
    rng = stream(seed, 12)
    while True:
        state = game.initial
        for _ in range(PLIES):
            options = actions(state)
            if not options:
                break
            state = result(state, options[random_below(rng, len(options))])
        if not terminal(state):
            return state


def _solve(game: Game, states: list[Any], values: dict[int, float], how: list[Any]) -> Callable[[], float]:
    """Each state searched to the end; `values` are those that are known, and become known."""
    variant, root = how
    made: list[AlphaBetaSearch] = []

    def job() -> float:
        if not made:  # in the round that is not measured
            made.append(AlphaBetaSearch(game, variant, table=TABLE, root=root, reuse=False))
        search = made[0]
        for number, state in enumerate(states):
            found = search.search(state, Limit()).value
            if values.setdefault(number, found) != found:
                raise PlygroundError(f"{game.name}: position {number} is worth {values[number]:g}, not {found:g}")
        return len(states)

    return job
