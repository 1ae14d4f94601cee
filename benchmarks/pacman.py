"""Pac-Man with three ghosts: moves a second, minimax against alpha-beta, which cuts, one and four rounds deep.

A round of Pac-Man and three ghosts has four plies. The positions are the same for everybody: from random games in two
mazes, one of corridors and one without walls, where every ghost has a choice at every step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.harness import Comparison, Subject, timed
from plyground import Limit, actions, make_game, result
from plyground.core.game import Game
from plyground.native.randomness import random_below, stream
from plyground.players import Position, make_player

__all__ = ["comparisons", "positions"]

GHOSTS = "minimax,minimax,minimax"
BASELINE = "minimax"


def comparisons() -> Iterator[Comparison]:
    """A table for each maze and depth."""
    for maze in ("classic", "open"):
        game = make_game(f"pacman:maze={maze},ghosts={GHOSTS}")
        states = positions(game, 20)
        for depth, times in ((4, 50), (12, 1)):
            players = {BASELINE: f"minimax:depth={depth}", "alpha-beta": f"alphabeta:depth={depth}"}
            subjects = tuple(
                Subject(name, timed(_moves(game, states, spec), times if name == BASELINE else 2 * times))
                for name, spec in players.items()
            )
            yield Comparison(f"maze {maze}, 3 ghosts, depth {depth}", "moves", BASELINE, subjects)
        deep = Subject("alpha-beta", timed(_moves(game, states, "alphabeta:depth=16"), 1))
        yield Comparison(f"maze {maze}, 3 ghosts, depth 16", "moves", "alpha-beta", (deep,))


def positions(game: Game, count: int) -> list[Any]:
    """Positions of random games in which Pac-Man is to move."""
    rng, found = stream(1), []
    while len(found) < count:
        state = game.initial
        for _ in range(random_below(rng, 80)):
            options = actions(state)
            if not options:
                break
            state = result(state, options[random_below(rng, len(options))])
        if actions(state) and state.turn == 0:
            found.append(state)
    return found


def _moves(game: Game, states: list[Any], spec: str) -> Callable[[], int]:
    player = make_player(f"{spec},reuse=off" if spec.startswith("alphabeta") else spec, game, 1)

    def job() -> int:
        for state in states:
            player.choose(Position(game, state), Limit())
        return len(states)

    return job
