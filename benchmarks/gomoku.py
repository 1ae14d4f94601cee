"""What each technique of the Gomoku engine gains, and whether each level beats the one below.

    python -m benchmarks.gomoku techniques --games 40 --nodes 20000
    python -m benchmarks.gomoku levels --games 40 --jobs 2

The engine plays itself with and without a technique, with as many nodes for a move; each level plays the one below.
An opening is six random moves in the middle of the board, played twice with colours changed. Nothing depends on time.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

from plyground import Limit, actions, make_game, result, to_move
from plyground.engines.gomoku.engine import Engine, Sight
from plyground.engines.gomoku.levels import LEVELS, play_level
from plyground.native.randomness import random_below, stream

OPENING_MOVES = 6
MIDDLE = range(4, 11)
TABLE = 1 << 22
SIGHTS = {
    "all": Sight(),
    "no proofs by threats": Sight(threats=0),
    "no fours at leaves": Sight(leaves=0),
    "no fours, no threats": Sight(0, 0, 0),
}


def opening(number: int) -> Any:
    """A position after random moves in the middle, the same for the same number."""
    rng, state = stream(number, 20261118), make_game("gomoku").initial
    for _ in range(OPENING_MOVES):
        options = [action for action in actions(state) if action // 15 in MIDDLE and action % 15 in MIDDLE]
        state = result(state, options[random_below(rng, len(options))])
    return state


def choosers(names: tuple[str, str], nodes: int, number: int) -> list[Any]:
    """Two functions of a state that answer with a move; a name is that of a sight, or the number of a level."""

    def chooser(name: str, seed: int) -> Any:
        engine, rng = Engine(table=TABLE), stream(number, seed)
        if name.isdigit():
            level = LEVELS[int(name) - 1]
            return lambda state: play_level(engine, state, level, Limit(), rng).move
        return lambda state: engine.search(state, Limit(nodes=nodes), sight=SIGHTS[name]).move

    return [chooser(name, seed) for seed, name in enumerate(names)]


def play(names: tuple[str, str], nodes: int, number: int) -> float:
    """The points of the first of two in the two games of an opening, as a share."""
    points, game = 0.0, make_game("gomoku")
    for seat in (0, 1):
        state, sides = opening(number), choosers(names, nodes, number)
        while actions(state):
            state = result(state, sides[0 if to_move(state) == seat else 1](state))
        points += (game.returns(state)[seat] + 1) / 4
    return points


def matches(what: str) -> Iterator[tuple[str, str]]:
    """The pairs that play."""
    if what == "levels":
        yield from ((str(level), str(level - 1)) for level in range(2, len(LEVELS) + 1))
    else:
        yield from (("all", name) for name in SIGHTS if name != "all")


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["techniques", "levels"])
    parser.add_argument("--games", type=int, default=40, help="games of each match (40)")
    parser.add_argument("--nodes", type=int, default=20_000, help="positions for a move, with techniques (20000)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    given = parser.parse_args()
    for names in matches(given.what):
        with ProcessPoolExecutor(given.jobs) as pool:
            shares = list(pool.map(partial(play, names, given.nodes), range(math.ceil(given.games / 2))))
        mean = sum(shares) / len(shares)
        spread = sum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1)
        half = 1.96 * math.sqrt(spread / len(shares))
        print(f"{names[0]} against {names[1]}: {2 * len(shares)} games, {mean:.1%} +- {half:.1%}", flush=True)


if __name__ == "__main__":
    main()
