"""What the page of hidden information asks about Battleship."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from plyground.web.server.bodies import Language, Seed
from plyground.web.server.wishes import Router, Wish

__all__ = ["router"]

router = Router()


@router.wish("battleship", "lab.battleship:sink_fleet")
class Battle(Wish):
    """Shots at a fleet."""

    size: Annotated[int, Field(ge=4, le=10)] = 10
    aim: Literal["random", "hunt", "probable", "informed"] = "probable"
    seed: Seed = 0
    lang: Language = "en"
