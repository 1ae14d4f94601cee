"""Nim: take any number of objects from one pile; whoever takes the last one wins (or loses, in misere play).

Bouton (1901): the player to move loses exactly when the bitwise exclusive or of the piles is 0.
An action is 100 * pile + how many are taken; people write ``pile:take``, both from 1.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from plyground.core import rules
from plyground.core.game import Game
from plyground.core.rules import with_item
from plyground.errors import BadOption

__all__ = ["Nim", "nim"]


class Nim(NamedTuple):
    """The piles, whose turn it is, and whether taking the last object loses."""

    piles: tuple[int, ...]
    turn: int
    misere: bool


@rules.to_move.rule(Nim)
def _(state: Nim) -> int:
    return state.turn


@rules.max_actions.rule(Nim)
def _(state: Nim) -> int:
    return sum(state.piles)


@rules.distinct_actions.rule(Nim)
def _(state: Nim) -> int:
    return 100 * len(state.piles)


@rules.legal_actions.rule(Nim)
def _(state: Nim, out: Any) -> int:
    count = 0
    for pile in range(len(state.piles)):
        for take in range(1, state.piles[pile] + 1):
            out[count] = 100 * pile + take
            count += 1
    return count


@rules.result.rule(Nim)
def _(state: Nim, action: int) -> Nim:
    pile, take = action // 100, action % 100
    return Nim(with_item(state.piles, pile, state.piles[pile] - take), 1 - state.turn, state.misere)


@rules.terminal.rule(Nim)
def _(state: Nim) -> bool:
    return sum(state.piles) == 0


@rules.utility.rule(Nim)
def _(state: Nim, player: int) -> float:
    took_last = state.turn != player
    return 1.0 if took_last != state.misere else -1.0


@rules.action_text.rule(Nim)
def _(state: Nim, action: int) -> str:
    return f"{action // 100 + 1}:{action % 100}"


@rules.text.rule(Nim)
def _(state: Nim) -> str:
    return "\n".join(f"{i + 1}: {'|' * pile or '-'} ({pile})" for i, pile in enumerate(state.piles))


def nim(
    piles: Annotated[tuple[int, ...], "1 to 9 piles of 1 to 99 objects"] = (3, 4, 5),
    misere: Annotated[bool, "taking the last object loses"] = False,
) -> Game:
    """Nim: take any number of objects from one pile; taking the last one wins."""
    if not 1 <= len(piles) <= 9 or not all(1 <= pile <= 99 for pile in piles):
        raise BadOption(f"nim: piles must be 1 to 9 numbers from 1 to 99, not {','.join(map(str, piles))}")
    return Game("nim", Nim(tuple(piles), 0, misere), draws=False)
