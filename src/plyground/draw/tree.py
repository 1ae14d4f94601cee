"""Search trees as pictures: what a drawing holds. From one drawing come SVG, PNG, plain text and a page that replays it.

A drawing is nodes, which stay, and steps, which change how they look. The picture is the look after the last step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Drawing", "Look", "Node", "Step"]

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
    why. `width` is the edge's thickness in pixels; `tint`, from -1 (bad for whoever moves here) to 1 (good), colours
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

    `boards` are SVG pictures shown beside the tree, each with a caption, such as the moves of a playout.
    """

    caption: str
    focus: int | None = None
    changes: Mapping[int, Look] = field(default_factory=dict)
    boards: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Drawing:
    """A tree with its story. Before the first step every node is "unseen" unless `start` says otherwise."""

    title: str
    nodes: Sequence[Node]
    steps: Sequence[Step]
    start: Mapping[int, Look] = field(default_factory=dict)
