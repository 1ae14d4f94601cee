"""The endings of chess with three and four men: how their positions are numbered, and where their moves lead.

A kind of man is 1 to 5 for White's pawn, knight, bishop, rook and queen, and 6 to 10 for Black's. Symmetric positions
have one number. Without a pawn there are eight of them: the white king is brought into the triangle a1-d1-d4, and the
pair of kings has one of 462 numbers. With a pawn only left and right can be exchanged: it is brought to the files a to
d. There is at most one pawn, so nothing is ever taken en passant; nobody may castle.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from plyground.errors import FormatError
from plyground.games.chess.attacks import (
    bishop_attacks,
    in_check,
    is_attacked,
    king_attacks,
    knight_attacks,
    rook_attacks,
)
from plyground.games.chess.board import (
    KINDS,
    LAST_RANKS,
    NOTHING,
    ONE,
    Board,
    bit,
    dead_position,
    move_squares,
    own_pieces,
)
from plyground.games.chess.moves import list_moves, placed
from plyground.native.bits import bit_index, popcount
from plyground.search.indexed_retrograde import (
    DRAWN,
    LOST_HERE,
    NO_POSITION,
    ending_moves,
    ending_places,
    ending_unmoves,
    outside,
)

__all__ = ["SIGNATURES", "Ending", "board_at", "code_in", "ending_of", "read_ending", "signature"]

WHITE_PAWN, BLACK_PAWN = 1, 6
SIGNATURES = 121
"""How many numbers `signature` has."""
PAWN_PLACES = 24
"""The squares of a pawn on the files a to d."""
STRENGTH = "QRBNP"
MOST_MEN = 4


def _transposed(square: Any) -> Any:
    """A square mirrored along the line from a1 to h8."""
    return square >> 3 | (square & 7) << 3


def _kings() -> tuple[Any, list[tuple[int, int]]]:
    """The number of each pair of kings, -1 if there is none, and the pair of each number."""
    numbers, pairs = np.full(64 * 64, -1, np.int64), list[tuple[int, int]]()
    for white in range(64):
        rank, file = divmod(white, 8)
        if file > 3 or rank > file:
            continue
        for black in range(64):
            far = max(abs(black // 8 - rank), abs(black % 8 - file)) > 1
            if far and not (rank == file and black // 8 > black % 8):
                numbers[64 * white + black] = len(pairs)
                pairs.append((white, black))
    return numbers, pairs


KING_NUMBERS, _PAIRS = _kings()
KING_PAIRS = np.array(_PAIRS, np.int64)
PAIRS = len(_PAIRS)


class Ending(NamedTuple):
    """The men besides the two kings, by their kinds: a pawn first, else the lower kind; `second` is 0 if there is one.

    >>> read_ending("KBNK"), read_ending("KRKP")
    (Ending(first=2, second=3), Ending(first=6, second=4))
    """

    first: int
    second: int

    @property
    def name(self) -> str:
        """Such as KRKP: White's men, then Black's."""
        sides = ["K", "K"]
        for kind in sorted(filter(None, self), key=lambda kind: STRENGTH.index(KINDS[(kind - 1) % 5])):
            sides[kind > 5] += KINDS[(kind - 1) % 5]
        return "".join(sides)

    @property
    def drawn(self) -> bool:
        """Whether neither side has the men to mate: bare kings, or one knight or bishop."""
        return self.first == 0 or (self.second == 0 and KINDS[(self.first - 1) % 5] in "NB")

    @property
    def swapped(self) -> Ending:
        """The same ending with colours exchanged."""
        return ending_of(*(kind + 5 if kind <= 5 else kind - 5 for kind in self if kind))

    @property
    def usual(self) -> Ending:
        """This ending or the one with colours exchanged: White is the side with more men, or with the better ones."""

        def rank(ending: Ending) -> tuple[int, list[int]]:
            white = [STRENGTH.index(KINDS[kind - 1]) for kind in ending if 0 < kind <= 5]
            return -len(white), sorted(white)

        return min(self, self.swapped, key=rank)

    @property
    def next_endings(self) -> frozenset[Ending]:
        """What captures and promotions can lead to at once, each as it usually stands, without what is always drawn."""
        men = [kind for kind in self if kind]
        found = set()
        for place, kind in enumerate(men):
            rest = men[:place] + men[place + 1 :]
            found.add(ending_of(*rest))
            if kind in (WHITE_PAWN, BLACK_PAWN):
                for piece in range(kind + 1, kind + 5):
                    found.update((ending_of(*rest, piece), ending_of(piece)))
        return frozenset(ending.usual for ending in found if not ending.drawn)


def ending_of(*kinds: int) -> Ending:
    """The ending with up to two men of these kinds, in any order."""
    first, second = sorted((*kinds, 0, 0)[:2], key=lambda kind: (kind == 0, not _is_pawn(kind), kind))
    return Ending(first, second)


def read_ending(name: str) -> Ending:
    """The ending that a name such as KBNK means, with White as the stronger side; `FormatError` if there is no table.

    >>> read_ending("kkr").name
    'KRK'
    """
    text = name.strip().upper()
    found = re.fullmatch("K([QRBNP]*)K([QRBNP]*)", text)
    if not found:
        raise FormatError(
            f"'{name[:40]}' is not an ending: write White's men and then Black's, king first, such as KRK or KRKP"
        )
    kinds = [STRENGTH_KINDS[letter] for letter in found[1]] + [STRENGTH_KINDS[letter] + 5 for letter in found[2]]
    if len(kinds) > MOST_MEN - 2:
        raise FormatError(f"{text[:40]} has {len(kinds) + 2} men; tables have up to {MOST_MEN}, the kings included")
    if sum(map(_is_pawn, kinds)) > 1:
        raise FormatError(f"{text} has two pawns; tables have at most one")
    ending = ending_of(*kinds).usual
    if ending.drawn:
        raise FormatError(f"{text} is always drawn: neither side has the pieces to mate; try KRK")
    return ending


STRENGTH_KINDS = {letter: KINDS.index(letter) + 1 for letter in STRENGTH}


# Numbers ----------------------------------------------------------------------------------------------------------


def _is_pawn(kind: Any) -> bool:
    return kind in (WHITE_PAWN, BLACK_PAWN)


def signature(first: Any, second: Any) -> Any:
    """A number for each pair of kinds."""
    return 11 * first + second


def place_of(first: Any, second: Any, turn: Any, white: Any, black: Any, one: Any, other: Any) -> Any:
    """The number of a position of the ending `first`, `second`, with these kings and the men on `one` and `other`.

    -1 if the kings stand side by side and there is no pawn. Without a second man `other` does not matter.
    """
    if _is_pawn(first):
        flip = 7 if one & 4 else 0
        number = PAWN_PLACES * turn + 4 * (one >> 3) - 4 + ((one ^ flip) & 7)
        number = (64 * number + (white ^ flip)) * 64 + (black ^ flip)
        return 64 * number + (other ^ flip) if second else number
    flip = (7 if white & 4 else 0) ^ (56 if white & 32 else 0)
    white, black, one, other = white ^ flip, black ^ flip, one ^ flip, other ^ flip
    slope, further = (white >> 3) - (white & 7), (black >> 3) - (black & 7)
    if slope > 0 or (slope == 0 and further > 0):
        white, black, one, other = _transposed(white), _transposed(black), _transposed(one), _transposed(other)
    pair = KING_NUMBERS[64 * white + black]
    if pair < 0:
        return -1
    number = numbered(first, second, PAIRS * turn + pair, one, other)
    if slope == 0 and further == 0:
        # Both kings stand on the line of symmetry, so the other men say which of the two images it is.
        number = min(number, numbered(first, second, PAIRS * turn + pair, _transposed(one), _transposed(other)))
    return number


def numbered(first: Any, second: Any, number: Any, one: Any, other: Any) -> Any:
    """The number of the kings, with the squares of the other men behind it; two men of a kind in ascending order."""
    if second == 0:
        return 64 * number + one
    if first == second and one > other:
        one, other = other, one
    return (64 * number + one) * 64 + other


def squares_at(ending: Ending, place: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Whose turn it is, the kings' squares, and those of the other men, the last one -1 if there is none."""
    other = -1
    if ending.second:
        other = place & 63
        place >>= 6
    if _is_pawn(ending.first):
        black, white = place & 63, place >> 6 & 63
        place >>= 12
        turn = place // PAWN_PLACES
        pawn = place - PAWN_PLACES * turn
        return turn, white, black, 8 + 8 * (pawn >> 2) + (pawn & 3), other
    one = place & 63
    place >>= 6
    turn = place // PAIRS
    pair = place - PAIRS * turn
    return turn, KING_PAIRS[pair, 0], KING_PAIRS[pair, 1], one, other


def set_of(first: Any, second: Any, one: Any, other: Any, kind: Any) -> Any:
    """The squares where men of one kind stand, whatever their colour."""
    found = NOTHING
    if first == kind or first == kind + 5:
        found |= bit(one)
    if second == kind or second == kind + 5:
        found |= bit(other)
    return found


def board_of(ending: Ending, turn: Any, white: Any, black: Any, one: Any, other: Any) -> Board:
    """The position with these men; squares that are equal make a position with fewer."""
    first, second = ending.first, ending.second
    whites = bit(white)
    if first <= 5:
        whites |= bit(one)
    if 0 < second <= 5:
        whites |= bit(other)
    return Board(
        set_of(first, second, one, other, 1), set_of(first, second, one, other, 2),
        set_of(first, second, one, other, 3), set_of(first, second, one, other, 4),
        set_of(first, second, one, other, 5), bit(white) | bit(black), whites,
        NOTHING, turn, -1, 0, False,
    )  # fmt: skip


def board_at(ending: Ending, place: Any) -> tuple[bool, Board]:
    """The position at a place, and whether it is one: men do not share squares, and who has moved is not in check."""
    turn, white, black, one, other = squares_at(ending, place)
    board = board_of(ending, turn, white, black, one, other)
    own, others = own_pieces(board)
    men = 4 if ending.second else 3
    if popcount(own | others) != men or place_of(ending.first, ending.second, turn, white, black, one, other) != place:
        return False, board
    return not is_attacked(board, black if turn == 0 else white, 1 - turn, own, own | others), board


def code_in(board: Any, tables: Any) -> int:
    """The code of a `Board` or a `Chess` by tables (see `plyground.engines.chess.ending_tables`); -1 if none has it.

    The past does not count: neither the clock of fifty moves nor repetitions.
    """
    every = board.pawns | board.knights | board.bishops | board.rooks | board.queens | board.kings
    if popcount(every) > MOST_MEN or board.castling:
        return -1
    if dead_position(board):
        return DRAWN
    first, second, one, other = 0, 0, 0, 0
    rest = every ^ board.kings
    while rest:
        square = bit_index(rest)
        kind = kind_on(board, bit(square))
        rest &= rest - ONE
        if first == 0 or goes_first(kind, first):
            first, second, one, other = kind, first, square, one
        else:
            second, other = kind, square
    start = tables.starts[signature(first, second), 0]
    if start < 0:
        return -1
    turn = board.turn
    white, black = bit_index(board.kings & board.white), bit_index(board.kings & ~board.white)
    if tables.starts[signature(first, second), 1]:
        # The table has it with colours exchanged, which turns the board upside down.
        turn = 1 - turn
        white, black, one, other = black ^ 56, white ^ 56, one ^ 56, other ^ 56
        first = other_side(first)
        second = other_side(second)
        if second and goes_first(second, first):
            first, second, one, other = second, first, other, one
    place = place_of(first, second, turn, white, black, one, other)
    if place < 0:
        return -1
    code = int(tables.codes[start + place])
    return -1 if code == NO_POSITION else code


def kind_on(board: Any, square: Any) -> int:
    """The kind of the man, not a king, on a square that is given as a set."""
    side = 0 if board.white & square else 5
    if board.pawns & square:
        return 1 + side
    if board.knights & square:
        return 2 + side
    if board.bishops & square:
        return 3 + side
    if board.rooks & square:
        return 4 + side
    return 5 + side


def goes_first(kind: Any, other: Any) -> bool:
    """Whether a kind stands before another one in an `Ending`."""
    if _is_pawn(kind) != _is_pawn(other):
        return _is_pawn(kind)
    return kind < other  # type: ignore[no-any-return]


def other_side(kind: Any) -> int:
    """The kind of the other colour."""
    return 0 if kind == 0 else kind + 5 if kind <= 5 else kind - 5


# Rules for the analysis -------------------------------------------------------------------------------------------


@ending_places.rule(Ending)
def _(ending: Ending) -> int:
    places = 2 * PAWN_PLACES * 64 * 64 if _is_pawn(ending.first) else 2 * PAIRS * 64
    return 64 * places if ending.second else places


@ending_moves.rule(Ending)
def _(ending: Ending, place: int, known: Any, out: Any) -> int:
    exists, board = board_at(ending, place)
    if not exists:
        return -1
    count = list_moves(board, out)
    if count == 0:
        return LOST_HERE if in_check(board) else 0
    turn, white, black, one, other = squares_at(ending, place)
    _, others = own_pieces(board)
    for i in range(count):
        start, end = move_squares(turn, out[i])
        if others & bit(end) or (board.pawns & bit(start) and LAST_RANKS & bit(end)):
            out[i] = outside(code_in(placed(board, out[i]), known))
            continue
        out[i] = place_of(
            ending.first, ending.second, 1 - turn,
            end if start == white else white, end if start == black else black,
            end if start == one else one, end if start == other else other,
        )  # fmt: skip
    return count


@ending_unmoves.rule(Ending)
def _(ending: Ending, place: int, out: Any) -> int:
    turn, white, black, one, other = squares_at(ending, place)
    first, second = ending.first, ending.second
    board = board_of(ending, turn, white, black, one, other)
    taken = board.kings | bit(one) | (bit(other) if second else NOTHING)
    mover = 1 - turn
    count = 0
    rest = king_attacks(white if mover == 0 else black) & ~taken
    while rest:
        square = bit_index(rest)
        rest &= rest - ONE
        there = (
            place_of(first, second, mover, square, black, one, other)
            if mover == 0
            else place_of(first, second, mover, white, square, one, other)
        )
        if there >= 0:
            out[count] = there
            count += 1
    if (first > 5) == (mover == 1):
        rest = origins(first, one, taken)
        while rest:
            out[count] = place_of(first, second, mover, white, black, bit_index(rest), other)
            count += 1
            rest &= rest - ONE
    if second and (second > 5) == (mover == 1):
        rest = origins(second, other, taken)
        while rest:
            out[count] = place_of(first, second, mover, white, black, one, bit_index(rest))
            count += 1
            rest &= rest - ONE
    return count


def origins(kind: Any, square: Any, taken: Any) -> Any:
    """The squares from which a man can have come without capturing or promoting."""
    piece = (kind - 1) % 5
    if piece == 0:
        step = -8 if kind == WHITE_PAWN else 8
        home = 1 if kind == WHITE_PAWN else 6
        back = square + step
        if back < 8 or back > 55 or taken & bit(back):
            return NOTHING
        found = bit(back)
        if back + step >> 3 == home and not taken & bit(back + step):
            found |= bit(back + step)
        return found
    if piece == 1:
        return knight_attacks(square) & ~taken
    found = NOTHING
    if piece in (2, 4):
        found |= bishop_attacks(square, taken)
    if piece in (3, 4):
        found |= rook_attacks(square, taken)
    return found & ~taken
