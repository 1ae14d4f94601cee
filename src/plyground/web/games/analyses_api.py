"""What pages ask about positions and games: hints, a game judged move by move, a move explained, what others played."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Request
from pydantic import Field

from plyground.web.server.bodies import Line, Spec, Text
from plyground.web.server.pool import Stopped, WorkFailed
from plyground.web.server.refusals import Refusal, code_of
from plyground.web.server.settings import Limits
from plyground.web.server.wishes import Router, Wish

__all__ = ["router"]

router = Router()
HINT_TIME = 5.0
TURN = 20.0
"""Seconds after which an endless search gives way to searches that wait."""
EXPLORING = 10.0
"""Seconds in which the moves of a position are looked up; most of it is for counting games that are new."""
MOST_OWN = 500
"""Games of the visitor that the explorer counts, those that ended last."""

Seconds = Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)]
Depth = Annotated[int, Field(ge=1, le=64)]


@router.wish("hints", "games.hints:give_hints", long=True)
class Hints(Line, Wish):
    """What every legal move is worth; `endless` for as long as the longest analysis, or until it is stopped."""

    player: Spec = ""
    time: Seconds | None = None
    depth: Depth | None = None
    endless: bool = False

    @property
    def turn(self) -> float | None:
        return TURN if self.endless else None

    def work(self, limits: Limits) -> tuple[dict[str, Any], float]:
        from plyground.web.server.specs import allowed_game, allowed_player

        allowed_game(self.game)
        if self.player:
            allowed_player(self.player, self.game)
        time = limits.analysis if self.endless else min(self.time or HINT_TIME, limits.search)
        return {**self.model_dump(exclude={"endless"}), "time": time}, time


@router.wish("analyse", "games.analyses:analyse_game", long=True)
class Analyse(Line, Wish):
    """A game judged move by move; `text` is in any format, `moves` are from the `board`."""

    text: Text = ""
    time: Seconds | None = None
    depth: Depth | None = None
    lines: Annotated[int, Field(ge=0, le=60)] = 0

    def work(self, limits: Limits) -> tuple[dict[str, Any], float]:
        from plyground.web.server.specs import allowed_game

        allowed_game(self.game)
        time = None if self.time is None else min(self.time, limits.search)
        return {**self.model_dump(), "time": time}, limits.analysis


@router.wish("explain", "games.explaining:explain_move", long=True)
class Explain(Line, Wish):
    """Why the last of the `moves` was good or bad."""

    time: Seconds | None = None

    def work(self, limits: Limits) -> tuple[dict[str, Any], float]:
        from plyground.web.server.specs import allowed_game

        allowed_game(self.game)
        time = min(self.time or HINT_TIME, limits.search)
        return {**self.model_dump(), "time": time}, 2 * time


class Explore(Line):
    """A position to be looked up; whoever is `patient` waits longer while games are counted, and asks less often."""

    patient: bool = False


@router.post("/api/explore")
async def explore(request: Request, wish: Explore) -> dict[str, Any]:
    """What books and games know of the moves of a position; while games are being counted, of those counted so far."""
    state = request.app.state
    visitor, address = request.scope["visitor"], request.scope["address"]
    own = await state.tables.store.played_by(visitor, wish.game.strip(), MOST_OWN)
    known = {"database": str(state.settings.database), "own": own}
    work = {**wish.model_dump(), "do": "games.exploring:explore", **known}
    try:
        found: dict[str, Any] = await state.pool.submit(visitor, work, address=address, time=EXPLORING).result()
    except (Stopped, WorkFailed) as error:
        raise Refusal(503, str(error) or "the server is closing", code_of(error)) from None
    return found
