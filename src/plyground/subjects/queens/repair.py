"""The steps of min-conflicts: a queen under attack is lifted, and put where it is attacked least."""

from __future__ import annotations

from typing import Any

from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, random_unit
from plyground.subjects.queens.board import (
    LAST,
    LISTED,
    TABU_USED,
    Board,
    attackers_at,
    free_of_attack,
    least_attacked,
    lift_queen,
    list_victims,
    put_queen,
    under_attack,
)

__all__ = ["repair"]


@compiled
def _chosen(board: Board, first: bool, rng: Any) -> int:
    """The queen under attack that is to move, by its column; -1 if there is none. Others leave the list."""
    listed = board.listed
    if not first:
        while board.sizes[LISTED] > 0:
            k = random_below(rng, board.sizes[LISTED])
            column = int(listed[k])
            if under_attack(board, column):
                return column
            board.is_listed[column] = False
            board.sizes[LISTED] -= 1
            listed[k] = listed[board.sizes[LISTED]]
        return -1
    lowest, kept = -1, 0
    for k in range(board.sizes[LISTED]):
        column = int(listed[k])
        if under_attack(board, column):
            listed[kept] = column
            kept += 1
            if lowest < 0 or column < lowest:
                lowest = column
        else:
            board.is_listed[column] = False
    board.sizes[LISTED] = kept
    return lowest


@compiled
def _any_under_attack(board: Board) -> bool:
    """Looks only: the search goes on as if nobody had asked."""
    found = False
    for k in range(board.sizes[LISTED]):
        found = found or under_attack(board, int(board.listed[k]))
    return found


@compiled
def repair(board: Board, first: bool, walk: float, tenure: int, steps: int, rng: Any) -> tuple[int, bool]:
    """Make at most this many steps. How many were made, and whether no queen is under attack any more."""
    for done in range(steps):
        column = _chosen(board, first, rng)
        if column < 0:
            return done, True
        left = lift_queen(board, column)
        board.sizes[LAST] = column
        if tenure > 0:
            k = int(board.sizes[TABU_USED]) % tenure
            board.tabu[k, 0] = column
            board.tabu[k, 1] = left
            board.sizes[TABU_USED] += 1
        if walk > 0.0 and random_unit(rng) < walk:
            row = random_below(rng, len(board.rows))
        else:
            row = free_of_attack(board, column, rng)
            if row < 0:
                row = least_attacked(board, column, 1, rng)
        attacked = attackers_at(board, column, row) > 0
        put_queen(board, column, row)
        if attacked:
            list_victims(board, column, row)
    return steps, not _any_under_attack(board)
