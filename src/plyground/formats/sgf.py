"""Moves from files in the Smart Game Format (SGF), which programs that speak GTP save and load."""

from __future__ import annotations

import re

__all__ = ["read_sgf"]


SGF_MOVE = re.compile(r";\s*(?:(?![BW]\s*\[)[A-Z]{1,2}\s*(?:\[(?:[^\]\\]|\\.)*\]\s*)+)*([BW])\s*\[([^\]]*)\]")


def read_sgf(content: str) -> list[tuple[int, str]]:
    """The colours (0 is black) and moves of the first line of play in an SGF file; `ValueError` if it is not one.

    A point is written as people write it (f5), or as two letters (fe), column first. An empty one is a pass.
    """
    if not re.match(r"\s*\(\s*;", content):
        raise ValueError("no SGF")
    moves = []
    for found in SGF_MOVE.finditer(content.partition(")")[0]):
        point = found[2].strip().lower()
        if re.fullmatch("[a-s][a-s]", point):
            point = f"{point[0]}{ord(point[1]) - 96}"
        moves.append(("BW".index(found[1]), point or "pass"))
    return moves
