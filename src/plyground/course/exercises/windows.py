"""Windows: alpha and beta at each node of alpha-beta, when it is entered and when it is left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyground.course.exercises.alphabeta import cut_words, window_words
from plyground.course.exercises.cuts import Visit, count_cuts, visits
from plyground.course.exercises.dice import Dice
from plyground.course.exercises.exercise import Answer, Item, Question
from plyground.course.exercises.numbers import number_words, read_numbers
from plyground.course.exercises.plain_tree import (
    PlainTree,
    grow,
    nested_tree,
    read_plain_tree,
    tree_drawing,
    two_player_tree,
)
from plyground.pictures.player_words import check_language
from plyground.pictures.tree import Look

__all__ = ["answers", "generate", "question"]

LEVELS = {1: (2, 2, 0), 2: (2, 3, 1), 3: (3, 2, 1), 4: (4, 2, 2), 5: (5, 3, 3)}
"""Depth, branches and how many cuts there are at least."""
MOST_LEAVES = 18
NEVER = ("-", "−", "–", "—", "never", "none", "x", "无", "不访问", "未访问")

WORDS = {
    "en": {
        "title": "Alpha-beta: the windows",
        "text": "Alpha-beta goes through this tree from left to right. Write the window α, β of every inner node: "
        "as it "
        "is when the search enters the node, and as it is when the search leaves it. For a node that is never "
        "visited write a dash.",
        "in": "{name}, entering", "out": "{name}, leaving", "hint": "−∞, 3", "never": "—",
        "root": "The search begins with nothing known: α = −∞, β = +∞.",
        "handed": "{parent} hands its window down: at that moment it is {window}.",
        "unseen": "The search never comes to {name}: a branch above it is cut off.",
        "max": "MAX at {name} raises α to the best value below β: it leaves with v = {v}.",
        "min": "MIN at {name} lowers β to the best value above α: it leaves with v = {v}.",
        "cut": "{name} is left by a cut with v = {v}. (Whoever moves the bound before comparing has {other}, which is "
        "accepted too.)",
        "same": "{name} is left with v = {v}, which lies outside its window. (Whoever moves the bound before comparing "
        "has {other}, which is accepted too.)",
    },
    "zh": {
        "title": "α-β 剪枝：窗口",
        "text": "α-β 剪枝从左到右搜索这棵树。请写出每个内部节点的窗口 α, β：进入该节点时的，和离开该节点时的。"
        "从未访问的节点写一横。",
        "in": "{name}，进入时", "out": "{name}，离开时", "hint": "−∞, 3", "never": "—",
        "root": "搜索开始时一无所知：α = −∞，β = +∞。",
        "handed": "{parent} 把自己的窗口传下来：那一刻是 {window}。",
        "unseen": "搜索到不了 {name}：它上面的一条分支被剪掉了。",
        "max": "{name} 处的 MAX 把 α 提高到小于 β 的最好值：离开时 v = {v}。",
        "min": "{name} 处的 MIN 把 β 降低到大于 α 的最好值：离开时 v = {v}。",
        "cut": "{name} 因剪枝而离开，v = {v}。（先更新界再比较的写法得到 {other}，同样算对。）",
        "same": "{name} 离开时 v = {v}，在窗口之外。（先更新界再比较的写法得到 {other}，同样算对。）",
    },
}  # fmt: skip


def generate(dice: Dice, level: int, options: Mapping[str, int]) -> dict[str, Any]:
    """A tree of MAX and MIN with a few cuts."""
    depth, branching, least = LEVELS[level]
    while True:
        family = grow(dice, depth, branching, MOST_LEAVES)
        values = {number: dice.between(0, 20) for number, children in enumerate(family) if not children}
        found = count_cuts(two_player_tree(family, values))
        if found.alpha + found.beta >= least:
            return {"root": nested_tree(family, values)}


def question(data: Mapping[str, Any], lang: str) -> Question:
    """The tree with its leaves, and two windows for each inner node."""
    words = WORDS[check_language(lang)]
    tree = read_plain_tree(data["root"])
    items = tuple(
        Item(f"{number}-{when}", words[when].format(name=tree.names[number]), "text", hint=words["hint"])
        for number in tree.inner
        for when in ("in", "out")
    )
    looks = {}
    for number, visit in enumerate(visits(tree)):
        if visit is None:
            looks[number] = Look(state="unseen")
        elif tree.shapes[number] != "leaf":
            looks[number] = Look(value=cut_words(visit, tree), lines=(window_words(visit.alpha, visit.beta),))
    return Question(
        words["title"],
        words["text"],
        items,
        tree_drawing(tree, words["title"]),
        solved=tree_drawing(tree, words["title"], looks),
    )


def answers(data: Mapping[str, Any], lang: str) -> list[Answer]:
    """The windows of each inner node; at the end both conventions are right, see `Visit.updated_first`."""
    words = WORDS[check_language(lang)]
    tree = read_plain_tree(data["root"])
    seen = visits(tree)
    found = []
    for number in tree.inner:
        visit, name = seen[number], tree.names[number]
        if visit is None:
            reason = words["unseen"].format(name=name)
            found += [Answer(f"{number}-{when}", words["never"], reason, _is_never) for when in ("in", "out")]
            continue
        window = window_words(*visit.entered)
        handed = words["handed"].format(parent=tree.names[tree.parents[number]], window=window)
        reason = handed if number else words["root"]
        found.append(Answer(f"{number}-in", window, reason, _accepts(visit.entered)))
        found.append(_at_the_end(number, visit, tree, words))
    return found


def _at_the_end(number: int, visit: Visit, tree: PlainTree, words: Mapping[str, str]) -> Answer:
    maximising, name = tree.shapes[number] == "max", tree.names[number]
    plain, other = (visit.alpha, visit.beta), visit.updated_first(maximising)
    word = "cut" if visit.cut else "same" if plain != other else tree.shapes[number]
    reason = words[word].format(name=name, v=number_words(visit.value or 0), other=window_words(*other))
    return Answer(f"{number}-out", window_words(*plain), reason, _accepts(plain, other))


def _is_never(given: str) -> bool:
    return given.strip().lower() in NEVER


def _accepts(*windows: tuple[float, float]) -> Any:
    return lambda given: read_numbers(given, 2) in windows
