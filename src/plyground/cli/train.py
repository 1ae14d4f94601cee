"""The commands ``plyground train ...``; any word that is not one of its commands is a game to learn."""

from __future__ import annotations

import difflib
from typing import Any

import typer
from typer.core import TyperGroup

from plyground.cli.train_alphago import train_alphago_app
from plyground.cli.train_backgammon import train_backgammon_command
from plyground.cli.train_book import train_book_command
from plyground.cli.train_chess import train_chess_app
from plyground.cli.train_evaluation import train_evaluation_app
from plyground.cli.train_game import train_game_command
from plyground.cli.train_pacman import train_pacman_command
from plyground.cli.train_probcut import train_probcut_command
from plyground.cli.train_td import train_td_command

__all__ = ["train_app"]

GAME = "game"


class GameOrCommand(TyperGroup):
    """A group of commands in which any other word is a game to learn."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            mistyped = args[0].isalpha() and difflib.get_close_matches(args[0], self.commands)
            args = args if mistyped else [GAME, *args]
        return super().resolve_command(ctx, args)


train_app = typer.Typer(
    cls=GameOrCommand,
    help="Let a network learn any game from its own play: [bold]plyground train connect4[/]. Or train the Reversi "
    "engine: its evaluation, what its selective search leaves out, and its opening book; or the chess engine's "
    "evaluation.",
    rich_markup_mode="rich",
)
train_app.command("game")(train_game_command)
train_app.command("backgammon")(train_backgammon_command)
train_app.command("td")(train_td_command)
train_app.add_typer(train_alphago_app, name="alphago")
train_app.add_typer(train_chess_app, name="chess")
train_app.add_typer(train_evaluation_app, name="evaluation")
train_app.command("probcut")(train_probcut_command)
train_app.command("book")(train_book_command)
train_app.command("pacman")(train_pacman_command)
