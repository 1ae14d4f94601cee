"""A position as 64 characters, a1 to h8 row by row, and the side to move.

Black is ``X x * B b``, white ``O o W w``, empty ``- .``; blanks and line breaks may stand anywhere, so a drawn board
with letters above and numbers at the side is read too. The side to move comes last: one of the same characters, or
``black to move``.
"""

from __future__ import annotations

import re

import numpy as np

from plyground.errors import ImpossibleBoard
from plyground.games.lattice import cell_name
from plyground.games.reversi import FULL, Reversi

__all__ = ["board_cells", "check_board", "read_board", "write_board"]

BLACK = "Xx*Bb"
WHITE = "OoWw"
EMPTY = "-.·"
"""The last one is what our own pictures show where a move is legal."""
KEY = "black is X x * B b, white O o W w, empty - ."

COLUMNS = re.compile(r"\s*a\s*b\s*c\s*d\s*e\s*f\s*g\s*h\s*", re.IGNORECASE)
ROW = re.compile(r"[1-8]?(?P<cells>[^1-8]*)[1-8]?")
SIDE = re.compile(r"(?P<side>black|white|[XOBW*](?=\s+to\s))(?:\s+to\s+(?:move|play))?(?:\s*\.)?\s*$", re.IGNORECASE)
"""The side to move in words."""


def read_board(text: str) -> Reversi:
    """The position; `ImpossibleBoard` says what is wrong with it."""
    worded = SIDE.search(text)
    cells = board_cells(text[: worded.start()] if worded else text)
    for square, cell in enumerate(cells[:64]):
        if cell not in BLACK + WHITE + EMPTY:
            name = cell_name(square // 8, square % 8)
            raise ImpossibleBoard(f"{cell!r} at {name} is neither a disc nor empty; {KEY}")
    words = text.split()
    side_apart = len(words) == 2 and len(words[1]) == 1
    if len(cells) == 64 and not worded and not side_apart:
        raise ImpossibleBoard("the side to move is missing; write X (black) or O (white) after the 64 squares")
    if len(cells) != (64 if worded else 65):
        count = f"{len(cells) - 1} squares" if side_apart else f"{len(cells)} {'squares' if worded else 'characters'}"
        raise ImpossibleBoard(f"a board has 64 squares and then the side to move; here are {count}")
    side = worded["side"][0] if worded else cells[64]
    if side not in BLACK + WHITE:
        raise ImpossibleBoard(f"the side to move must be X (black) or O (white), not {side!r}")
    black = sum(1 << i for i, cell in enumerate(cells[:64]) if cell in BLACK)
    white = sum(1 << i for i, cell in enumerate(cells[:64]) if cell in WHITE)
    turn = int(side in WHITE)
    own, opponent = (white, black) if turn else (black, white)
    return check_board(Reversi(np.uint64(own), np.uint64(opponent), FULL, turn))


def write_board(state: Reversi, symbols: str = "XO-") -> str:
    """The 64 characters, a blank, and the side to move; `symbols` are black, white and empty."""
    check_board(state)
    black, white = (state.opponent, state.own) if state.turn else (state.own, state.opponent)
    black_symbol, white_symbol, empty = tuple(symbols)
    cells = (
        black_symbol if int(black) >> square & 1 else white_symbol if int(white) >> square & 1 else empty
        for square in range(64)
    )
    return f"{''.join(cells)} {white_symbol if state.turn else black_symbol}"


def check_board(state: Reversi) -> Reversi:
    """The state itself if it is a position on 8x8 with at least one disc; `ImpossibleBoard` otherwise."""
    if int(state.board) != int(FULL):
        raise ImpossibleBoard("the formats of Reversi are for boards of 8x8 squares")
    if int(state.own) & int(state.opponent):
        raise ImpossibleBoard("a square has a black disc and a white one")
    if not int(state.own) | int(state.opponent):
        raise ImpossibleBoard("the board has no discs")
    if state.turn not in (0, 1):
        raise ImpossibleBoard(f"the side to move must be 0 (black) or 1 (white), not {state.turn}")
    return state


def board_cells(text: str) -> str:
    """The characters of a board without blanks, line breaks, and the letters and numbers at its sides."""
    rows = [line for line in text.splitlines() if not COLUMNS.fullmatch(line)]
    if len(rows) >= 8:
        rows = [found["cells"] if (found := ROW.fullmatch(line.strip())) else line for line in rows]
    return "".join("".join(rows).split())
