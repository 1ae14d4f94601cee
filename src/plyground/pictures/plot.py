"""Plots as stand-alone SVG: lines with bands, points, bars and intervals, in panels side by side.

A figure is a row of `Panel`s; a panel holds `Series` over numbers or, if it has categories, `Bars` over them. A name
has one colour in the whole figure. The colours are those of Okabe and Ito (2008), which eyes of every kind tell apart.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from numpy.typing import NDArray

from plyground.errors import BadOption
from plyground.pictures.lettering import shortened, text_width, wrapped
from plyground.pictures.svg import INK, px, svg_start, svg_text

__all__ = ["Bars", "Panel", "Series", "number_text", "plot_svg"]

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, the strongest first, without the yellow that white paper swallows."""
DASHES = ("", "7 4", "2 4")
"""How lines are told apart after the colours have been used up."""
AXIS, GRID = "#4b5563", "#e5e7eb"

MOST_LINE_POINTS = 500
MOST_SCATTER_POINTS = 2000
SMALL, NORMAL, LARGE = 12, 14, 17
EDGE = 16
HUGE, TINY = 1e150, 1e-140
"""Beyond the one a number is drawn as infinite, below the other as zero."""
SLANT, LONGEST_SLANTED = 40, 160
SLANT_X, SLANT_Y = math.cos(math.radians(SLANT)), math.sin(math.radians(SLANT))
BLEED = 4
"""How far marks on the border of the plot area may reach out of it."""

T = TypeVar("T")
Numbers = Sequence[float] | NDArray[Any]
Range = tuple[float, float]
Place = tuple[float, float]


@dataclass(frozen=True)
class Series:
    """Points (x, y) joined by a line or not, with a band from `low` to `high` if both are given.

    What is not a number, or not positive on a logarithmic axis, leaves a gap.
    """

    name: str
    x: Numbers
    y: Numbers
    low: Numbers | None = None
    high: Numbers | None = None
    style: Literal["line", "dashed", "points"] = "line"
    colour: str | None = None

    def __post_init__(self) -> None:
        _check_lengths(self.name, len(self.x), (self.y, self.low, self.high))


@dataclass(frozen=True)
class Bars:
    """One value for each category of the panel, with an interval from `low` to `high` if both are given.

    `style` "bar" draws bars side by side with those of other names, "dot" a dot, "mark" a short line across.
    """

    name: str
    values: Numbers
    low: Numbers | None = None
    high: Numbers | None = None
    style: Literal["bar", "dot", "mark"] = "bar"
    colour: str | None = None

    def __post_init__(self) -> None:
        _check_lengths(self.name, len(self.values), (self.low, self.high))


@dataclass(frozen=True)
class Panel:
    """One pair of axes. `width` and `height` are those of the area inside the axes, in pixels.

    Ranges that are not given fit the data. With `categories`, all content is `Bars`.
    """

    content: Sequence[Series] | Sequence[Bars]
    title: str = ""
    x_label: str = ""
    y_label: str = ""
    x_log: bool = False
    y_log: bool = False
    x_range: Range | None = None
    y_range: Range | None = None
    categories: Sequence[str] = ()
    legend: bool = True
    width: int = 400
    height: int = 280

    def __post_init__(self) -> None:
        for item in self.content:
            if isinstance(item, Bars) != bool(self.categories):
                raise BadOption(f"'{item.name}': a panel with categories holds Bars, one without holds Series")
            if isinstance(item, Bars):
                _check_lengths(item.name, len(self.categories), (item.values,))
        for name, log, ends in (("x", self.x_log, self.x_range), ("y", self.y_log, self.y_range)):
            if ends and not (-HUGE < ends[0] < ends[1] < HUGE and (ends[0] > TINY or not log)):
                raise BadOption(f"{ends[0]:g} to {ends[1]:g} is not a range for the {name} axis")


def plot_svg(panels: Sequence[Panel], *, title: str = "", label: str = "") -> str:
    """The panels side by side as one stand-alone SVG. `label` is what is read out instead; the titles by default."""
    looks = _looks(panels)
    boxes = [_Box(panel, looks) for panel in panels]
    width = sum(box.width for box in boxes) + 20 * (len(boxes) - 1) + 2 * EDGE
    headline = wrapped(title, LARGE, width - 2 * EDGE, bold=True)
    top = EDGE + 24 * len(headline) + (6 if headline else 0)
    header = max((box.header for box in boxes), default=0)
    height = top + header + max((box.panel.height + box.bottom for box in boxes), default=0) + EDGE
    text = label or ". ".join(part for part in (title, *(panel.title for panel in panels)) if part) or "plot"
    parts = [svg_start(width, height, text)]
    for number, line in enumerate(headline):
        parts.append(svg_text(line, EDGE, EDGE + 17 + 24 * number, LARGE, anchor="start", bold=True))
    x: float = EDGE
    for box in boxes:
        parts.append(f'<g transform="translate({x:g} {top:g})">{box.svg(header)}</g>')
        x += box.width + 20
    return "".join(parts) + "</svg>"


# Panels ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Look:
    colour: str
    dash: str

    @property
    def fill(self) -> str:
        """How areas are filled: solid, and then, as lines are dashed, paler or not at all."""
        if not self.dash:
            return f'fill="{self.colour}"'
        return f'fill="{self.colour}" fill-opacity="{0.3 if self.dash == DASHES[1] else 0}" stroke="{self.colour}"'


def _looks(panels: Sequence[Panel]) -> dict[str, _Look]:
    """The look of every name, the same in all panels: a colour of its own, or the next of the palette."""
    items = [item for panel in panels for item in panel.content]
    looks = {item.name: _Look(item.colour, "") for item in items if item.colour}
    others = list(dict.fromkeys(item.name for item in items if item.name not in looks))
    for number, name in enumerate(others):
        turn, colour = divmod(number, len(PALETTE))
        looks[name] = _Look(PALETTE[colour], DASHES[turn % len(DASHES)])
    return looks


class _Box:
    """A panel with its axes laid out: the plot area, and around it room for ticks, labels, title and legend."""

    def __init__(self, panel: Panel, looks: dict[str, _Look]) -> None:
        self.panel, self.looks = panel, looks
        self.y = _Axis(panel.y_range or _y_range(panel), panel.y_log, panel.height, upright=True)
        self.x = _Axis(panel.x_range or _x_range(panel), panel.x_log, panel.width)
        ticks = max((text_width(label, SMALL) for _, label in self.y.ticks), default=0)
        slot = panel.width / max(1, len(panel.categories))
        names = [min(text_width(name, SMALL), LONGEST_SLANTED) for name in panel.categories]
        self.slanted = max(names, default=0) > slot - 6
        # Slanted names hang to the left of their slots, and may need more room there than the ticks do.
        hanging = max((SLANT_X * wide - slot * (i + 0.5) for i, wide in enumerate(names)), default=0)
        self.left = max((22 if panel.y_label else 0) + ticks + 10, hanging if self.slanted else 0)
        self.right = max(12.0, text_width(self.x.ticks[-1][1], SMALL) / 2 if self.x.ticks else 0)
        self.width = self.left + panel.width + self.right
        self.title = wrapped(panel.title, NORMAL, self.width, bold=True)
        self.legend = _legend_rows(panel, self.width) if panel.legend else []
        self.header = 20 * len(self.title) + 20 * len(self.legend) + 10
        self.bottom = (SLANT_Y * max(names) + 20 if self.slanted else 22) + (22 if panel.x_label else 0)

    def svg(self, header: float) -> str:
        panel = self.panel
        parts = [
            svg_text(line, 0, 14 + 20 * number, NORMAL, anchor="start", bold=True)
            for number, line in enumerate(self.title)
        ]
        for number, row in enumerate(self.legend):
            y = 20 * len(self.title) + 20 * number + 12
            parts += [self._legend_entry(item, name, x, y) for x, name, item in row]
        parts.append(f'<g transform="translate({self.left:g} {header:g})">')
        parts += self._axes()
        inside = "".join(self._bars() if panel.categories else self._series())
        wide, high = panel.width + 2 * BLEED, panel.height + 2 * BLEED
        parts.append(
            f'<svg x="{-BLEED}" y="{-BLEED}" width="{wide}" height="{high}" '
            f'viewBox="{-BLEED} {-BLEED} {wide} {high}">{inside}</svg>'
        )
        return "".join(parts) + "</g>"

    def _legend_entry(self, item: Series | Bars, name: str, x: float, y: float) -> str:
        look = self.looks[item.name]
        if item.style in ("points", "dot"):
            swatch = f'<circle cx="{x + 10:g}" cy="{y - 4:g}" r="4" {look.fill}/>'
        elif item.style == "bar":
            swatch = f'<rect x="{x + 4:g}" y="{y - 10:g}" width="12" height="12" {look.fill}/>'
        else:
            dash = _dash("5 3" if item.style == "dashed" else look.dash)
            swatch = f'<path d="M{x:g} {y - 4:g}h20" stroke="{look.colour}" stroke-width="2.5"{dash}/>'
        return swatch + svg_text(name, x + 26, y, SMALL, anchor="start")

    def _axes(self) -> Iterator[str]:
        panel, height, width = self.panel, self.panel.height, self.panel.width
        lines = "".join(f"M0 {px(at)}h{width}" for at, _ in self.y.ticks)
        if not panel.categories:
            lines += "".join(f"M{px(at)} 0v{height}" for at, _ in self.x.ticks)
        yield f'<path d="{lines}" stroke="{GRID}" fill="none"/>'
        marks = "".join(f"M0 {px(at)}h-5" for at, _ in self.y.ticks) + "".join(f"M0 {px(at)}h-3" for at in self.y.minor)
        if not panel.categories:
            marks += "".join(f"M{px(at)} {height}v5" for at, _ in self.x.ticks)
            marks += "".join(f"M{px(at)} {height}v3" for at in self.x.minor)
        yield f'<path d="M0 0V{height}H{width}{marks}" stroke="{AXIS}" fill="none"/>'
        for at, label in self.y.ticks:
            yield svg_text(label, -8, at + 4, SMALL, anchor="end")
        if panel.categories:
            slot = width / len(panel.categories)
            for number, name in enumerate(panel.categories):
                x = slot * (number + 0.5)
                if self.slanted:
                    short = shortened(name, SMALL, LONGEST_SLANTED)
                    yield f'<g transform="translate({px(x + 4)} {height + 14}) rotate(-{SLANT})">'
                    yield svg_text(short, 0, 0, SMALL, anchor="end") + "</g>"
                else:
                    yield svg_text(name, x, height + 18, SMALL)
        else:
            for at, label in self.x.ticks:
                yield svg_text(label, at, height + 19, SMALL)
        if panel.x_label:
            yield svg_text(panel.x_label, width / 2, height + self.bottom - 2, SMALL)
        if panel.y_label:
            yield f'<g transform="translate({px(12 - self.left)} {px(height / 2)}) rotate(-90)">'
            yield svg_text(panel.y_label, 0, 0, SMALL) + "</g>"

    def _series(self) -> Iterator[str]:
        every = [item for item in self.panel.content if isinstance(item, Series)]
        for item in every:
            if item.low is not None and item.high is not None:
                shape = "".join(self._band(item, item.low, item.high))
                yield f'<path d="{shape}" fill="{self.looks[item.name].colour}" fill-opacity="0.18"/>'
        for item in every:
            look, points = self.looks[item.name], self._places(item, item.y)
            if item.style == "points":
                dots = [point for point in points if point]
                step = -(-len(dots) // MOST_SCATTER_POINTS) or 1
                shape = "".join(f"M{px(x)} {px(y)}h.01" for x, y in dots[::step])
                round_dots = 'stroke-width="4.4" stroke-linecap="round" fill="none"'
                yield f'<path d="{shape}" stroke="{look.colour}" {round_dots}/>'
            else:
                shape = "".join("M" + "L".join(f"{px(x)} {px(y)}" for x, y in run) for run in _runs(points))
                dash = _dash("6 4" if item.style == "dashed" else look.dash)
                yield (
                    f'<path d="{shape}" stroke="{look.colour}" stroke-width="2" stroke-linejoin="round" '
                    f'fill="none"{dash}/>'
                )

    def _places(self, item: Series, values: Numbers, *, clamp: bool = False) -> list[Place | None]:
        """Where the points are in the plot area, thinned to one in each of 500 strips; None where there is none."""
        xs = [self.x.place(value) for value in item.x]
        keep: Iterable[int] = range(len(xs))
        if item.style != "points" and len(xs) > MOST_LINE_POINTS:
            keep = _thinned(xs, self.panel.width)
        points: list[Place | None] = []
        for i in keep:
            x, y = xs[i], self.y.place(values[i])
            if y is None and clamp and values[i] <= TINY:  # below everything that a logarithmic axis shows
                y = float(self.panel.height)
            points.append(None if x is None or y is None else (x, y))
        return points

    def _band(self, item: Series, low: Numbers, high: Numbers) -> Iterator[str]:
        pairs = zip(self._places(item, low, clamp=True), self._places(item, high), strict=True)
        for run in _runs([(below, above) if below and above else None for below, above in pairs]):
            outline = [above for _, above in run] + [below for below, _ in reversed(run)]
            yield "M" + "L".join(f"{px(x)} {px(y)}" for x, y in outline) + "Z"

    def _bars(self) -> Iterator[str]:
        panel = self.panel
        slot = panel.width / len(panel.categories)
        every = [item for item in panel.content if isinstance(item, Bars)]
        columns = [item for item in every if item.style != "mark"]
        room = min(0.8 * slot, 60.0 * len(columns))
        each = room / max(1, len(columns))
        ground = self.y.place(0.0)
        base = float(panel.height) if ground is None else min(max(ground, 0.0), float(panel.height))
        for item in every:
            look = self.looks[item.name]
            for number, value in enumerate(item.values):
                middle, y = slot * (number + 0.5), self.y.place(value)
                if y is None:
                    continue
                if item.style == "mark":
                    half = min(0.4 * slot, 18)
                    shape = f"M{px(middle - half)} {px(y)}h{px(2 * half)}"
                    yield f'<path d="{shape}" stroke="{look.colour}" stroke-width="3"/>'
                    continue
                left = middle - room / 2 + each * columns.index(item)
                if item.style == "bar":
                    wide = max(each - 1.5, 0.6 * each)
                    yield (
                        f'<rect x="{px(left + (each - wide) / 2)}" y="{px(min(y, base))}" width="{px(wide)}" '
                        f'height="{px(abs(base - y))}" {look.fill}/>'
                    )
                ink = INK if item.style == "bar" else look.colour
                yield self._whisker(item, number, left + each / 2, min(each * 0.3, 7), ink)
                if item.style == "dot":
                    yield f'<circle cx="{px(left + each / 2)}" cy="{px(y)}" r="4.5" {look.fill}/>'

    def _whisker(self, item: Bars, number: int, x: float, half: float, colour: str) -> str:
        if item.low is None or item.high is None:
            return ""
        ends = [self.y.place(item.low[number]), self.y.place(item.high[number])]
        if ends[0] is None or ends[1] is None:
            return ""
        caps = "".join(f"M{px(x - half)} {px(end)}h{px(2 * half)}" for end in (ends[0], ends[1]))
        return (
            f'<path d="M{px(x)} {px(ends[0])}V{px(ends[1])}{caps}" stroke="{colour}" stroke-width="1.6" fill="none"/>'
        )


def _legend_rows(panel: Panel, width: float) -> list[list[tuple[float, str, Series | Bars]]]:
    """The names to explain as (x, text, item), in as many rows as they need."""
    rows: list[list[tuple[float, str, Series | Bars]]] = []
    x, seen = math.inf, set()
    for item in panel.content:
        if not item.name or item.name in seen:
            continue
        seen.add(item.name)
        name = shortened(item.name, SMALL, width - 26)
        needed = 26 + text_width(name, SMALL)
        if x + needed > width:
            rows.append([])
            x = 0.0
        rows[-1].append((x, name, item))
        x += needed + 18
    return rows


# Ranges and ticks ------------------------------------------------------------------------------------------------


def _usable(values: Iterable[float], log: bool) -> list[float]:
    return [float(value) for value in values if abs(value) < HUGE and (value > TINY or not log)]


def _x_range(panel: Panel) -> Range:
    every = [item for item in panel.content if isinstance(item, Series)]
    low, high = _ends(_usable((value for item in every for value in item.x), panel.x_log), panel.x_log)
    if any(item.style == "points" for item in every):
        return _padded(low, high, panel.x_log)
    return (0.0 if not panel.x_log and 0 < low < 0.05 * high else low), high


def _y_range(panel: Panel) -> Range:
    values: list[float] = []
    for item in panel.content:
        for some in (item.y if isinstance(item, Series) else item.values, item.low, item.high):
            values += _usable(some, panel.y_log) if some is not None else []
    ground = not panel.y_log and any(item.style == "bar" for item in panel.content)
    low, high = _ends(values + [0.0] * ground, panel.y_log)
    padded_low, padded_high = _padded(low, high, panel.y_log)
    if panel.y_log:
        return padded_low, padded_high
    # Near zero a plot should start from zero, or seem to show differences that are not there.
    if 0 <= low < 0.35 * high:
        padded_low = 0.0
    if 0 >= high > 0.35 * low:
        padded_high = 0.0
    return padded_low, padded_high


def _ends(values: Sequence[float], log: bool) -> Range:
    """The smallest and the largest value, pulled apart if they are the same."""
    if not values:
        return (1.0, 10.0) if log else (0.0, 1.0)
    low, high = min(values), max(values)
    if log:
        return (low, high) if high > low * (1 + 1e-9) else (low / 3, high * 3)
    if high - low > max(TINY, 1e-9 * max(abs(low), abs(high))):
        return low, high
    return (low - abs(low) / 2, high + abs(high) / 2) if abs(low) > TINY else (0.0, 1.0)


def _padded(low: float, high: float, log: bool) -> Range:
    if log:
        factor = (high / low) ** 0.05
        return low / factor, high * factor
    room = 0.05 * (high - low)
    return low - room, high + room


class _Axis:
    """Values to pixels along one axis, with ticks as (pixel, label) and small ticks without one."""

    def __init__(self, ends: Range, log: bool, length: int, *, upright: bool = False) -> None:
        self.ends, self.log, self.length, self.upright = ends, log, length, upright
        values, labels, minor = self._choose()
        self.ticks = [(self.pixel(value), label) for value, label in zip(values, labels, strict=True)]
        self.minor = [self.pixel(value) for value in minor]

    def pixel(self, value: float) -> float:
        low, high = self.ends
        part = math.log(value / low) / math.log(high / low) if self.log else (value - low) / (high - low)
        part = min(max(part, -9.0), 10.0)  # far outside is outside
        return self.length * (1 - part if self.upright else part)

    def place(self, value: float) -> float | None:
        """The pixel of a value; None if it has none. Infinity is far outside."""
        if math.isnan(value) or (self.log and value <= TINY):
            return None
        if abs(value) >= HUGE:
            return self.length * (10.0 if (value < 0) == self.upright else -9.0)
        return self.pixel(value)

    def _fits(self, labels: Sequence[str]) -> bool:
        if self.upright:
            return 26 * len(labels) <= self.length
        return sum(text_width(label, SMALL) + 16 for label in labels) <= self.length * 1.1

    def _choose(self) -> tuple[list[float], list[str], list[float]]:
        low, high = self.ends
        if self.log:
            first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
            for every in range(1 + max(0, last - first) // 20, max(2, last - first + 1)):
                decades = [10.0**power for power in range(first, last + 1) if power % every == 0]
                if len(decades) > 1 and self._fits(_power_labels(decades)):
                    return decades, _power_labels(decades), _minor_ticks(low, high) if every == 1 else []
            for digits in ((1, 2, 5), (1, 3)):
                some = [d * 10.0**power for power in range(first - 1, last + 1) for d in digits]
                some = [value for value in some if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]
                if len(some) > 1 and self._fits(labels := [_plain(value) for value in some]):
                    return some, labels, _minor_ticks(low, high)
        for wanted in range(6 if self.upright else 8, 1, -1):
            fewer, step = _even_ticks(low, high, wanted)
            if not fewer:  # a wide step may step over the whole range
                break
            values, labels = fewer, _even_labels(fewer, step)
            if self._fits(labels):
                return values, labels, []
        ends = [0, -1] if len(values) > 1 else [0]  # of labels that never fit, no more than two
        return [values[end] for end in ends], [labels[end] for end in ends], []


def _even_ticks(low: float, high: float, wanted: int) -> tuple[list[float], float]:
    """Multiples of 1, 2 or 5 times a power of ten within the range, no more than wanted (but at least one)."""
    rough = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10, 20) if power * factor >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)], step


def _even_labels(values: Sequence[float], step: float) -> list[str]:
    largest = max(map(abs, values), default=0.0)
    digit = math.floor(math.log10(step) + 1e-9)
    if step >= 1e-4 and largest < 1e7:
        return [_signed(value, f"{abs(value):,.{max(0, -digit)}f}") for value in values]
    power = math.floor(math.log10(largest) + 1e-9) if largest else 0
    decimals = min(max(0, power - digit), 12)
    return [_signed(value, _scientific(abs(value), power, decimals)) if value else "0" for value in values]


def _power_labels(values: Sequence[float]) -> list[str]:
    if values[0] >= 1e-3 and values[-1] <= 1e5:
        return [_plain(value) for value in values]
    return [f"10{_superscript(round(math.log10(value)))}" for value in values]


def _minor_ticks(low: float, high: float) -> list[float]:
    first, last = math.floor(math.log10(low)), math.floor(math.log10(high))
    if last - first > 12:
        return []
    every = (digit * 10.0**power for power in range(first, last + 1) for digit in range(2, 10))
    return [value for value in every if low <= value <= high]


def _plain(value: float) -> str:
    if 1e-3 <= value < 1e7:
        return f"{value:,.{max(0, -math.floor(math.log10(value) + 1e-9))}f}"
    power = math.floor(math.log10(value) + 1e-9)
    return _scientific(value, power, 0)


def number_text(value: float, decimals: int = 1) -> str:
    """A number for a title: 0.012, and 8.7×10⁻⁵ where there would be too many zeros."""
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return f"{value:,.{decimals + 1}g}"
    return _signed(value, _scientific(abs(value), math.floor(math.log10(abs(value)) + 1e-9), decimals))


def _superscript(number: int) -> str:
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _scientific(value: float, power: int, decimals: int) -> str:
    return f"{value / 10.0**power:.{decimals}f}\N{MULTIPLICATION SIGN}10{_superscript(power)}"


def _signed(value: float, size: str) -> str:
    return f"\N{MINUS SIGN}{size}" if value < 0 else size


# Points and text -------------------------------------------------------------------------------------------------


def _check_lengths(name: str, length: int, others: Iterable[Numbers | None]) -> None:
    for other in others:
        if other is not None and len(other) != length:
            raise BadOption(f"'{name}' has {length} places and {len(other)} values")


def _thinned(xs: Sequence[float | None], width: int) -> list[int]:
    """The indices of the points to draw: the first in each of a few hundred strips, and the last of all.

    Points that do not go from left to right are taken at even steps.
    """
    known = [x for x in xs if x is not None]
    if any(later < earlier for earlier, later in itertools.pairwise(known)):
        return list(range(0, len(xs), -(-len(xs) // MOST_LINE_POINTS)))
    kept: list[int] = []
    strips: set[int | None] = set()
    for i, x in enumerate(xs):
        strip = None if x is None else math.floor(x / width * (MOST_LINE_POINTS - 4))
        if strip not in strips:
            strips.add(strip)
            kept.append(i)
    return kept if kept[-1] == len(xs) - 1 else [*kept, len(xs) - 1]


def _runs(points: Sequence[T | None]) -> Iterator[list[T]]:
    """The stretches between the gaps."""
    run: list[T] = []
    for point in points:
        if point is not None:
            run.append(point)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _dash(pattern: str) -> str:
    return f' stroke-dasharray="{pattern}"' if pattern else ""
