"""Paranoid search (Sturtevant and Korf 2000): everybody else plays against me.

The others are taken for one opponent who minimises my utility and does not care for its own. So the game is one of MAX
against MIN, whatever the number of players, and alpha-beta cuts as deep as in minimax. It is expectiminimax for the
player to move, and the value is what that player can be sure of.

This is not the same as the coalitions {me} and {everybody else} in `plyground.search.maxn`, where the others maximise
the sum of *their own* utilities. Only if all utilities add up to a constant is the one the opposite of the other.
"""

from __future__ import annotations

from plyground.errors import BadOption
from plyground.search.expectiminimax import expectiminimax_search

__all__ = ["paranoid_search", "parse_coalitions"]


paranoid_search = expectiminimax_search
"""What the player to move can be sure of, and how, whatever the others do."""


def parse_coalitions(text: str) -> tuple[tuple[int, ...], ...]:
    """The partition that a text such as ``0+2/1`` means.

    >>> parse_coalitions("0+2/1")
    ((0, 2), (1,))
    """
    try:
        return tuple(tuple(int(player) for player in part.split("+")) for part in text.split("/"))
    except ValueError:
        raise BadOption(f"coalitions are written like 0+2/1, not '{text}'") from None
