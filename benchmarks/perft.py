"""Reversi perft: leaves a second against OpenSpiel's Othello, and against the same source interpreted.

OpenSpiel has no perft of its own. Its rules are C++, and there are two ways to walk its tree: from Python, where the
last moves are counted and not made, as in `plyground.search.perft`; or by its C++ function `expected_returns`, which
makes them. The first is the faster one in spite of Python, so it is the baseline. Plyground is measured at the depth
of the peer too, because deeper trees have more leaves for each position inside.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.harness import Comparison, Subject, timed
from benchmarks.peers import NO_OPENSPIEL, openspiel
from plyground import Budget, interpreted, make_game
from plyground.errors import PlygroundError
from plyground.search.perft import perft

__all__ = ["comparisons"]

LEAVES = {4: 244, 7: 55_092, 10: 24_571_056}
BASELINE = "OpenSpiel C++ rules driven from Python, depth 7"
START = make_game("reversi").initial


def comparisons() -> Iterator[Comparison]:
    """One table: all subjects from the initial position."""
    subjects = [
        Subject("plyground compiled, depth 10", timed(_compiled_10, 5)),
        Subject("plyground compiled, depth 7", timed(_compiled_7, 1000)),
        Subject("plyground interpreted, depth 4", timed(_interpreted_4, 20)),
    ]
    spiel = openspiel()
    if spiel is not None:
        othello = spiel.load_game("othello").new_initial_state()
        uniform = spiel.UniformPolicy()

        def driven_from_python() -> int:
            return _checked(_count(othello, 7), 7)

        def all_in_cpp() -> int:
            spiel.expected_returns(othello, uniform, 7, False)
            return LEAVES[7]

        subjects += [
            Subject(BASELINE, timed(driven_from_python)),
            Subject("OpenSpiel C++ only (expected_returns), depth 7", timed(all_in_cpp)),
        ]
    yield Comparison("Reversi perft", "leaves", BASELINE, tuple(subjects), () if spiel else (NO_OPENSPIEL,))


def _compiled_10() -> int:
    return _checked(perft(START, 10, 0, Budget()), 10)


def _compiled_7() -> int:
    return _checked(perft(START, 7, 0, Budget()), 7)


def _interpreted_4() -> int:
    with interpreted():
        return _checked(perft(START, 4, 0, Budget()), 4)


def _count(state: Any, depth: int) -> int:
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(_count(state.child(action), depth - 1) for action in actions)


def _checked(leaves: int, depth: int) -> int:
    """The speed of a wrong answer is worth nothing."""
    if leaves != LEAVES[depth]:
        raise PlygroundError(f"Reversi has {LEAVES[depth]:,} leaves at depth {depth}, but {leaves:,} were counted")
    return leaves
