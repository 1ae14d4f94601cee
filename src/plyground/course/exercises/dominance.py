"""Dominance: which strategies are taken out when strictly dominated ones go, one after the other?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyground.course.exercises.dice import Dice
from plyground.course.exercises.exercise import Answer, Item, Question, exactly
from plyground.course.exercises.matrix_table import STYLE, random_tables, table_game, table_svg
from plyground.pictures.player_words import check_language
from plyground.subjects.matrix.dominance import Domination, Elimination, iterated_dominance
from plyground.subjects.matrix.matrix_game import MatrixGame, number_text

__all__ = ["answers", "generate", "question"]

SIZES = {1: (2, 2), 2: (2, 3), 3: (3, 3), 4: (3, 3), 5: (3, 4)}
STEPS = {1: (1, 2), 2: (2, 3), 3: (2, 4), 4: (3, 4), 5: (3, 5)}
"""How many strategies are taken out, from and to."""

WORDS = {
    "en": {
        "title": "Dominance: what is taken out?",
        "text": "Each cell shows first what the player of the rows gets, then what the player of the columns gets; "
        "more is better. Strictly dominated strategies are taken out one after the other, until there is none "
        "left{mixed}. Mark every strategy that is taken out.",
        "mixed": ", also those that only a mixture of others dominates",
        "table": "the table of the game", "rows": "Rows", "columns": "Columns",
        "row": "row {name}", "column": "column {name}", "out": "taken out",
        "pure": "Step {step}: {name} is strictly dominated by {by}.",
        "mixture": "Step {step}: {name} is strictly dominated by the mixture {by}.",
        "left": "It is left in the end: nothing that is left dominates it.",
    },
    "zh": {
        "title": "占优：哪些策略被删去？",
        "text": "每格先写行玩家的收益，再写列玩家的收益，越多越好。"
        "被严格占优的策略一个接一个地删去，直到没有为止{mixed}。"
        "请标出每一个被删去的策略。",
        "mixed": "，只被混合策略严格占优的也要删去",
        "table": "博弈的收益表", "rows": "行", "columns": "列",
        "row": "行 {name}", "column": "列 {name}", "out": "删去",
        "pure": "第 {step} 步：{name} 被 {by} 严格占优。",
        "mixture": "第 {step} 步：{name} 被混合策略 {by} 严格占优。",
        "left": "它留到最后：剩下的策略都不能严格占优它。",
    },
}  # fmt: skip


def generate(dice: Dice, level: int, options: Mapping[str, int]) -> dict[str, Any]:
    """A game in which a few strategies go and one of each player stays; a mixture takes part at level 5 only."""
    least, most = STEPS[level]
    while True:
        data = {"cells": random_tables(dice, *SIZES[level])}
        steps = iterated_dominance(table_game(data)).steps
        if least <= len(steps) <= most and any(step.pure is None for step in steps) == (level == 5):
            return data


def _items(game: MatrixGame, words: Mapping[str, str]) -> tuple[Item, ...]:
    choices = (("out", words["out"]),)
    return tuple(
        Item(f"{kind}-{place}", words[kind].format(name=name), "mark", choices)
        for kind, names in (("row", game.rows), ("column", game.columns))
        for place, name in enumerate(names)
    )


def question(data: Mapping[str, Any], lang: str) -> Question:
    """The table; every strategy can be marked."""
    words = WORDS[check_language(lang)]
    game = table_game(data)
    found = iterated_dominance(game)
    items = _items(game, words)
    mixed = words["mixed"] if any(step.pure is None for step in found.steps) else ""
    spots = [(item.key, item.label) for item in items]
    return Question(
        words["title"],
        words["text"].format(mixed=mixed),
        items,
        svg=table_svg(game, words, spots),
        style=STYLE,
        solved=table_svg(game, words, spots, _gone(found)),
    )


def _gone(found: Elimination) -> dict[str, int]:
    """The steps in which strategies go, from 1, by the keys of their items."""
    return {f"{('row', 'column')[one.player]}-{one.strategy}": step for step, one in enumerate(found.steps, 1)}


def answers(data: Mapping[str, Any], lang: str) -> list[Answer]:
    """For every strategy whether it is taken out, in which step, and by what it is dominated."""
    words = WORDS[check_language(lang)]
    game = table_game(data)
    found = iterated_dominance(game)
    gone = _gone(found)
    answered = []
    for item in _items(game, words):
        step = gone.get(item.key, 0)
        reason = _reason(game, found.steps[step - 1], step, words) if step else words["left"]
        right = "out" if step else ""
        answered.append(Answer(item.key, words["out"] if step else "", reason, exactly(right)))
    return answered


def _reason(game: MatrixGame, one: Domination, step: int, words: Mapping[str, str]) -> str:
    names = game.names(one.player)
    if one.pure is not None:
        return words["pure"].format(step=step, name=names[one.strategy], by=names[one.pure])
    by = " + ".join(f"{number_text(share)} {name}" for share, name in zip(one.by, names, strict=True) if share)
    return words["mixture"].format(step=step, name=names[one.strategy], by=by)
