"""Bandits that a visitor plays by hand, and policies beside on the same arms with the same luck; and their regret."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Request
from pydantic import Field

from plyground.web.server.bodies import Body, Number, Seed, Seeded, Spec, Text
from plyground.web.server.refusals import Refusal
from plyground.web.server.threads import off_loop
from plyground.web.server.wishes import Router, Wish

if TYPE_CHECKING:
    from plyground.web.lab.bandits import BanditGame

__all__ = ["router"]

router = Router()
KEPT = 500
"""How many are kept of all visitors, those used last; a page can begin one again from its seed and its pulls."""
MOST_PULLS = 2000

BanditId = Annotated[str, Field(max_length=40)]
Arms = Annotated[Text, Field(max_length=2000)]
Sigma = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]


class NewBandit(Seeded):
    """Arms, written as means, ``0.6,0.55,0.4``, or ``random:5`` for hidden ones; and who plays beside the visitor.

    `pulled` are arms that have been pulled before, as when a page is loaded again.
    """

    arms: Arms = "0.6,0.55,0.4"
    sigma: Sigma | None = None
    policies: Annotated[list[Spec], Field(max_length=8)] = Field(default_factory=lambda: ["greedy", "ucb1", "thompson"])
    pulled: Annotated[list[Number], Field(max_length=MOST_PULLS)] = Field(default_factory=list)


class Pull(Body):
    """The arm to pull, from 0."""

    arm: Number


@router.wish("bandit", "lab.bandits:measure", long=True)
class MeasuredRegret(Wish):
    """The regret of some policies."""

    arms: Arms = "0.6,0.55,0.4"
    policies: Annotated[list[Spec], Field(min_length=1, max_length=12)] = Field(default_factory=lambda: ["ucb1"])
    pulls: Annotated[int, Field(ge=1, le=10_000_000)] = 1000
    runs: Annotated[int, Field(ge=1, le=100_000)] = 200
    seed: Seed = 0
    sigma: Sigma | None = None
    log: bool = False


class BanditGames:
    """The bandits of all visitors, while the server runs."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, tuple[BanditGame, asyncio.Lock]] = OrderedDict()

    def add(self, game: BanditGame) -> str:
        """Keep one, and the least used of too many no longer."""
        number = secrets.token_urlsafe(9)
        self._open[number] = (game, asyncio.Lock())
        while len(self._open) > KEPT:
            self._open.popitem(last=False)
        return number

    def find(self, number: str) -> tuple[BanditGame, asyncio.Lock]:
        """The one of that id."""
        if number not in self._open:
            raise Refusal(404, "there is no such bandit; begin it again")
        self._open.move_to_end(number)
        return self._open[number]


def _games(request: Request) -> BanditGames:
    """Those of this server."""
    state = request.app.state
    if not hasattr(state, "bandits"):
        state.bandits = BanditGames()
    games: BanditGames = state.bandits
    return games


@router.post("/api/bandits", status_code=201)
async def begin(request: Request, wish: NewBandit) -> dict[str, Any]:
    """Begin to play a bandit."""
    game: BanditGame = await off_loop("lab.bandits:BanditGame", **wish.seeded())
    return {"id": _games(request).add(game), **game.facts()}


@router.get("/api/bandits/{bandit}")
async def shown(request: Request, bandit: BanditId, reveal: bool = False) -> dict[str, Any]:
    """How it stands; with `reveal` what the arms really pay."""
    game, lock = _games(request).find(bandit)
    async with lock:
        return {"id": bandit, **game.facts(reveal)}


@router.post("/api/bandits/{bandit}/pull")
async def pull(request: Request, bandit: BanditId, wish: Pull) -> dict[str, Any]:
    """Pull an arm; the policies pull one each."""
    game, lock = _games(request).find(bandit)
    async with lock:
        if game.time >= MOST_PULLS:
            raise Refusal(422, f"after {MOST_PULLS} pulls it is enough; begin another bandit")
        reward = await off_loop(game.pull, wish.arm)
        return {"reward": reward, **game.facts()}
