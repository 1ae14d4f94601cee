"""What each technique of the chess engine saves in nodes, and what it gains in games.

    python -m benchmarks.chess_techniques nodes --depth 10
    python -m benchmarks.chess_techniques games --games 200 --nodes 20000 --jobs 2
    python -m benchmarks.chess_techniques games --only null_move,reductions --games 400
    python -m benchmarks.chess_techniques games --network network.npz --games 200 --nodes 4000
    python -m benchmarks.chess_techniques threads --depth 16

`nodes` searches a dozen positions to a depth with all techniques and then without each one. `games` lets the engine
play itself with and without a technique, with as many nodes for a move, or with `--time` as many seconds, from even
openings that are each played twice with colours changed; with nodes nothing depends on time. The interval is that of
95% over pairs of games. With `--network` the engine with that network plays the one with the bundled network. `threads`
is the time to a depth with one thread and with two.
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks.chess_match import elo, interval, openings
from plyground import Limit, actions, make_game, result
from plyground.engines.chess.engine import Engine
from plyground.engines.chess.network import load_network
from plyground.engines.chess.techniques import ALL, Techniques
from plyground.games.chess import chess

__all__: list[str] = []

TABLE = 1 << 22
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb2bppp/1pn1pn2/8/2pP4/P1N1PN2/1PQ1BPPP/R1BR2K1 w - - 0 14",
    "3r2k1/1p3ppp/2pq4/p1n5/P6P/1P6/1PB2QP1/1K2R3 w - - 0 1",
    "r1bqkb1r/pp1n1pp1/2p1pn1p/6N1/3P4/3B4/PPP2PPP/R1BQK1NR w KQkq - 0 8",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "8/5pk1/3p2p1/2pP3p/1pP1P2P/1P3PK1/8/8 w - - 0 40",
    "3r1rk1/1bq1bppp/p3pn2/1p6/3BP3/P1NB4/1PP1Q1PP/3R1R1K w - - 0 18",
    "5rk1/1p3p1p/p2p2p1/3Pr3/2P5/1P4P1/P3R2P/4R1K1 b - - 0 26",
)


def cost(techniques: Techniques, depth: int) -> tuple[int, float]:
    """The nodes, and the seconds of processor time, that all positions take to a depth."""
    nodes, spent = 0, 0.0
    engine = Engine(table=1 << 24, techniques=techniques)
    engine.prepare()
    for fen in POSITIONS:
        engine.clear()
        start = time.process_time()
        nodes += engine.search(chess(fen).initial, Limit(depth=depth)).nodes
        spent += time.process_time() - start
    return nodes, spent


def play(name: str, limit: Limit, network: Path | None, opening: tuple[int, ...]) -> float:
    """The points of the engine with all techniques against it without one, as a share, over both colours."""
    game, total = make_game("chess"), 0.0
    for seat in (0, 1):
        techniques = ALL if network else ALL._replace(**{name: False})
        first = Engine(table=TABLE, network=load_network(network) if network else None)
        engines = [first, Engine(table=TABLE, techniques=techniques)]
        state = game.initial
        for action in opening:
            state = result(state, action)
        while actions(state):
            mover = engines[0 if int(state.turn) == seat else 1]
            state = result(state, mover.search(state, limit).move)
        total += (game.returns(state)[seat] + 1) / 4
    return total


def names(only: str) -> Iterator[str]:
    """The techniques that are asked for."""
    yield from only.split(",") if only else Techniques._fields


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["nodes", "games", "threads"])
    parser.add_argument("--only", default="", help="techniques, with commas; all if left out")
    parser.add_argument("--depth", type=int, default=10, help="of `nodes` and `threads` (10)")
    parser.add_argument("--games", type=int, default=100, help="games for each technique (100)")
    parser.add_argument("--nodes", type=int, default=20_000, help="positions for a move, in `games` (20000)")
    parser.add_argument("--network", type=Path, help="a network's file, in `games`")
    parser.add_argument("--time", type=float, help="seconds for a move in place of nodes, in `games`")
    parser.add_argument("--jobs", type=int, default=1, help="processes, in `games` (1)")
    given = parser.parse_args()
    if given.what == "nodes":
        base, seconds = cost(ALL, given.depth)
        print(f"all techniques, depth {given.depth}: {base:,} nodes, {base / seconds:,.0f} nodes/s", flush=True)
        for name in names(given.only):
            without, spent = cost(ALL._replace(**{name: False}), given.depth)
            print(f"without {name}: {without:,} nodes, {without / base:.2f} times; time {spent / seconds:.2f} times")
    elif given.what == "threads":
        for threads in (1, 2):
            engine = Engine(table=1 << 26, threads=threads)
            engine.prepare()
            start = time.perf_counter()
            for fen in POSITIONS:
                engine.clear()
                engine.search(chess(fen).initial, Limit(depth=given.depth))
            print(f"{threads} threads to depth {given.depth}: {time.perf_counter() - start:.2f} s", flush=True)
    else:
        limit = Limit(nodes=given.nodes) if given.time is None else Limit(time=given.time)
        chosen = list(itertools.islice(openings(1), math.ceil(given.games / 2)))
        for name in ["network"] if given.network else names(given.only):
            with ProcessPoolExecutor(given.jobs) as pool:
                mean, half = interval(list(pool.map(partial(play, name, limit, given.network), chosen)))
            low, high = elo(mean - half), elo(mean + half)
            found = f"{mean:.1%} +- {half:.1%}, {elo(mean):+.0f} Elo ({low:+.0f} to {high:+.0f})"
            print(f"{name}: {2 * len(chosen)} games, {found}", flush=True)


if __name__ == "__main__":
    main()
