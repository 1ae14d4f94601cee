"""Moves from files in the Smart Game Format (SGF), which programs that speak GTP save and load."""

from __future__ import annotations

import re

__all__ = ["read_sgf"]


TOKEN = re.compile(
    r"(?P<node>;)|(?P<name>[A-Z]{1,2})\s*(?=\[)|\[(?P<value>[^\]\\]*(?:\\.[^\]\\]*)*)\]|(?P<end>[)\[])|.", re.DOTALL
)
"""A bracket that is not closed is an end too: behind it everything is a value."""


def read_sgf(content: str) -> list[tuple[int, str]]:
    """The colours (0 is black) and moves of the first line of play in an SGF file; `ValueError` if it is not one.

    A point is written as people write it (f5), or as two letters (fe), column first. An empty one is a pass.
    """
    if not re.match(r"\s*\(\s*;", content):
        raise ValueError("no SGF")
    moves: list[tuple[int, str]] = []
    name, moved = "", False
    for token in TOKEN.finditer(content):
        if token["end"]:
            break
        if token["node"]:
            name, moved = "", False
        elif token["name"]:
            name = token["name"]
        elif token["value"] is not None and name in ("B", "W") and not moved:
            point = token["value"].strip().lower()
            if re.fullmatch("[a-s][a-s]", point):
                point = f"{point[0]}{ord(point[1]) - 96}"
            moves.append(("BW".index(name), point or "pass"))
            moved = True
    return moves
