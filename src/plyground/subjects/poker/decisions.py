"""What each decision of a hidden game is worth where everybody follows a strategy, and so what another one costs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plyground.core.rules import CHANCE
from plyground.search.extensive import END
from plyground.search.strategy_file import Strategy

__all__ = ["decision_values"]


def decision_values(strategy: Strategy) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The value of every action of every information set, one a slot, and the value of the game to each player.

    An action is worth its mean over all that the player does not see, as likely as chance and the others make it, if
    afterwards everybody follows the strategy, the player too. In an equilibrium the actions that are played have the
    highest value. NaN in sets that the others never lead to.
    """
    nodes, likely = strategy.tree.nodes, strategy.probabilities
    count, players = len(nodes.mover), nodes.utilities.shape[1]
    values = np.zeros((count, players))
    share = np.ones(count)  # how likely the step to a node is, where its parent stands
    for node in range(count):
        first, many = nodes.first[node], nodes.children[node]
        if nodes.mover[node] == CHANCE:
            share[first : first + many] = nodes.chance[first : first + many]
        elif nodes.mover[node] != END:
            slot = nodes.slot[nodes.owner[node]]
            share[first : first + many] = likely[slot : slot + many]
    for node in range(count - 1, -1, -1):
        first, many = nodes.first[node], nodes.children[node]
        if nodes.mover[node] == END:
            values[node] = nodes.utilities[node]
        else:
            values[node] = share[first : first + many] @ values[first : first + many]
    by_others = np.ones((count, players))  # how likely a node is if one player does everything to come there
    total, weight = np.zeros(strategy.tree.slots), np.zeros(strategy.tree.slots)
    for node in range(count):
        mover, first, many = nodes.mover[node], nodes.first[node], nodes.children[node]
        if mover == END:
            continue
        children = slice(first, first + many)
        by_others[children] = by_others[node] * share[children, None]
        if mover != CHANCE:
            by_others[children, mover] = by_others[node, mover]
            slots = slice(nodes.slot[nodes.owner[node]], nodes.slot[nodes.owner[node]] + many)
            total[slots] += by_others[node, mover] * values[children, mover]
            weight[slots] += by_others[node, mover]
    return np.divide(total, weight, out=np.full_like(total, np.nan), where=weight > 0), values[0]
