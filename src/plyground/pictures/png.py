"""SVG as PNG, by resvg. No browser, no system library and no font is needed, only the extra `png`."""

from __future__ import annotations

import html
import math
import re
import unicodedata
import warnings

from plyground.errors import BadOption, FormatError, MissingExtra
from plyground.pictures.fonts import FAMILIES, FONT_FILES, font_characters, system_font_folders

__all__ = ["svg_png"]

MOST_PIXELS = 64_000_000
"""Larger pictures take long and much memory, and few viewers open them."""
NAMED_FONTS = re.compile(r'font-family="[^"]*?(sans-serif|monospace)"')
TEXT = re.compile(r"<text\b.*?</text>", re.S)
NO_CHARACTER = "\ufdd0"
"""A code that no font draws, since it is not and never will be a character."""
MOST_NAMED = 8
"""How many characters without a font are looked for, and named."""


def svg_png(svg: str, scale: float = 2.0) -> bytes:
    """The picture as PNG, with `scale` pixels for each of the SVG's.

    Text is set in the fonts of Plyground, whatever fonts the SVG names, so that it looks the same everywhere. Only a
    text with characters that they lack is left to the fonts of the system; a warning says which ones nobody has. A
    picture that would have more than 64 million pixels is drawn at the largest scale that has no more.
    """
    if not 0 < scale < math.inf:
        raise BadOption(f"scale={scale:g}; a scale is more than 0")
    opening = re.search(r"<svg\b[^>]*>", svg)
    sizes = dict(re.findall(r'\s(width|height)="([\d.]+)"', opening[0])) if opening else {}
    pixels = math.prod(float(size) * scale for size in sizes.values())
    if pixels > MOST_PIXELS:
        scale *= math.sqrt(MOST_PIXELS / pixels)
    unknown = _unknown_characters(svg)
    drawn = _drawn(NAMED_FONTS.sub(r'font-family="\1"', svg), scale, system=bool(unknown))
    nobodys = [character for character in unknown[:MOST_NAMED] if not _system_has(character)]
    if nobodys:
        warnings.warn(
            f"no font for {' '.join(nobodys)}, drawn as empty boxes; install a font that has them, "
            "or write an SVG and open it where there is one",
            stacklevel=2,
        )
    return drawn


def _unknown_characters(svg: str) -> list[str]:
    """The characters of the SVG's texts that the fonts of Plyground do not have."""
    texts = html.unescape(re.sub(r"<[^>]*>", "", "".join(TEXT.findall(svg))))
    # Controls, spaces of all kinds and variation selectors are not drawn.
    return sorted(c for c in set(texts) - font_characters() if unicodedata.category(c) not in {"Cc", "Cf", "Mn", "Zs"})


def _system_has(character: str) -> bool:
    def alone(character: str) -> bytes:
        text = f'<text x="5" y="20" font-size="16" font-family="sans-serif">{character}</text>'
        return _drawn(f'<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30">{text}</svg>', 1.0, system=True)

    return alone(character) != alone(NO_CHARACTER)


def _drawn(svg: str, scale: float, *, system: bool) -> bytes:
    """The SVG in the fonts of Plyground, and behind them those of the system."""
    try:
        import resvg_py
    except ImportError:
        raise MissingExtra("a PNG needs resvg; install it with: pip install 'plyground[png]'") from None
    # The folders instead of resvg's own search, which would put the system's fonts before ours.
    folders = system_font_folders() if system else []
    try:
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg, zoom=scale, skip_system_fonts=True, font_files=FONT_FILES, font_dirs=folders, **FAMILIES
            )
        )
    except ValueError as error:
        raise FormatError(f"the SVG cannot be drawn: {error}") from None
