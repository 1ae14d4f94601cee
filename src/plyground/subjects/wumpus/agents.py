"""Agents for the Wumpus world. An agent is made with the rules of the cave and is given percepts, nothing else.

    >>> from plyground.subjects.wumpus.world import Cave, make_world
    >>> record = explore(make_world(seed=52), make_agent("probabilistic", Cave()))
    >>> record.final.score > 0
    True

- `random` takes any action.
- `search` is an online depth-first search: on to a neighbour not seen before, back when there is none. It goes on only
  from squares where it perceives neither breeze nor stench.
- `lrta` is LRTA* (Korf 1990): to the neighbour that seems nearest to the gold, learning better estimates on the way.
- `logical` goes to squares that are proven safe, and shoots where the wumpus is proven to be.
- `probabilistic` computes exact probabilities and does what promises the highest score: it takes risks that pay, shoots
  when that pays, and goes home when nothing does.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from plyground.errors import UnknownName, suggestion
from plyground.native.randomness import Stream, random_below, stream
from plyground.subjects.wumpus.knowledge import Knowledge, Proof
from plyground.subjects.wumpus.world import (
    ACTIONS,
    CLIMB,
    DEATH,
    EAST,
    ENTRANCE,
    FORWARD,
    GOLD,
    GRAB,
    LEFT,
    MOVES,
    RIGHT,
    SHOOT,
    Cave,
    Percept,
    Square,
    State,
    World,
    ahead,
    neighbours,
    perceive,
    start,
    step,
)  # fmt: skip

__all__ = ["AGENTS", "Agent", "Record", "Thoughts", "Turn", "Walker", "explore", "make_agent"]


@dataclass(frozen=True)
class Thoughts:
    """What an agent thinks when it acts, for those who watch. Squares that it knows nothing of are left out."""

    at: Square
    heading: int
    visited: frozenset[Square]
    safe: frozenset[Square] = frozenset()
    pits: dict[Square, float] = field(default_factory=dict)
    wumpus: dict[Square, float] = field(default_factory=dict)
    estimates: dict[Square, float] = field(default_factory=dict)
    plan: tuple[Square, ...] = ()
    intention: str = ""
    target: Square | None = None
    expected: float | None = None
    proofs: tuple[Proof, ...] = ()


class Agent(Protocol):
    """What acts on percepts. It never meets a world, so it cannot look at the map."""

    def act(self, percept: Percept) -> int:
        """The next action, after this percept; the first percept is that of the entrance."""
        ...

    def thoughts(self) -> Thoughts:
        """What it thought when it acted last."""
        ...


class Walker:
    """An agent that knows where it is: it counts its own steps, and a bump tells it that it did not move."""

    def __init__(self, cave: Cave, seed: int = 0) -> None:
        self.cave = cave
        self.at, self.heading = ENTRANCE, EAST
        self.has_arrow, self.has_gold, self.wumpus_alive = True, False, True
        self.visited: set[Square] = set()
        self.last: int | None = None
        self.expects_gold = False
        self.rng: Stream = stream(seed, 0xA6E)
        self._thoughts = Thoughts(self.at, self.heading, frozenset())

    def act(self, percept: Percept) -> int:
        if self.last == FORWARD and not percept.bump:
            self.at = ahead(self.cave, self.at, self.heading)[0]
        elif self.last in (LEFT, RIGHT):
            self.heading = (self.heading + (1 if self.last == LEFT else 3)) % 4
        elif self.last == GRAB and self.expects_gold:
            self.has_gold = True
        elif self.last == SHOOT:
            self.has_arrow = False
            self.wumpus_alive = self.wumpus_alive and not percept.scream
        self.expects_gold = percept.glitter
        self.visited.add(self.at)
        self.learn(percept)
        self.last = self.choose(percept)
        return self.last

    def learn(self, percept: Percept) -> None:
        """Take in a percept; where the agent is has been brought up to date."""

    def choose(self, percept: Percept) -> int:
        """The next action."""
        raise NotImplementedError

    def thoughts(self) -> Thoughts:
        return self._thoughts

    def think(self, intention: str, plan: tuple[Square, ...] = (), **more: Any) -> None:
        """Note what is thought."""
        been = frozenset(self.visited)
        self._thoughts = Thoughts(self.at, self.heading, been, intention=intention, plan=plan, **more)

    def face(self, square: Square) -> int | None:
        """The turn towards a square in the same row or column; None if it is faced already."""
        (x, y), (a, b) = self.at, square
        wanted = (0 if a > x else 2) if b == y else (1 if b > y else 3)
        if wanted == self.heading:
            return None
        return RIGHT if (self.heading - wanted) % 4 == 1 else LEFT

    def towards(self, square: Square) -> int:
        """The action that leads to a neighbouring square: a turn, or a step."""
        turn = self.face(square)
        return FORWARD if turn is None else turn

    def costs(self, allowed: Callable[[Square], bool]) -> dict[Square, int]:
        """How many actions it takes to reach each square over allowed ones (Dijkstra 1959); `way` has the ways.

        A square that is not allowed can be the end of a way, not its middle.
        """
        best: dict[tuple[Square, int], int] = {(self.at, self.heading): 0}
        before: dict[tuple[Square, int], tuple[Square, int]] = {}
        found: dict[Square, int] = {}
        ends: dict[Square, int] = {}
        heap = [(0, self.at, self.heading)]
        while heap:
            cost, square, heading = heapq.heappop(heap)
            if cost > best[square, heading]:
                continue
            if square not in found:
                found[square], ends[square] = cost, heading
            if square != self.at and not allowed(square):
                continue
            for direction, (dx, dy) in enumerate(MOVES):
                x, y = square[0] + dx, square[1] + dy
                if 1 <= x <= self.cave.width and 1 <= y <= self.cave.height:
                    turns = min((direction - heading) % 4, (heading - direction) % 4)
                    key, total = ((x, y), direction), cost + turns + 1
                    if total < best.get(key, 1 << 30):
                        best[key] = total
                        before[key] = (square, heading)
                        heapq.heappush(heap, (total, (x, y), direction))
        self._ends, self._before = ends, before
        return found

    def way(self, square: Square) -> tuple[Square, ...]:
        """The squares of the cheapest way that `costs` found, the last one included."""
        key = (square, self._ends[square])
        found = [square]
        while key in self._before:
            key = self._before[key]
            if key[0] != found[-1]:
                found.append(key[0])
        return tuple(reversed(found[:-1]))

    def follow(self, intention: str, way: tuple[Square, ...], **more: object) -> int:
        """The action that leads to the first square of a way; the last one is the target, unless another is named."""
        self.think(intention, way, **{"target": way[-1], **more})
        return self.towards(way[0])

    def go_home(self) -> int:
        """Over visited squares to the entrance, and out."""
        if self.at == ENTRANCE:
            self.think("climb")
            return CLIMB
        self.costs(lambda square: square in self.visited)
        return self.follow("home", self.way(ENTRANCE))


class RandomAgent(Walker):
    """Any action, all alike."""

    def choose(self, percept: Percept) -> int:
        self.think("random")
        return random_below(self.rng, len(ACTIONS))


class _Seeker(Walker):
    """An agent that seeks the gold, grabs it where it glitters, and goes home with it."""

    def choose(self, percept: Percept) -> int:
        if percept.glitter and not self.has_gold:
            self.think("grab")
            return GRAB
        return self.go_home() if self.has_gold else self.seek(percept)

    def seek(self, percept: Percept) -> int:
        """The next action on the way to the gold."""
        raise NotImplementedError


class SearchAgent(_Seeker):
    """Online depth-first search over squares that nothing warns of (Russell and Norvig, ONLINE-DFS-AGENT)."""

    def __init__(self, cave: Cave, seed: int = 0) -> None:
        super().__init__(cave, seed)
        self.untried: dict[Square, list[Square]] = {}
        self.back: list[Square] = []
        self.expected: Square | None = None

    def seek(self, percept: Percept) -> int:
        if self.expected is not None and self.expected != self.at:  # still turning towards it
            return self.follow("search" if self.expected not in self.visited else "back", (self.expected,))
        if self.at not in self.untried:
            warned = percept.breeze or (percept.stench and self.wumpus_alive)
            order = list(neighbours(self.cave, self.at))
            for k in range(len(order) - 1, 0, -1):
                other = random_below(self.rng, k + 1)
                order[k], order[other] = order[other], order[k]
            self.untried[self.at] = [] if warned else order
        while self.untried[self.at]:
            square = self.untried[self.at].pop()
            if square not in self.visited:
                self.back.append(self.at)
                self.expected = square
                return self.follow("search", (square,))
        if not self.back:
            return self.go_home()
        self.expected = self.back.pop()
        return self.follow("back", (self.expected,))


class LrtaAgent(_Seeker):
    """LRTA* over squares that nothing warns of, until its estimates say that there is no gold to be had."""

    def __init__(self, cave: Cave, seed: int = 0) -> None:
        super().__init__(cave, seed)
        self.estimate: dict[Square, float] = {}
        self.expected: Square | None = None
        self.clear: set[Square] = {ENTRANCE}
        """Squares that can be entered without danger: those beside a square where nothing was perceived."""

    def learn(self, percept: Percept) -> None:
        self.clear.add(self.at)
        if not percept.breeze and not (percept.stench and self.wumpus_alive):
            self.clear |= set(neighbours(self.cave, self.at))

    def seek(self, percept: Percept) -> int:
        if self.expected is not None and self.expected != self.at:
            return self.follow("search", (self.expected,), estimates=dict(self.estimate))
        options = [square for square in neighbours(self.cave, self.at) if square in self.clear]
        # What was never seen may be next to the gold; a square seen before is at least a step from a new one.
        scores = {
            square: 1.0 + self.estimate.get(square, 0.0 if square not in self.visited else 1.0) for square in options
        }
        hopeless = len(self.visited) + 1.0  # no way over so few squares is longer
        if not scores:
            return self.go_home()
        least = min(scores.values())
        self.estimate[self.at] = max(self.estimate.get(self.at, 0.0), least)
        if least > hopeless or not self.clear - self.visited:
            return self.go_home()
        best = [square for square in options if scores[square] == least]
        self.expected = best[random_below(self.rng, len(best))]
        return self.follow("search", (self.expected,), estimates=dict(self.estimate))


class LogicalAgent(_Seeker):
    """Only to squares that are proven safe; shoots if the wumpus is proven to be somewhere that matters."""

    def __init__(self, cave: Cave, seed: int = 0) -> None:
        super().__init__(cave, seed)
        self.known = Knowledge(cave)

    def learn(self, percept: Percept) -> None:
        if self.last == SHOOT:
            (self.known.tell_hit if percept.scream else self.known.tell_missed)(self.at, self.heading)
            proofs = self.known.proofs
            self.known.tell(self.at, percept)
            self.known.proofs = proofs + self.known.proofs
        else:
            self.known.tell(self.at, percept)

    def think(self, intention: str, plan: tuple[Square, ...] = (), **more: object) -> None:
        unvisited = [square for square in self.cave.squares if square not in self.visited]
        safe, proofs = frozenset(filter(self.known.is_safe, unvisited)), tuple(self.known.proofs)
        super().think(intention, plan, safe=safe, proofs=proofs, **self.beliefs(unvisited), **more)

    def beliefs(self, unvisited: list[Square]) -> dict[str, dict[Square, float]]:
        """How likely the pits and the wumpus are in squares: here those where it is certain."""
        wumpus = {self.known.wumpus: 1.0} if self.known.wumpus else {}
        return {"pits": dict.fromkeys(self.known.pits, 1.0), "wumpus": wumpus}

    def passable(self, square: Square) -> bool:
        """Whether a way may lead through this square."""
        return square in self.visited or self.known.is_safe(square)

    def seek(self, percept: Percept) -> int:
        costs = self.costs(self.passable)
        safe = [square for square in self.known.frontier() if self.known.is_safe(square) and square in costs]
        if safe:
            return self.follow("safe", self.way(min(safe, key=lambda square: (costs[square], square))))
        return self.beyond_safety(costs)

    def beyond_safety(self, costs: dict[Square, int]) -> int:
        """No safe square is left to visit."""
        wumpus = self.known.wumpus
        if wumpus is not None and self.has_arrow and self.known.wumpus_alive and wumpus in self.known.no_pit:
            return self.shoot_at(wumpus, costs) or self.go_home()
        return self.go_home()

    def shot_cost(self, target: Square, costs: dict[Square, int]) -> tuple[int, Square] | None:
        """The fewest actions before an arrow flies at the target, about, and from where; None if it cannot."""
        in_line = (square for square in self.visited if (square[0] == target[0]) != (square[1] == target[1]))
        stands = [square for square in in_line if square in costs]
        return min(((costs[square] + (2 if square != self.at else 1), square) for square in stands), default=None)

    def shoot_at(self, target: Square, costs: dict[Square, int], **more: object) -> int | None:
        """An action that leads to a shot at the target; None if none does."""
        cost = self.shot_cost(target, costs)
        if cost is None:
            return None
        stand = cost[1]
        if stand != self.at:
            return self.follow("shoot", self.way(stand), target=target, **more)
        self.think("shoot", (), target=target, **more)
        turn = self.face(target)
        return SHOOT if turn is None else turn


class ProbabilisticAgent(LogicalAgent):
    """Safe squares first; then whatever has the highest expected score: a risk, a shot, or the way home."""

    HOPE = 0.36
    """What the search is worth after a risk survived, in parts of the gold, before much has been seen; the more has
    been seen, the less is left to hope for. Chosen by the mean score over many worlds of 4x4 squares."""

    def beliefs(self, unvisited: list[Square]) -> dict[str, dict[Square, float]]:
        known = self.known
        return {
            "pits": {square: known.pit_probability(square) for square in unvisited},
            "wumpus": {square: known.wumpus_probability(square) for square in known.suspects},
        }

    def promise(self, square: Square, danger: float, cost: float) -> float:
        """The expected score of entering a square: it is deadly, or the gold is there, or the search goes on."""
        gold = self.known.gold_probability(square)
        seen = (len(self.visited) - 1) / (self.cave.width * self.cave.height - 1)
        hope = self.HOPE * (1.0 - seen * seen)
        home = abs(square[0] - 1) + abs(square[1] - 1)
        return danger * DEATH + (1.0 - danger) * ((gold + (1.0 - gold) * hope) * GOLD - home) - cost

    def beyond_safety(self, costs: dict[Square, int]) -> int:
        known = self.known
        home = -float(costs.get(ENTRANCE, 0) + 1)
        best: tuple[float, str, Square | None] = (home, "home", None)
        armed = self.has_arrow and known.wumpus_alive
        for square in known.frontier():
            if square not in costs:
                continue
            best = max(best, (self.promise(square, known.danger(square), costs[square]), "risk", square), key=_worth)
            if armed and known.wumpus_probability(square) > 0.0:
                shot = self.shot_cost(square, costs)
                if shot is not None:
                    # Hit or missed, the square is free of the wumpus afterwards.
                    cost = shot[0] + 11 + (0 if shot[1] in neighbours(self.cave, square) else 2) + 1
                    best = max(
                        best, (self.promise(square, known.pit_probability(square), cost), "shoot", square), key=_worth
                    )
        value, what, target = best
        if target is None:
            return self.go_home()
        if what == "shoot":
            action = self.shoot_at(target, costs, expected=value)
            if action is not None:
                return action
        return self.follow("risk", self.way(target), expected=value)


def _worth(option: tuple[float, str, Square | None]) -> float:
    return option[0]


AGENTS: dict[str, Callable[[Cave, int], Agent]] = {
    "random": RandomAgent,
    "search": SearchAgent,
    "lrta": LrtaAgent,
    "logical": LogicalAgent,
    "probabilistic": ProbabilisticAgent,
}


def make_agent(name: str, cave: Cave, seed: int = 0) -> Agent:
    """The agent of that name. It knows the rules of the cave, never what is in it."""
    if name not in AGENTS:
        raise UnknownName(f"there is no agent '{name}'{suggestion(name, AGENTS)}")
    return AGENTS[name](cave, seed)


class Turn(NamedTuple):
    """One action: the state and percept before it, what the agent thought, and the reward."""

    state: State
    percept: Percept
    action: int
    reward: int
    thoughts: Thoughts


@dataclass(frozen=True)
class Record:
    """One visit to a cave, and its turns if they were asked for."""

    world: World
    final: State
    turns: tuple[Turn, ...] = ()


def explore(world: World, agent: Agent, *, keep_turns: bool = False) -> Record:
    """Let an agent act until it is over. It is handed percepts, one after the other."""
    state = start(world)
    percept = perceive(world, state)
    turns = []
    while not state.ended and state.steps < world.cave.most_steps:
        action = agent.act(percept)
        after, seen, reward = step(world, state, action)
        if keep_turns:
            turns.append(Turn(state, percept, action, reward, agent.thoughts()))
        state, percept = after, seen
    return Record(world, state, tuple(turns))
