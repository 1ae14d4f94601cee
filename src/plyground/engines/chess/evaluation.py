"""The evaluation: what a position is worth to the side to move, in centipawns, without looking ahead.

It is the sum that lectures show: what each side has is counted, and each count has a weight for the middlegame and one
for the endgame, between which how many pieces are left decides. `TERMS` lists what is counted. Pieces on squares are
carried along a line, pawns are looked up where they stood so before, the rest is counted afresh. The weights are learnt
by `plyground train chess weights` and are bundled. A network can correct the sum, see `judging`.

Everything is counted from White's side; for Black the board is turned upside down and the colours are exchanged. Both
weights of a count, and the phase of the game, are kept in one number of 64 bits, so that one addition adds all three.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import Expected, read_arrays, write_arrays
from plyground.games.chess.attacks import (
    FILES,
    bishop_attacks,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    rook_attacks,
)
from plyground.games.chess.board import FILE_A, FILE_H, Board, bit
from plyground.native.bits import bit_index, bytes_swapped, mix64, popcount
from plyground.native.compiling import compiled

__all__ = [
    "COUNTS", "LARGEST", "PHASES", "PLACE", "SLOTS", "SUM_FIELDS", "TERMS", "WHOLE", "begin_sum", "bundled_weights",
    "carry_sum", "endgame_of", "fill_sum", "fill_weights", "full_count", "load_weights", "middlegame_of", "phase_of",
    "save_weights", "sum_value", "winning_share",
]  # fmt: skip

SLOTS = 130
LARGEST = 20_000
PHASES = (0, 1, 1, 2, 4, 0)
"""What each piece counts towards the middlegame: 24 with all on the board."""
WHOLE = 24

TERMS = (
    ("piece_on_square", 384),  # by kind and square
    ("knight_moves", 9),  # by how many squares a piece attacks that are not guarded by pawns
    ("bishop_moves", 14),
    ("rook_moves", 15),
    ("queen_moves", 28),
    ("bishop_pair", 1),
    ("outpost", 2),  # of knight and bishop: guarded by a pawn, and no pawn of the other side can chase it away
    ("behind_pawn", 1),  # a knight or bishop
    ("bishop_pawns", 1),  # own pawns on the squares of a bishop's colour
    ("rook_file", 2),  # without own pawns; without any
    ("isolated", 2),  # no pawn beside it; the same with no pawn of the other side ahead
    ("backward", 2),  # the pawns beside it are ahead, and where it would go is attacked
    ("doubled", 1),
    ("supported", 8),  # guarded by a pawn, by rank
    ("phalanx", 8),  # beside a pawn
    ("candidate", 8),  # as many pawns help it as stand against it
    ("passed", 8),  # no pawn can stop it
    ("passed_blocked", 8),
    ("passed_free", 8),  # nothing stands or attacks on its way
    ("passed_supported", 8),
    ("passed_far", 8),  # times the steps of the other king to the square before it, up to 5
    ("passed_near", 8),  # times those of the own king
    ("shelter", 32),  # the pawn before the king on three files, by file from the edge and how far ahead, 0 for none
    ("storm", 32),  # the same of the other side's pawns
    ("danger", 32),  # to the other king, by how much attacks it
    ("danger_without_queen", 32),
    ("pawn_attacks", 6),  # by the kind that is attacked
    ("minor_attacks", 6),
    ("rook_attacks", 6),
    ("hanging", 6),  # attacked and not guarded
    ("king_attacks", 1),  # a piece that is not guarded
    ("push_attacks", 1),  # a pawn could go on and attack a piece, in safety
    ("space", 1),  # squares behind the own pawns in the centre that are not attacked by pawns
    ("to_move", 1),
)
"""What is counted, and how many weights each has: White's count less Black's."""
_ENDS = list(accumulate(size for _, size in TERMS))
COUNTS = _ENDS[-1]
PLACE = {name: end - size for (name, size), end in zip(TERMS, _ENDS, strict=True)}
"""Where the weights of a term begin."""

KNIGHT_MOVES, BISHOP_MOVES = PLACE["knight_moves"], PLACE["bishop_moves"]
ROOK_MOVES, QUEEN_MOVES = PLACE["rook_moves"], PLACE["queen_moves"]
BISHOP_PAIR, OUTPOST, BEHIND_PAWN = PLACE["bishop_pair"], PLACE["outpost"], PLACE["behind_pawn"]
BISHOP_PAWNS, ROOK_FILE = PLACE["bishop_pawns"], PLACE["rook_file"]
ISOLATED, BACKWARD, DOUBLED = PLACE["isolated"], PLACE["backward"], PLACE["doubled"]
SUPPORTED, PHALANX, CANDIDATE = PLACE["supported"], PLACE["phalanx"], PLACE["candidate"]
PASSED, PASSED_BLOCKED, PASSED_FREE = PLACE["passed"], PLACE["passed_blocked"], PLACE["passed_free"]
PASSED_SUPPORTED = PLACE["passed_supported"]
PASSED_FAR, PASSED_NEAR = PLACE["passed_far"], PLACE["passed_near"]
SHELTER, STORM = PLACE["shelter"], PLACE["storm"]
DANGER, DANGER_WITHOUT_QUEEN = PLACE["danger"], PLACE["danger_without_queen"]
PAWN_ATTACKS, MINOR_ATTACKS, ROOK_ATTACKS = PLACE["pawn_attacks"], PLACE["minor_attacks"], PLACE["rook_attacks"]
HANGING, KING_ATTACKS, PUSH_ATTACKS = PLACE["hanging"], PLACE["king_attacks"], PLACE["push_attacks"]
SPACE, TO_MOVE = PLACE["space"], PLACE["to_move"]

PAWN_SLOTS = 1 << 12
WEIGHTS: Expected = {"middlegame": ("<i2", (COUNTS,)), "endgame": ("<i2", (COUNTS,))}
BUNDLED = Path(__file__).with_name("weights.npz")

FIELD = 24
HALF = 1 << (FIELD - 1)
MASK = (1 << FIELD) - 1
ALL = (1 << 64) - 1
LIGHT, DARK = np.uint64(0x55AA55AA55AA55AA), np.uint64(0xAA55AA55AA55AA55)
OUTPOSTS = np.uint64(0x0000FFFFFF000000)
CENTRE = np.uint64(0x000000003C3C3C00)
THIRD_RANK = np.uint64(0x0000000000FF0000)
ONE_UP = np.uint64(8)

SUM_FIELDS = [
    ("carried", np.int64, SLOTS),  # White's pieces on squares less Black's, and the phase, for each ply from the root
    ("square_value", np.int64, (2, 6, 64)),  # of each side's pieces, White's counted positive
    ("weight", np.int64, COUNTS),
    ("passed_span", np.uint64, 64),  # the squares ahead of a pawn, on its file and beside it
    ("beside", np.uint64, 64),  # the files beside a square's
    ("steps", np.uint8, (64, 64)),  # of a king from one square to another
    ("pawn_sets", np.uint64, (PAWN_SLOTS, 2)),  # pawns that were looked at before: all, White's
    ("pawn_score", np.int64, PAWN_SLOTS),  # White's less Black's
    ("pawn_passed", np.uint64, PAWN_SLOTS),  # the passed ones
]
"""What the sum has in the record of a thread."""

# Weights --------------------------------------------------------------------------------------------------------------


def load_weights(path: Path) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The weights in a file, of the middlegame and of the endgame, in centipawns; `FormatError` if it is not one."""
    found = read_arrays(path, "file of weights for chess", WEIGHTS, hint="plyground train chess weights writes one")
    return found["middlegame"], found["endgame"]


def save_weights(path: Path, middlegame: NDArray[np.int16], endgame: NDArray[np.int16]) -> None:
    """Write weights."""
    write_arrays(path, middlegame=middlegame.astype("<i2"), endgame=endgame.astype("<i2"))


@cache
def bundled_weights() -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The weights that the engine plays with."""
    return load_weights(BUNDLED)


def fill_weights(record: Any, middlegame: NDArray[Any], endgame: NDArray[Any]) -> None:
    """Put weights into a thread's record."""
    both = middlegame.astype(np.int64) + (endgame.astype(np.int64) << FIELD)
    record["weight"] = both
    record["pawn_sets"], record["pawn_score"], record["pawn_passed"] = 0, 0, 0
    for kind in range(6):
        phase = PHASES[kind] << (2 * FIELD)
        for square in range(64):
            record["square_value"][0, kind, square] = both[64 * kind + square] + phase
            record["square_value"][1, kind, square ^ 56] = -both[64 * kind + square] + phase


def fill_sum(record: Any) -> None:
    """Fill the tables of this evaluation in a thread's record."""
    for square in range(64):
        rank, file = square >> 3, square & 7
        near = [other for other in (file - 1, file, file + 1) if 0 <= other < 8]
        record["passed_span"][square] = sum(1 << 8 * r + f for f in near for r in range(rank + 1, 8))
        record["beside"][square] = sum(1 << 8 * r + f for f in near if f != file for r in range(8))
        for other in range(64):
            record["steps"][square, other] = max(abs(rank - (other >> 3)), abs(file - (other & 7)))
    fill_weights(record, *bundled_weights())


@compiled
def middlegame_of(total: int) -> int:
    """The first part of a sum."""
    return ((total + HALF) & MASK) - HALF


@compiled
def endgame_of(total: int) -> int:
    """The second part of a sum."""
    return (((total + HALF) >> FIELD) + HALF & MASK) - HALF


@compiled
def phase_of(total: int) -> int:
    """The third part of a sum."""
    return (total + HALF + (HALF << FIELD)) >> (2 * FIELD)


# Pieces on squares ----------------------------------------------------------------------------------------------------


@compiled
def begin_sum(memory: Any, board: Board, slot: int) -> None:
    """Work out the row of a board from nothing."""
    black = (board.pawns | board.knights | board.bishops | board.rooks | board.queens | board.kings) ^ board.white
    total = worth(memory, 0, board.pawns & board.white, board.pawns & black)
    total += worth(memory, 1, board.knights & board.white, board.knights & black)
    total += worth(memory, 2, board.bishops & board.white, board.bishops & black)
    total += worth(memory, 3, board.rooks & board.white, board.rooks & black)
    total += worth(memory, 4, board.queens & board.white, board.queens & black)
    memory.carried[slot] = total + worth(memory, 5, board.kings & board.white, board.kings & black)


@compiled
def worth(memory: Any, kind: int, white: Any, black: Any) -> int:
    """What pieces of one kind are worth on their squares."""
    total = np.int64(0)
    while white:
        total += memory.square_value[0, kind, bit_index(white)]
        white &= white - np.uint64(1)
    while black:
        total += memory.square_value[1, kind, bit_index(black)]
        black &= black - np.uint64(1)
    return total  # type: ignore[return-value]


@compiled
def carry_sum(memory: Any, before: Board, after: Board, slot: int) -> None:
    """Work out the row of a board from that of the board one move earlier."""
    white, there = before.white, after.white
    total = memory.carried[slot] + carried_kind(memory, 0, before.pawns, after.pawns, white, there)
    total += carried_kind(memory, 1, before.knights, after.knights, white, there)
    total += carried_kind(memory, 2, before.bishops, after.bishops, white, there)
    total += carried_kind(memory, 3, before.rooks, after.rooks, white, there)
    total += carried_kind(memory, 4, before.queens, after.queens, white, there)
    memory.carried[slot + 1] = total + carried_kind(memory, 5, before.kings, after.kings, white, there)


@compiled
def carried_kind(memory: Any, kind: int, before: Any, after: Any, white: Any, there: Any) -> int:
    """What the pieces of one kind that have gone or come change; a piece may replace one of the other side."""
    total = np.int64(0)
    if before != after or before & (white ^ there):
        lost_white, lost_black = before & white, before & ~white
        new_white, new_black = after & there, after & ~there
        total += worth(memory, kind, new_white & ~lost_white, new_black & ~lost_black)
        total -= worth(memory, kind, lost_white & ~new_white, lost_black & ~new_black)
    return total  # type: ignore[return-value]


# Pawns ----------------------------------------------------------------------------------------------------------------


@compiled
def pawn_terms(memory: Any, ours: Any, theirs: Any) -> tuple[int, Any]:
    """What pawns are worth to the side whose they are, and which are passed, seen from its side."""
    total, passed = np.int64(0), np.uint64(0)
    guarded = pawn_attacks(ours, 0)
    attacked = pawn_attacks(theirs, 1)
    phalanx = (ours & ~FILE_A) >> np.uint64(1) | (ours & ~FILE_H) << np.uint64(1)
    rest = ours
    while rest:
        square = bit_index(rest)
        rest &= rest - np.uint64(1)
        rank, here = square >> 3, bit(square)
        span, file = memory.passed_span[square], FILES[square]
        beside = memory.beside[square] & ours
        opposed = span & file & theirs
        if not beside:
            total += memory.weight[ISOLATED + (0 if opposed else 1)]
        elif not beside & ~span and attacked & here << ONE_UP:
            total += memory.weight[BACKWARD + (0 if opposed else 1)]
        if guarded & here:
            total += memory.weight[SUPPORTED + rank]
        if phalanx & here:
            total += memory.weight[PHALANX + rank]
        if span & file & ours:
            total += memory.weight[DOUBLED]
        elif not span & theirs:
            passed |= here
            total += memory.weight[PASSED + rank]
        elif not opposed and popcount(span & theirs) <= popcount(beside & ~span):
            total += memory.weight[CANDIDATE + rank]
    return total, passed  # type: ignore[return-value]


@compiled
def pawns_at(memory: Any, board: Board) -> int:
    """Where what is known of these pawns is kept; it is worked out if others were there."""
    white = board.pawns & board.white
    place = np.int64(mix64(board.pawns ^ mix64(white)) & np.uint64(PAWN_SLOTS - 1))
    if memory.pawn_sets[place, 0] != board.pawns or memory.pawn_sets[place, 1] != white:
        black = board.pawns ^ white
        more, passed = pawn_terms(memory, white, black)
        less, passed_black = pawn_terms(memory, bytes_swapped(black), bytes_swapped(white))
        memory.pawn_sets[place, 0], memory.pawn_sets[place, 1] = board.pawns, white
        memory.pawn_score[place] = more - less
        memory.pawn_passed[place] = passed | bytes_swapped(passed_black)
    return place  # type: ignore[return-value]


@compiled
def shelter_terms(memory: Any, king: int, ours: Any, theirs: Any) -> int:
    """What the pawns before a king on three files are worth to its side, ours and theirs."""
    total = np.int64(0)
    middle = min(6, max(1, king & 7))
    rank = king >> 3
    ahead = np.uint64(ALL) << np.uint64(8 * rank)
    for file in range(middle - 1, middle + 2):
        column = FILE_A << np.uint64(file) & ahead
        edge = 8 * min(file, 7 - file)
        mine, other = ours & column, theirs & column
        total += memory.weight[SHELTER + edge + ((bit_index(mine) >> 3) - rank if mine else 0)]
        total += memory.weight[STORM + edge + ((bit_index(other) >> 3) - rank if other else 0)]
    return total  # type: ignore[return-value]


# Pieces ---------------------------------------------------------------------------------------------------------------


@compiled
def upside_down(board: Board) -> Board:
    """The board as the other side sees it: White's pieces are Black's now."""
    every = board.pawns | board.knights | board.bishops | board.rooks | board.queens | board.kings
    return Board(
        bytes_swapped(board.pawns), bytes_swapped(board.knights), bytes_swapped(board.bishops),
        bytes_swapped(board.rooks), bytes_swapped(board.queens), bytes_swapped(board.kings),
        bytes_swapped(every ^ board.white), board.castling, board.turn, board.passant, board.clock, board.shuffled,
    )  # fmt: skip


@compiled
def piece_terms(memory: Any, board: Board, own: Any, others: Any) -> tuple[int, int, int, Any, Any, Any]:
    """What White's pieces are worth for where they can go; how many attack near the other king, and how much.

    The rest of what is returned are the squares that knights and bishops attack, that rooks do, that queens do.
    """
    taken = own | others
    pawns, their_pawns = board.pawns & own, board.pawns & others
    ours, guarded = pawn_attacks(pawns, 0), pawn_attacks(their_pawns, 1)
    area = ~(guarded | board.kings & own | pawns & (taken >> ONE_UP))
    target = bit_index(board.kings & others)
    zone = king_attacks(target) | bit(target)
    zone |= zone >> ONE_UP
    total, attackers, attack = np.int64(0), 0, 0
    by_minor, by_rook, by_queen = np.uint64(0), np.uint64(0), np.uint64(0)

    rest = board.knights & own
    while rest:
        square = bit_index(rest)
        rest &= rest - np.uint64(1)
        reach = knight_attacks(square)
        by_minor |= reach
        total += memory.weight[KNIGHT_MOVES + popcount(reach & area)]
        hits = popcount(reach & zone)
        if hits:
            attackers += 1
            attack += 18 + 6 * hits
        if OUTPOSTS & ours & bit(square) and not memory.passed_span[square] & ~FILES[square] & their_pawns:
            total += memory.weight[OUTPOST]
    rest = board.bishops & own
    if rest & (rest - np.uint64(1)):
        total += memory.weight[BISHOP_PAIR]
    while rest:
        square = bit_index(rest)
        rest &= rest - np.uint64(1)
        reach = bishop_attacks(square, taken ^ board.queens & own)
        by_minor |= reach
        total += memory.weight[BISHOP_MOVES + popcount(reach & area)]
        hits = popcount(reach & zone)
        if hits:
            attackers += 1
            attack += 16 + 6 * hits
        if OUTPOSTS & ours & bit(square) and not memory.passed_span[square] & ~FILES[square] & their_pawns:
            total += memory.weight[OUTPOST + 1]
        total += memory.weight[BISHOP_PAWNS] * popcount(pawns & (DARK if DARK & bit(square) else LIGHT))
    total += memory.weight[BEHIND_PAWN] * popcount((board.knights | board.bishops) & own & board.pawns >> ONE_UP)
    rest = board.rooks & own
    while rest:
        square = bit_index(rest)
        rest &= rest - np.uint64(1)
        reach = rook_attacks(square, taken ^ (board.queens | board.rooks) & own)
        by_rook |= reach
        total += memory.weight[ROOK_MOVES + popcount(reach & area)]
        hits = popcount(reach & zone)
        if hits:
            attackers += 1
            attack += 22 + 8 * hits
        if not FILES[square] & pawns:
            total += memory.weight[ROOK_FILE + (0 if FILES[square] & their_pawns else 1)]
    rest = board.queens & own
    while rest:
        square = bit_index(rest)
        rest &= rest - np.uint64(1)
        reach = bishop_attacks(square, taken) | rook_attacks(square, taken)
        by_queen |= reach
        total += memory.weight[QUEEN_MOVES + popcount(reach & area)]
        hits = popcount(reach & zone)
        if hits:
            attackers += 1
            attack += 40 + 9 * hits
    return total, attackers, attack, by_minor, by_rook, by_queen


@compiled
def meeting_terms(
    memory: Any, board: Board, own: Any, others: Any, attackers: int, attack: int,
    by_minor: Any, by_rook: Any, by_queen: Any, guarded: Any, passed: Any,
) -> int:  # fmt: skip
    """What it is worth to White where both sides meet: threats, the other king in danger, passed pawns.

    `guarded` are the squares that the other side attacks.
    """
    total = np.int64(0)
    taken = own | others
    pawns, their_pawns = board.pawns & own, board.pawns & others
    ours, by_their_pawns = pawn_attacks(pawns, 0), pawn_attacks(their_pawns, 1)
    king, target = bit_index(board.kings & own), bit_index(board.kings & others)
    by_king = king_attacks(king)
    attacked = ours | by_minor | by_rook | by_queen | by_king

    # Threats.
    light, pieces = (board.knights | board.bishops) & others, others & ~their_pawns
    rooks, queens = board.rooks & others, board.queens & others
    total += memory.weight[PAWN_ATTACKS + 1] * popcount(ours & light)
    total += memory.weight[PAWN_ATTACKS + 3] * popcount(ours & rooks)
    total += memory.weight[PAWN_ATTACKS + 4] * popcount(ours & queens)
    total += memory.weight[MINOR_ATTACKS + 1] * popcount(by_minor & light)
    total += memory.weight[MINOR_ATTACKS + 3] * popcount(by_minor & rooks)
    total += memory.weight[MINOR_ATTACKS + 4] * popcount(by_minor & queens)
    total += memory.weight[ROOK_ATTACKS + 1] * popcount(by_rook & light)
    total += memory.weight[ROOK_ATTACKS + 4] * popcount(by_rook & queens)
    loose = attacked & ~guarded & others
    if loose:
        total += memory.weight[HANGING] * popcount(loose & their_pawns)
        total += memory.weight[HANGING + 1] * popcount(loose & light)
        total += memory.weight[HANGING + 3] * popcount(loose & (rooks | queens))
        total += memory.weight[KING_ATTACKS] * popcount(loose & by_king)
    steps = pawns << ONE_UP & ~taken
    steps |= (steps & THIRD_RANK) << ONE_UP & ~taken
    steps &= ~by_their_pawns & (attacked | ~guarded)
    total += memory.weight[PUSH_ATTACKS] * popcount(pawn_attacks(steps, 0) & pieces)
    total += memory.weight[SPACE] * popcount(CENTRE & ~pawns & ~by_their_pawns)

    # The other king.
    if attackers:
        safe = ~(guarded | own)
        lines, files = bishop_attacks(target, taken), rook_attacks(target, taken)
        attack += 24 * popcount((knight_attacks(target) | lines) & by_minor & safe)
        attack += 30 * popcount(files & by_rook & safe)
        attack += 24 * popcount((lines | files) & by_queen & safe)
        attack += 8 * popcount(king_attacks(target) & attacked & ~guarded)
        attack = min(31, attack >> 3)
        total += memory.weight[(DANGER if board.queens & own else DANGER_WITHOUT_QUEEN) + attack]

    # Passed pawns.
    rest = passed & own
    while rest:
        square = bit_index(rest)
        rest &= rest - np.uint64(1)
        rank, front = square >> 3, square + 8
        if taken & bit(front):
            total += memory.weight[PASSED_BLOCKED + rank]
        if not memory.passed_span[square] & FILES[square] & (taken | guarded):
            total += memory.weight[PASSED_FREE + rank]
        if ours & bit(square):
            total += memory.weight[PASSED_SUPPORTED + rank]
        total += memory.weight[PASSED_FAR + rank] * np.int64(min(5, memory.steps[target, front]))
        total += memory.weight[PASSED_NEAR + rank] * np.int64(min(5, memory.steps[king, front]))
    return total + shelter_terms(memory, king, pawns, their_pawns)  # type: ignore[no-any-return]


@compiled
def counted(memory: Any, board: Board) -> int:
    """What is counted afresh, White's less Black's."""
    every = board.pawns | board.knights | board.bishops | board.rooks | board.queens | board.kings
    white, black = board.white, every ^ board.white
    turned = upside_down(board)
    own, others = turned.white, bytes_swapped(white)
    more, number, strength, by_minor, by_rook, by_queen = piece_terms(memory, board, white, black)
    less, their_number, their_strength, their_minor, their_rook, their_queen = piece_terms(memory, turned, own, others)
    place = pawns_at(memory, board)
    passed = memory.pawn_passed[place]
    guarded = their_minor | their_rook | their_queen | pawn_attacks(turned.pawns & own, 0)
    guarded |= king_attacks(bit_index(turned.kings & own))
    their_guarded = by_minor | by_rook | by_queen | pawn_attacks(board.pawns & white, 0)
    their_guarded |= king_attacks(bit_index(board.kings & white))
    more += meeting_terms(
        memory, board, white, black, number, strength, by_minor, by_rook, by_queen, bytes_swapped(guarded), passed
    )
    less += meeting_terms(
        memory, turned, own, others, their_number, their_strength, their_minor, their_rook, their_queen,
        bytes_swapped(their_guarded), bytes_swapped(passed),
    )  # fmt: skip
    more += memory.pawn_score[place] - less
    return more + memory.weight[TO_MOVE] if board.turn == 0 else more - memory.weight[TO_MOVE]  # type: ignore[no-any-return]


@compiled
def full_count(memory: Any, board: Board) -> int:
    """The whole sum of a board, both parts and the phase, with nothing carried along."""
    begin_sum(memory, board, 0)
    return memory.carried[0] + counted(memory, board)  # type: ignore[no-any-return]


# The value ------------------------------------------------------------------------------------------------------------


@compiled
def sum_value(memory: Any, board: Board, slot: int) -> int:
    """What the position is worth to the side to move."""
    total = memory.carried[slot] + counted(memory, board)
    middlegame, endgame, phase = middlegame_of(total), endgame_of(total), min(WHOLE, phase_of(total))
    every = board.pawns | board.knights | board.bishops | board.rooks | board.queens | board.kings
    black = every ^ board.white
    endgame = endgame * winning_share(board, board.white if endgame > 0 else black) // 64
    if not board.pawns:
        endgame += drive(memory, board, board.white, black) - drive(memory, board, black, board.white)
    value = (middlegame * phase + endgame * (WHOLE - phase)) // WHOLE
    value = value if board.turn == 0 else -value
    value = value * (220 - min(100, board.clock)) // 220
    return max(1 - LARGEST, min(LARGEST - 1, value))


@compiled
def drive(memory: Any, board: Board, own: Any, others: Any) -> int:
    """What it is worth to have a bare king at the edge, and the own king near it."""
    if others & ~board.kings or not own & (board.queens | board.rooks | board.bishops | board.knights):
        return 0
    king, near = bit_index(board.kings & others), bit_index(board.kings & own)
    rank, file = king >> 3, king & 7
    return 20 * max(3 - min(rank, 7 - rank), 3 - min(file, 7 - file)) - 8 * np.int64(memory.steps[king, near])  # type: ignore[return-value]


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
