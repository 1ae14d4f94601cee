"""Trees as a line of text: ``((3 12 8) (2 4 6) (14 5 2))`` is MAX over three MINs.

    tree     = ["max" | "min"] node         who begins: MAX, if it is not said
    node     = "(" child {child} ")"        or square brackets; whose turn it is alternates
    child    = node | number                a number is a leaf: MAX's utility
    number   = [+ or -] digits [. digits] [e exponent], also with a true minus sign

Blanks and commas separate. The page of the app where searches are watched reads the same lines.
"""

from __future__ import annotations

import re
from typing import Any

from plyground.errors import FormatError

__all__ = ["is_notation", "read_notation"]

LARGEST = 1_000_000
TOKEN = re.compile(r"[()\[\]]|[^\s,()\[\]]+")
BEGIN = re.compile(r"\s*(?:(max|min)\b\s*)?(?=[(\[])", re.IGNORECASE)
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?", re.IGNORECASE | re.ASCII)
CLOSING = {"(": ")", "[": "]"}
SIDES = ("max", "min")


def is_notation(text: str) -> bool:
    """Whether a text is meant as such a line: it begins with a bracket, or with max or min and a bracket."""
    return BEGIN.match(text) is not None


def read_notation(text: str) -> dict[str, Any]:
    """The root as tree files have it; `FormatError` says which bracket or number is wrong.

    >>> read_notation("min (3 (-1, 2.5))")
    {'min': [3.0, {'max': [-1.0, 2.5]}]}
    """
    begun = BEGIN.match(text)
    if begun is None:
        raise FormatError(f"'{_shown(text)}' is not a tree: write one in brackets, such as ((3 12 8) (2 4 6))")
    first = SIDES.index((begun[1] or "max").lower())
    root: list[Any] = []
    families, brackets, nodes = [root], [""], 0
    for found in TOKEN.finditer(text, begun.end()):
        token, place = found[0], found.start() + 1
        if len(brackets) == 1 and root:
            raise FormatError(f"column {place}: '{_shown(token)}' stands behind the last bracket of the tree")
        if token in CLOSING:
            children: list[Any] = []
            families[-1].append({SIDES[(first + len(families) - 1) % 2]: children})
            families.append(children)
            brackets.append(token)
            nodes += 1
        elif token in CLOSING.values():
            if CLOSING[brackets[-1]] != token:
                raise FormatError(f"column {place}: '{brackets[-1]}' is closed by '{token}'; brackets come in pairs")
            if not families[-1]:
                raise FormatError(
                    f"column {place}: a node needs at least one child, and {brackets[-1]}{token} has none"
                )
            families.pop()
            brackets.pop()
        else:
            plain = token.replace("\N{MINUS SIGN}", "-")
            value = float(plain) if NUMBER.fullmatch(plain) else float("inf")
            if value in (float("inf"), float("-inf")):
                raise FormatError(f"column {place}: a leaf is a number, such as -2.5, not '{_shown(token)}'")
            families[-1].append(value)
            nodes += 1
        if nodes > LARGEST:
            raise FormatError(f"the tree has more than {LARGEST:,} nodes")
    if len(brackets) > 1:
        missing = "".join(CLOSING[bracket] for bracket in reversed(brackets[1:]))
        raise FormatError(f"a bracket is never closed; write {_shown(missing)} at the end")
    return dict(root[0])


def _shown(text: str) -> str:
    """The beginning of a text in one line, for an error."""
    line = " ".join(text[:100].split())
    return line if len(line) <= 40 else f"{line[:37]}..."
