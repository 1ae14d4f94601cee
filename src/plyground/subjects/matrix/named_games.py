"""The games that everybody knows by name.

The two prisoner's dilemmas are tables of years in prison: less is better. Everything else is a payoff: more is better.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from plyground.errors import UnknownName, suggestion
from plyground.subjects.matrix.game_text import read_game
from plyground.subjects.matrix.matrix_game import MatrixGame

__all__ = ["NAMED_GAMES", "NamedGame", "named_game"]


@dataclass(frozen=True)
class NamedGame:
    """A game with its name, one sentence about it in both languages, and its text."""

    name: str
    title: dict[str, str]
    about: dict[str, str]
    text: str

    def text_in(self, lang: str) -> str:
        """The text with the names of players and strategies in a language, "en" or "zh".

        >>> NAMED_GAMES["stag-hunt"].text_in("zh")
        '鹿 兔; 鹿 4,4 0,3; 兔 3,0 3,3'
        """
        return self.text if lang == "en" else re.sub(r"cut at|[A-Za-z]+", lambda m: CHINESE.get(m[0], m[0]), self.text)


CHINESE = {
    "Anna": "安娜", "Bert": "伯特", "silent": "沉默", "betray": "背叛", "heads": "正面", "tails": "反面",
    "rock": "石头", "paper": "布", "scissors": "剪刀", "stag": "鹿", "hare": "兔", "swerve": "让路", "straight": "直行",
    "opera": "歌剧", "football": "足球", "left": "左", "right": "右", "top": "上", "middle": "中", "bottom": "下",
    "cutter": "切的人", "chooser": "选的人", "larger": "大块", "smaller": "小块", "cut at": "切在",
}  # fmt: skip

_GAMES = (
    NamedGame(
        "prisoners-dilemma",
        {"en": "Prisoner's dilemma", "zh": "囚徒困境"},
        {
            "en": "Years in prison, so less is better: betraying dominates, though both would rather be silent.",
            "zh": "数字是刑期（年），越少越好：背叛占优，于是双方都背叛，虽然都沉默对双方更好。",
        },
        "payoffs: costs; players: Anna, Bert; silent betray; silent 1,1 3,0; betray 0,3 2,2",
    ),
    NamedGame(
        "prisoners-dilemma-10",
        {"en": "Prisoner's dilemma, up to 10 years", "zh": "囚徒困境（最多十年）"},
        {
            "en": "The other table in use, also years in prison: 1, 8, 0 and 10. The reasoning is the same.",
            "zh": "另一张常用的表，也是刑期：1、8、0 和 10 年。道理相同。",
        },
        "payoffs: costs; players: Anna, Bert; silent betray; silent 1,1 10,0; betray 0,10 8,8",
    ),
    NamedGame(
        "matching-pennies",
        {"en": "Matching pennies", "zh": "猜硬币"},
        {
            "en": "One wins if the pennies match, the other if they do not: only the toss of a coin is safe.",
            "zh": "硬币相同则一方赢，不同则另一方赢：只有随机才安全。",
        },
        "heads tails; heads 1 -1; tails -1 1",
    ),
    NamedGame(
        "rock-paper-scissors",
        {"en": "Rock, paper, scissors", "zh": "石头剪刀布"},
        {
            "en": "Everything is beaten by something: each with probability 1/3, and the value is 0.",
            "zh": "每一种都有克星：各以 1/3 的概率出，值为 0。",
        },
        "rock paper scissors; rock 0 -1 1; paper 1 0 -1; scissors -1 1 0",
    ),
    NamedGame(
        "stag-hunt",
        {"en": "Stag hunt", "zh": "猎鹿"},
        {
            "en": "Together a stag, alone a hare: one equilibrium pays more, the other one is safer.",
            "zh": "合作猎鹿，独自抓兔：一个均衡收益更高，另一个更安全。",
        },
        "stag hare; stag 4,4 0,3; hare 3,0 3,3",
    ),
    NamedGame(
        "chicken",
        {"en": "Chicken", "zh": "胆小鬼"},
        {
            "en": "Two drive at each other: each wants the other one to swerve, and a crash is worst of all.",
            "zh": "两车对开：都希望对方让路，相撞最糟。",
        },
        "swerve straight; swerve 0,0 -1,1; straight 1,-1 -10,-10",
    ),
    NamedGame(
        "battle-of-the-sexes",
        {"en": "Battle of the sexes", "zh": "性别之战"},
        {
            "en": "Rather together than alone, but where? Two equilibria, and a third one that is worse for both.",
            "zh": "宁可在一起，但去哪儿？有两个纯均衡，第三个混合均衡对双方都更差。",
        },
        "opera football; opera 3,2 0,0; football 0,0 2,3",
    ),
    NamedGame(
        "mixed-dominance",
        {"en": "Dominated by a mixture only", "zh": "仅被混合策略占优"},
        {
            "en": "No row dominates the bottom one, but a mixture of top and middle does; then the columns follow.",
            "zh": "没有哪一行占优于最下一行，但上、中两行的混合占优；然后轮到列。",
        },
        "left right; top 3,1 0,0; middle 0,1 3,0; bottom 1,0 1,2",
    ),
    NamedGame(
        "degenerate",
        {"en": "A degenerate game", "zh": "一个退化的博弈"},
        {
            "en": "A whole segment of equilibria: against the left column both rows pay the same.",
            "zh": "均衡构成一整条线段：面对左列，两行收益相同。",
        },
        "left right; top 2,2 1,1; bottom 2,1 0,1",
    ),
    NamedGame(
        "cake",
        {"en": "Cut and choose", "zh": "一人切一人选"},
        {
            "en": "One cuts after some eighths, the other sees it and takes a piece: minimax gives one half each.",
            "zh": "一人在八分之几处切蛋糕，另一人看了再选：极小化极大使各得一半。",
        },
        "players: cutter, chooser; larger smaller; "
        + "; ".join(f'"cut at {cut}/8" {cut}/8,{8 - cut}/8 {8 - cut}/8,{cut}/8' for cut in range(5)),
    ),
)
NAMED_GAMES = {game.name: game for game in _GAMES}
"""The games by name."""


@cache
def named_game(name: str, lang: str = "en") -> MatrixGame:
    """The game of a name, with its players and strategies in a language, "en" or "zh".

    >>> named_game("stag-hunt").rows
    ('stag', 'hare')
    """
    if name not in NAMED_GAMES:
        raise UnknownName(f"there is no game '{name[:40]}'{suggestion(name, NAMED_GAMES)}")
    found = NAMED_GAMES[name]
    return replace(read_game(found.text_in(lang)), name=found.title[lang])
