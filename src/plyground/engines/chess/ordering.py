"""Which move to try next: that of the table, captures that win, killers, quiet moves by their history, bad captures.

History is what has become of a move in other positions of this search: it rises when the move cuts and falls when
another one does after it (J. Schaeffer, "The history heuristic and alpha-beta search enhancements in practice", IEEE
Transactions on Pattern Analysis and Machine Intelligence 11, 1989). It is kept for a move by itself, for a move after
each of the moves before it (continuation), and for captures.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.engines.chess.exchange import EMPTY_SQUARE, EXCHANGE_VALUES, exchange_reaches, kind_on
from plyground.games.chess.board import LAST_RANKS, UNDERPROMOTIONS, Board, bit, move_squares
from plyground.native.compiling import compiled

__all__ = [
    "BAD", "BEFORE", "GOOD", "is_noisy", "learn_capture", "learn_quiet", "next_place", "order_noisy", "order_quiet",
    "piece_on_square", "quiet_history", "without_quiet",
]  # fmt: skip

FIRST = 1 << 30
GOOD = 1 << 26
KILLER = 1 << 24
BAD = -(1 << 26)
"""The order of the table's move, of a capture that may win, of a killer, and of a capture that loses."""
MOST_HISTORY = 16_384
BEFORE = 4
"""Rows of `arrived` that come before the root's."""


@compiled
def is_noisy(board: Board, others: Any, action: int) -> bool:
    """Whether a move takes, or makes a queen."""
    if action >= UNDERPROMOTIONS:
        return False
    end = action & 63
    if others & bit(end):
        return True
    return bool(board.pawns & bit(action >> 6)) and (end == board.passant or bool(LAST_RANKS & bit(end)))


@compiled
def piece_on_square(board: Board, action: int) -> int:
    """The piece that moves, and where it goes, as one number."""
    start, end = move_squares(board.turn, action)
    return (board.turn * 6 + kind_on(board, start)) * 64 + end


@compiled
def victim_of(board: Board, start: int, end: int) -> int:
    """The kind that a noisy move takes: a pawn en passant, nothing if a pawn only becomes a queen."""
    kind = kind_on(board, end)
    return 0 if kind == EMPTY_SQUARE and end == board.passant else kind


@compiled
def order_noisy(memory: Any, board: Board, ply: int, count: int, expected: int) -> None:
    """Say in which order to try the noisy moves: the most valuable victim first."""
    moves, order = memory.move[ply], memory.order[ply]
    for i in range(count):
        action = int(moves[i])
        if action == expected:
            order[i] = FIRST
            continue
        start, end = action >> 6, action & 63
        kind, victim = kind_on(board, start), victim_of(board, start, end)
        value = 16 * EXCHANGE_VALUES[victim] - EXCHANGE_VALUES[kind] // 64
        if kind == 0 and LAST_RANKS & bit(end):
            value += 16 * EXCHANGE_VALUES[4]
        order[i] = GOOD + value + (memory.capture_history[kind, end, victim] if memory.with_history else 0)


@compiled
def quiet_history(memory: Any, board: Board, ply: int, action: int) -> int:
    """What has become of a quiet move elsewhere."""
    start, end = move_squares(board.turn, action)
    value = np.int64(0)
    if memory.with_history:
        value += memory.history[board.turn, start << 6 | end]
    if memory.with_continuation:
        now = (board.turn * 6 + kind_on(board, start)) * 64 + end
        for back in range(2):
            before = memory.arrived[ply + BEFORE - back]
            if before >= 0:
                value += memory.continuation[before, now]
    return value  # type: ignore[return-value]


@compiled
def order_quiet(memory: Any, board: Board, ply: int, first: int, count: int, expected: int) -> None:
    """Say in which order to try the quiet moves, which stand from `first` on."""
    moves, order = memory.move[ply], memory.order[ply]
    for i in range(first, count):
        action = int(moves[i])
        if action == expected:
            order[i] = FIRST
        elif action >= UNDERPROMOTIONS:
            order[i] = BAD
        elif memory.with_killers and action == memory.killer[ply, 0]:
            order[i] = KILLER + 1
        elif memory.with_killers and action == memory.killer[ply, 1]:
            order[i] = KILLER
        else:
            order[i] = quiet_history(memory, board, ply, action)


@compiled
def next_place(memory: Any, board: Board, ply: int, first: int, count: int) -> int:
    """Bring the best of the moves from `first` on to that place; return its order, less than `GOOD` if it is not noisy.

    A capture is looked at when its turn comes: if it loses material, it waits until the end.
    """
    moves, order = memory.move[ply], memory.order[ply]
    while True:
        # The greatest first, and then where it is: two loops without a branch take half the time of one with.
        best = np.uint64(first)
        value = order[best]
        for i in range(np.uint64(first + 1), np.uint64(count)):
            value = max(value, order[i])
        while order[best] != value:
            best += np.uint64(1)
        action = int(moves[best])
        if GOOD // 2 < value < FIRST and memory.with_exchanges and not exchange_reaches(board, action, 0):
            order[best] = value - GOOD + BAD
            continue
        moves[best], order[best] = moves[first], order[first]
        moves[first], order[first] = action, value
        return value  # type: ignore[no-any-return]


@compiled
def without_quiet(memory: Any, ply: int, first: int, count: int) -> int:
    """Leave only captures of the moves from `first` on, all of which lose material; return how many moves there are."""
    moves, order = memory.move[ply], memory.order[ply]
    kept = first
    for i in range(first, count):
        if order[i] < BAD // 2 and moves[i] < UNDERPROMOTIONS:
            moves[kept], order[kept] = moves[i], order[i]
            kept += 1
    return kept


@compiled
def shifted(value: int, bonus: int) -> int:
    """A value of history after a bonus or a malus: the farther out it is, the less it moves on."""
    return value + bonus - value * abs(bonus) // MOST_HISTORY


@compiled
def learn_quiet(memory: Any, board: Board, ply: int, action: int, bonus: int) -> None:
    """A quiet move has cut, or another one did after it."""
    start, end = move_squares(board.turn, action)
    place = start << 6 | end
    memory.history[board.turn, place] = shifted(int(memory.history[board.turn, place]), bonus)
    now = (board.turn * 6 + kind_on(board, start)) * 64 + end
    for back in range(2):
        before = memory.arrived[ply + BEFORE - back]
        if before >= 0:
            memory.continuation[before, now] = shifted(int(memory.continuation[before, now]), bonus)


@compiled
def learn_capture(memory: Any, board: Board, action: int, bonus: int) -> None:
    """A capture has cut, or another move did after it."""
    start, end = action >> 6, action & 63
    kind, victim = kind_on(board, start), victim_of(board, start, end)
    memory.capture_history[kind, end, victim] = shifted(int(memory.capture_history[kind, end, victim]), bonus)
