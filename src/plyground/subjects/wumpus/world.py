"""The Wumpus world: a cave of rooms with pits, a beast and gold, which an agent knows only by its percepts.

    >>> world = make_world(seed=4)
    >>> state = start(world)
    >>> state, percept, reward = step(world, state, FORWARD)
    >>> percept.breeze, reward
    (False, -1)

The rooms are squares (x, y), x from 1 to the width and y from 1 to the height; the agent enters at (1, 1), facing east.
Each other square has a pit with a given probability; the wumpus and the gold are each in any of them, all alike, a pit
or not.

*Percepts.* A stench in the wumpus's square and beside it, dead or alive; a breeze beside a pit; glitter in the square
of the gold; a bump after walking into a wall; a scream after the wumpus was killed. *Actions.* Turn left, turn right,
forward, grab, release, shoot the one arrow in the direction faced (it flies until it hits the wumpus or a wall), and
climb, which leaves the cave from (1, 1) and does nothing elsewhere. *Score.* +1000 for the gold when it is grabbed
(-1000 when it is released), -1000 for dying in a pit or by the living wumpus, -1 for every action, -10 for the arrow.
It is over when the agent is dead or out, or after `most_steps` actions.

Russell and Norvig, "Artificial Intelligence: A Modern Approach"; after Gregory Yob, "Hunt the Wumpus", 1973.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from plyground.errors import BadOption
from plyground.native.randomness import random_below, random_unit, stream

__all__ = [
    "ACTIONS", "CLIMB", "FORWARD", "GRAB", "LEFT", "RELEASE", "RIGHT", "SHOOT", "Cave", "Percept", "Square", "State",
    "World", "ahead", "cave_text", "is_solvable", "make_world", "neighbours", "perceive", "start", "step",
]  # fmt: skip

ACTIONS = ("left", "right", "forward", "grab", "release", "shoot", "climb")
LEFT, RIGHT, FORWARD, GRAB, RELEASE, SHOOT, CLIMB = range(7)
EAST, NORTH, WEST, SOUTH = range(4)
MOVES = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""What a step forward adds to x and y, facing east, north, west, south."""
ENTRANCE = (1, 1)
GOLD, DEATH, ACTION, ARROW = 1000, -1000, -1, -10
MOST_SIDE = 40

Square = tuple[int, int]


class Percept(NamedTuple):
    """All that an agent is ever given."""

    stench: bool
    breeze: bool
    glitter: bool
    bump: bool
    scream: bool


@dataclass(frozen=True)
class Cave:
    """The rules that everybody knows, agents too: the size, how likely pits are, and how many actions there are."""

    width: int = 4
    height: int = 4
    pit_probability: float = 0.2
    most_steps: int = 0

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MOST_SIDE and 1 <= self.height <= MOST_SIDE) or self.width * self.height < 2:
            raise BadOption(
                f"a cave has 1 to {MOST_SIDE} squares each way and at least 2 in all, not {self.width}x{self.height}"
            )
        if not 0 <= self.pit_probability <= 1:
            raise BadOption(f"the probability of a pit is from 0 to 1, not {self.pit_probability:g}")
        if self.most_steps < 0:
            raise BadOption(f"the number of actions cannot be negative, as {self.most_steps} is")
        if self.most_steps == 0:
            object.__setattr__(self, "most_steps", 20 * self.width * self.height)

    @property
    def squares(self) -> list[Square]:
        """All squares, row by row from below."""
        return [(x, y) for y in range(1, self.height + 1) for x in range(1, self.width + 1)]


USUAL = Cave()


@dataclass(frozen=True)
class World:
    """A cave and what is in it, which no agent sees."""

    cave: Cave
    pits: frozenset[Square]
    wumpus: Square
    gold: Square

    def __post_init__(self) -> None:
        inside = set(self.cave.squares)
        for what, squares in (("pit", self.pits), ("wumpus", {self.wumpus}), ("gold", {self.gold})):
            for square in squares:
                if square not in inside:
                    last = (self.cave.width, self.cave.height)
                    raise BadOption(f"{what} at {square}: the cave has squares {ENTRANCE} to {last}")
        if ENTRANCE in self.pits or self.wumpus == ENTRANCE:
            raise BadOption("the entrance (1, 1) has neither a pit nor the wumpus")


class State(NamedTuple):
    """How things stand. `score` is the sum of all rewards."""

    at: Square = ENTRANCE
    heading: int = EAST
    has_arrow: bool = True
    has_gold: bool = False
    gold: Square | None = None
    wumpus_alive: bool = True
    alive: bool = True
    out: bool = False
    steps: int = 0
    score: int = 0

    @property
    def ended(self) -> bool:
        """Whether the agent is dead or out; `step` also ends after the last action."""
        return self.out or not self.alive


@cache
def neighbours(cave: Cave, square: Square) -> tuple[Square, ...]:
    """The squares beside this one."""
    x, y = square
    beside = [(x + dx, y + dy) for dx, dy in MOVES]
    return tuple((a, b) for a, b in beside if 1 <= a <= cave.width and 1 <= b <= cave.height)


def ahead(cave: Cave, square: Square, heading: int) -> list[Square]:
    """The squares in front, up to the wall, nearest first: the way of the arrow."""
    (x, y), (dx, dy) = square, MOVES[heading]
    found = []
    while 1 <= x + dx <= cave.width and 1 <= y + dy <= cave.height:
        x, y = x + dx, y + dy
        found.append((x, y))
    return found


def make_world(cave: Cave = USUAL, *, seed: int = 0, solvable: bool = False) -> World:
    """The world of a seed. With `solvable`, the first of its kind in which the gold can be reached without danger."""
    rng = stream(seed, 0x3A3B)
    squares = [square for square in cave.squares if square != ENTRANCE]
    for _ in range(10_000):
        pits = frozenset(square for square in squares if random_unit(rng) < cave.pit_probability)
        world = World(cave, pits, squares[random_below(rng, len(squares))], squares[random_below(rng, len(squares))])
        if not solvable or is_solvable(world):
            return world
    raise BadOption("no world of this kind has gold that can be reached; let pits be less likely")


def is_solvable(world: World) -> bool:
    """Whether a way leads from the entrance to the gold that meets neither a pit nor the wumpus."""
    reached, waiting = {ENTRANCE}, [ENTRANCE]
    while waiting:
        for square in neighbours(world.cave, waiting.pop()):
            if square not in reached and square not in world.pits and square != world.wumpus:
                reached.add(square)
                waiting.append(square)
    return world.gold in reached


def start(world: World) -> State:
    """The state before the first action."""
    return State(gold=world.gold)


def perceive(world: World, state: State, *, bump: bool = False, scream: bool = False) -> Percept:
    """What an agent perceives where it stands."""
    beside = neighbours(world.cave, state.at)
    stench, breeze = world.wumpus in (state.at, *beside), any(square in world.pits for square in beside)
    return Percept(stench, breeze, glitter=state.gold == state.at, bump=bump, scream=scream)


def step(world: World, state: State, action: int) -> tuple[State, Percept, int]:
    """The state after an action, what the agent perceives then, and the reward."""
    if not (isinstance(action, int) and 0 <= action < len(ACTIONS)):
        raise BadOption(f"there is no action {action!r}; they are 0 to {len(ACTIONS) - 1}: {', '.join(ACTIONS)}")
    if state.ended or state.steps >= world.cave.most_steps:
        raise BadOption("it is over; begin again")
    reward, bump, scream = ACTION, False, False
    if action in (LEFT, RIGHT):
        state = state._replace(heading=(state.heading + (1 if action == LEFT else 3)) % 4)
    elif action == FORWARD:
        way = ahead(world.cave, state.at, state.heading)
        bump = not way
        if way:
            alive = way[0] not in world.pits and not (state.wumpus_alive and way[0] == world.wumpus)
            state = state._replace(at=way[0], alive=alive)
            reward += 0 if alive else DEATH
    elif action == GRAB and state.gold == state.at:
        state = state._replace(has_gold=True, gold=None)
        reward += GOLD
    elif action == RELEASE and state.has_gold:
        state = state._replace(has_gold=False, gold=state.at)
        reward -= GOLD
    elif action == SHOOT and state.has_arrow:
        scream = state.wumpus_alive and world.wumpus in ahead(world.cave, state.at, state.heading)
        state = state._replace(has_arrow=False, wumpus_alive=state.wumpus_alive and not scream)
        reward += ARROW
    elif action == CLIMB and state.at == ENTRANCE:
        state = state._replace(out=True)
    state = state._replace(steps=state.steps + 1, score=state.score + reward)
    return state, perceive(world, state, bump=bump, scream=scream), reward


def cave_text(world: World, state: State) -> str:
    """Letters for what is in each square: Pit, Wumpus, Gold, and @ for the agent."""
    rows = []
    for y in range(world.cave.height, 0, -1):
        cells = []
        for x in range(1, world.cave.width + 1):
            square = (x, y)
            letters = "P" * (square in world.pits) + "W" * (square == world.wumpus) + "G" * (square == world.gold)
            cells.append((letters + "@" * (square == state.at and not state.out) or ".").ljust(3))
        rows.append(f"{y:>2}  {' '.join(cells)}".rstrip())
    rows.append("    " + " ".join(f"{x:<3}" for x in range(1, world.cave.width + 1)).rstrip())
    return "\n".join(rows)
