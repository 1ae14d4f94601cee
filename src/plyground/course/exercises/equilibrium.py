"""Equilibria: which outcomes are Nash equilibria, and with which probabilities do the players mix?"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from plyground.course.exercises.dice import Dice
from plyground.course.exercises.exercise import Answer, Item, Question, exactly
from plyground.course.exercises.matrix_table import STYLE, random_tables, table_game, table_svg
from plyground.course.exercises.numbers import is_number, number_words
from plyground.pictures.player_words import check_language
from plyground.subjects.matrix.best_response import pure_equilibria
from plyground.subjects.matrix.matrix_game import MatrixGame, Profile, number_text
from plyground.subjects.matrix.supports import support_equilibria
from plyground.subjects.matrix.vertices import vertex_equilibria

__all__ = ["answers", "generate", "question"]

SIZES = {1: (2, 2), 2: (2, 3), 3: (3, 3), 4: (2, 2), 5: (2, 2)}
PURE = {1: (1, 2), 2: (1, 2), 3: (0, 3), 4: (0, 0), 5: (2, 2)}
"""How many equilibria in pure strategies there are, from and to."""
MIXED = (4, 5)
"""Levels that ask for the one in mixed strategies too."""
TOLERANCE = 0.0051
"""Two decimals are enough."""

WORDS = {
    "en": {
        "title": "Nash equilibria",
        "text": "Each cell shows first what the player of the rows gets, then what the player of the columns "
        "gets; more "
        "is better. Mark every cell that is a Nash equilibrium in pure strategies; there may be none.",
        "mixed": " There is one equilibrium in which both mix: write its probabilities, as fractions or with two "
        "decimals.",
        "table": "the table of the game", "rows": "Rows", "columns": "Columns",
        "cell": "cell {row}, {column}", "nash": "equilibrium", "share": "probability of {name}", "hint": "such as 1/3",
        "both": "Nobody regrets: against {column} nothing is better than {row}, against {row} nothing better than "
        "{column}.",
        "rows_go": "The player of the rows regrets: against {column}, {better} pays {more} instead of {less}.",
        "columns_go": "The player of the columns regrets: against {row}, {better} pays {more} instead of {less}.",
        "indifferent": "{who} mixes so that the other one is indifferent: with probabilities {mixture} both of the "
        "other's "
        "strategies pay {pays}.",
        "row_player": "The player of the rows", "column_player": "The player of the columns",
    },
    "zh": {
        "title": "纳什均衡",
        "text": "每格先写行玩家的收益，再写列玩家的收益，越多越好。请标出每一个纯策略纳什均衡的格子，"
        "也可能一个都没有。",
        "mixed": "还有一个双方都混合的均衡：请写出其中的概率，用分数或两位小数。",
        "table": "博弈的收益表", "rows": "行", "columns": "列",
        "cell": "格子 {row}, {column}", "nash": "均衡", "share": "{name} 的概率", "hint": "例如 1/3",
        "both": "谁也不后悔：对 {column} 没有比 {row} 更好的，对 {row} 没有比 {column} 更好的。",
        "rows_go": "行玩家会后悔：对 {column}，{better} 得 {more}，而不是 {less}。",
        "columns_go": "列玩家会后悔：对 {row}，{better} 得 {more}，而不是 {less}。",
        "indifferent": "{who}这样混合，使对方无差别：概率为 {mixture} 时，对方的两个策略都得 {pays}。",
        "row_player": "行玩家", "column_player": "列玩家",
    },
}  # fmt: skip


def generate(dice: Dice, level: int, options: Mapping[str, int]) -> dict[str, Any]:
    """A game that is not degenerate, so that the equilibria are few and each is by itself."""
    least, most = PURE[level]
    while True:
        data = {"cells": random_tables(dice, *SIZES[level]), "mixed": level in MIXED}
        game = table_game(data)
        if not least <= len(pure_equilibria(game)) <= most or vertex_equilibria(game).degeneracy is not None:
            continue
        if level not in MIXED or _mixed(game) is not None:
            return data


def _mixed(game: MatrixGame) -> Profile | None:
    """The equilibrium in which both use both strategies."""
    return next((found for found in support_equilibria(game) if all(map(all, found))), None)


def _items(data: Mapping[str, Any], game: MatrixGame, words: Mapping[str, str]) -> tuple[Item, ...]:
    choices = (("nash", words["nash"]),)
    cells = [
        Item(f"cell-{i}-{j}", words["cell"].format(row=row, column=column), "mark", choices)
        for i, row in enumerate(game.rows)
        for j, column in enumerate(game.columns)
    ]
    shares = [
        Item(f"share-{player}-{place}", words["share"].format(name=name), "number", hint=words["hint"])
        for player in (0, 1)
        for place, name in enumerate(game.names(player))
        if data["mixed"]
    ]
    return tuple(cells + shares)


def question(data: Mapping[str, Any], lang: str) -> Question:
    """The table; every cell can be marked."""
    words = WORDS[check_language(lang)]
    game = table_game(data)
    items = _items(data, game, words)
    spots = [(item.key, item.label) for item in items if item.form == "mark"]
    right = {f"cell-{i}-{j}" for i, j in pure_equilibria(game)}
    return Question(
        words["title"],
        words["text"] + (words["mixed"] if data["mixed"] else ""),
        items,
        svg=table_svg(game, words, spots),
        style=STYLE,
        solved=table_svg(game, words, spots, right),
    )


def answers(data: Mapping[str, Any], lang: str) -> list[Answer]:
    """For every cell whether somebody regrets, and the probabilities of the mixed equilibrium."""
    words = WORDS[check_language(lang)]
    game = table_game(data)
    pure = set(pure_equilibria(game))
    found = []
    for i in range(game.shape[0]):
        for j in range(game.shape[1]):
            right = "nash" if (i, j) in pure else ""
            text = words["nash"] if right else ""
            reason = _regret(game, i, j, words)
            found.append(Answer(f"cell-{i}-{j}", text, reason, exactly(right)))
    if data["mixed"]:
        mixed = _mixed(game)
        assert mixed is not None
        for player, mixture in enumerate(mixed):
            reason = _indifferent(game, player, mixture, words)
            for place, share in enumerate(mixture):
                key, value = f"share-{player}-{place}", float(share)
                found.append(Answer(key, number_text(share), reason, is_number(value, TOLERANCE)))
    return found


def _regret(game: MatrixGame, i: int, j: int, words: Mapping[str, str]) -> str:
    row, column = game.rows[i], game.columns[j]
    best_row = max(range(game.shape[0]), key=lambda other: game.first[other][j])
    best_column = max(range(game.shape[1]), key=lambda other: game.second[i][other])
    if game.first[best_row][j] > game.first[i][j]:
        more, less = number_words(game.first[best_row][j]), number_words(game.first[i][j])
        return words["rows_go"].format(column=column, better=game.rows[best_row], more=more, less=less)
    if game.second[i][best_column] > game.second[i][j]:
        more, less = number_words(game.second[i][best_column]), number_words(game.second[i][j])
        return words["columns_go"].format(row=row, better=game.columns[best_column], more=more, less=less)
    return words["both"].format(row=row, column=column)


def _indifferent(game: MatrixGame, player: int, mixture: tuple[Fraction, ...], words: Mapping[str, str]) -> str:
    table = game.first if player else game.second
    pays = sum(share * (table[0][place] if player else table[place][0]) for place, share in enumerate(mixture))
    named = ", ".join(map(number_text, mixture))
    who = words["column_player" if player else "row_player"]
    return words["indifferent"].format(who=who, mixture=named, pays=number_text(Fraction(pays)))
