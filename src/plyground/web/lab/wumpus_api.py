"""Films of visits to the Wumpus world, for its page. Statistics are a task of the search socket."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import Field

from plyground.web.server.bodies import Body
from plyground.web.server.threads import aside

__all__ = ["Name", "Visit", "router"]

router = APIRouter()
Name = Literal["random", "search", "lrta", "logical", "probabilistic"]


class Visit(Body):
    """An agent and a cave; the map is shown to the visitor only if `truth` says so, and never to the agent."""

    agent: Name = "probabilistic"
    width: Annotated[int, Field(ge=2, le=8)] = 4
    height: Annotated[int, Field(ge=2, le=8)] = 4
    pits: Annotated[float, Field(ge=0, le=0.6, allow_inf_nan=False)] = 0.2
    solvable: bool = False
    truth: bool = True
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    lang: Literal["en", "zh"] = "en"


@router.post("/api/wumpus")
async def film(wish: Visit) -> dict[str, Any]:
    """One visit, action by action, as a film."""

    def make() -> dict[str, Any]:
        from plyground.native.compiling import interpreted
        from plyground.pictures.filmstrip import film_data
        from plyground.subjects.wumpus.agents import explore, make_agent
        from plyground.subjects.wumpus.pictures import film_title, visit_frames
        from plyground.subjects.wumpus.world import Cave, make_world

        seed = secrets.randbelow(1_000_000) if wish.seed is None else wish.seed
        cave = Cave(wish.width, wish.height, wish.pits, 5 * wish.width * wish.height + 60)
        with interpreted():
            world = make_world(cave, seed=seed, solvable=wish.solvable)
            record = explore(world, make_agent(wish.agent, cave, seed), keep_turns=True)
            frames = visit_frames(record, truth=wish.truth, lang=wish.lang)
        final = record.final
        return {
            "seed": seed,
            "score": final.score,
            "steps": final.steps,
            "alive": final.alive,
            "has_gold": final.has_gold,
            "film": film_data(frames, title=film_title(wish.agent, wish.lang), lang=wish.lang),
        }

    return await aside(make)
