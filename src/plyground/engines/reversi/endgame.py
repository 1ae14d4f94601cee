"""Exact search of the last dozen empty squares, without the evaluation.

Null windows, as in `last_plies`: asked whether the score is greater than `alpha`, a search answers with a bound on the
far side of it. A table, bounds by stable discs, and the order "fastest first" with parity.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.engines.reversi.last_plies import LOSS, WIN, WORST, bit, solve_four
from plyground.engines.reversi.ordering import HASH_MOVE, next_move, order_value
from plyground.engines.reversi.squares import odd_quadrants
from plyground.engines.reversi.stability import stable_discs
from plyground.engines.reversi.table import (
    NO_MOVE,
    confidence_of,
    depth_of,
    find,
    key_of,
    lower_of,
    move_of,
    store,
    upper_of,
)
from plyground.games.reversi import final_score
from plyground.games.reversi.moves import flips, moves
from plyground.native.atomics import load_word
from plyground.native.bits import bit_index, lowest_bit, popcount
from plyground.native.compiling import compiled

__all__ = ["CERTAIN", "STABILITY_FROM", "brute_force", "must_stop", "solve", "stability_bound"]

CERTAIN = 5
"""The confidence of a search that leaves nothing out."""
SHALLOW = 5
"""Up to this many empty squares an order of the moves is not worth its cost."""
TABLE_FROM = 8
"""From this many empty squares on the table is worth its cost."""

STABILITY_FROM = np.array([99] * 5 + [max(0, 2 * n - 10) for n in range(5, 65)], np.int64)
"""From which alpha on, for each number of empty squares, it is worth counting stable discs."""


@compiled
def must_stop(memory: Any) -> bool:
    """Whether this thread is to stop; what functions return from then on is void."""
    if memory.nodes >= memory.allowed or load_word(memory.signal):
        memory.halted = 1
    return memory.halted != 0  # type: ignore[no-any-return]


@compiled
def stability_bound(own: Any, opponent: Any, memory: Any) -> int:
    """What we can reach at most: the opponent keeps its stable discs."""
    return 64 - 2 * popcount(stable_discs(opponent, own, memory.edges))


@compiled
def solve_shallow(own: Any, opponent: Any, alpha: int, empties: int, memory: Any) -> int:
    """Five to seven empty squares: odd quadrants first is all the order there is."""
    memory.nodes += np.uint64(1)
    if alpha >= STABILITY_FROM[empties]:
        bound = stability_bound(own, opponent, memory)
        if bound <= alpha:
            return bound
    legal = moves(own, opponent)
    if not legal:
        if moves(opponent, own):
            return -solve_shallow(opponent, own, -alpha - 1, empties, memory)
        return final_score(own, opponent)
    odd = odd_quadrants(~(own | opponent))
    best = int(WORST)
    for part in (legal & odd, legal & ~odd):
        squares = part
        while squares:
            flipped = flips(own, opponent, bit_index(squares))
            played = lowest_bit(squares)
            squares ^= played
            if empties == 5:
                score = -solve_four(opponent & ~flipped, own | flipped | played, -alpha - 1, memory)
            else:
                score = -solve_shallow(opponent & ~flipped, own | flipped | played, -alpha - 1, empties - 1, memory)
            if score > best:
                best = score
                if best > alpha:
                    return best
    return best


@compiled
def solve(own: Any, opponent: Any, alpha: int, empties: int, memory: Any) -> int:
    """Whether the score is greater than alpha, as a bound; at least five empty squares."""
    if empties <= SHALLOW:
        return solve_shallow(own, opponent, alpha, empties, memory)
    memory.nodes += np.uint64(1)
    if must_stop(memory):
        return 0
    if alpha >= STABILITY_FROM[empties]:
        bound = stability_bound(own, opponent, memory)
        if bound <= alpha:
            return bound
    key, expected = np.uint64(0), int(NO_MOVE)
    if empties >= TABLE_FROM:
        key = key_of(own, opponent)
        data = find(memory, key)
        if data:
            if depth_of(data) >= empties and confidence_of(data) == CERTAIN:
                if lower_of(data) > alpha:
                    return lower_of(data)
                if upper_of(data) <= alpha:
                    return upper_of(data)
            expected = move_of(data)
    legal = moves(own, opponent)
    if not legal:
        if moves(opponent, own):
            return -solve(opponent, own, -alpha - 1, empties, memory)
        return final_score(own, opponent)
    odd = odd_quadrants(~(own | opponent))
    squares, flipped, order = memory.square[empties], memory.flipped[empties], memory.order[empties]
    count = 0
    while legal:
        square = bit_index(legal)
        legal &= legal - np.uint64(1)
        turned = flips(own, opponent, square)
        if turned == opponent:
            return 64
        value = order_value(opponent & ~turned, own | turned | bit(square), square, odd)
        squares[count], flipped[count] = square, turned
        order[count] = HASH_MOVE if square == expected else value
        count += 1
    best, best_move = int(WORST), int(NO_MOVE)
    for number in range(count):
        next_move(empties, number, count, memory)
        square, turned = squares[number], flipped[number]
        score = -solve(opponent & ~turned, own | turned | bit(square), -alpha - 1, empties - 1, memory)
        if memory.halted:
            return 0
        if score > best:
            best, best_move = score, square
            if best > alpha:
                break
    if empties >= TABLE_FROM:
        if best > alpha:
            store(memory, key, empties, CERTAIN, best, int(WIN), best_move)
        else:
            store(memory, key, empties, CERTAIN, int(LOSS), best, best_move)
    return best


@compiled
def brute_force(own: Any, opponent: Any, memory: Any) -> int:
    """The score of a position with a handful of empty squares, by trying everything."""
    memory.nodes += np.uint64(1)
    legal = moves(own, opponent)
    if not legal:
        if moves(opponent, own):
            return -brute_force(opponent, own, memory)
        return final_score(own, opponent)
    best = int(WORST)
    while legal:
        flipped = flips(own, opponent, bit_index(legal))
        played = lowest_bit(legal)
        legal ^= played
        best = max(best, -brute_force(opponent & ~flipped, own | flipped | played, memory))
    return best
