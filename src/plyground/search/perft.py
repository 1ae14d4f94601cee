"""Perft: how many sequences of a given number of moves there are, the standard check of a game's rules.

A forced pass is a move like any other. A game that ends earlier than the given depth adds `ended`: 0 by default; some
tables count it as one leaf at every greater depth (Reversi's perft 10 is 24,571,056 the first way and 24,571,284
the second).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plyground.core.limits import Budget
from plyground.core.rules import action_buffer, actions, count_actions, legal_actions, result
from plyground.native.compiling import compiled

__all__ = ["perft", "perft_parts"]


@compiled
def perft(state: Any, depth: int, ended: int, budget: Budget) -> int:
    """The number of ways to play exactly `depth` moves from here (1 for none).

    The last move is counted, not made. The budget counts the other positions; when it is spent, the answer is void.
    """
    if depth <= 0:
        return 1
    if depth == 1:
        return count_actions(state) or ended
    if budget.spend():
        return 0
    options = action_buffer(state)
    count = legal_actions(state, options)
    if count == 0:
        return ended
    total = 0
    for i in range(count):
        total += perft(result(state, options[i]), depth - 1, ended, budget)
    return total


def perft_parts(state: Any, depth: int, ended: int, budget: Budget, parts: int = 50) -> Iterator[tuple[int, int]]:
    """The same sum in parts, as (leaves, parts to come), so that progress can be shown and the wait broken off."""
    total, frontier, rest = 0, [state], depth
    while rest > 6 and 0 < len(frontier) < parts:
        total += sum(ended for node in frontier if not actions(node))
        frontier = [result(node, action) for node in frontier for action in actions(node)]
        rest -= 1
    yield total, len(frontier)
    for number, node in enumerate(frontier, 1):
        yield perft(node, rest, ended, budget), len(frontier) - number
