"""Wins by fours alone: every move makes a four, every answer is forced, until a five cannot be stopped.

Few moves are fours, and each has one answer, so that such a win is seen a dozen moves ahead in no time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.core.limits import Budget
from plyground.engines.gomoku.board import EDGE, EMPTY, STEPS, place, remove
from plyground.engines.gomoku.candidates import bring_best, cells_of_kind, first_of_kind
from plyground.engines.gomoku.memory import DEEPEST, MARGIN
from plyground.engines.gomoku.shapes import FOUR_THREE, MAKES_FIVE, MAKES_FOUR, UNSTOPPABLE
from plyground.native.compiling import compiled

__all__ = ["completing_cell", "win_by_fours"]

FAILED = 1 << 14
"""How many positions without such a win are remembered; a power of two."""


@compiled
def completing_cell(memory: Any, cell: int, side: int) -> int:
    """A cell near a new stone of a side where it would complete a five; 0 if there is none."""
    for direction in range(4):
        for sign in (-1, 1):
            for distance in range(1, MARGIN + 1):
                other = cell + sign * distance * STEPS[direction]
                if memory.cell[other] == EDGE:
                    break
                if memory.cell[other] == EMPTY and memory.kind[side, other] == MAKES_FIVE:
                    return other
    return 0


@compiled
def win_by_fours(memory: Any, budget: Budget, ply: int) -> int:
    """How many plies the side to move needs to win by fours, counting its own and the answers; 0 if it is not seen.

    Its first move is left in `memory.found`. At most `memory.fours_left` positions are looked at.
    """
    side = memory.side
    other = 1 - side
    if memory.count[side, MAKES_FIVE] > 0:
        memory.found = first_of_kind(memory, side, int(MAKES_FIVE))
        return 1
    forced = 0
    if memory.count[other, MAKES_FIVE] > 0:
        if memory.count[other, MAKES_FIVE] > 1:
            return 0
        forced = first_of_kind(memory, other, int(MAKES_FIVE))
        if memory.kind[side, forced] == UNSTOPPABLE:
            memory.found = forced
            return 3
        if memory.kind[side, forced] < MAKES_FOUR:
            return 0
    elif memory.count[side, UNSTOPPABLE] > 0:
        memory.found = first_of_kind(memory, side, int(UNSTOPPABLE))
        return 3
    elif memory.count[side, MAKES_FOUR] + memory.count[side, FOUR_THREE] == 0:
        return 0
    if ply + 2 >= DEEPEST or memory.fours_left <= 0:
        memory.fours_left = -1  # what is not found was not looked for
        return 0
    slot = np.int64(memory.hash & np.uint64(FAILED - 1))
    if memory.failed[slot] == memory.hash:
        return 0
    if forced:
        memory.move[ply, 0] = forced
        count = 1
    else:
        count = cells_of_kind(memory, ply, 0, side, int(MAKES_FOUR), int(FOUR_THREE))
    for i in range(count):
        cell = forced or bring_best(memory, ply, i, count)
        memory.fours_left -= 1
        if budget.spend():
            return 0
        place(memory, cell)
        answer = completing_cell(memory, cell, side)
        place(memory, answer)
        plies = win_by_fours(memory, budget, ply + 1)
        remove(memory, answer)
        remove(memory, cell)
        if plies > 0:
            memory.found = cell
            return plies + 2
        if memory.fours_left < 0:
            return 0
    if not budget.halted():
        memory.failed[slot] = memory.hash
    return 0
