"""Small Reversi solved: with best play the second player wins 6x6 by 20 discs to 16, and 4x4 by 11 to 3.

6x6 is due to Joel Feinstein: "Amenor wins world 6x6 championships!", Forty Billion Nodes under the Tree (newsletter of
the British Othello Federation), July 1993. https://www.maths.nottingham.ac.uk/plp/pmzjff/Othello/6x6sol.html has the
game that he found.

The proof here is a search of its own: of Plyground it uses only the bitboard kernels and the start position. It asks
whether the value is above a bound (a null window), with moves sorted by a shallow search of a rough evaluation and by
how few replies they leave, and a transposition table that holds whole positions, so that none is taken for another.

    pytest -m slow -rP tests/engines/reversi/test_reversi_solved.py

takes about forty seconds for 0.9 billion nodes, two thirds of them with at most three empty squares.
"""

from __future__ import annotations

import random
import time
from typing import NamedTuple

import numpy as np
import pytest

from plyground.core.rules import action_buffer, actions, legal_actions, result, score, terminal, to_move, transformed
from plyground.games.reversi import PASS, reversi
from plyground.games.reversi.moves import flips, moves
from plyground.native.bits import bit_index, lowest_bit, mix64, popcount
from plyground.native.compiling import compiled

# The solver ------------------------------------------------------------------------------------------------------

UNSORTED, STORED, EVALUATED = 5, 8, 10
"""Moves are not sorted up to this many empty squares; positions stored, and moves evaluated, from this many on."""
CORNERS = np.uint64(0x0000_2100_0000_0021)
NEXT_TO_CORNERS = np.uint64(0x0000_0012_0000_1200)  # diagonally
QUARTERS = tuple(np.uint64(0x070707 << corner) for corner in (0, 3, 24, 27))


class Memory(NamedTuple):
    positions: np.ndarray  # own, opponent
    facts: np.ndarray  # of each position: lower bound, upper bound, best move
    sorted_moves: np.ndarray  # a row for each number of empty squares
    nodes: np.ndarray  # how many were searched with n empty squares


def new_memory(bits):
    positions, facts = np.zeros((1 << bits, 2), np.uint64), np.zeros((1 << bits, 3), np.int8)
    return Memory(positions, facts, np.zeros((65, 40), np.int64), np.zeros(65, np.int64))


@compiled
def margin(own, opponent):
    return popcount(own) - popcount(opponent)


@compiled
def after(own, opponent, square):
    """The position after a move, seen by the other side."""
    flipped = flips(own, opponent, square)
    return opponent ^ flipped, own | flipped | np.uint64(1) << np.uint64(square)


@compiled
def solve_end(own, opponent, empty, alpha, nodes):
    """As `solve`, for few empty squares: first those in quarters of the board with an odd number of them."""
    left = popcount(empty)
    nodes[left] += 1
    if left == 0:
        return margin(own, opponent)
    if left == 1:
        gain = popcount(flips(own, opponent, bit_index(empty)))
        if gain:
            return margin(own, opponent) + 2 * gain + 1
        loss = popcount(flips(opponent, own, bit_index(empty)))
        return margin(own, opponent) - 2 * loss - (loss > 0)
    odd = np.uint64(0)
    for quarter in QUARTERS:
        if popcount(empty & quarter) & 1:
            odd |= quarter
    best = -64
    for squares in (empty & odd, empty & ~odd):
        while squares:
            square = lowest_bit(squares)
            squares ^= square
            flipped = flips(own, opponent, bit_index(square))
            if flipped:
                they, we = opponent ^ flipped, own | flipped | square
                value = -solve_end(they, we, empty ^ square, -alpha - 1, nodes)
                best = max(best, value)
                if best > alpha:
                    return best
    if best > -64:
        return best
    if moves(opponent, own) & empty:
        return -solve_end(opponent, own, empty, -alpha - 1, nodes)
    return margin(own, opponent)


@compiled
def guess(own, opponent, board, depth, alpha, beta):
    """About ten times the final margin, by alpha-beta to a depth; the weights are fitted to solved positions."""
    ours, theirs = moves(own, opponent) & board, moves(opponent, own) & board
    if depth == 0:
        return (
            120 * margin(own & CORNERS, opponent & CORNERS)
            - 25 * margin(own & NEXT_TO_CORNERS, opponent & NEXT_TO_CORNERS)
            + (15 * popcount(ours) + 65 * popcount(ours & CORNERS))
            - (12 * popcount(theirs) + 35 * popcount(theirs & CORNERS))
        )
    if not ours:
        return -guess(opponent, own, board, depth - 1, -beta, -alpha) if theirs else 10 * margin(own, opponent)
    for squares in (ours & CORNERS, ours & ~CORNERS):
        while squares and alpha < beta:
            they, we = after(own, opponent, bit_index(squares))
            alpha = max(alpha, -guess(they, we, board, depth - 1, -beta, -alpha))
            squares &= squares - np.uint64(1)
    return alpha


@compiled
def solve(own, opponent, board, alpha, memory):
    """A bound on the final margin of the side to move: a lower one if it is above alpha, otherwise an upper one."""
    empty = board & ~(own | opponent)
    empties = popcount(empty)
    if empties <= UNSORTED:
        return solve_end(own, opponent, empty, alpha, memory.nodes)
    memory.nodes[empties] += 1
    squares = moves(own, opponent) & board
    if not squares:
        if moves(opponent, own) & board:
            return -solve(opponent, own, board, -alpha - 1, memory)
        return margin(own, opponent)

    lower, upper, best_square = np.int64(-64), np.int64(64), np.int64(-1)
    row = mix64(own ^ mix64(opponent)) & np.uint64(len(memory.positions) - 1)
    if empties >= STORED and memory.positions[row, 0] == own and memory.positions[row, 1] == opponent:
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
        replies = moves(they, we) & board
        rank = -20 * (popcount(replies) + popcount(replies & CORNERS))
        if empties >= EVALUATED:
            # Not literals: a recursive function with a second signature crashes when its code is cached (Numba #6061).
            depth, limit = np.int64((empties - EVALUATED) // 4), np.int64(10_000)
            rank -= guess(they, we, board, depth, -limit, limit)
        if square == best_square:
            rank += 30_000
        options[count] = rank << 6 | square
        count += 1

    best = -64
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
        memory.positions[row, 0], memory.positions[row, 1] = own, opponent
        memory.facts[row, 0], memory.facts[row, 1], memory.facts[row, 2] = lower, upper, best_square
    return best


def above(state, alpha, memory):
    """Whether the side to move wins by more than alpha."""
    return solve(np.uint64(state.own), np.uint64(state.opponent), np.uint64(state.board), alpha, memory) > alpha


def solved(state, memory):
    """The final margin of the side to move."""
    return next(margin for margin in range(-36, 37) if not above(state, margin, memory))


# The tests -------------------------------------------------------------------------------------------------------


@compiled
def plain_minimax(state):
    """The final margin of the side to move, by nothing but the rules."""
    if terminal(state):
        return int(score(state, to_move(state)))
    options = action_buffer(state)
    best = -64
    for i in range(legal_actions(state, options)):
        best = max(best, -plain_minimax(result(state, options[i])))
    return best


@pytest.mark.slow
def test_solver_agrees_with_plain_minimax():
    rng = random.Random(6)
    memory = new_memory(bits=8)  # so small that positions are overwritten all the time
    for empties in [8] * 100 + [7] * 50 + [6] * 50 + [11] * 20:
        state = reversi(6).initial
        while popcount(state.own | state.opponent) < 36 - empties and not terminal(state):
            state = result(state, rng.choice(actions(state)))
        assert solved(state, memory) == plain_minimax(state), state


@pytest.mark.slow
def test_second_player_wins_4x4_by_8():
    start = reversi(4).initial
    assert plain_minimax(start) == solved(start, new_memory(bits=16)) == -8


def test_feinsteins_best_play():
    """His diagram: on each square the number of the move played there."""
    diagram = [28, 9, 8, 7, 31, 32], [22, 14, 1, 4, 17, 16], [27, 13, 0, 0, 6, 15]
    diagram += [19, 2, 0, 0, 5, 12], [24, 23, 3, 10, 26, 29], [21, 18, 20, 11, 25, 30]
    number = {8 * row + column: diagram[row][column] for row in range(6) for column in range(6)}
    state, memory = reversi(6).initial, new_memory(bits=20)
    for square in sorted(number, key=number.get)[4:]:
        if actions(state) == [PASS]:
            state = result(state, PASS)
        assert square in actions(state)
        state = result(state, square)
        if number[square] >= 10:
            value = 4 if state.turn == 1 else -4
            assert above(state, value - 1, memory)
            assert not above(state, value, memory)
    assert terminal(state)
    assert score(state, 1) == 20 - 16


@pytest.mark.slow
def test_second_player_wins_6x6_by_4():
    start = reversi(6).initial
    replies = [result(start, action) for action in actions(start)]
    assert len(replies) == 4
    assert {transformed(replies[0], index) for index in range(8)} >= set(replies)  # so one stands for all
    memory = new_memory(bits=20)
    begun = time.perf_counter()
    assert above(replies[0], 3, memory)
    assert not above(replies[0], 4, memory)
    print(f"{memory.nodes.sum():,} nodes in {time.perf_counter() - begun:.0f} s; by empty squares:")
    print(", ".join(f"{empties}: {count:,}" for empties, count in enumerate(memory.nodes) if count))
