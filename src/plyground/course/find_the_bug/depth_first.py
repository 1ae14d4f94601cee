"""Minimax and alpha-beta: every call of a student's search beside what the rule says at that moment.

The rule is applied to what the student's own search has found so far: which children were looked at, in which order,
and what they returned. As everything before the first difference is right, that is the same as to compare with a right
search that looks at the moves in the student's order. Fail-hard and fail-soft both pass, minimax and negamax too: a
program is read in the form in which it is right for longer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from plyground.course.find_the_bug.difference import Difference
from plyground.course.find_the_bug.observing import DEEPEST, Observed

__all__ = ["Found", "Reading", "Visit", "best_reading", "compare_depth_first", "near"]

FORMS = ("minimax", "negamax", "root")
"""To whom the values are: to MAX, to whoever moves at a node, or to whoever moves at the root."""
FAR = 1000.0
"""A bound beyond this, and beyond all utilities, stands for infinity."""
NEAR = 1e-9
PASS = "pass"


class Found(Exception):
    """The first difference, on its way out."""

    def __init__(self, kind: str, place: int, cause: str = "", **parts: Any) -> None:
        self.difference = Difference(kind, place, parts, cause)


class Visit:
    """A call that has not returned yet. Values and windows are MAX's."""

    def __init__(self, number: int, place: int, ply: int, window: tuple[float, float]) -> None:
        self.number, self.place, self.ply = number, place, ply
        self.first = self.window = window
        self.values: dict[int, float] = {}
        self.best: float | None = None
        self.asked: set[str] = set()


def compare_depth_first(
    observed: Observed, algorithm: str, function: str = "", takes: Sequence[str] = ()
) -> Difference | None:
    """The first difference between what was observed and a right search; None if there is none."""
    return best_reading(lambda form: Reading(observed, algorithm, form).first_difference(), function, takes)


def best_reading(read: Callable[[str], Difference | None], function: str, takes: Sequence[str]) -> Difference | None:
    """What is found in the form in which a program is right for longer."""
    found = {form: read(form) for form in FORMS}
    if "nega" in function.lower() or "color" in takes or "negated" in takes:
        return found["negamax"]
    if fine := [one for one in found.values() if one is None or one.costs]:
        return None if None in fine else fine[0]
    return max(found["minimax"], found["root"], key=lambda one: one.moment if one else 0)


class Reading:
    """The events, read in one form."""

    def __init__(self, observed: Observed, algorithm: str, form: str) -> None:
        self.observed, self.positions = observed, observed.positions
        self.cuts, self.form, self.negamax = algorithm == "alphabeta", form, form == "negamax"
        task = self.positions.task
        self.explicit = task.explicit
        self.depth: float = math.inf if task.depth is None else task.depth
        calls = [event for event in observed.events if event[0] == "call"]
        self.called = {event[3] for event in calls}
        self.calls_leaves = _calls_leaves(observed.events)
        self.roots = sum(event[3] == 0 for event in calls)
        self.stack: list[Visit] = []
        self.implicit = False
        """Whether the root is the function itself, whose calls are not among those that are seen."""
        self.last_root: Visit | None = None
        self.costly: Difference | None = None
        """The first thing that only costs time; the values may still be right."""
        self.own = False
        """Whether leaves are worth something else to the program than to us, which is its own affair."""
        self.moment = 0

    def first_difference(self) -> Difference | None:
        """Go through the events until one is not what it should be."""
        events = self.observed.events
        try:
            for self.moment, event in enumerate(events):
                match event:
                    case ["call", number, _, place, known, _]:
                        self._call(number, place, known)
                    case ["return", number, value, move, text]:
                        self._return(number, value, move, text)
                    case ["left", number]:
                        if self.stack and self.stack[-1].number == number:
                            self.stack.pop()
                    case ["utility" | "evaluate" as kind, place]:
                        self._ask(kind, place)
                    case ["illegal", place, action]:
                        self._illegal(place, action)
                    case ["play", place]:
                        self._made(place)
                    case ["colour", place, action, color]:
                        self._wrong_colour(place, action, color)
            self.moment = len(events)
            if self.observed.failure is None:
                self._end()
        except Found as found:
            return replace(found.difference, moment=self.moment, besides=self.costly, seen=self._seen())
        return self.costly

    def _seen(self) -> dict[int, float]:
        """The values that have come back along the line that is being searched, by position."""
        return {place: value for visit in self.stack for place, value in visit.values.items()}

    def _wrong_colour(self, place: int, action: str, color: int) -> None:
        """A disc was put for the player whose turn it is not."""
        line = [visit.place for visit in self.stack] or [0]
        cause = "turn" if place == line[-1] else "no_copy"
        raise Found("colour", place, cause, move=action, yours=color, right=self.positions.facts[place]["mover"])

    def _costs(self, kind: str, place: int, cause: str, **parts: Any) -> None:
        """Keep a difference that leaves all values as they are."""
        if self.costly is None:
            self.costly = Difference(kind, place, parts, cause, moment=self.moment, costs=True)

    # Views

    def _sign(self, place: int) -> float:
        """What makes a number of a call MAX's."""
        if self.form == "root":
            place = 0
        return -1.0 if self.form != "minimax" and not self.positions.is_max(place) else 1.0

    def _window(self, place: int, known: dict[str, Any]) -> tuple[float, float] | None:
        if "alpha" not in known or "beta" not in known:
            return None
        alpha, beta = self._bound(known["alpha"]), self._bound(known["beta"])
        return (alpha, beta) if self._sign(place) > 0 else (-beta, -alpha)

    def _bound(self, value: float) -> float:
        """A number that is larger than everything counts as infinite."""
        far = max(FAR, *(10 * abs(utility) for utility in self.positions.task.game.utilities))
        return math.copysign(math.inf, value) if abs(value) >= far else float(value)

    def _is_leaf(self, place: int, ply: int) -> bool:
        return self.positions.facts[place]["over"] or ply >= self.depth

    def _right(self, visit: Visit) -> float:
        return self.positions.value(visit.place, self.depth - visit.ply, *visit.first)

    # Events

    def _call(self, number: int, place: int, known: dict[str, Any]) -> None:
        seen = self._window(place, known)
        if not self.stack or (self.implicit and len(self.stack) == 1 and place == 0):
            if place == 0:
                if self.roots > 1 and known.get("depth", 0) >= 1:  # deeper and deeper: each search has its own depth
                    self.depth = known["depth"] if known["depth"] < DEEPEST else math.inf
                window = seen or (-math.inf, math.inf)
                if window[0] >= window[1]:
                    raise Found("window", 0, "swapped", yours=window, right=(-math.inf, math.inf))
                self.stack = [Visit(number, 0, 0, window)]
                self.implicit = False
                self._check_turn(place, known)
                return
            self._begin_at_root()
        above = self.stack[-1]
        if place == above.place:
            raise Found("same", place)
        self._check_child(above, place)
        window = above.window
        if seen is not None and self.cuts and not _same_window(seen, window):
            self._wrong_window(above, place, seen)
            window = seen
        self._check_turn(place, known)
        self.stack.append(Visit(number, place, above.ply + 1, window))

    def _begin_at_root(self) -> None:
        self.stack = [Visit(-1, 0, 0, (-math.inf, math.inf))]
        self.implicit = True

    def _check_turn(self, place: int, known: dict[str, Any]) -> None:
        """Whether the flag of who moves is right; at a leaf it does not matter."""
        ply = self.positions.ply(place)
        flag, right = known.get("maximizing"), self.positions.is_max(place) == (self._sign(place) > 0)
        if flag is None or self.negamax or self._is_leaf(place, ply) or flag == right:
            return
        raise Found("turn", place, "exchanged" if ply <= 1 else "turn", yours=flag, right=not flag)

    def _check_child(self, above: Visit, place: int) -> None:
        positions = self.positions
        if positions.above[place] != above.place:
            raise Found("position", above.place, self._not_copied(above, place), path=positions.path(place))
        if above.ply >= self.depth:
            raise Found("deeper", above.place, "depth", ply=above.ply, move=positions.move(place))
        if place in above.values:
            raise Found("again", place, move=positions.move(place))
        self._check_cut(above, place)

    def _check_cut(self, above: Visit, place: int) -> None:
        """Whether the search should have stopped before it went to this child."""
        if not self.cuts or above.best is None or not _crossed(above.window) or _crossed(above.first):
            return
        bound = above.first[1] if self.positions.is_max(above.place) else above.first[0]
        cause = "strict" if math.isclose(above.best, bound, abs_tol=NEAR) else "no_cut"
        *_, last = above.values
        self._costs(
            "missed_cut", above.place, cause, value=above.best, bound=bound, move=self.positions.move(last),
            next=self.positions.move(place), maximising=self.positions.is_max(above.place),
        )  # fmt: skip

    def _wrong_window(self, above: Visit, place: int, seen: tuple[float, float]) -> None:
        right, cause = above.window, ""
        if _same_window((seen[1], seen[0]), right) or seen[0] >= seen[1]:
            cause = "swapped"
        elif above.best is not None and _same_window(seen, above.first):
            cause = "not_narrowed"
        elif self.negamax and _same_window(seen, (-right[1], -right[0])):
            cause = "window_sign"
        elif above.best is not None and self.negamax and -above.best in seen and above.best in right:
            cause = "sign"
        elif above.best is not None and 0.0 in seen and 0.0 not in right:
            cause = "first_best"
        elif above.best is not None and not _same_window(right, above.first):
            wrong = (above.first[0], min(above.first[1], above.best)), (max(above.first[0], above.best), above.first[1])
            if any(_same_window(seen, one) for one in wrong):
                cause = "exchanged" if self._turns_out_exchanged(above) else "swapped"
        if seen[0] <= right[0] and seen[1] >= right[1]:
            self._costs("window", place, cause, yours=seen, right=right)
        else:
            raise Found("window", place, cause, yours=seen, right=right)

    def _turns_out_exchanged(self, visit: Visit) -> bool:
        """Whether a node will return what the other player would take."""
        values, level = list(visit.values.values()), 0
        for event in self.observed.events[self.moment :]:
            if event[0] == "call":
                level += 1
            elif event[0] in ("return", "left") and level:
                level -= 1
                if level == 0 and event[0] == "return" and event[2] is not None:
                    values.append(float(event[2]) * self._sign(visit.place) * (-1.0 if self.negamax else 1.0))
            elif event[0] == "return":
                told = None if event[2] is None else float(event[2]) * self._sign(visit.place)
                worst = min(values) if self.positions.is_max(visit.place) else max(values)
                return told is not None and len(set(values)) > 1 and near(told, worst)
        return False

    def _not_copied(self, above: Visit, place: int) -> str:
        """Whether an earlier move is still on the board."""
        line = []
        while place >= 0:
            line.append(place)
            place = self.positions.above[place]
        return "no_copy" if above.place in line or any(one in line for one in above.values) else ""

    def _made(self, place: int) -> None:
        """A move was made on the board itself: on top of one that was looked at already, and not taken back?"""
        if not self.stack:
            return
        above = self.stack[-1]
        on_top_of = self.positions.above[place]
        if on_top_of in above.values:
            raise Found("position", above.place, "no_copy", path=self.positions.path(place))

    def _illegal(self, place: int, action: str) -> None:
        above = self.stack[-1].place if self.stack else 0
        moved_on = place != above
        legal_above = action in self.positions.facts[above]["actions"]
        cause = "no_copy" if moved_on and legal_above else ""
        raise Found("illegal", above, cause, move=action, path=self.positions.path(place))

    def _ask(self, kind: str, place: int) -> None:
        positions = self.positions
        if not self.stack:
            if positions.above[place] != 0:
                return
            self._begin_at_root()
        visit = self.stack[-1]
        if kind == "utility" and not positions.facts[place]["over"]:
            moves = positions.facts[place]["actions"]
            raise Found("not_over", place, PASS if moves == [PASS] else "", moves=moves)
        if place == visit.place:
            visit.asked.add(kind)
        elif self._is_uncalled_leaf(visit, place):
            self._check_child(visit, place)
            self._take(visit, place, self._leaf_value(place))

    def _is_uncalled_leaf(self, visit: Visit, place: int) -> bool:
        """Whether a child is a leaf whose value the program has asked for at once, without a call of its own."""
        new = not self.calls_leaves and place not in self.called and place not in visit.values
        return new and self.positions.above[place] == visit.place and self._is_leaf(place, visit.ply + 1)

    def _leaf_value(self, place: int) -> float:
        facts = self.positions.facts[place]
        return float(facts["utility"] if facts["over"] else facts["evaluation"])

    def _take(self, above: Visit, place: int, value: float) -> None:
        """A child has brought a value."""
        above.values[place] = value
        alpha, beta = above.window
        if self.positions.is_max(above.place):
            above.best = value if above.best is None else max(above.best, value)
            above.window = max(alpha, above.best), beta
        else:
            above.best = value if above.best is None else min(above.best, value)
            above.window = alpha, min(beta, above.best)

    def _return(self, number: int, value: float | None, move: str | None, text: str) -> None:
        if not self.stack or self.stack[-1].number != number:
            return  # a call that was left with an exception which the program has caught
        visit = self.stack[-1]
        if value is None and not (visit.ply == 0 and move is not None):
            raise Found("nothing", visit.place, text=text)
        told = None if value is None or math.isnan(value) else float(value) * self._sign(visit.place)
        self._check_end(visit, told)
        self.stack.pop()
        if visit.ply == 0:
            self.last_root = visit
        elif told is not None:
            self._take(self.stack[-1], visit.place, told)

    def _check_end(self, visit: Visit, value: float | None) -> None:
        """Whether the search may leave a node now, and with this value."""
        facts = self.positions.facts[visit.place]
        if facts["over"] or visit.ply >= self.depth:
            self._check_leaf(visit, value, bool(facts["over"]))
            return
        moves = facts["actions"]
        if not visit.values:
            cause = PASS if moves == [PASS] else "depth" if visit.ply + 1 >= self.depth else ""
            raise Found(
                "stops", visit.place, cause, moves=moves, ply=visit.ply, value=value, right=self._right(visit),
                asked=sorted(visit.asked),
            )  # fmt: skip
        assert visit.best is not None
        may_stop = self.cuts and (_crossed(visit.window) or _crossed(visit.first))
        if len(visit.values) < len(moves) and not may_stop:
            self._left_early(visit, value)
        if value is None:
            return
        low, high = min(visit.first), max(visit.first)
        allowed = (visit.best, min(max(visit.best, low), high)) if self.cuts else (visit.best,)
        if not any(near(value, one) for one in allowed):
            self._wrong_value(visit, value, visit.best)

    def _check_leaf(self, visit: Visit, value: float | None, over: bool) -> None:
        if value is None:
            raise Found("nothing", visit.place, text="")
        right = self._leaf_value(visit.place)
        self.own = self.own or not near(value, right)
        if over:  # a game may be counted otherwise, such as 10 less the depth for a win
            fine = near(value, right) if self.explicit else _side(value) == _side(right)
        else:
            fine = near(value, right) or "evaluate" not in visit.asked
        if not fine:
            cause = "leaf_sign" if near(value, -right) else ""
            raise Found("leaf", visit.place, cause, yours=value, right=right)

    def _left_early(self, visit: Visit, value: float | None) -> None:
        left = [
            self.positions.move(child) for child in self.positions.children(visit.place) if child not in visit.values
        ]
        bound = visit.first[1] if self.positions.is_max(visit.place) else visit.first[0]
        other = visit.first[0] if self.positions.is_max(visit.place) else visit.first[1]
        cause = ("at_once" if self.cuts else "early_return") if len(visit.values) == 1 else ""
        if visit.best is not None and self.cuts:
            wrong = visit.best <= other if self.positions.is_max(visit.place) else visit.best >= other
            cause = "swapped" if wrong and math.isfinite(other) else cause
        raise Found(
            "early", visit.place, cause, moves=left, value=visit.best, bound=bound, yours=value,
            right=self._right(visit), maximising=self.positions.is_max(visit.place), cuts=self.cuts,
            move=self.positions.move(list(visit.values)[-1]),
        )  # fmt: skip

    def _wrong_value(self, visit: Visit, value: float, right: float) -> None:
        values = list(visit.values.values())
        maximising = self.positions.is_max(visit.place)
        cause = ""
        if len(values) > 1 and near(value, min(values) if maximising else max(values)):
            cause = "exchanged"
        elif near(value, -right) or any(near(value, -one) for one in values):
            cause = "sign"
        elif len(values) > 1 and near(value, values[-1]):
            cause = "last"
        elif not math.isfinite(value) or abs(value) >= 1000 or near(value, 0.0):
            cause = "first_best"
        raise Found("value", visit.place, cause, yours=value, right=right, values=values, maximising=maximising)

    def _end(self) -> None:
        """The function has returned."""
        observed = self.observed
        if self.implicit and self.stack:
            visit = self.stack[0]
            value = None if observed.value is None else observed.value * self._sign(0)
            if value is None and observed.move is None:
                raise Found("nothing", 0, text=observed.text)
            self._check_end(visit, value)
            self.last_root = visit
        if self.last_root is None:
            raise Found("unseen", 0)
        if observed.value is None and observed.move is None:
            raise Found("nothing", 0, text=observed.text)
        if observed.move is not None:
            self._check_move(self.last_root, observed.move)

    def _check_move(self, root: Visit, move: str) -> None:
        """Whether the move that was chosen is worth what the root is."""
        if move not in self.positions.facts[0]["actions"]:
            raise Found("no_move", 0, move=move)
        best = root.best
        place = self.positions.after(0, self.positions.facts[0]["actions"].index(move))
        good = [child for child, value in root.values.items() if best is not None and near(value, best)]
        if place in good and (len(good) == 1 or place == good[0]):
            return
        if place in good and (self.own or not self.cuts):
            return
        exact = self.positions.value(place, self.depth - 1)
        if best is not None and near(exact, best):
            return
        cause = "bound" if place in good else "exchanged" if self._is_worst(root, place) else ""
        raise Found(
            "move", 0, cause, yours=move, right=self.positions.move(good[0]) if good else "", value=exact, best=best
        )

    def _is_worst(self, root: Visit, place: int) -> bool:
        values, worst = list(root.values.values()), min if self.positions.is_max(0) else max
        return len(values) > 1 and place in root.values and near(root.values[place], worst(values))


def _calls_leaves(events: Sequence[list[Any]]) -> bool:
    """Whether the search calls itself for leaves: what it asks about others, for their order, is then no visit."""
    line: list[int] = []
    for event in events:
        if event[0] == "call":
            line.append(event[3])
        elif event[0] in ("return", "left") and line:
            line.pop()
        elif event[0] in ("utility", "evaluate") and len(line) > 1 and event[1] == line[-1]:
            return True
    return False


def _crossed(window: tuple[float, float]) -> bool:
    return window[0] >= window[1] - NEAR


def near(one: float, other: float) -> bool:
    return one == other or math.isclose(one, other, rel_tol=NEAR, abs_tol=NEAR)


def _same_window(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(near(a, b) for a, b in zip(one, other, strict=True))


def _side(value: float) -> int:
    return (value > NEAR) - (value < -NEAR)
