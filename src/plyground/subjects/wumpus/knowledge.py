"""What follows from the percepts of the Wumpus world: proofs, and exact probabilities.

*Proofs.* A square without a breeze has no pit beside it. A breeze whose other neighbours are free of pits has one in
the neighbour that is left. These two rules find every pit and every pit-free square that follows at all: apart from
squares proven free, the breezes only ask for pits, and never for the absence of one. The one wumpus is in a square that
agrees with every stench, every missing stench and every arrow that missed.

*Probabilities.* Pits are independent of each other and of the wumpus before anything is known. An arrangement of pits
on the frontier (squares beside a breeze) weighs p for each pit and 1-p for each other square. The probability of a pit
in a square is the weight of the arrangements that explain every breeze and have a pit there, as a share of the weight
of all that explain every breeze. Parts of the frontier that share no breeze are counted apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from plyground.native.compiling import compiled
from plyground.subjects.wumpus.world import ENTRANCE, Cave, Percept, Square, ahead, neighbours

__all__ = ["Knowledge", "Proof", "pit_shares"]

MOST_AT_ONCE = 10
"""Squares of a part of the frontier whose arrangements are all looked at; larger parts are summed square by square."""


class Proof(NamedTuple):
    """Why something is known. `rule` names it, `because` are the squares it rests on, `square` is what it is about."""

    rule: str
    because: tuple[Square, ...]
    square: Square


class Knowledge:
    """All that the percepts say, and what follows from it."""

    def __init__(self, cave: Cave) -> None:
        self.cave = cave
        self.breeze: dict[Square, bool] = {}
        """Every square visited, and whether there was a breeze."""
        self.stench: dict[Square, bool] = {}
        self.no_pit: set[Square] = {ENTRANCE}
        self.pits: set[Square] = set()
        self.suspects: set[Square] = set(cave.squares) - {ENTRANCE}
        """Where the wumpus may be."""
        self.wumpus_alive = True
        self.no_gold: set[Square] = set()
        self.proofs: list[Proof] = []
        """The latest proofs: those of the last percept."""
        self._shares: dict[Square, float] | None = None

    @property
    def visited(self) -> Iterable[Square]:
        """The squares that the agent has been in."""
        return self.breeze.keys()

    def tell(self, at: Square, percept: Percept) -> None:
        """Take in what is perceived in a square."""
        self.proofs = []
        if percept.scream:
            self.wumpus_alive = False
            self.proofs.append(Proof("scream", (), at))
        if at in self.breeze:
            return
        self._shares = None
        self.breeze[at], self.stench[at] = percept.breeze, percept.stench
        if not percept.glitter:
            self.no_gold.add(at)
        beside = neighbours(self.cave, at)
        if at not in self.no_pit:
            self._note_no_pit("alive", (at,), at)
        if not percept.breeze:
            for square in beside:
                if square not in self.no_pit:
                    self._note_no_pit("no breeze", (at,), square)
        self._find_pits()
        near = {at, *beside}
        if self.wumpus_alive:
            self._rule_out({at}, "alive", at)
        if percept.stench:
            self._rule_out(self.suspects - near, "stench", at)
        else:
            self._rule_out(near, "no stench", at)

    def tell_missed(self, at: Square, heading: int) -> None:
        """The arrow was shot from here and nobody screamed."""
        self._rule_out(set(ahead(self.cave, at, heading)), "missed", at)

    def tell_hit(self, at: Square, heading: int) -> None:
        """The arrow was shot from here, and somebody screamed."""
        self._rule_out(self.suspects - set(ahead(self.cave, at, heading)), "hit", at)

    def _note_no_pit(self, rule: str, because: tuple[Square, ...], square: Square) -> None:
        self.no_pit.add(square)
        self.proofs.append(Proof(f"no pit: {rule}", because, square))

    def _find_pits(self) -> None:
        for at, breeze in self.breeze.items():
            if breeze:
                left = [square for square in neighbours(self.cave, at) if square not in self.no_pit]
                if len(left) == 1 and left[0] not in self.pits:
                    self.pits.add(left[0])
                    others = tuple(square for square in neighbours(self.cave, at) if square != left[0])
                    self.proofs.append(Proof("pit", (at, *others), left[0]))

    def _rule_out(self, squares: set[Square], rule: str, because: Square) -> None:
        gone = self.suspects & squares
        if not gone:
            return
        self.suspects -= gone
        if rule == "no stench" or len(gone) <= 3:
            self.proofs += [Proof(f"no wumpus: {rule}", (because,), square) for square in sorted(gone)]
        else:
            self.proofs.append(Proof(f"wumpus near: {rule}", (because,), because))
        if len(self.suspects) == 1:
            smelt = tuple(square for square, smell in self.stench.items() if smell)
            self.proofs.append(Proof("wumpus", smelt, next(iter(self.suspects))))

    # What is known ------------------------------------------------------------------------------------------------

    def is_safe(self, square: Square) -> bool:
        """Whether nothing deadly can be there."""
        return square in self.no_pit and (not self.wumpus_alive or square not in self.suspects)

    @property
    def wumpus(self) -> Square | None:
        """Where the wumpus is, dead or alive, if that is certain."""
        return next(iter(self.suspects)) if len(self.suspects) == 1 else None

    def frontier(self) -> list[Square]:
        """Squares beside visited ones, not yet visited, in order."""
        beside = {square for at in self.breeze for square in neighbours(self.cave, at)}
        return sorted(beside - self.breeze.keys())

    # What is likely -----------------------------------------------------------------------------------------------

    def wumpus_probability(self, square: Square) -> float:
        """That the wumpus is there, dead or alive."""
        return 1.0 / len(self.suspects) if square in self.suspects else 0.0

    def pit_probability(self, square: Square) -> float:
        """That there is a pit."""
        if square in self.no_pit:
            return 0.0
        if self._shares is None:
            clauses = [
                [square for square in neighbours(self.cave, at) if square not in self.no_pit]
                for at, breeze in self.breeze.items()
                if breeze
            ]
            self._shares = pit_shares(clauses, self.cave.pit_probability)
        return self._shares.get(square, self.cave.pit_probability)

    def danger(self, square: Square) -> float:
        """The probability of dying there."""
        wumpus = self.wumpus_probability(square) if self.wumpus_alive else 0.0
        return 1.0 - (1.0 - self.pit_probability(square)) * (1.0 - wumpus)

    def gold_probability(self, square: Square) -> float:
        """That the gold is there, if it has not been found: in any square alike where none has been looked for."""
        left = self.cave.width * self.cave.height - 1 - len(self.no_gold - {ENTRANCE})
        return 1.0 / left if left and square != ENTRANCE and square not in self.no_gold else 0.0


# Counting arrangements -------------------------------------------------------------------------------------------


def pit_shares(clauses: list[list[Square]], p: float) -> dict[Square, float]:
    """For every square of the clauses, the probability of a pit, given that each clause has at least one.

    Each square has a pit with probability `p` before. Clauses that share no square are counted apart.
    """
    shares: dict[Square, float] = {}
    left = [set(clause) for clause in clauses if clause]
    while left:
        part, cells = [left.pop()], set()
        cells |= part[0]
        growing = True
        while growing:
            joined = [clause for clause in left if clause & cells]
            growing = bool(joined)
            left = [clause for clause in left if not clause & cells]
            part += joined
            for clause in joined:
                cells |= clause
        order = sorted(cells)
        places = {square: k for k, square in enumerate(order)}
        masks = [sum(1 << places[square] for square in clause) for clause in part]
        if len(order) <= MOST_AT_ONCE:
            weights = _weigh_all(np.array(masks, dtype=np.int64), len(order), float(p))
        else:
            weights = _weigh_in_turn(masks, len(order), p)
        # With p = 0 no arrangement explains a breeze, and with p = 1 only one.
        total = weights[-1] or 1.0
        shares |= {square: float(weights[k] / total) for square, k in places.items()}
    return shares


@compiled
def _weigh_all(masks: Any, cells: int, p: float) -> Any:
    """The weight of the arrangements in which every mask has a pit: of those with a pit in each cell, then of all."""
    weights = np.zeros(cells + 1)
    for pits in range(1 << cells):
        explains = True
        for k in range(len(masks)):
            if masks[k] & pits == 0:
                explains = False
                break
        if explains:
            weight = 1.0
            for cell in range(cells):
                weight *= p if pits >> cell & 1 else 1.0 - p
            weights[cells] += weight
            for cell in range(cells):
                if pits >> cell & 1:
                    weights[cell] += weight
    return weights


def _weigh_in_turn(masks: list[int], cells: int, p: float) -> list[float]:
    """The same for long frontiers: cell after cell, and arrangements are alike that leave the same masks unexplained.

    The number of these is small, because a mask is about neighbours: only those that have begun and not ended count.
    """
    begins: list[int] = [0] * cells
    ends: list[int] = [0] * cells
    holds: list[int] = [0] * cells
    for number, mask in enumerate(masks):
        own = [cell for cell in range(cells) if mask >> cell & 1]
        begins[own[0]] |= 1 << number
        ends[own[-1]] |= 1 << number
        for cell in own:
            holds[cell] |= 1 << number

    def forward(forced: int) -> float:
        alike: dict[int, float] = {0: 1.0}
        for cell in range(cells):
            after: dict[int, float] = {}
            for unexplained, weight in alike.items():
                opened = unexplained | begins[cell]
                pit = opened & ~holds[cell]
                after[pit] = after.get(pit, 0.0) + weight * p
                if cell != forced and not opened & ends[cell]:
                    after[opened] = after.get(opened, 0.0) + weight * (1.0 - p)
            alike = {key: weight for key, weight in after.items() if not key & ends[cell]}
        return alike.get(0, 0.0)

    return [forward(cell) for cell in range(cells)] + [forward(-1)]
