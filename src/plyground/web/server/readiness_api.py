"""Which opponents can begin at once. Whoever asks shows a page, so what it shows is compiled first."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from plyground.web.server.threads import aside

__all__ = ["router"]

router = APIRouter()
Spec = Annotated[str, Query(max_length=300)]


@router.get("/api/ready")
async def ready(request: Request, game: Spec, player: Spec = "") -> dict[str, Any]:
    """For each opponent's card of a game: ``ready``, ``compiling`` or ``waiting``. `player` is the one chosen."""
    readiness = request.app.state.readiness
    opponents, others = await aside(_players, game, player)
    readiness.want([(game, spec) for spec in (*others[:1], *opponents, *others[1:])])
    return {"opponents": {spec: readiness.state((game, spec)) for spec in opponents}}


def _players(game: str, player: str) -> tuple[list[str], list[str]]:
    """The players on the cards, and what else the page may need: the one chosen, and the one that gives hints."""
    from plyground.web.games.hints import hinting_player
    from plyground.web.server.catalogue import about
    from plyground.web.server.specs import HUMAN, allowed_game, allowed_player

    made = allowed_game(game)
    chosen = [allowed_player(player, game)] if player and player != HUMAN else []
    cards = about()["cards"].get(made.name) or about()["cards"].get(game.partition(":")[0], [])
    return [card["spec"] for card in cards], [*chosen, hinting_player(made)]
