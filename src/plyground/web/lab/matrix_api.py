"""What there is to choose from on the page of matrix games."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from plyground.web.server.threads import aside

__all__ = ["router"]

router = APIRouter()


@router.get("/api/matrix")
async def matrix() -> dict[str, Any]:
    """Games that have a name, strategies of the repeated game, ways to divide a cake."""
    return await aside(_catalogue)


def _catalogue() -> dict[str, Any]:
    from plyground.subjects.cake.division import METHODS
    from plyground.subjects.matrix.named_games import NAMED_GAMES
    from plyground.subjects.matrix.strategies import STRATEGIES

    return {
        "games": [
            {
                "name": game.name,
                "title": game.title,
                "about": game.about,
                "text": {lang: game.text_in(lang) for lang in ("en", "zh")},
            }
            for game in NAMED_GAMES.values()
        ],
        "strategies": [{"name": strategy.name, "about": strategy.about} for strategy in STRATEGIES.values()],
        "methods": [{"name": name, "people": people} for name, (_, people) in METHODS.items()],
    }
