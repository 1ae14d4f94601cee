"""What there is to choose from on the page of matrix games, and what it asks for."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from plyground.web.server.bodies import Language, Seed, Spec, Text
from plyground.web.server.threads import aside
from plyground.web.server.wishes import Router, Wish

__all__ = ["router"]

router = Router()


@router.wish("matrix", "lab.matrix:draw_matrix")
class MatrixFilm(Wish):
    """A film of a matrix game, its learners, the repeated game, or a cake; `text` is the game or the people."""

    what: Literal["game", "learn", "repeated", "cake"] = "game"
    text: Annotated[Text, Field(max_length=20_000)] = ""
    learner: Literal["fictitious", "regret"] = "fictitious"
    steps: Annotated[int, Field(ge=1, le=10_000_000)] = 10_000
    seed: Seed = 0
    strategies: Annotated[list[Spec], Field(max_length=40)] = Field(default_factory=list)
    rounds: Annotated[int, Field(ge=1, le=1000)] = 200
    known: bool = True
    noise: Annotated[float, Field(ge=0, le=0.5, allow_inf_nan=False)] = 0.0
    method: Spec = ""
    narrow: bool = False
    lang: Language = "en"


@router.get("/api/matrix")
async def matrix() -> dict[str, Any]:
    """Games that have a name, strategies of the repeated game, ways to divide a cake."""
    return await aside(_catalogue)


def _catalogue() -> dict[str, Any]:
    from plyground.subjects.cake.division import METHODS
    from plyground.subjects.cake.words import method_name
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
        "methods": [
            {"name": name, "title": {lang: method_name(name, lang) for lang in ("en", "zh")}, "people": people}
            for name, (_, people) in METHODS.items()
        ],
    }
