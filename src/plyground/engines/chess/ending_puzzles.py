"""Mate in n: positions drawn from the endgame tables in which one first move alone mates in time.

for puzzle in mate_puzzles("KRK", 3, seed=1):
    puzzle.fen, puzzle.best.san         # any number of them, each once
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyground.engines.chess.ending_tables import EndingTables, state_at, tables_for
from plyground.engines.chess.endings import Ending, read_ending
from plyground.errors import BadOption
from plyground.games.chess import Chess, fen
from plyground.games.chess.board import NOTHING, bit
from plyground.games.chess.notation import san, uci
from plyground.native.bits import bit_index
from plyground.native.randomness import random_below, stream
from plyground.search.indexed_retrograde import code_of

__all__ = ["MatePuzzle", "Try", "mate_puzzles"]


@dataclass(frozen=True)
class Try:
    """A move of a puzzle: in SAN and UCI; 1 if it wins, 0 if it draws, -1 if it loses; the plies to mate with it."""

    san: str
    uci: str
    outcome: int
    plies: int | None


@dataclass(frozen=True)
class MatePuzzle:
    """White to move mates in so many moves, but only with the first of the `tries`, which are all legal moves."""

    ending: str
    moves: int
    fen: str
    tries: tuple[Try, ...]

    @property
    def best(self) -> Try:
        """The one move that mates in time."""
        return self.tries[0]


def mate_puzzles(ending: str, moves: int, seed: int, tables: EndingTables | None = None) -> Iterator[MatePuzzle]:
    """Puzzles "mate in `moves`" of an ending such as KRK, each position once up to symmetry, in an order by seed.

    They end when there are no more. `BadOption` if there is none at all.
    """
    wanted = read_ending(ending)
    tables = tables_for(wanted.name) if tables is None or wanted.name not in tables else tables
    codes = tables.tables[wanted.name].codes
    if moves < 1:
        raise BadOption(f"a mate takes at least one move, not {moves}")
    rest = [int(place) for place in np.flatnonzero(codes[: len(codes) // 2] == code_of(2 * moves - 1))]
    rng, found = stream(seed), False
    while rest:
        number = random_below(rng, len(rest))
        rest[number], rest[-1] = rest[-1], rest[number]
        state = state_at(wanted, rest.pop())
        image = random_below(rng, 8)
        if state is not None and (puzzle := _puzzle(wanted, moves, _turned(state, image), tables)):
            found = True
            yield puzzle
    if not found:
        raise BadOption(f"no position of {wanted.name} is mate in {moves} by one first move alone")


def _puzzle(ending: Ending, moves: int, state: Chess, tables: EndingTables) -> MatePuzzle | None:
    """The position as a puzzle, if one move alone is best."""
    found = tables.moves(state)
    if len(found) < 2 or found[1][1:] == found[0][1:]:
        return None
    tries = tuple(Try(san(state, one.action), uci(state, one.action), one.outcome, one.plies) for one in found)
    return MatePuzzle(ending.name, moves, fen(state), tries)


def _turned(state: Chess, image: int) -> Chess:
    """The position seen in one of eight mirrors, or in one of two if there is a pawn."""

    def seen(squares: Any) -> Any:
        found = NOTHING
        while squares:
            square = bit_index(squares)
            squares &= squares - np.uint64(1)
            square ^= 7 if image & 1 else 0
            if not state.pawns:
                square ^= 56 if image & 2 else 0
                square = square >> 3 | (square & 7) << 3 if image & 4 else square
            found |= bit(square)
        return found

    return state._replace(**{name: seen(getattr(state, name)) for name in Chess._fields[:7]})
