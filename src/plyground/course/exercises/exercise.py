"""What an exercise is, what it asks, what is right, and what is said about an answer.

An exercise is a plain value: its kind, its level, its number, and `data` that JSON can hold. Everything else is worked
out from the data by the module of its kind, which has three functions:

    generate(dice, level, options) -> data              `options` is empty unless the kind has OPTIONS
    question(data, lang) -> Question
    answers(data, lang) -> an Answer for each item of the question, in the same order
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from plyground.course.exercises.dice import Dice
from plyground.errors import BadOption
from plyground.pictures.tree import Drawing

__all__ = [
    "LEVELS", "Answer", "Exercise", "Form", "Found", "Item", "Kind", "NoneFound", "Question", "Verdict", "exactly",
]  # fmt: skip

LEVELS = range(1, 6)

Form = Literal["number", "text", "choice", "mark"]
"""How an item is answered: a number, several numbers in a line, one of a few, or a mark on the picture."""

Found = Literal["right", "wrong", "missing"]


class NoneFound(BadOption):
    """Nothing just so was found for this number; for another there may be one."""


@dataclass(frozen=True)
class Exercise:
    """One exercise. The same kind, level, number and options always give the same one."""

    kind: str
    level: int
    number: int
    data: dict[str, Any]
    options: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """One thing to be answered. An answer is a text; "" is none, and a mark has one of the `choices`.

    `choices` are pairs of what is answered and what people read. A mark whose key is the number of a node stands on
    the drawing; any other mark on what the picture calls by this key, in `data-item`.
    """

    key: str
    label: str
    form: Form
    choices: tuple[tuple[str, str], ...] = ()
    hint: str = ""


@dataclass(frozen=True)
class Question:
    """An exercise as it is asked, in one language: with a tree, or with a picture styled by the sheet `style`.

    Both picture and drawing give nothing of the answers away. `solved` is the same picture or drawing with answers.
    """

    title: str
    text: str
    items: tuple[Item, ...]
    drawing: Drawing | None = None
    svg: str = ""
    style: str = ""
    solved: Drawing | str = ""


@dataclass(frozen=True)
class Answer:
    """What is right for an item: a text for people, "" for a mark that must not be made; why; and what is accepted."""

    key: str
    text: str
    reason: str
    accepts: Callable[[str], bool]


def exactly(right: str) -> Callable[[str], bool]:
    """Only this answer is right, "" for none."""
    return lambda given: given == right


@dataclass(frozen=True)
class Verdict:
    """What is said about the answer to an item. `found` is right, wrong, or missing where there is none."""

    key: str
    label: str
    found: Found
    given: str
    expected: str
    reason: str


class Kind(Protocol):
    """The module of a kind of exercise."""

    def generate(self, dice: Dice, level: int, options: Mapping[str, int]) -> dict[str, Any]: ...
    def question(self, data: Mapping[str, Any], lang: str) -> Question: ...
    def answers(self, data: Mapping[str, Any], lang: str) -> Sequence[Answer]: ...
