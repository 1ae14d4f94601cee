"""The engine's levels: each one against the one two below, in paired games from varied openings.

    python -m benchmarks.levels --games 100 --jobs 2
    python -m benchmarks.levels --levels 12-20 --games 20

An opening is eight random moves after which neither side is clearly better; it is played twice with colours changed.
A win is a point and a draw half a point. The interval is that of 95%, over openings. The times are those of the higher
level's moves: mean, and the longest.
"""

from __future__ import annotations

import argparse
import math
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from typing import Any, NamedTuple

from plyground import Limit, actions, make_game, result, to_move
from plyground.engines.reversi.engine import Engine
from plyground.games.reversi import Reversi
from plyground.native.randomness import random_below, stream
from plyground.players import Player, Position, make_player

OPENING_MOVES = 8
BALANCED = 3
"""Discs by which a search may see one side ahead after the opening."""
OPENING_DEPTH = 10
BELOW = 2


class Played(NamedTuple):
    """One game: the higher level's points, and the seconds of each of its moves."""

    points: float
    seconds: list[float]


@cache
def judge() -> Engine:
    """Who says whether an opening is balanced."""
    return Engine()


@cache
def opening(number: int) -> tuple[int, ...]:
    """Random moves that leave the game open, the same for the same number."""
    rng = stream(number, 20261116)
    while True:
        state, moves = make_game("reversi").initial, []
        for _ in range(OPENING_MOVES):
            options = actions(state)
            moves.append(options[random_below(rng, len(options))])
            state = result(state, moves[-1])
        judge().clear()
        if abs(judge().search(state, Limit(depth=OPENING_DEPTH)).value) <= BALANCED:
            return tuple(moves)


@cache
def player(spec: str, seat: str) -> Player:
    """The player of a spec; each side of a match has its own."""
    return make_player(spec, make_game("reversi"), seed=1 if seat == "higher" else 2)


def play(higher: str, lower: str, number: int) -> list[Played]:
    """The two games of an opening."""
    game, games = make_game("reversi"), []
    for seat in (0, 1):
        history: tuple[int, ...] = opening(number)
        state: Reversi | Any = game.initial
        for action in history:
            state = result(state, action)
        sides = {seat: player(higher, "higher"), 1 - seat: player(lower, "lower")}
        for side in sides.values():
            side.prepare(game)
        seconds = []
        while actions(state):
            mover = int(to_move(state))
            start = time.perf_counter()
            choice: Any = sides[mover].choose(Position(game, state, history), Limit())
            if mover == seat:
                seconds.append(time.perf_counter() - start)
            history, state = (*history, choice.action), result(state, choice.action)
        games.append(Played((game.returns(state)[seat] + 1) / 2, seconds))
    return games


def match(higher: str, lower: str, games: int, first: int, jobs: int) -> str:
    """Play this many games and say how they went."""
    with ProcessPoolExecutor(jobs) as pool:
        pairs = list(pool.map(partial(play, higher, lower), range(first, first + math.ceil(games / 2))))
    means = [sum(played.points for played in pair) / 2 for pair in pairs]
    mean = sum(means) / len(means)
    spread = sum((value - mean) ** 2 for value in means) / max(1, len(means) - 1)
    half = 1.96 * math.sqrt(spread / len(means))
    seconds = [second for pair in pairs for played in pair for second in played.seconds]
    took = f"{sum(seconds) / len(seconds):.3f} s a move, longest {max(seconds):.2f} s"
    return f"{higher} against {lower}: {2 * len(pairs)} games, {mean:.1%} +- {half:.1%}; {took}"


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", default="3-20", help="the higher levels of the matches, such as 3-10 or 7")
    parser.add_argument("--games", type=int, default=100, help="games of each match (100)")
    parser.add_argument("--first", type=int, default=0, help="number of the first opening (0)")
    parser.add_argument("--jobs", type=int, default=1, help="processes; at most one a core, or times mean nothing")
    given = parser.parse_args()
    low, _, high = given.levels.partition("-")
    for level in range(int(low), int(high or low) + 1):
        pair = f"engine:level={level}", f"engine:level={level - BELOW}"
        print(match(*pair, given.games, given.first, given.jobs), flush=True)


if __name__ == "__main__":
    main()
