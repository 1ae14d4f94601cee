"""How strong the networks of backgammon are without looking at any roll to come, in points a game.

    python -m benchmarks.backgammon_match --games 30000
    python -m benchmarks.backgammon_match --network nets/network.npz --opponent gnubg --games 10000

The opponent is pubeval, or GNU Backgammon's networks at 0 plies, from the package `gnubg-nn` of the extra `test`. Games
are for money without a cube; the throw at the start decides who begins. With the bear-off tables, which theirs has too.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

from plyground import make_game
from plyground.engines.backgammon.bearoff import bearoff_tables
from plyground.engines.backgammon.engine import bundled_net
from plyground.engines.backgammon.matches import Points, against_pubeval
from plyground.engines.backgammon.network import Net, load_net, new_room
from plyground.engines.backgammon.search import Known, after_best
from plyground.games.backgammon.board import MOVING, OVER, ROLLING, Backgammon, men_on, occupied, own_men
from plyground.games.backgammon.cube import points_won, winner_of
from plyground.games.backgammon.moves import after_play, walked
from plyground.native.compiling import compiled

__all__ = ["against_gnubg"]


@compiled
def after_ours(state: Backgammon, known: Known, weights: Any) -> Backgammon:
    """The position after our play."""
    _, play = after_best(state, known, weights)
    mine, other = after_play(state, play)
    return turned(state, mine, other)


@compiled
def after_theirs(state: Backgammon, ends: Any, count: int) -> Backgammon:
    """The position after men have moved from and to these points."""
    mine, other = own_men(state, state.turn), own_men(state, 1 - state.turn)
    for k in range(count):
        mine, other = walked(mine, other, ends[2 * k], ends[2 * k] - ends[2 * k + 1], 24)
    return turned(state, mine, other)


def turned(state: Backgammon, mine: Any, other: Any) -> Backgammon:
    """The position in which the other side is about to roll, or the game is over."""
    first, second = (mine, other) if state.turn == 0 else (other, mine)
    phase, turn = (OVER, state.turn) if occupied(mine) == 0 else (ROLLING, 1 - state.turn)
    return Backgammon(first, second, turn, phase, 0, 1, -1, 0, state.scores, 0, 24, 15, 6)


@compiled
def note_board(state: Backgammon, rows: Any) -> None:
    """Both sides' men, as the other program takes them."""
    mine, other = own_men(state, state.turn), own_men(state, 1 - state.turn)
    for point in range(25):
        rows[0, point], rows[1, point] = men_on(other, point + 1), men_on(mine, point + 1)


def against_gnubg(net: Net, games: int, seed: int) -> Points:
    """Points a game against GNU Backgammon's networks, both at 0 plies."""
    import gnubg_nn

    known = Known(net, new_room(net.rows.shape[2]), *bearoff_tables(), np.zeros(1, np.int64))
    weights, ends, rows = (
        np.array([1.0, 2.0, 3.0, -1.0, -2.0, -3.0]),
        np.zeros(8, np.int64),
        np.zeros((2, 25), np.int64),
    )
    start, rng = make_game("backgammon").initial, random.Random(seed)
    total = squares = 0.0
    for number in range(games):
        one, two = rng.sample(range(1, 7), 2)
        state = start._replace(turn=int(two > one), phase=MOVING, roll=max(one, two) << 3 | min(one, two))
        while state.phase != OVER:
            if state.turn == number % 2:
                state = after_ours(state, known, weights)
            else:
                note_board(state, rows)
                moves = gnubg_nn.best_move(rows.tolist(), state.roll >> 3, state.roll & 7) or ()
                ends[: 2 * len(moves)] = [end for move in moves for end in move]
                state = after_theirs(state, ends, len(moves))
            if state.phase != OVER:
                one, two = rng.randint(1, 6), rng.randint(1, 6)
                state = state._replace(phase=MOVING, roll=max(one, two) << 3 | min(one, two))
        points = points_won(state) if winner_of(state) == number % 2 else -points_won(state)
        total += points
        squares += points * points
    mean = total / games
    return Points(mean, math.sqrt((squares / games - mean * mean) / games), games)


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", type=Path, help="a file of networks (those of the package)")
    parser.add_argument("--opponent", choices=("pubeval", "gnubg"), default="pubeval", help="whom to meet (pubeval)")
    parser.add_argument("--games", type=int, default=3000, help="games (3000)")
    parser.add_argument("--seed", type=int, default=0, help="of the dice (0)")
    given = parser.parse_args()
    net = load_net(given.network)[0] if given.network else bundled_net()
    meet = against_gnubg if given.opponent == "gnubg" else against_pubeval
    points = meet(net, given.games, given.seed)
    print(f"{points.mean:+.4f} +- {points.error:.4f} points a game against {given.opponent}, {points.games} games")


if __name__ == "__main__":
    sys.exit(main())
