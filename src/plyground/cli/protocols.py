"""The commands ``plyground gtp``, ``nboard``, ``botzone`` and ``saiblo``: a player of ours for other programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from plyground.core.game import Game
    from plyground.players import Player

__all__ = ["botzone_command", "gtp_command", "nboard_command", "saiblo_command"]

LONGEST_LINE = 1 << 20

PlayerOption = Annotated[str, typer.Option("--player", help="Who plays, e.g. engine:level=8.")]
SeedOption = Annotated[int | None, typer.Option(help="The same seed plays the same game.")]


def gtp_command(
    game: Annotated[str, typer.Argument(help="A game with options, a tree file or a Python file.")] = "reversi",
    spec: Annotated[
        str | None,
        typer.Option("--player", help="Who plays, e.g. engine:time=1; by default the game's usual opponent."),
    ] = None,
    seed: SeedOption = None,
) -> None:
    """Play for a program that speaks the Go Text Protocol, such as GoGui, over the standard streams.

    Example: plyground gtp reversi --player engine:time=1
    """
    from plyground.games import make_game
    from plyground.players import default_opponent
    from plyground.protocols.gtp_engine import GtpEngine

    chosen = make_game(game)
    engine = GtpEngine(chosen, _player(spec or default_opponent(chosen), chosen, seed))
    engine.serve(_lines(), _write)


def nboard_command(player: PlayerOption = "engine:time=1", seed: SeedOption = None) -> None:
    """Play Reversi for a board that speaks the NBoard protocol, over the standard streams.

    Example: plyground nboard --player engine:time=1
    """
    from plyground.games import make_game
    from plyground.protocols.nboard import NBoardEngine

    engine = NBoardEngine(_player(player, make_game("reversi"), seed), lambda line: _write(f"{line}\n"))
    engine.serve(_lines())


def botzone_command(
    player: PlayerOption = "engine:time=0.8",
    once: Annotated[bool, typer.Option("--once", help="Answer one request and end, instead of running on.")] = False,
    seed: SeedOption = None,
) -> None:
    """Play Reversi on Botzone, over the standard streams.

    Example: plyground botzone --player engine:time=0.8
    """
    from plyground.games import make_game
    from plyground.protocols.botzone import serve

    chosen = _player(player, make_game("reversi"), seed)
    serve(chosen, _lines(), lambda line: _write(f"{line}\n"), keep_running=not once)


def saiblo_command(player: PlayerOption = "engine:time=0.8", seed: SeedOption = None) -> None:
    """Play Reversi on Saiblo, over the standard streams.

    Example: plyground saiblo --player engine:time=0.8
    """
    from plyground.games import make_game
    from plyground.protocols.saiblo import serve

    serve(_player(player, make_game("reversi"), seed), sys.stdin.buffer, _write_bytes)


def _player(spec: str, game: Game, seed: int | None) -> Player:
    """The player of a spec that may itself stand in a spec, where commas are written as semicolons."""
    from plyground.players import make_player

    return make_player(spec.replace(";", ","), game, seed)


def _lines() -> Iterator[str]:
    while data := sys.stdin.buffer.readline(LONGEST_LINE):
        yield data.decode(errors="replace")


def _write(text: str) -> None:
    _write_bytes(text.encode())


def _write_bytes(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
