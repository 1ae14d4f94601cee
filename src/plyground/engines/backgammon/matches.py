"""Games of the networks, looking at no roll to come, against a yardstick: points a game with their standard error."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from plyground.core.rules import CHANCE, action_buffer, drawn_action, result, terminal, to_move, utility
from plyground.engines.backgammon.network import Net, Room, judge, new_room
from plyground.engines.backgammon.pubeval import pubeval_play
from plyground.games.backgammon import backgammon
from plyground.games.backgammon.board import Backgammon
from plyground.games.backgammon.moves import after_play, list_plays
from plyground.native.compiling import compiled
from plyground.native.randomness import stream

__all__ = ["Points", "against_pubeval", "network_play"]


class Points(NamedTuple):
    """Points a game for the first of two players, with the standard error, of how many games."""

    mean: float
    error: float
    games: int


@compiled
def network_play(state: Backgammon, net: Net, room: Room, plays: Any) -> int:
    """The play after which the networks like the other side's position least."""
    count = list_plays(state, plays)
    best, chosen = 1e9, plays[0]
    for i in range(count):
        mine, other = after_play(state, plays[i])
        value = judge(other, mine, net, room)
        if value < best:
            best, chosen = value, plays[i]
    return chosen  # type: ignore[no-any-return]


@compiled
def play_games(start: Backgammon, net: Net, room: Room, games: int, rng: Any) -> tuple[float, float]:
    """The sum of the points of games between the networks and pubeval, and that of their squares."""
    plays = action_buffer(start)
    total, squares = 0.0, 0.0
    for number in range(games):
        side = number % 2
        state = start
        while not terminal(state):
            if to_move(state) == CHANCE:
                action = drawn_action(state, plays, rng)
            elif to_move(state) == side:
                action = network_play(state, net, room, plays)
            else:
                action = pubeval_play(state, plays)
            state = result(state, action)
        points = utility(state, side)
        total += points
        squares += points * points
    return total, squares


def against_pubeval(net: Net, games: int, seed: int = 0) -> Points:
    """Points a game of the networks against pubeval, for money without a cube."""
    total, squares = play_games(backgammon().initial, net, new_room(net.rows.shape[2]), games, stream(seed, 9))
    mean = total / games
    return Points(mean, math.sqrt(max(0.0, squares / games - mean * mean) / games), games)
