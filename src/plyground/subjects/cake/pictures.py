"""A cake as a picture: as everybody sees it, cut and given away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from plyground.pictures.lettering import text_width
from plyground.pictures.plot import AXIS, GRID, PALETTE
from plyground.pictures.svg import INK, svg_start, svg_text
from plyground.subjects.cake.division import Division
from plyground.subjects.cake.valuations import Interval, Valuation
from plyground.subjects.cake.words import picture_label
from plyground.subjects.matrix.matrix_game import number_text
from plyground.subjects.matrix.pictures import EDGE, NORMAL, SMALL

__all__ = ["cake_svg"]


def cake_svg(division: Division, *, steps: int | None = None, narrow: bool = False, lang: str = "en") -> str:
    """The cake as everybody sees it: densities coloured by who got what, and what all shares are worth to whom.

    With `steps`, only what the first steps have given away is coloured.
    """
    people = division.people
    shown = division.steps[: len(division.steps) if steps is None else steps]
    shares = [tuple(piece for step in shown if step.person == n for piece in step.takes) for n in range(len(people))]
    marks = [step.place for step in shown if step.place is not None]
    wide, strip = 210.0 if narrow else 460.0, 64.0
    label = max(text_width(person.name, NORMAL, bold=True) for person in people) + 14
    worths = [number_text(value) for row in division.worths for value in row]
    column = max(text_width(text, NORMAL, bold=True) for text in (*(person.name for person in people), *worths)) + 10
    top = EDGE + 26
    left = EDGE + label
    width = left + wide + 24 + column * len(people) + EDGE
    height = top + (strip + 18) * len(people) + 26
    parts = [svg_start(width, height, picture_label(division, lang))]
    for owner, person in enumerate(people):
        x = left + wide + 24 + column * (owner + 0.5)
        parts.append(svg_text(person.name, x, top - 10, SMALL, colour=_colour(owner), bold=True))
    for row, person in enumerate(people):
        y = top + (strip + 18) * row
        parts.append(
            svg_text(person.name, EDGE, y + strip / 2 + 5, NORMAL, anchor="start", colour=_colour(row), bold=True)
        )
        parts += _strip(person, shares, left, y, wide, strip)
        parts += [
            f'<path d="M{left + float(mark) * wide:.1f} {y - 4:g}v{strip + 8:g}" stroke="{INK}" stroke-width="1.6" '
            'stroke-dasharray="4 3"/>'
            for mark in marks
        ]
        for owner, share in enumerate(shares):
            x = left + wide + 24 + column * (owner + 0.5)
            if share:
                parts.append(
                    svg_text(number_text(person.worth(share)), x, y + strip / 2 + 5, NORMAL, bold=owner == row)
                )
    for tick in range(5):
        text = ("0", "1/4", "1/2", "3/4", "1")[tick]
        parts.append(svg_text(text, left + wide * tick / 4, height - 12, SMALL, colour=AXIS))
    return "".join(parts) + "</svg>"


def _strip(
    person: Valuation, shares: Sequence[Sequence[Interval]], left: float, y: float, wide: float, strip: float
) -> Iterator[str]:
    most = float(max(person.densities))
    borders = [float(border) for border in person.borders]
    cuts = sorted({*borders, *(float(end) for share in shares for piece in share for end in piece)})
    yield f'<rect x="{left:g}" y="{y:g}" width="{wide:g}" height="{strip:g}" fill="none" stroke="{GRID}"/>'
    for start, end in pairwise(cuts):
        middle = (start + end) / 2
        density = next(
            float(value) for value, (a, b) in zip(person.densities, pairwise(borders), strict=True) if a <= middle <= b
        )
        owner = next(
            (n for n, share in enumerate(shares) if any(float(a) <= middle <= float(b) for a, b in share)), None
        )
        high = strip * density / most
        fill = GRID if owner is None else _colour(owner)
        yield (
            f'<rect x="{left + start * wide:.1f}" y="{y + strip - high:.1f}" width="{(end - start) * wide:.1f}" '
            f'height="{high:.1f}" fill="{fill}" fill-opacity="0.8"/>'
        )
    yield f'<path d="M{left:g} {y + strip:g}h{wide:g}" stroke="{AXIS}"/>'


def _colour(owner: int) -> str:
    return PALETTE[owner % 6]
