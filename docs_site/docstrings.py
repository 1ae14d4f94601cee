"""Docstrings as the API page shows them: examples are listings, as they are in the Markdown pages."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*?(?=^\s*$|\Z)", re.MULTILINE | re.DOTALL)


class Examples(griffe.Extension):
    """A griffe extension: an example of a docstring, up to the next empty line, becomes a code block."""

    def on_object(self, *, obj: griffe.Object, **options: Any) -> None:
        if obj.docstring:
            text = obj.docstring.value
            obj.docstring.value = EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)
