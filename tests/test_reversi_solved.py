"""Small Reversi solved: with best play the second player wins 6x6 by 20 discs to 16, and 4x4 by 11 to 3.

6x6 is due to Joel Feinstein, "Amenor wins world 6x6 championships!", British Othello Federation Newsletter, July 1993.
The proof here is a search of its own: nothing of Plyground is used but the bitboard kernels and the start position.
It asks only whether the value is above a bound (a null window), with

- a transposition table that holds whole positions, so that no two can be taken for one another;
- moves ordered by a shallow search of a rough evaluation and by how few replies they leave (fastest first);
- at the end, squares in quarters with an odd number of empty squares first.

`pytest -m slow tests/test_reversi_solved.py -rP` takes about a minute, nearly all below 12 empty squares.
"""

from __future__ import annotations

import random
import time
from typing import NamedTuple

import numpy as np
import pytest

from plyground.bits import bit_index, lowest_bit, mix64, popcount
from plyground.compiling import compiled
from plyground.game import (
    action_buffer,
    actions,
    legal_actions,
    result,
    score,
    symmetries,
    terminal,
    to_move,
    transformed,
)
from plyground.games.reversi import reversi
from plyground.reversi.moves import flips, moves

# The solver ------------------------------------------------------------------------------------------------------

NO_MOVE = -64
FEW, STORED, EVALUATED = 5, 8, 10
"""Up to so many empty squares there is no sorting; from so many on positions are stored, moves sorted by evaluation."""
BUCKET = 4
CORNERS = np.uint64(0x0000_2100_0000_0021)
BESIDE_CORNERS = np.uint64(0x0000_0012_0000_1200)
"""The squares diagonally next to the corners of the 6x6 board."""
QUARTERS = tuple(np.uint64(0x070707 << corner) for corner in (0, 3, 24, 27))


class Memory(NamedTuple):
    """Positions as (own, opponent); what is known of each: (lower, upper bound, best move, empty squares)."""

    positions: np.ndarray
    facts: np.ndarray
    sorted_moves: np.ndarray  # one row for each number of empty squares
    nodes: np.ndarray  # searched, by empty squares


def new_memory(bits):
    size = 1 << bits
    tables = np.zeros((size, 2), np.uint64), np.zeros((size, 4), np.int8)
    return Memory(*tables, np.zeros((65, 40), np.int64), np.zeros(65, np.int64))


@compiled
def margin(own, opponent):
    return popcount(own) - popcount(opponent)


@compiled
def after(own, opponent, square):
    """The position after a move, seen by the other side."""
    flipped = flips(own, opponent, square)
    return opponent ^ flipped, own | flipped | np.uint64(1) << np.uint64(square)


@compiled
def end(own, opponent, empty, alpha, nodes):
    """As `solve`, for few empty squares."""
    nodes[popcount(empty)] += 1
    if empty & (empty - np.uint64(1)) == 0:  # at most one square
        change = 0
        if empty:
            change = popcount(flips(own, opponent, bit_index(empty)))
            if change == 0:
                change = -popcount(flips(opponent, own, bit_index(empty)))
        return margin(own, opponent) + 2 * change + (change > 0) - (change < 0)
    odd = np.uint64(0)
    for quarter in QUARTERS:
        if popcount(empty & quarter) & 1:
            odd |= quarter
    best = NO_MOVE
    for squares in (empty & odd, empty & ~odd):
        while squares:
            square = lowest_bit(squares)
            squares ^= square
            flipped = flips(own, opponent, bit_index(square))
            if flipped:
                value = -end(opponent ^ flipped, own | flipped | square, empty ^ square, -alpha - 1, nodes)
                best = max(best, value)
                if best > alpha:
                    return best
    if best > NO_MOVE:
        return best
    if moves(opponent, own) & empty:
        return -end(opponent, own, empty, -alpha - 1, nodes)
    return margin(own, opponent)


@compiled
def guess(own, opponent, board, depth, alpha, beta):
    """About ten times the final margin, by alpha-beta to a depth; the weights are fitted to solved positions."""
    mine, theirs = moves(own, opponent) & board, moves(opponent, own) & board
    if depth == 0:
        return (
            120 * margin(own & CORNERS, opponent & CORNERS)
            - 25 * margin(own & BESIDE_CORNERS, opponent & BESIDE_CORNERS)
            + (15 * popcount(mine) + 65 * popcount(mine & CORNERS))
            - (12 * popcount(theirs) + 35 * popcount(theirs & CORNERS))
        )
    if not mine:
        return -guess(opponent, own, board, depth - 1, -beta, -alpha) if theirs else 10 * margin(own, opponent)
    for squares in (mine & CORNERS, mine & ~CORNERS):
        while squares and alpha < beta:
            they, we = after(own, opponent, bit_index(squares))
            alpha = max(alpha, -guess(they, we, board, depth - 1, -beta, -alpha))
            squares &= squares - np.uint64(1)
    return alpha


@compiled
def bucket(own, opponent, memory):
    """The first of the rows where the position may be."""
    return np.int64(mix64(own ^ mix64(opponent)) & np.uint64(len(memory.positions) - BUCKET))


@compiled
def find(own, opponent, memory):
    """The row of the position, or -1."""
    first = bucket(own, opponent, memory)
    for row in range(first, first + BUCKET):
        if memory.positions[row, 0] == own and memory.positions[row, 1] == opponent:
            return row
    return -1


@compiled
def store(own, opponent, lower, upper, square, empties, memory):
    """Over the same position, or else over the one with the fewest empty squares."""
    row = find(own, opponent, memory)
    if row < 0:
        row = bucket(own, opponent, memory)
        for other in range(row + 1, row + BUCKET):
            if memory.facts[other, 3] < memory.facts[row, 3]:
                row = other
    memory.positions[row, 0], memory.positions[row, 1] = own, opponent
    memory.facts[row, 0], memory.facts[row, 1] = lower, upper
    memory.facts[row, 2], memory.facts[row, 3] = square, empties


@compiled
def solve(own, opponent, board, alpha, memory):
    """A bound on the final margin of the side to move: a lower one if above alpha, otherwise an upper one."""
    empty = board & ~(own | opponent)
    empties = popcount(empty)
    if empties <= FEW:
        return end(own, opponent, empty, alpha, memory.nodes)
    memory.nodes[empties] += 1
    squares = moves(own, opponent) & board
    if not squares:
        if moves(opponent, own) & board:
            return -solve(opponent, own, board, -alpha - 1, memory)
        return margin(own, opponent)

    lower, upper, best_square = np.int64(-64), np.int64(64), np.int64(-1)
    if empties >= STORED:
        row = find(own, opponent, memory)
        if row >= 0:
            lower, upper, best_square = memory.facts[row, 0], memory.facts[row, 1], memory.facts[row, 2]
            if lower > alpha:
                return lower
            if upper <= alpha:
                return upper

    options = memory.sorted_moves[empties]
    count = 0
    while squares:
        square = bit_index(squares)
        squares &= squares - np.uint64(1)
        they, we = after(own, opponent, square)
        if empties > STORED + 1:
            row = find(they, we, memory)
            if row >= 0 and -np.int64(memory.facts[row, 1]) > alpha:
                return -np.int64(memory.facts[row, 1])
        replies = moves(they, we) & board
        rank = -20 * (popcount(replies) + popcount(replies & CORNERS))
        if empties >= EVALUATED:
            # np.int64: a recursive function must have one signature only, or its cached code crashes (Numba #6061)
            depth, limit = np.int64((empties - EVALUATED) // 4), np.int64(10000)
            rank -= guess(they, we, board, depth, -limit, limit)
        elif np.uint64(1) << np.uint64(square) & CORNERS:
            rank += 30
        if square == best_square:
            rank += 30000
        options[count] = rank << 6 | square
        count += 1

    best = NO_MOVE
    for i in range(count):
        for j in range(i + 1, count):
            if options[j] > options[i]:
                options[i], options[j] = options[j], options[i]
        square = options[i] & 63
        they, we = after(own, opponent, square)
        value = -solve(they, we, board, -alpha - 1, memory)
        if value > best:
            best, best_square = value, square
        if best > alpha:
            break
    if empties >= STORED:
        if best > alpha:
            lower = best
        else:
            upper = best
        store(own, opponent, lower, upper, best_square, empties, memory)
    return best


def above(state, alpha, memory):
    """Whether the side to move wins by more than alpha."""
    return solve(np.uint64(state.own), np.uint64(state.opponent), np.uint64(state.board), alpha, memory) > alpha


def value(state, memory):
    """The final margin of the side to move, by bisection."""
    low, high = -64, 64
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if above(state, middle, memory) else (low, middle)
    return low


# The tests -------------------------------------------------------------------------------------------------------


@compiled
def plain_minimax(state):
    """The final margin of the side to move, by nothing but the rules."""
    if terminal(state):
        return int(score(state, to_move(state)))
    options = action_buffer(state)
    best = NO_MOVE
    for i in range(legal_actions(state, options)):
        best = max(best, -plain_minimax(result(state, options[i])))
    return best


def random_position(empties, rng):
    """A 6x6 position with so many empty squares, or fewer where the game has ended before."""
    state = reversi(6).initial
    while popcount(state.own | state.opponent) < 36 - empties and not terminal(state):
        state = result(state, rng.choice(actions(state)))
    return state


def best_play(state, margin, memory):
    """The final position when both sides play their best, if the side to move wins by `margin`."""
    while not terminal(state):
        state = next(child for action in actions(state) if not above(child := result(state, action), -margin, memory))
        margin = -margin
    return state


def test_solver_agrees_with_plain_minimax():
    rng = random.Random(6)
    memory = new_memory(bits=8)  # so small that positions are overwritten all the time
    for empties in [8] * 100 + [7] * 50 + [6] * 50 + [11] * 20:
        state = random_position(empties, rng)
        assert value(state, memory) == plain_minimax(state), state


def test_second_player_wins_4x4_by_8():
    start = reversi(4).initial
    memory = new_memory(bits=16)
    assert plain_minimax(start) == value(start, memory) == -8
    assert score(best_play(start, -8, memory), 0) == -8


@pytest.mark.slow
def test_second_player_wins_6x6_by_4():
    start = reversi(6).initial
    replies = [result(start, action) for action in actions(start)]
    orbit = {transformed(replies[0], index) for index in range(symmetries(start))}
    assert len(replies) == 4
    assert orbit.issuperset(replies)  # so that one first move stands for all

    memory = new_memory(bits=20)
    begun = time.perf_counter()
    assert above(replies[0], 3, memory)
    assert not above(replies[0], 4, memory)
    print(f"{memory.nodes.sum():,} nodes in {time.perf_counter() - begun:.0f} s; by empty squares:")
    print(", ".join(f"{empties}: {count:,}" for empties, count in enumerate(memory.nodes) if count))
    final = best_play(replies[0], 4, memory)
    print(f"and best play in {time.perf_counter() - begun:.0f} s")
    assert score(final, 0) == -4
    assert {popcount(final.own), popcount(final.opponent)} == {16, 20}
