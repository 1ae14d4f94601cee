"""The command ``plyground course init``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from plyground.cli.console import out
from plyground.errors import BadOption

__all__ = ["AssignmentOption", "init_command"]

AssignmentOption = Annotated[str, typer.Option(help="reversi, tictactoe, wumpus or queens.")]


def init_command(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="The folder to write to; it is made if need be.")],
    assignment: AssignmentOption = "reversi",
    lang: Annotated[str, typer.Option(help="Language of the explanations: en or zh.")] = "en",
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there already.")] = False,
) -> None:
    """Write the files of an assignment: the rules, a program to try it, and the file to fill in.

    They run with plain Python; Plyground need not be installed.

    Example: plyground course init mine --assignment reversi
    """
    from plyground.course.handins.assignments import make_assignment, write_handout
    from plyground.pictures.player_words import check_language

    chosen = make_assignment(assignment)
    if not folder.strip():
        raise BadOption("DIR is the name of a folder, such as mine")
    for file in write_handout(chosen, Path(folder), lang=check_language(lang), force=force):
        mark = "  [dim]fill this in[/]" if file.name == chosen.file else ""
        out.print(f"wrote {escape(str(file))}{mark}", soft_wrap=True)
