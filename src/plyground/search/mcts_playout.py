"""The playouts of a Monte Carlo tree search, by any of its policies."""

from __future__ import annotations

import math
from typing import Any

from plyground.core.chance import random_action
from plyground.core.limits import Budget
from plyground.core.recording import playout_moved, rewarded
from plyground.core.rules import CHANCE, action_buffer, evaluation, legal_actions, playout_action, result, to_move
from plyground.native.compiling import compiled
from plyground.native.overloads import native
from plyground.native.randomness import random_below, random_unit
from plyground.search.endgame_table import EndgameTable, NoTable, endgame_value
from plyground.search.mcts_rewards import prior_of, reward_of, scaled
from plyground.search.mcts_variant import GAME, GREEDY, LEARNED, MARGIN, UNIFORM, MctsSettings, MctsVariant
from plyground.search.playout import learned_action

__all__ = ["playout"]

AMAF_ACTIONS = 4096
"""Actions beyond this number take no part in all-moves-as-first statistics."""


@compiled
def playout(
    state: Any,
    settings: MctsSettings,
    variant: MctsVariant,
    rng: Any,
    rewards: Any,
    played: Any,
    simulation: int,
    budget: Budget,
    endgame: EndgameTable | NoTable,
    learned: Any,
) -> int:
    """Simulation: play to the end, or to the depth limit, and write each player's reward; returns the moves made.

    0 if the reward is exact: the game is over, or the endgame table knows how it ends.
    """
    known = endgame_value(state, endgame)
    if not math.isnan(known):
        for player in range(variant.players):
            value = known if player == 0 else -known
            rewards[player] = value / settings.scale if variant.reward == MARGIN else scaled(value, settings, variant)
            rewarded(player, rewards[player])
        return 0
    options = action_buffer(state)
    count = legal_actions(state, options)
    made = 0
    while count:
        mover = to_move(state)
        enough = variant.shortened and made >= settings.rollout_depth
        if mover != CHANCE and (enough or (made & 1023 == 1023 and budget.halted())):
            guess = float(evaluation(state))
            for player in range(variant.players):
                value = guess if player == mover else settings.low + settings.high - guess
                rewards[player] = scaled(value, settings, variant)
                rewarded(player, rewards[player])
            return made
        action = playout_choice(state, options, count, settings, variant, rng, learned)
        if variant.rave and mover != CHANCE and 0 <= action < AMAF_ACTIONS:
            played[mover, action] = simulation
        playout_moved(state, action)
        state = result(state, action)
        made += 1
        count = legal_actions(state, options)
    for player in range(variant.players):
        rewards[player] = reward_of(state, player, settings, variant)
        rewarded(player, rewards[player])
    return made


@compiled
def greedy_action(state: Any, options: Any, count: int, settings: MctsSettings, variant: MctsVariant) -> int:
    """The action that the evaluation likes best."""
    chosen, highest = options[0], -math.inf
    for i in range(count):
        value = prior_of(state, options[i], settings, variant)
        if value > highest:
            chosen, highest = options[i], value
    return chosen  # type: ignore[no-any-return]


def playout_choice(
    state: Any, options: Any, count: int, settings: MctsSettings, variant: MctsVariant, rng: Any, learned: Any
) -> int:
    """One action of a playout, by the variant's policy; chance is always drawn."""
    if variant.policy == UNIFORM or to_move(state) == CHANCE:
        return random_action(state, options, count, rng)
    if variant.policy == GAME:
        return playout_action(state, options, count, rng)
    if variant.policy == LEARNED:
        return learned_action(state, options, count, learned, rng)
    if random_unit(rng) < settings.epsilon:
        return random_action(state, options, count, rng)
    return greedy_action(state, options, count, settings, variant)


@native(playout_choice)
def _playout_choice(state: Any, options: Any, count: Any, settings: Any, variant: Any, rng: Any, learned: Any) -> Any:
    def uniform(state, options, count, settings, variant, rng, learned):  # type: ignore[no-untyped-def]
        return options[random_below(rng, count)]

    def uniform_with_chance(state, options, count, settings, variant, rng, learned):  # type: ignore[no-untyped-def]
        return random_action(state, options, count, rng)

    def by_game(state, options, count, settings, variant, rng, learned):  # type: ignore[no-untyped-def]
        if to_move(state) == CHANCE:
            return random_action(state, options, count, rng)
        return playout_action(state, options, count, rng)

    def by_learning(state, options, count, settings, variant, rng, learned):  # type: ignore[no-untyped-def]
        if to_move(state) == CHANCE:
            return random_action(state, options, count, rng)
        return learned_action(state, options, count, learned, rng)

    def greedy(state, options, count, settings, variant, rng, learned):  # type: ignore[no-untyped-def]
        if to_move(state) == CHANCE or random_unit(rng) < settings.epsilon:
            return random_action(state, options, count, rng)
        return greedy_action(state, options, count, settings, variant)

    without_policy = uniform_with_chance if variant.value.chance else uniform
    return {UNIFORM: without_policy, GAME: by_game, GREEDY: greedy, LEARNED: by_learning}[variant.value.policy]
