"""What can begin at once. Whoever asks shows a page, so what it may need is compiled first."""

from __future__ import annotations

import contextlib
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import ValidationError

from plyground.web.server.readiness import preparing
from plyground.web.server.refusals import Refusal
from plyground.web.server.threads import aside

__all__ = ["router"]

router = APIRouter()
Spec = Annotated[str, Query(max_length=300)]


@router.get("/api/ready")
async def ready(request: Request, game: Spec, player: Spec = "") -> dict[str, Any]:
    """For each opponent's card of a game: ``ready``, ``compiling`` or ``waiting``. `player` is the one chosen.

    `opponents` is null where nothing is compiled ahead.
    """
    if not request.app.state.settings.compile_ahead:
        return {"opponents": None}
    readiness = request.app.state.readiness
    opponents, others = await aside(_players, game, player)
    readiness.want([preparing(game, spec) for spec in (*others[:1], *opponents, *others[1:])])
    return {"opponents": {spec: readiness.state(preparing(game, spec)) for spec in opponents}}


@router.get("/api/ready/{page}")
async def page_ready(request: Request, page: Annotated[str, Path(max_length=40)]) -> dict[str, bool]:
    """Whether all is ready that a page of the laboratory asks of workers, as it asks with its usual settings."""
    state = request.app.state
    if not state.settings.compile_ahead:
        return {"ready": False}
    works = []
    for wish in state.page_wishes.get(f"/{page}", ()):
        with contextlib.suppress(ValidationError, Refusal):  # it has no usual settings
            works.append({"do": wish.task, **wish().work(state.settings.limits)[0]})
    state.readiness.want(works)
    return {"ready": all(state.readiness.state(work) == "ready" for work in works)}


def _players(game: str, player: str) -> tuple[list[str], list[str]]:
    """The players on the cards, and what else the page may need: the one chosen, and the one that gives hints."""
    from plyground.web.games.hints import hinting_player
    from plyground.web.server.catalogue import about
    from plyground.web.server.specs import HUMAN, allowed_game, allowed_player

    made = allowed_game(game)
    chosen = [allowed_player(player, game)] if player and player != HUMAN else []
    cards = about()["cards"].get(made.name) or about()["cards"].get(game.partition(":")[0], [])
    return [card["spec"] for card in cards], [*chosen, hinting_player(made)]
