"""Rewards in a Monte Carlo tree search: of a finished game, and what the evaluation makes of a move."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.core.rules import CHANCE, evaluation, result, score, terminal, to_move, utility
from plyground.native.compiling import compiled, inlined
from plyground.search.mcts_variant import MARGIN, WIN_DRAW_LOSS, MctsSettings, MctsVariant

__all__ = ["best", "order_by_prior", "prior_of", "reward_of", "scaled", "worst"]


@inlined
def best(variant: MctsVariant) -> float:
    """The highest reward there is."""
    return 1.0


@inlined
def worst(variant: MctsVariant) -> float:
    """The lowest reward there is."""
    return 0.0 if variant.reward == WIN_DRAW_LOSS else -1.0


@inlined
def scaled(value: float, settings: MctsSettings, variant: MctsVariant) -> float:
    """The reward of a utility."""
    share = (value - settings.low) / (settings.high - settings.low)
    return share if variant.reward == WIN_DRAW_LOSS else 2.0 * share - 1.0


@inlined
def reward_of(state: Any, player: int, settings: MctsSettings, variant: MctsVariant) -> float:
    """The reward of a finished game to a player."""
    if variant.reward == MARGIN:
        reward = float(score(state, player)) / settings.scale
    else:
        reward = scaled(float(utility(state, player)), settings, variant)
    return reward


@compiled
def prior_of(state: Any, action: int, settings: MctsSettings, variant: MctsVariant) -> float:
    """What the evaluation makes of an action, as a reward to the player who takes it."""
    following = result(state, action)
    mover = to_move(state)
    if mover == CHANCE:
        return 0.0
    if terminal(following):
        return scaled(float(utility(following, mover)), settings, variant)
    guess = float(evaluation(following))
    return scaled(guess if to_move(following) == mover else settings.low + settings.high - guess, settings, variant)


@compiled
def order_by_prior(
    nodes: Any, first: int, count: int, state: Any, settings: MctsSettings, variant: MctsVariant
) -> None:
    """Sort new children, best first, by what the evaluation makes of them."""
    for i in range(count):
        action = int(nodes[first + i]["action"])
        prior = np.float32(prior_of(state, action, settings, variant))  # as it is stored, so that ties stay ties
        j = i
        while j > 0 and nodes[first + j - 1]["prior"] < prior:
            nodes[first + j]["action"] = nodes[first + j - 1]["action"]
            nodes[first + j]["prior"] = nodes[first + j - 1]["prior"]
            j -= 1
        nodes[first + j]["action"] = action
        nodes[first + j]["prior"] = prior
