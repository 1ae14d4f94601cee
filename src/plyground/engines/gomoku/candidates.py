"""Which moves are worth a look: forced answers, moves near stones, the most promising first."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.engines.gomoku.board import EDGE, EMPTY, STEPS
from plyground.engines.gomoku.memory import FIRST, MARGIN, STRIDE
from plyground.engines.gomoku.shapes import FOUR, FOUR_THREE, MAKES_FOUR, UNSTOPPABLE
from plyground.native.compiling import compiled

__all__ = ["answers", "bring_best", "cells_of_kind", "first_of_kind", "near_moves"]

KIND_ORDER = np.array([0, 0, 10, 40, 120, 400, 260, 1500, 5000, 20000], np.int64)
"""What a cell's kind adds to the order of moves, for the side to move; for the other side it is half of that."""


@compiled
def first_of_kind(memory: Any, side: int, kind: int) -> int:
    """An empty cell that is of this kind to a side; 0 if there is none."""
    for row in range(memory.rows):
        start = FIRST + row * STRIDE
        for cell in range(start, start + memory.columns):
            if memory.cell[cell] == EMPTY and memory.kind[side, cell] == kind:
                return cell
    return 0


@compiled
def cells_of_kind(memory: Any, ply: int, count: int, side: int, least: int, most: int) -> int:
    """Add the empty cells of these kinds to the list of a ply, which has `count` already; returns how many it has."""
    moves = memory.move[ply]
    for row in range(memory.rows):
        start = FIRST + row * STRIDE
        for cell in range(start, start + memory.columns):
            if memory.cell[cell] == EMPTY and least <= memory.kind[side, cell] <= most:
                moves[count] = cell
                memory.order[ply, count] = memory.worth[side, cell]
                count += 1
    return count


@compiled
def answers_to(memory: Any, cell: int, threat: int, attacker: int) -> bool:
    """Whether a stone on `cell` may stop what the attacker would make on the cell `threat`: it stands on one of the
    lines in which that would be a four."""
    if cell == threat:
        return True
    for direction in range(4):
        if memory.shapes[attacker, threat] >> 4 * direction & 15 >= FOUR:
            for sign in (-1, 1):
                for distance in range(1, MARGIN + 1):
                    other = threat + sign * distance * STEPS[direction]
                    if memory.cell[other] == EDGE:
                        break
                    if other == cell:
                        return True
    return False


@compiled
def answers(memory: Any, ply: int) -> int:
    """List the moves that may stop an open four, or two fours at once, that the other side threatens to make.

    Whatever is not listed loses: it stands on no line that matters, and makes no four. There may be none.
    """
    side = memory.side
    other = 1 - side
    moves = memory.move[ply]
    count, threats = 0, 0
    for row in range(memory.rows):
        start = FIRST + row * STRIDE
        for threat in range(start, start + memory.columns):
            if memory.cell[threat] != EMPTY or memory.kind[other, threat] != UNSTOPPABLE:
                continue
            threats += 1
            if threats == 1:
                count = line_cells(memory, ply, threat, other)
            else:
                kept = 0
                for i in range(count):
                    cell: Any = np.int64(moves[i])
                    if answers_to(memory, cell, threat, other):
                        moves[kept] = moves[i]
                        kept += 1
                count = kept
    for i in range(count):
        cell = moves[i]
        memory.order[ply, i] = memory.worth[side, cell] + memory.worth[other, cell]
    defences = count
    count = cells_of_kind(memory, ply, count, side, int(MAKES_FOUR), int(FOUR_THREE))
    kept = defences
    for i in range(defences, count):
        twice = False
        for j in range(defences):
            twice = twice or moves[i] == moves[j]
        if not twice:
            moves[kept], memory.order[ply, kept] = moves[i], memory.order[ply, i]
            kept += 1
    return kept


@compiled
def line_cells(memory: Any, ply: int, threat: int, attacker: int) -> int:
    """List the empty cells on the lines in which a stone of the attacker on `threat` would be a four, and that cell."""
    moves = memory.move[ply]
    moves[0] = threat
    count = 1
    for direction in range(4):
        if memory.shapes[attacker, threat] >> 4 * direction & 15 >= FOUR:
            for sign in (-1, 1):
                for distance in range(1, MARGIN + 1):
                    other = threat + sign * distance * STEPS[direction]
                    if memory.cell[other] == EDGE:
                        break
                    if memory.cell[other] == EMPTY:
                        moves[count] = other
                        count += 1
    return count


@compiled
def near_moves(memory: Any, ply: int, expected: int) -> int:
    """List the empty cells at most two cells away from a stone, with what orders them; `expected` comes first."""
    side = memory.side
    other = 1 - side
    moves, order = memory.move[ply], memory.order[ply]
    count = 0
    for row in range(memory.rows):
        start = FIRST + row * STRIDE
        for cell in range(start, start + memory.columns):
            if memory.cell[cell] == EMPTY and memory.near[cell] > 0:
                value = 2 * memory.worth[side, cell] + 2 * KIND_ORDER[memory.kind[side, cell]]
                value += memory.worth[other, cell] + KIND_ORDER[memory.kind[other, cell]]
                value += memory.history[side, cell]
                moves[count] = cell
                order[count] = 1 << 30 if cell == expected else value
                count += 1
    return count


@compiled
def bring_best(memory: Any, ply: int, first: int, count: int) -> int:
    """Bring the most promising of the moves from `first` on to that place; returns it."""
    moves, order = memory.move[ply], memory.order[ply]
    best = first
    for i in range(first + 1, count):
        if order[i] > order[best]:
            best = i
    moves[first], moves[best] = moves[best], moves[first]
    order[first], order[best] = order[best], order[first]
    return np.int64(moves[first])  # type: ignore[return-value]
