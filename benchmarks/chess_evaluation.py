"""What the network gains: the chess engine with it against the same engine with the hand-made sum alone.

    python -m benchmarks.chess_evaluation --games 200 --nodes 4000
    python -m benchmarks.chess_evaluation --games 100 --time 0.1 --network mine.npz

An opening is eight random moves after which neither side sees itself far ahead; each is played twice with colours
changed. Both sides have as many nodes, or seconds, for a move, on one thread. A game is counted as won when both sides
have seen nine pawns for three moves each. The interval is that of 95%, over pairs of games.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import time as clock
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plyground import Limit, actions, make_game, result
from plyground.engines.chess.engine import Engine
from plyground.engines.chess.network import PACKAGED, load_network
from plyground.engines.chess.techniques import ALL
from plyground.native.randomness import random_below, stream

OPENING_MOVES = 8
EVEN = 150
OPENING_NODES = 20_000
DECIDED, FOR_PLIES = 900, 6
LONGEST = 300
TABLE = 1 << 24
GAME = make_game("chess")


def openings(seed: int, engines: list[Engine]) -> Iterator[Any]:
    """Positions after random moves that both engines find even within `EVEN` centipawns."""
    for number in itertools.count():
        rng, state = stream(seed, number), GAME.initial
        for _ in range(OPENING_MOVES):
            if options := actions(state):
                state = result(state, options[random_below(rng, len(options))])
        limit = Limit(nodes=OPENING_NODES)
        if actions(state) and all(abs(engine.search(state, limit).centipawns) <= EVEN for engine in engines):
            yield state


def white_points(white: Engine, black: Engine, state: Any, limit: Limit, spent: dict[Engine, list[float]]) -> float:
    """The points of White in one game, from a position on."""
    decided = 0
    for engine in (white, black):
        engine.clear()
    for _ in range(LONGEST):
        if not actions(state):
            return (GAME.returns(state)[0] + 1) / 2
        engine = (white, black)[state.turn]
        begin = clock.perf_counter()
        report = engine.search(state, limit)
        spent[engine][0] += report.nodes
        spent[engine][1] += clock.perf_counter() - begin
        value = report.centipawns if state.turn == 0 else -report.centipawns
        decided = max(1, decided + 1) if value > DECIDED else min(-1, decided - 1) if value < -DECIDED else 0
        if abs(decided) >= FOR_PLIES:
            return 1.0 if decided > 0 else 0.0
        state = result(state, report.move)
    return 0.5


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="games (40)")
    parser.add_argument("--nodes", type=int, default=4000, help="nodes for a move (4000)")
    parser.add_argument("--time", type=float, help="seconds for a move, in place of nodes")
    parser.add_argument("--network", type=Path, default=PACKAGED, help="a network's file; without it the package's")
    parser.add_argument("--seed", type=int, default=1, help="of the openings (1)")
    given = parser.parse_args()
    network = load_network(given.network)
    learnt = Engine(table=TABLE, network=network)
    made = Engine(table=TABLE, network=network, techniques=ALL._replace(network=False))
    limit = Limit(nodes=given.nodes) if given.time is None else Limit(time=given.time)
    spent = {learnt: [0.0, 0.0], made: [0.0, 0.0]}
    shares: list[float] = []
    for state in itertools.islice(openings(given.seed, [learnt, made]), math.ceil(given.games / 2)):
        first = white_points(learnt, made, state, limit, spent)
        shares.append((first + 1 - white_points(made, learnt, state, limit, spent)) / 2)
        mean = sum(shares) / len(shares)
        deviation = math.sqrt(sum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1))
        half = 1.96 * deviation / math.sqrt(len(shares))
        low, middle, high = (
            -400 * math.log10(1 / min(max(share, 1e-3), 1 - 1e-3) - 1) for share in (mean - half, mean, mean + half)
        )
        print(f"{2 * len(shares)} games: {mean:.1%} +- {half:.1%}, {middle:+.0f} Elo ({low:+.0f} to {high:+.0f})")
    for name, engine in (("with the network", learnt), ("without", made)):
        print(f"{name}: {spent[engine][0] / max(spent[engine][1], 1e-9):,.0f} nodes a second")


if __name__ == "__main__":
    sys.exit(main())
