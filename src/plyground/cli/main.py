"""The command line: thin commands over the library. Every error is one line; see `console.run_app` for the statuses."""

from __future__ import annotations

import importlib
import sys
from typing import Annotated, Any

import typer

from plyground.cli.board_argument import TakesBoards
from plyground.cli.console import compile_note, out, run_app
from plyground.cli.web import serve
from plyground.version import __version__

__all__ = ["COMMANDS", "app", "main"]

COMMANDS: dict[str, dict[str, Any]] = {
    "games": {},
    "players": {},
    "play": {},
    "perft": {},
    "web": {},
    "docs": {},
    "bandit": {},
    "pi": {},
    "queens": {"context_settings": {"ignore_unknown_options": True}},  # -1 is a number
    "wumpus": {},
    "cfr": {},
    "pacman": {},
    "battleship": {},
    "bridge": {},
    "endgame": {},
    "book": {},
    "tree": {},
    "solve": {"cls": TakesBoards},
    "analyze": {"cls": TakesBoards},
    "arena": {},
    "gtp": {},
    "uci": {},
    "nboard": {},
    "botzone": {},
    "saiblo": {},
    "bench": {},
    "train": {},
    "db": {},
    "matrix": {},
    "course": {},
}
"""The commands with what Typer must know of them, each in the module of its name as ``NAME_command``, or as
``NAME_app`` if it has commands of its own."""

app = typer.Typer(
    name="plyground",
    help="Adversarial search, readable, visible, playable and fast.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name, settings in COMMANDS.items():
    module = importlib.import_module(f"plyground.cli.{name}")
    if hasattr(module, f"{name}_app"):
        app.add_typer(getattr(module, f"{name}_app"), name=name, **settings)
    else:
        app.command(name, **settings)(getattr(module, f"{name}_command"))


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.", is_eager=True)] = False,
) -> None:
    """Adversarial search, readable, visible, playable and fast.

    Without a command the app opens in the browser; the same as plyground web.
    """
    if version:
        out.print(f"plyground {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        serve()
    elif context.invoked_subcommand != "web":  # whose compiling is done by other processes
        context.with_resource(compile_note())


def main() -> None:
    """The command's entry: turns every failure into one line and an exit status."""
    sys.exit(run_app(app))


if __name__ == "__main__":
    main()
