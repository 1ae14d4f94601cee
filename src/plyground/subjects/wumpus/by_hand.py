"""A visit to a cave by hand: what somebody has done there, what they have perceived, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.errors import BadOption
from plyground.subjects.wumpus.agents import Thoughts
from plyground.subjects.wumpus.knowledge import Knowledge, Proof
from plyground.subjects.wumpus.world import SHOOT, Percept, Square, State, World, perceive, start, step

__all__ = ["Visit", "play_actions"]


@dataclass(frozen=True)
class Visit:
    """How a visit stands after its actions. `before` is the state before the last one, None if there was none yet.

    `seen` are the squares that were entered, `known` is what follows from the percepts alone, and `proofs` all of its
    conclusions, the oldest first.
    """

    world: World
    state: State
    percept: Percept
    seen: frozenset[Square]
    known: Knowledge
    proofs: tuple[Proof, ...]
    before: State | None = None
    action: int | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more can be done."""
        return self.state.ended or self.state.steps >= self.world.cave.most_steps

    def safe(self) -> list[Square]:
        """The squares that are proven safe and were not entered, in order."""
        return [square for square in self.world.cave.squares if square not in self.seen and self.known.is_safe(square)]

    def open(self) -> list[Square]:
        """The squares beside those entered of which neither safety nor a certain danger is proven, in order."""
        known = self.known
        deadly = known.pits | ({known.wumpus} if known.wumpus and known.wumpus_alive else set())
        return [square for square in known.frontier() if not known.is_safe(square) and square not in deadly]

    def thoughts(self, *, concluded: bool) -> Thoughts:
        """For pictures: the squares entered, and if asked for what is `concluded` about the others."""
        at, heading = self.state.at, self.state.heading
        if not concluded:
            return Thoughts(at, heading, self.seen)
        wumpus = {self.known.wumpus: 1.0} if self.known.wumpus else {}
        pits = dict.fromkeys(self.known.pits, 1.0)
        return Thoughts(at, heading, self.seen, frozenset(self.safe()), pits, wumpus, proofs=self.proofs)


def play_actions(world: World, actions: Sequence[int]) -> Visit:
    """The visit after these actions; `BadOption` if they go on after its end."""
    state = start(world)
    before: State | None = None
    action: int | None = None
    percept = perceive(world, state)
    known = Knowledge(world.cave)
    known.tell(state.at, percept)
    proofs, seen = list(known.proofs), {state.at}
    for number, action in enumerate(actions, 1):
        if state.ended or state.steps >= world.cave.most_steps:
            raise BadOption(f"the visit was over before its action {number}; begin another one")
        before = state
        state, percept, _ = step(world, state, action)
        seen.add(state.at)
        if state.alive:  # the dead conclude nothing
            if action == SHOOT and before.has_arrow:
                known.proofs = []
                (known.tell_hit if percept.scream else known.tell_missed)(state.at, state.heading)
                proofs += known.proofs
            known.tell(state.at, percept)
            proofs += known.proofs
    return Visit(world, state, percept, frozenset(seen), known, tuple(proofs), before, action)
