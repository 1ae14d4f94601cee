"""What an engine asks of compiled code at the root: its moves, what they are worth, and what is proven of them."""

from __future__ import annotations

from typing import Any

from plyground.core.limits import Budget
from plyground.engines.gomoku.board import place, remove
from plyground.engines.gomoku.candidates import answers, bring_best, first_of_kind, near_moves
from plyground.engines.gomoku.fours import win_by_fours
from plyground.engines.gomoku.search import WIN, evaluation, known_line, look
from plyground.engines.gomoku.shapes import MAKES_FIVE, UNSTOPPABLE
from plyground.engines.gomoku.threats import proof_line, prove_win
from plyground.native.compiling import compiled

__all__ = ["best_line", "fours_line", "root_moves", "static_value", "threats_line", "value_after", "win_proven"]


@compiled
def root_moves(memory: Any, out: Any) -> int:
    """Write the moves that are worth a look, the most promising first; returns how many. None on an empty board.

    Where something must be answered, what is left out loses.
    """
    side = memory.side
    other = 1 - side
    if memory.count[side, MAKES_FIVE] > 0:
        out[0] = first_of_kind(memory, side, int(MAKES_FIVE))
        return 1
    if memory.count[other, MAKES_FIVE] > 0:
        out[0] = first_of_kind(memory, other, int(MAKES_FIVE))
        return 1
    count = 0
    if memory.count[other, UNSTOPPABLE] > 0 and memory.count[side, UNSTOPPABLE] == 0:
        count = answers(memory, 0)
    if count == 0:
        count = near_moves(memory, 0, 0)
    for i in range(count):
        out[i] = bring_best(memory, 0, i, count)
    return count


@compiled
def value_after(memory: Any, budget: Budget, cell: int, alpha: int, beta: int, depth: int) -> int:
    """The value of a move to the side that makes it, if it is inside the window, else a bound."""
    if memory.kind[memory.side, cell] == MAKES_FIVE:
        return WIN - 1
    place(memory, cell)
    value = -look(memory, budget, -beta, -alpha, depth - 1, 1)
    remove(memory, cell)
    return value


@compiled
def win_proven(memory: Any, budget: Budget, cell: int, positions: int) -> int:
    """Whether the side to move wins by threats; or the other one after a move on `cell`, if that is not 0."""
    memory.threats_left = positions
    if cell == 0:
        return prove_win(memory, budget, memory.side)
    place(memory, cell)
    proven = prove_win(memory, budget, memory.side)
    remove(memory, cell)
    return proven


@compiled
def threats_line(memory: Any, cell: int, out: Any) -> int:
    """Write the line of a win that `win_proven` has proven, as far as it is remembered; returns its length."""
    if cell == 0:
        return proof_line(memory, memory.side, out)
    place(memory, cell)
    length = proof_line(memory, memory.side, out)
    remove(memory, cell)
    return length


@compiled
def fours_line(memory: Any, budget: Budget, positions: int, out: Any) -> int:
    """Write the line of a win by fours of the side to move; returns its length, 0 if there is none in sight."""
    length = 0
    while length < len(out):
        memory.fours_left = positions
        if win_by_fours(memory, budget, 0) == 0:
            break
        out[length] = memory.found
        length += 1
        five = memory.kind[memory.side, memory.found] == MAKES_FIVE
        place(memory, memory.found)
        if five or length == len(out):
            break
        attacker = 1 - memory.side
        out[length] = first_of_kind(memory, attacker, int(MAKES_FIVE))
        place(memory, out[length])
        length += 1
    for i in range(length - 1, -1, -1):
        remove(memory, out[i])
    return length


@compiled
def best_line(memory: Any, cell: int, out: Any) -> int:
    """Write what the table holds for best after a move, that move first; returns its length."""
    out[0] = cell
    place(memory, cell)
    length = known_line(memory, out[1:])
    remove(memory, cell)
    return length + 1


@compiled
def static_value(memory: Any) -> int:
    """What the position is worth to the side to move, by shapes alone."""
    return evaluation(memory)
