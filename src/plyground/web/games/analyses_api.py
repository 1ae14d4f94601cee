"""What pages ask about positions and games on the socket of searches: hints, and a game judged move by move."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from plyground.web.server.bodies import Line, Spec, Text
from plyground.web.server.settings import Limits
from plyground.web.server.wishes import Router, Wish

__all__ = ["router"]

router = Router()
HINT_TIME = 5.0

Seconds = Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)]
Depth = Annotated[int, Field(ge=1, le=64)]


@router.wish("hints", "games.hints:give_hints", long=True)
class Hints(Line, Wish):
    """What every legal move is worth."""

    player: Spec = ""
    time: Seconds | None = None
    depth: Depth | None = None

    def work(self, limits: Limits) -> tuple[dict[str, Any], float]:
        from plyground.web.server.specs import allowed_game, allowed_player

        allowed_game(self.game)
        if self.player:
            allowed_player(self.player, self.game)
        time = min(self.time or HINT_TIME, limits.search)
        return {**self.model_dump(), "time": time}, time


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
