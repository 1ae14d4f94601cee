"""The key of a position: a random word for each piece on its square, each right to castle, the side to move.

A move changes the key where the boards' sets differ, so that castling, promotion and en passant are no special cases
(A. Zobrist, "A new hashing method with application for game playing", Technical Report 88, University of Wisconsin,
1970).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.games.chess.board import Board
from plyground.native.bits import bit_index
from plyground.native.compiling import compiled

__all__ = ["key_after", "key_of"]


@compiled
def pieces_key(memory: Any, kind: int, pieces: Any, white: Any) -> Any:
    """The words of some pieces of one kind."""
    key = np.uint64(0)
    while pieces:
        square = bit_index(pieces)
        key ^= memory.piece_key[np.int64(white >> np.uint64(square) & np.uint64(1)), kind, square]
        pieces &= pieces - np.uint64(1)
    return key


@compiled
def rights_key(memory: Any, board: Board) -> Any:
    """The words of the rights to castle and to take en passant."""
    key = np.uint64(0)
    rest = board.castling
    while rest:
        key ^= memory.castling_key[bit_index(rest)]
        rest &= rest - np.uint64(1)
    return key ^ memory.passant_key[board.passant] if board.passant >= 0 else key


@compiled
def key_of(memory: Any, board: Board) -> Any:
    """The key of a board."""
    key = pieces_key(memory, 0, board.pawns, board.white) ^ pieces_key(memory, 1, board.knights, board.white)
    key ^= pieces_key(memory, 2, board.bishops, board.white) ^ pieces_key(memory, 3, board.rooks, board.white)
    key ^= pieces_key(memory, 4, board.queens, board.white) ^ pieces_key(memory, 5, board.kings, board.white)
    key ^= rights_key(memory, board)
    return key ^ memory.turn_key if board.turn == 1 else key


@compiled
def changed_key(memory: Any, kind: int, before: Any, after: Any, white: Any, white_after: Any) -> Any:
    """What changes in a key with the pieces of one kind; a piece may replace one of the other side."""
    if before != after or before & (white ^ white_after):
        other = before & after & (white ^ white_after)
        gone, come = before & ~after | other, after & ~before | other
        return pieces_key(memory, kind, gone, white) ^ pieces_key(memory, kind, come, white_after)
    return np.uint64(0)


@compiled
def key_after(memory: Any, key: Any, before: Board, after: Board) -> Any:
    """The key of a board, from that of the board one move earlier."""
    white, there = before.white, after.white
    key ^= changed_key(memory, 0, before.pawns, after.pawns, white, there)
    key ^= changed_key(memory, 1, before.knights, after.knights, white, there)
    key ^= changed_key(memory, 2, before.bishops, after.bishops, white, there)
    key ^= changed_key(memory, 3, before.rooks, after.rooks, white, there)
    key ^= changed_key(memory, 4, before.queens, after.queens, white, there)
    key ^= changed_key(memory, 5, before.kings, after.kings, white, there)
    key ^= memory.turn_key
    if before.castling != after.castling or before.passant != after.passant:
        key ^= rights_key(memory, before) ^ rights_key(memory, after)
    return key
