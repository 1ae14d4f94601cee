"""Pac-Man by hand: a position and a step are asked, a picture is answered; the page keeps the history of the game."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import Field

from plyground.web.server.bodies import Body, Spec
from plyground.web.server.threads import off_loop

__all__ = ["Watched", "router"]

router = APIRouter()
GHOST_TIME = 10.0
Kind = Literal["minimax", "random", "directional", "none"]
Ghosts = Annotated[list[Kind], Field(max_length=6)]
Seed = Annotated[int, Field(ge=0, lt=2**53)]


class Step(Body):
    """A game so far, a digit for each ply, and what Pac-Man does: 0 north, 1 east, 2 south, 3 west, 4 stop."""

    maze: Spec = "small"
    ghosts: Ghosts = Field(default_factory=list)
    seed: Seed = 0
    history: Annotated[str, Field(max_length=50_000, pattern="^[0-4]*$")] = ""
    action: Annotated[int, Field(ge=0, le=4)] | None = None
    lang: Literal["en", "zh"] = "en"


class Watched(Body):
    """Games of a program; `believes` is what it takes the ghosts for, and what they are, or it needs, if not set."""

    maze: Spec = "small"
    ghosts: Ghosts = Field(default_factory=list)
    player: Literal["expectimax", "learned", "minimax", "alphabeta", "mcts", "random"] = "expectimax"
    rounds: Annotated[int, Field(ge=1, le=5)] = 2
    believes: Literal["minimax", "random", "directional", "true"] | None = None
    games: Annotated[int, Field(ge=1, le=200)] = 1
    seed: Seed = 0
    lang: Literal["en", "zh"] = "en"

    def work(self, limits: Any) -> tuple[dict[str, Any], float, bool]:
        """The work, how long it may take, and whether that is long."""
        return self.model_dump(), limits.analysis, True


@router.post("/api/pacman/step")
async def step(request: Request, wish: Step) -> dict[str, Any]:
    """The position after a round; without an action the position itself."""

    def go() -> tuple[str, bool]:
        from plyground.web.lab.pacman import play_round

        if wish.action is None:
            return wish.history, False
        return play_round(wish.maze, wish.ghosts, wish.history, wish.action, wish.seed)

    history, waits = await off_loop(go)
    if waits:
        work = {"do": "ghosts", "maze": wish.maze, "ghosts": list(wish.ghosts), "history": history, "seed": wish.seed}
        pool = request.app.state.pool
        job = pool.submit(request.scope["visitor"], work, time=GHOST_TIME, counted=False, on_event=lambda _: None)
        history = (await job.result())["history"]

    def shown() -> dict[str, Any]:
        from plyground.web.lab.pacman import started

        before = None if wish.action is None else wish.history
        return started(wish.maze, wish.ghosts, history, before, wish.lang)

    return await off_loop(shown)
