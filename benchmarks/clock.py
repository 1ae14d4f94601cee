"""Whether the engine keeps its time: random positions with random limits, and how far each move went over.

    python -m benchmarks.clock --moves 1000
    python -m benchmarks.clock --game chess --shortest 0.01
    python -m benchmarks.clock --moves 50 --seed 2 --threads 2

Limits are drawn from 5 ms, or --shortest, to 2 s, evenly on a logarithmic scale; positions from all phases of the game,
after random moves. Measured is the whole call of the player. Positions with one legal move are left out: they are
answered at once.

Beside it stands how late a thread is that only waits, for as long, up to 50 ms, before each move: on a busy machine
nobody is in time, and only what the engine adds to that is its own.
"""

from __future__ import annotations

import argparse
import math
import threading
import time
from collections.abc import Iterator
from typing import Any

from plyground import Limit, actions, make_game, result
from plyground.native.randomness import random_below, random_unit, stream
from plyground.players import Position, make_player

SHORTEST, LONGEST = 0.005, 2.0
MOST_MOVES = {"reversi": 60, "chess": 120}
"""How many random moves may lead to a position."""
LONGEST_WAIT = 0.05
PERCENTILES = (1, 10, 50, 90, 99, 99.9, 100)


def positions(name: str, shortest: float, seed: int) -> Iterator[tuple[Position, float]]:
    """Positions with a choice, and a limit in seconds for each."""
    rng, game = stream(seed, 20261117), make_game(name)
    while True:
        state: Any = game.initial
        for _ in range(random_below(rng, MOST_MOVES[name])):
            options = actions(state)
            if not options:
                break
            state = result(state, options[random_below(rng, len(options))])
        if len(actions(state)) > 1:
            share = random_unit(rng)
            yield Position(game, state), math.exp(math.log(shortest) * (1 - share) + math.log(LONGEST) * share)


def lateness_of_waiting(seconds: float) -> float:
    """How long after its time a thread goes on that waits for this long and does nothing."""
    start = time.perf_counter()
    threading.Event().wait(seconds)
    return time.perf_counter() - start - seconds


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=sorted(MOST_MOVES), default="reversi")
    parser.add_argument("--shortest", type=float, default=SHORTEST, help="seconds of the shortest limit (0.005)")
    parser.add_argument("--moves", type=int, default=1000, help="how many moves (1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    player = make_player(f"engine:time={LONGEST},threads={given.threads}", make_game(given.game), seed=1)
    player.prepare(make_game(given.game))
    over, idle = [], []
    for (position, limit), _ in zip(
        positions(given.game, given.shortest, given.seed), range(given.moves), strict=False
    ):
        idle.append(lateness_of_waiting(min(limit, LONGEST_WAIT)))
        start = time.perf_counter()
        player.choose(position, Limit(time=limit))
        over.append(time.perf_counter() - start - limit)
    over.sort()
    idle.sort()
    print(
        f"{len(over)} moves with limits from {given.shortest * 1000:g} ms to {LONGEST:g} s; ms over the limit, at most"
    )
    print(f"{'of moves':>10}{'engine':>12}{'waiting':>12}")
    for percentile in PERCENTILES:
        place = min(len(over) - 1, int(len(over) * percentile / 100))
        print(f"{percentile:>9}%{1000 * over[place]:>12.2f}{1000 * idle[place]:>12.2f}")
    print(f"{sum(late > 0 for late in over)} over the limit, {sum(late > 0.02 for late in over)} by more than 20 ms")


if __name__ == "__main__":
    main()
