"""UCT: every simulation of a student's search beside what the rules of selection, expansion and backup say.

Right programs differ in whose rewards a node counts, in the numbers for a win and a loss, in the constant of the bound,
and in how they use up random numbers. So nothing is prescribed: each of these conventions is a reading of the program,
and the program is right if one reading fits all that it did. Where the last right reading breaks off is the first
difference. Known mistakes are readings too: if one of them fits everything, it is suggested as the cause, and the
difference is where the program with that mistake mended would have done something else.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from plyground.course.find_the_bug.difference import Difference
from plyground.course.find_the_bug.observing import Observed
from plyground.course.find_the_bug.tasks import Positions

__all__ = ["Simulation", "compare_simulations", "simulations_of"]

NEAR = 1e-7
VIEWS = ("moved", "to_move", "next", "max", "first")
"""To whom the rewards at a node are: who moved there, who moves there, the other one than moved there, who may have to
pass, MAX, or whoever moves at the root."""


@dataclass
class Count:
    """The numbers of a node."""

    visits: float = 0.0
    total: float = 0.0


@dataclass
class Simulation:
    """One simulation: the places whose visits were counted, from the root down, and what was added to their totals.

    `before` are the numbers of all nodes when it began; `end` is where its playout ended.
    """

    number: int
    before: dict[int, Count]
    inner: dict[int, float] = field(default_factory=dict)
    """Visits of nodes that stand for a pass, by the position: the node above them has the same one."""
    path: list[int] = field(default_factory=list)
    added: dict[int, float] = field(default_factory=dict)
    end: int | None = None
    stop: int | None = None
    """Where discs were counted last, which is no end of a game."""
    passed: set[int] = field(default_factory=set)
    """Positions at which a node that stands for a pass was counted."""
    moment: int = 0


class _Found(Exception):
    def __init__(self, kind: str, place: int, cause: str = "", **parts: Any) -> None:
        self.difference = Difference(kind, place, parts, cause)


# From events to simulations -----------------------------------------------------------------------------------------


def simulations_of(observed: Observed) -> list[Simulation]:
    """The simulations, as far as the program's nodes can be read; none if they cannot."""
    return _Tree(observed).simulations


class _Tree:
    """The nodes of the program, while it counts."""

    def __init__(self, observed: Observed) -> None:
        self.positions = observed.positions
        self.places: dict[int, int] = {}
        self.above: dict[int, int] = {}
        self.actions: dict[int, str] = {}
        self.counts: dict[int, Count] = {}
        """By the program's own numbers of its nodes."""
        self.simulations: list[Simulation] = []
        self.downwards = self._counts_downwards(observed.events)
        self.now = self._new()
        self.counted: list[int] = []
        self.added: dict[int, float] = {}
        self.end: int | None = None
        self.stop: int | None = None
        for moment, event in enumerate(observed.events):
            self._read(event, moment)
        if not observed.cut:  # in the middle of a simulation
            self._finish(len(observed.events))

    def _new(self) -> Simulation:
        known = {node: count for node, count in self.counts.items() if self._place(node) >= 0}
        before = {self._place(node): replace(count) for node, count in known.items() if not self._is_pass(node)}
        inner = {self._place(node): count.visits for node, count in known.items() if self._is_pass(node)}
        return Simulation(len(self.simulations) + 1, before, inner)

    def _is_pass(self, node: int) -> bool:
        """Whether a node stands for a pass where passes are no moves of their own."""
        above = self.above.get(node)
        return not self.positions.passes and above is not None and self._place(above) == self._place(node) >= 0

    def _place(self, node: int) -> int:
        """The position of a node; -1 if nothing tells which."""
        if node in self.places:
            return self.places[node]
        if node not in self.above:
            return 0 if node == min(self.counts, default=-1) else -1
        above, action = self._place(self.above[node]), self.actions.get(node)
        if above < 0 or action not in self.positions.facts[above]["actions"]:
            return -1
        self.places[node] = self.positions.after(above, self.positions.facts[above]["actions"].index(action))
        return self.places[node]

    def _counts_downwards(self, events: list[list[Any]]) -> bool:
        """Whether the first visit is counted before any game has come to its end."""
        for event in events:
            if event[0] in ("utility", "winner", "count") or (event[0] == "result" and event[2]):
                return False
            if event[0] == "set" and event[2] == "visits" and event[3] >= 1:
                return True
        return False

    def _read(self, event: list[Any], moment: int) -> None:
        match event:
            case ["set", node, "visits", value]:
                self._count(node, float(value), moment)
            case ["set", node, "total", value]:
                self._add(node, float(value), moment)
            case ["set", node, "state", place]:
                self.places[node] = place
            case ["set", node, "parent", above]:
                self.above[node] = above
            case ["set", node, "action", action]:
                self.actions[node] = action
            case ["actions" | "over", _]:
                self._goes_on(moment)
            case ["result", place, over]:
                self._goes_on(moment)
                self.end = place if over else self.end
            case ["utility", place]:
                self.end = place
            case ["winner" | "count", place]:
                self.stop = place

    def _goes_on(self, moment: int) -> None:
        """The game is asked something: what was counted before belongs to the simulation before."""
        if self.counted and not self.downwards:
            self._finish(moment)

    def _count(self, node: int, value: float, moment: int) -> None:
        if node not in self.counts:
            self.counts[node] = Count()
        before = self.counts[node].visits
        if value == before:
            return
        if node in self.counted or (self.downwards and self.counted and self._place(node) == 0):
            self._finish(moment)
        self.counted.append(node)
        self.counts[node].visits = value

    def _add(self, node: int, value: float, moment: int) -> None:
        if node not in self.counts:
            self.counts[node] = Count()
            self.counts[node].total = value
            return
        if value == self.counts[node].total:
            return
        if node in self.added and not self.downwards:
            self._finish(moment)
        self.added[node] = self.added.get(node, 0.0) + value - self.counts[node].total
        self.counts[node].total = value

    def _finish(self, moment: int) -> None:
        if self.counted:
            places = {self._place(node): node for node in self.counted if not self._is_pass(node)}
            simulation = self.now
            simulation.path = sorted(places, key=lambda place: (self.positions.ply(place) if place >= 0 else -1, place))
            simulation.added = {place: self.added.get(node, 0.0) for place, node in places.items()}
            simulation.end, simulation.stop, simulation.moment = self.end, self.stop, moment
            simulation.passed = {self._place(node) for node in self.counted if self._is_pass(node)}
            self.simulations.append(simulation)
        self.counted, self.added, self.end, self.stop = [], {}, None, None
        self.now = self._new()


# Readings -----------------------------------------------------------------------------------------------------------


SCALES: dict[str, Callable[[float, float, float], float]] = {
    "utility": lambda reward, low, high: reward,
    "sign": lambda reward, low, high: float((reward > 0) - (reward < 0)),
    "half": lambda reward, low, high: (reward > 0) + 0.5 * (reward == 0),
    "wins": lambda reward, low, high: float(reward > 0),
    "shifted": lambda reward, low, high: (reward + 1) / 2,
    "unit": lambda reward, low, high: (reward - low) / (high - low) if high > low else 0.0,
}
"""What a win, a draw and a loss count, from the utility and its range."""
MARGIN = "margin"
"""Rewards in proportion to the discs by which a game is won."""


@dataclass(frozen=True)
class Reading:
    """One convention.

    `view` is one of `VIEWS`, or, as a mistake, "leaf": who moved to the last node. `scale` is one of `SCALES`; `mean`
    says that nodes keep the mean reward. `log` is whose visits stand under the logarithm: the node's, its children's,
    or one more. `c` is the constant, None if it is unknown. The others are mistakes: `always` takes the highest mean
    whoever moves, `lowest` the lowest; with a constant that was `meant`, what is used is 0.
    """

    view: str = "moved"
    scale: str = "utility"
    mean: bool = False
    log: str = "node"
    c: float | None = None
    always: bool = False
    lowest: bool = False
    meant: float | None = None

    @property
    def mistake(self) -> str:
        """The name of the mistake, "" for a right reading."""
        if self.log == "root":
            return "root_visits"
        if self.log == "swapped":
            return "swapped_visits"
        if self.lowest:
            return "lowest"
        if self.meant is not None:
            return "no_exploration"
        if self.always:
            return "wrong_player" if self.view in ("to_move", "next") else "uct_sign"
        return ""

    @property
    def mended(self) -> Reading:
        """The same program without the mistake."""
        if self.always:
            return replace(self, always=False, view="moved")
        if self.meant is not None:
            return replace(self, c=self.meant, meant=None)
        return replace(self, log="node" if self.log in ("root", "swapped") else self.log, lowest=False)


class _Follower:
    """Goes through the simulations with one reading, until they contradict it."""

    def __init__(self, reading: Reading, positions: Positions, simulations: list[Simulation]) -> None:
        self.reading, self.positions, self.simulations = reading, positions, simulations
        self.low, self.high = (0.0, math.inf) if reading.c is None else (reading.c, reading.c)
        self.utilities = positions.task.game.utilities
        self.last = 0
        """The last node of the simulation."""
        self.factor: float | None = None
        """What a disc counts where rewards are margins; the first reward tells."""

    def first_difference(self) -> Difference | None:
        """Where the simulations leave this reading."""
        for simulation in self.simulations:
            try:
                for above, place in itertools.pairwise(simulation.path):
                    self._check_choice(simulation, above, place)
                self._check_backup(simulation)
            except _Found as found:
                return replace(found.difference, moment=simulation.number)
        return None

    def _check_choice(self, simulation: Simulation, above: int, place: int) -> None:
        children = self.positions.children(above)
        counts = {child: simulation.before.get(child, Count()) for child in children}
        if any(count.visits < 1 for count in counts.values()):
            return
        log = self._log(simulation, above, counts)
        bounds = {
            child: (self.mean(above, child, counts[child]), self._width(log, counts[child])) for child in children
        }
        chosen = bounds[place]
        for child, other in bounds.items():
            less, wider = other[0] - chosen[0], chosen[1] - other[1]
            if abs(wider) < 1e-12:
                if less > NEAR:
                    self._not_highest(simulation, above, place, child, bounds)
            elif wider > 0:
                self.low = max(self.low, (less - NEAR) / wider)
            else:
                self.high = min(self.high, (less - NEAR) / wider)
            if self.low > self.high + NEAR:
                self._not_highest(simulation, above, place, child, bounds)

    def _not_highest(
        self, simulation: Simulation, above: int, place: int, other: int, bounds: dict[int, tuple[float, float]]
    ) -> None:
        c = self.reading.c
        shown = c if c is not None else self.high if math.isfinite(self.high) else self.low
        scores = {child: mean + shown * width for child, (mean, width) in bounds.items()}
        best = other if c is None else max(scores, key=lambda child: scores[child])
        raise _Found(
            "choice", above, simulation=simulation.number, yours=self.positions.move(place), chosen=place,
            right=self.positions.move(best), scores={self.positions.move(one): score for one, score in scores.items()},
            known=c is not None, best=best, visits=simulation.before.get(above, Count()).visits,
            yours_score=scores[place], right_score=scores[best],
        )  # fmt: skip

    def _log(self, simulation: Simulation, above: int, counts: dict[int, Count]) -> float:
        visits = simulation.inner.get(above, simulation.before.get(above, Count()).visits)
        match self.reading.log:
            case "children":
                return sum(count.visits for count in counts.values())
            case "more":
                return visits + 1
            case "root":
                return simulation.before.get(0, Count()).visits
        return visits

    def _width(self, log: float, count: Count) -> float:
        if self.reading.log == "swapped":
            return math.sqrt(math.log(count.visits) / max(log, 1.0))
        return math.sqrt(math.log(max(log, 1.0)) / count.visits)

    def mean(self, above: int, child: int, count: Count) -> float:
        """The mean of a child to whoever chooses, as this reading has it."""
        mean = count.total if self.reading.mean else count.total / count.visits
        if self.reading.always:
            return mean
        if self.reading.lowest:
            return -mean
        mover = self.positions.facts[above]["mover"]
        seen_by = self._player(child)
        return mean if seen_by == mover else -mean

    def _player(self, place: int) -> int:
        """To whom the rewards at a node are."""
        facts, view = self.positions.facts, self.reading.view
        if view == "leaf":
            place = self.last
        if view == "max":
            return 0
        if view == "first":
            return int(facts[0]["mover"])
        if view == "to_move":
            return int(facts[place]["mover"])
        moved = int(facts[self.positions.above[place]]["mover"]) if place else int(facts[0]["mover"])
        return 1 - moved if view == "next" else moved

    def reward(self, place: int, end: int) -> float:
        """What a playout that ended there counts at a node."""
        utility = float(self.positions.facts[end]["utility"])
        if self.reading.scale == MARGIN:
            margin = float(self.positions.facts[end]["margin"]) * (self.factor or 1.0)
            return -margin if self._player(place) else margin
        return SCALES[self.reading.scale](-utility if self._player(place) else utility, *self.utilities)

    def _check_backup(self, simulation: Simulation) -> None:
        if simulation.end is None:
            return
        self.last = simulation.path[-1]
        for place in reversed(simulation.path):
            if place == 0:  # whose rewards the root counts never matters
                continue
            before = simulation.before.get(place, Count())
            reward, added = self.reward(place, simulation.end), simulation.added.get(place, 0.0)
            if self.reading.scale == MARGIN and self.factor is None and reward and added * reward > 0:
                self.factor = added / reward
                reward = added
            right = (reward - before.total) / (before.visits + 1) if self.reading.mean else reward
            if abs(added - right) > NEAR:
                raise _Found(
                    "backup", place, simulation=simulation.number, yours=added, right=right, mean=self.reading.mean,
                    end=self.positions.path(simulation.end), utility=self.positions.facts[simulation.end]["utility"],
                    player=self._player(place), total=before.total + added, right_total=before.total + right,
                    visits=before.visits + 1,
                )  # fmt: skip


def _readings(c: float | None, downwards: bool, margins: bool) -> Iterator[Reading]:
    """The right readings first, the most usual ones at the beginning; then those with a mistake."""
    constants = [None] if c is None else [c, c * math.sqrt(2.0)]
    logs = ["more", "node", "children"] if downwards else ["node", "children", "more"]
    for log, mean, view, scale, constant in itertools.product(logs, (False, True), VIEWS, SCALES, constants):
        yield Reading(view, scale, mean, log, constant)
    for log, view in itertools.product(logs, VIEWS if margins else ()):
        yield Reading(view, MARGIN, log=log)
    for mean, scale, constant in itertools.product((False, True), SCALES, constants):
        plain = Reading("moved", scale, mean, "node", constant)
        yield replace(plain, view="to_move", always=True)
        yield replace(plain, view="next", always=True)
        yield replace(plain, view="leaf", always=True)
        yield replace(plain, view="first", always=True)
        yield replace(plain, view="max", always=True)
        for view in VIEWS:
            yield replace(plain, view=view, log="root")
            yield replace(plain, view=view, log="swapped")
        yield replace(plain, lowest=True)
        if c:
            yield replace(plain, c=0.0, meant=constant)


# The comparison -----------------------------------------------------------------------------------------------------


def compare_simulations(observed: Observed) -> Difference | None:
    """The first difference between a program's simulations and those of a right one; None if there is none.

    Its `moment` is the number of the simulation; "opaque" is the kind if the program's nodes cannot be read.
    """
    tree = _Tree(observed)
    simulations, positions = tree.simulations, observed.positions
    if not simulations or any(place < 0 for place in simulations[0].path):
        return None if observed.failure is not None else Difference("opaque", 0)
    structural = _first_structural(simulations, positions, observed)
    fitting = simulations if structural is None else simulations[: structural.moment - 1]
    best: Difference | None = None
    right_fits, fitting_reading = False, Reading()
    mistaken: list[Reading] = []
    for reading in _readings(observed.c, tree.downwards, not positions.passes):
        if right_fits:
            break
        found = _Follower(reading, positions, fitting).first_difference()
        if reading.mistake:
            if found is None:
                mistaken.append(reading)
        elif found is None:
            right_fits, fitting_reading = True, reading
        elif best is None or (found.moment, found.kind == "backup") > (best.moment, best.kind == "backup"):
            best = found
    if right_fits:
        return structural or _wrong_move(observed, _Follower(fitting_reading, positions, simulations))
    for reading in mistaken:
        mended = _Follower(reading.mended, positions, fitting).first_difference()
        if mended is not None:
            return replace(mended, cause=reading.mistake)
    if not positions.passes:  # a player may count in a way of its own, which nobody here knows
        observed.remark = "rewards"
        return structural
    return best


def _first_structural(simulations: list[Simulation], positions: Positions, observed: Observed) -> Difference | None:
    turned = _wrong_colour(simulations, positions, observed)
    stops = [one.stop for one in simulations if one.end is None and one.stop is not None]
    at_passes = all(positions.facts[place]["passed"] for place in stops)
    for simulation in simulations:
        if turned is not None and simulation.number >= turned.moment:
            return turned
        try:
            _check_structure(simulation, positions, at_passes)
        except _Found as found:
            difference = replace(found.difference, moment=simulation.number)
            unknown = difference.place and difference.place not in simulation.before
            if not positions.passes and difference.kind in LOST and (unknown or observed.left is not None):
                return replace(difference, cause="no_copy")
            return difference
    if turned is not None:
        return turned
    if observed.left is not None:
        path = positions.path(observed.left) if observed.left >= 0 else []
        return Difference("changed", max(observed.left, 0), {"path": path}, "no_copy", moment=len(simulations) + 1)
    for event in observed.events:
        if event[0] == "illegal":
            parts = {"move": event[2], "path": positions.path(event[1])}
            return Difference("illegal", event[1], parts, "no_copy", moment=len(simulations) + 1)
    return None


LOST = ("playout", "lost", "uncounted", "twice")
"""What it looks like if all nodes have one board."""


def _wrong_colour(simulations: list[Simulation], positions: Positions, observed: Observed) -> Difference | None:
    """The first disc that was put for the player whose turn it is not."""
    for moment, event in enumerate(observed.events):
        if event[0] == "colour":
            number = sum(one.moment <= moment for one in simulations) + 1
            parts = {"simulation": number, "move": event[2], "yours": event[3]}
            parts["right"] = positions.facts[event[1]]["mover"]
            return Difference("colour", event[1], parts, "moved_twice", moment=number)
    return None


def _check_structure(simulation: Simulation, positions: Positions, at_passes: bool = True) -> None:
    """What is right in every reading: what is counted is one line, nothing untried is passed over, a game ends it."""
    number, path = simulation.number, simulation.path
    if path[0] != 0:
        if path[0] < 0:
            raise _Found("lost", 0, "no_copy", simulation=number)
        raise _Found("uncounted", _highest(path[0], positions), simulation=number, below=positions.path(path[0]))
    for above, place in itertools.pairwise(path):
        if positions.above[place] != above:
            if positions.ply(place) == positions.ply(above):
                raise _Found("twice", place, simulation=number)
            raise _Found("uncounted", positions.above[place], simulation=number, below=positions.path(place))
        visited = {child: simulation.before.get(child, Count()).visits for child in positions.children(above)}
        untried = [positions.move(child) for child, visits in visited.items() if visits < 1]
        if untried and visited[place] >= 1:
            raise _Found(
                "forgotten", above, "forgotten_action", simulation=number, moves=untried, move=positions.move(place),
                visits=visited[place],
            )  # fmt: skip
    last = path[-1]
    for place in path:
        after = simulation.before.get(place, Count()).visits
        if after < 0:
            raise _Found("uncounted", place, simulation=number, below=[])
    over, visits = positions.facts[last]["over"], simulation.before.get(last, Count()).visits
    if positions.passes:
        stuck = not over and visits >= 1
    else:  # a player may expand a node when it comes by for the second or third time
        stuck = not over and visits >= 1 and positions.facts[last]["passed"] and last not in simulation.passed
    if stuck:
        only_pass = not positions.passes or positions.facts[last]["actions"] == ["pass"]
        raise _Found(
            "stuck", last, "pass" if only_pass else "", simulation=number, moves=positions.facts[last]["actions"],
            visits=visits,
        )  # fmt: skip
    end = simulation.end
    if end is None and over:
        simulation.end = last
    elif end is None and not positions.passes:  # a player may judge a position before its end
        stop = simulation.stop
        if stop is not None and at_passes and positions.facts[stop]["passed"]:
            raise _Found("not_over", stop, "pass", simulation=number, moves=positions.facts[stop]["actions"])
    elif end is None:
        raise _Found("no_end", last, simulation=number)
    elif not positions.facts[end]["over"]:
        moves = positions.facts[end]["actions"]
        raise _Found("not_over", end, "pass" if moves == ["pass"] else "", simulation=number, moves=moves)
    elif positions.path(end)[: positions.ply(last)] != positions.path(last):
        raise _Found("playout", last, simulation=number, end=positions.path(end))


def _highest(place: int, positions: Positions) -> int:
    return place if positions.above[place] <= 0 else 0


def _wrong_move(observed: Observed, follower: _Follower) -> Difference | None:
    """Whether the move at the end is neither the most visited nor the one with the best mean."""
    positions, move = observed.positions, observed.move
    if observed.failure is not None or move is None or move not in positions.facts[0]["actions"]:
        return None
    last = follower.simulations[-1]
    counts = {place: replace(count) for place, count in last.before.items()}
    for place in last.path:
        count = counts.setdefault(place, Count())
        count.visits += 1
        count.total += last.added.get(place, 0.0)
    children = [child for child in positions.children(0) if counts.get(child, Count()).visits]
    most = max(children, key=lambda child: counts[child].visits)
    means = {child: follower.mean(0, child, counts[child]) for child in children}
    good = [child for child in children if counts[child].visits == counts[most].visits]
    good += [child for child in children if means[child] >= max(means.values()) - NEAR]
    if positions.after(0, positions.facts[0]["actions"].index(move)) in good:
        return None
    moment = len(follower.simulations) + 1
    return Difference("final_move", 0, {"yours": move, "right": positions.move(most)}, "", moment=moment)
