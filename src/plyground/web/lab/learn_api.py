"""The lessons of the course for the page that teaches: their list, and each of them in a language.

The server reads them by itself: they are small, and nothing is searched until a figure is in view.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from plyground.errors import UnknownName
from plyground.web.server.bodies import Language
from plyground.web.server.refusals import Refusal
from plyground.web.server.threads import off_loop
from plyground.web.server.wishes import Router

__all__ = ["router"]

router = Router()

Name = Annotated[str, Field(max_length=40)]


@router.get("/api/learn")
async def lessons(lang: Language = "en") -> dict[str, Any]:
    """The lessons in order, each with its title, what it is about, its sections, and how much there is to do in it."""
    return {"lessons": await off_loop(_listed, lang)}


@router.get("/api/learn/{name}")
async def lesson(name: Name, lang: Language = "en") -> dict[str, Any]:
    """A lesson: its parts as HTML, figures, quizzes and exercises; and the lessons before and after it."""
    return await off_loop(_shown, name, lang)


def _listed(lang: str) -> list[dict[str, Any]]:
    from plyground.course.lesson import lesson_names, read_lesson
    from plyground.course.lesson_html import markdown_html

    found = [read_lesson(name, lang) for name in lesson_names()]
    return [
        {
            "name": one.name,
            "title": one.title,
            "about": markdown_html(one.lead, lang, inline=True),
            "sections": [heading.text for heading in one.headings if heading.level == 2],
            "figures": len(one.figures),
            "exercises": [{"kind": exercise.kind, "level": exercise.level} for exercise in one.exercises],
            "quizzes": len(one.quizzes),
        }
        for one in found
    ]


def _shown(name: str, lang: str) -> dict[str, Any]:
    from plyground.course.lesson import read_lesson
    from plyground.course.lesson_html import lesson_blocks

    try:
        found = read_lesson(name, lang)
    except UnknownName as error:
        raise Refusal(404, str(error)) from None
    listed = _listed(lang)
    place = next(number for number, one in enumerate(listed) if one["name"] == name)
    return {
        **listed[place],
        "number": place + 1,
        "blocks": lesson_blocks(found),
        "previous": listed[place - 1] if place else None,
        "next": listed[place + 1] if place + 1 < len(listed) else None,
    }
