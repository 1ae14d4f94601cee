"""Many games of Pac-Man, and what can be said of a player from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from plyground.arena.referee import FRIENDLY, play_game, quick_actions
from plyground.core.game import Game
from plyground.core.played_game import PlayedGame, PlayedMove
from plyground.errors import BadOption
from plyground.games.pacman import believing
from plyground.games.pacman.board import CAUGHT, TIME_UP, WON
from plyground.players import Move, Player, make_player
from plyground.subjects.pacman.believer import BelieverPlayer

__all__ = ["Tally", "belief_of", "default_ghosts", "play_games", "seated", "wilson_interval"]

Z = 1.959964
"""Half of a 95% interval, in standard deviations."""


@dataclass(frozen=True)
class Tally:
    """The results of a player's games. `scores` are the points, `steps` Pac-Man's, in order; times are in seconds."""

    player: str
    believes: str
    won: int
    caught: int
    late: int
    scores: tuple[int, ...]
    steps: tuple[int, ...]
    mean_time: float
    longest_time: float

    @property
    def games(self) -> int:
        """How many were played."""
        return len(self.scores)

    @property
    def win_interval(self) -> tuple[float, float]:
        """Between what the probability of winning lies, with 95% confidence."""
        return wilson_interval(self.won, self.games)

    @property
    def mean_score(self) -> float:
        """The points of a game, on average."""
        return sum(self.scores) / self.games

    @property
    def score_error(self) -> float:
        """Half of the 95% interval of the mean score; NaN for one game."""
        if self.games < 2:
            return math.nan
        spread = sum((points - self.mean_score) ** 2 for points in self.scores) / (self.games - 1)
        return Z * math.sqrt(spread / self.games)


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """The 95% interval of a probability (Wilson 1927), which is right for few trials and for shares near 0 and 1 too.

    >>> [round(end, 3) for end in wilson_interval(19, 20)]
    [0.764, 0.991]
    """
    share, square = successes / trials, Z * Z
    centre = (share + square / (2 * trials)) / (1 + square / trials)
    half = Z / (1 + square / trials) * math.sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    return (centre - half if successes else 0.0), (centre + half if successes < trials else 1.0)


def belief_of(spec: str, game: Game, wanted: str | None = None) -> str:
    """What a player takes the ghosts for: what is wanted; otherwise what they are, if it can play against these.

    A player that needs an opponent, as minimax does, believes in perfect ghosts.
    """
    if wanted is not None:
        return wanted
    accepts = make_player(spec).accepts
    if accepts.obstacle_in(game) is None:
        return "true"
    return "minimax" if accepts.obstacle_in(believing(game, "minimax")[0]) is None else "true"


def default_ghosts(game: Game) -> str:
    """Who plays the ghosts that are played: they look two rounds ahead, through the others' random moves too."""
    rounds = 2 * (1 + game.initial.ghosts)
    return "expectiminimax:depth=4" if game.axes.chance else f"alphabeta:depth={rounds}"


def seated(game: Game, spec: str, believes: str, ghosts: str, seed: int) -> list[Player]:
    """The players of a game: Pac-Man with his beliefs, and whoever plays the ghosts."""
    if believes == "true":
        players = [make_player(spec, game, seed)]
    else:
        players = [BelieverPlayer(believes, make_player(spec, seed=seed))]
    if game.axes.players == 2:
        players.append(make_player(ghosts, game, seed + 1))
    return players


def play_games(
    game: Game,
    spec: str,
    games: int,
    seed: int,
    *,
    believes: str | None = None,
    ghosts: str = "",
    on_game: Callable[[PlayedGame], None] | None = None,
) -> Tally:
    """Let a player play many games; the n-th is the same for the same seed, however many there are.

    `ghosts` is the spec of the player for those ghosts that are played; `on_game` is called with each game.
    """
    if games < 1:
        raise BadOption(f"there must be at least 1 game, not {games}")
    belief = belief_of(spec, game, believes)
    listed = quick_actions(game)
    ends, scores, steps = [0, 0, 0, 0], [], []
    times: list[float] = []
    for number in range(games):
        own = (seed * 1_000_003 + number) % 2**62
        final = game.initial

        def on_move(_: PlayedMove, state: Any, _answer: Move) -> None:
            nonlocal final
            final = state

        with ExitStack() as seats:
            players = [
                seats.enter_context(player)
                for player in seated(game, spec, belief, ghosts or default_ghosts(game), 2 * own)
            ]
            played = play_game(game, players, seed=own, rules=FRIENDLY, list_actions=listed, on_move=on_move)
        spent = [move.time for move in played.moves if move.player == 0]
        ends[final.ended] += 1
        scores.append(int(final.points))
        steps.append(len(spent))
        times.extend(spent)
        if on_game:
            on_game(played)
    ended, mean_time = (ends[WON], ends[CAUGHT], ends[TIME_UP]), sum(times) / len(times)
    return Tally(spec, belief, *ended, tuple(scores), tuple(steps), mean_time, max(times))
