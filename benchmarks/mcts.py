"""Simulations a second of the tree search, against OpenSpiel's MCTSBot in C++: Reversi, connect four, tic-tac-toe.

Both search from the opening with one uniformly random playout a simulation, no solver, and a fresh tree each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.harness import Comparison, Subject, timed
from benchmarks.peers import NO_OPENSPIEL, openspiel
from plyground import Budget, make_game
from plyground.native.randomness import stream
from plyground.search.mcts import grow
from plyground.search.mcts_tree import new_tree
from plyground.search.mcts_variant import MctsSettings, MctsVariant

__all__ = ["comparisons"]

SEED = 1
BASELINE = "OpenSpiel C++ MCTSBot"
GAMES = (
    # our name, our simulations; OpenSpiel's name, its simulations: each a fraction of a second
    ("reversi", 50_000, "othello", 1_000),
    ("connect4", 200_000, "connect_four", 20_000),
    ("tictactoe", 400_000, "tic_tac_toe", 200_000),
)


def comparisons() -> Iterator[Comparison]:
    """One table for each game."""
    spiel = openspiel()
    for name, simulations, peer_name, peer_simulations in GAMES:
        subjects = [Subject("plyground mcts", timed(_ours(name, simulations)))]
        if spiel is not None:
            subjects.append(Subject(BASELINE, timed(_bot(spiel, peer_name, peer_simulations))))
        notes = () if spiel else (NO_OPENSPIEL,)
        yield Comparison(f"Tree search on {name}", "simulations", BASELINE, tuple(subjects), notes)


def _ours(name: str, simulations: int) -> Callable[[], int]:
    state, variant = make_game(name).initial, MctsVariant()

    def job() -> int:
        grow(new_tree(1 << 21), state, MctsSettings(), variant, stream(SEED), Budget(simulations))
        return simulations

    return job


def _bot(spiel: Any, name: str, simulations: int) -> Callable[[], int]:
    game = spiel.load_game(name)
    state = game.new_initial_state()

    def job() -> int:
        bot = spiel.MCTSBot(
            game,
            spiel.RandomRolloutEvaluator(n_rollouts=1, seed=SEED),
            uct_c=1.4142,
            max_simulations=simulations,
            max_memory_mb=1000,
            solve=False,
            seed=SEED,
            verbose=False,
        )
        bot.mcts_search(state)
        return simulations

    return job
