"""Tic-tac-toe: a student's player is asked in every position, and its answers are compared with minimax."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from plyground.course.handins.assignments import ASSIGNMENTS
from plyground.course.handins.marking import Fault, Mark, Measured, Terms, excerpt, fault_of
from plyground.course.handins.student_program import StudentProgram
from plyground.errors import PlayerFailed, ProgramKilled

__all__ = ["POSITIONS", "exact_moves", "lost_game", "mark_tictactoe", "to_ask"]

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
POSITIONS = 4520
"""Positions that can come up in a game, and in which somebody can move."""
BUDGET = 10
"""How many times the time for one answer there is for all of them."""
MOST_FAULTS = 5
"""Faults that are told one by one."""
MOST_FAILURES = 3
"""After this many answers that failed the rest is not asked: each may take its time to the end."""
EMPTY = " " * 9

Board = str
"""Nine signs, X, O or blank, row by row; X moves first."""


def _side(board: Board) -> str:
    return "X" if board.count("X") == board.count("O") else "O"


def _winner(board: Board) -> str:
    return next((board[a] for a, b, c in LINES if board[a] == board[b] == board[c] != " "), "")


def _over(board: Board) -> bool:
    return bool(_winner(board)) or " " not in board


def _after(board: Board, square: int) -> Board:
    return board[:square] + _side(board) + board[square + 1 :]


def _empty(board: Board) -> list[int]:
    return [square for square in range(9) if board[square] == " "]


@cache
def _value(board: Board) -> int:
    """For X, by minimax."""
    if _over(board):
        return {"X": 1, "O": -1, "": 0}[_winner(board)]
    values = [_value(_after(board, square)) for square in _empty(board)]
    return max(values) if _side(board) == "X" else min(values)


def exact_moves(board: Board) -> list[int]:
    """The moves after which the position is worth what it was worth before."""
    return [square for square in _empty(board) if _value(_after(board, square)) == _value(board)]


def to_ask() -> list[Board]:
    """All positions that can come up and in which somebody can move, those with fewer signs first."""
    found: dict[Board, None] = {EMPTY: None}
    for board in (waiting := [EMPTY]):
        for square in _empty(board):
            after = _after(board, square)
            if after not in found and not _over(after):
                found[after] = None
                waiting.append(after)
    return waiting


def lost_game(answers: dict[Board, int], side: str) -> str | None:
    """A game in which the answers, for this side, lose or cannot go on, as squares; None if there is none."""
    waiting: list[tuple[Board, str]] = [(EMPTY, "")]
    seen: set[Board] = set()
    while waiting:
        board, moves = waiting.pop()
        if _over(board):
            if _winner(board) not in ("", side):
                return moves.strip()
            continue
        if board in seen:
            continue
        seen.add(board)
        squares = _empty(board)
        if _side(board) == side:
            answer = answers.get(board, -1)
            if answer not in squares:
                return moves.strip()
            squares = [answer]
        waiting += [(_after(board, square), f"{moves} {square}") for square in reversed(squares)]
    return None


def mark_tictactoe(
    name: str, digest: str, file: Path, terms: Terms, cage: str, on_step: Callable[[], None] = lambda: None
) -> Mark:
    """Ask in every position; what fails three times is not asked on, and neither is what has used up all its time."""
    wanted = ASSIGNMENTS["tictactoe"]
    answers: dict[Board, int] = {}
    faults: list[Fault] = []
    exact = failures = 0
    nodes: int | None = None
    with StudentProgram(
        file, wanted.wanted, given=wanted.folder, timeout=terms.move_time, memory=int(terms.memory * 1e6),
        seed=terms.students_seed, cage=cage,
    ) as program:  # fmt: skip
        end = clock.monotonic() + BUDGET * terms.move_time
        for number, board in enumerate(to_ask()):
            where = {"board": board.replace(" ", ".")}
            if number % 100 == 0:
                on_step()
            try:
                program.start()
            except PlayerFailed as error:
                faults.append(Fault("start", str(error), {}, excerpt(program.last_words)))
                break
            if clock.monotonic() > end:
                program.close()
                faults.append(Fault("all time", f"{BUDGET * terms.move_time:g}", where, excerpt(program.last_words)))
                break
            try:
                answer = program.call(list(board), seconds=max(0.05, end - clock.monotonic()))
            except ProgramKilled:
                raise
            except PlayerFailed as error:
                failures += 1
                faults.append(fault_of(error, where, program.last_words))
                if failures == MOST_FAILURES:
                    break
                continue
            if board == EMPTY:
                nodes = program.nodes
            fault = _fault(board, answer)
            if not fault:
                exact += 1
            elif len(faults) < MOST_FAULTS:
                faults.append(Fault(fault, _squares(exact_moves(board)), {**where, "answer": _shown(answer)}))
            if isinstance(answer, int) and not isinstance(answer, bool):
                answers[board] = answer
    lost = {side: lost_game(answers, side) for side in "XO"}
    facts: dict[str, Any] = {
        "exact": exact,
        "positions": POSITIONS,
        "never_loses": all(game is None for game in lost.values()),
        "nodes": nodes,
    }
    faults += [Fault("loses", game, {"side": side}) for side, game in lost.items() if game is not None and answers]
    used = Measured(program.processor_time, program.longest, program.most_memory)
    return Mark(name, digest, exact / POSITIONS, facts, tuple(faults), used)


def _fault(board: Board, answer: Any) -> str:
    if not isinstance(answer, int) or isinstance(answer, bool) or answer not in _empty(board):
        return "illegal"
    return "" if answer in exact_moves(board) else "not best"


def _shown(answer: Any) -> str:
    return str(answer)[:40]


def _squares(squares: list[int]) -> str:
    return ", ".join(map(str, squares))
