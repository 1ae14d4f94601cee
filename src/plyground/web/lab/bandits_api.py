"""Bandits that a visitor plays by hand, while policies play the same arms with the same luck beside."""

from __future__ import annotations

import asyncio
import secrets
import time as clock
from collections import OrderedDict
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Request
from pydantic import Field

from plyground.web.server.bodies import Body, Number, Spec, Text
from plyground.web.server.refusals import Refusal
from plyground.web.server.threads import off_loop

if TYPE_CHECKING:
    from plyground.web.lab.bandits import Casino

__all__ = ["Casinos", "router"]

router = APIRouter()
KEPT = 500
"""How many are kept of all visitors, those used last; a page can begin one again from its seed and its pulls."""
MOST_PULLS = 2000

BanditId = Annotated[str, Field(max_length=40)]


class NewBandit(Body):
    """Arms, written as means, ``0.6,0.55,0.4``, or ``random:5`` for hidden ones; and who plays beside the visitor.

    `pulled` are arms that have been pulled before, as when a page is loaded again.
    """

    arms: Annotated[Text, Field(max_length=2000)] = "0.6,0.55,0.4"
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    sigma: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = None
    policies: Annotated[list[Spec], Field(max_length=8)] = Field(default_factory=lambda: ["greedy", "ucb1", "thompson"])
    pulled: Annotated[list[Number], Field(max_length=MOST_PULLS)] = Field(default_factory=list)


class Pull(Body):
    """The arm to pull, from 0."""

    arm: Number


class Casinos:
    """The bandits of all visitors, while the server runs."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, tuple[Casino, asyncio.Lock, float]] = OrderedDict()

    def add(self, casino: Casino) -> str:
        """Keep one, and the least used of too many no longer."""
        number = secrets.token_urlsafe(9)
        self._open[number] = (casino, asyncio.Lock(), clock.monotonic())
        while len(self._open) > KEPT:
            self._open.popitem(last=False)
        return number

    def find(self, number: str) -> tuple[Casino, asyncio.Lock]:
        """The one of that id."""
        if number not in self._open:
            raise Refusal(404, "there is no such bandit; begin it again")
        self._open.move_to_end(number)
        return self._open[number][:2]


@router.post("/api/bandits", status_code=201)
async def begin(request: Request, wish: NewBandit) -> dict[str, Any]:
    """Begin to play a bandit."""

    def make() -> Casino:
        from plyground.web.lab.bandits import Casino

        seed = secrets.randbelow(1_000_000_000) if wish.seed is None else wish.seed
        made = Casino(wish.arms, wish.sigma, seed, wish.policies)
        for arm in wish.pulled:
            made.pull(arm)
        return made

    casino = await off_loop(make)
    return {"id": request.app.state.casinos.add(casino), **casino.facts()}


@router.get("/api/bandits/{bandit}")
async def shown(request: Request, bandit: BanditId, reveal: bool = False) -> dict[str, Any]:
    """How it stands; with `reveal` what the arms really pay."""
    casino, lock = request.app.state.casinos.find(bandit)
    async with lock:
        return {"id": bandit, **casino.facts(reveal)}


@router.post("/api/bandits/{bandit}/pull")
async def pull(request: Request, bandit: BanditId, wish: Pull) -> dict[str, Any]:
    """Pull an arm; the policies pull one each."""
    casino, lock = request.app.state.casinos.find(bandit)
    async with lock:
        if casino.time >= MOST_PULLS:
            raise Refusal(422, f"after {MOST_PULLS} pulls it is enough; begin another bandit")
        reward = await off_loop(casino.pull, wish.arm)
        return {"reward": reward, **casino.facts()}
