"""Search trees as SVG, text and PNG: layout, folding, looks, thumbnails and hostile input."""

from __future__ import annotations

import itertools
import json
import math
import re
import struct
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import make_game, result
from plyground.errors import BadOption, FormatError, MissingExtra
from plyground.pictures.board import svg as board_svg
from plyground.pictures.lettering import clean, shortened, text_width, wrapped
from plyground.pictures.png import svg_png
from plyground.pictures.thumbnail import nested, standalone, thumbnail_size
from plyground.pictures.tidy import tidy
from plyground.pictures.tree import Drawing, Look, Node, Step, tree_html, tree_svg, tree_text
from plyground.pictures.tree_layout import GEOMETRY, SHAPES, FinalTree, fold_tree, lay_out

SVG = "{http://www.w3.org/2000/svg}"
SHORT = st.text("ab1≤α ", max_size=8)
NASTY = "</text><script>alert(1)</script>\"&'<!--]]>\x00\x1b\ud800{{data}}"


def worked(x="x", y="y"):
    """MAX over MIN nodes (3, 12, 8), (2, x, y) and (14, 5, 2); after 2 the second one is cut."""
    nodes = [Node(None, "max", name="A")]
    for i, name in enumerate("BCD"):
        nodes.append(Node(0, "min", f"a{i + 1}", name))
        parent = len(nodes) - 1
        nodes += [Node(parent, "leaf", f"{name.lower()}{j + 1}") for j in range(3)]
    values = {2: "3", 3: "12", 4: "8", 6: "2", 10: "14", 11: "5", 12: "2"}
    cut = Look(edge="cut", note="alpha cut: v ≤ α (2 ≤ 3)")
    steps = [
        Step("MAX begins.", 0, {0: Look("open", lines=("α = -∞", "β = +∞"))}),
        Step("The leaves are looked at.", 2, {leaf: Look("done", value) for leaf, value in values.items()}),
        Step("MIN's first value.", 1, {1: Look("done", "3"), 0: Look(value="≥ 3", lines=("α = 3", "β = +∞"))}),
        Step("MIN's second value is low enough.", 5, {5: Look("done", "≤ 2"), 7: replace(cut, value=x)}),
        Step("So the other leaf is cut, too.", 5, {8: replace(cut, value=y)}),
        Step(
            "MAX chooses.", 0, {9: Look("done", "2"), 0: Look("done", "3"), 1: Look(edge="best"), 2: Look(edge="best")}
        ),
    ]
    return Drawing("The worked tree", nodes, steps)


def wide(children=100, **looks):
    nodes = [Node(None, "max"), *(Node(0, "leaf", f"m{i}") for i in range(children))]
    start = {i: Look("done", str(i)) for i in range(children + 1)}
    return Drawing("Wide", nodes, [], start | {int(key[1:]): look for key, look in looks.items()})


@st.composite
def drawings(draw, texts=SHORT, most=25):
    parents = [None] + [draw(st.integers(max(0, i - 6), i - 1)) for i in range(1, draw(st.integers(1, most)))]
    boards = st.sampled_from(["", "", "", '<svg viewBox="0 0 30 20"/>'])
    nodes = [Node(p, draw(st.sampled_from(SHAPES)), draw(texts), draw(texts), draw(boards)) for p in parents]
    looks = st.builds(
        Look,
        st.sampled_from([None, "unseen", "open", "done"]),
        st.none() | texts,
        st.none() | st.lists(texts, max_size=3).map(tuple),
        st.sampled_from([None, "plain", "best", "cut"]),
        st.none() | texts,
        st.none() | st.floats(),
        st.none() | st.floats(),
    )
    changes = st.dictionaries(st.integers(0, len(nodes) - 1), looks, max_size=8)
    steps = draw(st.lists(st.builds(Step, texts, st.none(), changes), max_size=4))
    return Drawing(draw(texts), nodes, steps, draw(changes))


def parsed(drawing, **options):
    return ElementTree.fromstring(tree_svg(drawing, **options))


def texts(root):
    return [element.text for element in root.iter(f"{SVG}text")]


def groups(root):
    return {int(g.get("data-node")): g for g in root.iter(f"{SVG}g") if g.get("data-node")}


def pills(root):
    return [int(g.get("data-folded")) for g in root.iter(f"{SVG}g") if g.get("data-folded")]


def laid_out(drawing, most_children=12, width=4000):
    tree = FinalTree(drawing)
    places, rows = lay_out(tree, fold_tree(tree, most_children, width))
    return tree, places, rows


# Layout


def boxes(place):
    size = place.size
    return place.x - size.left, place.y, place.x + size.right, place.y + size.height


@given(drawings(), st.integers(1, 5), st.sampled_from([50, 600, 4000]))
def test_nothing_overlaps_and_parents_are_centred(drawing, most_children, width):
    _, places, rows = laid_out(drawing, most_children, width)
    for i, place in enumerate(places):
        left, top, right, bottom = boxes(place)
        assert left >= -1e-6
        for other in places[:i]:
            other_left, other_top, other_right, other_bottom = boxes(other)
            apart = left >= other_right or other_left >= right
            assert apart or top >= other_bottom or other_top >= bottom
        family = [other.x for other in places if other.above == i]
        if family:
            assert place.x == pytest.approx((family[0] + family[-1]) / 2)
            assert family == sorted(family)
    standing = {place.depth for place in places if not place.alone}
    for depth in range(1, len(standing)):
        above, below = rows[depth - 1], rows[depth]
        assert above.bottom <= below.bend <= below.zone <= below.action < below.top <= below.bottom


@pytest.mark.slow
@given(drawings())
def test_notes_and_actions_have_room_of_their_own(drawing):
    """What stands above a node stays within the node's own strip, and strips of one row are disjoint."""
    tree, places, rows = laid_out(drawing)
    by_row = {}
    for place in places:
        by_row.setdefault(place.depth, []).append(place)
        if place.folded or not place.depth:
            continue
        row = rows[place.depth]
        assert row.zone + GEOMETRY["line"] * len(place.note) <= row.action + 1e-6
        for line in place.note:
            assert GEOMETRY["note_from"] + text_width(line, GEOMETRY["small"]) <= place.size.right + 1e-6
        action = clean(tree.nodes[place.number].action)
        assert text_width(action, GEOMETRY["action"], bold=True) / 2 <= min(place.size.left, place.size.right) + 1e-6
        assert not action or row.action + GEOMETRY["action_line"] <= row.top
    for row in by_row.values():
        strips = sorted((place.x - place.size.left, place.x + place.size.right) for place in row)
        assert all(a[1] + GEOMETRY["gap"] <= b[0] + 1e-6 for a, b in itertools.pairwise(strips))


@given(st.lists(st.integers(0, 10**6), max_size=60), st.randoms(use_true_random=False))
def test_a_mirrored_tree_has_the_mirrored_layout(choices, random):
    children = [[] for _ in range(len(choices) + 1)]
    for node, choice in enumerate(choices, 1):
        children[choice % node].append(node)
    sizes = [random.uniform(1, 9) for _ in children]

    def layout(mirrored):
        order, parents, waiting = [], [], [(0, -1)]
        for node, parent in waiting:
            waiting += [(child, len(order)) for child in (reversed(children[node]) if mirrored else children[node])]
            order.append(node)
            parents.append(parent)
        spread = [sizes[node] for node in order]
        return dict(zip(order, tidy(parents, spread, spread, 2, 5), strict=True))

    straight, mirrored = layout(False), layout(True)
    assert all(straight[node] == pytest.approx(-mirrored[node], abs=1e-6) for node in straight)


def test_small_subtrees_between_large_ones_are_spread_evenly():
    # The root has a large family, three single nodes and a large family again.
    parents = [-1, 0, 0, 0, 0, 0, *[1] * 6, *[5] * 6]
    x = tidy(parents, [5.0] * len(parents), [5.0] * len(parents), 2, 2)
    steps = [x[i + 1] - x[i] for i in range(1, 5)]
    assert steps == pytest.approx([steps[0]] * 4)


@pytest.mark.slow
def test_a_very_deep_tree():
    depth = 3000
    nodes = [Node(None, "max"), *(Node(i, "min" if i % 2 == 0 else "max", "a") for i in range(depth))]
    drawing = Drawing("Deep", nodes, [Step("Down.", depth, {depth: Look("done", "1")})])
    assert len(groups(parsed(drawing))) == depth + 1
    assert len(tree_text(drawing).splitlines()) == depth + 2
    assert tree_html(drawing)


# What the picture says


def test_the_worked_tree():
    root = parsed(worked())
    assert root.get("role") == "img"
    assert root.get("aria-label") == "The worked tree: 13 nodes, value 3"
    found = texts(root)
    assert found.count("alpha cut:") == found.count("v ≤ α (2 ≤ 3)") == 1  # the two neighbours share it
    assert {"3", "≤ 2", "α = 3", "β = +∞", "x", "y", "a1", "d3", "B", "The worked tree"} <= set(found)
    assert "≥ 3" not in found  # that was before the last step
    assert found[-6:] == ["MAX moves", "MIN moves", "leaf", "chosen", "cut off", "not visited"]
    nodes = groups(root)
    points = {n: nodes[n].find(f"{SVG}path").get("d") for n in (0, 1)}
    assert re.fullmatch(r"M0 0L[\d.]+ [\d.]+H-[\d.]+Z", points[0])  # the apex of MAX is on top
    assert re.fullmatch(r"M-[\d.]+ 0H[\d.]+L0 [\d.]+Z", points[1])
    assert nodes[2].find(f"{SVG}rect") is not None
    strokes = [path.get("stroke") for path in root.iter(f"{SVG}path")]
    assert strokes.count("#0072B2") == 3  # two edges, and one in the legend
    assert strokes.count("#b3440a") == 3  # two cuts, and one in the legend


def test_the_worked_tree_as_text():
    assert (
        tree_text(worked())
        == """\
The worked tree
▲ 3  A  α = 3  β = +∞
┝━ a1  ▼ 3  B
│  ┝━ b1  ■ 3
│  ├─ b2  ■ 12
│  └─ b3  ■ 8
├─ a2  ▼ ≤ 2  C
│  ├─ c1  ■ 2
│  ├╳ c2  □ x  [alpha cut: v ≤ α (2 ≤ 3)]
│  └╳ c3  □ y  [alpha cut: v ≤ α (2 ≤ 3)]
└─ a3  ▼ 2  D
   ├─ d1  ■ 14
   ├─ d2  ■ 5
   └─ d3  ■ 2"""
    )


@pytest.mark.slow
@given(drawings(most=12))
def test_every_text_is_there(drawing):
    root = parsed(drawing)
    tree, places, _ = laid_out(drawing)
    edges = texts(root)
    lines = tree_text(drawing).splitlines()
    assert len(lines) == bool(clean(drawing.title)) + len(places)
    for place in places:
        if place.folded:
            continue
        node, look = tree.nodes[place.number], tree.looks[place.number]
        said = texts(groups(root)[place.number])
        expected = [clean(text) for text in (look.value, node.name, *look.lines)]
        assert sorted(said) == sorted(filter(None, expected))
        if place.depth:
            assert not clean(node.action) or clean(node.action) in edges
            assert set(place.note) <= set(edges)
            # Neighbours cut off together share one note.
            family = [n for n, other in enumerate(tree.nodes) if other.parent == node.parent]
            assert not place.note or " ".join(place.note) in {clean(tree.looks[n].note) for n in family}
        assert any(all(clean(text) in line for text in (node.action, *expected, look.note)) for line in lines)


def test_a_long_text_is_shortened_and_told_in_full():
    long = "a very long text " * 20
    drawing = Drawing("", [Node(None, "leaf", name=long), Node(0, "max", long)], [], {1: Look("done", long, (long,))})
    root = parsed(drawing)
    assert all(text_width(text, 1) < 40 for text in texts(root))
    assert sum(text.endswith("…") for text in texts(root)) == 4
    assert [title.text.count(clean(long)) for title in root.iter(f"{SVG}title")] == [1, 3]


def test_the_shape_says_who_moves():
    nodes = [Node(None, "player"), *(Node(0, shape) for shape in ("max", "min", "chance", "leaf"))]
    start = {i: Look("done") for i in range(5)}
    first = [
        next(iter(group)).tag.removeprefix(SVG) for group in groups(parsed(Drawing("", nodes, [], start))).values()
    ]
    assert first == ["rect", "path", "path", "circle", "rect"]
    assert [line[-1] for line in tree_text(Drawing("", nodes, [], start)).splitlines()] == list("◆▲▼○■")
    assert [line[-1] for line in tree_text(Drawing("", nodes, [])).splitlines()] == list("◇△▽◌□")
    assert texts(parsed(Drawing("", nodes, [], start))) == [
        "MAX moves",
        "MIN moves",
        "chance",
        "a player moves",
        "leaf",
    ]


def test_long_values_go_below_triangles_and_circles_but_into_boxes():
    def places(value):
        nodes = [Node(None, "max"), Node(0, "chance"), Node(0, "player")]
        drawing = Drawing("", nodes, [], {i: Look("done", value) for i in range(3)})
        found = groups(parsed(drawing))
        heights = [place.size.shape[1] for place in laid_out(drawing)[1]]
        return [float(found[i].find(f"{SVG}text").get("y")) < heights[i] for i in range(3)]

    assert places("≤ 12") == [True, True, True]
    assert places("(3, 1, 2)") == [False, False, True]


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_tint_goes_from_orange_to_blue(low, high):
    def fill(tint):
        root = parsed(Drawing("", [Node(None, "leaf")], [], {0: Look("done", tint=tint)}))
        colour = groups(root)[0].find(f"{SVG}rect").get("fill")
        return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]

    low, high = sorted([low, high])
    (red_low, _, blue_low), (red_high, _, blue_high) = fill(low), fill(high)
    assert red_low - blue_low >= red_high - blue_high
    assert fill(-1) == [0xF3, 0xA1, 0x6B] == fill(-math.inf)
    assert fill(1) == [0x74, 0xB6, 0xE0] == fill(7)
    assert fill(math.nan) == fill(0)


def test_edges_are_as_thick_as_they_say():
    def stroke(**look):
        root = parsed(Drawing("", [Node(None, "leaf"), Node(0, "leaf")], [], {1: Look("done", **look)}))
        return float(next(root.iter(f"{SVG}path")).get("stroke-width"))

    assert stroke() == 1.6
    assert stroke(width=3.25) == 3.25
    assert stroke(edge="best") == 4
    assert stroke(edge="best", width=6) == 6
    assert stroke(width=math.inf) == stroke(width=1e9) == 14
    assert stroke(width=-math.inf) == stroke(width=math.nan) == stroke(width=-3) == 0.5


def test_the_legend_is_in_the_language_asked_for():
    assert "MIN 走" in texts(parsed(worked(), lang="zh"))
    with pytest.raises(BadOption, match="no language 'de'; there are: en, zh"):
        tree_svg(worked(), lang="de")
    with pytest.raises(BadOption, match="'de'"):
        tree_html(worked(), lang="de")


# Folding


def test_a_hundred_children_fold():
    root = parsed(wide(m58=Look("done", "best of all", edge="best")))
    assert pills(root) == [93]
    assert set(groups(root)) == {0, 1, 2, 3, 4, 5, 6, 58}
    assert texts(root)[-1] == "more children"
    assert tree_text(wide()).splitlines()[-2:] == ["├─ m5  ■ 6", "└─ +94"]
    assert pills(parsed(wide(12))) == []
    assert pills(parsed(wide(), most_children=100)) == []


def test_folding_prefers_what_was_visited_and_thick_edges():
    looks = {f"m{i}": Look("unseen") for i in range(1, 51)}
    root = parsed(wide(**looks, m90=Look("done", width=3), m91=Look("done", width=8)), most_children=3)
    assert set(groups(root)) == {0, 51, 90, 91}


@pytest.mark.slow
@given(drawings(), st.integers(1, 5), st.sampled_from([50, 600, 4000]))
def test_folding_keeps_what_matters(drawing, most_children, width):
    tree, places, _ = laid_out(drawing, most_children, width)
    shown = {place.number for place in places if not place.folded}
    folded = {place.number: place.folded for place in places if place.folded}
    lit = [0]
    for number in lit:
        family = tree.children[number]
        best = [child for child in family if tree.looks[child].edge == "best"]
        cut = [child for child in family if tree.looks[child].edge == "cut"]
        if len(best) <= most_children:
            lit += best  # the line of best edges is open to its end
            assert set(best) <= shown
        if len(best) + len(cut) + 6 <= most_children or len(family) <= most_children:
            assert set(cut) <= shown
    for number in shown:
        family = [child for child in tree.children[number] if child in shown]
        assert len(family) + folded.get(number, 0) == len(tree.children[number])
        assert len(family) <= most_children


@given(st.integers(2, 5), st.integers(800, 3000))
def test_a_folded_picture_keeps_to_its_width(branching, width):
    nodes = [Node(None, "max")]
    while len(nodes) < 400:
        nodes.append(Node((len(nodes) - 1) // branching, "leaf", f"a{len(nodes)}"))
    _, places, _ = laid_out(Drawing("", nodes, []), width=width)
    wide = max(place.x + place.size.right for place in places)
    assert wide <= width
    assert wide > width * 0.5  # and uses it


def test_a_picture_without_width_still_shows_the_best_line():
    nodes = [Node(None, "max")]
    for depth in range(5):
        nodes += [Node(2 * depth, "min", "no"), Node(2 * depth, "max", "yes")]
    start = {2 * depth + 2: Look("done", "1", edge="best") for depth in range(5)}
    root = parsed(Drawing("", nodes, [], start), width=0)
    assert texts(root).count("yes") == 5
    assert pills(parsed(Drawing("", nodes, []), width=0)) == [2]


def test_some_children_must_be_shown():
    with pytest.raises(BadOption, match="most_children=0; at least 1"):
        tree_svg(worked(), most_children=0)


# Hostile input


@given(drawings(texts=st.text(max_size=12) | st.just(NASTY), most=8))
def test_any_text_makes_good_xml_and_a_good_page(drawing):
    root = parsed(drawing)
    assert not list(root.iter(f"{SVG}script"))
    assert all("\n" not in line for line in tree_text(drawing).split("\n"))
    page = tree_html(drawing)
    page.encode()
    assert page.count("<script") == page.count("</script") == 2
    assert page.count("<!--") == 0
    data = json.loads(re.search(r'<script type="application/json" id="drawing">(.*?)</script>', page, re.S)[1])
    assert data["title"] == clean(drawing.title)
    assert [node[2] for node in data["nodes"]] == [clean(node.action) for node in drawing.nodes]
    assert [step[0] for step in data["steps"]] == [clean(step.caption) for step in drawing.steps]


def test_an_empty_drawing():
    empty = Drawing("Nothing", [], [])
    assert texts(parsed(empty)) == ["Nothing"]
    assert tree_text(empty) == "Nothing"
    assert parsed(Drawing("", [], [])).get("aria-label") == "search tree: 0 nodes"
    assert "search tree" in tree_html(Drawing("", [], []))


@pytest.mark.parametrize(
    ("nodes", "step", "message"),
    [
        ([Node(0, "max")], None, "node 0 has the parent 0; it must be None"),
        ([Node(None, "max"), Node(None, "min")], None, "node 1 has the parent None; it must be a node from 0 to 0"),
        ([Node(None, "max"), Node(2, "min"), Node(0, "min")], None, "node 1 has the parent 2"),
        ([Node(None, "square")], None, "node 0 has the shape 'square'; there are: max, min"),
        ([Node(None, "max")], Step("", 1), "a step is about node 1; there are 1 nodes, from 0"),
        ([Node(None, "max")], Step("", None, {-1: Look()}), "a step is about node -1"),
    ],
)
def test_what_is_no_tree_is_refused(nodes, step, message):
    for picture in (tree_svg, tree_text, tree_html):
        with pytest.raises(FormatError, match=message):
            picture(Drawing("", nodes, [step] if step else []))


# Boards


def test_boards_are_nested_with_a_sign():
    state = make_game("tictactoe").initial
    nodes = [Node(None, "max", board=board_svg(state))]
    for action in range(3):
        nodes.append(Node(0, "min", str(action), board=board_svg(result(state, action))))
    drawing = Drawing("Boards", nodes, [], {i: Look("done", "+0") for i in range(4)})
    for group in groups(parsed(drawing)).values():
        (board,) = group.iter(f"{SVG}svg")
        assert board.get("viewBox") == "0 0 178 178"
        assert float(board.get("width")) == float(board.get("height")) == GEOMETRY["board"]
        assert board.get("aria-label") is None
        assert len(group.findall(f"{SVG}g/{SVG}path")) == 1  # the sign
        assert group.find(f"{SVG}text").text == "+0"


def test_ids_in_boards_stay_apart_and_nothing_acts_or_loads():
    board = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20">'
        '<defs><linearGradient id="g"><stop/></linearGradient></defs><script>alert(1)</script><title>no</title>'
        '<rect id="r" fill="url(#g)" onclick="alert(1)" width="9" height="9"/><use xlink:href="#r" stroke="#abc"/>'
        '<image href="https://example.org/x.png"/><image href="data:image/png;base64,AA=="/>'
        '<a xlink:href="javascript:alert(1)"><text xml:space="preserve" style="fill: url(https://example.org/x)">a</text></a>'
        '<foreignObject/><other xmlns="urn:x"/></svg>'
    )
    root = parsed(Drawing("", [Node(None, "leaf", board=board), Node(0, "leaf", board=board)], []))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert sorted(ids) == ["n0-g", "n0-r", "n1-g", "n1-r"]
    (first, _) = list(root.iter(f"{SVG}svg"))[1:]
    assert first.get("viewBox") == "0 0 40 20"
    assert first.find(f"{SVG}rect").attrib == {"id": "n0-r", "fill": "url(#n0-g)", "width": "9", "height": "9"}
    assert first.find(f"{SVG}use").attrib == {"href": "#n0-r", "stroke": "#abc"}
    assert [image.attrib for image in first.iter(f"{SVG}image")] == [{}, {"href": "data:image/png;base64,AA=="}]
    whole = ElementTree.tostring(first, encoding="unicode")
    assert not re.search("alert|example|foreign|urn:x|title", whole)
    assert 'xml:space="preserve"' in whole


def test_a_board_with_a_style_sheet_becomes_an_image():
    root = parsed(
        Drawing("", [Node(None, "leaf", board='<svg viewBox="0 0 2 1"><style>*{fill:red}</style></svg>')], [])
    )
    (image,) = root.iter(f"{SVG}image")
    assert image.get("href").startswith("data:image/svg+xml;base64,")
    assert not list(root.iter(f"{SVG}style"))


@pytest.mark.parametrize(
    ("opening", "size"),
    [
        ('<svg viewBox="0 0 40 20">', (84, 42)),
        ("<svg viewBox='-5,-5,10,40'>", (21, 84)),
        ('<svg width="40px" height="10">', (84, 21)),
        ('<svg data-width="7" width="100%" height="100%">', (84, 84)),
        ('<svg viewBox="0 0 0 0">', (84, 84)),
        ('<svg viewBox="none">', (84, 84)),
        ("<svg>", (84, 84)),
        ('<svg viewBox="0 0 1 100000">', (1, 84)),
    ],
)
def test_thumbnails_keep_their_proportions(opening, size):
    assert thumbnail_size(f"{opening}</svg>", 84) == size
    assert ElementTree.fromstring(standalone(f"{opening}</svg>")).tag == f"{SVG}svg"


def test_what_is_no_board_is_refused():
    for board, message in (("hello", "there is no svg element: 'hello'"), ("<svg><g></svg>", "mismatched tag")):
        with pytest.raises(FormatError, match=message):
            tree_svg(Drawing("", [Node(None, "leaf", board=board)], []))
    with pytest.raises(FormatError, match="this is not SVG"):
        nested("<svg", "", 0, 0, 1, 1)


# Lettering


@given(st.text(), st.floats(5, 300))
def test_shortened_and_wrapped_text_fits(text, width):
    short = shortened(clean(text), 12, width)
    assert text_width(short, 12) <= max(width, text_width("…", 12))
    assert short.rstrip("…") == "" or clean(text).startswith(short.rstrip("…"))
    lines = wrapped(clean(text), 12, width)
    assert all(text_width(line, 12) <= max(width, text_width("…", 12)) for line in lines)
    if all(text_width(word, 12) <= width for word in clean(text).split()):
        assert " ".join(lines) == clean(text)


def test_chinese_is_broken_anywhere_but_before_a_comma():
    text = "用 α-β 剪枝从左到右搜索这棵树。写出每个节点当时的值，《划去》被剪的边。"
    for width in range(40, 400, 7):
        lines = wrapped(text, 12, width)
        assert all(text_width(line, 12) <= width for line in lines)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert not any(line[0] in "。，》" or line[-1] == "《" for line in lines)
        assert len(lines) <= 2 + 1.4 * text_width(text, 12) / width
    assert wrapped("搜索 MAX 走", 12, 300) == ["搜索 MAX 走"]


# PNG


def size_of(png):
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


def test_png():
    svg = tree_svg(worked())
    root = ElementTree.fromstring(svg)
    width, height = int(root.get("width")), int(root.get("height"))
    assert size_of(svg_png(svg)) == (2 * width, 2 * height)
    assert size_of(svg_png(svg, 1)) == (width, height)
    assert len(svg_png(svg)) > len(svg_png(re.sub("<text.*?</text>", "", svg))) + 2000  # the letters are there


def test_boards_are_in_the_png():
    def drawn(fill):
        board = f'<svg viewBox="0 0 9 9"><rect width="9" height="9" fill="{fill}"/></svg>'
        return svg_png(tree_svg(Drawing("", [Node(None, "leaf", board=board)], [], {0: Look("done")})), 1)

    assert drawn("#ff0000") != drawn("#00ff00")


def test_a_png_has_a_limit(monkeypatch):
    monkeypatch.setattr("plyground.pictures.png.MOST_PIXELS", 1_000_000)
    width, height = size_of(svg_png('<svg xmlns="http://www.w3.org/2000/svg" width="200000" height="2000"/>'))
    assert 980_000 < width * height <= 1_010_000
    assert width == pytest.approx(100 * height, rel=0.01)


def test_a_png_of_nothing_is_refused(monkeypatch):
    for svg, scale, error, message in (
        ("hello", 1, FormatError, "the SVG cannot be drawn"),
        (tree_svg(worked()), 0, BadOption, "scale=0; a scale is more than 0"),
        (tree_svg(worked()), math.nan, BadOption, "scale=nan"),
    ):
        with pytest.raises(error, match=message):
            svg_png(svg, scale)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=r"pip install 'plyground\[png\]'"):
        svg_png(tree_svg(worked()))
