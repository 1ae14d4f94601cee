"""What the app can do, for its pages: games, players, named opponents, searches to watch, lessons."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

from plyground.arena.hall import has_files
from plyground.arena.openings import default_plies
from plyground.core.game import Game
from plyground.core.registry import Registry
from plyground.core.rules import evaluation, grid, noisy
from plyground.games import GAMES
from plyground.players import PLAYERS, players_for
from plyground.version import __version__
from plyground.watch.classroom import CHINESE_TITLES, MONTE_CARLO, classroom
from plyground.watch.searches import ALGORITHMS
from plyground.web.server.opponents import Card, cards_for, strength_of
from plyground.web.server.option_words import CHINESE
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
    "backgammon": ("Backgammon", "双陆棋", "掷骰子，把自己的棋子都走回家并离开棋盘，先走完者胜。可以有加倍骰。"),
    "nim": ("Nim", "尼姆", "每次从一堆中取走任意多个；取到最后一个者胜。"),
}
"""In English, in Chinese, and a summary in Chinese; the English one is the game's own."""
SLOTS = {"en": ("yellow", "red"), "zh": ("黄方", "红方")}
"""What the sides are called where pieces are seen by their colours alone."""
SEATS = {"black": "黑方", "white": "白方", "red": "红方", "blue": "蓝方", "player 1": "玩家 1", "player 2": "玩家 2"}


def about() -> dict[str, Any]:
    """Everything at once; the pages ask once."""
    return _about((*PLAYABLE, *served_games()), own_players())


@functools.cache
def _about(games: tuple[str, ...], own: tuple[str, ...]) -> dict[str, Any]:
    return {
        "version": __version__,
        "games": [_game(name) for name in games],
        "players": [
            {"name": HUMAN, "summary": _both(PLAYERS.summary(HUMAN)), "options": []},
            *(
                {"name": name, "summary": _both(PLAYERS.summary(name)), "options": _options(PLAYERS, name)}
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
        "noisy": noisy.implementation(type(made.initial)) is not noisy.default,
        "programs": fitting,
        "own": list(own_players(made)),
        "openings": default_plies(made),
    }


def _cards(name: str) -> list[dict[str, Any]]:
    """The opponents for a game, of those that there are; for a game that brings none, whoever can play it."""
    return [_card(name, card) for card in cards_for(name, players_for(allowed_game(name)))]


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
        "rating": None,
        "silent": has_files(own_spec(name) or ""),
        "own": True,
        "name": {"en": name, "zh": name},
        "about": about,
    }


def _both(text: str) -> dict[str, str]:
    """What a player or an option says of itself, in both languages."""
    return {"en": text, "zh": CHINESE.get(text, text)}


def _options(registry: Registry[Any], name: str) -> list[dict[str, Any]]:
    return [
        {"name": o.name, "type": o.type, "default": o.default, "required": o.required, "help": _both(o.help)}
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
        texts.append(("quiescence", "on|off", "look on along captures where the depth ends"))
        texts.append(
            ("order", "text", "which moves to look at first: none, all, or some of evaluation+previous+killer")
        )
    return [{"name": n, "type": t, "default": None, "required": False, "help": _both(h)} for n, t, h in texts]


def _card(game: str, card: Card) -> dict[str, Any]:
    strength = strength_of(game, card.spec)
    return {
        "id": card.id,
        "spec": card.spec,
        "rating": None if strength is None else strength._asdict(),
        "name": {"en": card.name, "zh": card.name_zh},
        "about": {"en": card.about, "zh": card.about_zh},
    }
