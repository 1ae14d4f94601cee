"""A difference in words: the sentence that names it, its probable cause, and what stands at the node in the picture."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from plyground.course.find_the_bug.difference import Difference
from plyground.course.find_the_bug.observing import Failure
from plyground.course.find_the_bug.tasks import Positions
from plyground.errors import BadOption
from plyground.watch.search_numbers import plain
from plyground.watch.sentences import Sentences

__all__ = ["Telling", "failure_text", "words"]

MOST_NAMED = 6
"""Moves that are named, of a longer list."""


@cache
def words(lang: str) -> Sentences:
    """The sentences of a language, "en" or "zh"."""
    found = {file.name.removesuffix(".toml"): file for file in (files(__package__) / "languages").iterdir()}
    if lang not in found:
        raise BadOption(f"there is no language '{lang}'; there are: {', '.join(sorted(found))}")
    return Sentences(lang, tomllib.loads(found[lang].read_text(encoding="utf-8")))


def failure_text(failure: Failure, name: str, seconds: float, lang: str) -> str:
    """Why a program failed, in one line."""
    say = words(lang)
    if failure.kind == "time":
        return say("fail_time", name=name, seconds=seconds)
    text = failure.text
    if failure.kind in ("recursion", "memory", "much"):
        text = say(f"fail_{failure.kind}")
    if failure.kind in ("ended", "broken"):
        return text
    if failure.line is not None:
        return say("fail_line", name=name, line=failure.line, text=text, source=failure.source)
    return say("fail_plain", name=name, text=text)


class Telling:
    """Tells differences at the positions of one task; `names` are those of the nodes in the picture, by position."""

    def __init__(self, positions: Positions, lang: str, names: dict[int, str]) -> None:
        self.positions, self.names = positions, names
        self.say = words(lang)

    def text(self, found: Difference) -> str:
        """The difference as a sentence."""
        parts = {key: self._shown(key, value) for key, value in found.parts.items()}
        parts |= {"where": self._where(found), "who": self._who(found.place)}
        parts["number"] = found.parts.get("simulation", 0)
        if found.kind == "turn":
            parts |= {key: self.say("max_flag" if found.parts[key] else "min_flag") for key in ("yours", "right")}
        kind = "stops_at" if found.kind == "stops" else found.kind
        if found.kind == "colour":
            parts |= {key: self._seat(found.parts[key]) if found.parts[key] >= 0 else "?" for key in ("yours", "right")}
        if found.kind == "backup":
            parts["player"] = self._seat(found.parts["player"])
        return self.say.spaced(self.say(kind, **parts))

    def _seat(self, seat: int) -> str:
        name = self.positions.task.game.seats[seat]
        return self.say(name) if name in ("black", "white") else name

    def cause(self, found: Difference) -> str:
        """What may be the cause; "" if nothing known looks like this."""
        if not found.cause:
            return ""
        return self.say.spaced(self.say("perhaps", cause=self.say(f"cause_{found.cause}")))

    def sides(self, found: Difference) -> tuple[str, str]:
        """What the program does there, and what is right, as briefly as can be."""
        parts, say = found.parts, self.say
        match found.kind:
            case "window":
                return self._window(parts["yours"]), self._window(parts["right"])
            case "missed_cut":
                return say("goes_on"), say("cuts")
            case "early":
                return say("leaves", move=self._move(parts["move"])), say("goes_on")
            case "stops":
                return say("stops", value=self._number(parts["value"])), self._number(parts["right"])
            case "value" | "leaf":
                return self._number(parts["yours"]), self._number(parts["right"])
            case "backup":
                return f"Q = {plain(parts['total'])}", f"Q = {plain(parts['right_total'])}"
            case "choice" | "final_move" | "move":
                return say("takes", move=parts["yours"]), say("takes", move=parts["right"])
            case "stops_at_pass":
                return say("stops", value=self._number(parts["value"])), say("goes_on")
            case "turn":
                return tuple(say("max_flag" if parts[key] else "min_flag") for key in ("yours", "right"))  # type: ignore[return-value]
            case "forgotten":
                return say("takes", move=parts["move"]), say("takes", move=self._moves(parts["moves"]))
        return "", ""

    def _where(self, found: Difference) -> str:
        path = self.positions.path(found.place)
        if "simulation" in found.parts:
            return self.say("simulation", number=found.parts["simulation"], root=not path, moves=" ".join(path))
        name = self.names.get(found.place, "")
        if not path:
            return self.say("at_root", name=name)
        return self.say("at_node", name=name, moves=" ".join(path))

    def _who(self, place: int) -> str:
        return "MAX" if self.positions.is_max(place) else "MIN"

    def _shown(self, key: str, value: Any) -> Any:
        if key in ("move", "next"):
            return self._move(str(value))
        if key in ("path", "end", "below"):
            return " ".join(value)
        if key == "moves":
            return self._moves(value)
        if key in ("values",):
            return ", ".join(map(plain, value))
        if isinstance(value, tuple):
            return self._window(value)
        if isinstance(value, bool) or key in ("ply", "simulation", "scores", "text"):
            return value
        return self._number(value) if value is None or isinstance(value, int | float) else value

    def _number(self, value: float | None) -> str:
        return self.say("none") if value is None else plain(value)

    def _window(self, window: Sequence[float]) -> str:
        return f"α = {plain(window[0])}, β = {plain(window[1])}"

    def _move(self, move: str) -> str:
        """A move in a sentence; in many trees it is only a number."""
        return self.say("numbered", number=move) if self.positions.task.explicit and move.isdigit() else move

    def _moves(self, moves: Sequence[str]) -> str:
        if len(moves) <= MOST_NAMED:
            return ", ".join(map(self._move, moves))
        return self.say("or_more", moves=", ".join(moves[: MOST_NAMED - 1]), count=len(moves) - MOST_NAMED + 1)
