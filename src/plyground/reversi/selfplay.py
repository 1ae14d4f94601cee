"""Games that the engine plays against itself, as positions with scores: what the evaluation learns from.

A game begins with some random moves, goes on with a fixed depth, and is solved exactly as soon as few squares are
empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.bits import bit_index, popcount
from plyground.compiling import compiled
from plyground.randomness import random_below
from plyground.reversi.endgame import CERTAIN
from plyground.reversi.lastplies import bit, final_score
from plyground.reversi.midgame import EXACT_BELOW, known_move, search_root
from plyground.reversi.moves import flips, moves
from plyground.reversi.probcut import DEVIATIONS
from plyground.reversi.table import NO_MOVE

__all__ = ["play_game"]


@compiled
def choose_confidence(confidence: int, memory: Any) -> None:
    """Set how much the next search leaves out."""
    memory.confidence = confidence
    memory.deviations = DEVIATIONS[confidence] if confidence < CERTAIN else 0.0


@compiled
def value_within(own: Any, opponent: Any, guess: int, depth: int, memory: Any) -> int:
    """The value of a position by windows around a guess."""
    low, high, width = max(guess - 3, -64), min(guess + 3, 64), 6
    while True:
        value = search_root(own, opponent, low, high, depth, memory)
        if value <= low and low > -64:
            low = max(value - width, -64)
        elif value >= high and high < 64:
            high = min(value + width, 64)
        else:
            return value
        width *= 2


@compiled
def exact_score(own: Any, opponent: Any, guess: int, memory: Any) -> int:
    """The score of a position with best play; the better the guess, the faster."""
    empties = 64 - popcount(own | opponent)
    if not moves(own, opponent):
        if not moves(opponent, own):
            return final_score(own, opponent)
        return -exact_score(opponent, own, -guess, memory)
    if empties > EXACT_BELOW:
        for confidence in (0, 2):
            choose_confidence(confidence, memory)
            guess = value_within(own, opponent, guess, empties, memory)
    choose_confidence(CERTAIN, memory)
    return value_within(own, opponent, guess, empties, memory)


@compiled
def play_game(rng: Any, opening: int, depth: int, solve_from: int, memory: Any, squares: Any, scores: Any) -> int:
    """Play a game with so many random moves first; how many moves it has, passes not counted.

    Writes the squares played, and for each number of empty squares from `solve_from` down the exact score of that
    position for the side to move.
    """
    own, opponent = np.uint64(0x0000000810000000), np.uint64(0x0000001008000000)
    turn, ply, guess = 1, 0, 0
    while True:
        legal = moves(own, opponent)
        if not legal:
            if not moves(opponent, own):
                return ply
            own, opponent, turn = opponent, own, -turn
            continue
        empties = 64 - popcount(own | opponent)
        if ply < opening:
            for _ in range(random_below(rng, popcount(legal))):
                legal &= legal - np.uint64(1)
            move = bit_index(legal)
        elif empties <= solve_from:
            score = exact_score(own, opponent, guess * turn, memory)
            scores[empties] = score
            guess = score * turn
            move = solved_move(own, opponent, score, empties, memory)
        else:
            choose_confidence(0, memory)
            value = guess * turn
            for step in range(2, depth + 1, 2):
                value = value_within(own, opponent, value, step, memory)
            guess = value * turn
            move = known_move(own, opponent, memory)
        squares[ply] = move
        flipped = flips(own, opponent, move)
        own, opponent, turn = opponent & ~flipped, own | flipped | bit(move), -turn
        ply += 1


@compiled
def solved_move(own: Any, opponent: Any, score: int, empties: int, memory: Any) -> int:
    """A move that reaches the known score."""
    if empties > EXACT_BELOW:
        move = known_move(own, opponent, memory)
        if move != NO_MOVE:
            return move
    legal = moves(own, opponent)
    while legal:
        move = bit_index(legal)
        legal &= legal - np.uint64(1)
        flipped = flips(own, opponent, move)
        if exact_score(opponent & ~flipped, own | flipped | bit(move), -score, memory) <= -score:
            return move
    return bit_index(moves(own, opponent))
