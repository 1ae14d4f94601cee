"""Pac-Man by hand: the page sends a position and a step, and gets a picture; it keeps the history of the game.

Games of programs are played by a worker.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Request
from pydantic import Field

from plyground.web.server.bodies import Body, Language, Seed, Spec
from plyground.web.server.threads import off_loop
from plyground.web.server.wishes import Router, Wish

__all__ = ["router"]

router = Router()
GHOST_TIME = 10.0
Kind = Literal["minimax", "random", "directional", "none"]


class Maze(Body):
    """A maze of ours and its ghosts."""

    maze: Spec = "small"
    ghosts: Annotated[list[Kind], Field(max_length=6)] = Field(default_factory=list)
    seed: Seed = 0
    lang: Language = "en"


class Step(Maze):
    """A game so far, a digit for each ply, and what Pac-Man does: 0 north, 1 east, 2 south, 3 west, 4 stop."""

    history: Annotated[str, Field(max_length=50_000, pattern="^[0-4]*$")] = ""
    action: Annotated[int, Field(ge=0, le=4)] | None = None


@router.wish("pacman", "lab.pacman:watch_games", long=True)
class ProgramGames(Maze, Wish):
    """Games of a program; `believes` is what it takes the ghosts for, and what they are, or it needs, if not set."""

    player: Literal["expectimax", "learned", "minimax", "alphabeta", "mcts", "random"] = "expectimax"
    rounds: Annotated[int, Field(ge=1, le=5)] = 2
    believes: Literal["minimax", "random", "directional", "true"] | None = None
    games: Annotated[int, Field(ge=1, le=200)] = 1


@router.post("/api/pacman/step")
async def step(request: Request, wish: Step) -> dict[str, Any]:
    """The position after a round; without an action the position itself."""
    game, history, waits, before = (wish.maze, wish.ghosts), wish.history, False, None
    if wish.action is not None:
        before = history
        history, waits = await off_loop("lab.pacman:play_round", *game, history, wish.action, wish.seed)
    if waits:
        work = {
            **wish.model_dump(include={"maze", "ghosts", "seed"}),
            "do": "lab.pacman:choose_ghosts",
            "history": history,
        }
        pool = request.app.state.pool
        visitor, address = request.scope["visitor"], request.scope["address"]
        job = pool.submit(visitor, work, address=address, time=GHOST_TIME, counted=False)
        history = (await job.result())["history"]
    return await off_loop("lab.pacman:position_facts", *game, history, before, wish.lang)
