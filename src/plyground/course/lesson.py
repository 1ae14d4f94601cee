"""Lessons: Markdown with live figures, quizzes and exercises, read into values.

A lesson begins with its title, `# ...`, and a paragraph that says what it is about. Three kinds of fences are not code:

    ```figure watch                               the page of the app that shows it
    tree: ((3 12 8) (2 4 6) (14 5 2))             the parameters of that page's address, one a line
    algorithm: alphabeta
    caption: Alpha-beta on the worked tree.       the last line
    ```

    ```quiz
    Which leaves are never seen?                  the question, on one or more lines
    - [x] x and y | 2 is already less than 3.     right, and why
    - [ ] none | Minimax sees them all.           wrong, and why not
    ```

    ```exercise                                   a link to practice of a kind
    kind: alphabeta
    level: 2                                      from 1 to 5; 1 if it is not there
    ```

This module imports nothing heavy: the build of the documentation reads lessons too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

from plyground.core.files import read_text
from plyground.course.lessons import LESSONS
from plyground.errors import BadOption, FormatError, UnknownName, suggestion

__all__ = [
    "FIGURE_PAGES",
    "FOLDER",
    "LANGUAGES",
    "Answer",
    "Exercise",
    "Figure",
    "Heading",
    "Lesson",
    "Part",
    "Quiz",
    "Text",
    "lesson_file",
    "lesson_names",
    "parse_lesson",
    "read_lesson",
    "with_scripts",
]

FOLDER = Path(__file__).with_name("lessons")
LANGUAGES = {"en": "", "zh": ".zh"}
"""The languages, each with what the names of its files have before .md."""
FIGURE_PAGES = ("watch", "bandits", "queens", "wumpus", "matrix", "pacman", "hidden")
"""Pages of the app that a figure can show."""
LARGEST = 100_000
"""Bytes of a lesson."""
LONGEST = 4000
"""Characters of a parameter of a figure."""
MOST_ANSWERS = 8
LEVELS = range(1, 6)

FENCE = re.compile(r"(?P<marks>`{3,}|~{3,})(?P<info>[^`]*)")
KEY_VALUE = re.compile(r"(?P<key>[a-z][a-z0-9_]*):(?: +(?P<value>.*))?")
ANSWER = re.compile(r"- \[(?P<right>[ x])\] +(?P<rest>.*)")
HEADING = re.compile(r"(?P<marks>#{1,6}) +(?P<text>.+?)(?: +#+)? *")
COMMENT = re.compile(r"<!--.*-->\s*")
NAME = re.compile(r"[a-z][a-z0-9_]*")
SCRIPT = re.compile(
    r"(?P<kept><(?P<tag>pre|code)\b.*?</(?P=tag)>|<[^>]*>)"
    r"|(?<=\w)\^(?:\((?P<group>[^()<>]*)\)|(?P<power>[⌈⌊][^⌉⌋<>]*[⌉⌋]|[A-Za-z0-9]+))"
    r"|(?<=\b[A-Za-zΔμ])_(?P<index>[a-zπρσθ])(?![A-Za-z0-9_])",
    re.DOTALL,
)


@dataclass(frozen=True)
class Text:
    """Markdown between figures, quizzes and exercises. `line` is where it begins in the file, from 1."""

    markdown: str
    line: int


@dataclass(frozen=True)
class Figure:
    """Something that the app shows: a page, the parameters of its address, and what is written below it."""

    page: str
    query: tuple[tuple[str, str], ...]
    caption: str
    line: int

    @property
    def address(self) -> str:
        """Where the app shows the same: ``/watch?lesson=worked``."""
        query = urlencode(self.query, quote_via=quote, safe=":,()/;")
        return f"/{self.page}?{query}" if query else f"/{self.page}"

    @property
    def key(self) -> str:
        """Eight digits that are the same as long as the figure shows the same, whatever its caption says."""
        return hashlib.sha256(self.address.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class Answer:
    """An answer of a quiz in Markdown, whether it is right, and why or why not."""

    text: str
    right: bool
    why: str


@dataclass(frozen=True)
class Quiz:
    """A question in Markdown and its answers, of which one or more are right."""

    question: str
    answers: tuple[Answer, ...]
    line: int


@dataclass(frozen=True)
class Exercise:
    """Practice of a kind, at a level from 1 to 5."""

    kind: str
    level: int
    line: int

    @property
    def address(self) -> str:
        """Where the app has it."""
        return f"/practice?kind={self.kind}&level={self.level}"


Part = Text | Figure | Quiz | Exercise


@dataclass(frozen=True)
class Heading:
    """A heading of a lesson, 1 for its title, 2 for its sections."""

    level: int
    text: str


@dataclass(frozen=True)
class Lesson:
    """A lesson in one language: its title, the paragraph below it, all headings, and its parts without these two."""

    name: str
    lang: str
    title: str
    lead: str
    headings: tuple[Heading, ...]
    parts: tuple[Part, ...]

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures, from the first to the last."""
        return tuple(part for part in self.parts if isinstance(part, Figure))

    @property
    def quizzes(self) -> tuple[Quiz, ...]:
        """The quizzes, from the first to the last."""
        return tuple(part for part in self.parts if isinstance(part, Quiz))

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The exercises, from the first to the last."""
        return tuple(part for part in self.parts if isinstance(part, Exercise))


# Finding ------------------------------------------------------------------------------------------------------------


def lesson_file(name: str, lang: str = "en") -> Path:
    """The file of a lesson, whether it is there or not."""
    return FOLDER / f"{name}{LANGUAGES[lang]}.md"


def lesson_names() -> tuple[str, ...]:
    """The lessons that are there in every language, in order."""
    return tuple(name for name in LESSONS if all(lesson_file(name, lang).is_file() for lang in LANGUAGES))


def read_lesson(name: str, lang: str = "en") -> Lesson:
    """A lesson of the course in a language."""
    if lang not in LANGUAGES:
        raise BadOption(f"lessons are written in {' and '.join(LANGUAGES)}, not in '{lang[:20]}'")
    known = lesson_names()
    if name not in known:
        raise UnknownName(f"there is no lesson '{name[:40]}'{suggestion(name, known)}")
    file = lesson_file(name, lang)
    return parse_lesson(read_text(file, "lesson", LARGEST), name, lang, file.name)


# Reading ------------------------------------------------------------------------------------------------------------


def parse_lesson(source: str, name: str, lang: str = "en", file: str = "lesson") -> Lesson:
    """A lesson from its text; `FormatError` names the `file` and the line of what is wrong."""
    if len(source.encode()) > LARGEST:
        raise FormatError(f"{file} is too long for a lesson: at most {LARGEST:,} bytes")
    parts: list[Part] = []
    headings: list[Heading] = []
    for part in _parts(source, file):
        parts.append(part)
        if isinstance(part, Text):
            headings += _headings(part.markdown)
    first = parts[0] if parts else None
    if not isinstance(first, Text) or not headings or headings[0].level != 1:
        raise FormatError(f"{file}, line 1: a lesson begins with its title, written '# Title'")
    if sum(heading.level == 1 for heading in headings) > 1:
        raise FormatError(f"{file}: a lesson has one title; sections are written '## Section'")
    paragraphs = re.split(r"\n\s*\n", first.markdown.strip(), maxsplit=2)
    if not HEADING.fullmatch(paragraphs[0]):
        raise FormatError(f"{file}, line 1: a lesson begins with its title, written '# Title', and an empty line")
    if len(paragraphs) < 2 or not re.match(r"[^\s#>|`*+-]", paragraphs[1]):
        raise FormatError(f"{file}: below the title a paragraph says what the lesson is about")
    rest = paragraphs[2] if len(paragraphs) > 2 else ""
    following = [Text(rest, first.line)] if rest.strip() else []
    return Lesson(name, lang, headings[0].text, paragraphs[1], tuple(headings), (*following, *parts[1:]))


def _parts(source: str, file: str) -> Iterator[Part]:
    """The parts of a text in order; code in other fences stays in the Markdown around it."""
    lines = source.replace("\r\n", "\n").split("\n")
    text: list[str] = []
    began = number = 1
    rows = iter(enumerate(lines, 1))
    for number, line in rows:
        fence = FENCE.match(line)
        if not fence:
            text.append("" if COMMENT.fullmatch(line) else line)  # which are for whoever writes
            continue
        inside: list[str] = []
        for _, row in rows:
            if row.rstrip().strip(fence["marks"][0]) == "" and row.startswith(fence["marks"]):
                break
            inside.append(row)
        else:
            raise FormatError(f"{file}, line {number}: a fence is opened here and not closed")
        words = fence["info"].split()
        if not words or words[0] not in ("figure", "quiz", "exercise"):
            text += [line, *inside, fence["marks"]]
            continue
        if "".join(text).strip():
            yield Text("\n".join(text).strip("\n"), began)
        where = f"{file}, line {number}"
        if words[0] == "figure":
            yield _figure(words[1:], inside, where, number)
        elif len(words) > 1:
            raise FormatError(f"{where}: a fence of {words[0]} has no more words, not '{' '.join(words)[:40]}'")
        else:
            yield (_quiz if words[0] == "quiz" else _exercise)(inside, where, number)
        text, began = [], number + len(inside) + 2
    if "".join(text).strip():
        yield Text("\n".join(text).strip("\n"), began)


def _headings(markdown: str) -> Iterator[Heading]:
    inside = ""
    for line in markdown.split("\n"):
        fence = FENCE.match(line)
        if inside:
            if fence and line.startswith(inside) and not fence["info"].strip():
                inside = ""
        elif fence:
            inside = fence["marks"]
        elif found := HEADING.fullmatch(line):
            yield Heading(len(found["marks"]), found["text"])


def _settings(lines: list[str], where: str, what: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        if not line.strip():
            continue
        pair = KEY_VALUE.fullmatch(line.rstrip())
        if not pair:
            raise FormatError(f"{where}: {what} has lines 'key: value', not '{line[:40]}'")
        if pair["key"] in found:
            raise FormatError(f"{where}: {what} has '{pair['key']}' twice")
        if len(pair["value"] or "") > LONGEST:
            raise FormatError(f"{where}: '{pair['key']}' is too long: at most {LONGEST:,} characters")
        found[pair["key"]] = (pair["value"] or "").strip()
    return found


def _figure(words: list[str], lines: list[str], where: str, number: int) -> Figure:
    if len(words) != 1 or words[0] not in FIGURE_PAGES:
        given = " ".join(words)[:40]
        raise FormatError(f"{where}: a figure names one page, of {', '.join(FIGURE_PAGES)}, not '{given}'")
    settings = _settings(lines, where, "a figure")
    if not settings.get("caption") or list(settings)[-1] != "caption":
        raise FormatError(f"{where}: the last line of a figure is 'caption: ...'")
    caption = settings.pop("caption")
    return Figure(words[0], tuple(settings.items()), caption, number)


def _quiz(lines: list[str], where: str, number: int) -> Quiz:
    question: list[str] = []
    answers: list[list[str]] = []
    for line in filter(str.strip, lines):
        if line.startswith("- "):
            answers.append([line.rstrip()])
        elif answers:
            answers[-1].append(line.strip())
        else:
            question.append(line.strip())
    if not question:
        raise FormatError(f"{where}: a quiz begins with its question")
    found = tuple(_answer("\n".join(answer), where) for answer in answers)
    if not 2 <= len(found) <= MOST_ANSWERS:
        raise FormatError(f"{where}: a quiz has 2 to {MOST_ANSWERS} answers, not {len(found)}")
    if not any(answer.right for answer in found):
        raise FormatError(f"{where}: no answer of the quiz is right: mark one '- [x] ...'")
    return Quiz("\n".join(question), found, number)


def _answer(text: str, where: str) -> Answer:
    first, *rest = text.split("\n")
    found = ANSWER.fullmatch(first)
    if not found:
        raise FormatError(
            f"{where}: an answer is written '- [x] text | why' or '- [ ] text | why not', not '{first[:40]}'"
        )
    answer, bar, why = "\n".join([found["rest"], *rest]).replace("\n| ", " | ").partition(" | ")
    if not bar or not answer.strip() or not why.strip():
        raise FormatError(f"{where}: an answer says why it is right or wrong after ' | ': '{first[:40]}'")
    return Answer(answer.strip(), found["right"] == "x", why.strip())


def _exercise(lines: list[str], where: str, number: int) -> Exercise:
    settings = _settings(lines, where, "an exercise")
    kind, level = settings.pop("kind", ""), settings.pop("level", "1")
    if settings or not NAME.fullmatch(kind):
        raise FormatError(f"{where}: an exercise has 'kind: name', and 'level: 1' to 5 if it has one")
    if not (level.isascii() and level.isdigit() and int(level) in LEVELS):
        raise FormatError(f"{where}: the level of an exercise is a number from 1 to 5, not '{level[:20]}'")
    return Exercise(kind, int(level), number)


def with_scripts(page: str) -> str:
    """HTML in which b^m and p_σ stand as a book prints them, raised and lowered; code stays as it is."""

    def script(found: re.Match[str]) -> str:
        if found["kept"]:
            return found["kept"]
        if found["index"]:
            return f"<sub>{found['index']}</sub>"
        return f"<sup>{found['group'] or found['power']}</sup>"

    return SCRIPT.sub(script, page)
