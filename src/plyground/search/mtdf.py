"""MTD(f) (Plaat, Schaeffer, Pijls, de Bruin 1996): the minimax value by null-window searches alone.

Each search asks one question, "is the value at least g?", and its fail-soft answer moves one of two bounds. The
searches repeat each other, so a transposition table carries the results from one to the next, and a good first guess,
such as the value of the last iteration, saves most of them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyground.core.limits import Budget
from plyground.native.compiling import compiled
from plyground.search.alphabeta import AlphaBetaMemory, AlphaBetaSettings, AlphaBetaVariant, alphabeta
from plyground.search.endgame_table import NO_TABLE, EndgameTable, NoTable

__all__ = ["mtdf"]


@compiled
def mtdf(
    state: Any,
    depth: int,
    guess: float,
    player: int,
    memory: AlphaBetaMemory,
    settings: AlphaBetaSettings,
    variant: AlphaBetaVariant,
    budget: Budget,
    endgame: EndgameTable | NoTable = NO_TABLE,
) -> float:
    """The value of `state` to `player`, the player to move, `depth` plies ahead, beginning with a guess at it.

    The line in the memory is that of the search that proved the value from below.
    """
    low, high, value = -math.inf, math.inf, float(guess)
    line = np.zeros(memory.line.shape[1], np.int64)
    length = 0
    while low < high and not budget.stopped:
        # The window between two neighbouring numbers: the answer is never inside.
        beta = float(np.nextafter(value, math.inf)) if value == low else value
        value = alphabeta(
            state, depth, float(np.nextafter(beta, -math.inf)), beta, player, memory, settings, variant, budget, endgame
        )
        if value < beta:
            high = value
        else:
            low = value
            length = memory.lengths[0]
            for i in range(length):
                line[i] = memory.line[0, i]
    for i in range(length):
        memory.line[0, i] = line[i]
    memory.lengths[0] = length
    return value
