"""Exercises for the page to practise on, and the judge of all exercises in the app, those of Watch too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plyground.course.exercises.alphabeta import cut_answers, cut_items
from plyground.course.exercises.exercise import LEVELS, Question, Verdict
from plyground.course.exercises.kinds import KINDS, answer_key, ask, judge, make_exercise, verdicts
from plyground.course.exercises.plain_tree import flat_tree
from plyground.pictures.tree import Drawing, tree_data

__all__ = ["asked", "catalogue", "hinted", "judged", "judged_cuts", "solved"]


def catalogue() -> dict[str, Any]:
    """The kinds of exercises with their titles, and the levels."""
    first = {kind: make_exercise(kind) for kind in KINDS}
    return {
        "kinds": [
            {"name": kind, "title": {lang: ask(one, lang).title for lang in ("en", "zh")}}
            for kind, one in first.items()
        ],
        "levels": list(LEVELS),
    }


def asked(kind: str, level: int, number: int, options: Mapping[str, int], lang: str) -> dict[str, Any]:
    """The question: its text, its items, and a tree or a picture."""
    question = ask(make_exercise(kind, level, number, options), lang)
    return {
        "title": question.title,
        "text": question.text,
        "items": [
            {"key": item.key, "label": item.label, "form": item.form, "choices": item.choices, "hint": item.hint}
            for item in question.items
        ],
        **_shown(question.drawing or question.svg, lang),
    }


def _shown(picture: Drawing | str, lang: str) -> dict[str, Any]:
    if isinstance(picture, Drawing):
        return {"drawing": {**tree_data(picture, lang=lang), "question": ""}, "svg": ""}
    return {"drawing": None, "svg": picture}


def judged(
    kind: str, level: int, number: int, options: Mapping[str, int], lang: str, answers: Mapping[str, str]
) -> dict[str, Any]:
    """What is said about each answer, and about all of them."""
    return _told(judge(make_exercise(kind, level, number, options), answers, lang))


def hinted(
    kind: str, level: int, number: int, options: Mapping[str, int], lang: str, answers: Mapping[str, str], step: int
) -> dict[str, Any]:
    """Help with the first item that is not right yet: step 1 says which it is, 2 the rule there, 3 the answer.

    Values of a tree are helped with from the leaves up, because the rule at a node names the values below it. There is
    no key if nothing is left to help with.
    """
    exercise = make_exercise(kind, level, number, options)
    found = judge(exercise, answers, lang)
    if all(item.key.isdigit() and item.form in ("number", "text") for item in ask(exercise, lang).items):
        found = found[::-1]
    first = next((one for one in found if one.found != "right"), None)
    if first is None:
        return {"key": "", "label": "", "reason": "", "expected": None}
    return {
        "key": first.key,
        "label": first.label,
        "reason": first.reason if step > 1 else "",
        "expected": first.expected if step > 2 else None,
    }


def solved(kind: str, level: int, number: int, options: Mapping[str, int], lang: str) -> dict[str, Any]:
    """The answers with their reasons, and the picture with the answers in it."""
    exercise = make_exercise(kind, level, number, options)
    question: Question = ask(exercise, lang)
    return {
        "answers": [
            {"key": item.key, "label": item.label, "text": answer.text, "reason": answer.reason}
            for item, answer in answer_key(exercise, lang)
        ],
        **_shown(question.solved, lang),
    }


def judged_cuts(
    nodes: Sequence[Sequence[Any]], labels: Sequence[str], marks: Mapping[str, str], lang: str
) -> dict[str, Any]:
    """The same for the cuts of any tree, given as nodes [parent, shape, value]."""
    tree = flat_tree(nodes, labels)
    return _told(verdicts(cut_items(tree, lang), cut_answers(tree, lang), marks))


def _told(found: Sequence[Verdict]) -> dict[str, Any]:
    return {
        "verdicts": [
            {"key": one.key, "label": one.label, "found": one.found, "given": one.given, "expected": one.expected,
             "reason": one.reason}
            for one in found
        ],
        "right": sum(one.found == "right" for one in found),
        "complete": all(one.found == "right" for one in found),
    }  # fmt: skip
