"""Games of the networks and tables, looking at no roll to come, against a yardstick: points a game with their error."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from plyground.core.rules import CHANCE, action_buffer, drawn_action, result, terminal, to_move, utility
from plyground.engines.backgammon.bearoff import bearoff_tables
from plyground.engines.backgammon.network import Net, new_room
from plyground.engines.backgammon.pubeval import pubeval_play
from plyground.engines.backgammon.search import Known, after_best
from plyground.games.backgammon import backgammon
from plyground.games.backgammon.board import Backgammon
from plyground.native.compiling import compiled
from plyground.native.randomness import stream

__all__ = ["Points", "against_pubeval"]


class Points(NamedTuple):
    """Points a game for the first of two players, with the standard error, of how many games."""

    mean: float
    error: float
    games: int


@compiled
def play_games(start: Backgammon, known: Known, games: int, rng: Any) -> tuple[float, float]:
    """The sum of the points of games between the networks and pubeval, and that of their squares."""
    plays = action_buffer(start)
    weights = np.array([1.0, 2.0, 3.0, -1.0, -2.0, -3.0])
    total, squares = 0.0, 0.0
    for number in range(games):
        side = number % 2
        state = start
        while not terminal(state):
            if to_move(state) == CHANCE:
                action = drawn_action(state, plays, rng)
            elif to_move(state) == side:
                _, action = after_best(state, known, weights)
            else:
                action = pubeval_play(state, plays)
            state = result(state, action)
        points = utility(state, side)
        total += points
        squares += points * points
    return total, squares


def against_pubeval(net: Net, games: int, seed: int = 0) -> Points:
    """Points a game of the networks against pubeval, for money without a cube."""
    known = Known(net, new_room(net.rows.shape[2]), *bearoff_tables(), np.zeros(1, np.int64))
    total, squares = play_games(backgammon().initial, known, games, stream(seed, 9))
    mean = total / games
    return Points(mean, math.sqrt(max(0.0, squares / games - mean * mean) / games), games)
