"""How the numbers of a Monte Carlo tree search are written: sums, means and bounds.

The numbers at a node are its sum of rewards and its visits, Q/N, to the player who moved there, as the search keeps
them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from plyground.core.recording import SimulationEvent
from plyground.search.mcts_variant import PRIOR, ROOT_VISITS, WIN_DRAW_LOSS, MctsSettings, MctsVariant
from plyground.watch.sentences import Sentences

__all__ = ["ARROW", "MINUS", "ROOT", "SimulationNumbers", "complement", "decimal", "fixed", "trimmed"]

MINUS, ARROW, ROOT = "\N{MINUS SIGN}", "\N{RIGHTWARDS ARROW}", "\N{SQUARE ROOT}"


def trimmed(value: float, decimals: int = 2) -> str:
    """A number without needless zeros."""
    text = f"{abs(value):,.{decimals}f}".rstrip("0").rstrip(".")
    return f"{MINUS}{text}" if value < 0 and text != "0" else text


def fixed(value: float) -> str:
    """A number with three decimals.

    >>> fixed(-0.25), fixed(-0.0004)
    ('−0.250', '0.000')
    """
    return f"{round(value, 3) + 0.0:.3f}".replace("-", MINUS)


def decimal(value: float) -> str:
    """A number with three decimals, or two if the third is 0."""
    return fixed(value).removesuffix("0")


def complement(total: float, visits: int, variant: MctsVariant) -> float:
    """The other player's sum of rewards in a game of two with zero sum."""
    return visits - total if variant.reward == WIN_DRAW_LOSS else -total


@dataclass(frozen=True)
class SimulationNumbers:
    """How a search's numbers are written. With a `view`, all rewards are written as that player's."""

    variant: MctsVariant
    settings: MctsSettings
    say: Sentences
    view: int | None = None

    @property
    def more(self) -> bool:
        """Whether the bound has more parts than mean and exploration."""
        return self.variant.rave or (self.variant.guided and self.settings.bias > 0)

    @property
    def bare(self) -> bool:
        """Whether BESTCHILD with C = 0 takes the highest mean: it has nothing but mean and exploration to go by."""
        return not (self.more or self.variant.proportional)

    @property
    def formula(self) -> str:
        """The bound that is compared."""
        c = self.settings.exploration
        factor = "" if c == 1 else f"{decimal(c)} "
        bound = f"Q/n + {factor}P / (1 + n)" if self.variant.form == PRIOR else f"Q/n + {factor}{ROOT}(ln N / n)"
        return self.say("formula", bound=bound, more=self.more, root=self.variant.form == ROOT_VISITS)

    def seen(self, total: float, visits: int, player: int) -> float:
        """The sum of rewards to be written, of a node that counts for `player`."""
        return total if self.view in (None, player) else complement(total, visits, self.variant)

    def ratio(self, total: float, visits: int, player: int) -> str:
        """Q/N, such as 12/21."""
        return f"{trimmed(self.seen(total, visits, player))}/{visits:,}"

    def terms(self, score: SimulationEvent, player: int, exact: float) -> str:
        """mean + exploration = bound, as `player` sees it."""
        if math.isinf(score.upper_bound):
            return self.proven(exact)
        mean = decimal(score.mean)
        if self.view not in (None, player) and self.variant.reward == WIN_DRAW_LOSS:
            mean = f"1 {MINUS} {decimal(1 - score.mean)}"
        parts = f"{mean} + {score.exploration:.3f}"
        added = score.upper_bound - score.mean - score.exploration
        if self.more:
            parts += f" {MINUS if added < 0 else '+'} {abs(added):.3f}"
        return f"{parts} = {fixed(score.upper_bound)}"

    def proven(self, exact: float) -> str:
        """A proven reward in words."""
        lowest = 0.0 if self.variant.reward == WIN_DRAW_LOSS else -1.0
        outcomes = {1.0: "win", lowest: "loss", (1.0 + lowest) / 2: "draw"}
        return self.say("proven", what=self.say(outcomes[exact]) if exact in outcomes else decimal(exact))

    def tint(self, total: float, visits: int, exact: float) -> float:
        """From -1 to 1, for what is proven or else Q/N; drawn apart near 0, where most positions are."""
        mean = total / visits if math.isnan(exact) else exact
        side = 2 * mean - 1 if self.variant.reward == WIN_DRAW_LOSS else mean
        return math.copysign(math.sqrt(min(1.0, abs(side))), side)
