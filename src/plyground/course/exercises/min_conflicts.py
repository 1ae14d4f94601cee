"""Min-conflicts: how many queens attack each square of a column, and where the queen of that column goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyground.course.exercises.dice import Dice
from plyground.course.exercises.exercise import Answer, Item, Question
from plyground.course.exercises.numbers import is_number
from plyground.pictures.player_words import check_language
from plyground.pictures.svg import px
from plyground.subjects.queens.pictures import BALLS, CROWN

__all__ = ["answers", "conflicts", "generate", "question"]

SIZES = {1: 5, 2: 6, 3: 7, 4: 8, 5: 10}
SIDE, EDGE = 420, 24
STYLE = "queens.css"

WORDS = {
    "en": {
        "title": "n queens: the next step of min-conflicts",
        "text": "Min-conflicts has chosen the queen of column {column}, which is under attack. For every row of that "
        "column write how many of the other queens would attack her there, and say where she goes. If several rows are "
        "equally good, name any of them.",
        "count": "row {row}", "pick": "She goes to", "row": "row {row}",
        "none": "No other queen attacks row {row} of column {column}.",
        "some": "Row {row} is attacked from {who}.", "where": "column {column}", "and": ", ",
        "best": "The fewest attackers are {fewest}, in row {rows}.",
        "board": "{n} queens; the one of column {column} is to move",
    },
    "zh": {
        "title": "n 皇后：最小冲突法的下一步",
        "text": "最小冲突法选中了第 {column} 列的皇后，她正受到攻击。"
        "请对这一列的每一行写出：放在那里会受到多少个其他皇后的攻击；"
        "再指出她移到哪一行。若有几行同样好，任写一行。",
        "count": "第 {row} 行", "pick": "她移到", "row": "第 {row} 行",
        "none": "没有别的皇后攻击第 {column} 列第 {row} 行。",
        "some": "第 {row} 行受到{who}的攻击。", "where": "第 {column} 列", "and": "、",
        "best": "攻击者最少为 {fewest}，在第 {rows} 行。",
        "board": "{n} 个皇后；轮到第 {column} 列的皇后移动",
    },
}  # fmt: skip


def conflicts(rows: list[int], column: int, row: int) -> list[int]:
    """The columns of the queens that would attack a queen there; rows and columns count from 0."""
    return [
        other
        for other, at in enumerate(rows)
        if other != column and (at == row or abs(at - row) == abs(other - column))
    ]


def generate(dice: Dice, level: int, options: Mapping[str, int]) -> dict[str, Any]:
    """A board and a queen under attack for whom another row is better: staying would be no step."""
    n = SIZES[level]
    while True:
        rows = [dice.below(n) for _ in range(n)]
        column = dice.below(n)
        counts = [len(conflicts(rows, column, row)) for row in range(n)]
        if min(counts) < counts[rows[column]]:
            return {"rows": rows, "column": column}


def question(data: Mapping[str, Any], lang: str) -> Question:
    """The board, with the column of the queen that is to move."""
    words = WORDS[check_language(lang)]
    rows, column = data["rows"], data["column"]
    n = len(rows)
    items = [Item(f"row-{row}", words["count"].format(row=row + 1), "number") for row in range(n)]
    places = tuple((str(row), words["row"].format(row=row + 1)) for row in range(n))
    items.append(Item("pick", words["pick"], "choice", places))
    label = words["board"].format(n=n, column=column + 1)
    return Question(
        words["title"],
        words["text"].format(column=column + 1),
        tuple(items),
        svg=_board(rows, column, label, answered=False),
        style=STYLE,
        solved=_board(rows, column, label, answered=True),
    )


def _board(rows: list[int], column: int, label: str, *, answered: bool) -> str:
    """The board without the lines of attack, which would be half of the answer."""
    n = len(rows)
    size, full = SIDE / n, SIDE + EDGE + 6
    dark = "".join(
        f"M{px(c * size)} {px(r * size)}h{px(size)}v{px(size)}h{px(-size)}z"
        for r in range(n)
        for c in range(n)
        if (r + c) % 2
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full} {full}" width="{full}" height="{full}" '
        f'role="img" aria-label="{label}"><g transform="translate({EDGE} 6)">'
        f'<rect class="queens-light" width="{SIDE}" height="{SIDE}"/><path class="queens-dark" d="{dark}"/>'
        f'<rect class="queens-column" x="{px(column * size)}" width="{px(size)}" height="{SIDE}"/>'
        f'<rect class="queens-edge" width="{SIDE}" height="{SIDE}"/>'
    ]
    for place in range(n):
        middle = px((place + 0.5) * size)
        parts.append(f'<text class="queens-name" x="{middle}" y="{SIDE + 17}">{place + 1}</text>')
        parts.append(f'<text class="queens-name" x="-12" y="{px((place + 0.5) * size + 4)}">{place + 1}</text>')
    balls = "".join(f'<circle cx="{x}" cy="{y}" r=".06"/>' for x, y in BALLS)
    for other, row in enumerate(rows):
        look = "moved" if other == column else "queen"
        where = f"translate({px((other + 0.5) * size)} {px((row + 0.5) * size)}) scale({px(size * 0.9)})"
        if not (answered and other == column):
            parts.append(f'<g class="queens-{look}" transform="{where}"><path d="{CROWN}"/>{balls}</g>')
    if answered:
        counts = [len(conflicts(rows, column, row)) for row in range(n)]
        for row, count in enumerate(counts):
            best = " queens-best" if count == min(counts) else ""
            x, y = px((column + 0.5) * size), px((row + 0.5) * size + 5)
            parts.append(f'<text class="queens-count{best}" x="{x}" y="{y}">{count}</text>')
    return "".join(parts) + "</g></svg>"


def answers(data: Mapping[str, Any], lang: str) -> list[Answer]:
    """The attackers of every row, and the rows with the fewest, of which any is right."""
    words = WORDS[check_language(lang)]
    rows, column = data["rows"], data["column"]
    attackers = [conflicts(rows, column, row) for row in range(len(rows))]
    found = []
    for row, who in enumerate(attackers):
        named = words["and"].join(words["where"].format(column=other + 1) for other in who)
        reason = words["some" if who else "none"].format(row=row + 1, who=named, column=column + 1)
        count = len(who)
        found.append(Answer(f"row-{row}", str(count), reason, is_number(count)))
    fewest = min(map(len, attackers))
    best = [row for row, who in enumerate(attackers) if len(who) == fewest]
    reason = words["best"].format(fewest=fewest, rows=", ".join(str(row + 1) for row in best))
    text = " / ".join(words["row"].format(row=row + 1) for row in best)
    found.append(Answer("pick", text, reason, lambda given: given in map(str, best)))
    return found
