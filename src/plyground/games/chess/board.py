"""A position of chess, and how its moves are numbered.

A set of squares is a word of 64 bits, a1 = 0, b1 = 1, ... h8 = 63. Each kind of pieces is one such set for both sides;
`white` says which pieces are White's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = [
    "CASTLED", "FILE_A", "FILE_H", "KINDS", "LAST_RANKS", "NOTHING", "NO_PAST", "ONE", "PAST", "UNDERPROMOTIONS",
    "Board", "Chess", "bit", "colours_exchanged", "dead_position", "drawn_by_rule", "move_squares", "moved_onto",
    "own_pieces", "underpromotion",
]  # fmt: skip

KINDS = "PNBRQK"
"""The kinds of pieces, in the order of the state's first fields."""
PAST = 100
"""Most moves that a position remembers: after as many without capture or pawn move the game is drawn."""
NO_PAST = (np.uint64(0),) * (PAST // 5)
UNDERPROMOTIONS = 4096
"""The first of the actions that promote to something less than a queen."""

FILE_A, FILE_H = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
LAST_RANKS = np.uint64(0xFF000000000000FF)
DARK = np.uint64(0xAA55AA55AA55AA55)
NOTHING = np.uint64(0)
ONE = np.uint64(1)
CASTLED = ((6, 5), (2, 3))
"""The files where king and rook stand after castling, on the h side and on the a side."""


class Chess(NamedTuple):
    """The pieces, what the rules need to know of the past, and the past as far as it can come back.

    `castling` are the rooks that may still castle, `passant` the square where a pawn can be taken en passant, -1 if
    that is not legal now. `clock` counts the moves since the last capture or pawn move, `number` the moves of White.
    `repeats` says how often this position has been there before. `past` are the last `kept` moves, none of which was
    irreversible: 12 bits each (from, to), five in a word. `shuffled` is Chess960, where the king castles by taking its
    own rook.
    """

    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    queens: np.uint64
    kings: np.uint64
    white: np.uint64
    castling: np.uint64
    turn: int
    passant: int
    clock: int
    number: int
    repeats: int
    shuffled: bool
    kept: int
    past: tuple[np.uint64, ...]


class Board(NamedTuple):
    """A position without its past, as engines have it. What reads a `Chess` and asks for no past reads this as well."""

    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    queens: np.uint64
    kings: np.uint64
    white: np.uint64
    castling: np.uint64
    turn: int
    passant: int
    clock: int
    shuffled: bool


def bit(square: Any) -> Any:
    """The set of one square."""
    return ONE << np.uint64(square)


def own_pieces(state: Chess | Board) -> tuple[Any, Any]:
    """The pieces of the side to move, and those of the other side."""
    every = state.pawns | state.knights | state.bishops | state.rooks | state.queens | state.kings
    black = every ^ state.white
    return (state.white, black) if state.turn == 0 else (black, state.white)


def colours_exchanged(state: Chess) -> Chess:
    """The position upside down, with every piece of the other colour and the other side to move; without its past."""
    sets = [_upside_down(squares) for squares in state[:8]]
    every = sets[0] | sets[1] | sets[2] | sets[3] | sets[4] | sets[5]
    passant = state.passant ^ 56 if state.passant >= 0 else -1
    return state._replace(
        pawns=sets[0], knights=sets[1], bishops=sets[2], rooks=sets[3], queens=sets[4], kings=sets[5],
        white=every ^ sets[6], castling=sets[7], turn=1 - state.turn, passant=passant, kept=0, past=NO_PAST,
    )  # fmt: skip


def _upside_down(squares: Any) -> Any:
    """A set of squares with its ranks in the other order, which are the bytes of the word."""
    return np.uint64(int.from_bytes(int(squares).to_bytes(8, "big"), "little"))


def move_squares(turn: Any, action: Any) -> tuple[int, int]:
    """From where to where an action moves a piece, or the king that castles."""
    if action < UNDERPROMOTIONS:
        return action >> 6, action & 63
    files = (action - UNDERPROMOTIONS) // 3
    start = files // 3
    end = start + files % 3 - 1
    return (48 + start, 56 + end) if turn == 0 else (8 + start, end)


def underpromotion(start: Any, end: Any, piece: Any) -> int:
    """The action that promotes to a knight, bishop or rook (0, 1, 2); a queen is the plain move of the pawn."""
    return UNDERPROMOTIONS + ((start & 7) * 3 + (end & 7) - (start & 7) + 1) * 3 + piece  # type: ignore[no-any-return]


def moved_onto(board: Any, start: Any, end: Any) -> Any:
    """A set of squares after what stands on one has gone to another, which was empty."""
    return board ^ (start | end) if board & start else board


def dead_position(state: Chess | Board) -> bool:
    """Whether neither side has the pieces to mate, however badly the other one plays.

    Bare kings, a single knight or bishop, or bishops that all stand on squares of one colour.
    """
    if state.pawns | state.rooks | state.queens:
        return False
    if state.knights:
        return not state.bishops and not state.knights & (state.knights - ONE)
    return not state.bishops & DARK or not state.bishops & ~DARK


def drawn_by_rule(state: Chess) -> bool:
    """Whether the game is drawn while there may be moves: threefold, fifty moves, or no way to mate.

    A mate with the last of the hundred moves counts; see `utility`.
    """
    return state.repeats >= 2 or state.clock >= PAST or dead_position(state)
