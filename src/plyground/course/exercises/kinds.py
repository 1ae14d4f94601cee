"""Every kind of exercise by its name, and what can be done with any of them: make, ask, judge, solve."""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Mapping, Sequence
from typing import cast

from plyground.course.exercises.dice import Dice
from plyground.course.exercises.exercise import LEVELS, Answer, Exercise, Found, Item, Kind, Question, Verdict
from plyground.errors import BadOption, UnknownName, suggestion

__all__ = [
    "KINDS",
    "LARGEST_NUMBER",
    "answer_key",
    "ask",
    "digest",
    "judge",
    "kind_options",
    "make_exercise",
    "verdicts",
]

KINDS = {
    "alphabeta": "plyground.course.exercises.alphabeta",
    "windows": "plyground.course.exercises.windows",
    "minimax": "plyground.course.exercises.minimax",
    "expectimax": "plyground.course.exercises.expectimax",
    "maxn": "plyground.course.exercises.maxn",
    "ucb": "plyground.course.exercises.ucb",
    "min_conflicts": "plyground.course.exercises.min_conflicts",
    "wumpus": "plyground.course.exercises.wumpus",
    "dominance": "plyground.course.exercises.dominance",
    "equilibrium": "plyground.course.exercises.equilibrium",
}
"""In the order of a course. A new kind is a module as `exercise.py` describes it, and a line here."""

LARGEST_NUMBER = 2**53 - 1
"""The largest number of an exercise: one that a browser can hold."""


def _kind(name: str) -> Kind:
    if name not in KINDS:
        raise UnknownName(f"there is no kind of exercise '{name[:40]}'{suggestion(name, KINDS)}")
    return cast(Kind, importlib.import_module(KINDS[name]))


def kind_options(name: str) -> dict[str, tuple[int, int]]:
    """What may be asked for besides a level: the least and the most of each option."""
    return dict(getattr(_kind(name), "OPTIONS", {}))


def make_exercise(kind: str, level: int = 1, number: int = 0, options: Mapping[str, int] | None = None) -> Exercise:
    """The exercise of a kind, level and number; `BadOption` says what cannot be had.

    >>> make_exercise("alphabeta", 1, 3) == make_exercise("alphabeta", 1, 3)
    True
    """
    module, wishes = _kind(kind), dict(sorted((options or {}).items()))
    if level not in LEVELS:
        raise BadOption(f"the level is from {LEVELS[0]} to {LEVELS[-1]}, not {level}")
    if not 0 <= number <= LARGEST_NUMBER:
        raise BadOption(f"the number of an exercise is from 0 to {LARGEST_NUMBER}, not {number}")
    known = kind_options(kind)
    for name, value in wishes.items():
        if name not in known:
            has = f"; it has {', '.join(known)}" if known else ""
            raise BadOption(f"the kind {kind} has no option {name.replace('_', ' ')}{has.replace('_', ' ')}")
        least, most = known[name]
        if not least <= value <= most:
            raise BadOption(f"the option {name.replace('_', ' ')} is from {least} to {most}, not {value}")
    dice = Dice(list(KINDS).index(kind), level, number, *(word for item in wishes.items() for word in _words(item)))
    return Exercise(kind, level, number, module.generate(dice, level, wishes), wishes)


def _words(option: tuple[str, int]) -> tuple[int, int]:
    return int.from_bytes(option[0].encode()[:8], "big"), option[1]


def ask(exercise: Exercise, lang: str = "en") -> Question:
    """The question, in English ("en") or Chinese ("zh")."""
    return _kind(exercise.kind).question(exercise.data, lang)


def answer_key(exercise: Exercise, lang: str = "en") -> list[tuple[Item, Answer]]:
    """What is right, for every item that has an answer: branches and squares that are not to be marked are left out."""
    items, found = ask(exercise, lang).items, _kind(exercise.kind).answers(exercise.data, lang)
    return [(item, answer) for item, answer in zip(items, found, strict=True) if answer.text]


def judge(exercise: Exercise, given: Mapping[str, str], lang: str = "en") -> list[Verdict]:
    """A verdict for every item that was answered or should have been; all of it is right if every verdict is.

    `given` are the answers by the keys of the items; keys that the question does not have are ignored.
    """
    return verdicts(ask(exercise, lang).items, _kind(exercise.kind).answers(exercise.data, lang), given)


def verdicts(items: Sequence[Item], answers: Sequence[Answer], given: Mapping[str, str]) -> list[Verdict]:
    """The same where the items and what is right are at hand."""
    found = []
    for item, answer in zip(items, answers, strict=True):
        text = given.get(item.key, "").strip()
        if not text and item.form == "mark" and not answer.text:
            continue
        word: Found = "right" if answer.accepts(text) else "wrong" if text else "missing"
        shown = dict(item.choices).get(text, text)
        found.append(Verdict(item.key, item.label, word, shown, answer.text, answer.reason))
    return found


def digest(exercise: Exercise) -> bytes:
    """What two exercises have in common only if they ask the same."""
    return hashlib.sha256(json.dumps([exercise.kind, exercise.data], sort_keys=True).encode()).digest()
