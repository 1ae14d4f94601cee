"""The documentation as pages to read: where they are, and which page a name means.

They are made from docs/ when Plyground is installed (hatch_build.py), and open from the disk as well as from the app.
"""

from __future__ import annotations

import difflib
from pathlib import Path

from plyground.errors import BadOption, PlygroundError, UnknownName

__all__ = ["LANGUAGES", "MISSING", "SITE", "page_file", "page_names"]

SITE = Path(__file__).with_name("site")
LANGUAGES = {"en": ".", "zh": "zh"}
"""The languages, each with its folder in the site."""
MISSING = (
    "the pages of the documentation are made when Plyground is installed, and are not here: "
    "install it with pip install -e . in the clone"
)


def page_names() -> list[str]:
    """The names of all pages, such as ``alphabeta`` and ``games/nim``."""
    pages = (path.relative_to(SITE).with_suffix("") for path in SITE.rglob("*.html"))
    return sorted(page.as_posix() for page in pages if page.parts[0] not in LANGUAGES)


def page_file(name: str, language: str = "en") -> Path:
    """The file of a page; its name may be written as in docs/, or without its folder where that is clear."""
    if language not in LANGUAGES:
        raise BadOption(f"--language must be en or zh, not '{language}'")
    if not (SITE / "index.html").exists():
        raise PlygroundError(MISSING)
    names = page_names()
    wanted = name.strip().lower().removeprefix("docs/").removesuffix(".md").removesuffix(".html").removesuffix(".zh")
    found = [known for known in (wanted, f"{wanted}/index") if known in names]
    found = found or [known for known in names if known.rpartition("/")[2] == wanted]
    if len(found) != 1:
        near = found or _nearest(wanted, names)
        hint = _listed(near) if near else "plyground docs opens the first one, which lists them all"
        raise UnknownName(f"there is no page '{name}'; {hint}")
    return SITE / LANGUAGES[language] / f"{found[0]}.html"


def _nearest(wanted: str, names: list[str]) -> list[str]:
    """The pages with the most similar names, with and without their folders; those that have the word in them first."""
    short = {known.rpartition("/")[2]: known for known in reversed(names)}
    similar = difflib.get_close_matches(wanted, [*names, *short], n=3, cutoff=0.5)
    inside = [known for known in names if wanted and wanted in known]
    return list(dict.fromkeys([*inside, *(short.get(known, known) for known in similar)]))[:3]


def _listed(names: list[str]) -> str:
    return f"did you mean {' or '.join(filter(None, (', '.join(names[:-1]), names[-1])))}?"
