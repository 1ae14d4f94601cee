"""Text in pictures: how wide it is, how it is broken into lines or shortened, and how it is made safe.

A picture is drawn before anybody knows the font it will be shown in. So widths are those of a wide font (DejaVu Sans),
rounded up: a text may take less room than it was given, hardly ever more.
"""

from __future__ import annotations

import html
from functools import lru_cache

__all__ = ["BEYOND", "BOLD", "WIDTHS", "clean", "escaped", "shortened", "text_width", "wrapped"]

WIDTHS = {
    0.36: " .,:;·'|/\\ijlI",
    0.5: '!()[]"`*_-–²ftrJ',
    0.66: "?${}0123456789abcdeghknopqsuvxyzαβγδεμτ√",
    0.76: "ABCEFHKLNPRSTUVXYZπσ",
    0.84: "#&^+<=>~±×÷−≈≠≤≥∞wDGOQ",
    1.02: "mMW%@½—…",
}
"""The characters of each width, in parts of the font's size."""
BEYOND = ((0x250, 0.76), (0x2190, 0.92), (0x1F000, 1.02), (0x110000, 1.4))
"""The widths of all other characters: each one is for the codes below the number."""
BOLD = 1.1

_WIDTHS = {character: width for width, characters in WIDTHS.items() for character in characters}


@lru_cache(maxsize=50_000)
def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is at most, in the unit of `size`."""
    total = 0.0
    for character in text:
        width = _WIDTHS.get(character)
        if width is None:
            width = next(width for end, width in BEYOND if ord(character) < end)
        total += width
    return total * size * (BOLD if bold else 1.0)


def shortened(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """The text, or as much of it as fits, with an ellipsis."""
    if text_width(text, size, bold=bold) <= width:
        return text
    kept = ""
    for character in text:
        if text_width(kept + character + "…", size, bold=bold) > width:
            break
        kept += character
    return kept.rstrip() + "…"


def wrapped(text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """The text in lines that fit; a word that is too long for a line is shortened."""
    lines: list[str] = []
    for long in text.split():
        word = shortened(long, size, width, bold=bold)
        if lines and text_width(f"{lines[-1]} {word}", size, bold=bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def clean(text: str) -> str:
    """The text on one line: without control characters, and with single spaces."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(text.split())


def escaped(text: str) -> str:
    """For XML and HTML: one clean line with the markup escaped."""
    return html.escape(clean(text))
