"""The fonts that come with Plyground, so that pictures look the same on every machine, and on one without fonts.

They are in ``static/fonts``, where a README says what they are and how they are made. Where a text has characters that
none of them has, such as Japanese ones, the fonts of the system follow behind them.
"""

from __future__ import annotations

import os
import struct
import sys
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["FAMILIES", "FONT_FILES", "font_characters", "system_font_folders"]

FOLDER = Path(__file__).with_name("static") / "fonts"
FONT_FILES = [str(FOLDER / f"{name}.ttf") for name in ("inter", "noto-sans-sc", "dejavu-signs", "dejavu-sans-mono")]
"""In the order in which they are asked for a character. The first has the letters, the last has letters of one width;
those between them have none, since a text is set in the first font that has all of it."""
FAMILIES: dict[str, Any] = {
    **dict.fromkeys(("font_family", "serif_family", "sans_serif_family", "cursive_family", "fantasy_family"), "Inter"),
    "monospace_family": "DejaVu Sans Mono",
}
"""What the names that mean any font stand for, as resvg's options."""


@cache
def font_characters() -> frozenset[str]:
    """All characters that the fonts have."""
    return frozenset(character for file in FONT_FILES for character in _characters(Path(file).read_bytes()))


def _characters(font: bytes) -> list[str]:
    """The characters of a TrueType font, from its table in format 12 (the OpenType specification, "cmap")."""
    (tables,) = struct.unpack_from(">H", font, 4)
    records = (struct.unpack_from(">4sLLL", font, 12 + 16 * number) for number in range(tables))
    cmap = next(offset for tag, _, offset, _ in records if tag == b"cmap")
    (encodings,) = struct.unpack_from(">H", font, cmap + 2)
    starts = (cmap + struct.unpack_from(">L", font, cmap + 8 + 8 * number)[0] for number in range(encodings))
    start = next(start for start in starts if struct.unpack_from(">H", font, start)[0] == 12)
    (groups,) = struct.unpack_from(">L", font, start + 12)
    ranges = (struct.unpack_from(">LL", font, start + 16 + 12 * number) for number in range(groups))
    return [chr(code) for first, last in ranges for code in range(first, last + 1)]


def system_font_folders() -> list[str]:
    """Where this system keeps its fonts; some of the folders may not be there."""
    home = os.path.expanduser("~")  # noqa: PTH111 - a Path raises where there is no home
    match sys.platform:
        case "win32":
            windows, local = os.environ.get("SYSTEMROOT", "C:/Windows"), os.environ.get("LOCALAPPDATA", home)
            return [f"{windows}/Fonts", f"{local}/Microsoft/Windows/Fonts"]
        case "darwin":
            return [f"{root}/Fonts" for root in ("/Library", "/System/Library", f"{home}/Library")]
        case _:
            shared = os.environ.get("XDG_DATA_HOME") or f"{home}/.local/share"
            return ["/usr/share/fonts", "/usr/local/share/fonts", f"{shared}/fonts", f"{home}/.fonts"]
