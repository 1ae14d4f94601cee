"""Counterfactual regret minimisation: CFR and CFR+ on the whole tree of a game.

In every information set the player keeps, for each action, the *regret* of not having played it: how much more it
would have been worth, weighed by how likely the others and chance lead there. The next strategy plays actions in
proportion to their positive regrets. In two-player zero-sum games the average of all strategies comes as near to an
equilibrium as one likes.

Zinkevich, Johanson, Bowling, Piccione, "Regret Minimization in Games with Incomplete Information", 2007; Tammelin,
"Solving Large Imperfect Information Games Using CFR+", 2014.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.limits import Budget
from plyground.core.rules import CHANCE
from plyground.errors import BadOption
from plyground.native.compiling import compiled
from plyground.search.best_response import expected_values, exploitability, reach_by_others
from plyground.search.extensive import END, Extensive, Nodes

__all__ = ["ALGORITHMS", "Algorithm", "CfrResult", "Point", "Tables", "average_strategy", "cfr", "cfr_plus", "solve"]

Algorithm = Literal["cfr", "cfr+"]
ALGORITHMS: tuple[Algorithm, ...] = ("cfr", "cfr+")
MOST_ITERATIONS = 100_000_000


class Tables(NamedTuple):
    """Per slot: the current `strategy`, the cumulative `regrets`, and `totals`, the weighted sum of all strategies.

    Per node, as room to work in: `own` and `others`, how likely the player itself and all others lead there, `values`.
    """

    strategy: NDArray[np.float64]
    regrets: NDArray[np.float64]
    totals: NDArray[np.float64]
    own: NDArray[np.float64]
    others: NDArray[np.float64]
    values: NDArray[np.float64]


@compiled
def cfr(nodes: Nodes, tables: Tables, begin: int, iterations: int, budget: Budget) -> int:
    """CFR with alternating updates, from iteration `begin` on (the first is 1); how many iterations have been made."""
    for t in range(begin, begin + iterations):
        if budget.spend():
            return t - 1
        for player in range(nodes.utilities.shape[1]):
            accumulate(nodes, tables, player, 1.0)
            match_regrets(nodes, tables, player)
    return begin + iterations - 1


@compiled
def cfr_plus(nodes: Nodes, tables: Tables, begin: int, iterations: int, budget: Budget) -> int:
    """CFR+: regrets never fall below 0, and the strategy of iteration t counts t times in the average."""
    for t in range(begin, begin + iterations):
        if budget.spend():
            return t - 1
        for player in range(nodes.utilities.shape[1]):
            accumulate(nodes, tables, player, float(t))
            for slot in range(len(tables.regrets)):
                tables.regrets[slot] = max(tables.regrets[slot], 0.0)
            match_regrets(nodes, tables, player)
    return begin + iterations - 1


@compiled
def accumulate(nodes: Nodes, tables: Tables, player: int, weight: float) -> None:
    """One pass for one player: add its regrets under the current strategy, and that strategy, to the tables."""
    strategy, own, others, values = tables.strategy, tables.own, tables.others, tables.values
    reach_by_others(nodes, strategy, player, others)
    own[0] = 1.0
    for node in range(len(nodes.mover)):
        mine = nodes.mover[node] == player
        slot = nodes.slot[nodes.owner[node]] if mine else 0
        for i in range(nodes.children[node]):
            own[nodes.first[node] + i] = own[node] * (strategy[slot + i] if mine else 1.0)
            if mine:
                tables.totals[slot + i] += weight * own[node] * strategy[slot + i]
    for node in range(len(nodes.mover) - 1, -1, -1):
        if nodes.mover[node] == END:
            values[node] = nodes.utilities[node, player]
            continue
        first = nodes.first[node]
        slot = nodes.slot[nodes.owner[node]] if nodes.mover[node] != CHANCE else 0
        value = 0.0
        for i in range(nodes.children[node]):
            likely = nodes.chance[first + i] if nodes.mover[node] == CHANCE else strategy[slot + i]
            value += likely * values[first + i]
        values[node] = value
        if nodes.mover[node] == player:
            for i in range(nodes.children[node]):
                tables.regrets[slot + i] += others[node] * (values[first + i] - value)


@compiled
def match_regrets(nodes: Nodes, tables: Tables, player: int) -> None:
    """The player's next strategy plays in proportion to positive regrets, uniformly where there are none."""
    for owner in range(len(nodes.player)):
        if nodes.player[owner] != player:
            continue
        begin, end = nodes.slot[owner], nodes.slot[owner + 1]
        whole = 0.0
        for slot in range(begin, end):
            whole += max(tables.regrets[slot], 0.0)
        for slot in range(begin, end):
            tables.strategy[slot] = max(tables.regrets[slot], 0.0) / whole if whole > 0.0 else 1.0 / (end - begin)


def new_tables(tree: Extensive) -> Tables:
    """Tables before the first iteration: uniform strategies, no regrets."""
    nodes, slots = tree.nodes, tree.slots
    sizes = np.diff(nodes.slot)
    uniform = np.repeat(1.0 / np.maximum(sizes, 1), sizes)
    room = [np.zeros(len(nodes.mover)) for _ in range(3)]
    return Tables(uniform, np.zeros(slots), np.zeros(slots), *room)


def average_strategy(tree: Extensive, totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """The average of the strategies that were summed up in `totals`; uniform where a player itself never went."""
    slot = tree.nodes.slot
    sums = np.add.reduceat(totals, slot[:-1]) if len(tree.sets) else np.zeros(0)
    sizes = np.diff(slot)
    whole, size = np.repeat(sums, sizes), np.repeat(sizes, sizes)
    return np.where(whole > 0, totals / np.where(whole > 0, whole, 1.0), 1.0 / np.maximum(size, 1))


class Point(NamedTuple):
    """After n iterations and some seconds: how far the average strategy can be exploited."""

    iterations: int
    seconds: float
    exploitability: float


@dataclass(frozen=True)
class CfrResult:
    """The average strategy, one probability a slot, what it is worth to each player, and how it came there."""

    tree: Extensive
    strategy: NDArray[np.float64]
    values: tuple[float, ...]
    algorithm: Algorithm
    iterations: int
    seconds: float
    curve: tuple[Point, ...]

    @property
    def exploitability(self) -> float:
        """Of the average strategy, in utilities."""
        return self.curve[-1].exploitability


def checkpoints(iterations: int) -> list[int]:
    """1, 2, 3, 5, 7, 10, 20, ...: where a curve on a logarithmic axis has its points; the last one is `iterations`."""
    marks = {mark * 10**power for power in range(9) for mark in (1, 2, 3, 5, 7)}
    return sorted({mark for mark in marks if mark < iterations} | {iterations})


def solve(
    tree: Extensive,
    iterations: int,
    algorithm: Algorithm = "cfr+",
    *,
    target: float = 0.0,
    time: float | None = None,
    on_progress: Callable[[float], None] = lambda part: None,
) -> CfrResult:
    """Run CFR or CFR+ for `iterations`, or until the exploitability is at most `target`, or for `time` seconds.

    The exploitability is measured on the way, at points that lie evenly on a logarithmic axis.
    """
    if not 1 <= iterations <= MOST_ITERATIONS:
        raise BadOption(f"iterations must be a number from 1 to {MOST_ITERATIONS:,}, not {iterations:,}")
    if algorithm not in ALGORITHMS:
        raise BadOption(f"the algorithm must be {' or '.join(ALGORITHMS)}, not '{algorithm}'")
    if time is not None and not time > 0:
        raise BadOption(f"the time must be a positive number of seconds, not {time:g}")
    step: Any = cfr if algorithm == "cfr" else cfr_plus
    tables = new_tables(tree)
    step.prepare(tree.nodes, tables, 1, 0, Budget())
    strategy = average_strategy(tree, tables.totals)
    exploitability(tree, strategy)  # compiled before the clock runs
    done, start, curve, searching = 0, clock.perf_counter(), [], 0.0
    for mark in checkpoints(iterations):
        budget, begun = Budget(), clock.perf_counter()
        left = None if time is None else max(1e-3, time - (begun - start))
        done = int(budget.run(partial(step, tree.nodes, tables, done + 1, mark - done, budget), left))
        searching += clock.perf_counter() - begun
        strategy = average_strategy(tree, tables.totals)
        curve.append(Point(done, searching, exploitability(tree, strategy)))
        on_progress(done / iterations)
        if budget.stopped or curve[-1].exploitability <= target or (time and clock.perf_counter() - start >= time):
            break
    return CfrResult(tree, strategy, expected_values(tree, strategy), algorithm, done, searching, tuple(curve))
