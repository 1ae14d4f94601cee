"""What can be guessed before a step of a film is shown."""

from __future__ import annotations

from collections.abc import Iterable

from plyground.pictures.tree import Guess

__all__ = ["MOST_CHOICES", "guess_among"]

MOST_CHOICES = 6
"""Answers to choose from: as many as one takes in at a glance."""


def guess_among(question: str, choices: Iterable[str], right: str) -> Guess | None:
    """The question with each different answer once; None if there is nothing to choose from, or no right one.

    >>> guess_among("Which?", ["3", "12", "3"], "3")
    Guess(question='Which?', choices=('3', '12'), right=0)
    """
    different = tuple(dict.fromkeys(choices))
    if len(different) < 2 or right not in different:
        return None
    return Guess(question, different, different.index(right))
