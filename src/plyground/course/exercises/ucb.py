"""UCB: the scores by which Monte Carlo tree search selects, and where the next simulation goes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from plyground.core.grid import column_name
from plyground.course.exercises.dice import Dice
from plyground.course.exercises.exercise import Answer, Item, Question
from plyground.course.exercises.numbers import is_number
from plyground.pictures.player_words import check_language
from plyground.pictures.tree import Drawing, Look, Node

__all__ = ["answers", "generate", "question", "scores"]

SHAPES: dict[int, tuple[int, ...]] = {1: (2,), 2: (3,), 3: (2, 2), 4: (3, 2), 5: (2, 2, 2)}
"""How many children a node has, level by level; only the first nodes of a level have children of their own."""
TWO_LN = (2, 5)
"""Levels whose formula is sqrt(2 ln N / n)."""
UNTRIED = (4, 5)
"""Levels with a child that was never visited."""
CLEAR = 0.02
"""By how much the best score is better than the next: rounding must not decide."""
TOLERANCE = 0.0051
"""Two decimals are enough."""

WORDS = {
    "en": {
        "title": "UCB: where does the next simulation go?",
        "text": "Every node shows Black's wins / visits. Black moves at the root, then White, in turn. A child is "
        "scored "
        "mean + {formula}, where n are the visits of the child and N those of its parent; the mean is the share of "
        "games "
        "won by whoever chooses: Black's wins / n where Black chooses, 1 − Black's wins / n where White does. A child "
        "without visits has the score ∞. Write the score of every child, two decimals are enough, and say at which "
        "node "
        "the selection ends.",
        "score": "{name}, score", "path": "The selection ends at",
        "black": "Black chooses: {wins}/{n} + {root} = {score}.",
        "white": "White chooses: 1 − {wins}/{n} + {root} = {score}.",
        "untried": "It was never visited, so it comes first: ∞.",
        "way": "The best score at each step: {way}.",
    },
    "zh": {
        "title": "UCB：下一次模拟走向哪里？",
        "text": "每个节点标着黑方的胜局 / 访问次数。根节点轮到黑方，然后白方，依次轮流。子节点的得分是 均值 + "
        "{formula}，"
        "其中 n 是该子节点的访问次数，N 是父节点的访问次数；均值是选择者的胜率：黑方选择时为 黑胜 / n，"
        "白方选择时为 1 − 黑胜 / n。没有访问过的子节点得分为 ∞。请写出每个子节点的得分（两位小数即可），"
        "并指出选择在哪个节点结束。",
        "score": "{name} 的得分", "path": "选择结束于",
        "black": "黑方选择：{wins}/{n} + {root} = {score}。",
        "white": "白方选择：1 − {wins}/{n} + {root} = {score}。",
        "untried": "从未访问过，优先：∞。",
        "way": "每一步取最高得分：{way}。",
    },
}  # fmt: skip


def generate(dice: Dice, level: int, options: Mapping[str, int]) -> dict[str, Any]:
    """A tree of nodes [parent, wins of Black, visits]; a parent has the sums of its children."""
    while True:
        nodes = _nodes(dice, level)
        data = {"nodes": nodes, "factor": 2 if level in TWO_LN else 1}
        if all(_clear(children, scores(data)) for children in _families(data) if children):
            return data


def _nodes(dice: Dice, level: int) -> list[list[int]]:
    shape = SHAPES[level]
    parents, row = [0], [0]
    for place, count in enumerate(shape):
        opened = row if place == 0 else row[: 2 if level != 3 else 1] if place == 1 else row[:2]
        row = [len(parents) + number for number in range(count * len(opened))]
        parents += [parent for parent in opened for _ in range(count)]
    inner = set(parents)
    wins, visits = [0] * len(parents), [0] * len(parents)
    leaves = [number for number in range(len(parents)) if number not in inner]
    untried = dice.pick(leaves) if level in UNTRIED else -1
    for leaf in leaves:
        visits[leaf] = 0 if leaf == untried else dice.between(1, 12)
        wins[leaf] = dice.between(0, visits[leaf])
    for number in range(len(parents) - 1, 0, -1):
        wins[parents[number]] += wins[number]
        visits[parents[number]] += visits[number]
    return [[parent, won, seen] for parent, won, seen in zip(parents, wins, visits, strict=True)]


def _families(data: Mapping[str, Any]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in data["nodes"]]
    for number, (parent, _, _) in enumerate(data["nodes"][1:], 1):
        found[parent].append(number)
    return found


def _clear(family: list[int], score: list[float]) -> bool:
    first, second = sorted((score[child] for child in family), reverse=True)[:2]
    return first > second + CLEAR


def scores(data: Mapping[str, Any]) -> list[float]:
    """The score of every node in the eyes of whoever chooses it; of the root nothing is asked, and it has 0."""
    nodes, depth, found = data["nodes"], [0], [0.0]
    for parent, wins, n in nodes[1:]:
        depth.append(depth[parent] + 1)
        if n == 0:
            found.append(math.inf)
            continue
        mean = wins / n if depth[-1] % 2 else 1 - wins / n
        found.append(mean + math.sqrt(data["factor"] * math.log(nodes[parent][2]) / n))
    return found


def _path(data: Mapping[str, Any]) -> list[int]:
    score, families = scores(data), _families(data)
    path = [0]
    while families[path[-1]]:
        path.append(max(families[path[-1]], key=lambda child: score[child]))
    return path


def _score_words(score: float) -> str:
    return "∞" if math.isinf(score) else f"{score:.3f}"


def _name(number: int) -> str:
    return column_name(number).upper()


def question(data: Mapping[str, Any], lang: str) -> Question:
    """The tree with wins and visits."""
    words = WORDS[check_language(lang)]
    nodes, families, score, path = data["nodes"], _families(data), scores(data), _path(data)
    formula = "√(2 ln N / n)" if data["factor"] == 2 else "√(ln N / n)"
    items = [Item(str(number), words["score"].format(name=_name(number)), "number") for number in range(1, len(nodes))]
    leaves = tuple((str(number), _name(number)) for number, family in enumerate(families) if not family)
    items.append(Item("path", words["path"], "choice", leaves))
    drawn = [
        Node(None if number == 0 else parent, "player", name=_name(number))
        for number, (parent, _, _) in enumerate(nodes)
    ]
    start = {number: Look(state="done", value=f"{wins}/{n}") for number, (_, wins, n) in enumerate(nodes)}
    solved = {
        number: Look(
            state="done",
            value=look.value,
            lines=(_score_words(score[number]),) if number else (),
            edge="best" if number in path[1:] else "plain",
        )
        for number, look in start.items()
    }
    title = words["title"]
    return Question(
        title,
        words["text"].format(formula=formula),
        tuple(items),
        Drawing("", drawn, [], start, title),
        solved=Drawing("", drawn, [], solved, title),
    )


def answers(data: Mapping[str, Any], lang: str) -> list[Answer]:
    """Every score with its sum, and the way down."""
    words = WORDS[check_language(lang)]
    nodes, score, depth = data["nodes"], scores(data), [0]
    found = []
    for number, (parent, wins, n) in enumerate(nodes[1:], 1):
        depth.append(depth[parent] + 1)
        if n == 0:
            reason = words["untried"]
        else:
            inside = f"{'2 ' if data['factor'] == 2 else ''}ln {nodes[parent][2]} / {n}"
            reason = words["black" if depth[-1] % 2 else "white"].format(
                wins=wins, n=n, root=f"√({inside})", score=_score_words(score[number])
            )
        text = _score_words(score[number])
        right = score[number]
        found.append(Answer(str(number), text, reason, is_number(right, TOLERANCE)))
    path = _path(data)
    end = path[-1]
    reason = words["way"].format(way=" → ".join(map(_name, path)))
    found.append(Answer("path", _name(end), reason, lambda given: given == str(end) or given.upper() == _name(end)))
    return found
