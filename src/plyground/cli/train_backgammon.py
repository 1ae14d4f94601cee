"""The command ``plyground train backgammon``: networks that learn from games against themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plyground.cli.console import JsonFlag, err, print_json, progress_bar
from plyground.cli.train_options import GamesSeedOption
from plyground.errors import BadOption

__all__ = ["train_backgammon_command"]

LANES = 32


def train_backgammon_command(
    out: Annotated[Path, typer.Option(help="A folder; goes on with what is in it.")],
    minutes: Annotated[float, typer.Option(help="Minutes of work, those before included.")] = 30.0,
    jobs: Annotated[int, typer.Option(help="Threads that play and learn at once.", min=1, max=256)] = 1,
    wide: Annotated[int, typer.Option(help="Units of the first layer, a multiple of 32.", min=32, max=1024)] = 128,
    games: Annotated[int, typer.Option(help="Games against pubeval at the end; 0 for none.", min=0)] = 2000,
    seed: GamesSeedOption = 0,
    as_json: JsonFlag = False,
) -> None:
    """Let the networks of the backgammon engine learn from nothing but games against themselves.

    First each position learns from the one that follows it, as in TD-Gammon, then from a look at all 21 rolls. Ctrl-C
    loses a minute at most; the same command goes on.

    Example: plyground train backgammon --out nets --minutes 60 --jobs 2
    """
    from plyground.core.files import check_writable
    from plyground.engines.backgammon.matches import against_pubeval
    from plyground.engines.backgammon.network import load_net
    from plyground.engines.backgammon.training import Recipe, Stage, train_networks

    if wide % LANES:
        raise BadOption(f"--wide must be a multiple of {LANES}, not {wide}")
    if not 0 < minutes < 1e6:
        raise BadOption(f"--minutes must be a positive number, not {minutes:g}")
    if out.exists() and not out.is_dir():
        raise BadOption(f"--out must be a folder, and {out} is a file")
    check_writable(out / "network.npz" if out.exists() else out, "--out")
    stages: list[Stage] = []
    with progress_bar("learning", "seconds", quiet=as_json) as show:

        def tell(stage: Stage) -> None:
            stages.append(stage)
            show(int(stage.seconds), int(60 * minutes))

        path = train_networks(out, minutes=minutes, jobs=jobs, recipe=Recipe(wide=wide), seed=seed, on_stage=tell)
    if not path.exists():
        raise BadOption(f"{out} has learned for less than a minute; ask for more with --minutes")
    net, positions = load_net(path)
    row = {"network": str(path), "positions": positions, "minutes": minutes}
    if games:
        points = against_pubeval(net, games, seed)
        row |= {"pubeval": round(points.mean, 4), "error": round(points.error, 4), "games": games}
    if as_json:
        print_json(row)
        return
    against = f"; {points.mean:+.3f} ± {points.error:.3f} points a game against pubeval" if games else ""
    err.print(f"[bold]{path}[/]: {positions:,} positions{against}")
