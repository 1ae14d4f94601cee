"""What the page to watch searches asks for: a search drawn step by step, or a player live while it thinks."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from plyground.web.server.bodies import Language, Line, Seed, Spec, Text
from plyground.web.server.refusals import Refusal
from plyground.web.server.settings import Limits
from plyground.web.server.wishes import Router, Wish

__all__ = ["router"]

router = Router()


@router.wish("watch", "lab.watch:draw_search")
class DrawnSearch(Wish):
    """A search to be drawn, on a game, a lesson or a tree; `steps` replays the last simulations of mcts."""

    game: Spec = ""
    lesson: Spec = ""
    tree: Any = None
    algorithm: Spec = ""
    depth: Annotated[int, Field(ge=1, le=64)] | None = None
    moves: Text = ""
    board: Text = ""
    evaluation: Spec = ""
    order: Spec = ""
    symmetry: bool = False
    quiescence: bool = False
    simulations: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    steps: Annotated[int, Field(ge=1, le=60)] | None = None
    seed: Seed = 0
    lang: Language = "en"

    def work(self, limits: Limits) -> tuple[dict[str, Any], float]:
        work = self.model_dump()
        what, shown = work.pop("lesson") or self.game, work.pop("steps")
        del work["game"]
        if not what and self.tree is None:
            raise Refusal(422, "say what to watch: a game, a lesson or a tree")
        return {**work, "what": what, "shown": shown}, limits.search


@router.wish("think", "lab.watch:think_aloud", long=True)
class LiveSearch(Line, Wish):
    """A player to watch while it chooses a move that nobody plays."""

    player: Spec = "mcts:time=5"
    seed: Seed | None = None
    lang: Language = "en"
    large: bool = True

    def work(self, limits: Limits) -> tuple[dict[str, Any], float]:
        from plyground.web.server.specs import HUMAN, allowed_player, own_limit

        if allowed_player(self.player, self.game) == HUMAN:
            raise Refusal(422, "a person thinks without a tree that could be shown; name a program")
        time = own_limit(self.player, limits.search).time or limits.search
        return {**self.model_dump(), "time": time}, time
