"""Films: pictures one after the other, with captions and facts beside them, to step through, play and rewind.

The page in one file and the app show a film with the same module, ``static/filmstrip.js``. A frame is an SVG whose
colours come from a style sheet in ``static/``: classes in the picture, `light-dark(...)` in the sheet. So the picture
follows the theme of the page it is on, and `styled_svg` puts the light colours into it where it stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from plyground.pictures.guess import GUESS_WORDS, Guess, guess_data
from plyground.pictures.inlined import ADDRESS, STATIC, page_html
from plyground.pictures.player_words import PLAYER_WORDS, check_language

__all__ = ["Fact", "Frame", "film_data", "film_html", "styled_svg"]

Fact = tuple[str, Sequence[str]]
"""A heading and the lines below it."""

WORDS = {
    "en": {**PLAYER_WORDS["en"], **GUESS_WORDS["en"], "facts": "beside the picture"},
    "zh": {**PLAYER_WORDS["zh"], **GUESS_WORDS["zh"], "facts": "图旁的说明"},
}
LIGHT = re.compile(r"light-dark\(([^,()]+),[^()]+\)")
COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)


@dataclass(frozen=True)
class Frame:
    """One picture of a film: a whole ``<svg>``, one sentence or two about it, and facts to show beside it.

    `guess` is what the reader can be asked before this picture is shown, over the one before it. Who is to be asked
    must not be told: then what has the class ``film-ahead`` in a picture, and the facts under the headings `ahead`, are
    left out of the picture before.
    """

    svg: str
    caption: str
    facts: Sequence[Fact] = ()
    guess: Guess | None = None
    ahead: Sequence[str] = ()


def film_data(frames: Sequence[Frame], *, title: str, lang: str = "en") -> dict[str, Any]:
    """The film for JSON, as the module ``filmstrip.js`` takes it. The frames are in that language already."""
    return {
        "title": title,
        "words": WORDS[check_language(lang)],
        "frames": [
            {
                "svg": frame.svg,
                "caption": frame.caption,
                "facts": [[head, list(lines)] for head, lines in frame.facts],
                **({"guess": guess_data(frame.guess)} if frame.guess else {}),
                **({"ahead": list(frame.ahead)} if frame.ahead else {}),
            }
            for frame in frames
        ],
    }


def film_html(frames: Sequence[Frame], *, title: str, styles: Sequence[str], lang: str = "en") -> str:
    """A page that shows the film, in one file that needs no network.

    `styles` are the names of the pictures' style sheets in ``static/``, such as "queens.css".
    """
    return page_html(
        title=title,
        lang=WORDS[check_language(lang)]["lang"],
        data=film_data(frames, title=title, lang=lang),
        entry=f"{ADDRESS}film_page",
        styles=[f"{ADDRESS}{name}" for name in ("page.css", "guessing.css", "filmstrip.css", *styles)],
    )


def styled_svg(svg: str, style: str) -> str:
    """The picture with the light colours of its style sheet inside, so that it can stand alone.

    The sheet has plain rules only, each colour written out or as `light-dark(#..., #...)`: what draws a PNG knows
    neither nesting nor variables.
    """
    end = svg.index(">") + 1
    return f"{svg[:end]}<style>{_light(style)}</style>{svg[end:]}"


@cache
def _light(style: str) -> str:
    text = (STATIC / style).read_text("utf-8")
    return LIGHT.sub(lambda match: match[1].strip(), COMMENT.sub("", text)).strip()
