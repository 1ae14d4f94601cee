"""Uniformly random games a second, against OpenSpiel: Reversi, connect four, tic-tac-toe, backgammon.

OpenSpiel's rollouts are reached through its C++ tree search: a search of one simulation evaluates the root and nothing
else, and the evaluator plays as many random games there as asked. Python is called once for all of them, as it is
for ours.

Backgammon is compared with OpenSpiel driven from Python too, one action after the other, as people use it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.harness import Comparison, Subject, timed
from benchmarks.peers import NO_OPENSPIEL, openspiel
from plyground import make_game
from plyground.errors import PlygroundError
from plyground.native.randomness import stream
from plyground.search.playout import playouts

__all__ = ["comparisons"]

SEED = 1
BASELINE = "OpenSpiel C++ rollouts"
FROM_PYTHON = "OpenSpiel from Python"
GAMES = (
    # our name, our number of games; OpenSpiel's name, its number of games: each a fraction of a second
    ("reversi", 100_000, "othello", 1_000),
    ("connect4", 500_000, "connect_four", 20_000),
    ("tictactoe", 2_000_000, "tic_tac_toe", 100_000),
)


def comparisons() -> Iterator[Comparison]:
    """One table for each game."""
    spiel = openspiel()
    for name, games, peer_name, peer_games in GAMES:
        subjects = [Subject("plyground compiled", timed(_ours(name, games)))]
        if spiel is not None:
            subjects.append(Subject(BASELINE, timed(_rollouts(spiel, peer_name, peer_games))))
        notes = () if spiel else (NO_OPENSPIEL,)
        yield Comparison(f"Random games of {name}", "games", BASELINE, tuple(subjects), notes)
    yield _backgammon(spiel)


def _backgammon(spiel: Any) -> Comparison:
    """Backgammon; their rollouts begin after the first roll, since their search does not begin with chance."""
    subjects = [Subject("plyground compiled", timed(_ours("backgammon", 10_000)))]
    if spiel is not None:
        game = spiel.load_game("backgammon(max_player_turns=100000)")
        rolled = game.new_initial_state()
        rolled.apply_action(0)
        subjects.append(Subject(BASELINE, timed(_rollouts(spiel, "backgammon(max_player_turns=100000)", 200, rolled))))
        subjects.append(Subject(FROM_PYTHON, timed(_driven(game, 100))))
    return Comparison(
        "Random games of backgammon", "games", FROM_PYTHON, tuple(subjects), () if spiel else (NO_OPENSPIEL,)
    )


def _driven(game: Any, games: int) -> Callable[[], int]:
    rng = random.Random(SEED)

    def job() -> int:
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, chances)[0])
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
        return games

    return job


def _ours(name: str, games: int) -> Callable[[], int]:
    state, rng = make_game(name).initial, stream(SEED)

    def job() -> int:
        playouts(state, games, rng)
        return games

    return job


def _rollouts(spiel: Any, name: str, games: int, begin: Any = None) -> Callable[[], int]:
    game = spiel.load_game(name)
    state = begin or game.new_initial_state()
    bot = spiel.MCTSBot(
        game,
        spiel.RandomRolloutEvaluator(n_rollouts=games, seed=SEED),
        uct_c=1.0,
        max_simulations=1,
        max_memory_mb=100,
        solve=False,
        seed=SEED,
        verbose=False,
    )

    def job() -> int:
        root = bot.mcts_search(state)
        if root.explore_count != 1 or root.children:  # then the rollouts are not those that are counted here
            raise PlygroundError("OpenSpiel's search of one simulation did more than evaluate the root")
        return games

    return job
