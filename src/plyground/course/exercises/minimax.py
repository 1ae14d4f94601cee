"""Minimax: the value of every node of a tree of MAX and MIN."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyground.course.exercises.dice import Dice
from plyground.course.exercises.exercise import Answer, Item, Question
from plyground.course.exercises.numbers import is_number, number_words
from plyground.course.exercises.plain_tree import PlainTree, grow, nested_tree, read_plain_tree, tree_drawing
from plyground.pictures.player_words import check_language
from plyground.pictures.tree import Look

__all__ = ["answers", "generate", "question", "tree_values"]

LEVELS = {1: (2, 2, 0, 9), 2: (2, 3, 0, 20), 3: (3, 2, 0, 20), 4: (4, 2, -20, 20), 5: (5, 3, -30, 30)}
"""Depth, branches, the least and the greatest leaf."""
MOST_LEAVES = 22

WORDS = {
    "en": {
        "title": "Minimax: the values",
        "text": "Write the minimax value of every inner node.",
        "max": "MAX takes the largest of {values}.",
        "min": "MIN takes the smallest of {values}.",
    },
    "zh": {
        "title": "极小化极大：节点的值",
        "text": "请写出每个内部节点的极小化极大值。",
        "max": "MAX 取 {values} 中最大的。",
        "min": "MIN 取 {values} 中最小的。",
    },
}


def generate(dice: Dice, level: int, options: Mapping[str, int]) -> dict[str, Any]:
    """A tree of MAX and MIN, MAX first."""
    depth, branching, low, high = LEVELS[level]
    family = grow(dice, depth, branching, MOST_LEAVES)
    values = {number: dice.between(low, high) for number, children in enumerate(family) if not children}
    return {"root": nested_tree(family, values)}


def tree_values(tree: PlainTree) -> list[float]:
    """The value of every node of a tree of MAX, MIN and chance."""
    found = [0.0] * len(tree.parents)
    for number in reversed(range(len(found))):
        below = [found[child] for child in tree.children[number]]
        shape = tree.shapes[number]
        if shape == "leaf":
            found[number] = float(tree.values[number])
        elif shape == "chance":
            found[number] = sum(tree.chances[child] * found[child] for child in tree.children[number])
        else:
            found[number] = max(below) if shape == "max" else min(below)
    return found


def question(data: Mapping[str, Any], lang: str) -> Question:
    """The tree with its leaves, and a value for each inner node."""
    words = WORDS[check_language(lang)]
    tree = read_plain_tree(data["root"])
    items = tuple(Item(str(number), tree.names[number], "number") for number in tree.inner)
    values = tree_values(tree)
    looks = {number: Look(value=number_words(values[number])) for number in tree.inner}
    title = words["title"]
    return Question(title, words["text"], items, tree_drawing(tree, title), solved=tree_drawing(tree, title, looks))


def answers(data: Mapping[str, Any], lang: str) -> list[Answer]:
    """The value of each inner node, and of what it is the largest or the smallest."""
    words = WORDS[check_language(lang)]
    tree = read_plain_tree(data["root"])
    values = tree_values(tree)
    found = []
    for number in tree.inner:
        below = ", ".join(number_words(values[child]) for child in tree.children[number])
        reason = words[tree.shapes[number]].format(values=below)
        value = values[number]
        text = number_words(value)
        found.append(Answer(str(number), text, reason, is_number(value)))
    return found
