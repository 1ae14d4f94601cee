"""What the commands for protocols share: a player, and lines and bytes over the standard streams."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from plyground.core.game import Game
    from plyground.players import Player

__all__ = ["PlayerOption", "input_lines", "player_of", "write", "write_bytes"]

LONGEST_LINE = 1 << 20
CHUNK = 1 << 16

PlayerOption = Annotated[str, typer.Option("--player", help="Who plays, e.g. engine:level=8.")]


def player_of(spec: str, game: Game, seed: int | None) -> Player:
    """The player of a spec that may itself stand in a spec, where commas are written as semicolons."""

    from plyground.players import make_player

    return make_player(spec.replace(";", ","), game, seed)


def input_lines() -> Iterator[str]:
    """The lines of the standard input. A thread that waits for one locks nothing, so that the process can end."""
    rest = b""
    while data := os.read(sys.stdin.fileno(), CHUNK):
        *lines, rest = (rest + data).split(b"\n")
        if len(rest) > LONGEST_LINE:
            lines, rest = [*lines, rest], b""
        for line in lines:
            yield line.decode(errors="replace")
    if rest:
        yield rest.decode(errors="replace")


def write(text: str) -> None:
    write_bytes(text.encode())


def write_bytes(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
