"""What the page of hidden information asks about bridge."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from plyground.web.server.bodies import Language, Seed
from plyground.web.server.wishes import Router, Wish

__all__ = ["router"]

router = Router()


@router.wish("bridge", "lab.bridge:show_deal")
class Deal(Wish):
    """The deal that fools a search."""

    lang: Language = "en"


@router.wish("bridge_play", "lab.bridge:play_deal")
class PlayedDeal(Wish):
    """A deal to play as the declarer, after the cards that were played so far from North and South."""

    cards: Annotated[int, Field(ge=3, le=7)] = 5
    trump: Literal["none", "S", "H", "D", "C"] = "none"
    moves: Annotated[list[Annotated[str, Field(max_length=4)]], Field(max_length=20)] = Field(default_factory=list)
    seed: Seed = 0
    lang: Language = "en"
