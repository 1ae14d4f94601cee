"""Films of n queens by min-conflicts, for the queens page. Large boards are placed by a task of the search socket."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import Field

from plyground.web.server.bodies import Body
from plyground.web.server.threads import aside

__all__ = ["Placement", "router"]

router = APIRouter()


class Placement(Body):
    """How queens are placed; the fields are those of `plyground.subjects.queens.min_conflicts.Method`."""

    start: Literal["greedy", "permutation", "random"] = "greedy"
    choice: Literal["random", "first"] = "random"
    walk: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.0
    tabu: Annotated[int, Field(ge=0, le=100)] = 0
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    lang: Literal["en", "zh"] = "en"

    @property
    def chosen_seed(self) -> int:
        """The seed, or a new one."""
        return secrets.randbelow(1_000_000) if self.seed is None else self.seed


class FilmedPlacement(Placement):
    """The same on a board that is small enough for a film."""

    n: Annotated[int, Field(ge=1, le=40)] = 8


@router.post("/api/queens")
async def film(wish: FilmedPlacement) -> dict[str, Any]:
    """Min-conflicts step by step, as a film."""

    def make() -> dict[str, Any]:
        from plyground.native.compiling import interpreted
        from plyground.pictures.filmstrip import film_data
        from plyground.subjects.queens.min_conflicts import Method
        from plyground.subjects.queens.pictures import film_title, queens_frames

        seed = wish.chosen_seed
        with interpreted():  # a small board does not need machine code, and the server should not wait for it
            frames = queens_frames(
                wish.n, Method(wish.start, wish.choice, wish.walk, wish.tabu), seed=seed, lang=wish.lang
            )
        return {"seed": seed, "film": film_data(frames, title=film_title(wish.n, wish.lang), lang=wish.lang)}

    return await aside(make)
