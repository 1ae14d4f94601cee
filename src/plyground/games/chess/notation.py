"""Chess as people and programs write it: SAN and UCI for moves, FEN for positions."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from plyground.core.rules import refusal
from plyground.errors import FormatError, IllegalAction, UnreadableAction
from plyground.games.chess.attacks import in_check
from plyground.games.chess.board import (
    KINDS,
    LAST_RANKS,
    NO_PAST,
    NOTHING,
    UNDERPROMOTIONS,
    Chess,
    bit,
    drawn_by_rule,
    move_squares,
    own_pieces,
)
from plyground.games.chess.moves import after, count_moves, legal_moves, takers_in_passing

__all__ = [
    "STANDARD",
    "fen",
    "find_move",
    "piece_letters",
    "read_fen",
    "read_move",
    "san",
    "shuffled_fen",
    "shuffled_number",
    "uci",
]

STANDARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ARMY = {"P": 8, "N": 2, "B": 2, "R": 2, "Q": 1}
SQUARES = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
LARGEST = 1_000_000
"""More moves than any game has: what a number in a FEN may be."""
SHOWN = 90
"""How much of a FEN, or of a move, a refusal repeats."""


# Moves -----------------------------------------------------------------------------------------------------------


def piece_letters(state: Chess) -> str:
    """What stands on a1, b1, ... h8: KQRBNP of White, kqrbnp of Black, or a dot."""
    letters = ["."] * 64
    white = int(state.white)
    for kind, squares in zip(KINDS, state[:6], strict=True):
        rest = int(squares)
        while rest:
            square = rest.bit_length() - 1
            letters[square] = kind if white >> square & 1 else kind.lower()
            rest ^= 1 << square
    return "".join(letters)


def _castling_side(state: Chess, start: int, end: int) -> str:
    """O-O or O-O-O if the king castles by this move, else nothing."""
    own, _ = own_pieces(state)
    if not state.kings & bit(start) or not (own & bit(end) or abs(end - start) == 2):
        return ""
    return "O-O" if end > start else "O-O-O"


def _promoted(state: Chess, action: int, start: int, end: int) -> str:
    """The letter of the piece that a pawn becomes by this move, or nothing."""
    if action >= UNDERPROMOTIONS:
        return "NBR"[(action - UNDERPROMOTIONS) % 3]
    return "Q" if state.pawns & bit(start) and LAST_RANKS & bit(end) else ""


def uci(state: Chess, action: int) -> str:
    """A move as programs write it: e2e4, e7e8q; castling e1g1, or e1h1 in Chess960."""
    start, end = move_squares(state.turn, int(action))
    return SQUARES[start] + SQUARES[end] + _promoted(state, int(action), start, end).lower()


@lru_cache(maxsize=256)
def _names(state: Chess) -> dict[int, str]:
    """Each legal action in SAN, without the signs of check and mate."""
    moves = {action: move_squares(state.turn, action) for action in legal_moves(state)}
    letters = piece_letters(state)
    names = {}
    for action, (start, end) in moves.items():
        letter, target = letters[start].upper(), SQUARES[end]
        promoted = _promoted(state, action, start, end)
        takes = letters[end] != "." or (letter == "P" and end == state.passant)
        if castling := _castling_side(state, start, end):
            names[action] = castling
        elif letter == "P":
            names[action] = (SQUARES[start][0] + "x" if takes else "") + target + ("=" + promoted if promoted else "")
        else:
            twins = [
                other
                for other, there in moves.values()
                if there == end and other != start and letters[other].upper() == letter
            ]
            same_file, same_rank = (any(part(s) == part(start) for s in twins) for part in (_file, _rank))
            file = SQUARES[start][0] if twins and (same_rank or not same_file) else ""
            rank = SQUARES[start][1] if same_file else ""
            names[action] = letter + file + rank + "x" * takes + target
    return names


def _file(square: int) -> int:
    return square & 7


def _rank(square: int) -> int:
    return square >> 3


def san(state: Chess, action: int) -> str:
    """A legal move as people write it, such as exd8=Q+ or Nbd2; `IllegalAction` for any other."""
    name = _names(state).get(int(action))
    if name is None:
        raise IllegalAction(f"{action} is not the number of a legal move")
    there = after(state, action)
    return name + ("" if not in_check(there) else "+" if count_moves(there) else "#")


def read_move(state: Chess, text: str) -> int:
    """The legal move that a text means, in SAN or UCI, with or without the signs of captures, checks and promotions."""
    if drawn_by_rule(state):
        raise IllegalAction(f"'{_clipped(text)}' cannot be played: the game is over")
    return find_move(state, text)


def find_move(state: Chess, text: str) -> int:
    """The same, also where the game is drawn by rule, since games of people go on there if nobody claims it."""
    names = _names(state)
    word = "".join(text.split()).rstrip("+#!?")
    if not names:
        raise IllegalAction(f"'{_clipped(text)}' cannot be played: the game is over")
    for action, name in names.items():
        if name == word:
            return action
    # Before SAN in any case: b2b3 is a pawn's move, though there may be a bishop with B2b3.
    codes = {uci(state, action): action for action in names}
    if word.lower() in codes:
        return codes[word.lower()]
    fitting = [action for action, name in names.items() if name.lower() == word.lower()]
    if len(fitting) == 1:
        return fitting[0]
    plain = re.sub(r"e\.?p\.?$|[-+#=:()x]", "", word, flags=re.IGNORECASE)
    if plain in ("00", "000") or (plain.upper() in ("OO", "OOO")):
        wanted = "O-O" if len(plain) == 2 else "O-O-O"
        fitting = [action for action, name in names.items() if name == wanted]
        readable = True
    else:
        fitting, readable = _fitting(state, plain, names)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        choices = ", ".join(san(state, action) for action in fitting)
        raise UnreadableAction(f"'{_clipped(text)}' can mean {choices}; name one of them")
    if readable:
        raise IllegalAction(refusal(state, f"'{_clipped(text)}'"))
    raise UnreadableAction(
        f"'{_clipped(text)}' is not a move; write it as e4, Nf3, exd5, O-O or e8=Q, or with both squares, such as e2e4"
    )


_LOOSE = re.compile("([KQRBN]?)([a-h]?)([1-8]?)([a-h][1-8])([QRBN]?)")


def _fitting(state: Chess, word: str, names: dict[int, str]) -> tuple[list[int], bool]:
    """The legal moves that a word can mean: as it is written, or else in any case; and whether it is readable."""
    letters = piece_letters(state)
    lower = word.lower()
    tail = lower[:-1] + lower[-1:].upper()
    spellings = {lower, tail, lower[:1].upper() + lower[1:], tail[:1].upper() + tail[1:]}
    readable = False
    for tries in ({word}, spellings):
        found: list[int] = []
        for found_word in filter(None, map(_LOOSE.fullmatch, sorted(tries))):
            readable = True
            piece, file, rank, target, promoted = found_word.groups()
            for action in names:
                start, end = move_squares(state.turn, action)
                if (
                    letters[start].upper() == (piece or "P")
                    and SQUARES[start][0].startswith(file)
                    and SQUARES[start][1].startswith(rank)
                    and SQUARES[end] == target
                    and (not promoted or promoted == _promoted(state, action, start, end))
                    and not _castling_side(state, start, end)
                    and action not in found
                ):
                    found.append(action)
        if found:
            return found, True
    return [], readable


def _clipped(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


# Positions -------------------------------------------------------------------------------------------------------


def fen(state: Chess, *, named: bool = False) -> str:
    """The position as FEN; a square en passant only where such a capture is legal.

    With `named` the rooks that may castle are named by their files, by which positions of Chess960 are known.
    """
    letters = piece_letters(state)
    ranks = (re.sub(r"\.+", lambda run: str(len(run[0])), letters[s : s + 8]) for s in range(56, -1, -8))
    passant = SQUARES[state.passant] if state.passant >= 0 else "-"
    return (
        f"{'/'.join(ranks)} {'wb'[state.turn]} {_rights(state, letters, named)} {passant} {state.clock} {state.number}"
    )


def _rights(state: Chess, letters: str, named: bool) -> str:
    """The rooks that may castle: K and Q for the outermost ones of White, else the file of the rook."""
    text = ""
    for first, rook_letter, king_letter in ((0, "R", "K"), (56, "r", "k")):
        rank = letters[first : first + 8]
        for file in reversed(range(8)):
            if not int(state.castling) >> (first + file) & 1:
                continue
            towards_h = file > rank.index(king_letter)
            outermost = rank.rindex(rook_letter) if towards_h else rank.index(rook_letter)
            name = ("K" if towards_h else "Q") if outermost == file and not named else "ABCDEFGH"[file]
            text += name if first == 0 else name.lower()
    return text or "-"


def read_fen(code: str, shuffled: bool = False) -> Chess:
    """The position that a FEN describes; the clock and the number of the move may be left out.

    `shuffled` is for positions of Chess960, which are also known by castling rights that name files. `FormatError` says
    in one line what is wrong.
    """
    fields = code.split()
    if not 4 <= len(fields) <= 6:
        raise _bad(code, "it needs the board, w or b, castling, en passant, and two numbers that may be left out")
    letters = _read_board(code, fields[0])
    if fields[1] not in ("w", "b"):
        raise _bad(code, f"the side to move must be w or b, not {_clipped(fields[1])}")
    turn = "wb".index(fields[1])
    sets = [sum(1 << s for s in range(64) if letters[s].upper() == kind) for kind in KINDS]
    white = sum(1 << s for s in range(64) if letters[s].isupper())
    castling, named = _read_castling(code, fields[2], letters, shuffled)
    clock, number = (_read_number(code, fields, place, least) for place, least in ((4, 0), (5, 1)))
    pawns, knights, bishops, rooks, queens, kings = map(np.uint64, sets)
    state = Chess(
        pawns, knights, bishops, rooks, queens, kings, np.uint64(white), np.uint64(castling),
        turn, -1, clock, number, 0, shuffled or named, 0, NO_PAST,
    )  # fmt: skip
    if in_check(state._replace(turn=1 - turn)):
        raise _bad(code, f"{'White' if turn else 'Black'} is in check, and it is the other side's turn")
    passant = _read_passant(code, fields[3], letters, turn)
    if passant >= 0 and takers_in_passing(state, turn, passant) != NOTHING:
        state = state._replace(passant=passant)
    return state


def _bad(code: str, why: str) -> FormatError:
    return FormatError(f"'{_clipped(code)}' is not a position in FEN: {why}")


def _read_board(code: str, board: str) -> str:
    """The letters from a1 to h8."""
    ranks = board.split("/")
    if len(ranks) != 8:
        raise _bad(code, f"the board must have 8 ranks with / between them, not {len(ranks)}")
    letters = ""
    for number, rank in zip("12345678", reversed(ranks), strict=True):
        if strange := set(rank) - set("KQRBNPkqrbnp12345678"):
            raise _bad(code, f"rank {number} must be written with KQRBNP, kqrbnp and 1 to 8, not {min(strange)!r}")
        row = re.sub(r"\d", lambda digit: "." * int(digit[0]), rank)
        if len(row) != 8:
            raise _bad(code, f"rank {number} must have 8 squares, not {len(row)}")
        letters += row
    for side, king in (("White", "K"), ("Black", "k")):
        pieces = letters if king == "K" else letters.swapcase()
        if pieces.count("K") != 1:
            raise _bad(code, f"{side} must have one king, not {pieces.count('K')}")
        if "P" in pieces[:8] + pieces[56:]:
            raise _bad(code, f"{side} has a pawn on the first or last rank")
        promoted = sum(max(0, pieces.count(kind) - most) for kind, most in ARMY.items() if kind != "P")
        if pieces.count("P") + promoted > ARMY["P"]:
            raise _bad(code, f"{side} has more pieces than eight pawns can become")
    return letters


def _read_castling(code: str, rights: str, letters: str, shuffled: bool) -> tuple[int, bool]:
    """The rooks that may castle, and whether they are named by their files, as in Chess960."""
    castling, named = 0, False
    for right in "" if rights == "-" else rights:
        kind = right.upper()
        if kind not in "KQABCDEFGH":
            raise _bad(code, f"castling must be some of KQkq, or -, not {_clipped(rights)}")
        first, king, rook = (0, "K", "R") if right.isupper() else (56, "k", "r")
        rank = letters[first : first + 8]
        place = rank.find(king)
        if kind in "KQ" and not shuffled:
            file = 7 if kind == "K" else 0
            if place != 4 or rank[file] != rook:
                corner = SQUARES[first + file]
                raise _bad(code, f"castling {right} needs the king on {SQUARES[first + 4]} and a rook on {corner}")
        else:
            named = named or kind not in "KQ"
            file = {"K": rank.rfind(rook), "Q": rank.find(rook)}.get(kind, ord(kind) - 65)
            fits = (
                place >= 0
                and file >= 0
                and rank[file] == rook
                and (kind not in "KQ" or (file > place) == (kind == "K"))
            )
            if not fits:
                raise _bad(code, f"castling {right} needs king and rook on the first rank of their side")
        side = castling >> first & 255
        if castling >> (first + file) & 1 or (side and (side.bit_length() - 1 > place) == (file > place)):
            raise _bad(code, f"castling {_clipped(rights)} names one side of the board twice")
        castling |= 1 << first + file
    return castling, named


def _read_passant(code: str, text: str, letters: str, turn: int) -> int:
    """The square behind a pawn that has just gone two steps, or -1."""
    if text == "-":
        return -1
    rank, pawn, forward = ("6", "p", 8) if turn == 0 else ("3", "P", -8)
    if text not in SQUARES or text[1] != rank:
        raise _bad(code, f"en passant must be - or a square on rank {rank}, not {_clipped(text)}")
    square = SQUARES.index(text)
    if letters[square - forward] != pawn or letters[square] != "." or letters[square + forward] != ".":
        raise _bad(code, f"no pawn can have gone two steps over {text}")
    return square


def _read_number(code: str, fields: list[str], place: int, least: int) -> int:
    """The clock or the number of the move; 0 is taken for move 1, as some programs write it."""
    if len(fields) <= place:
        return least
    text = fields[place]
    if not re.fullmatch("[0-9]{1,7}", text) or int(text) > LARGEST:
        what = "the clock" if place == 4 else "the number of the move"
        raise _bad(code, f"{what} must be a whole number up to {LARGEST:,}, not {_clipped(text)}")
    return max(least, int(text))


def shuffled_number(state: Chess) -> int | None:
    """Which of the 960 first positions of Chess960 this is; None if it is none of them."""
    code = fen(state)
    return next((number for number in range(960) if shuffled_fen(number) == code), None) if state.shuffled else None


def shuffled_fen(number: int) -> str:
    """Position `number` of Chess960 by Scharnagl's scheme, from 0 to 959; 518 is the usual one."""
    rank = ["."] * 8
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    rest, queen = divmod(rest, 6)
    rank[2 * light + 1] = "B"
    rank[2 * dark] = "B"
    free = [file for file in range(8) if rank[file] == "."]
    rank[free.pop(queen)] = "Q"
    one, two = [(a, b) for a in range(5) for b in range(a + 1, 5)][rest]
    for place, file in enumerate(free):
        rank[file] = "N" if place in (one, two) else ""
    for letter in "RKR":
        rank[rank.index("")] = letter
    row = "".join(rank)
    return f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row} w KQkq - 0 1"
