"""The option ``--cage`` of the commands in which strangers' programs play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from plyground.cli.console import err

__all__ = ["CageOption", "chosen_cage", "say_what_is_missing"]

CageOption = Annotated[
    str,
    typer.Option(
        "--cage", help="The wall around strangers' programs: plain, strict (all of it or nothing runs) or off."
    ),
]


def chosen_cage(mode: str, specs: Iterable[str]) -> str:
    """The mode, checked; one line says what this machine cannot give, if one of the players is somebody's program."""
    from plyground.arena.hall import has_files
    from plyground.processes.cage import MODES

    if mode not in MODES or any(map(has_files, specs)):
        say_what_is_missing(mode)
    return mode


def say_what_is_missing(mode: str) -> None:
    """One line says what of the cage this machine cannot give; `BadOption` if there is no such mode."""
    from plyground.processes.program import missing_parts, read_cage

    read_cage(mode)
    if mode == "plain" and (missing := missing_parts()):
        err.print(f"[dim]The cage of this machine is without: {'; '.join(missing)}.[/]", soft_wrap=True)
