"""Pictures written to files by the ending of their names: .svg, .png, or a page, .html."""

from __future__ import annotations

from pathlib import Path

from plyground.core.files import write_file
from plyground.pictures.lettering import escaped

__all__ = ["PICTURE_FORMATS", "write_picture"]

PICTURE_FORMATS = (".svg", ".png", ".html")


def write_picture(out: Path, svg: str, title: str) -> None:
    """Write the SVG as it is, as a PNG, or in a page."""
    match out.suffix.lower():
        case ".png":
            from plyground.pictures.png import svg_png

            data = svg_png(svg)
        case ".html":
            data = (
                f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
                f'<meta name="viewport" content="width=device-width">\n<title>{escaped(title)}</title>\n'
                "<style>body { margin: 1rem; background: #f3f4f6; } svg { max-width: 100%; height: auto; }</style>\n"
                f"{svg}\n</html>\n"
            ).encode()
        case _:
            data = svg.encode()
    write_file(out, data)
