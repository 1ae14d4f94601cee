"""What can be guessed before a step of a film is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from plyground.pictures.lettering import clean

__all__ = ["GUESS_WORDS", "MOST_CHOICES", "Guess", "guess_among", "guess_data"]

MOST_CHOICES = 6
"""Answers to choose from: as many as one takes in at a glance."""

GUESS_WORDS = {
    "en": {
        "guess": "guess first: be asked before each step that decides something",
        "guessing": "Go on, and you are asked before each step that decides something.",
        "guessRight": "Right.",
        "guessWrong": "Not so. Right would be: {right}.",
        "guessScore": "{right} of {asked} right so far.",
    },
    "zh": {
        "guess": "先猜一猜：每到关键一步，先问你会怎样",
        "guessing": "往下走吧，每到关键一步都会先问你。",
        "guessRight": "猜对了。",
        "guessWrong": "不对，应该是：{right}。",
        "guessScore": "目前 {asked} 题，猜对 {right} 题。",
    },
}
"""What a page says around the questions, which ``static/guessing.js`` asks."""


@dataclass(frozen=True)
class Guess:
    """What a reader can be asked before a step is shown; `right` is the place of the right one of the `choices`.

    Why it is right is what the step itself says.
    """

    question: str
    choices: tuple[str, ...]
    right: int


def guess_among(question: str, choices: Iterable[str], right: str) -> Guess | None:
    """The question with each different answer once; None if there is nothing to choose from, or no right one.

    >>> guess_among("Which?", ["3", "12", "3"], "3")
    Guess(question='Which?', choices=('3', '12'), right=0)
    """
    different = tuple(dict.fromkeys(choices))
    if len(different) < 2 or right not in different:
        return None
    return Guess(question, different, different.index(right))


def guess_data(guess: Guess) -> list[Any]:
    """The guess for JSON, as the module ``guessing.js`` takes it."""
    return [clean(guess.question), list(map(clean, guess.choices)), guess.right]
