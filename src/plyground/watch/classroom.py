"""The classroom set: trees and positions that a course draws on the blackboard, by name.

A lesson is a tree file that comes with Plyground, or a position of a game, with the search that goes with it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from plyground.core.game import Game
from plyground.errors import UnknownName, suggestion
from plyground.games import make_game
from plyground.games.tree import read_tree

__all__ = ["MONTE_CARLO", "TYPED_TITLES", "Lesson", "classroom", "lesson"]

MONTE_CARLO = ("mcts", "uct")
"""The searches that are drawn as simulations, by the names of their players."""


@dataclass(frozen=True)
class Lesson:
    """One picture of the set. `game` is a spec, or "" for the tree file of that name.

    What is empty or None is left to whoever draws it: the search by the kind of game, the depth by its size.
    """

    name: str
    title: str = ""
    summary: str = ""
    game: str = ""
    moves: str = ""
    algorithm: str = ""
    depth: int | None = None
    evaluation: str = ""
    symmetry: bool = False
    quiescence: bool = False

    def make(self, lang: str = "en") -> Game:
        """The game of the lesson, a tree with its title in a language, "en" or "zh"."""
        if self.game:
            return make_game(self.game)
        title = CHINESE_TITLES.get(self.name, self.title) if lang == "zh" else self.title
        return replace(read_tree(_tree(self.name), self.name, f"{self.name}.json"), name=title, spec=self.name)


LESSONS = (
    Lesson("worked"),
    Lesson("exercise1"),
    Lesson("exercise2"),
    Lesson("exercise3"),
    Lesson("exercise7"),
    Lesson(
        "tictactoe-horizon2",
        "Tic-tac-toe, horizon 2",
        "Two plies ahead, up to symmetry; e = lines open for X minus lines open for O.",
        game="tictactoe",
        algorithm="minimax",
        depth=2,
        evaluation="open-lines",
        symmetry=True,
    ),
    Lesson(
        "tictactoe-counts",
        "Tic-tac-toe, horizon 2, another evaluation",
        "The same with Eval = 3 X2 + X1 - (3 O2 + O1), Xn = lines with n X's and no O.",
        game="tictactoe",
        algorithm="minimax",
        depth=2,
        evaluation="counts",
        symmetry=True,
    ),
    Lesson(
        "chess-exchange",
        "Chess: in the middle of an exchange",
        "One ply deep the knight wins a pawn, and the search stops before it is taken. Quiescence looks on.",
        game="chess:fen=7k/8/3p4/2p5/N7/8/8/7K w - - 0 1",
        algorithm="alphabeta",
        depth=1,
        evaluation="material",
    ),
    Lesson(
        "chess-horizon",
        "Chess: the horizon effect",
        "The bishop is doomed. Three plies deep a check with the pawn seems to save it: the loss is only pushed beyond "
        "the horizon.",
        game="chess:fen=r7/B1p2k2/1p6/4P3/8/8/8/7K w - - 0 1",
        algorithm="alphabeta",
        depth=3,
        evaluation="material",
    ),
    Lesson("pacman-alone", algorithm="minimax"),
    Lesson("pacman-ghost", algorithm="minimax"),
    Lesson("pacman-random-ghost", algorithm="expectiminimax"),
    Lesson("three-players", algorithm="maxn"),
    Lesson("monotone-before", algorithm="expectiminimax"),
    Lesson("monotone-after", algorithm="expectiminimax"),
    Lesson("monotone-min-before", algorithm="minimax"),
    Lesson("monotone-min-after", algorithm="minimax"),
    Lesson("worked-mcts", algorithm="uct:form=root"),
)
"""In the order of a course. Tree files that are not listed here come after these."""

CHINESE_TITLES = {
    "worked": "例题树",
    "exercise1": "四个 MIN 节点",
    "exercise2": "两种剪枝",
    "exercise3": "四层",
    "exercise7": "七层",
    "chess-exchange": "国际象棋：交换的中途",
    "chess-horizon": "国际象棋：地平线效应",
    "pacman-alone": "独自一人的吃豆人",
    "pacman-ghost": "吃豆人与幽灵",
    "pacman-random-ghost": "吃豆人与随机的幽灵",
    "three-players": "三个玩家",
    "three-answers": "三个玩家，三种答案",
    "monotone-before": "单调变换之前",
    "monotone-after": "单调变换之后",
    "monotone-min-before": "单调变换之前，有 MIN",
    "monotone-min-after": "单调变换之后，有 MIN",
    "star": "机会节点处的剪枝",
    "worked-mcts": "手算蒙特卡洛",
}
"""The titles of the trees in Chinese."""

TYPED_TITLES = {"en": "Given tree", "zh": "给定的树"}
"""The title of a tree that somebody has typed."""


@cache
def classroom() -> dict[str, Lesson]:
    """All lessons by name."""
    folder = files("plyground.games") / "trees"
    trees = sorted(file.name.removesuffix(".json") for file in folder.iterdir() if file.name.endswith(".json"))
    listed = {one.name: one for one in LESSONS}
    found = {}
    for name in [*listed, *(name for name in trees if name not in listed)]:
        one = listed.get(name, Lesson(name))
        if not one.game:
            content = _tree(name)
            one = replace(one, title=content["title"], summary=content["summary"])
        found[name] = one
    return found


def lesson(name: str) -> Lesson:
    """The lesson of a name; `UnknownName` if there is none."""
    if name not in classroom():
        raise UnknownName(f"there is no lesson '{name}'{suggestion(name, classroom())}")
    return classroom()[name]


def _tree(name: str) -> Any:
    return json.loads((files("plyground.games") / "trees" / f"{name}.json").read_text(encoding="utf-8"))
