"""Sheets of exercises for a class: one variant a student, to be printed, with an answer key and an index.

Student k of a seed always gets the same sheet, however many students there are. No exercise is given twice: one that an
earlier student has is drawn again, with the next number of the same student, and so is one that was not found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plyground.course.exercises.exercise import Exercise, NoneFound, Question
from plyground.course.exercises.kinds import answer_key, ask, digest, make_exercise
from plyground.errors import BadOption
from plyground.pictures.filmstrip import styled_svg
from plyground.pictures.inlined import STATIC
from plyground.pictures.lettering import escaped
from plyground.pictures.player_words import check_language
from plyground.pictures.tree import Drawing, tree_svg

__all__ = [
    "MOST_EXERCISES",
    "MOST_STUDENTS",
    "Sheet",
    "answers_html",
    "index_html",
    "make_sheets",
    "sheet_file",
    "sheet_html",
]

MOST_STUDENTS = 2000
MOST_EXERCISES = 50
NUMBERS = 10**9
"""Numbers of exercises on sheets have at most nine digits, so that they can be typed."""
TRIES = 300
UNLUCKY = 12
"""Numbers for which nothing was found until it is said that there is nothing: of a rare wish many are."""
WIDE = 900
"""Pixels from which on a picture needs paper that lies on its side."""

WORDS = {
    "en": {
        "lang": "en", "title": "Exercises", "student": "Student {number}", "name": "Name", "points": "Points",
        "answers": "Answers", "index": "Exercises: all sheets", "key": "Answer key", "sheet": "Sheet",
        "source": "{kind} · level {level} · no. {number}", "own": "Own answer", "seed": "seed {seed}",
        "print": "Print each sheet from the browser, on A4 or Letter, or save it as a PDF there.",
        "count": "Students: {students}; exercises on each sheet: {count}", "reason": "Why", "item": "Item",
        "answer": "Answer", "unmarked": "Nothing is to be marked.",
    },
    "zh": {
        "lang": "zh-Hans", "title": "练习", "student": "学生 {number}", "name": "姓名", "points": "得分",
        "answers": "答案", "index": "练习：全部试卷", "key": "参考答案", "sheet": "试卷",
        "source": "{kind} · 难度 {level} · 编号 {number}", "own": "作答", "seed": "种子 {seed}",
        "print": "在浏览器里打印每份试卷（A4 或 Letter 纸），也可以在那里存成 PDF。",
        "count": "{students} 名学生，每人 {count} 题", "reason": "理由", "item": "项目", "answer": "答案",
        "unmarked": "没有要标记的。",
    },
}  # fmt: skip

STYLE = "sheet.css"
"""How sheets look on a screen and on paper."""


@dataclass(frozen=True)
class Sheet:
    """The exercises of one student, who is a number from 1 and may have a name."""

    student: int
    name: str
    exercises: tuple[Exercise, ...]


def make_sheets(
    kinds: Sequence[str],
    students: int,
    seed: int,
    *,
    count: int = 1,
    level: int = 3,
    options: Mapping[str, int] | None = None,
    names: Sequence[str] = (),
) -> Iterator[Sheet]:
    """The sheets of a class, `count` exercises of each kind on each; `BadOption` if there are not enough."""
    if not 1 <= students <= MOST_STUDENTS:
        raise BadOption(f"there are sheets for 1 to {MOST_STUDENTS:,} students, not for {students:,}")
    if not 1 <= count * len(kinds) <= MOST_EXERCISES:
        raise BadOption(f"a sheet has 1 to {MOST_EXERCISES} exercises, not {count * len(kinds)}")
    given: set[bytes] = set()
    for student in range(1, students + 1):
        exercises = tuple(
            _new_exercise(given, kind, level, options or {}, (seed, student, place))
            for place, kind in enumerate(kind for kind in kinds for _ in range(count))
        )
        yield Sheet(student, names[student - 1] if student <= len(names) else "", exercises)


def _new_exercise(
    given: set[bytes], kind: str, level: int, options: Mapping[str, int], where: tuple[int, int, int]
) -> Exercise:
    unlucky = 0
    for attempt in range(TRIES):
        text = "/".join(map(str, (*where, attempt)))
        number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % NUMBERS
        try:
            exercise = make_exercise(kind, level, number, options)
        except NoneFound:
            unlucky += 1
            if unlucky == UNLUCKY:
                raise
            continue
        if (mark := digest(exercise)) not in given:
            given.add(mark)
            return exercise
    raise BadOption(
        f"there are not enough different exercises {kind} of level {level} for {where[1]} students; take a higher level"
    )


def sheet_file(sheet: Sheet) -> str:
    """The name of a sheet's file: ``student-007.html``."""
    return f"student-{sheet.student:03d}.html"


# Pages ----------------------------------------------------------------------------------------------------------------


def sheet_html(sheet: Sheet, lang: str = "en") -> str:
    """The sheet as a page in one file, to be printed on A4 or Letter."""
    words = WORDS[check_language(lang)]
    questions = [ask(exercise, lang) for exercise in sheet.exercises]
    pictures = [_picture(question, lang) for question in questions]
    # It stands in the first exercise: by itself it would take a page where that one needs paper on its side.
    header = (
        f"<header><h1>{words['title']}</h1>"
        f"<span>{escaped(words['student'].format(number=sheet.student))}</span>"
        f"<span>{words['name']}: {escaped(sheet.name) or _blank()}</span>"
        f"<span>{words['points']}: {_blank('short')}</span></header>"
    )
    parts = []
    for place, (exercise, question, picture) in enumerate(zip(sheet.exercises, questions, pictures, strict=True), 1):
        asked = "".join(
            f"<li><span>{escaped(item.label)}</span>{_blank()}</li>" for item in question.items if item.form != "mark"
        )
        parts.append(
            f'<section class="exercise{" wide" if _width(picture) > WIDE else ""}">'
            f"{header if place == 1 else ''}<h2>{place}. {escaped(question.title)}</h2><p>{escaped(question.text)}</p>"
            f"<figure>{picture}</figure>"
            + (f'<ul class="items">{asked}</ul>' if asked else "")
            + f'<p class="source">{_source(exercise, words)}</p></section>'
        )
    title = f"{words['title']} {sheet.student}"
    return _page(title, "".join(parts), words)


def answers_html(sheets: Sequence[Sheet], lang: str = "en", *, seed: int = 0) -> str:
    """The answers to all sheets, with the reason of each, on one page."""
    words = WORDS[check_language(lang)]
    parts = [f"<header><h1>{words['key']}</h1><span>{words['seed'].format(seed=seed)}</span></header>"]
    for sheet in sheets:
        name = f" · {escaped(sheet.name)}" if sheet.name else ""
        parts.append(f'<section class="student" id="student-{sheet.student}">')
        parts.append(f"<h2>{escaped(words['student'].format(number=sheet.student))}{name}</h2>")
        for place, exercise in enumerate(sheet.exercises, 1):
            question = ask(exercise, lang)
            rows = "".join(
                f'<tr><td>{escaped(item.label)}</td><td class="right">{escaped(answer.text)}</td>'
                f"<td>{escaped(answer.reason)}</td></tr>"
                for item, answer in answer_key(exercise, lang)
            )
            table = (
                f"<table><thead><tr><th>{words['item']}</th><th>{words['answer']}</th><th>{words['reason']}</th></tr>"
                f"</thead><tbody>{rows}</tbody></table>"
            )
            parts.append(
                f'<section class="key"><h3>{place}. {escaped(question.title)}</h3>'
                f"<figure>{_picture(question, lang, solved=True)}</figure>"
                + (table if rows else f"<p>{words['unmarked']}</p>")
                + f'<p class="source">{_source(exercise, words)}</p></section>'
            )
        parts.append("</section>")
    return _page(words["key"], "".join(parts), words)


def index_html(sheets: Sequence[Sheet], lang: str = "en", *, seed: int = 0) -> str:
    """A page with a link to every sheet and to the answers."""
    words = WORDS[check_language(lang)]
    rows = "".join(
        f'<tr><td><a href="{sheet_file(sheet)}">{escaped(words["student"].format(number=sheet.student))}</a></td>'
        f"<td>{escaped(sheet.name)}</td>"
        f'<td><a href="answers.html#student-{sheet.student}">{words["answers"]}</a></td>'
        f"<td>{'<br>'.join(_source(exercise, words) for exercise in sheet.exercises)}</td></tr>"
        for sheet in sheets
    )
    count = words["count"].format(students=len(sheets), count=len(sheets[0].exercises) if sheets else 0)
    body = (
        f"<header><h1>{words['index']}</h1><span>{words['seed'].format(seed=seed)}</span></header>"
        f'<p>{count}. {words["print"]} <a href="answers.html">{words["key"]}</a></p>'
        f"<table><tbody>{rows}</tbody></table>"
    )
    return _page(words["index"], body, words)


def _blank(size: str = "") -> str:
    return f'<span class="blank {size}"></span>'


def _source(exercise: Exercise, words: Mapping[str, str]) -> str:
    said = words["source"].format(kind=exercise.kind, level=exercise.level, number=exercise.number)
    wishes = "".join(f" · {name.replace('_', ' ')} {value}" for name, value in exercise.options.items())
    return escaped(said + wishes)


def _picture(question: Question, lang: str, *, solved: bool = False) -> str:
    """The picture for paper, which has light colours only."""
    shown: Any = question.solved if solved else question.drawing or question.svg
    if isinstance(shown, Drawing):
        return tree_svg(shown, lang=lang)
    styled = styled_svg(shown, question.style)
    return styled if question.style == "exercise.css" else styled_svg(styled, "exercise.css")


def _width(svg: str) -> float:
    return float(svg.partition(' width="')[2].partition('"')[0])


def _page(title: str, body: str, words: Mapping[str, str]) -> str:
    return (
        f'<!doctype html>\n<html lang="{words["lang"]}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escaped(title)}</title>\n'
        f"<style>{(STATIC / STYLE).read_text('utf-8')}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
