"""Rollouts: a position played to its end many times by the networks, with the luck of the dice taken out.

How lucky a roll was is known: it is what the best play of that roll is worth, less the mean over all 21 rolls. The mean
of all luck is 0, so that a game's result less the luck in it has the same mean as the result, and varies much less
(variance reduction by control variates). The first roll is each of the 36 in turn.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from plyground.engines.backgammon.network import moving, settled
from plyground.engines.backgammon.search import CHANCES, ROLLS, Known, after_best, value_of, weights_of
from plyground.errors import BadOption
from plyground.games.backgammon.board import Backgammon, Men, own_men
from plyground.games.backgammon.moves import after_play
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, stream

__all__ = ["Rollout", "roll_out"]

LONGEST = 1000
"""Turns; no game is as long."""
SURE = 1.96


class Rollout(NamedTuple):
    """What a position is worth to whoever is to roll, as a utility, with its standard error, by so many games.

    `raw_error` is what the error would be with the luck left in.
    """

    mean: float
    error: float
    raw_error: float
    games: int

    @property
    def interval(self) -> tuple[float, float]:
        """Where the value is with a probability of 95%, if the networks played perfectly."""
        return self.mean - SURE * self.error, self.mean + SURE * self.error


@compiled
def play_out(
    start: Backgammon, mine: Men, other: Men, known: Known, own: Any, others: Any, first: int, rng: Any, sums: Any
) -> None:
    """Play one game from a position before a roll, and add its result, and that less the luck, with their squares."""
    luck, sign = 0.0, 1.0
    values = np.empty(len(ROLLS))
    plays = np.empty(len(ROLLS), np.int64)
    turn = 0
    while turn < LONGEST and not settled(mine, other, known.room.outputs):
        one = 1 + (first // 6 if turn == 0 else random_below(rng, 6))
        two = 1 + (first % 6 if turn == 0 else random_below(rng, 6))
        mean, thrown = 0.0, 0
        for r in range(len(ROLLS)):
            state = moving(start, mine, other, ROLLS[r, 0] << 3 | ROLLS[r, 1])
            values[r], plays[r] = after_best(state, known, others if sign > 0 else own)
            mean += CHANCES[r] * values[r]
            if ROLLS[r, 0] == max(one, two) and ROLLS[r, 1] == min(one, two):
                thrown = r
        luck += sign * (values[thrown] - mean)
        state = moving(start, mine, other, ROLLS[thrown, 0] << 3 | ROLLS[thrown, 1])
        after, waits = after_play(state, plays[thrown])
        mine, other = waits, after
        sign = -sign
        turn += 1
    result = value_of(known.room.outputs, own if sign > 0 else others) * sign
    sums[0] += result
    sums[1] += result * result
    sums[2] += result - luck
    sums[3] += (result - luck) * (result - luck)


@compiled
def play_games_out(
    start: Backgammon, mine: Men, other: Men, known: Known, own: Any, others: Any, games: int, rng: Any, sums: Any
) -> None:
    for game in range(games):
        play_out(start, mine, other, known, own, others, game % 36, rng, sums)


def roll_out(state: Backgammon, known: Known, games: int = 360, seed: int = 0) -> Rollout:
    """Play a position to its end so many times, from before the roll of ``state.turn``; the cube stays as it is."""
    if games < 36:
        raise BadOption(f"a rollout takes 36 games at least, one for each first roll, not {games}")
    own, others, sums = np.zeros(6), np.zeros(6), np.zeros(4)
    player = int(state.turn)
    weights_of(state, player, own)
    weights_of(state, 1 - player, others)
    mine, other = own_men(state, player), own_men(state, 1 - player)
    play_games_out(state, mine, other, known, own, others, games, stream(seed, 4), sums)
    raw, mean = sums[0] / games, sums[2] / games
    error, raw_error = (
        math.sqrt(max(0.0, square / games - each * each) / games) for each, square in ((mean, sums[3]), (raw, sums[1]))
    )
    return Rollout(float(mean), error, raw_error, games)
