"""Plots as SVG: valid XML, readable ticks, thinned lines, hostile data."""

from __future__ import annotations

import itertools
import math
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.errors import BadOption
from plyground.pictures.lettering import text_width
from plyground.pictures.plot import PALETTE, Bars, Panel, Series, _Axis, _ends, _padded, number_text, plot_svg

SVG = "{http://www.w3.org/2000/svg}"
ANY_FLOAT = st.floats(allow_nan=True, allow_infinity=True)


def parsed(*panels, **options):
    return ElementTree.fromstring(plot_svg(panels, **options))


def texts(root):
    return [element.text for element in root.iter(f"{SVG}text")]


def lines(root):
    """The paths of the lines, as lists of stretches of points."""
    found = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("stroke-linejoin") == "round"]
    return [[stretch.split("L") for stretch in shape.split("M")[1:]] for shape in found]


def test_a_plot_is_xml_that_speaks():
    root = parsed(Panel([Series("a", [0, 1], [2, 3])], "Left", "x", "y"), Panel([], "Right"), title="Both")
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Both. Left. Right"
    assert {"Both", "Left", "Right", "a", "x", "y"} <= set(texts(root))
    assert parsed(Panel([]), label="said").get("aria-label") == "said"
    assert parsed().get("aria-label") == "plot"


def test_numbers_are_written_as_people_write_them():
    texts = {0.0123: "0.012", 8.68e-5: "8.7×10⁻⁵", -4e7: "−4.0×10⁷", 0: "0", 12: "12", 0.001: "0.001"}
    assert {value: number_text(value) for value in texts} == texts


def test_text_is_escaped():
    nasty = "</text><script>\"&'\x00\x1b"
    root = parsed(
        Panel([Series(nasty, [1], [1])], nasty, nasty, nasty),
        Panel([Bars("b", [1])], categories=[nasty]),
        title=nasty,
    )
    assert not list(root.iter("script")) + list(root.iter(f"{SVG}script"))
    assert texts(root).count("</text><script>\"&'") == 6


def test_long_lines_are_thinned_and_keep_their_ends():
    n = 100_000
    for log in (False, True):
        root = parsed(Panel([Series("a", range(1, n + 1), range(n))], x_log=log, width=400))
        (stretch,) = lines(root)[0]
        assert 200 < len(stretch) <= 500
        assert stretch[-1].startswith("400 ")
        assert stretch[0].split()[0] in ("0", "0.0")
    circle = [2 * math.pi * i / n for i in range(n)]
    root = parsed(Panel([Series("a", list(map(math.cos, circle)), list(map(math.sin, circle)))]))
    assert 400 <= len(lines(root)[0][0]) <= 500


def test_gaps():
    y = [1, 2, math.nan, 4, 5, 6]
    assert [len(stretch) for stretch in lines(parsed(Panel([Series("a", range(6), y)])))[0]] == [2, 3]
    y = [1, 2, 0, -4, 5, 6]
    assert [len(stretch) for stretch in lines(parsed(Panel([Series("a", range(6), y)], y_log=True)))[0]] == [2, 2]


def test_a_name_has_one_look():
    names = [f"s{i}" for i in range(16)]
    root = parsed(
        Panel([Series(name, [0, 1], [0, 1]) for name in names]),
        Panel([Series(name, [0, 1], [0, 1]) for name in reversed(names)], legend=False),
    )
    looks = [
        (path.get("stroke"), path.get("stroke-dasharray"))
        for path in root.iter(f"{SVG}path")
        if path.get("stroke-linejoin") == "round"
    ]
    assert len(set(looks)) == 16
    assert looks[16:] == looks[15::-1]
    assert [colour for colour, _ in looks[:7]] == list(PALETTE)
    assert [text for text in texts(root) if text in names] == names


def test_bars_of_many_names_differ():
    root = parsed(Panel([Bars(f"b{i}", [1]) for i in range(21)], categories=["x"], legend=False))
    bars = root.find(f".//{SVG}svg").iter(f"{SVG}rect")
    assert len({(bar.get("fill"), bar.get("fill-opacity")) for bar in bars}) == 21


def test_bands():
    root = parsed(Panel([Series("a", [1, 2, 3], [1, 2, 3], [0, 1, 2], [2, 3, math.nan])], y_log=True))
    (band,) = [path for path in root.iter(f"{SVG}path") if path.get("fill-opacity")]
    assert band.get("d").count("L") == 3
    assert "L0 280" in band.get("d")  # a low end of zero reaches the bottom of a logarithmic axis


def test_bars_and_intervals():
    content = [
        Bars("a", [0.5, -0.25, math.nan], [0.4, -0.3, 0], [0.6, -0.2, 1]),
        Bars("b", [1, 0, 0.5]),
        Bars("m", [0.3, 0.3, 0.3], style="mark"),
    ]
    root = parsed(Panel(content, categories=["x", "y", "z"], y_range=(-1, 1), height=200, legend=False))
    inner = root.find(f".//{SVG}svg")
    heights = [float(rect.get("height")) for rect in inner.iter(f"{SVG}rect")]
    assert heights == pytest.approx([50, 25, 100, 0, 50])
    assert sum(path.get("stroke-width") == "1.6" for path in inner.iter(f"{SVG}path")) == 2
    assert sum(path.get("stroke-width") == "3" for path in inner.iter(f"{SVG}path")) == 3


def test_points_are_all_there():
    root = parsed(Panel([Series("a", range(1500), range(1500), style="points")]))
    (dots,) = [path for path in root.iter(f"{SVG}path") if path.get("stroke-linecap")]
    assert dots.get("d").count("M") == 1500


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Series("a", [1, 2], [1]),
        lambda: Series("a", [1], [1], low=[1, 2], high=[1]),
        lambda: Bars("a", [1], low=[]),
        lambda: Panel([Bars("a", [1])], categories=["x", "y"]),
        lambda: Panel([Bars("a", [1])]),
        lambda: Panel([Series("a", [1], [1])], categories=["x"]),
        lambda: Panel([], x_range=(1, 1)),
        lambda: Panel([], y_range=(0, 1), y_log=True),
        lambda: Panel([], y_range=(0, math.nan)),
    ],
)
def test_what_does_not_fit_is_refused(wrong):
    with pytest.raises(BadOption) as caught:
        wrong()
    assert "\n" not in str(caught.value)


def value_of(label):
    """The number that a label states."""
    text = label.replace("\N{MINUS SIGN}", "-").replace(",", "")
    powers = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    if match := re.fullmatch(r"(?:(.+)\N{MULTIPLICATION SIGN})?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text):
        return float(f"{match[1] or 1}e{match[2].translate(powers)}")
    return float(text)


@given(st.floats(-1e12, 1e12), st.floats(1e-6, 1e12), st.integers(120, 600), st.booleans(), st.booleans())
def test_ticks_are_where_they_say_and_do_not_collide(low, span, length, log, upright):
    if log:
        ends = _padded(*_ends([abs(low) + 1e-6, (abs(low) + 1e-6) * (1 + span)], True), True)
    else:
        ends = _ends([low, low + span], False)
    axis = _Axis(ends, log, length, upright=upright)
    assert 1 <= len(axis.ticks) <= 14
    labels = [label for _, label in axis.ticks]
    assert len(set(labels)) == len(labels)
    for place, label in axis.ticks:
        assert -0.01 <= place <= length + 0.01
        value = value_of(label)
        if value or not log:
            assert axis.pixel(value) == pytest.approx(place, abs=0.5)
    if len(axis.ticks) > 2 and not upright:
        for (left, a), (right, b) in itertools.pairwise(axis.ticks):
            assert right - left >= (text_width(a, 12) + text_width(b, 12)) / 2


@given(st.lists(st.tuples(ANY_FLOAT, ANY_FLOAT, ANY_FLOAT, ANY_FLOAT), max_size=8), st.booleans(), st.booleans())
def test_any_numbers_can_be_plotted(rows, x_log, y_log):
    x, y, low, high = zip(*rows, strict=True) if rows else ((), (), (), ())
    svg = plot_svg(
        [
            Panel([Series("a", x, y, low, high), Series("b", x, y, style="points")], x_log=x_log, y_log=y_log),
            Panel(
                [Bars("a", y, low, high)] if rows else [], categories=[str(i) for i in range(len(rows))], y_log=y_log
            ),
        ]
    )
    ElementTree.fromstring(svg)
    assert not re.search(r"[ \"ML]-?(nan|inf)", svg)


def test_long_names_stay_inside():
    names = ["a name that goes on and on and on, beyond all that is reasonable for a name of anything"] * 3
    root = parsed(Panel([Bars(names[0], [1, 2, 3])], names[0], categories=names, width=120), title=names[0])
    width = float(root.get("width"))
    assert width < 500
    for text in texts(root):
        assert text_width(text, 12) <= width
