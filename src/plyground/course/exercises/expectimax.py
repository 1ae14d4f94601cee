"""Expectimax: the value of every node of a tree in which chance moves too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyground.course.exercises.dice import Dice
from plyground.course.exercises.exercise import Answer, Item, Question
from plyground.course.exercises.minimax import tree_values
from plyground.course.exercises.numbers import is_number, number_words
from plyground.course.exercises.plain_tree import PlainTree, read_plain_tree, tree_drawing
from plyground.pictures.player_words import check_language
from plyground.pictures.tree import Look

__all__ = ["answers", "generate", "question"]

MOVERS = {
    1: ("max", "chance"),
    2: ("max", "chance"),
    3: ("max", "chance", "max"),
    4: ("max", "chance", "min"),
    5: ("max", "chance", "min", "chance"),
}
"""Who moves at each level of the tree."""
SHARES: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((50, 50),),
    2: ((25, 75), (75, 25), (20, 80), (40, 60), (50, 25, 25), (20, 30, 50)),
    3: ((50, 50), (25, 75), (20, 80), (40, 60)),
    4: ((50, 50), (25, 75), (20, 80), (30, 70), (40, 60)),
    5: ((50, 50), (25, 75), (20, 80), (40, 60), (75, 25)),
}
"""Probabilities in percent: no value has more than four decimals."""
TOLERANCE = 0.0051
"""Two decimals are enough."""

WORDS = {
    "en": {
        "title": "Expectimax: the values",
        "text": "A circle is a chance node, with the probabilities on its edges. Write the value of every inner node; "
        "two decimals are enough.",
        "max": "MAX takes the largest of {values}.",
        "min": "MIN takes the smallest of {values}.",
        "chance": "Chance has the mean: {values} = {mean}.",
    },
    "zh": {
        "title": "期望极大：节点的值",
        "text": "圆圈是机会节点，概率写在边上。请写出每个内部节点的值，保留两位小数即可。",
        "max": "MAX 取 {values} 中最大的。",
        "min": "MIN 取 {values} 中最小的。",
        "chance": "机会节点取期望：{values} = {mean}。",
    },
}


def generate(dice: Dice, level: int, options: Mapping[str, int]) -> dict[str, Any]:
    """A tree of MAX, chance and, at higher levels, MIN."""
    movers = MOVERS[level]

    def node(height: int) -> Any:
        if height == len(movers):
            return dice.between(-9 if level > 3 else 0, 20)
        if movers[height] == "chance":
            shares = dice.pick(SHARES[level])
            return {"chance": [[share / 100, node(height + 1)] for share in shares]}
        return {movers[height]: [node(height + 1) for _ in range(2 + (level == 2))]}

    return {"root": node(0)}


def question(data: Mapping[str, Any], lang: str) -> Question:
    """The tree with its leaves and probabilities, and a value for each inner node."""
    words = WORDS[check_language(lang)]
    tree = read_plain_tree(data["root"])
    items = tuple(Item(str(number), tree.names[number], "number") for number in tree.inner)
    values = tree_values(tree)
    looks = {number: Look(value=number_words(values[number])) for number in tree.inner}
    title, shares = words["title"], _shares(tree)
    return Question(
        title,
        words["text"],
        items,
        tree_drawing(tree, title, actions=shares),
        solved=tree_drawing(tree, title, looks, actions=shares),
    )


def _shares(tree: PlainTree) -> list[str]:
    """What is written on the edges."""
    return [
        number_words(tree.chances[number]) if number and tree.shapes[tree.parents[number]] == "chance" else ""
        for number in range(len(tree.parents))
    ]


def answers(data: Mapping[str, Any], lang: str) -> list[Answer]:
    """The value of each inner node, with the sum at chance nodes."""
    words = WORDS[check_language(lang)]
    tree = read_plain_tree(data["root"])
    values = tree_values(tree)
    found = []
    for number in tree.inner:
        value, shape, family = values[number], tree.shapes[number], tree.children[number]
        if shape == "chance":
            parts = " + ".join(f"{number_words(tree.chances[child])} · {_factor(values[child])}" for child in family)
        else:
            parts = ", ".join(number_words(values[child]) for child in family)
        reason = words[shape].format(values=parts, mean=number_words(value))
        text = number_words(value)
        found.append(Answer(str(number), text, reason, is_number(value, TOLERANCE)))
    return found


def _factor(value: float) -> str:
    """A factor of a product: negative ones in brackets."""
    return f"({number_words(value)})" if value < 0 else number_words(value)
