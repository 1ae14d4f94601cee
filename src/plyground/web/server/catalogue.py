"""What the app can do, for its pages: games, players, named opponents, searches to watch, lessons."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

from plyground.arena.hall import has_files
from plyground.arena.openings import default_plies
from plyground.core.game import Game
from plyground.core.registry import Registry
from plyground.core.rules import evaluation, grid
from plyground.games import GAMES
from plyground.players import PLAYERS, players_for
from plyground.version import __version__
from plyground.watch.classroom import CHINESE_TITLES, MONTE_CARLO, classroom
from plyground.watch.searches import ALGORITHMS
from plyground.web.server.specs import (
    HUMAN,
    PLAYABLE,
    PROGRAMS,
    allowed_game,
    hand_ins,
    own_players,
    own_spec,
    served_games,
)

__all__ = ["TITLES", "about", "named"]

TITLES = {
    "tictactoe": ("Tic-tac-toe", "井字棋", "3×3 的棋盘上三子连成一线；X 先行。"),
    "mnk": ("m,n,k game", "m,n,k 棋", "m 列 n 行的棋盘上 k 子连成一线；3,3,3 是井字棋，15,15,5 是五子棋。"),
    "gomoku": ("Gomoku", "五子棋", "15×15 的棋盘上五子连成一线，无禁手。"),
    "chess": ("Chess", "国际象棋", "将死对方的王。规则齐全，也有 Chess960。"),
    "connect4": ("Connect Four", "四子棋", "棋子落入竖槽；四子连成一线者胜。"),
    "reversi": ("Reversi", "黑白棋", "夹住对方的棋子，把它们翻成自己的颜色；子多者胜。黑方先行。"),
    "hex": ("Hex", "六贯棋", "把棋盘上自己的两条边连起来。红方先行，连上下两边；蓝方连左右两边。"),
    "dots_and_boxes": (
        "Dots and Boxes",
        "点格棋",
        "画上一个格子的第四条边，格子归自己，并且再走一步；格子多者胜。",
    ),
    "nim": ("Nim", "尼姆", "每次从一堆中取走任意多个；取到最后一个者胜。"),
}
"""In English, in Chinese, and a summary in Chinese; the English one is the game's own."""
SLOTS = {"en": ("yellow", "red"), "zh": ("黄方", "红方")}
"""What the sides are called where pieces are seen by their colours alone."""
SEATS = {"black": "黑方", "white": "白方", "red": "红方", "blue": "蓝方", "player 1": "玩家 1", "player 2": "玩家 2"}

# id, spec, strength, English and Chinese names, what they do in both languages.
Card = tuple[str, str, int, str, str, str, str]
RANDOM: Card = (
    "dice", "random", 1, "Dice", "骰子", "Any legal move, each as likely.", "每一步都随机，合法即可。",
)  # fmt: skip
FLAT: Card = (
    "guess", "flat:simulations=200", 3, "Guess", "猜测",
    "Tries each move in random games and takes the one that wins most.", "对每一步随机模拟许多局，选胜率最高的。",
)  # fmt: skip
LOOKAHEAD: Card = (
    "lookahead", "minimax:depth=2", 4, "Two Plies", "两步",
    "Minimax: thinks of its move and your answer, and no further.", "极小化极大：只想自己的一步和你的回应。",
)  # fmt: skip
ALPHABETA: Card = (
    "pruner", "alphabeta:time=1", 8, "Pruner", "剪枝",
    "Alpha-beta, as deep as one second allows.", "α-β 剪枝，一秒之内能想多深就想多深。",
)  # fmt: skip
SAMPLER: Card = (
    "sampler", "mcts:time=0.2", 6, "Sampler", "采样",
    "Monte Carlo tree search for a fifth of a second.", "蒙特卡洛树搜索，五分之一秒。",
)  # fmt: skip
FOREST: Card = (
    "forest", "mcts:time=2", 8, "Forest", "森林",
    "Monte Carlo tree search for two seconds.", "蒙特卡洛树搜索，两秒。",
)  # fmt: skip
PERFECT: Card = (
    "perfect", "alphabeta", 10, "Perfect", "完美",
    "Sees the whole game and never loses it.", "看得见整局棋，从不会输。",
)  # fmt: skip


MINIALPHAGO: tuple[Card, ...] = (
    (
        "minialphago-quick", "minialphago:simulations=50", 6, "MiniAlphaGo, at a glance", "MiniAlphaGo 一瞥",
        "The network that taught itself the game, and hardly any search: 50 simulations.",
        "自学成才的网络，几乎不搜索：50 次模拟。",
    ),
    (
        "minialphago", "minialphago:simulations=400", 8, "MiniAlphaGo", "MiniAlphaGo",
        "Nobody has taught it: a network that learned the game from playing itself, and a tree search.",
        "没有人教过它：靠自我对弈学会的网络，加上树搜索。",
    ),
    (
        "minialphago-deep", "minialphago:simulations=1600", 9, "MiniAlphaGo, in depth", "MiniAlphaGo 深思",
        "The same network with time to think: 1,600 simulations a move.", "同一个网络，多想一会儿：每步 1600 次模拟。",
    ),
)  # fmt: skip
"""For every game for which there is a network."""


def _level(name: str, level: int, strength: int, english: str, chinese: str, about: str, about_zh: str) -> Card:
    """An engine's level as a card."""
    return name, f"engine:level={level}", strength, english, chinese, about, about_zh


def _rated(card: Card, strength: int) -> Card:
    """The same opponent where it is stronger or weaker than elsewhere."""
    return (*card[:2], strength, *card[3:])


CARDS: dict[str, tuple[Card, ...]] = {
    "tictactoe": (RANDOM, FLAT, LOOKAHEAD, SAMPLER, PERFECT),
    "connect4": (
        RANDOM,
        _level("breeze", 1, 2, "Breeze", "微风", "Builds lines, and half of the time does not see yours.",
               "会连子，但有一半时候看不见你的。"),
        FLAT,
        _level("wind", 4, 4, "Wind", "清风", "Misses no four in a row, and falls for two threats at once.",
               "不会漏看四连，但会输给双重威胁。"),
        _level("gale", 6, 5, "Gale", "大风", "Sees every win within six plies, and nothing beyond.",
               "六步之内的胜负都看得见，再远就看不见。"),
        SAMPLER,
        _level("storm", 9, 7, "Storm", "风暴", "Sees every win within eighteen plies: only a longer plan beats it.",
               "十八步之内的胜负都看得见：要赢它，得看得更远。"),
        FOREST,
        ALPHABETA,
        _level("solver", 10, 10, "Solver", "算尽",
               "Has solved every position: wins as fast as can be, and loses as late as can be.",
               "每个局面都能算清：能赢就以最快的着法赢，要输也拖到最后。"),
    ),
    "gomoku": (
        RANDOM,
        _level("pebble", 1, 2, "Pebble", "卵石", "Builds lines, and often does not see yours.",
               "会连子，常常看不见你的。"),
        _rated(FOREST, 2),
        _level("brook", 3, 4, "Brook", "溪流", "Stops every four and every open three, and plans nothing.",
               "四和活三都会挡，但没有计划。"),
        _level("river", 5, 6, "River", "河流", "Looks three plies ahead, and sees short wins by fours.",
               "想三步，看得见简短的连续冲四。"),
        _level("rapids", 7, 7, "Rapids", "急流", "Wins by threats, one after the other, if you let it.",
               "给它机会，就用连续的威胁取胜。"),
        _level("falls", 8, 8, "Falls", "瀑布", "Looks six plies ahead, and proves its wins by fours and threes.",
               "想六步，冲四与活三的胜法都算到底。"),
        _level("sea", 10, 10, "Sea", "大海", "The engine at its best, in a few seconds a move.",
               "引擎全力以赴，每步几秒。"),
    ),
    "mnk": (RANDOM, FLAT, LOOKAHEAD, SAMPLER, ALPHABETA),
    "dots_and_boxes": (
        RANDOM, _rated(FLAT, 2), _rated(SAMPLER, 4), _rated(LOOKAHEAD, 5), _rated(FOREST, 6), ALPHABETA,
    ),
    "hex": (RANDOM, _rated(FLAT, 2), _rated(SAMPLER, 4), _rated(FOREST, 5), _rated(LOOKAHEAD, 7), ALPHABETA),
    "nim": (RANDOM, FLAT, SAMPLER, PERFECT),
    "reversi": (
        RANDOM,
        _level("seedling", 1, 1, "Seedling", "新芽", "Has just learned the rules.", "刚学会规则。"),
        _level("sprout", 4, 2, "Sprout", "嫩枝", "Looks two plies ahead, and often wrongly.", "想两步，还常常看错。"),
        _level("sapling", 7, 3, "Sapling", "小树", "A player of the club's first year.", "棋社里下了一年的人。"),
        ("guess", "flat:time=1", 4, FLAT[3], FLAT[4], FLAT[5], FLAT[6]),
        _level("birch", 10, 5, "Birch", "白桦", "Rarely makes the same mistake twice.", "很少犯两次同样的错误。"),
        SAMPLER,
        FOREST,
        _level("oak", 15, 8, "Oak", "橡树", "Looks nine plies ahead, solves the last 17 squares.",
               "想九步，最后 17 格算到底。"),
        _level("redwood", 17, 9, "Redwood", "红杉", "Stronger than almost everybody.", "比几乎所有人都强。"),
        _level("bristlecone", 20, 10, "Bristlecone", "狐尾松", "The engine at its best, in a few seconds a move.",
               "引擎全力以赴，每步几秒。"),
    ),
}  # fmt: skip
"""Opponents for each game, the weakest first. A card whose player does not exist is left out."""
ANYWHERE = (RANDOM, FLAT, LOOKAHEAD, SAMPLER, FOREST, ALPHABETA)


def about() -> dict[str, Any]:
    """Everything at once; the pages ask once."""
    return _about((*PLAYABLE, *served_games()), own_players())


@functools.cache
def _about(games: tuple[str, ...], own: tuple[str, ...]) -> dict[str, Any]:
    return {
        "version": __version__,
        "games": [_game(name) for name in games],
        "players": [
            {"name": HUMAN, "summary": PLAYERS.summary(HUMAN), "options": []},
            *(
                {"name": name, "summary": PLAYERS.summary(name), "options": _options(PLAYERS, name)}
                for name in PROGRAMS
                if any(name in players_for(allowed_game(game)) for game in games)  # and needs no file that is not here
            ),
        ],
        "cards": {name: [*_cards(name), *map(_own_card, own_players(allowed_game(name)))] for name in games},
        "class": [name for name in hand_ins() if name in own],
        "algorithms": [
            *({"name": name, "kind": "tree", "options": _search_options(name)} for name in ALGORITHMS),
            *({"name": name, "kind": "mcts", "options": _options(PLAYERS, name)} for name in MONTE_CARLO),
        ],
        "lessons": [
            {
                "name": lesson.name,
                "title": {"en": lesson.title, "zh": CHINESE_TITLES.get(lesson.name, lesson.title)},
                "about": {"en": lesson.summary, "zh": lesson.summary},
                "algorithm": lesson.algorithm or None,
                "game": lesson.game or None,
            }
            for lesson in classroom().values()
        ],
    }


def named(game: Game, lang: str) -> Game:
    """The game with its title and its seats in a language, for what is written on pictures."""
    title = TITLES.get(game.name, (game.name,) * 2)[lang == "zh"]
    board = grid(game.initial)
    seats = tuple(SEATS.get(seat, seat) if lang == "zh" else seat for seat in game.seats)
    return replace(game, name=title, seats=SLOTS[lang] if board is not None and board.style == "slots" else seats)


def _game(name: str) -> dict[str, Any]:
    made = allowed_game(name)
    board = grid(made.initial)
    summary = GAMES.summary(name) if name in GAMES else ""
    english, chinese, about_zh = TITLES.get(name, (made.name, made.name, summary))
    fitting = [player for player in players_for(made) if player in PROGRAMS]
    return {
        "name": name,
        "title": english,
        "titles": {"en": english, "zh": chinese},
        "summary": summary,
        "summaries": {"en": summary, "zh": about_zh},
        "options": [one for one in _options(GAMES, name) if one["name"] != "board"] if name in GAMES else [],
        "players": made.axes.players,
        "seats": list(made.seats),
        "style": None if board is None else board.style,
        "evaluation": evaluation.implementation(type(made.initial)) is not evaluation.default,
        "evaluations": list(made.evaluations),
        "programs": fitting,
        "own": list(own_players(made)),
        "openings": default_plies(made),
    }


def _cards(name: str) -> list[dict[str, Any]]:
    """The opponents for a game, of those that there are; for a game that brings none, whoever can play it."""
    fitting = set(players_for(allowed_game(name)))
    cards = sorted((*CARDS.get(name, ANYWHERE), *MINIALPHAGO), key=lambda card: card[2])
    return [_card(card) for card in cards if card[1].partition(":")[0] in fitting]


OWN = {
    "course": ("A hand-in in the course's framework", "用课程框架写的程序"),
    "gtp": ("A program that speaks GTP", "一个使用 GTP 协议的程序"),
    "uci": ("A program that speaks UCI", "一个使用 UCI 协议的程序"),
    "nboard": ("A program that speaks NBoard", "一个使用 NBoard 协议的程序"),
    "aima": ("A function in the style of AIMA", "一个 AIMA 风格的函数"),
}
"""What kinds of players may be that were named at the start; the others are players of ours with somebody's files."""


def _own_card(name: str) -> dict[str, Any]:
    """A player that was named at the start: nothing is known of how strong it is, nor said of where it lies."""
    kind = (own_spec(name) or "").partition(":")[0]
    english, chinese = OWN.get(kind, (f"A player of its own making, {kind}", f"自定义的 {kind}"))
    about = {"en": f"{english}.", "zh": f"{chinese}。"}
    return {
        "id": f"own {name}",
        "spec": name,
        "strength": 0,
        "silent": has_files(own_spec(name) or ""),
        "own": True,
        "name": {"en": name, "zh": name},
        "about": about,
    }


def _options(registry: Registry[Any], name: str) -> list[dict[str, Any]]:
    return [
        {"name": o.name, "type": o.type, "default": o.default, "required": o.required, "help": o.help}
        for o in registry.options(name)
    ]


def _search_options(name: str) -> list[dict[str, Any]]:
    """What can be said of a search that is drawn step by step."""
    texts = [
        ("depth", "integer", "plies to look ahead; a tree is searched to its leaves"),
        ("evaluation", "text", "another evaluation that the game has"),
        ("symmetry", "on|off", "of mirror images, draw one"),
    ]
    if name in ("alphabeta", "pvs", "mtdf"):
        texts.append(
            ("order", "text", "which moves to look at first: none, all, or some of evaluation+previous+killer")
        )
    return [{"name": n, "type": t, "default": None, "required": False, "help": h} for n, t, h in texts]


def _card(card: Card) -> dict[str, Any]:
    number, spec, strength, english, chinese, words, words_zh = card
    return {
        "id": number,
        "spec": spec,
        "strength": strength,
        "name": {"en": english, "zh": chinese},
        "about": {"en": words, "zh": words_zh},
    }
