"""The legal moves of a chess position, found directly: no move is made to see whether it leaves the king in check.

What a legal move must keep to (`limits`): it ends on a square that captures or blocks the checker, and a piece that is
pinned stays on the line of its pin. Pawns of one side are moved all at once, other pieces one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.core.rules import with_item
from plyground.games.chess.attacks import (
    ANTIDIAGONALS,
    DIAGONALS,
    FILES,
    RANKS,
    bishop_attacks,
    is_attacked,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    rook_attacks,
)
from plyground.games.chess.board import (
    CASTLED,
    FILE_A,
    FILE_H,
    LAST_RANKS,
    NO_PAST,
    NOTHING,
    ONE,
    PAST,
    UNDERPROMOTIONS,
    Board,
    Chess,
    bit,
    move_squares,
    moved_onto,
    own_pieces,
    underpromotion,
)
from plyground.native.bits import bit_index, popcount

__all__ = [
    "EVERYWHERE",
    "after",
    "castles",
    "count_moves",
    "legal_moves",
    "limits",
    "list_moves",
    "list_targets",
    "mobility",
    "pawn_targets",
    "placed",
    "takers_in_passing",
    "threats",
]

MOST_MOVES = 256
"""More than any position has: 218 is the most that is known."""
EVERYWHERE = np.uint64(0xFFFFFFFFFFFFFFFF)
THIRD, SIXTH = np.uint64(0x0000000000FF0000), np.uint64(0x0000FF0000000000)


def limits(state: Chess | Board, own: Any, others: Any) -> tuple[int, Any, Any, Any]:
    """The king's square, the squares where another piece may end, and the lines of pins: straight and oblique ones."""
    king = bit_index(state.kings & own)
    taken = own | others
    allowed = others & (
        knight_attacks(king) & state.knights | pawn_attacks(state.kings & own, state.turn) & state.pawns
    )
    checks = popcount(allowed)
    straight, oblique = NOTHING, NOTHING
    sliders = (FILES[king] | RANKS[king]) & (state.rooks | state.queens) & others
    while sliders:
        slider = bit_index(sliders)
        sliders &= sliders - ONE
        line = inside(king, slider) & (FILES[king] if FILES[king] & bit(slider) else RANKS[king])
        blockers = line & taken
        if not blockers:
            allowed |= line | bit(slider)
            checks += 1
        elif blockers & own and not blockers & (blockers - ONE):
            straight |= line | bit(slider)
    sliders = (DIAGONALS[king] | ANTIDIAGONALS[king]) & (state.bishops | state.queens) & others
    while sliders:
        slider = bit_index(sliders)
        sliders &= sliders - ONE
        line = inside(king, slider) & (DIAGONALS[king] if DIAGONALS[king] & bit(slider) else ANTIDIAGONALS[king])
        blockers = line & taken
        if not blockers:
            allowed |= line | bit(slider)
            checks += 1
        elif blockers & own and not blockers & (blockers - ONE):
            oblique |= line | bit(slider)
    if checks == 0:
        allowed = EVERYWHERE
    elif checks > 1:
        allowed = NOTHING
    return king, allowed, straight, oblique


def inside(one: Any, other: Any) -> Any:
    """All squares whose numbers lie between two."""
    low, high = bit(min(one, other)), bit(max(one, other))
    return high - low ^ low


def threats(state: Chess | Board, others: Any, taken: Any) -> Any:
    """What the side not to move attacks; `taken` leaves the king out that would run away along a line."""
    found = pawn_attacks(state.pawns & others, 1 - state.turn)
    found |= king_attacks(bit_index(state.kings & others))
    rest = state.knights & others
    while rest:
        found |= knight_attacks(bit_index(rest))
        rest &= rest - ONE
    rest = (state.bishops | state.queens) & others
    while rest:
        found |= bishop_attacks(bit_index(rest), taken)
        rest &= rest - ONE
    rest = (state.rooks | state.queens) & others
    while rest:
        found |= rook_attacks(bit_index(rest), taken)
        rest &= rest - ONE
    return found


def pawn_targets(
    pawns: Any, turn: Any, taken: Any, others: Any, allowed: Any, straight: Any, oblique: Any
) -> tuple[Any, Any, Any, Any]:
    """Where the pawns of a side can go: one step, two steps, taking towards the a file and towards the h file."""
    free, bound = pawns & ~oblique & ~straight, pawns & straight & ~oblique
    takers, kept = pawns & ~straight & ~oblique, pawns & oblique & ~straight
    west, east = takers & ~FILE_A, takers & ~FILE_H
    kept_west, kept_east = kept & ~FILE_A, kept & ~FILE_H
    if turn == 0:
        once = (free << np.uint64(8) | bound << np.uint64(8) & straight) & ~taken
        twice = (once & THIRD) << np.uint64(8) & ~taken
        to_west = west << np.uint64(7) | kept_west << np.uint64(7) & oblique
        to_east = east << np.uint64(9) | kept_east << np.uint64(9) & oblique
    else:
        once = (free >> np.uint64(8) | bound >> np.uint64(8) & straight) & ~taken
        twice = (once & SIXTH) >> np.uint64(8) & ~taken
        to_west = west >> np.uint64(9) | kept_west >> np.uint64(9) & oblique
        to_east = east >> np.uint64(7) | kept_east >> np.uint64(7) & oblique
    return once & allowed, twice & allowed, to_west & others & allowed, to_east & others & allowed


def takers_in_passing(state: Chess | Board, turn: Any, passant: Any) -> Any:
    """The pawns of a side that may take en passant on a square without leaving their king in check."""
    white = state.white
    every = state.pawns | state.knights | state.bishops | state.rooks | state.queens | state.kings
    own, others = (white, every ^ white) if turn == 0 else (every ^ white, white)
    victim = bit(passant - 8 if turn == 0 else passant + 8)
    rest = pawn_attacks(bit(passant), 1 - turn) & state.pawns & own
    king = bit_index(state.kings & own)
    takers = NOTHING
    while rest:
        taker = bit(bit_index(rest))
        rest ^= taker
        if not is_attacked(state, king, turn, others ^ victim, every ^ taker ^ victim | bit(passant)):
            takers |= taker
    return takers


def castles(state: Chess | Board, own: Any, others: Any, king: Any, attacked: Any) -> Any:
    """The rooks that the king can castle with now; `attacked` is what the other side attacks."""
    rest = state.castling & own
    if attacked & bit(king):
        return NOTHING
    found = NOTHING
    while rest:
        rook = bit_index(rest)
        rest &= rest - ONE
        king_file, rook_file = CASTLED[0] if rook > king else CASTLED[1]
        king_end, rook_end = (king & 56) + king_file, (king & 56) + rook_file
        walk = bit(king_end) | inside(king, king_end) if king != king_end else NOTHING
        ride = bit(rook_end) | inside(rook, rook_end) if rook != rook_end else NOTHING
        taken = (own | others) ^ bit(king) ^ bit(rook)
        # The rook itself may have been what kept a check away, in Chess960.
        if (
            not (walk | ride) & taken
            and not walk & attacked
            and not is_attacked(state, king_end, state.turn, others, taken | bit(rook_end))
        ):
            found |= bit(rook)
    return found


def count_moves(state: Chess | Board) -> int:
    """How many legal moves there are, by sets of squares, without listing them; draws by rule do not matter here."""
    own, others = own_pieces(state)
    taken = own | others
    king, allowed, straight, oblique = limits(state, own, others)
    attacked = threats(state, others, taken ^ bit(king))
    count = popcount(king_attacks(king) & ~own & ~attacked)
    if state.castling & own:
        count += popcount(castles(state, own, others, king, attacked))
    if not allowed:
        return count
    targets = ~own & allowed
    once, twice, west, east = pawn_targets(state.pawns & own, state.turn, taken, others, allowed, straight, oblique)
    count += popcount(once) + popcount(twice) + popcount(west) + popcount(east)
    if (once | west | east) & LAST_RANKS:
        count += 3 * (popcount(once & LAST_RANKS) + popcount(west & LAST_RANKS) + popcount(east & LAST_RANKS))
    if state.passant >= 0:
        count += popcount(takers_in_passing(state, state.turn, state.passant))
    rest = state.knights & own & ~straight & ~oblique
    while rest:
        count += popcount(knight_attacks(bit_index(rest)) & targets)
        rest &= rest - ONE
    rest = (state.bishops | state.queens) & own & ~straight
    while rest:
        square = bit_index(rest)
        line = oblique if oblique & bit(square) else EVERYWHERE
        count += popcount(bishop_attacks(square, taken) & targets & line)
        rest &= rest - ONE
    rest = (state.rooks | state.queens) & own & ~oblique
    while rest:
        square = bit_index(rest)
        line = straight if straight & bit(square) else EVERYWHERE
        count += popcount(rook_attacks(square, taken) & targets & line)
        rest &= rest - ONE
    return count


def list_moves(state: Chess | Board, out: Any) -> int:
    """Write the legal moves into `out`, and return how many; draws by rule do not matter here."""
    own, others = own_pieces(state)
    taken = own | others
    king, allowed, straight, oblique = limits(state, own, others)
    attacked = threats(state, others, taken ^ bit(king))
    count = 0
    if allowed:
        targets = ~own & allowed
        once, twice, west, east = pawn_targets(state.pawns & own, state.turn, taken, others, allowed, straight, oblique)
        forward = 8 if state.turn == 0 else -8
        count = list_pawns(west, forward - 1, out, count)
        count = list_pawns(east, forward + 1, out, count)
        count = list_pawns(once, forward, out, count)
        count = list_pawns(twice, 2 * forward, out, count)
        if state.passant >= 0:
            rest = takers_in_passing(state, state.turn, state.passant)
            while rest:
                out[count] = bit_index(rest) << 6 | state.passant
                count += 1
                rest &= rest - ONE
        rest = state.knights & own & ~straight & ~oblique
        while rest:
            square = bit_index(rest)
            count = list_targets(square, knight_attacks(square) & targets, out, count)
            rest &= rest - ONE
        rest = (state.bishops | state.queens) & own & ~straight
        while rest:
            square = bit_index(rest)
            line = oblique if oblique & bit(square) else EVERYWHERE
            count = list_targets(square, bishop_attacks(square, taken) & targets & line, out, count)
            rest &= rest - ONE
        rest = (state.rooks | state.queens) & own & ~oblique
        while rest:
            square = bit_index(rest)
            line = straight if straight & bit(square) else EVERYWHERE
            count = list_targets(square, rook_attacks(square, taken) & targets & line, out, count)
            rest &= rest - ONE
    if state.castling & own:
        rest = castles(state, own, others, king, attacked)
        while rest:
            rook = bit_index(rest)
            end = rook if state.shuffled else king + 2 if rook > king else king - 2
            out[count] = king << 6 | end
            count += 1
            rest &= rest - ONE
    return list_targets(king, king_attacks(king) & ~own & ~attacked, out, count)


def legal_moves(state: Chess) -> list[int]:
    """The legal moves, also where the game is drawn by rule: games of people go on there if nobody claims it."""
    room = np.zeros(MOST_MOVES, np.int64)
    return room[: list_moves(state, room)].tolist()  # type: ignore[no-any-return]


def list_targets(square: Any, targets: Any, out: Any, count: Any) -> int:
    """Write the moves of a piece from its square; return how many moves `out` holds then."""
    while targets:
        out[count] = square << 6 | bit_index(targets)
        count += 1
        targets &= targets - ONE
    return count  # type: ignore[no-any-return]


def list_pawns(targets: Any, step: Any, out: Any, count: Any) -> int:
    """Write the moves of pawns to these squares, by a step each; on the last rank there are four for each."""
    while targets:
        end = bit_index(targets)
        out[count] = (end - step) << 6 | end
        count += 1
        if LAST_RANKS & bit(end):
            for piece in range(3):
                out[count] = underpromotion(end - step, end, piece)
                count += 1
        targets &= targets - ONE
    return count  # type: ignore[no-any-return]


def after(state: Chess, action: Any) -> Chess:
    """The position after a legal move."""
    there = placed(state, action)
    number = state.number + state.turn
    if there.clock == 0 or there.castling != state.castling or state.passant >= 0 or state.kept >= PAST:
        # Nothing before this position can come back, so its past begins here; or the game has gone on after its draw.
        return Chess(
            there.pawns, there.knights, there.bishops, there.rooks, there.queens, there.kings, there.white,
            there.castling, there.turn, there.passant, there.clock, number, 0, state.shuffled, 0, NO_PAST,
        )  # fmt: skip
    word = state.kept // 5
    move = np.uint64(action) << np.uint64(12 * (state.kept - 5 * word))
    past = with_item(state.past, word, state.past[word] | move)
    kept = state.kept + 1
    repeats = earlier(there, kept, past) if kept >= 4 else 0
    return Chess(
        there.pawns, there.knights, there.bishops, there.rooks, there.queens, there.kings, there.white,
        there.castling, there.turn, -1, there.clock, number, repeats, state.shuffled, kept, past,
    )  # fmt: skip


def placed(state: Any, action: Any) -> Board:
    """The board after a legal move; of a `Chess` or of a `Board`."""
    start, end = move_squares(state.turn, action)
    from_here, to_there = bit(start), bit(end)
    own, others = own_pieces(state)
    turn = state.turn
    if state.kings & from_here and (own & to_there or end - start == 2 or start - end == 2):
        return castled(state, start, end)
    is_pawn = bool(state.pawns & from_here)
    gone = others & to_there
    if is_pawn and end == state.passant:
        gone = bit(end - 8 if turn == 0 else end + 8)
    pawns = moved_onto(state.pawns & ~gone, from_here, to_there)
    knights = moved_onto(state.knights & ~gone, from_here, to_there)
    bishops = moved_onto(state.bishops & ~gone, from_here, to_there)
    rooks = moved_onto(state.rooks & ~gone, from_here, to_there)
    queens = moved_onto(state.queens & ~gone, from_here, to_there)
    kings = moved_onto(state.kings, from_here, to_there)
    white = moved_onto(state.white & ~gone, from_here, to_there)
    castling = state.castling & ~(from_here | to_there)
    if state.kings & from_here:
        castling &= ~own
    passant = -1
    if is_pawn and to_there & LAST_RANKS:
        pawns ^= to_there
        piece = (action - UNDERPROMOTIONS) % 3 if action >= UNDERPROMOTIONS else 3
        if piece == 0:
            knights |= to_there
        elif piece == 1:
            bishops |= to_there
        elif piece == 2:
            rooks |= to_there
        else:
            queens |= to_there
    elif is_pawn and (end - start == 16 or start - end == 16):
        beside = (to_there & ~FILE_A) >> ONE | (to_there & ~FILE_H) << ONE
        if beside & state.pawns & others:
            there = Board(
                pawns, knights, bishops, rooks, queens, kings, white, castling, 1 - turn, -1, 0, state.shuffled
            )
            if takers_in_passing(there, 1 - turn, (start + end) >> 1):
                passant = (start + end) >> 1
    clock = 0 if is_pawn or gone else state.clock + 1
    return Board(
        pawns, knights, bishops, rooks, queens, kings, white, castling, 1 - turn, passant, clock, state.shuffled
    )


def castled(state: Any, start: Any, end: Any) -> Board:
    """The board after the king has gone two squares, or has taken its own rook."""
    own, _ = own_pieces(state)
    towards_h = end > start
    rook = end
    if not state.rooks & own & bit(end):
        # The rook that may castle on this side.
        side = state.castling & own & (~(bit(start) - ONE) if towards_h else bit(start) - ONE)
        rook = bit_index(side)
    king_file, rook_file = CASTLED[0] if towards_h else CASTLED[1]
    king_end, rook_end = bit((start & 56) + king_file), bit((start & 56) + rook_file)
    kings = state.kings ^ bit(start) | king_end
    rooks = state.rooks ^ bit(rook) | rook_end
    white = state.white
    if state.turn == 0:
        white = white & ~(bit(start) | bit(rook)) | king_end | rook_end
    return Board(
        state.pawns, state.knights, state.bishops, rooks, state.queens, kings, white, state.castling & ~own,
        1 - state.turn, -1, state.clock + 1, state.shuffled,
    )  # fmt: skip


def earlier(state: Board, kept: Any, past: Any) -> int:
    """How often this position has been there before: its moves are taken back, one after the other."""
    knights, bishops, rooks = state.knights, state.bishops, state.rooks
    queens, kings, white = state.queens, state.kings, state.white
    found = 0
    for ply in range(1, kept + 1):
        place = kept - ply
        move = past[place // 5] >> np.uint64(12 * (place % 5))
        start, end = ONE << (move >> np.uint64(6) & np.uint64(63)), ONE << (move & np.uint64(63))
        knights = moved_onto(knights, end, start)
        bishops = moved_onto(bishops, end, start)
        rooks = moved_onto(rooks, end, start)
        queens = moved_onto(queens, end, start)
        kings = moved_onto(kings, end, start)
        white = moved_onto(white, end, start)
        if (
            ply & 1 == 0
            and kings == state.kings
            and white == state.white
            and rooks == state.rooks
            and queens == state.queens
            and knights == state.knights
            and bishops == state.bishops
        ):
            found += 1
    return found


def mobility(state: Chess | Board, turn: Any) -> int:
    """How many moves a side would have if its king could not be in check: no castling, nothing en passant."""
    every = state.pawns | state.knights | state.bishops | state.rooks | state.queens | state.kings
    own, others = (state.white, every ^ state.white) if turn == 0 else (every ^ state.white, state.white)
    once, twice, west, east = pawn_targets(state.pawns & own, turn, every, others, EVERYWHERE, NOTHING, NOTHING)
    count = popcount(once) + popcount(twice) + popcount(west) + popcount(east)
    count += popcount(king_attacks(bit_index(state.kings & own)) & ~own)
    rest = state.knights & own
    while rest:
        count += popcount(knight_attacks(bit_index(rest)) & ~own)
        rest &= rest - ONE
    rest = (state.bishops | state.queens) & own
    while rest:
        count += popcount(bishop_attacks(bit_index(rest), every) & ~own)
        rest &= rest - ONE
    rest = (state.rooks | state.queens) & own
    while rest:
        count += popcount(rook_attacks(bit_index(rest), every) & ~own)
        rest &= rest - ONE
    return count
