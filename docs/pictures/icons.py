"""Makes the icons of the installed app from the one in `static/icon.svg`: `python docs/pictures/icons.py`."""

from __future__ import annotations

import re

from plyground.pictures.png import svg_png
from plyground.web.server.app import STATIC

ICON = 32
"""The size of the drawing."""
FELT = re.compile(r"<rect [^>]*/>")


def main() -> None:
    """Two sizes; and one without round corners, of which systems may cut off a tenth on each side."""
    folder = STATIC / "icons"
    folder.mkdir(exist_ok=True)
    svg = (STATIC / "icon.svg").read_text("utf-8").replace("<svg ", f'<svg width="{ICON}" height="{ICON}" ', 1)
    for size in (192, 512):
        (folder / f"{size}.png").write_bytes(svg_png(svg, size / ICON))
    felt = FELT.search(svg)
    assert felt is not None
    whole = felt[0].replace(' rx="8"', "")
    inside = svg[felt.end() : svg.index("</svg>")]
    whole += f'<g transform="translate(3.2 3.2) scale(0.8)">{inside}</g>'
    (folder / "maskable.png").write_bytes(svg_png(svg[: felt.start()] + whole + "</svg>", 512 / ICON))


if __name__ == "__main__":
    main()
