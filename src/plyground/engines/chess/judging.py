"""What judges a position in the search: the sum, corrected by the network.

The search knows of an evaluation:

- `EVALUATION_FIELDS`: the fields that it has in the record of a thread (`memory.RECORD`). Those with `SLOTS` rows hold,
  for each ply from the root, what is carried along a line.
- `fill_evaluation(record, network)`: fills what does not change in such a record, in plain Python.
- `begin_evaluation(memory, board, slot)`: compiled; works out the row of a board from nothing.
- `carry_evaluation(memory, before, after, slot)`: compiled; works out row `slot + 1` of the board `after` from row
  `slot` of the board `before`, one move earlier. A null move changes nothing but the side to move. What has changed is
  seen from the boards' sets.
- `evaluate(memory, board, slot)`: compiled; the value, less than `LARGEST` either way.
"""

from __future__ import annotations

from typing import Any

from plyground.engines.chess.evaluation import (
    LARGEST,
    SUM_FIELDS,
    begin_sum,
    carry_sum,
    fill_sum,
    sum_value,
)
from plyground.engines.chess.network import (
    NETWORK_FIELDS,
    Network,
    begin_network,
    carry_network,
    fill_network,
    network_value,
)
from plyground.games.chess.board import Board
from plyground.native.compiling import compiled

__all__ = ["EVALUATION_FIELDS", "begin_evaluation", "carry_evaluation", "evaluate", "fill_evaluation"]

EVALUATION_FIELDS = [*SUM_FIELDS, *NETWORK_FIELDS]


def fill_evaluation(record: Any, network: Network) -> None:
    """Fill what does not change in a thread's record; the network must live as long as the record."""
    fill_sum(record)
    fill_network(record, network)


@compiled
def begin_evaluation(memory: Any, board: Board, slot: int) -> None:
    """Work out the row of a board from nothing."""
    begin_sum(memory, board, slot)
    if memory.with_network:
        begin_network(memory, board, slot)


@compiled
def carry_evaluation(memory: Any, before: Board, after: Board, slot: int) -> None:
    """Work out the next row, of the board after a move."""
    carry_sum(memory, before, after, slot)
    if memory.with_network:
        carry_network(memory, after, slot)


@compiled
def evaluate(memory: Any, board: Board, slot: int) -> int:
    """What the position is worth to the side to move, in centipawns."""
    value = sum_value(memory, board, slot)
    if memory.with_network:
        value += network_value(memory, board, slot)
    return max(1 - LARGEST, min(LARGEST - 1, value))
