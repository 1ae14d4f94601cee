"""Minimax and alpha-beta inside an `AIPlayer` of Reversi, which looks as deep as it likes and judges as it likes.

What its leaves are worth is therefore taken as it is, and so is where it stops, but for one case: whoever has no move
passes, and the game goes on. Everything between the leaves and the root is compared as in `depth_first`. A pass is no
move of its own here, whether the program makes it one or not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from plyground.course.find_the_bug.depth_first import Found, Reading, Visit, best_reading, near
from plyground.course.find_the_bug.difference import Difference
from plyground.course.find_the_bug.observing import Observed

__all__ = ["compare_player_search"]


def compare_player_search(observed: Observed, algorithm: str, takes: Sequence[str]) -> Difference | None:
    """The first difference between a player's search and a right one; None if there is none, as far as one can see."""
    counts_up = "counts_up" in takes
    return best_reading(lambda form: _PlayerReading(observed, algorithm, form, counts_up).first_difference(), "", takes)


class _Beyond(Exception):
    """From here on nothing can be said: a search that looks at a position twice may have its reasons."""


class _PlayerReading(Reading):
    def __init__(self, observed: Observed, algorithm: str, form: str, counts_up: bool) -> None:
        super().__init__(observed, algorithm, form)
        self.depth, self.own = math.inf, True
        self.counts_up = counts_up
        calls = {event[1]: event for event in observed.events if event[0] == "call"}
        self.depths = {number: event[4]["depth"] for number, event in calls.items() if "depth" in event[4]}
        self.movers = {number: event[4]["mover"] for number, event in calls.items() if "mover" in event[4]}
        last = max if counts_up else min
        self.last_depth = last(self.depths.values(), default=None)
        self.passing: set[int] = set()
        """Calls for a pass, at the position of the call around them."""
        self.opened = self._opened()
        self.keys: set[int] = set()
        """Positions below which was searched before: a program may remember what they are worth."""

    def _opened(self) -> set[int]:
        """The plies at which some position was searched below."""
        line, found = [0], {0}
        for event in self.observed.events:
            if event[0] == "call":
                if event[3] != line[-1]:
                    found.add(self.positions.ply(line[-1]))
                line.append(event[3])
            elif event[0] in ("return", "left") and len(line) > 1:
                line.pop()
        return found

    def first_difference(self) -> Difference | None:
        """Go through the events until one is not what it should be, or nothing can be said any more."""
        try:
            return super().first_difference()
        except _Beyond:
            self.observed.remark = "again"
            return self.costly

    def _call(self, number: int, place: int, known: dict[str, Any]) -> None:
        if self.stack and place == self.stack[-1].place and self.positions.facts[place]["passed"]:
            self.passing.add(number)
            self.stack[-1].asked.add("pass")
            return
        if self.implicit and len(self.stack) == 1 and self._is_next_round(place):
            self._begin_at_root()
        super()._call(number, place, known)
        self.depth = math.inf  # each search has its own, which is seen at its calls

    def _is_next_round(self, place: int) -> bool:
        """Whether a program that goes deeper and deeper begins anew at the root."""
        root = self.stack[0]
        return place in root.values and len(root.values) == len(self.positions.facts[0]["actions"])

    def _check_child(self, above: Visit, place: int) -> None:
        if place in above.values:
            raise _Beyond
        super()._check_child(above, place)

    def _window(self, place: int, known: dict[str, Any]) -> tuple[float, float] | None:
        window = super()._window(place, known)
        if window is None or not self._is_passers(place, known.get("mover")):
            return window
        return -window[1], -window[0]

    def _wrong_window(self, above: Visit, place: int, seen: tuple[float, float]) -> None:
        if not (self.implicit and above.ply == 0 and seen == above.first):  # at the root each move may have its own
            super()._wrong_window(above, place, seen)

    def _is_passers(self, place: int, mover: int | None) -> bool:
        """Whether the numbers of a call are those of the player who has to pass."""
        return self.negamax and mover is not None and mover != self.positions.facts[place]["mover"]

    def _check_turn(self, place: int, known: dict[str, Any]) -> None:
        deep = known.get("depth")
        if self.positions.facts[place]["passed"] or deep is None or deep == self.last_depth:
            return
        super()._check_turn(place, known)

    def _is_leaf(self, place: int, ply: int) -> bool:
        return bool(self.positions.facts[place]["over"])

    def _right(self, visit: Visit) -> Any:
        return ""  # what a leaf is worth to the player nobody else knows

    def _return(self, number: int, value: float | None, move: str | None, text: str) -> None:
        if number in self.passing:
            return
        visit = self.stack[-1] if self.stack else None
        if visit is not None and visit.number == number and value is not None:
            value = -value if self._is_passers(visit.place, self.movers.get(number)) else value
        super()._return(number, value, move, text)

    def _check_end(self, visit: Visit, value: float | None) -> None:
        facts = self.positions.facts[visit.place]
        if facts["over"]:
            return
        if visit.values:
            self.keys.add(facts["key"])
            super()._check_end(visit, value)
        elif facts["passed"] and "pass" not in visit.asked and self._goes_on(visit) and facts["key"] not in self.keys:
            raise Found("stops_at_pass", visit.place, "pass", moves=facts["actions"], value=value)

    def _goes_on(self, visit: Visit) -> bool:
        """Whether the program looks deeper than this node elsewhere."""
        deep = self.depths.get(visit.number)
        if deep is None or self.last_depth is None:
            return self.positions.ply(visit.place) in self.opened
        return bool(deep < self.last_depth if self.counts_up else deep > self.last_depth)

    def _end(self) -> None:
        observed = self.observed
        if observed.left is not None:
            path = self.positions.path(observed.left) if observed.left >= 0 else []
            raise Found("changed", max(observed.left, 0), "no_copy", path=path)
        if not observed.cut and not (self.implicit and self.stack and not self.stack[0].values):
            super()._end()

    def _check_move(self, root: Visit, move: str) -> None:
        actions = self.positions.facts[0]["actions"]
        if move not in actions:
            raise Found("no_move", 0, move=move)
        value = root.values.get(self.positions.after(0, actions.index(move)))
        if value is None or root.best is None or near(value, root.best):
            return
        best = next(place for place, one in root.values.items() if near(one, root.best))
        cause = "exchanged" if self._is_worst(root, self.positions.after(0, actions.index(move))) else ""
        raise Found("move", 0, cause, yours=move, right=self.positions.move(best), value=value, best=root.best)
