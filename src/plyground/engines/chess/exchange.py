"""Static exchange evaluation: what a capture wins if both sides go on to take on its square, each while it pays.

The least valuable piece takes first, and pieces behind it on its line join in. Pins are not looked at.
"""

from __future__ import annotations

from typing import Any

from plyground.games.chess.attacks import bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks
from plyground.games.chess.board import LAST_RANKS, UNDERPROMOTIONS, Board, bit, move_squares
from plyground.native.bits import lowest_bit
from plyground.native.compiling import compiled

__all__ = ["EMPTY_SQUARE", "EXCHANGE_VALUES", "attackers_of", "exchange_reaches", "kind_on"]

EXCHANGE_VALUES = (100, 320, 330, 500, 950, 10_000, 0)
"""Pawn, knight, bishop, rook, queen, king, nothing, in centipawns."""
EMPTY_SQUARE = 6


@compiled
def kind_on(board: Board, square: int) -> int:
    """The kind of the piece on a square, from 0 for a pawn to 5 for a king; 6 for none."""
    place = bit(square)
    if place & (board.pawns | board.knights | board.bishops):
        return 0 if place & board.pawns else 1 if place & board.knights else 2
    if place & (board.rooks | board.queens | board.kings):
        return 3 if place & board.rooks else 4 if place & board.queens else 5
    return EMPTY_SQUARE


@compiled
def attackers_of(board: Board, square: int, taken: Any) -> Any:
    """The pieces of both sides that attack a square, if these squares are taken."""
    place = bit(square)
    white = board.white
    found = pawn_attacks(place, 1) & board.pawns & white | pawn_attacks(place, 0) & board.pawns & ~white
    found |= knight_attacks(square) & board.knights | king_attacks(square) & board.kings
    found |= bishop_attacks(square, taken) & (board.bishops | board.queens)
    return found | rook_attacks(square, taken) & (board.rooks | board.queens)


@compiled
def exchange_reaches(board: Board, action: int, least: int) -> bool:
    """Whether a move, with all that follows on its square, wins at least so many centipawns.

    Castling, en passant and promotion count as what stands on the two squares: nothing is won by them.
    """
    start, end = move_squares(board.turn, action)
    if action >= UNDERPROMOTIONS or board.kings & bit(start):
        return least <= 0  # a king goes where nothing takes it
    kind = kind_on(board, start)
    if kind == 0 and (end == board.passant or LAST_RANKS & bit(end)):
        return least <= EXCHANGE_VALUES[0]
    won = EXCHANGE_VALUES[kind_on(board, end)] - least  # more than asked for, if nobody takes any more
    if won < 0:
        return False
    at_stake = EXCHANGE_VALUES[kind]
    every = board.pawns | board.knights | board.bishops | board.rooks | board.queens | board.kings
    taken = (every ^ bit(start)) | bit(end)
    attackers = attackers_of(board, end, taken) & taken
    oblique, straight = board.bishops | board.queens, board.rooks | board.queens
    side, sign = 1 - board.turn, -1
    while True:
        # The side that is to take is behind: it takes, or that is the end. The one that is ahead may stop at any time.
        ours = attackers & (board.white if side == 0 else ~board.white)
        if not ours:
            return sign < 0
        kind = least_valuable(board, ours)
        if kind == 5 and attackers & ~ours:
            return sign < 0  # a king may not take what is guarded
        won += sign * at_stake
        if (won >= 0) == (sign < 0):
            return sign < 0
        at_stake = EXCHANGE_VALUES[kind]
        taken ^= lowest_bit(ours & pieces_of(board, kind))
        if kind in (0, 2, 4):
            attackers |= bishop_attacks(end, taken) & oblique
        if kind in (3, 4):
            attackers |= rook_attacks(end, taken) & straight
        attackers &= taken
        side, sign = 1 - side, -sign


@compiled
def least_valuable(board: Board, pieces: Any) -> int:
    """The kind of the least valuable of some pieces."""
    if pieces & board.pawns:
        return 0
    if pieces & board.knights:
        return 1
    if pieces & board.bishops:
        return 2
    if pieces & board.rooks:
        return 3
    return 4 if pieces & board.queens else 5


@compiled
def pieces_of(board: Board, kind: int) -> Any:
    """Both sides' pieces of a kind."""
    if kind < 3:
        return board.pawns if kind == 0 else board.knights if kind == 1 else board.bishops
    return board.rooks if kind == 3 else board.queens if kind == 4 else board.kings
