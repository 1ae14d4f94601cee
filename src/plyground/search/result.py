"""What every search answers: an action, what it is worth, what would follow, and what it cost to know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

__all__ = ["RootResult", "SearchResult", "all_equal", "best_mean"]


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """What a search found. Values are utilities to the player to move, or evaluations where it looked no farther.

    `line` is what would be played, the action first. `values` has what is known of the root's other actions too.
    `depth` is how many plies the search looked ahead, less than it was allowed if the game ends sooner; None where that
    means nothing. `nodes` counts positions: those that were looked at, or those that are in the tree. `time` is in
    seconds. `complete` says that a longer search would find the same value. `simulations` and `cuts` are None where a
    search has none.
    """

    action: int
    value: float
    line: tuple[int, ...]
    values: dict[int, float]
    depth: int | None = None
    nodes: int = 0
    time: float = field(default=0.0, compare=False)
    complete: bool = False
    simulations: int | None = None
    cuts: int | None = None

    @classmethod
    def choose(cls, action: int, values: dict[int, float], **more: Any) -> Self:
        """The result of choosing an action: its value and its line are its own, where `more` does not say otherwise."""
        line = more.get("lines", {}).get(action, (action,))
        return cls(action=action, values=values, **{"value": values[action], "line": line} | more)


@dataclass(frozen=True, kw_only=True)
class RootResult(SearchResult):
    """What a search found that goes through all of the root's actions.

    `best` are the actions that are equally good, in the game's order; the first one is the result's `action`. `lines`
    has these at least, each with what would be played, the action itself first. The values of the `best` are exact; if
    the search cuts, those of the others are bounds from above.
    """

    best: tuple[int, ...]
    lines: dict[int, tuple[int, ...]]

    def choosing(self, action: int) -> Self:
        """The same result with another of the best actions."""
        return replace(self, action=action, value=self.values[action], line=self.lines[action])


def all_equal(options: Sequence[int], value: float = 0.0, **more: Any) -> RootResult:
    """All `options` are worth the same: what a search answers that was not given the time for one look."""
    lines = {action: (action,) for action in options}
    facts = {"best": tuple(options), "lines": lines, "depth": 0} | more
    return RootResult.choose(options[0], dict.fromkeys(options, value), **facts)


def best_mean(means: dict[int, float], simulations: int, time: float, depth: int | None = None) -> SearchResult:
    """What so many simulations came to: the action of the highest mean, of equal ones the first."""
    cost = {"depth": depth, "nodes": simulations, "time": time, "simulations": simulations}
    return SearchResult.choose(max(means, key=means.__getitem__), means, **cost)
