"""Regret matching (Hart and Mas-Colell 2000): play each strategy in proportion to how much it was missed.

The regret of a strategy is what it would have brought in all past rounds, less what was really won; only positive ones
count. In zero-sum games the averages converge to optimal strategies; in all games the joint play goes to the set of
coarse correlated equilibria. Counterfactual regret minimisation does the same at every information set.
"""

from __future__ import annotations

from typing import Any

from plyground.native.compiling import compiled
from plyground.native.randomness import random_unit

__all__ = ["match_regrets"]


@compiled
def match_regrets(
    first: Any, second: Any, rows: Any, columns: Any, row_regrets: Any, column_regrets: Any, rng: Any, steps: int
) -> None:
    """Play `steps` more steps. `first` and `second` are the utilities, of shape (rows, columns).

    `rows` and `columns` add up the probabilities with which each strategy was played; the regrets are totals. Both are
    changed. A player that regrets nothing plays everything equally often.
    """
    count, width = first.shape
    for _ in range(steps):
        row_total = 0.0
        for i in range(count):
            row_total += max(0.0, row_regrets[i])
        column_total = 0.0
        for j in range(width):
            column_total += max(0.0, column_regrets[j])
        row, left = 0, random_unit(rng)
        for i in range(count):
            chance = max(0.0, row_regrets[i]) / row_total if row_total > 0 else 1.0 / count
            rows[i] += chance
            if left >= 0.0 and chance > 0.0:
                row = i
            left -= chance
        column, left = 0, random_unit(rng)
        for j in range(width):
            chance = max(0.0, column_regrets[j]) / column_total if column_total > 0 else 1.0 / width
            columns[j] += chance
            if left >= 0.0 and chance > 0.0:
                column = j
            left -= chance
        for i in range(count):
            row_regrets[i] += first[i, column] - first[row, column]
        for j in range(width):
            column_regrets[j] += second[row, j] - second[row, column]
