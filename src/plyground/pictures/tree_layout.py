"""Where everything goes in the picture of a search tree: what is folded, how large nodes are, and the layout.

The page that replays a drawing follows the same rules, in `static/tree_layout.js`.
"""

from __future__ import annotations

import heapq
import itertools
import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from plyground.errors import BadOption, FormatError
from plyground.pictures.lettering import clean, shortened, text_width, wrapped
from plyground.pictures.thumbnail import thumbnail_size
from plyground.pictures.tidy import tidy

if TYPE_CHECKING:
    from collections.abc import Callable

    from plyground.pictures.tree import Drawing, Look

__all__ = [
    "GEOMETRY",
    "ROUND",
    "FinalLook",
    "FinalTree",
    "Fold",
    "Place",
    "Row",
    "fold_tree",
    "label_text",
    "lay_out",
    "line_texts",
    "note_texts",
    "said_by",
    "value_text",
    "value_width",
]

SHAPES = ("max", "min", "chance", "player", "leaf")
ROUND = ("max", "min", "chance")
"""Shapes in which only short texts have room."""
FEW = 6
"""How many children are shown when a node has too many, besides those that are chosen or cut off."""

GEOMETRY = {
    # sizes of text, and the longest texts that are not shortened
    "value": 16.0,
    "small": 12.0,
    "action": 13.0,
    "longest": 190.0,
    "longest_label": 130.0,
    "note": 112.0,
    # shapes
    "triangle": 44.0,
    "steep": 0.87,
    "circle": 38.0,
    "player": 44.0,
    "leaf": 34.0,
    "box": 34.0,
    "margin": 20.0,
    "inside": 50.0,
    "board": 84.0,
    "frame": 3.0,
    "sign": 13.0,
    "sign_gap": 6.0,
    "pill": 24.0,
    "strike": 18.0,
    # distances
    "gap": 16.0,
    "family_gap": 28.0,
    "pad": 5.0,
    "line": 15.0,
    "value_line": 24.0,
    "action_line": 20.0,
    "note_from": 13.0,
    "apex": 14.0,
    "name_gap": 6.0,
    "leave": 4.0,
    "hang": 14.0,
    "bend": 34.0,
    "bend_part": 0.16,
    "highest_bend": 110.0,
}
"""All in pixels. The page that replays a drawing is given these numbers and lays its tree out in the same way."""


# What a drawing looks like in the end ------------------------------------------------------------------------------


@dataclass(frozen=True)
class FinalLook:
    """A look in which everything is said, in clean text."""

    state: str = "unseen"
    value: str = ""
    lines: tuple[str, ...] = ()
    edge: str = "plain"
    note: str = ""
    width: float | None = None
    tint: float | None = None


def said_by(look: Look) -> dict[str, Any]:
    """What a look says, in clean texts and numbers that can be drawn; nothing of what stays as it was."""
    made: dict[str, Callable[[Any], object]] = {
        "state": str,
        "value": clean,
        "lines": lambda lines: tuple(filter(None, map(clean, lines))),
        "edge": str,
        "note": clean,
        "width": stroke_width,
        "tint": tint_strength,
    }
    return {name: make(value) for name, make in made.items() if (value := getattr(look, name)) is not None}


def stroke_width(width: float) -> float:
    """A thickness that can be drawn."""
    return round(min(max(width, 0.5), 14.0), 2) if math.isfinite(width) else 14.0 if width > 0 else 0.5


def tint_strength(tint: float) -> float:
    return 0.0 if math.isnan(tint) else round(min(max(tint, -1.0), 1.0), 3)


class FinalTree:
    """A drawing that has been checked, with the looks after its last step."""

    def __init__(self, drawing: Drawing) -> None:
        self.nodes = drawing.nodes
        self.title, self.legend = clean(drawing.title), clean(drawing.legend)
        self.children: list[list[int]] = [[] for _ in drawing.nodes]
        for number, node in enumerate(drawing.nodes):
            if node.shape not in SHAPES:
                raise FormatError(f"node {number} has the shape '{node.shape}'; there are: {', '.join(SHAPES)}")
            if number == 0 and node.parent is None:
                continue
            if node.parent is None or not 0 <= node.parent < number:
                wanted = f"a node from 0 to {number - 1}" if number else "None"
                raise FormatError(f"node {number} has the parent {node.parent}; it must be {wanted}")
            self.children[node.parent].append(number)
        self.looks = [FinalLook()] * len(drawing.nodes)
        for focus, changes in itertools.chain([(None, drawing.start)], ((s.focus, s.changes) for s in drawing.steps)):
            for number in (*changes, *(() if focus is None else (focus,))):
                if not 0 <= number < len(self.looks):
                    raise FormatError(f"a step is about node {number}; there are {len(self.looks)} nodes, from 0")
            for number, look in changes.items():
                self.looks[number] = replace(self.looks[number], **said_by(look))
        self.scale = Scale(self)


# Folding -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fold:
    """Which children are `kept` when their parent is `opened`; an opened node shows these, any other node none."""

    children: list[list[int]]
    kept: list[bool]
    opened: list[bool]

    def shown(self, number: int) -> list[int]:
        return [child for child in self.children[number] if self.kept[child]] if self.opened[number] else []


def fold_tree(tree: FinalTree, most_children: int, width: float) -> Fold:
    """Keep the important children of each node, and open as many nodes as the width of the picture allows."""
    if most_children < 1:
        raise BadOption(f"most_children={most_children}; at least 1 child must be shown")
    kept = [True] * len(tree.nodes)
    for family in tree.children:
        if len(family) > most_children:
            important = set(_most_important(tree, family, most_children))
            for child in family:
                kept[child] = child in important
    order = _opening_order(tree, kept)

    def with_open(count: int) -> Fold:
        opened = [False] * len(tree.nodes)
        for number, _ in order[:count]:
            opened[number] = True
        return Fold(tree.children, kept, opened)

    def fits(count: int) -> bool:
        places, _ = lay_out(tree, with_open(count))
        return max(place.x + place.size.right for place in places) <= width

    # Large layouts are dear, so the limit is looked for from below.
    enough, step = sum(lit for _, lit in order), 8
    while enough < len(order) and fits(min(enough + step, len(order))):
        enough, step = min(enough + step, len(order)), 2 * step
    while step := step // 2:
        if enough + step < len(order) and fits(enough + step):
            enough += step
    return with_open(enough)


def _opening_order(tree: FinalTree, kept: list[bool]) -> list[tuple[int, bool]]:
    """In which order nodes are opened, and whether each is on the line of best edges from the root.

    That line comes first, then what has been visited, row by row.
    """
    order: list[tuple[int, bool]] = []
    queue = [(False, False, 0, 0)] if tree.nodes else []
    while queue:
        aside, _, depth, number = heapq.heappop(queue)
        family = [child for child in tree.children[number] if kept[child]]
        if family:
            order.append((number, not aside))
        for child in family:
            look = tree.looks[child]
            heapq.heappush(queue, (aside or look.edge != "best", look.state == "unseen", depth + 1, child))
    return order


def _most_important(tree: FinalTree, family: list[int], most: int) -> list[int]:
    """What is chosen, then a few others (visited and with a thick edge rather than not), then what is cut off."""

    def rank(child: int) -> tuple[bool, float, int]:
        look = tree.looks[child]
        return look.state == "unseen", -(look.width or 0.0), child

    by_edge: dict[str, list[int]] = {"best": [], "plain": [], "cut": []}
    for child in sorted(family, key=rank):
        by_edge[tree.looks[child].edge].append(child)
    return (by_edge["best"] + by_edge["plain"][:FEW] + sorted(by_edge["cut"]))[:most]


# Measuring ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Size:
    """What a node takes to the `left` and `right` of its x, and below its top; its `shape` is centred at the top."""

    left: float
    right: float
    height: float
    shape: tuple[float, float]
    name_from: float
    lines_from: float


class Scale:
    """How large shapes are: the same in the whole tree, and large enough for every value, if the values are short."""

    def __init__(self, tree: FinalTree) -> None:
        self.tree = tree
        widest = max(
            (
                value_width(look)
                for node, look in zip(tree.nodes, tree.looks, strict=True)
                if node.shape in ROUND and not node.board
            ),
            default=0.0,
        )
        self.sizes: dict[int, Size] = {}
        self.inside = widest <= GEOMETRY["inside"]
        self.triangle = max(GEOMETRY["triangle"], widest + 27 if self.inside else 0)
        self.circle = max(GEOMETRY["circle"], widest + 16 if self.inside else 0)

    def size(self, number: int, note: list[str]) -> Size:
        """The room for a node with a note beside its edge."""
        if number not in self.sizes:
            self.sizes[number] = self._measured(number)
        size = self.sizes[number]
        if not note:
            return size
        reach = GEOMETRY["note_from"] + max(text_width(line, GEOMETRY["small"]) for line in note)
        return replace(size, right=max(size.right, reach))

    def _measured(self, number: int) -> Size:
        g, node, look = GEOMETRY, self.tree.nodes[number], self.tree.looks[number]
        value = value_width(look)
        lines = [text_width(line, g["small"]) for line in line_texts(look)]
        below = 0.0
        if node.board:
            width, height = thumbnail_size(node.board, g["board"])
            below = value if node.shape == "leaf" else g["sign"] + (g["sign_gap"] + value if value else 0)
        elif node.shape in ROUND:
            width = height = self.circle
            if node.shape != "chance":
                width, height = self.triangle, self.triangle * g["steep"]
            below = 0.0 if self.inside else value
        else:
            width, height = max(g[node.shape], value + g["margin"]), g["box"]
        action = text_width(label_text(node.action, g["action"]), g["action"], bold=True)
        half = max(width, below, action, *lines, 2 * g["strike"] if look.edge == "cut" else 0) / 2
        name_from = width / 2 + g["name_gap"] + (g["frame"] if node.board else 0)
        if node.shape == "max" and not node.board:
            name_from = g["apex"]
        name = name_from + text_width(label_text(node.name, g["small"]), g["small"]) if clean(node.name) else 0
        lines_from = height + (g["value_line"] if below else 0)
        bottom = lines_from + (g["pad"] + g["line"] * len(lines) if lines else 0)
        return Size(half, max(half, name), bottom, (width, height), name_from, lines_from)


def value_text(look: FinalLook) -> str:
    return shortened(look.value, GEOMETRY["value"], GEOMETRY["longest"], bold=True)


def value_width(look: FinalLook) -> float:
    return text_width(value_text(look), GEOMETRY["value"], bold=True)


def line_texts(look: FinalLook) -> list[str]:
    return [shortened(line, GEOMETRY["small"], GEOMETRY["longest"]) for line in look.lines]


def label_text(text: str, size: float) -> str:
    return shortened(clean(text), size, GEOMETRY["longest_label"])


def note_texts(note: str) -> list[str]:
    """A note in one line if it is short; else it is broken after a colon, and then before a bracket, if need be."""

    def fits(text: str) -> bool:
        return text_width(text, GEOMETRY["small"]) <= GEOMETRY["note"]

    parts = [note] if fits(note) else re.split("(?<=:) |(?<=\uff1a)", note)
    parts = [piece for part in parts for piece in ([part] if fits(part) else re.split(r" (?=\()", part))]
    return [line for part in parts for line in wrapped(part, GEOMETRY["small"], GEOMETRY["note"])]


# Laying out --------------------------------------------------------------------------------------------------------


@dataclass
class Place:
    """A node in the picture, or a pill for as many `folded` children of it; x is its middle, y its top.

    A pill that is `alone`, because no child is shown, hangs right below its node.
    """

    number: int
    folded: int
    above: int
    depth: int
    size: Size
    note: list[str]
    alone: bool = False
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True)
class Row:
    """The nodes of one depth, and what is above them.

    Edges bend between `bend` and `zone`. From there they go straight down, past notes and `action`, to the `top`.
    """

    bend: float
    zone: float
    action: float
    top: float
    bottom: float


def lay_out(tree: FinalTree, fold: Fold) -> tuple[list[Place], list[Row]]:
    """Where everything that is not folded goes; the leftmost x is 0, and so is the highest y."""
    g, scale = GEOMETRY, tree.scale
    places = [Place(0, 0, -1, 0, scale.size(0, []), [])]
    pills: list[Place] = []
    for here, place in enumerate(places):  # which grows meanwhile
        shown = fold.shown(place.number)
        said = ""
        for child, next_one in itertools.zip_longest(shown, shown[1:]):
            # Neighbours that are cut off together share a note, at the last of them, where it parts no siblings.
            look = tree.looks[child]
            said = look.note or said
            after = None if next_one is None else tree.looks[next_one]
            shared = after is not None and look.edge == after.edge == "cut" and after.note in ("", said)
            lines = [] if shared else note_texts(said)
            said = said if shared else ""
            places.append(Place(child, 0, here, place.depth + 1, scale.size(child, lines), lines))
        if folded := len(tree.children[place.number]) - len(shown):
            pills.append(Place(place.number, folded, here, place.depth + 1, _pill_size(folded), [], not shown))
    places += pills
    sizes = [place.size for place in places]
    left, right = [size.left for size in sizes], [size.right for size in sizes]
    xs = tidy([place.above for place in places], left, right, g["gap"], g["family_gap"])
    leftmost = min(x - size.left for x, size in zip(xs, sizes, strict=True))
    for place, x in zip(places, xs, strict=True):
        place.x = x - leftmost
    rows = _rows(tree, places)
    for place in places:
        parent = places[place.above]
        hanging = parent.y + parent.size.height + g["hang"]
        place.y = hanging if place.alone else rows[place.depth].top
    return places, rows


def _rows(tree: FinalTree, places: list[Place]) -> list[Row]:
    g = GEOMETRY
    by_depth: list[list[Place]] = []
    for place in places:
        while len(by_depth) <= place.depth:
            by_depth.append([])
        by_depth[place.depth].append(place)
    rows: list[Row] = []
    for depth, row in enumerate(by_depth):
        bend = rows[-1].bottom + g["leave"] if rows else 0.0
        spread = max(abs(place.x - places[place.above].x) for place in row) if depth else 0.0
        zone = bend + min(max(g["bend"], spread * g["bend_part"]), g["highest_bend"]) if depth else 0.0
        action = top = zone
        if depth:
            inner = [place for place in row if not place.folded]
            struck = any(tree.looks[place.number].edge == "cut" for place in inner)
            action += max([g["line"] * len(place.note) for place in inner] + [g["strike"] if struck else 0.0])
            acted = any(clean(tree.nodes[place.number].action) for place in inner)
            top = action + (g["action_line"] if acted else 0.0) + g["pad"]
        standing = [place.size.height for place in row if not place.alone]
        bottom = top + max(standing) if standing else rows[-1].bottom + g["hang"] + g["pill"]
        rows.append(Row(bend, zone, action, top, bottom))
    return rows


def _pill_size(folded: int) -> Size:
    width = text_width(f"+{folded}", GEOMETRY["small"]) + GEOMETRY["margin"]
    return Size(width / 2, width / 2, GEOMETRY["pill"], (width, GEOMETRY["pill"]), 0.0, 0.0)
