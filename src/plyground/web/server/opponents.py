"""The named opponents of each game, and how strong they are: what `benchmarks.opponents` has measured, nothing else.

Nothing here needs a server, so that they can be measured where there is none.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from plyground.core.files import parse_json, read_text

__all__ = ["CARDS", "MEASURED", "Card", "Strength", "cards_for", "measured", "read_strengths", "strength_of"]

MEASURED = Path(__file__).with_name("opponents.json")
"""What `python -m benchmarks.opponents` has written."""
BOUND_DEVIATION = 100.0
"""Of a rating that is only the least or the most that it can be, in points of Elo."""


class Card(NamedTuple):
    """An opponent: its name in both languages, and what it does."""

    id: str
    spec: str
    name: str
    name_zh: str
    about: str
    about_zh: str


class Strength(NamedTuple):
    """A measured rating in points of Elo, where whoever plays at random has 0; `error` is half of its 95% interval.

    With a `bound` it is only the least or the most that the rating can be, and there is no interval.
    """

    elo: int
    error: int
    games: int
    bound: Literal["", "at least", "at most"] = ""

    @property
    def deviation(self) -> float:
        """The standard deviation of the rating."""
        return BOUND_DEVIATION if self.bound else self.error / 1.96

    @property
    def place(self) -> tuple[bool, int]:
        """By what opponents are put in order: those that have lost to nobody come after all whose rating is known."""
        return self.bound == "at least", self.elo


RANDOM = Card(
    "dice", "random", "Dice", "骰子", "Any legal move, each as likely.", "每一步都随机，合法即可。",
)  # fmt: skip
FLAT = Card(
    "guess", "flat:simulations=200", "Guess", "猜测",
    "Tries each move in random games and takes the one that wins most.", "对每一步随机模拟许多局，选胜率最高的。",
)  # fmt: skip
LOOKAHEAD = Card(
    "lookahead", "minimax:depth=2", "Two Plies", "两步",
    "Minimax: thinks of its move and your answer, and no further.", "极小化极大：只想自己的一步和你的回应。",
)  # fmt: skip
ALPHABETA = Card(
    "pruner", "alphabeta:time=1", "Pruner", "剪枝",
    "Alpha-beta, as deep as one second allows.", "α-β 剪枝，一秒之内能想多深就想多深。",
)  # fmt: skip
SAMPLER = Card(
    "sampler", "mcts:time=0.2", "Sampler", "采样",
    "Monte Carlo tree search for a fifth of a second.", "蒙特卡洛树搜索，五分之一秒。",
)  # fmt: skip
FOREST = Card(
    "forest", "mcts:time=2", "Forest", "森林",
    "Monte Carlo tree search for two seconds.", "蒙特卡洛树搜索，两秒。",
)  # fmt: skip
PERFECT = Card(
    "perfect", "alphabeta", "Perfect", "完美",
    "Sees the whole game and never loses it.", "看得见整局棋，从不会输。",
)  # fmt: skip


MINIALPHAGO: tuple[Card, ...] = (
    Card(
        "minialphago-quick", "minialphago:simulations=50", "MiniAlphaGo, at a glance", "MiniAlphaGo 一瞥",
        "The network that taught itself the game, and hardly any search: 50 simulations.",
        "自学成才的网络，几乎不搜索：50 次模拟。",
    ),
    Card(
        "minialphago", "minialphago:simulations=400", "MiniAlphaGo", "MiniAlphaGo",
        "Nobody has taught it: a network that learned the game from playing itself, and a tree search.",
        "没有人教过它：靠自我对弈学会的网络，加上树搜索。",
    ),
    Card(
        "minialphago-deep", "minialphago:simulations=1600", "MiniAlphaGo, in depth", "MiniAlphaGo 深思",
        "The same network with time to think: 1,600 simulations a move.", "同一个网络，多想一会儿：每步 1600 次模拟。",
    ),
)  # fmt: skip
"""For every game for which there is a network."""


def _level(name: str, level: int, english: str, chinese: str, about: str, about_zh: str) -> Card:
    """An engine's level as a card."""
    return Card(name, f"engine:level={level}", english, chinese, about, about_zh)


CARDS: dict[str, tuple[Card, ...]] = {
    "tictactoe": (RANDOM, FLAT, LOOKAHEAD, SAMPLER, PERFECT),
    "connect4": (
        RANDOM,
        _level("breeze", 1, "Breeze", "微风", "Builds lines, and half of the time does not see yours.",
               "会连子，但有一半时候看不见你的。"),
        FLAT,
        _level("wind", 4, "Wind", "清风", "Misses no four in a row, and falls for two threats at once.",
               "不会漏看四连，但会输给双重威胁。"),
        _level("gale", 6, "Gale", "大风", "Sees every win within six plies, and nothing beyond.",
               "六步之内的胜负都看得见，再远就看不见。"),
        SAMPLER,
        _level("storm", 9, "Storm", "风暴", "Sees every win within eighteen plies, and judges all else roughly.",
               "十八步之内的胜负都看得见，其余只有粗略的判断。"),
        FOREST,
        ALPHABETA,
        _level("solver", 10, "Solver", "算尽",
               "Has solved every position: wins as fast as can be, and loses as late as can be.",
               "每个局面都能算清：能赢就以最快的着法赢，要输也拖到最后。"),
    ),
    "gomoku": (
        RANDOM,
        _level("pebble", 1, "Pebble", "卵石", "Builds lines, and at two moves in five sees neither its wins nor yours.",
               "会连子，但五步里有两步看不见双方的胜着。"),
        FOREST,
        _level("brook", 3, "Brook", "溪流", "Stops every four and every open three, and plans nothing.",
               "四和活三都会挡，但没有计划。"),
        _level("river", 5, "River", "河流", "Looks three plies ahead, and sees short wins by fours.",
               "想三步，看得见简短的连续冲四。"),
        _level("rapids", 7, "Rapids", "急流", "Wins by threats, one after the other, if you let it.",
               "给它机会，就用连续的威胁取胜。"),
        _level("falls", 8, "Falls", "瀑布", "Looks six plies ahead, and proves its wins by fours and threes.",
               "想六步，冲四与活三的胜法都算到底。"),
        _level("sea", 10, "Sea", "大海", "The engine at its best, in a few seconds a move.",
               "引擎全力以赴，每步几秒。"),
    ),
    "mnk": (RANDOM, FLAT, LOOKAHEAD, SAMPLER, ALPHABETA),
    "dots_and_boxes": (
        RANDOM, FLAT, SAMPLER, LOOKAHEAD, FOREST, ALPHABETA,
    ),
    "chess": (
        RANDOM,
        _level("pawn", 1, "Pawn", "小卒", "Takes what is offered, and overlooks most of your threats.",
               "有子就吃，你的威胁多半看不见。"),
        LOOKAHEAD,
        _level("squire", 4, "Squire", "侍从", "Sees most captures, and every other time misses the reply to them.",
               "多半看得到吃子，但有一半时候漏看回应。"),
        _level("rider", 7, "Rider", "骑手", "Looks five plies ahead where it looks at all; a fork still surprises it.",
               "看到的地方能想五步，但击双还会让它措手不及。"),
        _level("abbot", 10, "Abbot", "主教", "Overlooks little within six plies.", "六步之内很少漏看。"),
        ALPHABETA,
        _level("tower", 13, "Tower", "高塔", "Searches 10,000 positions a move, with small errors.",
               "每步搜索一万个局面，误差很小。"),
        _level("regent", 16, "Regent", "摄政", "Searches 80,000 positions a move, and errs in none.",
               "每步搜索八万个局面，没有误差。"),
        _level("queen", 18, "Queen", "王后", "Searches half a million positions a move.", "每步搜索五十万个局面。"),
        _level("sovereign", 20, "Sovereign", "君王", "The engine at its best, in a few seconds a move.",
               "引擎全力以赴，每步几秒。"),
    ),
    "hex": (RANDOM, FLAT, SAMPLER, FOREST, LOOKAHEAD, ALPHABETA),
    "nim": (
        RANDOM, FLAT, SAMPLER,
        PERFECT._replace(about="Sees the whole game: where the position is won, it wins.",
                         about_zh="看得见整局棋：局面能赢，就一定赢。"),
    ),
    "reversi": (
        RANDOM,
        _level("seedling", 1, "Seedling", "新芽", "Looks at its own move only, and misjudges it badly.",
               "只看自己的一步，还常常估错。"),
        _level("sprout", 4, "Sprout", "嫩枝", "Looks two plies ahead, and often misjudges what it sees.",
               "想两步，但常常估错。"),
        _level("sapling", 7, "Sapling", "小树",
               "Looks four plies ahead, with errors of a few discs; solves the last 8 squares.",
               "想四步，误差几个子；最后 8 格算到底。"),
        FLAT._replace(spec="flat:time=1"),
        _level("birch", 10, "Birch", "白桦", "Looks four plies ahead with small errors, solves the last 12 squares.",
               "想四步，误差很小，最后 12 格算到底。"),
        SAMPLER,
        FOREST,
        _level("oak", 15, "Oak", "橡树", "Looks nine plies ahead, solves the last 17 squares.",
               "想九步，最后 17 格算到底。"),
        _level("redwood", 17, "Redwood", "红杉", "Looks 13 plies ahead, solves the last 19 squares.",
               "想 13 步，最后 19 格算到底。"),
        _level("bristlecone", 20, "Bristlecone", "狐尾松", "The engine at its best, in a few seconds a move.",
               "引擎全力以赴，每步几秒。"),
    ),
}  # fmt: skip
"""Opponents for each game, from weak to strong as far as anybody guessed before they were measured."""
ANYWHERE = (RANDOM, FLAT, LOOKAHEAD, SAMPLER, FOREST, ALPHABETA)


def cards_for(game: str, players: Iterable[str]) -> list[Card]:
    """The opponents of a game whose players are among these, the weakest first.

    Those of which only the least is known, since they have lost to nobody, come after all whose rating is known, and
    those not measured last.
    """
    fitting = set(players)
    found = [card for card in (*CARDS.get(game, ANYWHERE), *MINIALPHAGO) if card.spec.partition(":")[0] in fitting]
    strengths = measured().get(game, {})
    unknown = (True, math.inf)
    return sorted(found, key=lambda card: strengths[card.spec].place if card.spec in strengths else unknown)


def strength_of(game: str, spec: str) -> Strength | None:
    """How strong an opponent is; None if nobody has measured it in this game."""
    return measured().get(game, {}).get(spec)


@functools.cache
def measured() -> dict[str, dict[str, Strength]]:
    """The strength of each opponent that was measured, by game and spec."""
    return read_strengths(parse_json(read_text(MEASURED, "file of ratings"), str(MEASURED)))


def read_strengths(facts: dict[str, Any]) -> dict[str, dict[str, Strength]]:
    """The strengths in what `benchmarks.opponents` writes."""
    return {
        game: {spec: Strength(**rating) for spec, rating in found["ratings"].items()}
        for game, found in facts["games"].items()
    }
