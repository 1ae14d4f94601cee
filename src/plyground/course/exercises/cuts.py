"""Alpha-beta on a plain tree as it is done by hand, and everything that an exercise asks about it.

From left to right, each node keeps the value v of what it has seen. MAX stops when v >= beta, else raises alpha to v;
MIN stops when v <= alpha, else lowers beta to v (Russell and Norvig). Stopping is a *cut* where branches are left.
A cut is *deep* if the bound that makes it was set above the node's parent, three plies up or more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from plyground.course.exercises.plain_tree import PlainTree

__all__ = ["CutCount", "Visit", "count_cuts", "visits"]

CutKind = Literal["alpha", "beta"]


@dataclass
class Visit:
    """What happened at a node that was visited. `alpha` and `beta` are the window as it was when the node was left.

    `known` has, for each child looked at, the value and the window of this node at that moment. `cut` is the kind of
    the cut, "" for none; `lost` are the branches it takes away, and `setter` is the node that had set the bound.
    """

    node: int
    alpha: float
    beta: float
    entered: tuple[float, float]
    alpha_by: int = -1
    beta_by: int = -1
    value: float | None = None
    known: dict[int, tuple[float | None, float, float]] = field(default_factory=dict)
    stopped: bool = False
    cut: CutKind | Literal[""] = ""
    lost: tuple[int, ...] = ()
    setter: int = -1

    def updated_first(self, maximising: bool) -> tuple[float, float]:
        """The window at the end for those who move the bound before they compare, as some books do."""
        if self.value is None:
            return self.alpha, self.beta
        return (max(self.alpha, self.value), self.beta) if maximising else (self.alpha, min(self.beta, self.value))


def visits(tree: PlainTree) -> list[Visit | None]:
    """What alpha-beta does at each node of a tree of MAX and MIN; None where it never comes."""
    found: list[Visit | None] = [None] * len(tree.parents)
    path = [Visit(0, -math.inf, math.inf, (-math.inf, math.inf))]
    found[0] = path[0]
    while path:
        here = path[-1]
        family = tree.children[here.node]
        if not family:
            here.value = float(tree.values[here.node])
        elif not here.stopped and len(here.known) < len(family):
            child = family[len(here.known)]
            here.known[child] = (here.value, here.alpha, here.beta)
            below = Visit(child, here.alpha, here.beta, (here.alpha, here.beta), here.alpha_by, here.beta_by)
            found[child] = below
            path.append(below)
            continue
        path.pop()
        if path and here.value is not None:
            _hear(path[-1], here.value, tree)
    return found


def _hear(here: Visit, value: float, tree: PlainTree) -> None:
    """A child of this node is worth so much."""
    maximising = tree.shapes[here.node] == "max"
    best = value if here.value is None else max(here.value, value) if maximising else min(here.value, value)
    here.value = best
    if best >= here.beta if maximising else best <= here.alpha:
        here.stopped = True
        here.lost = tree.children[here.node][len(here.known) :]
        if here.lost:
            here.cut = "beta" if maximising else "alpha"
            here.setter = here.beta_by if maximising else here.alpha_by
    elif maximising and best > here.alpha:
        here.alpha, here.alpha_by = best, here.node
    elif not maximising and best < here.beta:
        here.beta, here.beta_by = best, here.node


@dataclass(frozen=True)
class CutCount:
    """How many nodes were left by a cut of each kind, and how many of these cuts were deep."""

    alpha: int
    beta: int
    deep: int


def count_cuts(tree: PlainTree, seen: list[Visit | None] | None = None) -> CutCount:
    """The cuts of alpha-beta in a tree."""
    cuts = [visit for visit in seen or visits(tree) if visit is not None and visit.cut]
    alpha = sum(visit.cut == "alpha" for visit in cuts)
    deep = sum(visit.setter != tree.parents[visit.node] for visit in cuts)
    return CutCount(alpha, len(cuts) - alpha, deep)
