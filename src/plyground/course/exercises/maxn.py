"""max^n: the utilities of every node of a tree in which three players move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyground.course.exercises.dice import Dice
from plyground.course.exercises.exercise import Answer, Item, Question
from plyground.course.exercises.numbers import close, read_numbers, vector_words
from plyground.course.exercises.plain_tree import PlainTree, read_plain_tree, tree_drawing
from plyground.pictures.player_words import check_language
from plyground.pictures.tree import Look

__all__ = ["answers", "generate", "question"]

PLAYERS = 3
SHAPES: dict[int, tuple[int, ...]] = {1: (2, 2), 2: (2, 3), 3: (2, 2, 2), 4: (2, 3, 2), 5: (2, 2, 2, 2)}
"""How many branches a node has, level by level; players move in turn."""
HIGHEST = {1: 9, 2: 12, 3: 12, 4: 16, 5: 20}

WORDS = {
    "en": {
        "title": "Three players: maxⁿ",
        "text": "Three players P1, P2, P3 move in turn, and a leaf has one utility for each of them. Whoever moves "
        "wants "
        "the most for itself. Write the utilities of every inner node, such as 1, 2, 6.",
        "hint": "1, 2, 6",
        "reason": "P{player} moves, and compares its own utility, the {place}: {values}. The largest is {best}.",
        "places": ("first", "second", "third"),
    },
    "zh": {
        "title": "三个玩家：maxⁿ",
        "text": "三个玩家 P1、P2、P3 轮流行动，每个叶节点给每人一个效用。轮到谁，谁就让自己的效用最大。"
        "请写出每个内部节点的效用。",
        "hint": "1, 2, 6",
        "reason": "轮到 P{player}，它比较自己的效用，即第{place}个数：{values}。最大的是 {best}。",
        "places": ("一", "二", "三"),
    },
}


def generate(dice: Dice, level: int, options: Mapping[str, int]) -> dict[str, Any]:
    """A tree in which nobody is ever indifferent: two answers would be right."""
    shape, highest = SHAPES[level], HIGHEST[level]

    def node(height: int) -> Any:
        if height == len(shape):
            return [dice.between(0, highest) for _ in range(PLAYERS)]
        return {"player": height % PLAYERS, "children": [node(height + 1) for _ in range(shape[height])]}

    while True:
        root = node(0)
        tree = read_plain_tree(root)
        values = _values(tree)
        own = [[values[child][tree.movers[n]] for child in tree.children[n]] for n in tree.inner]
        if all(len(set(seen)) == len(seen) for seen in own):
            return {"root": root}


def _values(tree: PlainTree) -> list[tuple[float, ...]]:
    """The utilities of every node; the first of equal ones."""
    found: list[tuple[float, ...]] = [()] * len(tree.parents)
    for number in reversed(range(len(found))):
        if tree.shapes[number] == "leaf":
            found[number] = tuple(map(float, tree.values[number]))
        else:
            mover = tree.movers[number]
            found[number] = max((found[child] for child in tree.children[number]), key=lambda values: values[mover])
    return found


def question(data: Mapping[str, Any], lang: str) -> Question:
    """The tree with the utilities of its leaves."""
    words: Any = WORDS[check_language(lang)]
    tree = read_plain_tree(data["root"])
    names = [f"{name}: P{tree.movers[number] + 1}" if name else "" for number, name in enumerate(tree.names)]
    items = tuple(Item(str(number), names[number], "text", hint=words["hint"]) for number in tree.inner)
    values = _values(tree)
    looks = {number: Look(value=vector_words(values[number])) for number in tree.inner}
    title = words["title"]
    return Question(
        title,
        words["text"],
        items,
        tree_drawing(tree, title, names=names),
        solved=tree_drawing(tree, title, looks, names=names),
    )


def answers(data: Mapping[str, Any], lang: str) -> list[Answer]:
    """The utilities of each inner node, and what its player compared."""
    words: Any = WORDS[check_language(lang)]
    tree = read_plain_tree(data["root"])
    values = _values(tree)
    found = []
    for number in tree.inner:
        mover, right = tree.movers[number], values[number]
        reason = words["reason"].format(
            player=mover + 1, place=words["places"][mover], best=vector_words(right),
            values=", ".join(vector_words(values[child]) for child in tree.children[number]),
        )  # fmt: skip
        found.append(Answer(str(number), vector_words(right), reason, _accepts(right)))
    return found


def _accepts(right: tuple[float, ...]) -> Any:
    def accepts(given: str) -> bool:
        found = read_numbers(given, len(right))
        return found is not None and all(map(close, found, right))

    return accepts
