"""Tidy trees: where the nodes go, so that a tree is as narrow as its parts allow and looks the same from both sides.

The rules are those of Reingold and Tilford, "Tidier Drawings of Trees" (1981): nodes of one depth stand in a row,
nothing overlaps, a parent is centred above its children, and a subtree has the same shape wherever it stands. As in
Buchheim, Jünger and Leipert, "Improving Walker's Algorithm to Run in Linear Time" (2002), small subtrees between large
ones are spread out evenly; here that is a mixture of two packings, one towards the left and one towards the right. It
takes linear time and no recursion, so a tree may be very deep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import sub

__all__ = ["tidy"]


@dataclass
class _Outline:
    """The left and the right border of a subtree seen from its root, deepest level first.

    The borders are stored without their shifts, so that a whole subtree is moved by changing two numbers.
    """

    left: list[float]
    right: list[float]
    left_shift: float = 0.0
    right_shift: float = 0.0

    @property
    def height(self) -> int:
        return len(self.left)


def tidy(
    parents: Sequence[int], left: Sequence[float], right: Sequence[float], gap: float, family_gap: float
) -> list[float]:
    """The x of every node. Node 0 is the root, at 0, and parents come before their children.

    A node reaches `left` and `right` from its x. Siblings keep `gap` apart, other neighbours in a row `family_gap`.
    """
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if node:
            children[parent].append(node)
    offsets = [0.0] * len(parents)
    outlines: dict[int, _Outline] = {}
    for node in reversed(range(len(parents))):
        if family := children[node]:
            below = [outlines.pop(child) for child in family]
            places = _places(below, gap, family_gap)
            for child, place in zip(family, places, strict=True):
                offsets[child] = place
            outline = _joined(below, places)
        else:
            outline = _Outline([], [])
        outline.left.append(-left[node] - outline.left_shift)
        outline.right.append(right[node] - outline.right_shift)
        outlines[node] = outline
    x = [0.0] * len(parents)
    for node in range(1, len(parents)):
        x[node] = x[parents[node]] + offsets[node]
    return x


def _places(family: list[_Outline], gap: float, family_gap: float) -> list[float]:
    """Where the subtrees of one parent go, seen from the parent."""
    rules: list[tuple[int, int, float]] = []  # (i, j, distance): j is at least the distance to the right of i
    early = [0.0]
    facing = [0]  # the subtrees that are seen from the right, the tallest first
    for j in range(1, len(family)):
        new, depth, place = family[j], 0, 0.0
        for i in reversed(facing):
            old, end = family[i], min(family[i].height, new.height)
            rights = old.right[old.height - end : old.height - depth]
            spaces = list(map(sub, rights, new.left[new.height - end : new.height - depth]))
            top = spaces.pop() + gap if depth == 0 else float("-inf")
            distance = max(top, max(spaces, default=float("-inf")) + family_gap) + old.right_shift - new.left_shift
            rules.append((i, j, distance))
            place = max(place, early[i] + distance)
            depth = end
            if depth == new.height:
                break
        while facing and family[facing[-1]].height <= new.height:
            facing.pop()
        facing.append(j)
        early.append(place)
    late = [early[-1]] * len(family)
    for i, j, distance in reversed(rules):
        late[i] = min(late[i], late[j] - distance)
    # From the early places of the first to the late places of the last. Since the share grows, the rules still hold.
    last, middle = max(1, len(family) - 1), early[-1] / 2
    return [a + (b - a) * i / last - middle for i, (a, b) in enumerate(zip(early, late, strict=True))]


def _joined(family: list[_Outline], places: list[float]) -> _Outline:
    """The outline of all subtrees together. The tallest one's lists are used again, which keeps the time linear."""
    from_left: list[int] = []
    for i, outline in enumerate(family):
        if not from_left or outline.height > family[from_left[-1]].height:
            from_left.append(i)
    from_right: list[int] = []
    for i in reversed(range(len(family))):
        if not from_right or family[i].height > family[from_right[-1]].height:
            from_right.append(i)
    tallest = from_left.pop()
    left, left_shift = family[tallest].left, family[tallest].left_shift + places[tallest]
    for i in reversed(from_left):
        move = family[i].left_shift + places[i] - left_shift
        left[-family[i].height :] = [x + move for x in family[i].left]
    tallest = from_right.pop()
    right, right_shift = family[tallest].right, family[tallest].right_shift + places[tallest]
    for i in reversed(from_right):
        move = family[i].right_shift + places[i] - right_shift
        right[-family[i].height :] = [x + move for x in family[i].right]
    return _Outline(left, right, left_shift, right_shift)
