"""What the page of hidden information asks about poker."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from plyground.web.server.bodies import Language, Seed
from plyground.web.server.wishes import Router, Wish

__all__ = ["router"]

router = Router()


class Poker(Wish):
    """One of the small games of poker."""

    game: Literal["kuhn", "leduc"] = "kuhn"
    lang: Language = "en"


@router.wish("poker_solve", "lab.poker:solve_game")
class Equilibrium(Poker):
    """The game solved by regrets."""

    iterations: Annotated[int, Field(ge=1, le=20_000)] = 1000
    narrow: bool = False


@router.wish("poker_hand", "lab.poker:play_hand")
class Hand(Poker):
    """A hand against the equilibrium, after the visitor's own moves."""

    moves: Annotated[list[Annotated[str, Field(max_length=10)]], Field(max_length=20)] = Field(default_factory=list)
    seat: Annotated[int, Field(ge=0, le=1)] = 0
    seed: Seed = 0
