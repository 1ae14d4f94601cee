"""How alpha-beta's work grows with the depth: the laws of the best, a random and the worst order, measured and drawn.

The trees are uniform: each node has b children, and the leaves are d plies below the root, their values all different.

*Best order.* The best child of every node comes first. Then alpha-beta sees b^ceil(d/2) + b^floor(d/2) - 1 leaves, the
fewest that any search can do with (Knuth and Moore 1975): about the square root of all.

*Random order.* The leaves are in a random order. The number is about b^(3d/4) for the branching factors of most games
(Pearl 1982 has the exact law of its growth).

*Worst order.* No cut ever happens, and all b^d leaves are seen. It is not enough that the worst child comes first: here
also the values below a node lie between those below its neighbours, so that every value is inside every window.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plyground.core.limits import Budget
from plyground.errors import BadOption
from plyground.games.uniform import best_first, random_leaves, uniform_tree, worst_leaves
from plyground.pictures.plot import PALETTE, Panel, Series, plot_svg
from plyground.search.alphabeta import HORIZON, AlphaBetaSettings, AlphaBetaVariant, alphabeta, new_memory

__all__ = ["EXACT_LAW", "GrowthRow", "fewest_leaves", "growth_svg", "leaves_seen", "measure_growth"]

EXACT_LAW = "b^ceil(d/2) + b^floor(d/2) \N{MINUS SIGN} 1"
"""The law of the best order, which is exact (Knuth and Moore 1975)."""
MOST_LEAVES = 4_000_000
"""The largest tree that is measured."""


# Measuring -------------------------------------------------------------------------------------------------------


def fewest_leaves(branching: int, depth: int) -> int:
    """How many leaves alpha-beta sees if the order is perfect."""
    return int(branching ** math.ceil(depth / 2) + branching ** math.floor(depth / 2) - 1)


def leaves_seen(leaves: NDArray[np.float64], branching: int, depth: int) -> int:
    """How many of the leaves alpha-beta looks at, from left to right."""
    game = uniform_tree(leaves, branching, depth)
    memory = new_memory(game)
    alphabeta(game.initial, depth, -math.inf, math.inf, 0, memory, AlphaBetaSettings(), AlphaBetaVariant(), Budget())
    return int(memory.counters[HORIZON])


@dataclass(frozen=True)
class GrowthRow:
    """Leaves seen in trees of one size. `random` has one number for each random tree."""

    branching: int
    depth: int
    best: int
    random: tuple[int, ...]
    worst: int

    @property
    def mean(self) -> float:
        """The mean for random orders."""
        return sum(self.random) / len(self.random)


def measure_growth(
    branching: int, depths: Sequence[int], trees: int, seed: int, on_progress: Callable[[float], None] | None = None
) -> list[GrowthRow]:
    """A row for each depth, over this many random trees."""
    if branching < 2 or trees < 1 or not depths or min(depths) < 1:
        raise BadOption("a tree that grows needs at least 2 children a node, 1 ply and 1 tree")
    if branching ** max(depths) > MOST_LEAVES:
        raise BadOption(f"{branching}^{max(depths)} leaves are more than the {MOST_LEAVES:,} that are measured here")
    rows, whole, done = [], sum(branching**depth for depth in depths) * (trees + 2), 0
    for depth in depths:
        seen = []
        for tree in range(trees):
            leaves = random_leaves(branching, depth, seed + tree)
            seen.append(leaves_seen(leaves, branching, depth))
            done += branching**depth
            if on_progress:
                on_progress(done / whole)
        best = leaves_seen(best_first(leaves, branching), branching, depth)
        worst = leaves_seen(worst_leaves(branching, depth), branching, depth)
        done += 2 * branching**depth
        rows.append(GrowthRow(branching, depth, best, tuple(seen), worst))
    return rows


# Drawing ---------------------------------------------------------------------------------------------------------


def growth_svg(families: Sequence[Sequence[GrowthRow]]) -> str:
    """A panel for each branching factor: points are measured, dashed lines are the laws."""
    return plot_svg(
        [_panel(rows, legend=number == 0) for number, rows in enumerate(families)],
        title="Leaves that alpha-beta sees in a uniform tree",
    )


def _panel(rows: Sequence[GrowthRow], legend: bool) -> Panel:
    b, depths = rows[0].branching, [row.depth for row in rows]
    fine = np.linspace(min(depths), max(depths), 60)
    worst, random, best = PALETTE[:3]
    series = [
        Series("b^d", fine, float(b) ** fine, style="dashed", colour=worst),
        Series("worst order", depths, [row.worst for row in rows], style="points", colour=worst),
        Series("b^(3d/4)", fine, float(b) ** (0.75 * fine), style="dashed", colour=random),
        Series("random order", depths, [row.mean for row in rows], style="points", colour=random),
        Series(EXACT_LAW, depths, [fewest_leaves(b, depth) for depth in depths], style="dashed", colour=best),
        Series("best order", depths, [row.best for row in rows], style="points", colour=best),
    ]
    title, leaves = f"{b} moves in each position", (1.0, 2.0 * rows[-1].worst)
    return Panel(series, title, "depth d", "leaves (logarithmic)", y_log=True, y_range=leaves, legend=legend)
