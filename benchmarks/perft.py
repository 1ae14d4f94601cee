"""Perft of Reversi and chess: leaves a second against other programs, and against the same source interpreted.

OpenSpiel has no perft of its own. Its rules are C++, and there are two ways to walk its tree: from Python, where the
last moves are counted and not made, as in `plyground.search.perft`; or by its C++ function `expected_returns`, which
makes them. The first is the faster one in spite of Python, so it is the baseline. Plyground is measured at the depth
of the peer too, because deeper trees have more leaves for each position inside.

In chess the peer is python-chess, which counts the last moves without making them, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.harness import Comparison, Subject, timed
from benchmarks.peers import NO_OPENSPIEL, NO_PYTHON_CHESS, openspiel, python_chess
from plyground import Budget, interpreted, make_game
from plyground.errors import PlygroundError
from plyground.search.perft import perft

__all__ = ["comparisons"]

LEAVES = {4: 244, 7: 55_092, 10: 24_571_056}
BASELINE = "OpenSpiel C++ rules driven from Python, depth 7"
START = make_game("reversi").initial
CHESS = {
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", {3: 8902, 4: 197_281, 6: 119_060_324}),
    "middle game": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        {2: 2079, 3: 89_890, 5: 164_075_551},
    ),
}
"""Positions with their leaves at a depth for interpreted code, for the peer, and for compiled code."""


def comparisons() -> Iterator[Comparison]:
    """A table for Reversi from the initial position, and one for each position of chess."""
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
    for name, (code, leaves) in CHESS.items():
        yield _chess(name, code, leaves)


def _chess(name: str, code: str, leaves: dict[int, int]) -> Comparison:
    state = make_game(f"chess:fen={code}").initial
    shallow, middle, deep = leaves

    def compiled(depth: int) -> Callable[[], int]:
        return lambda: _same(f"chess, {name}", perft(state, depth, 0, Budget()), leaves[depth], depth)

    def interpreted_shallow() -> int:
        with interpreted():
            return compiled(shallow)()

    baseline = f"python-chess, depth {middle}"
    subjects = [
        Subject(f"plyground compiled, depth {deep}", timed(compiled(deep))),
        Subject(f"plyground compiled, depth {middle}", timed(compiled(middle), 200)),
        Subject(f"plyground interpreted, depth {shallow}", timed(interpreted_shallow)),
    ]
    peer = python_chess()
    if peer is not None:
        board = peer.Board(code)

        def by_peer() -> int:
            return _same(baseline, _count_moves(board, middle), leaves[middle], middle)

        subjects.append(Subject(baseline, timed(by_peer)))
    notes = () if peer else (NO_PYTHON_CHESS,)
    return Comparison(f"Chess perft, {name}", "leaves", baseline, tuple(subjects), notes)


def _count_moves(board: Any, depth: int) -> int:
    if depth == 1:
        return int(board.legal_moves.count())
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += _count_moves(board, depth - 1)
        board.pop()
    return total


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
    return _same("Reversi", leaves, LEAVES[depth], depth)


def _same(what: str, leaves: int, wanted: int, depth: int) -> int:
    """The speed of a wrong answer is worth nothing."""
    if leaves != wanted:
        raise PlygroundError(f"{what} has {wanted:,} leaves at depth {depth}, but {leaves:,} were counted")
    return leaves
