"""What the queens page asks for: a film of min-conflicts, or the solution of a large board."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from plyground.web.server.bodies import Language, Seeded
from plyground.web.server.settings import Limits
from plyground.web.server.threads import aside
from plyground.web.server.wishes import Router, Wish

__all__ = ["router"]

router = Router()
MOST_BY_HAND = 12


class Method(Seeded):
    """How queens are placed; the fields are those of `plyground.subjects.queens.min_conflicts.Method`."""

    start: Literal["greedy", "permutation", "random"] = "greedy"
    choice: Literal["random", "first"] = "random"
    walk: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.0
    tabu: Annotated[int, Field(ge=0, le=100)] = 0
    lang: Language = "en"


Placed = Annotated[list[Annotated[int, Field(ge=-1, lt=MOST_BY_HAND)]], Field(min_length=1, max_length=MOST_BY_HAND)]
"""The rows of queens that a visitor has placed, -1 for a column without one."""


class QueensFilm(Method):
    """The same on a board that is small enough for a film; or from where a visitor has placed them."""

    n: Annotated[int, Field(ge=1, le=40)] = 8
    rows: Placed | None = None


class QueensHint(Seeded):
    """A board that a visitor has placed."""

    rows: Placed
    lang: Language = "en"


@router.wish("queens", "lab.queens:solve_board")
class LargeBoard(Method, Wish):
    """Queens on a board of any size up to a million."""

    n: Annotated[int, Field(ge=0, le=1_000_000)] = 1000

    def work(self, limits: Limits) -> tuple[dict[str, Any], float]:
        return self.seeded(), limits.search


@router.post("/api/queens")
async def film(wish: QueensFilm) -> dict[str, Any]:
    """Min-conflicts step by step, as a film."""
    return await aside("lab.queens:film_board", **wish.seeded())


@router.post("/api/queens/hint")
async def hint(wish: QueensHint) -> dict[str, Any]:
    """What min-conflicts would do next, and why."""
    return await aside("lab.queens:hint", **wish.seeded())
