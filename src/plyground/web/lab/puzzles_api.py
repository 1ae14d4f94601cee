"""What the page of puzzles asks for. The puzzle of the day is that of the day in UTC, so that it is everybody's."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field

from plyground.web.server.bodies import Body, Spec
from plyground.web.server.threads import aside
from plyground.web.server.wishes import Router

__all__ = ["router"]

router = Router()


class PuzzleNumber(Body):
    """A puzzle of a set."""

    game: Spec = "reversi"
    number: Annotated[int, Field(ge=0, le=100_000)]


class PuzzleMove(PuzzleNumber):
    """The same with a move; of a mate that is played on, also the moves of both sides before it."""

    move: Spec
    before: Annotated[list[Annotated[Spec, Field(max_length=12)]], Field(max_length=60)] = Field(default_factory=list)


@router.get("/api/puzzles")
async def sets() -> dict[str, Any]:
    """The sets of puzzles, and the puzzle of the day."""
    return await aside("lab.puzzles:catalogue", day=datetime.now(UTC).date().isoformat())


@router.post("/api/puzzles")
async def puzzle(wish: PuzzleNumber) -> dict[str, Any]:
    """A puzzle as it is asked."""
    return await aside("lab.puzzles:asked", **wish.model_dump())


@router.post("/api/puzzles/judge")
async def judge(wish: PuzzleMove) -> dict[str, Any]:
    """Whether a move is the best, and what follows."""
    return await aside("lab.puzzles:judged", **wish.model_dump())
