"""The legal moves of a position in two parts: those that take or make a queen, and all others.

A search that finds a good capture need not list the rest. `limits` is what `plyground.games.chess.moves.limits` says of
the position: the king's square, where another piece may end, and the lines of pins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.games.chess.attacks import bishop_attacks, is_attacked, king_attacks, knight_attacks, rook_attacks
from plyground.games.chess.board import LAST_RANKS, Board, bit, own_pieces, underpromotion
from plyground.games.chess.moves import EVERYWHERE, castles, list_targets, pawn_targets, takers_in_passing, threats
from plyground.native.bits import bit_index
from plyground.native.compiling import compiled

__all__ = ["list_noisy", "list_quiet"]


@compiled
def list_pieces(board: Board, limits: Any, targets: Any, out: Any, count: int) -> int:
    """Write the moves of knights, bishops, rooks and queens to some squares; return how many `out` holds then."""
    own, others = own_pieces(board)
    taken = own | others
    _, allowed, straight, oblique = limits
    targets &= allowed
    rest = board.knights & own & ~straight & ~oblique
    while rest:
        square = bit_index(rest)
        count = list_targets(square, knight_attacks(square) & targets, out, count)
        rest &= rest - np.uint64(1)
    rest = (board.bishops | board.queens) & own & ~straight
    while rest:
        square = bit_index(rest)
        line = oblique if oblique & bit(square) else EVERYWHERE
        count = list_targets(square, bishop_attacks(square, taken) & targets & line, out, count)
        rest &= rest - np.uint64(1)
    rest = (board.rooks | board.queens) & own & ~oblique
    while rest:
        square = bit_index(rest)
        line = straight if straight & bit(square) else EVERYWHERE
        count = list_targets(square, rook_attacks(square, taken) & targets & line, out, count)
        rest &= rest - np.uint64(1)
    return count


@compiled
def list_steps(targets: Any, step: int, out: Any, count: int) -> int:
    """Write the moves of pawns to these squares, by a step each; on the last rank to become a queen."""
    while targets:
        end = bit_index(targets)
        out[count] = (end - step) << 6 | end
        count += 1
        targets &= targets - np.uint64(1)
    return count


@compiled
def list_lesser(targets: Any, step: int, out: Any, count: int) -> int:
    """Write the moves of pawns to these squares on the last rank, by a step each, to become less than a queen."""
    while targets:
        end = bit_index(targets)
        for piece in range(3):
            out[count] = underpromotion(end - step, end, piece)
            count += 1
        targets &= targets - np.uint64(1)
    return count


@compiled
def list_noisy(board: Board, limits: Any, out: Any) -> int:
    """Write the moves that take or make a queen into `out`, and return how many."""
    own, others = own_pieces(board)
    king, allowed, straight, oblique = limits
    taken = own | others
    count = 0
    if allowed:
        once, _, west, east = pawn_targets(board.pawns & own, board.turn, taken, others, allowed, straight, oblique)
        forward = 8 if board.turn == 0 else -8
        count = list_steps(west, forward - 1, out, count)
        count = list_steps(east, forward + 1, out, count)
        count = list_steps(once & LAST_RANKS, forward, out, count)
        if board.passant >= 0:
            rest = takers_in_passing(board, board.turn, board.passant)
            while rest:
                out[count] = bit_index(rest) << 6 | board.passant
                count += 1
                rest &= rest - np.uint64(1)
        count = list_pieces(board, limits, others, out, count)
    rest = king_attacks(king) & others
    while rest:
        square = bit_index(rest)
        if not is_attacked(board, square, board.turn, others, taken ^ bit(king)):
            out[count] = king << 6 | square
            count += 1
        rest &= rest - np.uint64(1)
    return count


@compiled
def list_quiet(board: Board, limits: Any, out: Any, count: int) -> int:
    """Write all other moves into `out` behind those that it holds, and return how many it holds then."""
    own, others = own_pieces(board)
    king, allowed, straight, oblique = limits
    taken = own | others
    attacked = threats(board, others, taken ^ bit(king))
    if allowed:
        once, twice, west, east = pawn_targets(board.pawns & own, board.turn, taken, others, allowed, straight, oblique)
        forward = 8 if board.turn == 0 else -8
        count = list_steps(once & ~LAST_RANKS, forward, out, count)
        count = list_steps(twice, 2 * forward, out, count)
        if (once | west | east) & LAST_RANKS:
            count = list_lesser(once & LAST_RANKS, forward, out, count)
            count = list_lesser(west & LAST_RANKS, forward - 1, out, count)
            count = list_lesser(east & LAST_RANKS, forward + 1, out, count)
        count = list_pieces(board, limits, ~taken, out, count)
    if board.castling & own:
        rest = castles(board, own, others, king, attacked)
        while rest:
            rook = bit_index(rest)
            end = rook if board.shuffled else king + 2 if rook > king else king - 2
            out[count] = king << 6 | end
            count += 1
            rest &= rest - np.uint64(1)
    return list_targets(king, king_attacks(king) & ~taken & ~attacked, out, count)
