"""What people write where a game is wanted: its name, a file, a text, or ``-`` for standard input."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from plyground.core.files import read_text
from plyground.errors import FormatError, UnknownName, suggestion
from plyground.subjects.matrix.game_text import LONGEST_TEXT, read_game
from plyground.subjects.matrix.matrix_game import MatrixGame
from plyground.subjects.matrix.named_games import NAMED_GAMES, named_game

__all__ = ["game_from_text", "game_of"]


def game_from_text(text: str, lang: str = "en") -> MatrixGame:
    """The game of a name, with its words in a language, "en" or "zh", or of a text; no file is read.

    >>> game_from_text("stag-hunt", "zh").rows
    ('鹿', '兔')
    >>> game_from_text("1,1 3,0; 0,3 2,2").shape
    (2, 2)
    >>> game_from_text("3 -1; -2 4", "zh").columns
    ('第 1 列', '第 2 列')
    """
    word = text.strip()
    if word.lower() in NAMED_GAMES:
        return _spoken(named_game(word.lower(), lang), lang)
    if word and not any(character.isdigit() for character in word):
        hint = suggestion(word, NAMED_GAMES)
        raise UnknownName(f"there is no game '{word[:40]}'{hint}; a game can also be written, such as 1,1 3,0; 0,3 2,2")
    return _spoken(read_game(text), lang)


def _spoken(game: MatrixGame, lang: str) -> MatrixGame:
    """The game with those names in a language that nobody has given."""
    if lang == "en":
        return game
    usual = {"Row": "行玩家", "Column": "列玩家"}
    usual |= {f"row {number}": f"第 {number} 行" for number in range(1, len(game.rows) + 1)}
    usual |= {f"column {number}": f"第 {number} 列" for number in range(1, len(game.columns) + 1)}
    players, rows, columns = (
        tuple(usual.get(name, name) for name in names) for names in (game.players, game.rows, game.columns)
    )
    return replace(game, players=(players[0], players[1]), rows=rows, columns=columns)


def game_of(argument: str, *, costs: bool = False) -> MatrixGame:
    """The game of a command's argument; with `costs` its payoffs are costs, whatever it says itself."""
    if argument == "-":
        game = read_game(_standard_input())
    elif argument.strip().lower() not in NAMED_GAMES and _is_file(argument):
        game = _game_in(argument)
    else:
        game = game_from_text(argument)
    return replace(game, costs=True) if costs else game


def _standard_input() -> str:
    """All of it, or as much as is too much for a game."""
    try:
        return sys.stdin.read(LONGEST_TEXT + 1)
    except UnicodeDecodeError:
        raise FormatError("standard input is not text in UTF-8") from None


def _is_file(argument: str) -> bool:
    if ";" in argument or "\n" in argument or not argument.strip():
        return False
    try:
        return Path(argument).exists() or Path(argument).suffix in (".txt", ".game")
    except (OSError, ValueError):
        return False


def _game_in(path: str) -> MatrixGame:
    text = read_text(path, "game")
    try:
        return read_game(text)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from None
