"""Matches that show strength: paired colours, varied openings, a confidence interval.

    python -m benchmarks.strength openspiel --games 40 --time 1 --jobs 2
    python -m benchmarks.strength flat --games 400 --jobs 2
    python -m benchmarks.strength engine --games 100 --jobs 2
    python -m benchmarks.strength match minialphago:simulations=400 mcts:time=1 --games 100

`openspiel`: `mcts` on Reversi against OpenSpiel's C++ MCTSBot with the same time for a move. That bot takes a number of
simulations, not a clock, so it is given as many as it did in that time at its last move; the times really taken are
printed. `flat`: UCT with 10,000 simulations a move against flat Monte Carlo with as many. `engine`: the Reversi engine
with a tenth of the time against `mcts`. `match`: any two players, of any `--game` for two. Each opening is a number of
random moves, played twice with colours changed.
Run one job a core at most, or time means nothing.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from typing import Any

from benchmarks.peers import NO_OPENSPIEL, openspiel
from plyground import Limit, actions, make_game, result, to_move
from plyground.errors import MissingExtra
from plyground.native.randomness import random_below, stream
from plyground.players import Position, make_player

OPENING_MOVES = 6


def opening(game: Any, number: int) -> tuple[int, ...]:
    """Random moves, the same for the same number."""
    rng, state, moves = stream(number, 20261115), game.initial, []
    for _ in range(OPENING_MOVES):
        options = actions(state)
        moves.append(options[random_below(rng, len(options))])
        state = result(state, moves[-1])
    return tuple(moves)


class Peer:
    """OpenSpiel's bot, held to a time for a move by adapting its number of simulations."""

    def __init__(self, seconds: float, seed: int) -> None:
        self.spiel: Any = openspiel()
        if self.spiel is None:
            raise MissingExtra(NO_OPENSPIEL)
        self.game = self.spiel.load_game("othello")
        self.seconds = seconds
        self.seed = seed
        self.simulations = 1000
        self.choose(())  # once for the pace

    def choose(self, history: tuple[int, ...]) -> int:
        """The bot's action after these moves."""
        state = self.game.new_initial_state()
        for action in history:
            state.apply_action(action)
        evaluator = self.spiel.RandomRolloutEvaluator(n_rollouts=1, seed=self.seed)
        bot = self.spiel.MCTSBot(
            self.game, evaluator, uct_c=math.sqrt(2), max_simulations=self.simulations, max_memory_mb=4000,
            solve=True, seed=self.seed, verbose=False,
        )  # fmt: skip
        start = time.perf_counter()
        action = int(bot.step(state))
        pace = self.simulations / (time.perf_counter() - start)
        # Not twice as many at once: a position solved early says little about the pace in the next one.
        self.simulations = max(1, min(2 * self.simulations, int(pace * self.seconds)))
        return action


def play(spec: str, number: int, seat: int, ours: Callable[[Any, int], Any], theirs: Callable[[Any, int], Any]) -> Any:
    """One game: our points (1, 1/2, 0), and the seconds that each side took."""
    game = make_game(spec)
    history, state = opening(game, number), game.initial
    for action in history:
        state = result(state, action)
    choosers = [ours(game, number), theirs(game, number)]
    spent = [0.0, 0.0]
    while actions(state):
        side = 0 if to_move(state) == seat else 1
        start = time.perf_counter()
        action = choosers[side](state, history)
        spent[side] += time.perf_counter() - start
        history, state = (*history, action), result(state, action)
    return (game.returns(state)[seat] + 1) / 2, spent


def player_chooser(spec: str, game: Any, seed: int) -> Any:
    """A player of ours as a function of state and history."""
    player = make_player(spec, game, seed)
    player.prepare(game)
    return lambda state, history: player.choose(Position(game, state, history), Limit()).action  # type: ignore[union-attr]


def peer_chooser(seconds: float, _game: Any, seed: int) -> Any:
    """OpenSpiel's bot as the same."""
    peer = Peer(seconds, seed)
    return lambda _state, history: peer.choose(history)


def match(
    games: int, first: int, jobs: int, ours: Any, theirs: Any, game: str = "reversi"
) -> Iterator[tuple[int, float, float, float, list[float]]]:
    """Play the games; after each one: games, points, mean, half its 95% interval over opening pairs, seconds."""
    pairs: dict[int, list[float]] = {}
    spent = [0.0, 0.0]
    numbers = range(first, first + games // 2)
    with ProcessPoolExecutor(jobs) as pool:
        waiting = {pool.submit(play, game, n, seat, ours, theirs): n for n in numbers for seat in (0, 1)}
        for done in as_completed(waiting):
            points, seconds = done.result()
            pairs.setdefault(waiting[done], []).append(points)
            spent = [a + b for a, b in zip(spent, seconds, strict=True)]
            played = [p for pair in pairs.values() for p in pair]
            mean = sum(played) / len(played)
            means = [sum(pair) / 2 for pair in pairs.values() if len(pair) == 2]
            spread = sum((m - mean) ** 2 for m in means) / max(1, len(means) - 1)
            error = 1.96 * math.sqrt(spread / max(1, len(means)))
            yield len(played), sum(played), mean, error, spent


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=["openspiel", "flat", "engine", "match"])
    parser.add_argument("players", nargs="*", help="with match: two players")
    parser.add_argument("--game", default="reversi", help="with match")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--time", type=float, default=1.0, help="seconds a move, with openspiel and engine")
    parser.add_argument("--first", type=int, default=0, help="number of the first opening")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    ours: Any
    theirs: Any
    if len(given.players) != (2 if given.peer == "match" else 0):
        parser.error("match needs two players, the others none")
    if given.peer == "match":
        ours, theirs = (partial(player_chooser, spec) for spec in given.players)
    elif given.peer == "openspiel":
        ours = partial(player_chooser, f"mcts:time={given.time}")
        theirs = partial(peer_chooser, given.time)
    elif given.peer == "engine":
        ours = partial(player_chooser, f"engine:time={given.time / 10:g}")
        theirs = partial(player_chooser, f"mcts:time={given.time}")
    else:
        ours = partial(player_chooser, "mcts:simulations=10000,rollout=uniform")
        theirs = partial(player_chooser, "flat:simulations=10000")
    for games, points, mean, error, spent in match(given.games, given.first, given.jobs, ours, theirs, given.game):
        took = f"seconds {spent[0]:.0f} ours, {spent[1]:.0f} theirs"
        print(f"{games} games: {points:g} points, {mean:.1%} +- {error:.1%}; {took}", flush=True)


if __name__ == "__main__":
    main()
