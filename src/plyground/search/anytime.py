"""Iterative deepening: search one ply deep, then two, then three, until a limit is reached (Slate and Atkin 1977).

Every iteration but the last costs little beside the next, and leaves behind what makes the next one fast: an order of
the root's moves, and whatever else the search remembers. And at any time there is an answer: that of the deepest search
that was completed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from plyground.core.limits import Budget, Interrupted, Limit
from plyground.core.rules import CHANCE, actions, to_move
from plyground.errors import IllegalAction

__all__ = ["deepened", "root_actions"]

R = TypeVar("R")

DEEPEST = 1000
"""More plies than any search without a depth limit will see."""


def root_actions(state: Any, *, chance: bool = False) -> list[int]:
    """What can be chosen in a state; `IllegalAction` where nobody is to choose, or only `chance` if that is allowed."""
    options = actions(state)
    if not options:
        raise IllegalAction("there is nothing to search: the game is over")
    if not chance and to_move(state) == CHANCE:
        raise IllegalAction("there is nothing to choose: chance is to move")
    return options


def deepened(
    look: Callable[[int], tuple[R, bool]],
    found: R,
    limit: Limit,
    budget: Budget,
    *,
    choices: int,
    learns: bool = False,
) -> R:
    """The answer of the deepest look that was completed within the limit; `found` if none was.

    ``look(depth)`` holds the budget. It returns its answer, and whether a deeper look would find the same. With nothing
    but a depth as the limit, that depth is looked at straight away, unless the search `learns` from shallower ones:
    then every other depth is, since positions at an even and at an odd distance are judged from different sides.
    With only one of the `choices` at the root nobody is kept waiting: if time or nodes count, one ply is
    enough. Ctrl-C raises `Interrupted`, which holds what would have been the answer.
    """
    costly = limit.time is not None or limit.nodes is not None
    anytime = costly or limit.depth is None or learns
    deepest = 1 if costly and choices == 1 else limit.depth or DEEPEST

    depths = range(1 if anytime else deepest, deepest + 1)
    if learns and not costly and limit.depth is not None:
        depths = range(2 - deepest % 2, deepest + 1, 2)

    def deepen() -> None:
        nonlocal found
        for depth in depths:
            answer, final = look(depth)
            if budget.stopped:
                return
            found = answer
            if final:
                return

    try:
        budget.run(deepen, limit.time)
    except KeyboardInterrupt:
        raise Interrupted(found) from None
    return found
