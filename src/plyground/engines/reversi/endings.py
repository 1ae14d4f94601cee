"""Exact ends of Reversi games for tree searches: who wins from here, where few enough squares are empty.

To a search this is an endgame table that computes its entries.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from plyground.core.game import Game
from plyground.core.rules import to_move
from plyground.engines.reversi.endgame import brute_force, solve
from plyground.engines.reversi.memory import Memory
from plyground.engines.reversi.table import Table
from plyground.games.reversi import on_8x8
from plyground.native.bits import popcount
from plyground.native.compiling import compiled, not_interpreted
from plyground.native.kinds import class_of
from plyground.native.overloads import native
from plyground.search.endgame_table import endgame_value

__all__ = ["SolvedEndings", "winner_value"]

FEW = 4
"""Up to this many empty squares every game is tried."""


class Endings(NamedTuple):
    """What compiled code is given: the memory's record, and up to how many empty squares to solve."""

    memory: Any
    most: int

    def value_of(self, state: Any) -> float:
        """The same for searches that run as Python; the solver's memory is known to machine code alone."""
        with not_interpreted():
            return winner_value(state, self)


class SolvedEndings:
    """Solves positions of up to `most` empty squares on the 8x8 board. One search at a time may use it."""

    def __init__(self, most: int) -> None:
        self._memory = Memory(Table(1 << 20), None, np.zeros(16, np.int64))
        self.endings = Endings(self._memory.record, most)

    @staticmethod
    def knows(game: Game) -> bool:
        """Whether it is a game that can be solved."""
        return on_8x8(game)


@compiled
def winner_value(state: Any, endings: Endings) -> float:
    """1, 0 or -1 to player 0 with best play; NaN if too many squares are empty."""
    own, opponent = state.own, state.opponent
    empties = 64 - popcount(own | opponent)
    if empties > endings.most:
        return math.nan
    if empties <= FEW:
        score = brute_force(own, opponent, endings.memory)
    else:
        score = 0
        # A loop: compiled with constants, the recursion would be of two types, and its machine code could not be kept.
        for alpha in (0, -1):
            score = solve(own, opponent, alpha, empties, endings.memory)
            if score > alpha:
                break
    value = 1.0 if score > 0 else -1.0 if score < 0 else 0.0
    return value if to_move(state) == 0 else -value


@native(endgame_value)
def _endgame_value(state: Any, table: Any) -> Any:
    if class_of(table) is Endings:
        return lambda state, table: winner_value(state, table)
    return None
