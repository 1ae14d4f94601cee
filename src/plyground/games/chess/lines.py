"""Whole lines of play in SAN, read and written as machine code: a database has a million moves.

What is written otherwise than SAN wants it is left to `plyground.games.chess.notation.find_move`, move by move.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from plyground.errors import ActionError, IllegalAction
from plyground.games.chess.attacks import in_check
from plyground.games.chess.board import (
    LAST_RANKS,
    NO_PAST,
    PAST,
    UNDERPROMOTIONS,
    Chess,
    bit,
    move_squares,
    own_pieces,
)
from plyground.games.chess.moves import MOST_MOVES, after, count_moves, list_moves
from plyground.games.chess.notation import SQUARES, find_move
from plyground.native.compiling import compiled
from plyground.native.dispatch import coerced

__all__ = ["passed", "play_line", "play_words", "words_of"]

PIECES = "PNBRQK"
CASTLES = 7
"""What stands for the kind of piece where the king castles."""
SAN = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])(?:=?([QRBN]))?[+#]{0,2}")
CASTLING = re.compile(r"([O0])-\1(-\1)?[+#]{0,2}")
TAKES, CHECK, MATE = 1 << 20, 1 << 21, 1 << 22


def play_words(state: Chess, words: Sequence[str]) -> tuple[list[int], Chess, ActionError | None]:
    """The actions of moves written one after the other, and the position after them.

    If one of them cannot be made, those before it, the position before it, and what is wrong with it. The game may go
    on after a draw by rule, which nobody may have claimed.
    """
    codes = np.array([_code(word) for word in words], np.int64)
    actions: list[int] = []
    out = np.empty(len(codes), np.int64)
    room = np.empty(MOST_MOVES, np.int64)
    state = coerced(state)
    while len(actions) < len(words):
        count, there = _play(state, codes[len(actions) :], out, room)
        actions += out[:count].tolist()
        state = coerced(there)
        if len(actions) == len(words):
            break
        try:
            action = find_move(state, words[len(actions)])
        except ActionError as error:
            return actions, state, error
        actions.append(action)
        state = coerced(after(state, action))
    return actions, state, None


def play_line(state: Chess, actions: Sequence[int]) -> Chess:
    """The position after a line of moves; `IllegalAction` says which one, counted from 1, is not legal."""
    codes, final = _described(state, actions)
    if len(codes) < len(actions):
        raise IllegalAction(f"move {len(codes) + 1}: {actions[len(codes)]} is not the number of a legal move")
    return final


def words_of(state: Chess, actions: Sequence[int]) -> list[str]:
    """The moves of a line in SAN; `IllegalAction` if one of them is not legal."""
    codes, _ = _described(state, actions)
    if len(codes) < len(actions):
        raise IllegalAction(f"move {len(codes) + 1}: {actions[len(codes)]} is not the number of a legal move")
    return list(map(_word, codes))


def passed(state: Chess) -> Chess:
    """The position after a null move, as notes to games have it: the other side is to move."""
    if in_check(state):
        raise IllegalAction("a null move (--) cannot be made in check")
    number = state.number + state.turn
    return state._replace(
        turn=1 - state.turn,
        passant=-1,
        clock=min(state.clock + 1, PAST),
        number=number,
        repeats=0,
        kept=0,
        past=NO_PAST,
    )


def _described(state: Chess, actions: Sequence[int]) -> tuple[list[int], Chess]:
    codes, room = np.empty(len(actions), np.int64), np.empty(MOST_MOVES, np.int64)
    count, final = _describe(coerced(state), np.array(actions, np.int64), codes, room)
    return codes[:count].tolist(), coerced(final)


# Words and numbers ------------------------------------------------------------------------------------------------
# A number holds, from the lowest bit: the kind of piece (3 bits), the square it goes to (6), the file and the rank it
# comes from (4 each, 0: not said), what it becomes (3: knight, bishop, rook, queen).


def _code(word: str) -> int:
    """A move in SAN as a number; 0 if it is written otherwise."""
    if found := SAN.fullmatch(word):
        piece, file, rank, target, promoted = found.groups()
        number = PIECES.index(piece or "P") + 1 | SQUARES.index(target) << 3
        number |= " abcdefgh".index(file or " ") << 9 | int(rank or 0) << 13
        return number | " NBRQ".index(promoted or " ") << 17
    if found := CASTLING.fullmatch(word):
        return CASTLES | bool(found[2]) << 3
    return 0


def _word(code: int) -> str:
    """The other way."""
    kind, target = code & 7, SQUARES[code >> 3 & 63]
    sign = "#" if code & MATE else "+" if code & CHECK else ""
    if kind == CASTLES:
        return ("O-O-O" if code >> 3 & 1 else "O-O") + sign
    file, rank = " abcdefgh"[code >> 9 & 15].strip(), "12345678"[(code >> 13 & 15) - 1] if code >> 13 & 15 else ""
    promoted = " NBRQ"[code >> 17 & 7].strip()
    piece = "" if kind == 1 else PIECES[kind - 1]
    return piece + file + rank + "x" * bool(code & TAKES) + target + ("=" + promoted if promoted else "") + sign


@compiled
def _play(state: Chess, codes: Any, out: Any, room: Any) -> tuple[int, Chess]:
    """Play moves until one cannot be found or can be several; how many were played, and the position."""
    for place in range(len(codes)):
        action = -1
        code = codes[place]
        count = list_moves(state, room) if code else 0
        for i in range(count):
            if fits(written(state, room[i]), code):
                action = -1 if action >= 0 else room[i]
                if action < 0:
                    break
        if action < 0:
            return place, state
        out[place] = action
        state = after(state, action)
    return len(codes), state


@compiled
def _describe(state: Chess, actions: Any, codes: Any, room: Any) -> tuple[int, Chess]:
    """Write what SAN says of each move, up to the first one that is not legal; how many, and the position."""
    for place in range(len(actions)):
        action = actions[place]
        count = list_moves(state, room)
        own = written(state, action) if 0 <= action < UNDERPROMOTIONS + 72 else 0
        there = own & 0xE01FF  # without where it comes from
        legal, twins, same_file, same_rank = False, False, False, False
        for i in range(count):
            other = written(state, room[i])
            if room[i] == action:
                legal = True
            elif other & 0xE01FF == there:
                twins = True
                same_file |= other >> 9 & 15 == own >> 9 & 15
                same_rank |= other >> 13 & 15 == own >> 13 & 15
        if not legal:
            return place, state
        end = action & 63 if action < UNDERPROMOTIONS else own >> 3 & 63
        _, others = own_pieces(state)
        kind = own & 7
        takes = kind != 7 and (bool(others & bit(end)) or (kind == 1 and end == state.passant))
        code = there | TAKES if takes else there
        if kind == 1:
            if takes:
                code |= own & 0x1E00
        elif kind != 7:
            if twins and (same_rank or not same_file):
                code |= own & 0x1E00
            if same_file:
                code |= own & 0x1E000
        state = after(state, action)
        if in_check(state):
            code |= CHECK if count_moves(state) > 0 else MATE
        codes[place] = code
    return len(actions), state


def written(state: Any, action: Any) -> int:
    """All that can be said of a move: the piece, from where to where, what it becomes; castling as itself."""
    start, end = move_squares(state.turn, action)
    here = bit(start)
    own, _ = own_pieces(state)
    if state.kings & here and (own & bit(end) or end - start == 2 or start - end == 2):
        return 7 if end > start else 15
    if state.pawns & here:
        kind = 1
    elif state.knights & here:
        kind = 2
    elif state.bishops & here:
        kind = 3
    elif state.rooks & here:
        kind = 4
    elif state.queens & here:
        kind = 5
    else:
        kind = 6
    promoted = 0
    if action >= UNDERPROMOTIONS:
        promoted = 1 + (action - UNDERPROMOTIONS) % 3
    elif kind == 1 and LAST_RANKS & bit(end):
        promoted = 4
    return kind | end << 3 | (1 + (start & 7)) << 9 | (1 + (start >> 3)) << 13 | promoted << 17


def fits(move: Any, code: Any) -> bool:
    """Whether a move may be what a number means: the same piece and target, and whatever else is said."""
    if code & 0x1FF != move & 0x1FF:
        return False
    for shift, mask in ((9, 15), (13, 15), (17, 7)):
        said = code >> shift & mask
        if said and said != move >> shift & mask:
            return False
    return True
