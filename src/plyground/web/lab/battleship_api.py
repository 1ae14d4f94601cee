"""What the page of hidden information asks about Battleship."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Annotated, Any, Literal

from pydantic import Field

from plyground.web.server.bodies import Language, Seed
from plyground.web.server.refusals import Refusal
from plyground.web.server.settings import Limits
from plyground.web.server.wishes import Router, Wish

__all__ = ["router"]

router = Router()
KEY = secrets.token_bytes(32)
"""Of this server, while it runs: what makes a token into the seed of a hidden fleet."""
Size = Annotated[int, Field(ge=4, le=10)]
Aim = Literal["random", "hunt", "probable", "informed"]
Cell = Annotated[int, Field(ge=0, lt=100)]


@router.wish("battleship", "lab.battleship:sink_fleet")
class Battle(Wish):
    """Shots at a fleet."""

    size: Size = 10
    aim: Aim = "probable"
    seed: Seed = 0
    lang: Language = "en"


@router.wish("battleship_game", "lab.battleship:play_battle")
class BattleGame(Wish):
    """A game against a shooter, after the visitor's shots so far.

    `fleet` are the places of the visitor's ships, twice the first cell and one more if it lies downwards; without one
    the answer is a fleet at random. The first answer of a game has its `token`.
    """

    size: Size = 10
    aim: Aim = "probable"
    fleet: Annotated[list[Annotated[int, Field(ge=0, lt=200)]], Field(max_length=5)] = Field(default_factory=list)
    shots: Annotated[list[Cell], Field(max_length=100)] = Field(default_factory=list)
    watched: bool = False
    helped: bool = False
    token: Annotated[str, Field(max_length=80)] = ""
    lang: Language = "en"

    def work(self, limits: Limits) -> tuple[dict[str, Any], float]:
        token = self.token or new_token()
        return {**self.model_dump(), "token": token, "seed": seed_of(token)}, limits.search


def new_token() -> str:
    """A game that nobody has played: what the browser knows of the hidden fleet."""
    name = secrets.token_hex(12)
    return f"{name}.{_sealed('name', name)[:24]}"


def seed_of(token: str) -> int:
    """The seed of a game, which no browser ever sees; a refusal if this server has not begun it."""
    name, _, seal = token.partition(".")
    if not hmac.compare_digest(seal.encode(), _sealed("name", name)[:24].encode()):
        raise Refusal(410, "the server was started again and has forgotten this game; begin another one", "forgotten")
    return int(_sealed("seed", name)[:12], 16)


def _sealed(use: str, name: str) -> str:
    return hmac.new(KEY, f"{use}/{name}".encode(), hashlib.sha256).hexdigest()
