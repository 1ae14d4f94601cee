"""Pages in one file: the modules, styles and data of a page, put into it, so that it needs no network and no server."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from plyground.pictures.lettering import escaped

__all__ = ["ADDRESS", "STATIC", "Roots", "inlined_modules", "page_html"]

STATIC: Traversable = files("plyground.pictures") / "static"
"""What pages are made of; the app serves the same files."""
ADDRESS = "/static/pictures/"
"""Where the app serves them."""

Roots = Mapping[str, Traversable]
"""Folders by the beginning of the addresses of their files; the longest beginning that fits is meant."""
OWN: Roots = {ADDRESS: STATIC}

IMPORT = re.compile(r'^import (?:\{([^}]*)\}|(\w+)) from "([^"]+)\.js";\n', re.M)
EXPORT = re.compile(r"^export (?:(default) |(?=(?:async )?(?:class|function|const|let) (\w+)))", re.M)
FONT = re.compile(r"@font-face \{[^}]*\}\n?")
"""What a page without a network cannot have."""


def _file(address: str, roots: Roots) -> Traversable:
    root = max((start for start in roots if address.startswith(start)), key=len)
    found = roots[root]
    for part in address.removeprefix(root).split("/"):
        found = found / part
    return found


def inlined_modules(entry: str, roots: Roots = OWN) -> str:
    """An ES module, by its address, and all that it imports as one script.

    Each module becomes a function that is called once, after those it needs. What it exports is called by the address
    behind "$", a sign that no module uses. Imports are written `import { one, two } from "./file.js";`, or with the
    whole address, and name either what they want or the default.
    """
    scripts: dict[str, str] = {}

    def name(address: str) -> str:
        return "$" + re.sub(r"\W", "_", address)

    def add(address: str) -> None:
        if address in scripts:
            return
        text = _file(f"{address}.js", roots).read_text("utf-8")
        folder = address.rpartition("/")[0]

        def wanted(match: re.Match[str]) -> str:
            path = match[3]
            return f"{folder}/{path.removeprefix('./')}" if path.startswith("./") else path

        def bound(match: re.Match[str]) -> str:
            names = match[1].replace(" as ", ": ") if match[1] is not None else f" default: {match[2]} "
            return f"const {{{names}}} = {name(wanted(match))};\n"

        for match in IMPORT.finditer(text):
            add(wanted(match))
        exports = [f"default: {name('default')}" if match[1] else match[2] for match in EXPORT.finditer(text)]
        text = IMPORT.sub(bound, text)
        text = EXPORT.sub(lambda match: f"const {name('default')} = " if match[1] else "", text)
        scripts[address] = f"const {name(address)} = (() => {{\n{text}return {{ {', '.join(exports)} }};\n}})();\n"

    add(entry)
    return "".join(scripts.values())


def page_html(
    *, title: str, lang: str, data: Mapping[str, Any], entry: str, styles: Sequence[str], roots: Roots = OWN
) -> str:
    """A page that holds its data, its styles and the module `entry`, which finds the data in the element "drawing"."""
    page = (STATIC / "page.html").read_text("utf-8")
    # Inside a script element only "<" can end it or begin a comment, and JSON can write it otherwise.
    embedded = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    fields = {
        "lang": lang,
        "title": escaped(title),
        "style": "".join(FONT.sub("", _file(address, roots).read_text("utf-8")) for address in styles),
        "data": embedded,
        "script": inlined_modules(entry, roots),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: fields[match[1]], page)
