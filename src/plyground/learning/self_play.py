"""Self-play and matches between networks, on the fleets of `learning.fleet`.

Each worker is a thread with a fleet and a network of its own, or a stream of its own on the GPU: while one waits for
the network, the others step their trees. Workers count what they bring in by themselves, so that the same seeds give
the same positions however fast each is.
"""

from __future__ import annotations

import contextvars
import threading
import time as clock
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from plyground.core.game import Game
from plyground.core.rules import distinct_actions
from plyground.learning import fleet
from plyground.learning.fleet import Harvest, Plan, Style
from plyground.search.endgame_table import NO_TABLE
from plyground.search.endings import solved_endings
from plyground.search.net_search import Judge

__all__ = ["MatchScore", "SelfPlay", "Tally", "net_match", "play_games"]


@dataclass
class Tally:
    """What self-play has brought in: counts, and what the players who did not lose had thought at worst.

    `asking` and `stepping` are the seconds that workers have waited for the network, and have stepped their trees.
    """

    positions: int = 0
    games: int = 0
    plies: int = 0
    first_won: int = 0
    drawn: int = 0
    resigned: int = 0
    evaluations: int = 0
    asking: float = 0.0
    stepping: float = 0.0
    regrets: list[float] = field(default_factory=list)

    def add(self, harvest: Harvest) -> None:
        """Count a harvest."""
        counts = [int(count) for count in harvest.counts]
        self.positions += counts[fleet.POSITIONS]
        self.games += counts[fleet.GAMES]
        self.plies += counts[fleet.PLIES]
        self.first_won += counts[fleet.FIRST_WON]
        self.drawn += counts[fleet.DRAWN]
        self.resigned += counts[fleet.RESIGNED]
        self.evaluations += counts[fleet.SIMULATIONS]
        self.regrets += harvest.regrets[: counts[fleet.REGRETS]].tolist()


class Worker:
    """A fleet that asks one network. `parts` of the fleet step in threads of the crew.

    Where the game has a solver, positions of up to `solve` empty squares are solved: there games end, and no network is
    asked.
    """

    def __init__(
        self,
        game: Game,
        plan: Plan,
        style: Style,
        games: int,
        seed: int,
        longest: int,
        crew: ThreadPoolExecutor,
        parts: int,
        solve: int,
    ) -> None:
        self.game, self.plan, self.style = game, plan, style
        self.fleet: fleet.Fleet = fleet.new_fleet(game, games, plan, seed, longest)
        self.crew = crew
        self.bounds = [games * part // parts for part in range(parts + 1)]
        sizes = np.diff(self.bounds)
        self.harvests = [fleet.new_harvest(game, int(size), longest) for size in sizes]
        actions = distinct_actions(game.initial)
        self.logits, self.values = np.zeros((games, actions), np.float32), np.zeros(games, np.float32)
        self.search = fleet.new_search(game, plan)
        self._endings = [solved_endings(game, solve) for _ in range(parts)]

    def step(self) -> list[Harvest]:
        """Take every game to its next question; what games have ended meanwhile."""

        def part(number: int) -> None:
            endings = self._endings[number]
            fleet.play_on(
                self.game.initial,
                self.fleet,
                self.bounds[number],
                self.bounds[number + 1],
                self.logits,
                self.values,
                self.search,
                fleet.SELFPLAY,
                self.style,
                self.harvests[number],
                endings.endings if endings else NO_TABLE,
            )

        if len(self.harvests) == 1:
            part(0)
        else:
            list(self.crew.map(part, range(len(self.harvests))))
        return self.harvests

    def ask(self, judge: Judge) -> None:
        """Let the network answer."""
        own = getattr(judge, "planes", None)
        if own is not None and own is not self.fleet.leaves.planes:  # memory that the GPU can read by itself
            own[:] = self.fleet.leaves.planes
            self.fleet = self.fleet._replace(leaves=self.fleet.leaves._replace(planes=own))
        self.logits, self.values = judge(self.fleet.leaves.planes)


class SelfPlay:
    """Plays a game against itself with as many workers as there are networks, `games` at once with each."""

    def __init__(
        self,
        game: Game,
        plan: Plan,
        style: Style,
        *,
        workers: int,
        games: int,
        parts: int = 1,
        solve: int = 0,
        seed: int = 0,
    ) -> None:
        longest = fleet.longest_game(game)
        self.crew = ThreadPoolExecutor(max(1, parts * workers))
        self.workers = [
            Worker(game, plan, style, games, seed + number, longest, self.crew, parts, solve)
            for number in range(workers)
        ]
        self._stop = threading.Event()

    def change(self, plan: Plan) -> None:
        """Go on by another plan with as many simulations."""
        for worker in self.workers:
            worker.search = worker.search._replace(plan=plan)

    def stop(self) -> None:
        """Let `gather` return at once, from any thread."""
        self._stop.set()

    def gather(
        self, judges: Sequence[Judge], positions: int, take: Callable[[Harvest], None], tell: Callable[[int], None]
    ) -> Tally:
        """Play until there are `positions`, `take` them in the order of the workers; `tell` how many come."""
        self._stop.clear()
        quota = -(-positions // len(self.workers))
        tallies = [Tally() for _ in self.workers]
        brought: list[list[Harvest]] = [[] for _ in self.workers]
        failures: list[BaseException] = []

        def work(number: int) -> None:
            worker, tally = self.workers[number], tallies[number]
            try:
                if not worker.fleet.waiting.any():
                    worker.step()
                before = clock.perf_counter()
                while tally.positions < quota and not self._stop.is_set():
                    worker.ask(judges[number])
                    asked = clock.perf_counter()
                    for harvest in worker.step():
                        tally.add(harvest)
                        if harvest.counts[fleet.POSITIONS]:
                            brought[number].append(_copy(harvest))
                    stepped = clock.perf_counter()
                    tally.asking += asked - before
                    tally.stepping += stepped - asked
                    before = stepped
            except BaseException as error:  # handed on below
                failures.append(error)
                self._stop.set()

        threads = [
            threading.Thread(target=contextvars.copy_context().run, args=(work, number), daemon=True)
            for number in range(len(self.workers))
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.1)
                    tell(sum(tally.positions for tally in tallies))
        finally:
            self._stop.set()
            for thread in threads:
                thread.join()
        if failures:
            raise failures[0]
        whole = Tally()
        for number, tally in enumerate(tallies):
            for harvest in brought[number]:
                take(harvest)
                whole.add(harvest)
            whole.evaluations += tally.evaluations - sum(int(h.counts[fleet.SIMULATIONS]) for h in brought[number])
            whole.asking += tally.asking
            whole.stepping += tally.stepping
        return whole


def _copy(harvest: Harvest) -> Harvest:
    rows, regrets = int(harvest.counts[fleet.POSITIONS]), int(harvest.counts[fleet.REGRETS])
    by_position = (array[:rows].copy() for array in harvest[:4])
    return Harvest._make((*by_position, harvest.counts.copy(), harvest.regrets[:regrets].copy()))


def play_games(
    game: Game, plan: Plan, style: Style, judge: Judge, *, games: int, solve: int = 0, seed: int = 0
) -> Harvest:
    """`games` games of a network with itself, from their beginning to their end."""
    crew = ThreadPoolExecutor(1)
    worker = Worker(game, plan._replace(rounds=1), style, games, seed, fleet.longest_game(game), crew, 1, solve)
    brought = [_copy(harvest) for harvest in worker.step()]
    while (rows := worker.fleet.waiting.astype(bool)).any():
        worker.logits[rows], worker.values[rows] = judge(worker.fleet.leaves.planes[rows])
        brought += [_copy(harvest) for harvest in worker.step()]
    *by_position, counts, regrets = zip(*brought, strict=True)
    return Harvest._make((*map(np.concatenate, by_position), np.sum(counts, axis=0), np.concatenate(regrets)))


@dataclass(frozen=True)
class MatchScore:
    """Games that the first network won, drew and lost against the second."""

    won: int
    drawn: int
    lost: int

    @property
    def share(self) -> float:
        """Points of the first, from 0 to 1."""
        return (self.won + 0.5 * self.drawn) / (self.won + self.drawn + self.lost)


def net_match(
    game: Game,
    first: Judge,
    second: Judge,
    *,
    games: int,
    simulations: int,
    opening: int,
    solve: int = 0,
    seed: int = 0,
) -> MatchScore:
    """A match between two networks with equal simulations: each random opening is played with both colours."""
    half = max(1, games // 2)
    plan = Plan(simulations=simulations, noise=0.0, warm=0, opening=opening, rounds=1)
    crew = ThreadPoolExecutor(1)
    won = drawn = lost = 0
    worker = Worker(game, plan, Style(gumbel=False), 2 * half, seed, fleet.longest_game(game), crew, 2, solve)
    worker.fleet.streams[half:] = worker.fleet.streams[:half]
    worker.fleet.roots[half:] = worker.fleet.roots[:half]
    worker.fleet.plies[half:] = worker.fleet.plies[:half]
    worker.step()
    while worker.fleet.waiting.any():
        movers = worker.fleet.leaves.movers[:, 0]  # into the root's children moves whoever is to move at the root
        asks_first = (movers == 0) == (np.arange(2 * half) < half)
        waiting = worker.fleet.waiting.astype(bool)
        for judge, rows in ((first, asks_first & waiting), (second, ~asks_first & waiting)):
            if rows.any():
                worker.logits[rows], worker.values[rows] = judge(worker.fleet.leaves.planes[rows])
        for harvest, side in zip(worker.step(), (1, -1), strict=True):
            count, tied, by_first = (int(harvest.counts[what]) for what in (fleet.GAMES, fleet.DRAWN, fleet.FIRST_WON))
            drawn += tied
            won += by_first if side == 1 else count - tied - by_first
            lost += by_first if side == -1 else count - tied - by_first
    return MatchScore(won, drawn, lost)
