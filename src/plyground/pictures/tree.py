"""Search trees as pictures: what a drawing holds. From one drawing come SVG, PNG, text and a page that replays it.

A drawing is nodes, which stay, and steps, which change how they look. The picture is the look after the last step.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from plyground.pictures import lettering
from plyground.pictures.board import LAST_MOVE, NIGHT, ON_PAPER
from plyground.pictures.guess import Guess, guess_data
from plyground.pictures.inlined import ADDRESS, page_html
from plyground.pictures.lettering import clean
from plyground.pictures.program import Program, Ran, program_data
from plyground.pictures.thumbnail import standalone, thumbnail_size
from plyground.pictures.tree_layout import GEOMETRY, FinalTree, Fold, fold_tree, said_by
from plyground.pictures.tree_picture import TreePicture
from plyground.pictures.tree_words import tree_words

__all__ = ["Drawing", "Look", "Node", "Shape", "Step", "tree_data", "tree_html", "tree_svg", "tree_text"]

MOST_CHILDREN = 12
WIDTH = 4000.0
SIGNS = {"max": "▲△", "min": "▼▽", "chance": "○◌", "player": "◆◇", "leaf": "■□"}
"""In plain text, for what was visited and for what was not."""
BRANCHES = {"plain": "├─ ", "best": "┝━ ", "cut": "├╳ "}
LAST = str.maketrans("├┝", "└┕")

Shape = Literal["max", "min", "chance", "player", "leaf"]
"""A triangle up, a triangle down, a circle, a rounded box, a plain box. A node with a board shows the board, and its
shape as a small sign beside it."""


@dataclass(frozen=True)
class Node:
    """One node of the tree. Parents come before their children; children are drawn in the order they are listed.

    `action` is written on the edge that leads here, `board` is an SVG drawn in the node, `name` a label beside it.
    """

    parent: int | None
    shape: Shape
    action: str = ""
    name: str = ""
    board: str = ""


@dataclass(frozen=True)
class Look:
    """How a node looks from one step on. What is None stays as it was.

    `state`: "unseen" is grey (never visited), "open" is being searched, "done" is finished. `value` is the large text,
    such as "3" or "≤ 2"; `lines` are small ones, such as "α = 3, β = +∞" or "12/21". `edge` is the line from the
    parent: "best" is the choice or the path that is lit, "cut" is struck through, with the `note` beside it that says
    why. `width` is the edge's thickness in pixels; `tint`, from -1 (bad for whoever moved here) to 1 (good), colours
    the node.
    """

    state: Literal["unseen", "open", "done"] | None = None
    value: str | None = None
    lines: tuple[str, ...] | None = None
    edge: Literal["plain", "best", "cut"] | None = None
    note: str | None = None
    width: float | None = None
    tint: float | None = None


@dataclass(frozen=True)
class Step:
    """One moment of the replay: a sentence that says what happens, the node it happens at, and what changes.

    `boards` are SVG pictures shown beside the tree, each with a caption, such as the moves of a playout. `ran` is what
    runs of the drawing's program. A step that decides something has a `guess`.
    """

    caption: str
    focus: int | None = None
    changes: Mapping[int, Look] = field(default_factory=dict)
    boards: Sequence[tuple[str, str]] = ()
    ran: Ran | None = None
    guess: Guess | None = None


@dataclass(frozen=True)
class Drawing:
    """A tree with its story. Before the first step every node is "unseen" unless `start` says otherwise.

    A `question` makes it an exercise: the page begins with it, and lists what happens only as far as it has come.
    Nothing of an exercise is folded: what cannot be seen cannot be answered. A `program` stands beside the replay, with
    the lines marked that run. `legend` is a sentence or two on how to read the numbers, which stand below the tree.
    """

    title: str
    nodes: Sequence[Node]
    steps: Sequence[Step]
    start: Mapping[int, Look] = field(default_factory=dict)
    question: str = ""
    program: Program | None = None
    legend: str = ""


def tree_svg(drawing: Drawing, *, most_children: int = MOST_CHILDREN, width: float = WIDTH, lang: str = "en") -> str:
    """The look after the last step as a stand-alone SVG.

    A node with more than `most_children` children shows the important ones, and a pill such as "+93" for the others.
    What would make the tree much wider than `width` pixels is folded too, the line of best edges last of all. `lang`,
    "en" or "zh", is the language of the legend.
    """
    tree = FinalTree(drawing)
    return TreePicture(tree, _fold(drawing, tree, most_children, width), tree_words(lang)).svg()


def _fold(drawing: Drawing, tree: FinalTree, most_children: int, width: float) -> Fold:
    """What is folded of a drawing; nothing of an exercise."""
    if drawing.question:
        most_children, width = max(len(drawing.nodes), 1), math.inf
    return fold_tree(tree, most_children, width)


def tree_text(drawing: Drawing, *, most_children: int = MOST_CHILDREN, width: float = WIDTH) -> str:
    """The look after the last step as plain text, one line a node, folded as in `tree_svg`.

    A line has the action, the sign of whoever moves, the value, the name, the small lines and the note. A heavy line
    leads to what is chosen, a cross to what is cut off; the sign of what was never visited is hollow.
    """
    tree = FinalTree(drawing)
    fold = _fold(drawing, tree, most_children, width)
    lines = [clean(drawing.title)] if clean(drawing.title) else []
    waiting = [(0, "", "")] if drawing.nodes else []
    while waiting:
        number, before, indent = waiting.pop()
        if number < 0:
            lines.append(f"{before}+{-number}")
            continue
        node, look = drawing.nodes[number], tree.looks[number]
        sign = SIGNS[node.shape][look.state == "unseen"]
        texts = [node.action, f"{sign} {look.value}", node.name, *look.lines, look.note and f"[{look.note}]"]
        lines.append(before + "  ".join(filter(None, map(clean, texts))))
        shown = fold.shown(number)
        hidden = len(tree.children[number]) - len(shown)
        family = [(child, BRANCHES[tree.looks[child].edge]) for child in shown] + ([(-hidden, "├─ ")] if hidden else [])
        for place, (child, branch) in enumerate(reversed(family)):
            last = branch.translate(LAST) if place == 0 else branch
            waiting.append((child, indent + last, indent + ("   " if place == 0 else "│  ")))
    return "\n".join(lines)


def tree_html(drawing: Drawing, *, most_children: int = MOST_CHILDREN, width: float = WIDTH, lang: str = "en") -> str:
    """A page that replays the drawing step by step, in one file that needs no network.

    It is folded at first as `tree_svg` would be; the reader can open what is folded. `lang` is "en" or "zh".
    """
    data = tree_data(drawing, most_children=most_children, width=width, lang=lang)
    words = tree_words(lang)
    title = clean(drawing.title) or words["tree"]
    styles = (f"{ADDRESS}page.css", f"{ADDRESS}guessing.css", f"{ADDRESS}replay.css")
    return page_html(title=title, lang=words["lang"], data=data, entry=f"{ADDRESS}replay_page", styles=styles)


def tree_data(
    drawing: Drawing, *, most_children: int = MOST_CHILDREN, width: float = WIDTH, lang: str = "en"
) -> dict[str, Any]:
    """The drawing for JSON, as the module `replay.js` takes it; the arguments are those of `tree_html`."""
    tree = FinalTree(drawing)
    fold = _fold(drawing, tree, most_children, width)
    boards: dict[str, int] = {}

    def board(svg: str) -> int:
        return boards.setdefault(svg, len(boards)) if svg else -1

    def said(looks: Mapping[int, Look]) -> dict[int, dict[str, Any]]:
        return {number: said_by(look) for number, look in looks.items()}

    return {
        "title": clean(drawing.title),
        "question": clean(drawing.question),
        "legend": clean(drawing.legend),
        "nodes": [
            [number and node.parent, node.shape, clean(node.action), clean(node.name), board(node.board)]
            for number, node in enumerate(drawing.nodes)
        ],
        "start": said(drawing.start),
        "steps": [
            [
                *(clean(step.caption), step.focus, said(step.changes), [[board(b), clean(c)] for b, c in step.boards]),
                *([guess_data(step.guess)] if step.guess else []),
            ]
            for step in drawing.steps
        ],
        "program": program_data(drawing.program, [step.ran for step in drawing.steps]) if drawing.program else None,
        "kept": [int(kept) for kept in fold.kept],
        "opened": [int(opened) for opened in fold.opened],
        "boards": [[standalone(svg), *thumbnail_size(svg, GEOMETRY["board"])] for svg in boards],
        "geometry": GEOMETRY,
        "lettering": {
            "widths": lettering.WIDTHS,
            "beyond": lettering.BEYOND,
            "bold": lettering.BOLD,
            "piece": lettering.PIECE.pattern,
        },
        "words": tree_words(lang),
        "last_move": LAST_MOVE,
        "night": {"kind": ON_PAPER, "colours": NIGHT},
    }
