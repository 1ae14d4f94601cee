"""Learning to judge positions of Pac-Man from nothing but the scores of games: the cross-entropy method.

Pac-Man looks one step ahead: he takes the action with the highest

    score + sum over i of w_i f_i

on average over the ghosts' random moves. Which weights w are good is found by trying (Rubinstein 1999): in each
generation a population of weights is drawn, each w_i from a normal distribution of its own, and every one of them
plays the same games with the same luck. The best of them, the elite, say where the next generation is drawn: its means
and deviations are theirs. A noise that fades is added to the deviations, so that they do not shrink too soon; with it,
the method learned Tetris and Ms. Pac-Man (Szita and Lorincz 2006, 2007).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyground.core.chance import chance_action
from plyground.core.game import Game
from plyground.core.rules import action_buffer, legal_actions, probability, result, terminal, to_move
from plyground.errors import BadOption, UnsuitableGame
from plyground.games.pacman import FEATURES, features
from plyground.games.pacman.board import WON
from plyground.native.compiling import compiled
from plyground.native.randomness import stream

__all__ = ["DEVIATIONS", "Generation", "learn_weights", "weights_module"]

DEVIATIONS = (20.0, 5.0, 100.0, 100.0, 20.0, 20.0)
"""How far from 0 the weights of the features may lie, in points, before anything is known."""
ELITE = 0.2
NOISE = 0.15
"""The share of these deviations that is added in the first generation; it fades to 0 in the last."""
MOST = 1_000_000


@dataclass(frozen=True)
class Generation:
    """The result of one: its number, the elite's mean score and the share of its games won, the mean weights."""

    number: int
    score: float
    won: float
    weights: tuple[float, ...]


@compiled
def judged(state: Any, weights: Any) -> float:
    """What a state is worth to Pac-Man, through the ghosts' random moves until he is to move again."""
    if terminal(state):
        return float(state.points)
    if to_move(state) == 0:
        value, seen = float(state.points), features(state)
        for i in range(len(seen)):
            value += weights[i] * seen[i]
        return value
    options = action_buffer(state)
    value = 0.0
    for i in range(legal_actions(state, options)):
        value += probability(state, options[i]) * judged(result(state, options[i]), weights)
    return value


@compiled
def play_with(state: Any, games: int, weights: Any, rng: Any, totals: Any) -> int:
    """Play games by weights, one step ahead; `totals` are points and games won. The number of Pac-Man's steps."""
    steps = 0
    totals[:] = 0.0
    options = action_buffer(state)
    for _ in range(games):
        now = state
        while not terminal(now):
            count = legal_actions(now, options)
            chosen = options[0]
            if to_move(now) == 0:
                steps += 1
                best = -1e300
                for i in range(count):
                    worth = judged(result(now, options[i]), weights)
                    if worth > best:
                        chosen, best = options[i], worth
            else:
                chosen = chance_action(now, options, count, rng)
            now = result(now, chosen)
        totals[0] += now.points
        totals[1] += now.ended == WON
    return steps


def learn_weights(
    game: Game,
    generations: int,
    seed: int,
    *,
    population: int = 50,
    games: int = 20,
    on_generation: Callable[[Generation], None] | None = None,
) -> tuple[float, ...]:
    """The mean weights of the last elite, which are the same for the same seed; every candidate plays `games` games."""
    if game.axes.players != 1:
        raise UnsuitableGame("learning needs ghosts that move at random: random or directional ones")
    for name, value, least in (("generations", generations, 1), ("population", population, 5), ("games", games, 1)):
        if not least <= value <= MOST:
            raise BadOption(f"{name} must be from {least} to {MOST:,}, not {value}")
    draws = np.random.default_rng(seed % 2**64)
    means, deviations = np.zeros(len(FEATURES)), np.array(DEVIATIONS)
    elite = max(2, int(ELITE * population))
    for number in range(generations):
        candidates = draws.normal(means, deviations, (population, len(FEATURES)))
        results = np.zeros((population, 2))
        for candidate, totals in zip(candidates, results, strict=True):
            play_with(game.initial, games, candidate, stream(seed, number), totals)
        best = np.argsort(-results[:, 0], kind="stable")[:elite]
        means = candidates[best].mean(axis=0)
        noise = NOISE * (1.0 - (number + 1) / generations)
        deviations = candidates[best].std(axis=0) + noise * np.array(DEVIATIONS)
        if on_generation:
            score, won = results[best].mean(axis=0) / games
            on_generation(Generation(number + 1, float(score), float(won), tuple(means.tolist())))
    return tuple(round(weight, 3) for weight in means.tolist())


def weights_module(weights: tuple[float, ...], command: str) -> str:
    """A Python file with an evaluation that has these weights: ``evaluation=file.py:learned``."""
    rows = "\n".join(f"    {weight!r},  # {name}" for weight, name in zip(weights, FEATURES, strict=True))
    return (
        f'"""Weights of Pac-Man\'s features, in points, learned from games.\n\nMade by: {command}\n"""\n\n'
        "from typing import Any\n\n"
        "from plyground.games.pacman import weighed\n\n"
        f"LEARNED = (\n{rows}\n)\n\n\n"
        "def learned(state: Any) -> float:\n"
        '    """What a state is worth to the player to move."""\n'
        "    return weighed(state, LEARNED)\n"
    )
