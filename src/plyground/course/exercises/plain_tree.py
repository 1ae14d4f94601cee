"""Trees of exercises: plain nodes in lists, as tree files write them, and how they are drawn.

Nodes are numbered level by level, as drawings number them; inner nodes are called A, B, C and so on in this order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from plyground.core.grid import column_name
from plyground.course.exercises.dice import Dice
from plyground.course.exercises.numbers import number_words, vector_words
from plyground.errors import FormatError
from plyground.pictures.tree import Drawing, Look, Node, Shape

__all__ = [
    "MOST_LEAVES", "PlainTree", "flat_tree", "grow", "nested_tree", "read_plain_tree", "tree_drawing",
    "two_player_tree",
]  # fmt: skip

MOST_LEAVES = 32
"""Leaves of an exercise: more cannot be read on a sheet of paper."""
SHAPES = ("max", "min", "chance", "player", "leaf")


@dataclass(frozen=True)
class PlainTree:
    """A tree, a list for each property, by the number of the node; the root is its own parent.

    `values` are None at inner nodes, one number or one for each player at leaves. `chances` are the probabilities
    below chance nodes, else 1. `movers` are players, at player nodes. `labels` are names that inner nodes have.
    """

    parents: tuple[int, ...]
    shapes: tuple[Shape, ...]
    values: tuple[Any, ...]
    chances: tuple[float, ...] = ()
    movers: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in self.parents]
        for number, parent in enumerate(self.parents[1:], 1):
            found[parent].append(number)
        return tuple(map(tuple, found))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A letter for each inner node, "" for leaves."""
        given = self.labels or ("",) * len(self.parents)
        letters = (column_name(place).upper() for place in range(2 * len(self.parents)))
        free = (letter for letter in letters if letter not in given)
        return tuple(
            "" if shape == "leaf" else label or next(free) for shape, label in zip(self.shapes, given, strict=True)
        )

    @cached_property
    def inner(self) -> tuple[int, ...]:
        """The inner nodes."""
        return tuple(number for number, shape in enumerate(self.shapes) if shape != "leaf")

    def branch(self, number: int) -> str:
        """What the branch to a node is called: ``C → H``, or ``C → 2`` for the second branch of C, a leaf."""
        parent = self.parents[number]
        return f"{self.names[parent]} → {self.names[number] or self.children[parent].index(number) + 1}"


def read_plain_tree(root: Any) -> PlainTree:
    """The tree of a value as tree files write it: numbers, {"max": [...]}, chance, players."""
    parents, shapes, values, chances, movers = [0], [], [], [1.0], []
    level = [root]
    for number, node in enumerate(level):
        if not isinstance(node, Mapping):
            shapes.append("leaf")
            values.append(tuple(node) if isinstance(node, Sequence) else node)
            movers.append(-1)
            continue
        shape = next(shape for shape in SHAPES if shape in node)
        family = node["children"] if shape == "player" else node[shape]
        shapes.append(shape)
        values.append(None)
        movers.append(node["player"] if shape == "player" else -1)
        for child in family:
            chance, below = child if shape == "chance" else (1.0, child)
            level.append(below)
            parents.append(number)
            chances.append(chance)
    return PlainTree(tuple(parents), tuple(shapes), tuple(values), tuple(chances), tuple(movers))  # type: ignore[arg-type]


def flat_tree(nodes: Sequence[Sequence[Any]], labels: Sequence[str] = ()) -> PlainTree:
    """The tree of nodes [parent, "max" | "min" | "leaf", value], parents first; `FormatError` if it is none."""
    if labels and len(labels) != len(nodes):
        raise FormatError(f"{len(labels)} labels do not go with {len(nodes)} nodes; give one for each, or none")
    if not nodes:
        raise FormatError("the tree has no nodes; write them as [parent, shape, value], the root first")
    has_child = [False] * len(nodes)
    for number, node in enumerate(nodes):
        if len(node) != 3 or node[1] not in ("max", "min", "leaf"):
            raise FormatError(f"node {number} must be [parent, max or min or leaf, value]")
        parent, shape, value = node
        if number and (type(parent) is not int or not 0 <= parent < number or nodes[parent][1] == "leaf"):
            raise FormatError(f"node {number} must name an inner node before it as its parent")
        if shape == "leaf" and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise FormatError(f"leaf {number} needs a number as its value")
        if number:
            has_child[parent] = True
    if lonely := [number for number, node in enumerate(nodes) if node[1] != "leaf" and not has_child[number]]:
        raise FormatError(f"node {lonely[0]} is not a leaf, and needs at least one child")
    parents = (0, *(node[0] for node in nodes[1:]))
    values = tuple(node[2] if node[1] == "leaf" else None for node in nodes)
    return PlainTree(parents, tuple(node[1] for node in nodes), values, labels=tuple(labels))


def grow(dice: Dice, depth: int, branching: int, most: int = MOST_LEAVES) -> list[list[int]]:
    """The shape of a tree: for each node, level by level, the numbers of its children.

    Uniform if it has no more than `most` leaves then; else nodes are opened at random, one of them at each depth first,
    each with two children to `branching`, until there is no room for more.
    """
    if branching**depth <= most:
        counts = [branching**level for level in range(depth + 1)]
        inner = sum(counts[:-1])
        return [
            list(range(number * branching + 1, number * branching + branching + 1)) if number < inner else []
            for number in range(sum(counts))
        ]
    depths: list[int] = [0]
    family: list[list[int]] = [[]]
    leaves = 1
    while leaves < most:
        closed = [number for number, children in enumerate(family) if not children and depths[number] < depth]
        if not closed:
            break
        if max(depths) < depth:
            closed = [number for number in closed if depths[number] == max(depths)]
        # Deep nodes first: a tree that is as deep as asked for in one place only would be no exercise.
        chosen = max((dice.pick(closed) for _ in range(2)), key=lambda number: depths[number])
        count = dice.between(2, min(branching, most - leaves + 1))
        family[chosen] = list(range(len(family), len(family) + count))
        family += [[] for _ in range(count)]
        depths += [depths[chosen] + 1] * count
        leaves += count - 1
    return _by_level(family)


def _by_level(family: list[list[int]]) -> list[list[int]]:
    order = [0]
    for number in order:
        order += family[number]
    place = {number: at for at, number in enumerate(order)}
    return [[place[child] for child in family[number]] for number in order]


def nested_tree(family: list[list[int]], values: Mapping[int, int], number: int = 0, height: int = 0) -> Any:
    """The tree of a shape as tree files write it, MAX first."""
    if not family[number]:
        return values[number]
    return {("max", "min")[height % 2]: [nested_tree(family, values, child, height + 1) for child in family[number]]}


def two_player_tree(family: list[list[int]], values: Mapping[int, float]) -> PlainTree:
    """The tree of a shape, MAX first, with these leaves."""
    parents, heights = [0] * len(family), [0] * len(family)
    for number, children in enumerate(family):
        for child in children:
            parents[child], heights[child] = number, heights[number] + 1
    shapes: list[Shape] = [
        "leaf" if not children else ("max", "min")[heights[number] % 2] for number, children in enumerate(family)
    ]
    return PlainTree(tuple(parents), tuple(shapes), tuple(values.get(number) for number in range(len(family))))


def leaf_text(value: Any) -> str:
    """The value of a leaf for people."""
    return vector_words(value) if isinstance(value, tuple) else number_words(float(value))


def tree_drawing(
    tree: PlainTree,
    question: str,
    looks: Mapping[int, Look] | None = None,
    *,
    actions: Sequence[str] = (),
    names: Sequence[str] = (),
) -> Drawing:
    """The tree with its leaves, and whatever `looks` say besides."""
    nodes = [
        Node(
            None if number == 0 else tree.parents[number],
            shape,
            action=actions[number] if actions else "",
            name=(names or tree.names)[number],
        )
        for number, shape in enumerate(tree.shapes)
    ]
    start = {
        number: Look(state="done", value=leaf_text(tree.values[number]) if shape == "leaf" else "")
        for number, shape in enumerate(tree.shapes)
    }
    for number, look in (looks or {}).items():
        start[number] = Look(**{**vars(start[number]), **{k: v for k, v in vars(look).items() if v is not None}})
    return Drawing("", nodes, [], start, question)
