"""What the page of the Wumpus world asks for: films of agents, visits by hand, the scores of agents in many caves."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from plyground.web.server.bodies import Body, Language, Seed, Seeded
from plyground.web.server.threads import aside
from plyground.web.server.wishes import Router, Wish

__all__ = ["router"]

router = Router()
MOST_ACTIONS = 20 * 8 * 8
"""As many as the largest cave allows."""
Agent = Literal["random", "search", "lrta", "logical", "probabilistic"]


class CaveSize(Body):
    """The caves that an agent may meet: usually those whose gold can be reached."""

    width: Annotated[int, Field(ge=2, le=8)] = 4
    height: Annotated[int, Field(ge=2, le=8)] = 4
    pits: Annotated[float, Field(ge=0, le=0.6, allow_inf_nan=False)] = 0.2
    solvable: bool = True


class WumpusFilm(CaveSize, Seeded):
    """An agent and a cave; the map is shown to the visitor only if `truth` says so, and never to the agent."""

    agent: Agent = "probabilistic"
    truth: bool = True
    lang: Language = "en"


class WumpusVisit(CaveSize, Seeded):
    """A cave, and what a visitor has done in it so far; see `plyground.web.lab.wumpus.visit_by_hand`."""

    actions: Annotated[str, Field(max_length=MOST_ACTIONS, pattern="^[lrfgesc]*$")] = ""
    known: bool = False
    peek: bool = False
    lang: Language = "en"


@router.wish("wumpus", "lab.wumpus:compare", long=True)
class Scores(CaveSize, Wish):
    """The scores of agents in many caves."""

    agents: Annotated[list[Agent], Field(min_length=1, max_length=5)]
    worlds: Annotated[int, Field(ge=2, le=5000)] = 500
    seed: Seed = 0


@router.post("/api/wumpus")
async def film(wish: WumpusFilm) -> dict[str, Any]:
    """One visit, action by action, as a film."""
    return await aside("lab.wumpus:film_visit", **wish.seeded())


@router.post("/api/wumpus/visit")
async def visit(wish: WumpusVisit) -> dict[str, Any]:
    """A visit by hand, after what has been done so far. The map is sent at its end, or to whoever asks for it."""
    return await aside("lab.wumpus:visit_by_hand", **wish.seeded())
