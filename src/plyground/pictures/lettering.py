"""Text in pictures: how wide it is, how it is broken into lines or shortened, and how it is made safe.

A picture is drawn before anybody knows the font it will be shown in. So widths are those of a wide font (DejaVu Sans),
rounded up: a text may take less room than it was given, hardly ever more.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache

__all__ = [
    "BEYOND",
    "BOLD",
    "CLOSING",
    "PIECE",
    "WIDE",
    "WIDTHS",
    "clean",
    "escaped",
    "shortened",
    "text_width",
    "wrapped",
]

WIDTHS = {
    0.36: " .,:;·'|/\\ijlI",
    0.5: '!()[]"`*_-–⁰¹²³⁴⁵⁶⁷⁸⁹ftrJ',
    0.66: "?${}⁻0123456789abcdeghknopqsuvxyzαβγδεμτ√",
    0.76: "ABCEFHKLNPRSTUVXYZπσ",
    0.84: "#&^+<=>~±×÷−≈≠≤≥∞wDGOQ",
    1.02: "mMW%@½—…",
}
"""The characters of each width, in parts of the font's size."""
BEYOND = ((0x250, 0.76), (0x2190, 0.92), (0x1F000, 1.02), (0x110000, 1.4))
"""The widths of all other characters: each one is for the codes below the number."""
BOLD = 1.1
WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
"""Characters between which a line may be broken: Chinese ones, and their punctuation."""
OPENING = "\uff08\u300a\u300c\u300e\u3010"
CLOSING = "\uff0c\u3002\u3001\uff1b\uff1a\uff1f\uff01\uff09\u300b\u300d\u300f\u3011"
PIECE = re.compile(rf"\s*[{OPENING}]*(?:[^\s{WIDE}]+|[{WIDE}])[{CLOSING}]*")
"""What is never broken: a word, or one such character, with the punctuation that must not begin or end a line."""

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
    """The text in lines that fit, broken at spaces and between Chinese characters; a word too long is shortened."""
    lines: list[str] = []
    for piece in PIECE.findall(text):
        word = shortened(piece.strip(), size, width, bold=bold)
        joined = (" " if piece[0].isspace() else "") + word
        if lines and text_width(lines[-1] + joined, size, bold=bold) <= width:
            lines[-1] += joined
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
