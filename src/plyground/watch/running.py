"""From the events of a search to what its program does: the lines that run at each step, and the variables after it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plyground.core.recording import Event, SimulationEvent
from plyground.core.rules import CHANCE, action_text, probability
from plyground.pictures.program import Program, Ran
from plyground.watch.programs import SEARCH_VARIABLES, SIMULATION_VARIABLES, Written
from plyground.watch.search_numbers import SearchNumbers
from plyground.watch.search_tree import Place, SearchTree
from plyground.watch.simulation_numbers import SimulationNumbers, complement, trimmed

__all__ = ["SearchRunning", "SimulationRunning", "alternating"]


@dataclass
class Frame:
    """One call of a search: its own variables."""

    place: Place
    side: str
    depth: int | None
    alpha: float = -math.inf
    beta: float = math.inf
    best: float = 0.0
    chosen: int | None = None
    action: int | None = None
    child: float | None = None
    broken: bool = False
    """Whether the loop over the actions has ended early."""


class SearchRunning:
    """Follows a search that calls itself; each method is told of the events of one step, and answers what ran."""

    def __init__(
        self, written: Written | None, tree: SearchTree, numbers: SearchNumbers, player: int, depth: int | None
    ) -> None:
        self.written, self.tree, self.numbers, self.player, self.depth = written, tree, numbers, player, depth
        self.frames: list[Frame] = []

    @property
    def program(self) -> Program | None:
        return None if self.written is None else self.written.program

    def _ran(self, happened: Sequence[str], frame: Frame, returned: float | None = None) -> Ran | None:
        if self.written is None:
            return None
        place, text, chance = frame.place, self.numbers.text, frame.side == "chance"
        known: dict[str, str] = {
            "state": self.tree.name(place),
            "depth": "" if frame.depth is None else str(frame.depth),
            "returned": "" if returned is None else text(returned),
        }
        if frame.side:
            known["mean" if chance else "best"] = text(frame.best)
            known |= {"alpha": text(frame.alpha), "beta": text(frame.beta)} if self.windows else {}
            if frame.action is not None:
                known["outcome" if chance else "action"] = action_text(place.state, frame.action)
            if frame.child is not None:
                known["share" if chance else "child"] = text(frame.child)
            if frame.chosen is not None:
                known["chosen"] = action_text(place.state, frame.chosen)
        return self.written.ran(happened, (known.get(name, "") for name in SEARCH_VARIABLES))

    @property
    def windows(self) -> bool:
        """Whether the program has alpha and beta."""
        return self.written is not None and "again" in self.written.places[-1]

    def _called(self, place: Place) -> tuple[list[str], int | None]:
        """What happens when a node is called, and how deep it may look."""
        if not self.frames:
            return ["enter", "terminal?"], self.depth
        above = self.frames[-1]
        above.action, above.child = place.action, None
        depth = above.depth if above.depth is None or above.side == "chance" else above.depth - 1
        certain = ["chance.probability", "chance.impossible?"] if above.side == "chance" else []
        return [f"{above.side}.loop", *certain, f"{above.side}.call", "enter", "terminal?"], depth

    def enter(self, place: Place, window: Event | None) -> Ran | None:
        """A node is entered that is no leaf."""
        if self.written is None:
            return None
        happened, depth = self._called(place)
        side = "chance" if place.mover == CHANCE else "max" if place.mover == self.player else "min"
        frame = Frame(place, side, depth, best={"max": -math.inf, "min": math.inf, "chance": 0.0}[side])
        self._narrow(frame, window)
        self.frames.append(frame)
        asked = {"max": ["max?"], "min": ["max?", "min?"], "chance": ["max?", "min?"]}[side]
        happened += ["mover", "horizon?", "window", "options", "chance?", *asked, f"{side}.init"]
        return self._ran(happened, frame)

    def leaf(self, place: Place, event: Event) -> Ran | None:
        """A node is entered and left at once with its value."""
        if self.written is None:
            return None
        happened, depth = self._called(place)
        ends = ["utility", "ended", "ended.return"]
        if not place.ended:
            ends = ["mover", "horizon?", "evaluate", "horizon", "horizon.return"]
        return self._ran([*happened, *ends], Frame(place, "", depth), _number(event))

    def back_up(self, event: Event, window: Event | None) -> Ran | None:
        """A value has come back to the node."""
        if self.written is None:
            return None
        frame = self.frames[-1]
        side, value = frame.side, _number(event)
        frame.action, frame.child = event.action, value
        happened = [f"{side}.call", f"{side}.backed"]
        if side == "chance":
            frame.best += float(probability(frame.place.state, event.action)) * value
            return self._ran([*happened, "chance.add"], frame)
        happened.append(f"{side}.better?")
        if value > frame.best if side == "max" else value < frame.best:
            frame.best, frame.chosen = value, event.action
            happened.append(f"{side}.better")
        frame.broken = self.windows and window is None
        if window is not None:
            self._narrow(frame, window)
            happened += [f"{side}.cut?", "side?", f"{side}.raise", "again"]
        return self._ran(happened, frame)

    def skip(self, events: Sequence[Event]) -> Ran | None:
        """Outcomes that never come are left out."""
        if self.written is None:
            return None
        frame = self.frames[-1]
        frame.action, frame.child = events[-1].action, None
        one = ("loop", "probability", "impossible?", "skipped", "continue")
        return self._ran([f"chance.{what}" for what in one], frame)

    def leave(self, event: Event) -> Ran | None:
        """The node is done, perhaps by a cut."""
        if self.written is None:
            return None
        frame = self.frames.pop()
        side, value = frame.side, _number(event)
        ends = [f"{side}.cut?", f"{side}.cut", "cut.chose", "cut.return"]
        if not frame.broken:
            ends = [f"{side}.loop", f"{side}.chose", f"{side}.return"]
        frame.action, frame.child = None, None
        return self._ran(ends, frame, value)

    def end(self, root: Place, value: float) -> Ran | None:
        """The root has returned its value."""
        if self.written is None:
            return None
        side = "chance" if root.mover == CHANCE else "max" if root.mover == self.player else "min"
        return self._ran([f"{side}.return"], Frame(root, "", self.depth), value)

    def _narrow(self, frame: Frame, window: Event | None) -> None:
        if window is not None and window.alpha is not None and window.beta is not None:
            frame.alpha, frame.beta = window.alpha, window.beta


def _number(event: Event) -> float:
    assert isinstance(event.value, float)
    return event.value


# Monte Carlo --------------------------------------------------------------------------------------------------------


def alternating(events: Sequence[SimulationEvent], players: int) -> bool:
    """Whether each move was made by another player than the one before it, so that signs could be flipped.

    The root, which nobody has moved to, is left out.
    """
    if players != 2:
        return False
    below: SimulationEvent | None = None
    for event in events:
        if event.kind != "credited":
            below = None
        else:
            if below is not None and event.ply > 0 and below.player == event.player:
                return False
            below = event
    return True


class SimulationRunning:
    """Follows simulations; each method is told of one step, and answers what ran.

    `expanded` are the places in the tree whose children have theirs; `begun` says whether there was a root before.
    """

    def __init__(self, written: Written | None, numbers: SimulationNumbers, expanded: set[int], begun: bool) -> None:
        self.written, self.numbers, self.expanded = written, numbers, expanded
        self.before: list[str] = [] if begun else ["root"]
        """What has happened since the last step."""
        self.place = 0
        """Where the way down has come to."""
        self.inside = False
        """Whether the way down has ended at a node that is new, or playouts have begun."""
        self.each = False
        """Whether it has gone on to one of all the children of that node."""
        self.backing_up = False

    @property
    def program(self) -> Program | None:
        return None if self.written is None else self.written.program

    def _ran(self, happened: Sequence[str], **known: str) -> Ran | None:
        if self.written is None:
            return None
        happened, self.before = [*self.before, *happened], []
        known["given"] = trimmed(self.numbers.settings.exploration, 3)
        known.setdefault("constant", known["given"])
        return self.written.ran(happened, (known.get(name, "") for name in SIMULATION_VARIABLES))

    def _statistics(self, total: float, visits: int, player: int) -> dict[str, str]:
        told = self.numbers.seen(total, visits, player)
        return {"visits": f"{visits:,}", "total": trimmed(told), "negated": trimmed(total), "kept": trimmed(total)}

    def _flipped(self, total: float, visits: int) -> dict[str, str]:
        """What the root has after one flip more than moves were made: the other player's sum."""
        return {"negated": trimmed(complement(total, visits, self.numbers.variant))}

    def start(self) -> None:
        """A simulation starts."""
        self.before += ["simulation", "select", "select.start"]
        self.inside = self.each = self.backing_up = False

    def descend(
        self, node: str, parent: int, place: int, statistics: tuple[float, int], player: int, *, fresh: bool,
        chance: bool, scores: Mapping[int, SimulationEvent], bound: str,
    ) -> Ran | None:  # fmt: skip
        """The way goes on to a child: by its bound, by chance, or because it was never tried.

        Below a new node it is one of all its children, each of which has a playout.
        """
        known = self._statistics(*statistics, player)
        self.place = place
        opened = []
        if parent not in self.expanded:
            self.expanded.add(parent)
            opened = [f"expand.{what}" for what in ("options", "loop", "other", "swap", "add")]
        if self.inside:
            added = ["all", "all.over", "all.expand", "all.loop", "all.add", *opened, "all.return"] if opened else []
            self.each = True
            return self._ran([*added, "each"], node=node, **known)
        happened = ["select.while", "chance?", "children?", *(["expand", *opened] if opened else [])]
        happened += ["highest", "bound.def", "highest.return", "bound.untried?"]
        happened += ["bound.share", "bound"] if scores else []
        happened += ["bound.untried"] if fresh else []
        if chance:
            happened += ["draw", "drawn?"]
        elif fresh:
            happened += ["untried?", "untried", "child.choose", "child.add", "child.return"]
        else:
            happened += ["untried?", "best", "bounds", "best.return"]
        happened += ["fresh?", *(["fresh", "fresh.return"] if fresh else [])]
        self.inside = fresh
        return self._ran(happened, node=node, bound=bound, **known)

    def play_out(self, node: str, moves: int, rewards: str, own: float, *, known: bool) -> Ran | None:
        """The game is played to its end; or its end is `known`, and nothing is played.

        `rewards` are those of all players, in words, and `own` is that of whoever moved to the node.
        """
        happened = [] if self.inside else ["select.over", "select.return"]
        happened += [] if self.each else ["all", "all.over", "each"]
        happened += ["again", "playout"]
        self.inside, self.backing_up = True, False
        if not known:
            happened += ["playout.actions", "playout.count", "playout.while"]
            happened += ["playout.move", "playout.next"] if moves else []
            happened.append("playout.return")
        return self._ran(happened, node=node, delta=rewards, opposite=trimmed(own, 3), reward=rewards)

    def credit(self, node: str, event: SimulationEvent) -> Ran | None:
        """A node on the way up gets its reward."""
        happened = [] if self.backing_up else ["backup"]
        self.backing_up = True
        player, numbers = event.player, self.numbers
        statistics = self._statistics(event.total, event.visits, player)
        own = trimmed(event.reward, 3)
        statistics |= {"delta": trimmed(numbers.seen(event.reward, 1, player), 3), "opposite": own, "reward": own}
        if event.ply == 0:
            statistics |= self._flipped(event.total, event.visits)
            statistics["opposite"] = trimmed(complement(event.reward, 1, numbers.variant), 3)
        return self._ran([*happened, "credit", "visits", "total", "flip", "parent"], node=node, **statistics)

    def prove(self, node: str, place: int) -> Ran | None:
        """A node is solved, because its end is known or by what is below it."""
        at_once = self.numbers.variant.expand_all and place == self.place
        return self._ran(["prove" if at_once else "solve"], node=node)

    def answer(self, root: str, statistics: tuple[float, int], player: int) -> Ran | None:
        """The simulations are over, and the best child of the root is asked for, without exploration."""
        known = self._statistics(*statistics, player) | self._flipped(*statistics) | {"node": root}
        if not self.numbers.bare:
            return self._ran(["simulation", "answer"], **known)
        return self._ran(["simulation", "bounds", "best.return", "answer"], constant="0", **known)
