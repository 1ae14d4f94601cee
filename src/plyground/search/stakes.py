"""What is played for: the range and the sum of the utilities, and what a position at the depth limit is worth to whom.

The rule `evaluation` speaks for the player to move alone. What the others may hope for follows from it only if all
utilities always add up to the same total: then they share what is left.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from plyground.core.game import Game
from plyground.core.rules import evaluation_for, to_move
from plyground.native.arrays import stack_floats
from plyground.native.compiling import compiled
from plyground.native.overloads import Static, native
from plyground.search.evaluations import leaf_evaluation
from plyground.search.scale import UNCHECKED, Scale

__all__ = ["TIE", "JudgingVariant", "Stakes", "leaf_value", "stakes_of", "value_buffer"]

TIE = 1e-9
"""Values that differ by less than this share of the range are equal: averages round."""


class Stakes(NamedTuple):
    """How many players there are, the range that each one's utilities lie in, and what they all add up to.

    `total` is NaN where they do not always add up to the same. `scale` says what utilities count beside evaluations.
    """

    players: int
    low: float
    high: float
    total: float
    scale: Scale = UNCHECKED

    @property
    def constant_sum(self) -> bool:
        """Whether there is a total."""
        return not math.isnan(self.total)

    @property
    def bounded(self) -> bool:
        """Whether the range is finite."""
        return math.isfinite(self.high - self.low)

    @property
    def slack(self) -> float:
        """By how much values may differ that count as equal."""
        return TIE * (self.high - self.low) if self.bounded else 0.0

    def as_scaled(self) -> Stakes:
        """The same with the range as the scale counts it now; the total stays, since it is what the scale turns on."""
        return Stakes(self.players, self.scale.low, self.scale.high, self.total, self.scale)


def stakes_of(game: Game, total: float | None = None) -> Stakes:
    """The stakes of a game; `total` is for games that are constant-sum without being zero-sum."""
    low, high = game.utilities
    rest = game.axes.players - 1
    if game.axes.zero_sum and rest:
        total = 0.0
    if total is None:
        total, centre = math.nan, (low + high) / 2.0 if math.isfinite(high - low) else 0.0
    else:
        # What one player can get is also limited by what the others must get.
        low, high = max(low, total - rest * high), min(high, total - rest * low)
        centre = total / game.axes.players
    scale = Scale(low, high, centre, averages=game.axes.chance)
    return Stakes(game.axes.players, float(low), float(high), float(total), scale)


class JudgingVariant(Static):
    """A variant with the name of an `evaluation`, "" for the game's own."""

    evaluation: str

    @property
    def another_evaluation(self) -> bool:
        """Whether the evaluation is not the game's own."""
        return bool(self.evaluation)


@compiled
def leaf_value(state: Any, player: int, stakes: Stakes, variant: Any) -> float:
    """What a position at the depth limit, where somebody is to move, is worth to a player.

    The player to move gets what the evaluation says. Another one gets what the rule `evaluation_for` says; if that is
    silent, an equal share of what is left of the total; if there is no total, the middle of the range. For two players
    and zero sum this is the evaluation and its opposite.
    """
    mover = to_move(state)
    guess = stakes.scale.checked(leaf_evaluation(state, variant))
    if player != mover:
        own = math.nan if variant.another_evaluation else float(evaluation_for(state, player))
        if not math.isnan(own):
            guess = own
        elif not math.isnan(stakes.total):
            guess = (stakes.total - guess) / (stakes.players - 1)
        else:
            guess = (stakes.low + stakes.high) / 2.0
    return stakes.scale.checked(guess)


def value_buffer(count: Any) -> Any:
    """Room for n numbers. In compiled code it lives on the stack: never return it."""
    return np.zeros(count)


@native(value_buffer, inline="always")  # inlined before LLVM, so that the frame is the caller's
def _value_buffer(count: Any) -> Any:
    return lambda count: stack_floats(count)
