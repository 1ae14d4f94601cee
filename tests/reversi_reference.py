"""What the tests of the Reversi engine compare it with: random positions, and a search that is short enough to trust.

Of the engine it uses only the kernels `moves` and `flips`, which have their own tests against the slow rules.
"""

from __future__ import annotations

import random

import numpy as np

from plyground.games.reversi import Reversi
from plyground.games.reversi.moves import flips, moves
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled

FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
START = 0x0000000810000000, 0x0000001008000000
SORTED_FROM = 7


@compiled
def legal_squares(own, opponent):
    return moves(own, opponent)


@compiled
def after(own, opponent, square):
    """The position after a move, for the side that replies."""
    flipped = flips(own, opponent, square)
    return opponent ^ flipped, own | flipped | np.uint64(1) << np.uint64(square)


@compiled
def plain_score(own, opponent, alpha, beta):
    """The score with best play, by alpha-beta and the rules alone; the fewest replies first."""
    legal = moves(own, opponent)
    if not legal:
        if moves(opponent, own):
            return -plain_score(opponent, own, -beta, -alpha)
        margin = popcount(own) - popcount(opponent)
        empty = 64 - popcount(own) - popcount(opponent)
        return margin + empty if margin > 0 else margin - empty if margin < 0 else 0
    best = -65
    if 64 - popcount(own | opponent) < SORTED_FROM:
        while legal and best < beta:
            theirs, ours = after(own, opponent, bit_index(legal))
            legal &= legal - np.uint64(1)
            best = max(best, -plain_score(theirs, ours, -beta, -max(alpha, best)))
        return best
    options = np.empty(popcount(legal), np.int64)
    for number in range(len(options)):
        square = bit_index(legal)
        legal &= legal - np.uint64(1)
        theirs, ours = after(own, opponent, square)
        options[number] = popcount(moves(theirs, ours)) * 64 + square
    options.sort()
    for option in options:
        theirs, ours = after(own, opponent, option & 63)
        best = max(best, -plain_score(theirs, ours, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def squares_of(word):
    """The squares of a set, in order."""
    return [square for square in range(64) if int(word) >> square & 1]


def words(own, opponent):
    return np.uint64(own), np.uint64(opponent)


def played(own, opponent, square):
    """`after` for whole numbers."""
    theirs, ours = after(*words(own, opponent), square)
    return int(theirs), int(ours)


def random_game(rng, empties=0):
    """The positions of a random game down to this many empty squares, passes among them, the side to move first."""
    own, opponent = START
    while True:
        yield own, opponent
        if 64 - (own | opponent).bit_count() <= empties:
            return
        legal = squares_of(legal_squares(*words(own, opponent)))
        if legal:
            own, opponent = played(own, opponent, rng.choice(legal))
        elif legal_squares(*words(opponent, own)):
            own, opponent = opponent, own
        else:
            return


def random_position(rng, empties, movable=True):
    """A position with this many empty squares from a random game; the side to move has a move if it is `movable`."""
    while True:
        *_, (own, opponent) = random_game(rng, empties)
        enough = 64 - (own | opponent).bit_count() == empties
        if enough and (not movable or legal_squares(*words(own, opponent))):
            return own, opponent


def random_positions(seed, count, least, most):
    """Positions of `least` to `most` empty squares in turn, each with a move."""
    rng = random.Random(seed)
    return [random_position(rng, least + number % (most - least + 1)) for number in range(count)]


def state_of(own, opponent, turn=0):
    return Reversi(np.uint64(own), np.uint64(opponent), FULL, turn)


def exact_score(own, opponent):
    """The score of any position."""
    return int(plain_score(*words(own, opponent), -64, 64))


def exact_scores(own, opponent):
    """The score of each legal move."""
    legal = squares_of(legal_squares(*words(own, opponent)))
    return {square: -exact_score(*played(own, opponent, square)) for square in legal}
