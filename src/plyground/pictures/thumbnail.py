"""Pictures inside pictures: an SVG that somebody else drew, made small and put into another SVG."""

from __future__ import annotations

import base64
import math
import re
from functools import lru_cache
from xml.etree import ElementTree

from plyground.errors import FormatError

__all__ = ["nested", "standalone", "thumbnail_size"]

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
XML = "http://www.w3.org/XML/1998/namespace"
UNWANTED = {"script", "foreignObject", "iframe", "audio", "video", "title", "desc", "metadata", "animate", "set"}
"""What acts, what loads, and what would be read out in the middle of the larger picture."""


@lru_cache(maxsize=10_000)
def thumbnail_size(svg: str, longest: float) -> tuple[float, float]:
    """Width and height in the picture's own proportions, the longer one as given; a square if it does not say.

    A picture in which much is small says so by `data-detail`, how many times as long it is to be, from 1 to 2.
    """
    opening = re.search(r"<svg\b[^>]*>", svg)
    if opening is None:
        raise FormatError(f"this is not SVG, there is no svg element: {svg[:40]!r}")
    said = dict(
        re.findall(r"""\s(viewBox|width|height|data-detail)\s*=\s*["']\s*([^"']*?)(?:px)?\s*["']""", opening[0])
    )
    longest *= min(max(float(said["data-detail"]), 1.0), 2.0) if _is_number(said.get("data-detail", "")) else 1.0
    sizes = re.split(r"[\s,]+", said.get("viewBox", ""))[2:] or [said.get("width"), said.get("height")]
    try:
        width, height = (float(size or "nan") for size in sizes)
    except ValueError:
        width = height = math.nan
    if not (0 < width < math.inf and 0 < height < math.inf):
        return longest, longest
    scale = longest / max(width, height)
    return max(width * scale, 1.0), max(height * scale, 1.0)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\d{1,3}(\.\d{1,9})?", text) is not None


def standalone(svg: str) -> str:
    """The SVG with the namespace that it needs when it is an image of its own."""
    if re.search(r"<svg\b[^>]*\sxmlns\s*=", svg):
        return svg
    return re.sub(r"<svg\b", f'<svg xmlns="{SVG}"', svg, count=1)


def nested(svg: str, prefix: str, x: float, y: float, width: float, height: float) -> str:
    """The SVG as an element of another one, at a place and of a size; `prefix` makes its ids different from others.

    Scripts, event handlers and everything that would be loaded from elsewhere are left out. A picture with its own
    style sheet becomes an image, because its rules would change what is around it.
    """
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise FormatError(f"this is not SVG, {error}: {svg[:40]!r}") from None
    place = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{width:g}", "height": f"{height:g}"}
    if any(_local_name(element) == "style" for element in root.iter()):
        data = base64.b64encode(standalone(svg).encode()).decode()
        image = ElementTree.Element("image", {**place, "href": f"data:image/svg+xml;base64,{data}"})
        return ElementTree.tostring(image, encoding="unicode")
    if "viewBox" not in root.attrib and {"width", "height"} <= root.attrib.keys():
        root.set("viewBox", f"0 0 {root.get('width')} {root.get('height')}".replace("px", ""))
    for element in list(root.iter()):
        element[:] = [child for child in element if _local_name(child) not in UNWANTED]
        element.tag = _local_name(element)
        element.attrib = {
            name.removeprefix(f"{{{XLINK}}}"): _with_own_ids(name, value, prefix)
            for name, value in element.attrib.items()
            if not name.startswith(("on", "role", "aria-")) and _stays_inside(name, value)
        }
    root.attrib.update(place)
    root.tail = None
    return ElementTree.tostring(root, encoding="unicode")


def _local_name(element: ElementTree.Element) -> str:
    """The name without its namespace; what is not SVG has the name of something unwanted."""
    namespace, _, name = element.tag.rpartition("}")
    return name if namespace in ("", f"{{{SVG}") else "metadata"


def _with_own_ids(name: str, value: str, prefix: str) -> str:
    if name == "id":
        return prefix + value
    if name.endswith("href"):
        return re.sub("^#", f"#{prefix}", value)
    return re.sub(r"""(url\(\s*["']?#)""", rf"\g<1>{prefix}", value)


def _stays_inside(name: str, value: str) -> bool:
    """Whether an attribute loads nothing from elsewhere."""
    if name.startswith("{") and name not in (f"{{{XLINK}}}href", f"{{{XML}}}space"):
        return False
    if name.endswith("href"):
        return value.startswith(("#", "data:image/"))
    return all(target.startswith("#") for target in re.findall(r"url\(\s*[\"']?(.?)", value))
