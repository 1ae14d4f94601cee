"""Lessons as pages of the app: their Markdown becomes HTML that obeys the app's content security policy.

No HTML of an author passes, no style attribute is made, and links lead to where the app has what they name.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from plyground.course.lesson import Exercise, Figure, Lesson, Quiz, with_scripts
from plyground.course.lessons import LESSONS

__all__ = ["HERE", "lesson_blocks", "link_target", "markdown_html"]

HERE = "src/plyground/course/lessons"
"""Where lessons stand in the repository: their links are relative to it, as in every page of the documentation."""
SITE = {"en": "/docs/", "zh": "/docs/zh/"}
"""Where the app has the documentation."""
HAN = "[\\u2e80-\\u2fdf\\u3000-\\u303f\\u3400-\\u4dbf\\u4e00-\\u9fff\\uff00-\\uffef\\u2018-\\u201d\\u2026\\u2014]"


def link_target(target: str, lang: str) -> str | None:
    """Where the app has what a link of a lesson names; None if it is nowhere."""
    if re.match(r"https?://", target):
        return target
    if target.startswith("#"):
        return target
    path, hash_sign, anchor = target.partition("#")
    found = posixpath.normpath(posixpath.join(HERE, path))
    if posixpath.dirname(found) == HERE and (name := posixpath.basename(found).removesuffix(".md")) in LESSONS:
        return f"/learn/{name}"
    if found.startswith("docs/") and found.endswith(".md"):
        return f"{SITE[lang]}{found.removeprefix('docs/').removesuffix('.md')}.html{hash_sign}{anchor}"
    return None


class _Page(RendererHTML):
    """HTML without style attributes, whose code can be reached and scrolled by the keyboard."""

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return self._code(tokens[idx].content)

    def code_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return self._code(tokens[idx].content)

    def _code(self, text: str) -> str:
        return f'<pre tabindex="0"><code>{escape(text.rstrip())}</code></pre>\n'

    def softbreak(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """A broken line is a space, but between Chinese characters nothing."""
        before = "".join(token.content for token in tokens[:idx])[-1:]
        after = "".join(token.content for token in tokens[idx + 1 :])[:1]
        wide = before and after and (re.match(HAN, before) or re.match(HAN, after))
        return "" if wide else "\n"

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return '<div class="scroll"><table class="table">\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</table></div>\n"


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}, renderer_cls=_Page).enable("table")
    return parser.disable("image")


def markdown_html(markdown: str, lang: str, *, inline: bool = False) -> str:
    """Markdown as HTML; `inline` for a text that is no paragraph of its own."""
    parser = _parser()
    env: dict[str, Any] = {}
    tokens = (parser.parseInline if inline else parser.parse)(markdown, env)
    for token in tokens:
        _mend(token, lang)
        for child in token.children or ():
            _mend(child, lang)
    return with_scripts(str(parser.renderer.render(tokens, parser.options, env)).strip())


def _mend(token: Token, lang: str) -> None:
    if token.type in ("th_open", "td_open") and token.attrs.pop("style", "") == "text-align:right":
        token.attrSet("class", "number")
    if token.type == "link_open":
        target = link_target(str(token.attrs.get("href", "")), lang)
        token.attrs.pop("title", None)
        if target is None:
            token.attrs.pop("href", None)  # text as it is; the tests tell whoever wrote it
        else:
            token.attrSet("href", target)


def lesson_blocks(lesson: Lesson) -> list[dict[str, Any]]:
    """The parts of a lesson as the page of the app takes them."""
    return [_block(part, lesson.lang) for part in lesson.parts]


def _block(part: Any, lang: str) -> dict[str, Any]:
    if isinstance(part, Figure):
        caption = markdown_html(part.caption, lang, inline=True)
        return {"kind": "figure", "page": part.page, "query": [list(pair) for pair in part.query], "caption": caption}
    if isinstance(part, Quiz):
        answers = [
            {
                "text": markdown_html(answer.text, lang, inline=True),
                "right": answer.right,
                "why": markdown_html(answer.why, lang, inline=True),
            }
            for answer in part.answers
        ]
        return {"kind": "quiz", "question": markdown_html(part.question, lang, inline=True), "answers": answers}
    if isinstance(part, Exercise):
        return {"kind": "exercise", "exercise": part.kind, "level": part.level, "address": part.address}
    return {"kind": "text", "html": markdown_html(part.markdown, lang)}
