"""How fast self-play is, beside the network alone.

    python -m benchmarks.selfplay --game reversi --size 6x128 --device cuda --workers 2 --games 8192 --parts 8

Prints network evaluations a second, first of the network alone with as many positions at once, then in self-play with
32 simulations a move; positions a second; the ratio of the two; how busy the GPU was; and the share of their time that
the fleets have waited for the network. On a GPU each worker has a network of its own, on a stream of its own.
"""

from __future__ import annotations

import argparse
import threading
import time
from typing import Any

from plyground.core.rules import distinct_actions, planes_shape
from plyground.games import make_game
from plyground.learning.fleet import Plan, Style
from plyground.learning.gpu_meter import GpuMeter
from plyground.learning.network import Network, Shape, folded, named_size
from plyground.learning.onnx_file import OnnxNetwork, onnx_bytes
from plyground.learning.self_play import SelfPlay
from plyground.learning.torch_network import TorchNetwork


def network_speed(networks: list[Any], planes: Any, seconds: float) -> float:
    """Evaluations a second of networks that are asked by a thread each."""
    counts = [0] * len(networks)
    end = time.perf_counter() + seconds

    def ask(number: int) -> None:
        network = networks[number]
        own = getattr(network, "planes", planes)
        while time.perf_counter() < end:
            network(own)
            counts[number] += len(own)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(networks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds


def in_progress(play: SelfPlay) -> int:
    """Positions of games that are not over; those of a finished game are brought in together."""
    return sum(int(worker.fleet.lengths.sum()) for worker in play.workers)


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="reversi")
    parser.add_argument("--size", default="medium")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--games", type=int, default=64, help="at once, of each worker")
    parser.add_argument("--parts", type=int, default=1, help="threads that step the trees of each worker")
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--solve", type=int, default=0, help="empty squares from which games of Reversi are solved")
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args()
    game = make_game(given.game)
    shape = Shape(planes_shape(game.initial), distinct_actions(game.initial), *named_size(given.size))
    weights = folded(Network(shape).eval())
    networks: list[Any] = []
    for _ in range(given.workers):
        if given.device == "cpu":
            networks.append(OnnxNetwork(onnx_bytes(weights, {}), "the network"))
        else:
            networks.append(TorchNetwork(shape, given.games, given.device))
            networks[-1].load(weights)
    play = SelfPlay(
        game,
        Plan(simulations=given.simulations),
        Style(),
        workers=given.workers,
        games=given.games,
        parts=given.parts,
        solve=given.solve,
    )
    play.gather(networks, 1, lambda harvest: None, lambda done: None)  # compiles
    alone = network_speed(networks, play.workers[0].fleet.leaves.planes, given.seconds / 2)
    print(f"the network alone: {alone:,.0f} evaluations/s", flush=True)
    meter = None if given.device == "cpu" else GpuMeter()
    before = in_progress(play)
    start = time.perf_counter()
    threading.Timer(given.seconds, play.stop).start()
    tally = play.gather(networks, 1 << 60, lambda harvest: None, lambda done: None)
    spent = time.perf_counter() - start
    speed = tally.evaluations / spent
    positions = tally.positions + in_progress(play) - before
    print(f"self-play: {speed:,.0f} evaluations/s, {positions / spent:,.0f} positions/s")
    print(f"ratio to the network alone: {speed / alone:.2f}")
    print(f"fleets wait for the network {tally.asking / (tally.asking + tally.stepping):.0%} of their time")
    if meter and (use := meter.since_last()) is not None:
        print(f"GPU busy {use:.0%} of the time")
    if meter:
        meter.close()


if __name__ == "__main__":
    main()
