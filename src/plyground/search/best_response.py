"""Best responses, and how far a strategy can be exploited: exact, on the whole tree of a game.

A strategy is an array with a probability for each slot of an `Extensive` tree. A best response of a player chooses in
each of its information sets the action that is worth most, weighed by how likely the others and chance lead to each
node of it. A player who has perfect recall can settle its information sets one after the other, those with the most
moves before first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.rules import CHANCE
from plyground.native.compiling import compiled
from plyground.search.extensive import END, Extensive, Nodes

__all__ = ["BestResponse", "best_response", "expected_values", "exploitability", "reach_by_others"]


@compiled
def reach_by_others(nodes: Nodes, strategy: Any, player: int, reach: Any) -> None:
    """Write into `reach` how likely everybody but the player leads to each node, chance included."""
    reach[0] = 1.0
    for node in range(len(nodes.mover)):
        for i in range(nodes.children[node]):
            child = nodes.first[node] + i
            reach[child] = reach[node] * nodes.chance[child]
            if nodes.mover[node] not in (player, CHANCE):
                reach[child] *= strategy[nodes.slot[nodes.owner[node]] + i]


@compiled
def respond(nodes: Nodes, strategy: Any, player: int, reach: Any, worth: Any, chosen: Any, values: Any) -> float:
    """Write the best action of each information set of the player into `chosen`; the value of the game to it then.

    `worth`, one for each slot, and `values`, one for each node, are room to work in; `reach` as `reach_by_others`
    wrote it.
    """
    depth = np.zeros(len(nodes.mover), np.int64)  # the player's own moves before each node
    for node in range(len(nodes.mover)):
        for i in range(nodes.children[node]):
            depth[nodes.first[node] + i] = depth[node] + (nodes.mover[node] == player)
    worth[:] = 0.0
    for level in range(nodes.levels + 1, -1, -1):
        for node in range(len(nodes.mover)):
            if nodes.mover[node] == player and depth[node] == level:
                slot = nodes.slot[nodes.owner[node]]
                for i in range(nodes.children[node]):
                    worth[slot + i] += reach[node] * values[nodes.first[node] + i]
        for owner in range(len(nodes.player)):
            if nodes.player[owner] == player and nodes.level[owner] == level:
                chosen[owner] = np.argmax(worth[nodes.slot[owner] : nodes.slot[owner + 1]])
        for node in range(len(nodes.mover) - 1, -1, -1):
            if depth[node] != level:
                continue
            first, owner = nodes.first[node], nodes.owner[node]
            if nodes.mover[node] == END:
                values[node] = nodes.utilities[node, player]
            elif nodes.mover[node] == player:
                values[node] = values[first + chosen[owner]]
            else:
                values[node] = 0.0
                for i in range(nodes.children[node]):
                    weight = nodes.chance[first + i]
                    if nodes.mover[node] != CHANCE:
                        weight = strategy[nodes.slot[owner] + i]
                    values[node] += weight * values[first + i]
    return values[0]  # type: ignore[no-any-return]


@compiled
def evaluate(nodes: Nodes, strategy: Any, values: Any) -> None:
    """Write what every node is worth to every player, of shape (nodes, players), if all play the strategy."""
    for node in range(len(nodes.mover) - 1, -1, -1):
        if nodes.mover[node] == END:
            values[node] = nodes.utilities[node]
        else:
            values[node] = 0.0
            for i in range(nodes.children[node]):
                child = nodes.first[node] + i
                weight = nodes.chance[child]
                if nodes.mover[node] != CHANCE:
                    weight = strategy[nodes.slot[nodes.owner[node]] + i]
                values[node] += weight * values[child]


@dataclass(frozen=True)
class BestResponse:
    """What a best response of a player is worth to it, and its action in each of its information sets."""

    value: float
    choices: dict[int, int]


def best_response(tree: Extensive, strategy: NDArray[np.float64], player: int) -> BestResponse:
    """The best a player can do if the others play the strategy."""
    nodes = tree.nodes
    reach, values = np.zeros(len(nodes.mover)), np.zeros(len(nodes.mover))
    chosen = np.zeros(len(tree.sets), np.int64)
    reach_by_others(nodes, strategy, player, reach)
    value = float(respond(nodes, strategy, player, reach, np.zeros(tree.slots), chosen, values))
    choices = {n: one.actions[int(chosen[n])] for n, one in enumerate(tree.sets) if one.player == player}
    return BestResponse(value, choices)


def expected_values(tree: Extensive, strategy: NDArray[np.float64]) -> tuple[float, ...]:
    """What the game is worth to each player if all play the strategy."""
    values = np.zeros(tree.nodes.utilities.shape)
    evaluate(tree.nodes, strategy, values)
    return tuple(values[0].tolist())


def exploitability(tree: Extensive, strategy: NDArray[np.float64]) -> float:
    """What a player gains on average by answering with a best response instead; 0 exactly in an equilibrium.

    The mean over the players, which for two players and zero sum is how much each side can be beaten by, on average.
    """
    values = expected_values(tree, strategy)
    gains = [best_response(tree, strategy, player).value - value for player, value in enumerate(values)]
    return sum(gains) / len(gains)
