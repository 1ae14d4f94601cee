"""What is said of a search, in each language.

A language is one file, ``languages/<name>.toml``, with a line for each sentence:

    down = "By {move} to {at}[window?, with {window}]."

A part in braces is put in, formatted as `str.format` does. ``[part?text|other]`` is the text if the part is neither
empty nor zero, else the other text, which may be left out; ``[part=1?text|other]`` asks whether it is written so.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from plyground.errors import BadOption
from plyground.pictures.lettering import CLOSING, WIDE

__all__ = ["CHOICE", "Sentences", "sentences"]

NO_SPACE = re.compile(f"(?<=[{WIDE}]) (?=[{WIDE}])|(?<=[{CLOSING}]) ")
"""Where Chinese has none: between its characters, and after its punctuation."""
CHOICE = re.compile(r"\[(\w+)(?:=(\w+))?\?([^][|]*)(?:\|([^][|]*))?\]")


class Sentences:
    """The sentences of one language, by name."""

    def __init__(self, lang: str, lines: dict[str, str]) -> None:
        self.lang, self.lines = lang, lines

    def __call__(self, name: str, /, **parts: object) -> str:
        """The sentence with its parts: moves and values as finished texts, counts as numbers."""

        def chosen(choice: re.Match[str]) -> str:
            part, wanted, text, other = choice.groups()
            holds = parts[part] if wanted is None else str(parts[part]) == wanted
            return text if holds else other or ""

        line, choices = self.lines[name], 1
        while choices:  # the innermost first
            line, choices = CHOICE.subn(chosen, line)
        return line.format(**parts)

    def spaced(self, text: str) -> str:
        """A text that was put together from parts, with spaces only where the language has them."""
        return NO_SPACE.sub("", text) if self.lang == "zh" else text


@cache
def sentences(lang: str) -> Sentences:
    """The sentences in a language, "en" or "zh"."""
    found = {file.name.removesuffix(".toml"): file for file in (files(__package__) / "languages").iterdir()}
    if lang not in found:
        raise BadOption(f"there is no language '{lang}'; there are: {', '.join(sorted(found))}")
    return Sentences(lang, tomllib.loads(found[lang].read_text(encoding="utf-8")))
