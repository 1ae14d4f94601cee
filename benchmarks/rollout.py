"""The rollout policy's moves a second in playouts, against uniformly random ones; and how many moves it predicts.

    python -m benchmarks rollout
    python -m benchmarks.rollout --games wthor

The second form needs a folder of WTHOR files, and reports on the last three years in it: people's moves of which the
policy's first choice is right.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Comparison, Subject, compare, one_core, report_table, timed
from plyground import make_game
from plyground.cli.console import out
from plyground.core.rules import action_buffer, legal_actions, playout_action, result
from plyground.engines.reversi.alphago.human_games import position_keys, read_human_games, split_by_year
from plyground.engines.reversi.alphago.rollout_fit import measure_rollout
from plyground.engines.reversi.rollout import PACKAGED, UNIT, load_rollout, read_rollout
from plyground.errors import PlygroundError
from plyground.native.compiling import compiled
from plyground.native.randomness import stream
from plyground.search.playout import learned_action, playouts

__all__ = ["comparisons"]

SEED = 1
GAMES = 10_000
BASELINE = "uniform playouts"


@compiled
def learned_playouts(state: Any, games: int, policy: Any, rng: Any) -> int:
    """Play games by a learned policy; the number of moves in all of them."""
    actions = action_buffer(state)
    moves = 0
    for _ in range(games):
        now = state
        count = legal_actions(now, actions)
        while count:
            now = result(now, learned_action(now, actions, count, policy, rng))
            count = legal_actions(now, actions)
            moves += 1
    return moves


@compiled
def game_playouts(state: Any, games: int, rng: Any) -> int:
    """The same by the game's own policy."""
    actions = action_buffer(state)
    moves = 0
    for _ in range(games):
        now = state
        count = legal_actions(now, actions)
        while count:
            now = result(now, playout_action(now, actions, count, rng))
            count = legal_actions(now, actions)
            moves += 1
    return moves


def comparisons() -> Iterator[Comparison]:
    """One table: the policy that was learned, the game's own, and none."""
    state, policy = make_game("reversi").initial, load_rollout()
    jobs: dict[str, Callable[[], int]] = {
        "rollout policy": lambda: learned_playouts(state, GAMES, policy, stream(SEED)),
        "the game's own policy": lambda: game_playouts(state, 4 * GAMES, stream(SEED)),
        BASELINE: lambda: playouts(state, 8 * GAMES, stream(SEED)),
    }
    subjects = tuple(Subject(name, timed(job)) for name, job in jobs.items())
    yield Comparison("Playouts of Reversi from the start", "moves", BASELINE, subjects)


def main() -> None:
    """Read the arguments and report on both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True, help="a folder of WTHOR files")
    parser.add_argument("--policy", type=Path, default=PACKAGED, help="a file of weights; the package's if not given")
    given = parser.parse_args()
    split = split_by_year(read_human_games(given.games))
    weights = read_rollout(given.policy).astype("float32") / UNIT
    held, learned = (position_keys(part.own, part.opponent) for part in (split.test, split.train))
    fresh = split.test[~np.isin(held, learned)]
    years = f"{split.test.year.min()}-{split.test.year.max()}"
    for name, held in ((f"moves of {years}", split.test), ("of these in positions never learned from", fresh)):
        found = measure_rollout(held, weights)
        print(f"{found.moves:>9,} {name}: {found.top:.2%} predicted, {found.choices:.2%} where there is a choice")
    with one_core():
        for comparison in comparisons():
            out.print(report_table(compare(comparison, 5, lambda name: None)))


if __name__ == "__main__":
    try:
        main()
    except PlygroundError as error:
        sys.exit(str(error))
