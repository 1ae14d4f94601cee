"""Which Monte Carlo tree search: the variant, which is compiled in, and the numbers, which are not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from plyground.native.overloads import Static

__all__ = ["MctsSettings", "MctsVariant"]

WIN_DRAW_LOSS, SIGNED, MARGIN = range(3)
UNIFORM, GAME, GREEDY, LEARNED = range(4)
OWN_VISITS, ROOT_VISITS, PRIOR = range(3)


@dataclass(frozen=True)
class MctsVariant(Static):
    """Which kind of search: compiled code is made for one variant, and holds nothing of the others.

    `reward`: WIN_DRAW_LOSS is 1, 1/2, 0; SIGNED is 1, 0, -1; MARGIN is the game's score over `MctsSettings.scale`.
    `policy` of playouts: UNIFORM, the GAME's own, GREEDY on the evaluation with probability 1 - epsilon, or LEARNED.
    `proportional` samples children in proportion to their bounds instead of taking the highest. `guided` uses the
    evaluation as a prior, for progressive bias and widening. `shortened` playouts end after `rollout_depth` moves of
    the settings, with the evaluation. `parallel` lets several threads grow one tree, or one thread wait for several
    leaves. `puct` selects by the priors of a network, which also judges the leaves; where it is `mixed`, a playout has
    a say in that: see `plyground.search.net_search`.

    `form` of the exploration term: OWN_VISITS takes N from the node where the choice is made; ROOT_VISITS takes the
    root's at every level, as many worked examples do; PRIOR is P / (1 + n) and has no N at all.
    """

    players: int = 2
    chance: bool = False
    reward: int = WIN_DRAW_LOSS
    policy: int = UNIFORM
    proportional: bool = False
    expand_all: bool = False
    guided: bool = False
    shortened: bool = False
    rave: bool = False
    solver: bool = False
    transpositions: bool = False
    parallel: bool = False
    puct: bool = False
    mixed: bool = False
    form: int = OWN_VISITS


class MctsSettings(NamedTuple):
    """The numbers of a search, which may change without compiling again.

    The exploration term is ``exploration * sqrt(ln N / n)``; the form c * sqrt(2 ln N / n) is the same with
    exploration = c * sqrt(2). Where the form is PRIOR it is ``exploration * prior / (1 + n)``. `low` and `high` are the
    range of the game's utilities. 0 switches `bias` and `widening` off; `widening` children are looked at per
    (visits ** widening_power). With `puct` the exploration term is ``exploration * prior * sqrt(N) / (1 + n)``, and a
    child without visits counts as much as its siblings less `fpu` times the root of what share of the priors they have;
    `mix` is the weight of the playout where a leaf's value is mixed.
    """

    exploration: float = math.sqrt(2.0)
    low: float = -1.0
    high: float = 1.0
    scale: float = 1.0
    rollouts: int = 1
    rollout_depth: int = 0
    epsilon: float = 0.1
    rave: float = 300.0
    bias: float = 0.0
    widening: float = 0.0
    widening_power: float = 0.5
    virtual_loss: int = 1
    fpu: float = 0.1
    mix: float = 0.5
