"""What each piece attacks.

The functions of bishops and rooks are plain Python, square after square. Compiled code takes hyperbola quintessence
instead: on a line, o ^ (o - 2r) are the squares from the piece r up to the first one of o that is taken. The other
direction is the same on a board turned upside down, which is one instruction. Ranks have a table of 512 bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.games.chess.board import FILE_A, FILE_H, Board, Chess, bit, own_pieces
from plyground.native.bits import bit_index, bytes_swapped
from plyground.native.overloads import native

__all__ = [
    "ANTIDIAGONALS", "DIAGONALS", "FILES", "RANKS", "bishop_attacks", "in_check", "is_attacked", "king_attacks",
    "knight_attacks", "pawn_attacks", "rook_attacks",
]  # fmt: skip

BISHOP = ((1, 1), (1, -1), (-1, 1), (-1, -1))
ROOK = ((1, 0), (-1, 0), (0, 1), (0, -1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _ray(square: int, up: int, right: int) -> list[int]:
    """The squares from `square` (not included) to the edge in one direction."""
    rank, file = square // 8 + up, square % 8 + right
    ray = []
    while 0 <= rank < 8 and 0 <= file < 8:
        ray.append(8 * rank + file)
        rank, file = rank + up, file + right
    return ray


def _line(square: int, *directions: tuple[int, int]) -> int:
    return sum(1 << s for direction in directions for s in _ray(square, *direction))


def _steps(steps: tuple[tuple[int, int], ...]) -> Any:
    return np.array([sum(1 << ray[0] for step in steps if (ray := _ray(s, *step))) for s in range(64)], np.uint64)


KNIGHT, KING = _steps(LEAPS), _steps(BISHOP + ROOK)
_RAYS = {way: [_ray(square, *way) for square in range(64)] for way in BISHOP + ROOK}
FILES, RANKS, DIAGONALS, ANTIDIAGONALS = (
    np.array([_line(s, way, (-way[0], -way[1])) for s in range(64)], np.uint64)
    for way in ((1, 0), (0, 1), (1, 1), (1, -1))
)


def _slide(square: Any, taken: Any, ways: tuple[tuple[int, int], ...]) -> int:
    found, taken = 0, int(taken)
    for way in ways:
        for place in _RAYS[way][int(square)]:
            found |= 1 << place
            if taken >> place & 1:
                break
    return found


ON_RANKS = np.array([_slide(file, inner << 1, ((0, 1), (0, -1))) for inner in range(64) for file in range(8)], np.uint8)
"""What a rook on a file of the first rank attacks there, for each set of taken squares between a1 and h1."""


def knight_attacks(square: Any) -> Any:
    """Where a knight on this square can go."""
    return KNIGHT[square]


def king_attacks(square: Any) -> Any:
    """Where a king on this square can go."""
    return KING[square]


def bishop_attacks(square: Any, taken: Any) -> Any:
    """Where a bishop on this square can go, the first taken square of each line included."""
    return np.uint64(_slide(square, taken, BISHOP))


def rook_attacks(square: Any, taken: Any) -> Any:
    """Where a rook on this square can go, the first taken square of each line included."""
    return np.uint64(_slide(square, taken, ROOK))


def pawn_attacks(pawns: Any, turn: Any) -> Any:
    """What pawns of White (0) or Black attack."""
    west, east = pawns & ~FILE_A, pawns & ~FILE_H
    if turn == 0:
        return west << np.uint64(7) | east << np.uint64(9)
    return west >> np.uint64(9) | east >> np.uint64(7)


def is_attacked(state: Chess | Board, square: Any, turn: Any, attackers: Any, taken: Any) -> bool:
    """Whether one of these attackers attacks a square of the side `turn`, if the squares `taken` are.

    The attackers are pieces of the other side; what they are is in the state.
    """
    straight = (state.rooks | state.queens) & attackers
    oblique = (state.bishops | state.queens) & attackers
    return bool(
        pawn_attacks(bit(square), turn) & state.pawns & attackers
        or knight_attacks(square) & state.knights & attackers
        or king_attacks(square) & state.kings & attackers
        or (straight and rook_attacks(square, taken) & straight)
        or (oblique and bishop_attacks(square, taken) & oblique)
    )


def in_check(state: Chess | Board) -> bool:
    """Whether the king of the side to move is attacked."""
    own, others = own_pieces(state)
    return is_attacked(state, bit_index(state.kings & own), state.turn, others, own | others)


# In compiled code ------------------------------------------------------------------------------------------------


def _along(line: Any, taken: Any, piece: Any) -> Any:
    """What a piece attacks along a line that has one square on each rank."""
    return line


@native(_along)
def _along_compiled(line: Any, taken: Any, piece: Any) -> Any:
    def impl(line, taken, piece):  # type: ignore[no-untyped-def]
        blockers = taken & line
        up = blockers - (piece << np.uint64(1))
        down = bytes_swapped(bytes_swapped(blockers) - (bytes_swapped(piece) << np.uint64(1)))
        return (up ^ down) & line

    return impl


@native(bishop_attacks)
def _bishop_attacks(square: Any, taken: Any) -> Any:
    def impl(square, taken):  # type: ignore[no-untyped-def]
        place = np.uint64(square)
        piece = np.uint64(1) << place
        return _along(DIAGONALS[place], taken, piece) | _along(ANTIDIAGONALS[place], taken, piece)

    return impl


@native(rook_attacks)
def _rook_attacks(square: Any, taken: Any) -> Any:
    def impl(square, taken):  # type: ignore[no-untyped-def]
        place = np.uint64(square)
        first = place & np.uint64(56)
        inner = taken >> (first + np.uint64(1)) & np.uint64(63)
        rank = np.uint64(ON_RANKS[inner << np.uint64(3) | place & np.uint64(7)]) << first
        return _along(FILES[place], taken, np.uint64(1) << place) | rank

    return impl


@native(knight_attacks)
def _knight_attacks(square: Any) -> Any:
    return lambda square: KNIGHT[np.uint64(square)]


@native(king_attacks)
def _king_attacks(square: Any) -> Any:
    return lambda square: KING[np.uint64(square)]
