"""The hand-made evaluation: what a position is worth to the side to move, in centipawns, without looking ahead.

It is the sum that lectures show: material and squares, each by how far the game has come (tapered), which are carried
along; mobility, pawns, and the safety of the king, which are counted afresh. A network can correct it, see
`plyground.engines.chess.judging`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.games.chess.attacks import (
    FILES,
    bishop_attacks,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    rook_attacks,
)
from plyground.games.chess.board import Board, bit
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled

__all__ = ["LARGEST", "PHASES", "SLOTS", "SUM_FIELDS", "begin_sum", "carry_sum", "fill_sum", "sum_value"]

SLOTS = 130
LARGEST = 20_000
PHASES = (0, 1, 1, 2, 4, 0)
"""What each piece counts towards the middlegame: 24 with all on the board."""
WHOLE = 24
VALUES = ((82, 96), (337, 290), (355, 305), (477, 520), (1000, 960), (0, 0))
"""Pawn, knight, bishop, rook, queen, king: in the middlegame and in the endgame."""
TEMPO = 14

SUM_FIELDS = [
    ("carried", np.int32, (SLOTS, 4)),  # White's middlegame and endgame less Black's, and the phase
    ("square_value", np.int16, (2, 6, 64, 2)),  # of each side's pieces, White's counted positive
    ("passed_value", np.int16, (8, 2)),  # of a passed pawn, by rank as its side sees it
    ("passed_span", np.uint64, (2, 64)),  # where the other side's pawns stop a pawn from being passed
    ("beside", np.uint64, 8),  # the files beside a file
]

CENTRE_FILES = (0, 1, 2, 3, 3, 2, 1, 0)
PAWN_FILES = (-4, 0, 2, 10, 10, 2, 0, -4)
PAWN_RANKS = ((0, 0), (-2, 4), (-4, 0), (4, 0), (14, 10), (26, 28), (46, 56), (0, 0))
KNIGHT_RANKS = (-22, -8, 4, 12, 18, 20, 4, -16)
KING_FILES = (14, 24, 6, -14, -10, -8, 26, 18)
KING_RANKS = (16, -8, -36, -58, -70, -76, -80, -80)
PASSED = ((0, 0), (0, 6), (0, 12), (8, 28), (24, 54), (52, 96), (80, 150), (0, 0))


def value_on(kind: int, square: int) -> tuple[int, int]:
    """What a white piece is worth on a square, in the middlegame and in the endgame."""
    rank, file = square >> 3, square & 7
    inner = min(CENTRE_FILES[file], CENTRE_FILES[rank])
    central = CENTRE_FILES[file] + CENTRE_FILES[rank]
    middlegame, endgame = VALUES[kind]
    if kind == 0:
        more = (PAWN_RANKS[rank][0] + (PAWN_FILES[file] if 1 < rank < 6 else 0), PAWN_RANKS[rank][1])
    elif kind == 1:
        more = (KNIGHT_RANKS[rank] + 8 * CENTRE_FILES[file] - 14, 9 * central - 32)
    elif kind == 2:
        more = (6 * inner + 3 * central - 14 - (8 if rank == 0 else 0), 4 * central - 12)
    elif kind == 3:
        more = (4 * CENTRE_FILES[file] - 6 + (14 if rank == 6 else 0), 10 if rank >= 4 else 0)
    elif kind == 4:
        more = (2 * central - 6, 8 * central - 26)
    else:
        more = (KING_FILES[file] + KING_RANKS[rank], 14 * central - 44 + 6 * inner)
    return middlegame + more[0], endgame + more[1]


def fill_sum(record: Any) -> Any:
    """Fill the tables of this evaluation in a thread's record."""
    for kind in range(6):
        for square in range(64):
            white = value_on(kind, square)
            record["square_value"][0, kind, square] = white
            record["square_value"][1, kind, square ^ 56] = (-white[0], -white[1])
    record["passed_value"] = PASSED
    for square in range(64):
        rank, file = square >> 3, square & 7
        beside = [other for other in (file - 1, file, file + 1) if 0 <= other < 8]
        record["passed_span"][0, square] = sum(1 << 8 * r + f for f in beside for r in range(rank + 1, 8))
        record["passed_span"][1, square] = sum(1 << 8 * r + f for f in beside for r in range(rank))
    for file in range(8):
        beside = [other for other in (file - 1, file + 1) if 0 <= other < 8]
        record["beside"][file] = sum(1 << 8 * r + f for f in beside for r in range(8))
    return None


@compiled
def begin_sum(memory: Any, board: Board, slot: int) -> None:
    """Work out the row of a board from nothing."""
    row = memory.carried[slot]
    row[0], row[1], row[2] = 0, 0, 0
    black = (board.pawns | board.knights | board.bishops | board.rooks | board.queens | board.kings) ^ board.white
    count_pieces(memory, row, 0, board.pawns & board.white, board.pawns & black, 1)
    count_pieces(memory, row, 1, board.knights & board.white, board.knights & black, 1)
    count_pieces(memory, row, 2, board.bishops & board.white, board.bishops & black, 1)
    count_pieces(memory, row, 3, board.rooks & board.white, board.rooks & black, 1)
    count_pieces(memory, row, 4, board.queens & board.white, board.queens & black, 1)
    count_pieces(memory, row, 5, board.kings & board.white, board.kings & black, 1)


@compiled
def count_pieces(memory: Any, row: Any, kind: int, white: Any, black: Any, sign: int) -> None:
    """Add pieces of one kind to a row, or take them away."""
    while white:
        square = bit_index(white)
        white &= white - np.uint64(1)
        row[0] += sign * memory.square_value[0, kind, square, 0]
        row[1] += sign * memory.square_value[0, kind, square, 1]
        row[2] += sign * PHASES[kind]
    while black:
        square = bit_index(black)
        black &= black - np.uint64(1)
        row[0] += sign * memory.square_value[1, kind, square, 0]
        row[1] += sign * memory.square_value[1, kind, square, 1]
        row[2] += sign * PHASES[kind]


@compiled
def carry_sum(memory: Any, before: Board, after: Board, slot: int) -> None:
    """Work out the row of a board from that of the board one move earlier."""
    old, row = memory.carried[slot], memory.carried[slot + 1]
    row[0], row[1], row[2] = old[0], old[1], old[2]
    carry_kind(memory, row, 0, before.pawns, after.pawns, before.white, after.white)
    carry_kind(memory, row, 1, before.knights, after.knights, before.white, after.white)
    carry_kind(memory, row, 2, before.bishops, after.bishops, before.white, after.white)
    carry_kind(memory, row, 3, before.rooks, after.rooks, before.white, after.white)
    carry_kind(memory, row, 4, before.queens, after.queens, before.white, after.white)
    carry_kind(memory, row, 5, before.kings, after.kings, before.white, after.white)


@compiled
def carry_kind(memory: Any, row: Any, kind: int, before: Any, after: Any, white: Any, white_after: Any) -> None:
    """Change a row by the pieces of one kind that have gone or come; a piece may replace one of the other side."""
    if before != after or before & (white ^ white_after):
        lost_white, lost_black = before & white, before & ~white
        new_white, new_black = after & white_after, after & ~white_after
        count_pieces(memory, row, kind, lost_white & ~new_white, lost_black & ~new_black, -1)
        count_pieces(memory, row, kind, new_white & ~lost_white, new_black & ~lost_black, 1)


@compiled
def side_terms(memory: Any, board: Board, side: int, own: Any, others: Any) -> tuple[int, int]:
    """Mobility, pawns and attack on the other king of one side, in the middlegame and in the endgame."""
    taken = own | others
    pawns, their_pawns = board.pawns & own, board.pawns & others
    guarded = pawn_attacks(their_pawns, 1 - side)
    ours = pawn_attacks(pawns, side)
    area = ~(guarded | pawns | board.kings & own)
    target = bit_index(board.kings & others)
    zone = king_attacks(target) | bit(target)
    zone |= zone >> np.uint64(8) if side == 0 else zone << np.uint64(8)
    middlegame, endgame, attackers, attack = 0, 0, 0, 0

    rest = board.knights & own
    while rest:
        square = bit_index(rest)
        rest &= rest - np.uint64(1)
        reach = knight_attacks(square)
        count = popcount(reach & area)
        middlegame += 5 * count - 20
        endgame += 5 * count - 20
        hits = popcount(reach & zone)
        if hits:
            attackers += 1
            attack += 18 + 6 * hits
        if ours & bit(square) and not memory.passed_span[side, square] & ~FILES[square] & their_pawns:
            middlegame += 16  # an outpost
            endgame += 8
    rest = board.bishops & own
    if rest & (rest - np.uint64(1)):
        middlegame += 28
        endgame += 48
    while rest:
        square = bit_index(rest)
        rest &= rest - np.uint64(1)
        reach = bishop_attacks(square, taken ^ board.queens & own)
        count = popcount(reach & area)
        middlegame += 5 * count - 28
        endgame += 5 * count - 28
        hits = popcount(reach & zone)
        if hits:
            attackers += 1
            attack += 16 + 6 * hits
    rest = board.rooks & own
    while rest:
        square = bit_index(rest)
        rest &= rest - np.uint64(1)
        reach = rook_attacks(square, taken ^ (board.queens | board.rooks) & own)
        count = popcount(reach & area)
        middlegame += 3 * count - 18
        endgame += 5 * count - 34
        hits = popcount(reach & zone)
        if hits:
            attackers += 1
            attack += 22 + 8 * hits
        if not FILES[square] & pawns:
            middlegame += 14 if FILES[square] & their_pawns else 32
            endgame += 8
    rest = board.queens & own
    while rest:
        square = bit_index(rest)
        rest &= rest - np.uint64(1)
        reach = bishop_attacks(square, taken) | rook_attacks(square, taken)
        count = popcount(reach & area)
        middlegame += 2 * count - 24
        endgame += 5 * count - 50
        hits = popcount(reach & zone)
        if hits:
            attackers += 1
            attack += 40 + 9 * hits

    middlegame += 34 * popcount(ours & others & (board.knights | board.bishops))
    middlegame += 50 * popcount(ours & others & (board.rooks | board.queens))
    endgame += 32 * popcount(ours & others & ~their_pawns)

    rest = pawns
    while rest:
        square = bit_index(rest)
        rest &= rest - np.uint64(1)
        ahead = memory.passed_span[side, square]
        if not memory.beside[square & 7] & pawns:
            middlegame -= 10
            endgame -= 12
        if ahead & FILES[square] & pawns:
            middlegame -= 6
            endgame -= 16
        elif not ahead & their_pawns:
            rank = square >> 3 if side == 0 else 7 - (square >> 3)
            value, late = memory.passed_value[rank, 0], memory.passed_value[rank, 1]
            front = square + 8 if side == 0 else square - 8
            if taken & bit(front):
                value, late = value // 2, late // 2
            near = steps_between(front, bit_index(board.kings & own))
            far = steps_between(front, target)
            middlegame += value
            endgame += late + (far * 5 - near * 2) * max(0, rank - 2)
        if ours & bit(square):
            middlegame += 8
            endgame += 5

    # The shelter of the own king matters as much as there is to attack it.
    king = bit_index(board.kings & own)
    before = memory.passed_span[side, king] & pawns
    close = king_attacks(king) & before
    middlegame += 13 * popcount(close) + 5 * popcount(before & ~close)
    if not FILES[king] & pawns:
        middlegame -= 22
    if attackers > 1 and board.queens & own:
        middlegame += min(450, attack * attack // 90)
        endgame += attack // 8
    elif attackers > 1:
        middlegame += attack // 6
    return middlegame, endgame


@compiled
def steps_between(one: int, other: int) -> int:
    """How many moves a king needs from one square to another."""
    return max(abs((one >> 3) - (other >> 3)), abs((one & 7) - (other & 7)))


@compiled
def sum_value(memory: Any, board: Board, slot: int) -> int:
    """What the position is worth to the side to move."""
    every = board.pawns | board.knights | board.bishops | board.rooks | board.queens | board.kings
    black = every ^ board.white
    row = memory.carried[slot]
    middlegame, endgame, phase = int(row[0]), int(row[1]), min(WHOLE, int(row[2]))
    more, late = side_terms(memory, board, 0, board.white, black)
    less, late_less = side_terms(memory, board, 1, black, board.white)
    middlegame += more - less
    endgame += late + drive(board, board.white, black) - late_less - drive(board, black, board.white)
    endgame = endgame * winning_share(board, board.white if endgame > 0 else black) // 64
    value = (middlegame * phase + endgame * (WHOLE - phase)) // WHOLE
    value = (value if board.turn == 0 else -value) + TEMPO
    value = value * (220 - min(100, board.clock)) // 220
    return max(1 - LARGEST, min(LARGEST - 1, value))


@compiled
def drive(board: Board, own: Any, others: Any) -> int:
    """What it is worth to have a bare king at the edge, and the own king near it."""
    if others & ~board.kings or not own & (board.queens | board.rooks | board.bishops | board.knights):
        return 0
    king, near = bit_index(board.kings & others), bit_index(board.kings & own)
    rank, file = king >> 3, king & 7
    return 20 * max(3 - min(rank, 7 - rank), 3 - min(file, 7 - file)) - 8 * steps_between(king, near)


@compiled
def winning_share(board: Board, own: Any) -> int:
    """How much of its advantage in the endgame the side that has these pieces can make use of, in 64ths."""
    if not board.pawns & own:
        heavy = popcount(own & (board.rooks | board.queens)), popcount(~own & (board.rooks | board.queens))
        light = board.knights | board.bishops
        if heavy[0] <= heavy[1] and popcount(own & light) <= popcount(~own & light) + 1:
            return 12
    if (
        not board.knights | board.rooks | board.queens
        and popcount(board.bishops) == 2
        and popcount(board.bishops & own) == 1
        and popcount(board.bishops & np.uint64(0xAA55AA55AA55AA55)) == 1
    ):
        return 32
    return 64
