"""The picture of a search tree as SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping

from plyground.pictures.board import LAST_MOVE
from plyground.pictures.lettering import clean, escaped, text_width, wrapped
from plyground.pictures.svg import INK, px, svg_text
from plyground.pictures.thumbnail import nested
from plyground.pictures.tree_layout import (
    GEOMETRY,
    ROUND,
    SHAPES,
    FinalLook,
    FinalTree,
    Fold,
    Place,
    label_text,
    lay_out,
    line_texts,
    note_texts,
    value_text,
    value_width,
)

__all__ = ["TreePicture"]

EDGE, TITLE, NARROWEST = 24, 17, 320
MUTED, FAINT, LINE, PALE = "#4b5563", "#6b7280", "#64748b", "#cbd5e1"
BEST, CUT, OPEN, DONE, PILL = "#0072B2", "#b3440a", "#fff3d1", "#f4f6f9", "#eef2f6"
STROKES = {"unseen": PALE, "open": "#b45309", "done": "#334155"}
MORE = f'stroke="{PALE}" stroke-width="1.5" stroke-dasharray="2 4" fill="none"'
BAD, NEITHER, GOOD = (0xF3, 0xA1, 0x6B), (0xF7, 0xF7, 0xF7), (0x74, 0xB6, 0xE0)
VALUE_AT = {"max": 0.68, "min": 0.32, "chance": 0.5, "player": 0.5, "leaf": 0.5}
"""Where the middle of the value is, in parts of the shape's height."""


class TreePicture:
    def __init__(self, tree: FinalTree, fold: Fold, words: Mapping[str, str]) -> None:
        self.tree, self.words = tree, words
        self.places, self.rows = lay_out(tree, fold) if tree.nodes else ([], [])

    def svg(self) -> str:
        tree = self.tree
        width = max((place.x + place.size.right for place in self.places), default=0.0)
        legend = self._legend(max(width, NARROWEST))
        total = math.ceil(max(width, NARROWEST)) + 2 * EDGE
        headline = wrapped(tree.title, TITLE, total - 2 * EDGE, bold=True)
        top = EDGE + 24 * len(headline) + (14 if headline else 0)
        bottom = top + (self.rows[-1].bottom if self.rows else 0)
        small = GEOMETRY["small"]
        for line in wrapped(tree.legend, small, max(width, NARROWEST)):
            legend.append([svg_text(line, 0, 0, small, MUTED, anchor="start")])
        height = math.ceil(bottom) + (14 + 24 * len(legend) if legend else 0) + EDGE
        label = f"{tree.title or self.words['tree']}: {len(tree.nodes)} {self.words['nodes']}"
        if tree.nodes and tree.looks[0].value:
            label += f", {self.words['value']} {tree.looks[0].value}"
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {px(total)} {px(height)}" width="{px(total)}" '
            f'height="{px(height)}" xml:lang="{self.words["lang"]}" role="img" aria-label="{escaped(label)}" '
            f'font-family="{self.words["fonts"]}">',
            f'<rect width="{px(total)}" height="{px(height)}" rx="6" fill="#ffffff"/>',
        ]
        for number, line in enumerate(headline):
            parts.append(svg_text(line, EDGE, EDGE + 17 + 24 * number, TITLE, INK, anchor="start", bold=True))
        parts.append(f'<g transform="translate({px((total - width) / 2)} {px(top)})">')
        edges = [(self._rank(place), self._edge(place)) for place in self.places if place.depth]
        parts += [edge for _, edge in sorted(edges, key=lambda pair: pair[0])]
        parts += [self._pill(place) if place.folded else self._node(place) for place in self.places]
        parts.append("</g>")
        for number, row in enumerate(legend):
            parts.append(f'<g transform="translate({EDGE} {px(bottom + 34 + 24 * number)})">{"".join(row)}</g>')
        return "".join(parts) + "</svg>"

    def _rank(self, place: Place) -> int:
        """Lit edges are drawn over plain ones, and these over those that lead nowhere."""
        look = self.tree.looks[place.number]
        return 0 if place.folded or look.state == "unseen" else 2 if look.edge == "best" else 1

    def _edge(self, place: Place) -> str:
        node, look, row = self.tree.nodes[place.number], self.tree.looks[place.number], self.rows[place.depth]
        parent, x = self.places[place.above], place.x
        middle = (row.bend + row.zone) / 2
        if place.alone:
            way = f"M{px(x)} {px(place.y - GEOMETRY['hang'] + GEOMETRY['leave'])}V{px(place.y)}"
            return f'<path d="{way}" {MORE}/>'
        way = f"M{px(parent.x)} {px(parent.y + parent.size.height + GEOMETRY['leave'])}V{px(row.bend)}"
        way += f"C{px(parent.x)} {px(middle)} {px(x)} {px(middle)} {px(x)} {px(row.zone)}"
        if place.folded:
            return f'<path d="{way}V{px(row.top)}" {MORE}/>'
        action = label_text(node.action, GEOMETRY["action"])
        if action:
            way += f"V{px(row.action)}M{px(x)} {px(row.action + GEOMETRY['action_line'])}"
        way += f"V{px(row.top)}"
        colour = BEST if look.edge == "best" else PALE if "unseen" in look.state or look.edge == "cut" else LINE
        thick = max(look.width or 0.0, 4.0) if look.edge == "best" else look.width or 1.6
        parts = [f'<path d="{way}" stroke="{colour}" stroke-width="{thick:g}" fill="none"/>']
        if action:
            ink = BEST if look.edge == "best" else FAINT if look.state == "unseen" else INK
            best = look.edge == "best"
            parts.append(svg_text(action, x, row.action + 14, GEOMETRY["action"], colour=ink, bold=best))
        if look.edge == "cut":
            y = row.zone + GEOMETRY["strike"] / 2
            parts.append(
                f'<path d="M{px(x - 7)} {px(y + 2)}l14 -8m-14 12l14 -8" stroke="{CUT}" stroke-width="2" '
                f'stroke-linecap="round" fill="none"/>'
            )
        for number, line in enumerate(place.note):
            y = row.zone + 12 + GEOMETRY["line"] * number
            parts.append(svg_text(line, x + GEOMETRY["note_from"], y, GEOMETRY["small"], CUT, anchor="start"))
        return "".join(parts)

    def _node(self, place: Place) -> str:
        g, node, look = GEOMETRY, self.tree.nodes[place.number], self.tree.looks[place.number]
        width, height = place.size.shape
        unseen = look.state == "unseen"
        ink, stroke = (FAINT, PALE) if unseen else (INK, STROKES[look.state])
        paint = f'fill="{_fill(look)}" stroke="{stroke}" stroke-width="{2.4 if look.state == "open" else 1.8}"'
        value, lines = value_text(look), line_texts(look)
        parts = [f'<g transform="translate({px(place.x)} {px(place.y)})" data-node="{place.number}">']
        if node.board:
            left = -width / 2
            parts.append(nested(node.board, f"n{place.number}-", left, 0, width, height))
            frame = f'x="{px(left - 2)}" y="-2" width="{px(width + 4)}" height="{px(height + 4)}" rx="5"'
            parts.append(f'<rect {frame} fill="none" stroke="{stroke}" stroke-width="2"/>')
            if unseen:
                parts.append(f'<rect {frame} fill="#ffffff" fill-opacity="0.6"/>')
            aside = 0.0
            if node.shape != "leaf":
                aside = (g["sign_gap"] + value_width(look)) / 2 if value else 0.0
                parts.append(_at(-aside, height + 7, _shape(node.shape, g["sign"], g["sign"] * 0.9, paint)))
            if value and node.shape == "leaf":
                parts.append(svg_text(value, 0, height + 19, g["value"], ink, bold=True))
            elif value:
                at = g["sign"] / 2 + g["sign_gap"] - aside
                parts.append(svg_text(value, at, height + 19, g["value"], ink, anchor="start", bold=True))
        else:
            parts.append(_shape(node.shape, width, height, paint))
            base = height * VALUE_AT[node.shape] + g["value"] * 0.36
            if node.shape in ROUND and not self.tree.scale.inside:
                base = height + 17
            if value:
                parts.append(svg_text(value, 0, base, g["value"], ink, bold=True))
        if name := label_text(node.name, g["small"]):
            base = 11 if node.shape == "max" and not node.board else min(height / 2 + 4, 22)
            parts.append(
                svg_text(name, place.size.name_from, base, g["small"], FAINT if unseen else MUTED, anchor="start")
            )
        for number, line in enumerate(lines):
            y = place.size.lines_from + g["pad"] + g["line"] * number + 11
            parts.append(svg_text(line, 0, y, g["small"], FAINT if unseen else MUTED))
        return "".join(parts) + self._full_text(place.number) + "</g>"

    def _full_text(self, number: int) -> str:
        """A title with everything that is said at a node, if some of it had to be shortened."""
        node, look = self.tree.nodes[number], self.tree.looks[number]
        full = [clean(text) for text in (node.action, node.name, look.value, *look.lines, look.note)]
        short = [label_text(node.action, GEOMETRY["action"]), label_text(node.name, GEOMETRY["small"])]
        short += [value_text(look), *line_texts(look), " ".join(note_texts(look.note))]
        if list(filter(None, full)) == list(filter(None, short)):
            return ""
        return f"<title>{escaped(', '.join(filter(None, full)))}</title>"

    def _pill(self, place: Place) -> str:
        width, height = place.size.shape
        box = f'x="{px(-width / 2)}" width="{px(width)}" height="{px(height)}" rx="{px(height / 2)}"'
        return (
            f'<g transform="translate({px(place.x)} {px(place.y)})" data-folded="{place.folded}">'
            f'<rect {box} fill="{PILL}"/>'
            f"{svg_text(f'+{place.folded}', 0, height / 2 + 4.2, GEOMETRY['small'], MUTED, bold=True)}</g>"
        )

    def _legend(self, width: float) -> list[list[str]]:
        """What appears in the picture, each with its word, in as many rows as are needed."""
        nodes = [place for place in self.places if not place.folded]
        shapes = {self.tree.nodes[place.number].shape for place in nodes}
        looks = [self.tree.looks[place.number] for place in nodes]
        states, edges = {look.state for look in looks}, {look.edge for look in looks}
        paint = f'fill="{DONE}" stroke="{STROKES["done"]}" stroke-width="1.5"'
        line = 'stroke-linecap="round" fill="none"'
        entries: list[tuple[str, str]] = []
        for shape in SHAPES:
            if shape in shapes:
                entries.append((_at(10, -11, _shape(shape, 16, 13, paint)), self.words[shape]))
        if "best" in edges:
            entries.append((f'<path d="M1 -5h18" stroke="{BEST}" stroke-width="4" {line}/>', self.words["best"]))
        if "cut" in edges:
            strike = f'<path d="M6 -1l8 -8m-4 8l8 -8" stroke="{CUT}" stroke-width="1.8" {line}/>'
            entries.append((f'<path d="M1 -5h20" stroke="{PALE}" stroke-width="1.6"/>{strike}', self.words["cut"]))
        if "open" in states:
            amber = f'fill="{OPEN}" stroke="{STROKES["open"]}" stroke-width="2"'
            entries.append((_at(10, -11, _shape("chance", 12, 12, amber)), self.words["open"]))
        if "unseen" in states:
            grey = f'fill="#ffffff" stroke="{PALE}" stroke-width="1.8"'
            entries.append((_at(10, -11, _shape("chance", 12, 12, grey)), self.words["unseen"]))
        if any(look.tint is not None and look.state != "unseen" for look in looks):
            steps = "".join(
                f'<rect x="{5 * number - 14}" y="-11" width="5" height="12" fill="{_mixed(number / 3 - 1)}"/>'
                for number in range(7)
            )
            entries.append((f'<g transform="translate(14 0)">{steps}</g>', self.words["tint"]))
        if any(LAST_MOVE in self.tree.nodes[place.number].board for place in nodes):
            dot = f'<circle cx="10" cy="-5" r="4.5" fill="{LAST_MOVE}"/>'
            entries.append((dot, self.words["played"]))
        if len(nodes) < len(self.places):
            pill = f'<rect x="0" y="-12" width="22" height="14" rx="7" fill="{PILL}"/>'
            entries.append((pill + svg_text("+n", 11, -1.5, 10, MUTED, bold=True), self.words["folded"]))
        rows: list[list[str]] = []
        x = width
        for swatch, word in entries:
            wide = 50 if word == self.words["tint"] else 28
            needed = wide + text_width(word, GEOMETRY["small"])
            if x + needed > width:
                rows.append([])
                x = 0.0
            rows[-1].append(_at(x, 0, swatch + svg_text(word, wide - 2, 0, GEOMETRY["small"], MUTED, anchor="start")))
            x += needed + 14
        return rows


def _shape(shape: str, width: float, height: float, paint: str) -> str:
    """A shape with the middle of its upper side at 0, 0."""
    half = width / 2
    if shape == "max":
        return f'<path d="M0 0L{px(half)} {px(height)}H{px(-half)}Z" stroke-linejoin="round" {paint}/>'
    if shape == "min":
        return f'<path d="M{px(-half)} 0H{px(half)}L0 {px(height)}Z" stroke-linejoin="round" {paint}/>'
    if shape == "chance":
        return f'<circle cy="{px(height / 2)}" r="{px(height / 2)}" {paint}/>'
    corner = height / 3 if shape == "player" else 2
    return f'<rect x="{px(-half)}" width="{px(width)}" height="{px(height)}" rx="{px(corner)}" {paint}/>'


def _fill(look: FinalLook) -> str:
    if look.state == "unseen":
        return "#ffffff"
    if look.tint is not None:
        return _mixed(look.tint)
    return OPEN if look.state == "open" else DONE


def _mixed(tint: float) -> str:
    """A colour from orange by way of near white to blue, pale enough for dark text."""
    end = GOOD if tint > 0 else BAD
    mixed = (round(a + (b - a) * abs(tint)) for a, b in zip(NEITHER, end, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _at(x: float, y: float, what: str) -> str:
    return f'<g transform="translate({px(x)} {px(y)})">{what}</g>'
