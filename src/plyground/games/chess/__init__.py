"""Chess, with all its rules, and Chess960.

An action is 64 * from + to, squares numbered from a1 = 0 to h8 = 63; a pawn that arrives becomes a queen. The other
promotions are 4096 + ((file from * 3 + file to - file from + 1) * 3 + piece), piece 0, 1, 2 for knight, bishop, rook.
Castling is the king's move of two squares; in Chess960 the king takes its own rook.

The game is drawn without anybody asking for it: at the third time of a position, after a hundred moves without capture
or pawn move, and when neither side has the pieces to mate.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from plyground.core import rules
from plyground.core.game import Game, Points
from plyground.core.grid import Grid
from plyground.errors import BadOption, FormatError
from plyground.games.chess.attacks import in_check
from plyground.games.chess.board import (
    LAST_RANKS,
    NO_PAST,
    NOTHING,
    PAST,
    UNDERPROMOTIONS,
    Chess,
    bit,
    colours_exchanged,
    dead_position,
    drawn_by_rule,
    own_pieces,
)
from plyground.games.chess.features import weighted_sum
from plyground.games.chess.moves import after, count_moves, list_moves, mobility
from plyground.games.chess.notation import (
    STANDARD,
    fen,
    piece_letters,
    read_fen,
    read_move,
    san,
    shuffled_fen,
    uci,
)
from plyground.native.bits import MASK64, mix64, popcount
from plyground.native.overloads import native

__all__ = ["Chess", "chess", "fen", "how_ended", "read_fen"]

PAWN = 1 / 128
"""A pawn on the linear scale of the named evaluations; nine queens and all other pieces are worth less than 128."""


@rules.to_move.rule(Chess)
def _(state: Chess) -> int:
    return state.turn


@rules.distinct_actions.rule(Chess)
def _(state: Chess) -> int:
    return UNDERPROMOTIONS + 72


@rules.count_actions.rule(Chess)
def _(state: Chess) -> int:
    return 0 if drawn_by_rule(state) else count_moves(state)


@rules.legal_actions.rule(Chess)
def _(state: Chess, out: Any) -> int:
    return 0 if drawn_by_rule(state) else list_moves(state, out)


@rules.result.rule(Chess)
def _(state: Chess, action: int) -> Chess:
    return after(state, action)


@rules.utility.rule(Chess)
def _(state: Chess, player: int) -> float:
    if not in_check(state) or count_moves(state) > 0:
        return 0.0
    return -1.0 if state.turn == player else 1.0


def how_ended(state: Chess) -> str:
    """Which rule has ended the game: mate, stalemate, repetition, fifty or material; nothing while it goes on."""
    if in_check(state) and count_moves(state) == 0:
        return "mate"
    if dead_position(state):
        return "material"
    if state.repeats >= 2:
        return "repetition"
    if state.clock >= PAST:
        return "fifty"
    return "" if count_moves(state) else "stalemate"


def material(state: Chess) -> float:
    """What the pieces of the side to move are worth more than the other side's, in pawns: 9, 5, 3, 3 and 1."""
    own, others = own_pieces(state)
    total = 9 * (popcount(state.queens & own) - popcount(state.queens & others))
    total += 5 * (popcount(state.rooks & own) - popcount(state.rooks & others))
    light = state.bishops | state.knights
    total += 3 * (popcount(light & own) - popcount(light & others))
    return float(total + popcount(state.pawns & own) - popcount(state.pawns & others))


def freedom(state: Chess) -> float:
    """A tenth of a pawn for each move that the side to move has more than the other one."""
    return 0.1 * (mobility(state, state.turn) - mobility(state, 1 - state.turn))


def material_alone(state: Chess) -> float:
    """The material, on a linear scale."""
    return material(state) * PAWN


def material_and_mobility(state: Chess) -> float:
    """Material and mobility, on a linear scale."""
    return (material(state) + freedom(state)) * PAWN


def learned(state: Chess) -> float:
    """Material, mobility, pawns and kings by the weights that were learnt from games, on a linear scale."""
    return max(-1.0, min(1.0, weighted_sum(state) * PAWN))


@rules.evaluation.rule(Chess)
def _(state: Chess) -> float:
    """Material and mobility as Shannon counted them; four pawns are half a win."""
    pawns = material(state) + freedom(state)
    return pawns / (abs(pawns) + 4.0)


@rules.noisy.rule(Chess)
def _(state: Chess, action: int) -> bool:
    """A capture or a promotion."""
    if action >= UNDERPROMOTIONS:
        return True
    end = action & 63
    is_pawn = bool(state.pawns & bit(action >> 6))
    _, others = own_pieces(state)
    return bool(others & bit(end)) or (is_pawn and (end == state.passant or bool(LAST_RANKS & bit(end))))


@rules.state_hash.rule(Chess)
def _(state: Chess) -> Any:
    """What is on the board, and whether it has been there before; not the way that led to it, nor the clock."""
    key = spread(state.pawns, np.uint64(0x9E3779B97F4A7C15)) ^ spread(state.knights, np.uint64(0xC2B2AE3D27D4EB4F))
    key ^= spread(state.bishops, np.uint64(0x165667B19E3779F9)) ^ spread(state.rooks, np.uint64(0xD6E8FEB86659FD93))
    key ^= spread(state.queens, np.uint64(0xA0761D6478BD642F)) ^ spread(state.kings, np.uint64(0xE7037ED1A0B428DB))
    key ^= spread(state.white, np.uint64(0x8EBC6AF09C88C6E3)) ^ spread(state.castling, np.uint64(0x589965CC75374CC3))
    rest = (state.passant + 1) << 4 | state.repeats << 2 | (2 if state.shuffled else 0) | state.turn
    return mix64(key ^ mix64(rest))


def spread(word: Any, odd: Any) -> Any:
    """A cheap mix of one word, with a factor of its own so that words cannot cancel each other."""
    return np.uint64((int(word) ^ int(word) >> 29) * int(odd) & MASK64)


@native(spread)
def _spread(word: Any, odd: Any) -> Any:
    return lambda word, odd: (word ^ word >> np.uint64(29)) * odd


@rules.as_in_book.rule(Chess)
def _(state: Chess) -> Chess:
    """White to move, no past, and the clock at 0."""
    alone = state._replace(clock=0, number=1, repeats=0, kept=0, past=NO_PAST)
    return alone if state.turn == 0 else colours_exchanged(alone)


@rules.action_in_book.rule(Chess)
def _(state: Chess, action: int) -> int:
    """Upside down for Black; promotions are numbered by files alone."""
    return action if state.turn == 0 or action >= UNDERPROMOTIONS else action ^ (56 << 6 | 56)


@rules.planes_shape.rule(Chess)
def _(state: Chess) -> tuple[int, int, int]:
    return (16, 8, 8)


@rules.planes.rule(Chess)
def _(state: Chess, out: Any) -> None:
    """Own pieces by kind, the others, rooks that may castle, en passant, the clock, repetition; own side below."""
    own, others = own_pieces(state)
    kinds = (state.pawns, state.knights, state.bishops, state.rooks, state.queens, state.kings)
    for kind in range(6):
        put_plane(kinds[kind] & own, state.turn, out, kind)
        put_plane(kinds[kind] & others, state.turn, out, 6 + kind)
    put_plane(state.castling, state.turn, out, 12)
    put_plane(bit(state.passant) if state.passant >= 0 else NOTHING, state.turn, out, 13)
    for row in range(8):
        for column in range(8):
            out[14, row, column] = min(state.clock, 100) / 100
            out[15, row, column] = min(state.repeats, 2) / 2


def put_plane(squares: Any, turn: Any, out: Any, channel: Any) -> None:
    """Write a set of squares, with the last rank of the side to move on top."""
    for row in range(8):
        rank = 7 - row if turn == 0 else row
        for column in range(8):
            out[channel, row, column] = squares >> np.uint64(8 * rank + column) & np.uint64(1)


@rules.action_text.rule(Chess)
def _(state: Chess, action: int) -> str:
    return san(state, action)


@rules.parse_action.rule(Chess)
def _(state: Chess, text: str) -> int:
    return read_move(state, text)


@rules.action_code.rule(Chess)
def _(state: Chess, action: int) -> str:
    return uci(state, action)


@rules.position_code.rule(Chess)
def _(state: Chess) -> str:
    return fen(state)


@rules.read_position.rule(Chess)
def _(state: Chess, code: str) -> Chess:
    return read_fen(code, shuffled=bool(state.shuffled))


@rules.grid.rule(Chess)
def _(state: Chess) -> Grid:
    letters = piece_letters(state)
    king = letters.find("Kk"[int(state.turn)]) if in_check(state) else -1
    return Grid(
        tuple(letters[8 * rank : 8 * rank + 8] for rank in reversed(range(8))),
        symbols=("KQRBNP", "kqrbnp"),
        style="chess",
        columns=tuple("abcdefgh"),
        rows=tuple("87654321"),
        check=None if king < 0 else (7 - king // 8, king % 8),
    )


def chess(
    fen: Annotated[str, "where to begin, as FEN has it; empty: the usual position"] = "",
    chess960: Annotated[int, "a starting position of Chess960, 0 to 959; 518 is the usual one"] = 518,
) -> Game:
    """Chess: mate the other king. All the rules, and Chess960."""
    if not 0 <= chess960 <= 959:
        raise BadOption(f"chess: chess960 must be from 0 to 959, not {chess960}")
    shuffled = chess960 != 518
    try:
        start = read_fen(fen or (shuffled_fen(chess960) if shuffled else STANDARD), shuffled=shuffled)
    except FormatError as error:
        raise BadOption(f"chess: {error}") from None
    points = Points(PAWN)
    return Game(
        "chess",
        start,
        seats=("white", "black"),
        opponent="engine",
        evaluations={"material": material_alone, "mobility": material_and_mobility, "learned": learned},
        points={"material": points, "mobility": points, "learned": points},
    )
