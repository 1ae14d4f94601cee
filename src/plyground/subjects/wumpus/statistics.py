"""The scores of agents over many caves: every agent in the same ones, so that differences are those of the agents."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plyground.errors import BadOption
from plyground.subjects.wumpus.agents import AGENTS, explore, make_agent
from plyground.subjects.wumpus.world import USUAL, Cave, World, make_world

__all__ = ["Statistics", "compare_agents", "lead", "statistics_of", "visit_worlds"]

MOST_WORLDS = 1_000_000


@dataclass(frozen=True)
class Statistics:
    """One agent: its scores in order of the caves, and the shares of caves in which it has the gold, or is dead."""

    agent: str
    scores: tuple[int, ...]
    gold: float
    died: float
    steps: float

    @property
    def worlds(self) -> int:
        """In how many caves it was."""
        return len(self.scores)

    @property
    def mean(self) -> float:
        """Its mean score."""
        return sum(self.scores) / len(self.scores)

    @property
    def margin(self) -> float:
        """Half the width of the 95% interval of the mean; not a number for a single cave."""
        return _margin(self.scores)


def _margin(values: Sequence[float]) -> float:
    if len(values) < 2:
        return math.nan
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return 1.96 * math.sqrt(variance / len(values))


def lead(first: Statistics, second: Statistics) -> tuple[float, float]:
    """By how much the first agent's mean is higher in the same caves, and half the width of its 95% interval."""
    differences = [one - other for one, other in zip(first.scores, second.scores, strict=True)]
    return sum(differences) / len(differences), _margin(differences)


def visit_worlds(
    agent: str, worlds: Sequence[World], *, seed: int = 0, on_visit: Callable[[], None] = lambda: None
) -> Statistics:
    """One agent in these worlds; its own random numbers in each are those of the seeds from `seed` on."""
    rows: list[tuple[int, bool, bool, int]] = []
    for number, world in enumerate(worlds):
        final = explore(world, make_agent(agent, world.cave, seed + number)).final
        rows.append((final.score, final.has_gold, not final.alive, final.steps))
        on_visit()
    return statistics_of(agent, rows)


def statistics_of(agent: str, rows: Sequence[tuple[int, bool, bool, int]]) -> Statistics:
    """What visits come to: of each the score, whether it has the gold, whether it is dead, and the actions."""
    scores, *rest = zip(*rows, strict=True)
    return Statistics(agent, tuple(scores), *(sum(column) / len(rows) for column in rest))


def compare_agents(
    agents: Sequence[str] = tuple(AGENTS),
    *,
    worlds: int = 1000,
    cave: Cave = USUAL,
    seed: int = 0,
    solvable: bool = False,
    on_progress: Callable[[float], None] = lambda part: None,
) -> list[Statistics]:
    """Each agent in the caves of the seeds from `seed` on."""
    if not 1 <= worlds <= MOST_WORLDS:
        raise BadOption(f"the number of worlds is from 1 to {MOST_WORLDS:,}, not {worlds}")
    for name in agents:
        make_agent(name, cave)
    finals: dict[str, list[tuple[int, bool, bool, int]]] = {name: [] for name in agents}
    for number in range(worlds):
        world = make_world(cave, seed=seed + number, solvable=solvable)
        for name in agents:
            final = explore(world, make_agent(name, cave, seed + number)).final
            finals[name].append((final.score, final.has_gold, not final.alive, final.steps))
        on_progress((number + 1) / worlds)
    return [statistics_of(name, rows) for name, rows in finals.items()]
