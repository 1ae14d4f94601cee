"""Text that other programs, files or people have written, so that it can be shown: nothing in it acts on a terminal."""

from __future__ import annotations

import re

__all__ = ["ACTING", "visible"]

ACTING = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\ud800-\\udfff]"
)
"""Control characters but for the tab and the end of a line, those that turn the direction of text around, other ends of
lines, and halves of characters, which no file can hold."""


def visible(text: str) -> str:
    """The text with what cannot be seen spelled out.

    >>> print(visible("\\x1b[31mred"))
    \\x1b[31mred
    """
    return ACTING.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()
