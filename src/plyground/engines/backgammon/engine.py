"""The backgammon engine: the networks, the bear-off tables, a search over the rolls to come, and the cube.

engine = Engine(plies=2)
engine.decide(state)                       # all actions with what they are worth, the best first
engine.outputs(state)                      # how likely each kind of win and loss is for whoever is about to roll
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.rules import max_actions
from plyground.engines.backgammon.bearoff import (
    BOTH_SIDES,
    CENTRED,
    OTHERS_CUBE,
    OWN_CUBE,
    at_home,
    bearoff_place,
    bearoff_tables,
)
from plyground.engines.backgammon.cubes import CubeValues, cube_values
from plyground.engines.backgammon.network import OUTPUTS, Net, load_net, new_room, race
from plyground.engines.backgammon.search import FILTERS, Known, outputs_before, rank_plays
from plyground.games.backgammon.board import DOUBLING, MOVING, NO_OWNER, Backgammon, own_men

__all__ = ["Engine", "Verdict", "bundled_net"]

NETWORK = Path(__file__).with_name("network.npz")
ROLL, DOUBLE = 0, 1
TAKE, PASS = 0, 1


class Verdict(NamedTuple):
    """What an action is worth to whoever plays it, as a utility, and by how many plies that is known."""

    action: int
    value: float
    plies: int


@cache
def bundled_net() -> Net:
    """The networks of the package."""
    return load_net(NETWORK)[0]


class Engine:
    """Looks `plies` rolls ahead, 0 to 2. It knows the usual board alone."""

    def __init__(self, plies: int = 2, net: Net | None = None) -> None:
        self.plies = plies
        net = net or bundled_net()
        tables = bearoff_tables()
        self.known = Known(net, new_room(net.rows.shape[2]), *tables, np.zeros(1, np.int64))

    @property
    def counted(self) -> int:
        """Positions judged so far."""
        return int(self.known.counted[0])

    def decide(self, state: Backgammon, plies: int | None = None) -> list[Verdict]:
        """All actions of a player, the best first; of plays the ones not looked at so far ahead follow the others."""
        plies = self.plies if plies is None else plies
        if state.phase == MOVING:
            return self._plays(state, plies)
        values = self.cube(state)
        worth = min(values.taken, values.passed)
        if state.phase == DOUBLING:
            verdicts = [Verdict(ROLL, values.roll, 1), Verdict(DOUBLE, worth, 1)]
            return verdicts[::-1] if values.doubles else verdicts
        return sorted((Verdict(TAKE, -values.taken, 1), Verdict(PASS, -values.passed, 1)), key=lambda v: -v.value)

    def _plays(self, state: Backgammon, plies: int) -> list[Verdict]:
        size = max_actions(state)
        ranked, values, depths = np.zeros(size, np.int64), np.zeros(size), np.zeros(size, np.int64)
        count = rank_plays(state, self.known, plies, FILTERS, ranked, values, depths)
        return [Verdict(int(ranked[i]), float(values[i]), int(depths[i])) for i in range(count)]

    def outputs(self, state: Backgammon) -> NDArray[np.float32]:
        """The outputs for whoever is about to roll, or would be after a double, by a look at the 21 rolls."""
        mean = np.zeros(OUTPUTS, np.float32)
        outputs_before(state, int(state.turn), self.known, mean)
        return mean

    def cube(self, state: Backgammon) -> CubeValues:
        """What the cube is worth to whoever may double, or has doubled; exact where the tables have it."""
        mine, other = own_men(state, state.turn), own_men(state, 1 - state.turn)
        if state.length == 0 and race(mine, other) and at_home(mine) and at_home(other):
            one, two = bearoff_place(mine), bearoff_place(other)
            if max(one, two) < BOTH_SIDES:
                values = self.known.values
                kept = float(values[CENTRED if state.owner == NO_OWNER else OWN_CUBE, one, two])
                taken = 2.0 * float(values[OTHERS_CUBE, one, two])
                return CubeValues(state.cube * kept, state.cube * taken, float(state.cube))
        return cube_values(state, int(state.turn), self.outputs(state))
