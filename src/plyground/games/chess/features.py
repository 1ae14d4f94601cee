"""What a lecture's evaluation counts in a chess position, and weights for it that were learnt from games.

`plyground train chess sum` learns the weights, see docs/chess-evaluation.md; a pawn is 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.games.chess.attacks import (
    bishop_attacks,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    rook_attacks,
)
from plyground.games.chess.board import FILE_A, FILE_H, ONE, Board, Chess
from plyground.games.chess.moves import mobility
from plyground.native.bits import bit_index, popcount

__all__ = ["FEATURES", "WEIGHTS", "side_features", "weighted_sum"]

FEATURES = (
    "pawn", "knight", "bishop", "rook", "queen", "move", "doubled pawn", "isolated pawn", "passed pawn",
    "pawn before the king", "attack near the other king",
)  # fmt: skip
"""What is counted for each side: its pieces; its moves; pawns of three kinds; pawns on the six squares before its king;
and the squares around the other king that its pieces attack, each as often as they do."""
WEIGHTS = (1.0, 2.98, 3.34, 4.77, 8.6, 0.07, 0.04, -0.03, 0.74, 0.03, 0.12)
"""What each of them is worth, in pawns."""


def before(squares: Any, turn: Any) -> Any:
    """All squares in front of these, as their side sees it."""
    found = squares << np.uint64(8) if turn == 0 else squares >> np.uint64(8)
    for step in (8, 16, 32):
        found |= found << np.uint64(step) if turn == 0 else found >> np.uint64(step)
    return found


def beside(squares: Any) -> Any:
    """The squares to the left and to the right."""
    return (squares & ~FILE_A) >> ONE | (squares & ~FILE_H) << ONE


def king_attack(state: Chess | Board, turn: Any, own: Any, others: Any) -> int:
    """How often the pieces of a side attack the squares around the other king."""
    area = king_attacks(bit_index(state.kings & others))
    count = popcount(pawn_attacks(state.pawns & own, turn) & area)
    rest = state.knights & own
    while rest:
        count += popcount(knight_attacks(bit_index(rest)) & area)
        rest &= rest - ONE
    rest = (state.bishops | state.queens) & own
    while rest:
        count += popcount(bishop_attacks(bit_index(rest), own | others) & area)
        rest &= rest - ONE
    rest = (state.rooks | state.queens) & own
    while rest:
        count += popcount(rook_attacks(bit_index(rest), own | others) & area)
        rest &= rest - ONE
    return count


def side_features(state: Chess | Board, turn: Any) -> tuple[int, int, int, int, int, int, int, int, int, int, int]:
    """The counts of one side, in the order of `FEATURES`."""
    every = state.pawns | state.knights | state.bishops | state.rooks | state.queens | state.kings
    own, others = (state.white, every ^ state.white) if turn == 0 else (every ^ state.white, state.white)
    pawns, their_pawns = state.pawns & own, state.pawns & others
    columns = before(pawns, 0) | before(pawns, 1) | pawns
    guarded = before(their_pawns, 1 - turn)
    king = state.kings & own
    first = (king | beside(king)) << np.uint64(8) if turn == 0 else (king | beside(king)) >> np.uint64(8)
    shelter = first | (first << np.uint64(8) if turn == 0 else first >> np.uint64(8))
    return (
        popcount(pawns),
        popcount(state.knights & own),
        popcount(state.bishops & own),
        popcount(state.rooks & own),
        popcount(state.queens & own),
        mobility(state, turn),
        popcount(pawns & before(pawns, turn)),
        popcount(pawns & ~beside(columns)),
        popcount(pawns & ~(guarded | beside(guarded)) & ~before(pawns, 1 - turn)),
        popcount(pawns & shelter),
        king_attack(state, turn, own, others),
    )


def weighted_sum(state: Chess | Board) -> float:
    """What the position is worth to the side to move, in pawns."""
    own, others = side_features(state, state.turn), side_features(state, 1 - state.turn)
    total = 0.0
    for number in range(len(WEIGHTS)):
        total += WEIGHTS[number] * (own[number] - others[number])
    return total
