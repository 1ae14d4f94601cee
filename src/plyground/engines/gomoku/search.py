"""Alpha-beta with null windows: quiet moves near stones, forced answers alone where something must be answered.

Values are for the side to move: the difference of what both sides' shapes are worth, or, from `WON` on, a win that is
proven; the sooner, the more. What is lost is proven only as far as the moves that were looked at.
"""

from __future__ import annotations

from typing import Any

from plyground.core.limits import Budget
from plyground.engines.gomoku.board import place, remove
from plyground.engines.gomoku.candidates import answers, bring_best, first_of_kind, near_moves
from plyground.engines.gomoku.fours import win_by_fours
from plyground.engines.gomoku.memory import DEEPEST
from plyground.engines.gomoku.shapes import MAKES_FIVE, MAKES_FOUR, UNSTOPPABLE
from plyground.engines.gomoku.table import AT_LEAST, AT_MOST, EXACT, bound_of, depth_of, find, move_of, store, value_of
from plyground.native.compiling import compiled

__all__ = ["HIGHEST", "INFINITE", "WIN", "WON", "evaluation", "known_line", "look"]

WIN = 30_000
"""The value of a game that is won already; a win in n plies is worth n less."""
WON = 29_000
HIGHEST = 20_000
"""The highest value of a position that is not won."""
INFINITE = 32_000
REDUCED_FROM = 4
"""The number of moves that are searched to the full depth; those that come later, to less."""


@compiled
def evaluation(memory: Any) -> int:
    """What the position is worth to the side to move, by shapes alone."""
    value = memory.value[memory.side] - memory.value[1 - memory.side] + memory.tempo
    return max(-HIGHEST, min(HIGHEST, value))  # type: ignore[no-any-return]


@compiled
def width(depth: int) -> int:
    """How many quiet moves are looked at with this depth left."""
    return 12 if depth <= 2 else 16 if depth <= 4 else 24


@compiled
def look(memory: Any, budget: Budget, alpha: int, beta: int, depth: int, ply: int) -> int:
    """The value of the position if it is inside the window, else a bound; void once the budget is spent."""
    if budget.spend():
        return 0
    side = memory.side
    other = 1 - side
    if memory.count[side, MAKES_FIVE] > 0:
        return WIN - ply - 1
    if memory.count[other, MAKES_FIVE] > 1:
        return ply + 2 - WIN
    if memory.count[other, MAKES_FIVE] == 0 and memory.count[side, UNSTOPPABLE] > 0:
        return WIN - ply - 3
    if memory.stones >= memory.rows * memory.columns - 1:
        return 0  # the last move, or none, and no five in reach of it
    if ply + 2 >= DEEPEST:
        return evaluation(memory)
    if memory.count[other, MAKES_FIVE] == 1:
        forced = first_of_kind(memory, other, int(MAKES_FIVE))
        place(memory, forced)
        value = -look(memory, budget, -beta, -alpha, depth, ply + 1)
        remove(memory, forced)
        return value

    threatened = memory.count[other, UNSTOPPABLE] > 0
    if depth <= 0:
        memory.fours_left = memory.fours_at_leaves
        plies = win_by_fours(memory, budget, ply)
        if plies > 0:
            return WIN - ply - plies
        if not threatened or ply >= memory.horizon:
            return evaluation(memory)
        depth = 1

    key = memory.hash
    data = find(memory, key)
    expected = 0
    if data:
        expected = move_of(data)
        value = value_of(data)
        if value > WON:
            value -= ply
        elif value < -WON:
            value += ply
        if depth_of(data) >= depth:
            bound = bound_of(data)
            if bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha):
                return value

    if threatened:
        count = answers(memory, ply)
        if count == 0:
            return ply + 4 - WIN
        most = count
        for i in range(count):
            if memory.move[ply, i] == expected:
                memory.order[ply, i] = 1 << 30
    else:
        count = near_moves(memory, ply, expected)
        most = min(count, width(depth))
    best, best_move, floor = -INFINITE, 0, alpha
    for i in range(most):
        cell = bring_best(memory, ply, i, count)
        kind = memory.kind[side, cell]
        less = 0
        if not threatened and i >= REDUCED_FROM and depth >= 3 and kind < MAKES_FOUR:
            less = 1 if i < 12 else 2
        place(memory, cell)
        if i == 0:
            value = -look(memory, budget, -beta, -floor, depth - 1, ply + 1)
        else:
            value = -look(memory, budget, -floor - 1, -floor, depth - 1 - less, ply + 1)
            if less > 0 and value > floor:
                value = -look(memory, budget, -floor - 1, -floor, depth - 1, ply + 1)
            if floor < value < beta:
                value = -look(memory, budget, -beta, -floor, depth - 1, ply + 1)
        remove(memory, cell)
        if budget.stopped:
            return 0
        if value > best:
            best, best_move = value, cell
            if value > floor:
                floor = value
                if value >= beta:
                    memory.history[side, cell] = min(400, memory.history[side, cell] + depth * depth)
                    break
    kept = best + ply if best > WON else best - ply if best < -WON else best
    store(memory, key, kept, max(depth, 0), AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST, best_move)
    return best


@compiled
def known_line(memory: Any, out: Any) -> int:
    """Write the moves that the table holds for best from here on; returns how many."""
    length = 0
    while length < len(out):
        side = memory.side
        cell = 0
        if memory.count[side, MAKES_FIVE] > 0:
            cell = first_of_kind(memory, side, int(MAKES_FIVE))
        elif memory.count[1 - side, MAKES_FIVE] > 0:
            cell = first_of_kind(memory, 1 - side, int(MAKES_FIVE))
        elif memory.count[side, UNSTOPPABLE] > 0:
            cell = first_of_kind(memory, side, int(UNSTOPPABLE))
        else:
            data = find(memory, memory.hash)
            cell = move_of(data) if data else 0
        if cell == 0 or memory.cell[cell] != 0:
            break
        five = memory.kind[side, cell] == MAKES_FIVE
        out[length] = cell
        length += 1
        place(memory, cell)
        if five:
            break
    for i in range(length - 1, -1, -1):
        remove(memory, out[i])
    return length
