"""A game of two moves played again and again, as a tournament of strategies (Axelrod 1984).

The tournament is the arena's: its plan says who meets whom with which seed, each match is one of its games, and its
database and ratings can be used on them. Only the referee is another one, because here both players move at once and
nobody may see the other's move first.

What counts is not the arena's points for wins, but the payoff of a round on average. Tit for tat never wins a match:
it never has more than the other one. It wins tournaments.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plyground.arena.tournament import Fixture, Plan, seed_of
from plyground.core.played_game import PlayedGame, PlayedMove, PlayerEntry
from plyground.errors import BadOption
from plyground.subjects.matrix.game_text import read_game
from plyground.subjects.matrix.matrix_game import MatrixGame
from plyground.subjects.matrix.strategies import Past, find_strategy

__all__ = ["DILEMMA", "Horizon", "Match", "Series", "ecology", "hold_series", "play_match", "repeated_kind"]

DILEMMA = read_game("name: repeated prisoner's dilemma; cooperate defect; cooperate 3,3 0,5; defect 5,0 1,1")
"""Axelrod's payoffs: temptation 5, reward 3, punishment 1, sucker 0; here more is better."""
MOST_ROUNDS = 100_000
MOST_WORK = 50_000_000
"""Rounds of a whole tournament."""
KIND = "repeated"
"""What results say that was played, before the payoffs."""


@dataclass(frozen=True)
class Horizon:
    """How long a match is: `rounds` that both players know; or after each round it goes on with `going_on`."""

    rounds: int | None = 200
    going_on: float | None = None

    def __post_init__(self) -> None:
        if (self.rounds is None) == (self.going_on is None):
            raise BadOption("a match has a known number of rounds, or a probability to go on, not both")
        if self.rounds is not None and not 1 <= self.rounds <= MOST_ROUNDS:
            raise BadOption(f"a match has 1 to {MOST_ROUNDS:,} rounds, not {self.rounds:,}")
        if self.going_on is not None and not 0 <= self.going_on <= 0.9999:
            raise BadOption(f"the probability to go on is from 0 to 0.9999, not {self.going_on:g}")

    @property
    def mean(self) -> float:
        """Rounds on average."""
        return float(self.rounds) if self.rounds is not None else 1 / (1 - (self.going_on or 0.0))


@dataclass(frozen=True)
class Match:
    """What was played, move by move, and the mean utility of a round for each side."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    means: tuple[float, float]


@dataclass(frozen=True)
class Series:
    """A tournament that was played.

    `means[i, j]` is what strategy i got in a round against strategy j on average, in utilities; `cooperation[i, j]` how
    often it cooperated. The diagonal is its meeting with itself. `results` are the arena's, without that.
    """

    game: MatrixGame
    strategies: tuple[str, ...]
    horizon: Horizon
    noise: float
    seed: int
    plan: Plan
    means: NDArray[np.float64]
    cooperation: NDArray[np.float64]
    results: tuple[PlayedGame, ...]
    wins: tuple[int, ...]

    @property
    def scores(self) -> NDArray[np.float64]:
        """The mean utility of a round of each strategy over all it met, itself included, as Axelrod had it."""
        return np.asarray(self.means.mean(axis=1))

    @property
    def order(self) -> list[int]:
        """The strategies, the best first."""
        return sorted(range(len(self.strategies)), key=lambda number: (-self.scores[number], number))


def repeated_kind(game: MatrixGame, horizon: Horizon, noise: float) -> str:
    """What the arena's results call the game: with its payoffs, its end and its noise, since each changes the game."""
    cells = ";".join(
        " ".join(f"{a},{b}" for a, b in zip(mine, yours, strict=True))
        for mine, yours in zip(game.first, game.second, strict=True)
    )
    end = f"rounds={horizon.rounds}" if horizon.rounds is not None else f"going-on={horizon.going_on:g}"
    return f"{KIND}:{'costs ' if game.costs else ''}{cells} {end} noise={noise:g}"


def _checked(game: MatrixGame) -> tuple[tuple[float, float], tuple[float, float]]:
    if game.shape != (2, 2) or not game.symmetric:
        raise BadOption("a repeated game is one of two strategies that is the same for both players, as the dilemma is")
    return tuple(tuple(float(value) for value in row) for row in game.utilities[0])  # type: ignore[return-value]


def play_match(
    game: MatrixGame, names: tuple[str, str], *, horizon: Horizon, noise: float = 0.0, seed: int = 0
) -> Match:
    """One match. With `noise`, each move comes out as the other one with that probability.

    >>> match = play_match(DILEMMA, ("tit-for-tat", "defect"), horizon=Horizon(4))
    >>> match.first, match.second, match.means
    ((0, 1, 1, 1), (1, 1, 1, 1), (0.75, 2.0))
    """
    payoffs = _checked(game)
    if not 0 <= noise <= 0.5:
        raise BadOption(f"noise is a probability from 0 to 0.5, not {noise:g}")
    rules = [find_strategy(name).rule for name in names]
    luck = random.Random(f"{seed}")
    sides = [Past(payoffs, horizon.rounds, random.Random(f"{seed}/{side}")) for side in (0, 1)]
    totals = [0.0, 0.0]
    first, second = sides
    rounds = 0
    while True:
        moves = [rule(side) for rule, side in zip(rules, sides, strict=True)]
        if noise:
            moves = [1 - move if luck.random() < noise else move for move in moves]
        first.mine.append(moves[0])
        first.theirs.append(moves[1])
        second.mine.append(moves[1])
        second.theirs.append(moves[0])
        totals[0] += payoffs[moves[0]][moves[1]]
        totals[1] += payoffs[moves[1]][moves[0]]
        rounds += 1
        if rounds in (horizon.rounds, MOST_ROUNDS):
            break
        if horizon.going_on is not None and luck.random() >= horizon.going_on:
            break
    return Match(tuple(first.mine), tuple(second.mine), (totals[0] / rounds, totals[1] / rounds))


def hold_series(
    strategies: Sequence[str],
    *,
    game: MatrixGame = DILEMMA,
    horizon: Horizon | None = None,
    noise: float = 0.0,
    repetitions: int = 5,
    seed: int = 0,
    moves: bool = False,
    on_progress: Callable[[float], None] = lambda part: None,
) -> Series:
    """Everybody meets everybody, itself included, this many times; with `moves` the results have every move."""
    horizon = horizon or Horizon()
    for name in strategies:
        find_strategy(name)
    kind = repeated_kind(game, horizon, noise)
    players = tuple(PlayerEntry(name, name) for name in strategies)
    plan = Plan(kind, players, games=repetitions, seed=seed)
    count = len(strategies)
    meetings = count * (count + 1) / 2 * repetitions
    if meetings * horizon.mean > MOST_WORK:
        raise BadOption(f"this is more than {MOST_WORK:,} rounds; take fewer strategies, repetitions or rounds")
    payoffs, cooperation = np.zeros((count, count)), np.zeros((count, count))
    times = np.zeros((count, count))
    results = []

    def meet(fixture: Fixture) -> Match:
        names = (strategies[fixture.seats[0]], strategies[fixture.seats[1]])
        match = play_match(game, names, horizon=horizon, noise=noise, seed=fixture.seed)
        for side, played in enumerate((match.first, match.second)):
            own, other = fixture.seats[side], fixture.seats[1 - side]
            payoffs[own, other] += match.means[side]
            cooperation[own, other] += 1 - sum(played) / len(played)
            times[own, other] += 1
        on_progress(times.sum() / 2 / meetings)
        return match

    for fixture in plan.round(1, {}):
        results.append(_result(game, kind, plan, fixture, meet(fixture), moves))
    for number in range(count):
        for again in range(repetitions):
            meet(Fixture("", (number, number), "", seed_of(seed, "itself", number, again)))
    wins = [0] * count
    for result in results:
        if result.winner is not None:
            wins[strategies.index(result.players[result.winner].name)] += 1
    means = payoffs / times, cooperation / times
    return Series(game, tuple(strategies), horizon, noise, seed, plan, *means, tuple(results), tuple(wins))


def _result(game: MatrixGame, kind: str, plan: Plan, fixture: Fixture, match: Match, moves: bool) -> PlayedGame:
    pairs = zip(match.first, match.second, strict=True) if moves else ()
    entries = (PlayedMove(side, move, game.rows[move]) for pair in pairs for side, move in enumerate(pair))
    players = (plan.players[fixture.seats[0]], plan.players[fixture.seats[1]])
    return PlayedGame(fixture.key, kind, players, match.means, tuple(entries))


def ecology(series: Series, generations: int = 200) -> NDArray[np.float64]:
    """Axelrod's ecological tournament: shares of a population, which grow with what they earn in it.

    Shape (generations + 1, strategies). The next share is the share times its payoff over the mean payoff; payoffs are
    raised to be at least 0 first. This is the replicator equation in steps (Taylor and Jonker 1978).
    """
    fitness = series.means - min(0.0, float(series.means.min()))
    shares = [np.full(len(series.strategies), 1 / len(series.strategies))]
    for _ in range(generations):
        growth = shares[-1] * (fitness @ shares[-1])
        shares.append(growth / growth.sum() if growth.sum() > 0 else shares[-1])
    return np.array(shares)
