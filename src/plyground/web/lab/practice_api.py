"""What the page to practise on asks for: an exercise, a verdict on its answers, and the answers themselves."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from plyground.web.server.bodies import Body, Language, Seed, Spec
from plyground.web.server.threads import aside
from plyground.web.server.wishes import Router

__all__ = ["router"]

router = Router()

Option = Annotated[int, Field(ge=0, le=100)]
Answer = Annotated[str, Field(max_length=200)]
Node = tuple[
    Annotated[int, Field(ge=0)], Literal["max", "min", "leaf"], Annotated[float, Field(allow_inf_nan=False)] | None
]


class PracticeExercise(Body):
    """An exercise by its kind, level and number; `options` are those that its kind has."""

    kind: Spec = "alphabeta"
    level: Annotated[int, Field(ge=1, le=5)] = 1
    number: Seed = 0
    options: Annotated[dict[Spec, Option], Field(max_length=10)] = Field(default_factory=dict)
    lang: Language = "en"


class PracticeAnswers(PracticeExercise):
    """The same with answers, by the keys of its items."""

    answers: Annotated[dict[Spec, Answer], Field(max_length=500)] = Field(default_factory=dict)


class PracticeHint(PracticeAnswers):
    """The same, and how far the help goes: where to look, the rule, the answer of one item."""

    step: Annotated[int, Field(ge=1, le=3)] = 1


class MarkedTree(Body):
    """A tree, and branches that somebody has marked as cut off: alpha or beta by the number of the node below.

    `labels` are what inner nodes are called, "" for those that have no name; or there are none at all.
    """

    nodes: Annotated[list[Node], Field(max_length=5000)]
    labels: Annotated[list[Spec], Field(max_length=5000)] = Field(default_factory=list)
    marks: Annotated[dict[Spec, Literal["alpha", "beta"]], Field(max_length=5000)] = Field(default_factory=dict)
    lang: Language = "en"


@router.get("/api/practice")
async def kinds() -> dict[str, Any]:
    """The kinds of exercises, and the levels."""
    return await aside("lab.practice:catalogue")


@router.post("/api/practice")
async def question(wish: PracticeExercise) -> dict[str, Any]:
    """An exercise as it is asked."""
    return await aside("lab.practice:asked", **wish.model_dump())


@router.post("/api/practice/judge")
async def judge(wish: PracticeAnswers) -> dict[str, Any]:
    """What is right and what is wrong, each with the reason."""
    return await aside("lab.practice:judged", **wish.model_dump())


@router.post("/api/practice/hint")
async def hint(wish: PracticeHint) -> dict[str, Any]:
    """Help with the first item that is not right yet."""
    return await aside("lab.practice:hinted", **wish.model_dump())


@router.post("/api/practice/solution")
async def solution(wish: PracticeExercise) -> dict[str, Any]:
    """What is right."""
    return await aside("lab.practice:solved", **wish.model_dump())


@router.post("/api/practice/cuts")
async def cuts(wish: MarkedTree) -> dict[str, Any]:
    """The judge for the cuts of any tree."""
    return await aside("lab.practice:judged_cuts", **wish.model_dump())
