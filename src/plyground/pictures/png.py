"""SVG as PNG, by resvg. No browser and no system library is needed, only the extra `png`."""

from __future__ import annotations

import math
import re

from plyground.errors import BadOption, FormatError, MissingExtra

__all__ = ["svg_png"]

MOST_PIXELS = 64_000_000
"""Larger pictures take long and much memory, and few viewers open them."""


def svg_png(svg: str, scale: float = 2.0) -> bytes:
    """The picture as PNG, with `scale` pixels for each of the SVG's.

    A picture that would have more than 64 million pixels is drawn at the largest scale that has no more.
    """
    try:
        import resvg_py
    except ImportError:
        raise MissingExtra("a PNG needs resvg; install it with: pip install 'plyground[png]'") from None
    if not 0 < scale < math.inf:
        raise BadOption(f"scale={scale:g}; a scale is more than 0")
    opening = re.search(r"<svg\b[^>]*>", svg)
    sizes = dict(re.findall(r'\s(width|height)="([\d.]+)"', opening[0])) if opening else {}
    pixels = math.prod(float(size) * scale for size in sizes.values())
    if pixels > MOST_PIXELS:
        scale *= math.sqrt(MOST_PIXELS / pixels)
    try:
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=scale))
    except ValueError as error:
        raise FormatError(f"the SVG cannot be drawn: {error}") from None
