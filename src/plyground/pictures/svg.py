"""What pictures are written with: the opening of a stand-alone SVG, numbers and text."""

from __future__ import annotations

from plyground.pictures.lettering import escaped

__all__ = ["FONT", "INK", "PAPER", "px", "svg_start", "svg_text"]

INK, PAPER = "#1f2937", "#ffffff"
FONT = 'font-family="system-ui, sans-serif"'


def px(value: float) -> str:
    """A number of pixels, with one decimal or none."""
    return f"{value:.1f}".removesuffix(".0")


def svg_start(width: float, height: float, label: str) -> str:
    """The opening of a picture of this size, in pixels, with white paper; `label` is what is read out instead of it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-label="{escaped(label)}" {FONT}>'
        f'<rect width="{width:g}" height="{height:g}" rx="6" fill="{PAPER}"/>'
    )


def svg_text(
    text: str,
    x: float,
    y: float,
    size: float,
    colour: str = INK,
    *,
    anchor: str = "middle",
    bold: bool = False,
    more: str = "",
) -> str:
    """A line of text that stands on y; `more` are further attributes."""
    weight = ' font-weight="600"' if bold else ""
    place = f'x="{px(x)}" y="{px(y)}"'
    style = f'font-size="{size:g}" fill="{colour}" text-anchor="{anchor}"{weight}{more}'
    return f"<text {place} {style}>{escaped(text)}</text>"
