"""Paranoid search (Sturtevant and Korf 2000): everybody else plays against me.

The others are taken for one opponent who minimises my utility and does not care for its own. So the game is one of MAX
against MIN, whatever the number of players, and alpha-beta cuts as deep as in minimax. It is expectiminimax for the
player to move, and the value is what that player can be sure of.

This is not the same as the coalitions {me} and {everybody else} in `plyground.search.maxn`, where the others maximise
the sum of *their own* utilities. Only if all utilities add up to a constant is the one the opposite of the other.
"""

from __future__ import annotations

from typing import Any

from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.errors import BadOption
from plyground.search.endgame_table import NO_TABLE, EndgameTable, NoTable
from plyground.search.expectiminimax import ExpectiminimaxVariant, expectiminimax_search
from plyground.search.result import RootResult

__all__ = ["paranoid_search", "parse_coalitions"]


def paranoid_search(
    game: Game,
    state: Any,
    limit: Limit,
    variant: ExpectiminimaxVariant = ExpectiminimaxVariant(),  # noqa: B008 - frozen
    total: float | None = None,
    endgame: EndgameTable | NoTable = NO_TABLE,
) -> RootResult:
    """What the player to move can be sure of, and how, whatever the others do; see `expectiminimax_search`."""
    return expectiminimax_search(game, state, limit, variant, total, endgame)


def parse_coalitions(text: str) -> tuple[tuple[int, ...], ...]:
    """The partition that a text such as ``0+2/1`` means.

    >>> parse_coalitions("0+2/1")
    ((0, 2), (1,))
    """
    try:
        return tuple(tuple(int(player) for player in part.split("+")) for part in text.split("/"))
    except ValueError:
        raise BadOption(f"coalitions are written like 0+2/1, not '{text}'") from None
