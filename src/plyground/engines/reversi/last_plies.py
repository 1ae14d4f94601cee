"""Exact search of the last four plies: no table, no lists, everything in registers.

Windows are null: a function is asked whether the score of the side to move is greater than `alpha`, and answers with a
bound: a value > alpha is a lower bound, a value <= alpha is an upper bound, of the score. With one empty square it is
the score. Scores are in discs, empty squares go to the winner.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.engines.reversi.last_flips import last_flips
from plyground.engines.reversi.squares import NEIGHBOURS, odd_quadrants
from plyground.games.reversi import final_score
from plyground.games.reversi.moves import flips, moves
from plyground.native.bits import bit_index, lowest_bit, popcount
from plyground.native.compiling import compiled

__all__ = ["LOSS", "WIN", "WORST", "solve_four"]

WIN, LOSS, WORST = 64, -64, -128
"""The greatest score, the least, and what is less than any. As arguments they stand in `int()`: Numba would compile a
function once more for a constant."""


@compiled
def bit(square: Any) -> Any:
    """The set of one square."""
    return np.uint64(1) << np.uint64(square)


@compiled
def solve_one(own: Any, opponent: Any, square: int, memory: Any) -> int:
    """The score with one empty square."""
    memory.nodes += np.uint64(1)
    ours = popcount(own)
    flipped = last_flips(own, square)
    if flipped:
        return 2 * (ours + flipped + 1) - 64
    flipped = last_flips(opponent, square)
    if flipped:
        return 2 * (ours - flipped) - 64
    return final_score(own, opponent)


@compiled
def solve_two(own: Any, opponent: Any, alpha: int, a: int, b: int, memory: Any) -> int:
    """Two empty squares, a and b."""
    memory.nodes += np.uint64(1)
    best = int(WORST)
    if NEIGHBOURS[np.uint64(a)] & opponent:
        flipped = flips(own, opponent, a)
        if flipped:
            best = -solve_one(opponent & ~flipped, own | flipped | bit(a), b, memory)
            if best > alpha:
                return best
    if NEIGHBOURS[np.uint64(b)] & opponent:
        flipped = flips(own, opponent, b)
        if flipped:
            best = max(best, -solve_one(opponent & ~flipped, own | flipped | bit(b), a, memory))
    if best > WORST:
        return best
    # A pass, written out: a function that calls itself is not put in place of its call.
    memory.nodes += np.uint64(1)
    best = int(-WORST)
    if NEIGHBOURS[np.uint64(a)] & own:
        flipped = flips(opponent, own, a)
        if flipped:
            best = solve_one(own & ~flipped, opponent | flipped | bit(a), b, memory)
            if best <= alpha:
                return best
    if NEIGHBOURS[np.uint64(b)] & own:
        flipped = flips(opponent, own, b)
        if flipped:
            best = min(best, solve_one(own & ~flipped, opponent | flipped | bit(b), a, memory))
    return best if best < -WORST else final_score(own, opponent)


@compiled
def solve_three(own: Any, opponent: Any, alpha: int, a: int, b: int, c: int, memory: Any) -> int:
    """Three empty squares, tried in this order."""
    memory.nodes += np.uint64(1)
    best = int(WORST)
    if NEIGHBOURS[np.uint64(a)] & opponent:
        flipped = flips(own, opponent, a)
        if flipped:
            best = -solve_two(opponent & ~flipped, own | flipped | bit(a), -alpha - 1, b, c, memory)
            if best > alpha:
                return best
    if NEIGHBOURS[np.uint64(b)] & opponent:
        flipped = flips(own, opponent, b)
        if flipped:
            best = max(best, -solve_two(opponent & ~flipped, own | flipped | bit(b), -alpha - 1, a, c, memory))
            if best > alpha:
                return best
    if NEIGHBOURS[np.uint64(c)] & opponent:
        flipped = flips(own, opponent, c)
        if flipped:
            best = max(best, -solve_two(opponent & ~flipped, own | flipped | bit(c), -alpha - 1, a, b, memory))
    if best > WORST:
        return best
    if moves(opponent, own):
        return -solve_three(opponent, own, -alpha - 1, a, b, c, memory)
    return final_score(own, opponent)


@compiled
def solve_four(own: Any, opponent: Any, alpha: int, memory: Any) -> int:
    """Four empty squares, those in odd quadrants first."""
    memory.nodes += np.uint64(1)
    legal = moves(own, opponent)
    if not legal:
        if moves(opponent, own):
            return -solve_four(opponent, own, -alpha - 1, memory)
        return final_score(own, opponent)
    empty = ~(own | opponent)
    odd = odd_quadrants(empty)
    best = int(WORST)
    for part in (legal & odd, legal & ~odd):
        squares = part
        while squares:
            square = bit_index(squares)
            played = lowest_bit(squares)
            squares ^= played
            flipped = flips(own, opponent, square)
            # Of the three that are left the single one of its quadrant comes first.
            rest = empty ^ played
            single = lowest_bit(rest & odd_quadrants(rest))
            rest ^= single
            b = bit_index(rest)
            c = bit_index(rest & rest - np.uint64(1))
            score = -solve_three(
                opponent & ~flipped, own | flipped | played, -alpha - 1, bit_index(single), b, c, memory
            )
            if score > best:
                best = score
                if best > alpha:
                    return best
    return best
