"""The command ``plyground train GAME``: a network learns a game from its own play, and one can watch its curves."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group
from rich.live import Live
from rich.table import Table

from plyground.cli.console import ProgressBar, err, plain_table, print_json, progress_bar
from plyground.cli.train_options import DeviceOption, IterationsOption, MinutesOption, RunSeedOption, SizeOption

if TYPE_CHECKING:
    from plyground.learning.run import Progress

__all__ = ["train_game_command"]

SHOWN = 12
"""Iterations in the table on the screen."""

COLUMNS: dict[str, Callable[[dict[str, Any]], str]] = {
    "iteration": lambda line: str(line["iteration"]),
    "minutes": lambda line: f"{line['seconds'] / 60:.1f}",
    "positions": lambda line: f"{line['positions']:,}",
    "pos/s": lambda line: f"{line['positions_per_second']:,.0f}",
    "net/s": lambda line: f"{line['evaluations_per_second']:,.0f}",
    "GPU": lambda line: f"{line['gpu_use']:.0%}",
    "policy": lambda line: f"{line['policy_loss'] - line['policy_entropy']:.3f}",
    "value": lambda line: f"{line['value_loss']:.3f}",
    "plies": lambda line: f"{line['plies_per_game']:.1f}",
    "first wins": lambda line: f"{line['first_wins']:.0%}",
    "Elo": lambda line: f"{line['elo']:+.0f}",
}
"""The columns of the live table, from a line of the journal; one that says nothing is not shown."""


def train_game_command(
    game: Annotated[str, typer.Argument(help="A game, such as connect4 or reversi:size=6.")],
    minutes: MinutesOption = None,
    iterations: IterationsOption = None,
    out: Annotated[Path | None, typer.Option(help="The run's folder; goes on with what is in it.")] = None,
    size: SizeOption = None,
    start: Annotated[
        str, typer.Option(help="A network to begin a new run with, such as minialphago_reversi or FILE.onnx.")
    ] = "",
    simulations: Annotated[int | None, typer.Option(help="Simulations a move.", min=2, max=10000)] = None,
    positions: Annotated[int | None, typer.Option(help="Positions of self-play in an iteration.", min=1)] = None,
    workers: Annotated[
        int | None, typer.Option(help="Threads of self-play; processes of a local cluster.", min=1, max=256)
    ] = None,
    device: DeviceOption = "auto",
    cluster: Annotated[
        str, typer.Option(help="Self-play on the Ray cluster at this address; local for one on this machine.")
    ] = "",
    classic: Annotated[bool, typer.Option(help="Noise and temperature instead of Gumbel numbers.")] = False,
    gate: Annotated[float, typer.Option(help="Share of points a new network must take to replace the old.")] = 0.0,
    seed: RunSeedOption = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the journal's lines instead of a live table.")] = False,
) -> None:
    """Let a network learn a game from nothing but its own games, as AlphaGo Zero did; or learn on from --start.

    Everything is in the run's folder: network.onnx plays (minialphago:network=FOLDER/network.onnx), journal.jsonl
    has every figure, curves.svg the curves. Ctrl-C, or worse, loses nothing but the iteration in progress: the same
    command goes on.

    Example: plyground train connect4 --minutes 10 --out runs/connect4
    """
    from plyground.games import make_game
    from plyground.learning.train import train, usual_folder
    from plyground.players.net_player import network_path

    chosen = make_game(game)
    folder = out or usual_folder(chosen)
    with _Screen(folder, as_json) as screen:
        train(
            chosen,
            minutes=minutes,
            iterations=iterations,
            out=folder,
            size=size or "",
            start=network_path(start) if start else None,
            simulations=simulations,
            positions=positions,
            workers=workers,
            device=device,
            cluster=cluster,
            classic=classic,
            gate=gate,
            seed=seed,
            on_progress=screen.tell,
            on_iteration=screen.show,
        )
    if not as_json:
        err.print(f"[bold]{folder / 'network.onnx'}[/]: play with minialphago:network={folder / 'network.onnx'}")
        err.print(f"[bold]{folder / 'curves.svg'}[/]: the curves")


class _Screen:
    """The live table of the last iterations, with a bar for the one in progress."""

    def __init__(self, folder: Path, as_json: bool) -> None:
        self._folder, self._as_json = folder, as_json
        self._quiet = as_json or not err.is_terminal
        self._begun = False
        self._bar = ProgressBar()
        self._live = Live(console=err, refresh_per_second=4)
        self._preparing = contextlib.ExitStack()

    def __enter__(self) -> _Screen:
        self._preparing.enter_context(progress_bar("getting ready", quiet=self._quiet))
        return self

    def __exit__(self, *trouble: object) -> None:
        self._preparing.close()
        if self._begun and not self._quiet:
            self._live.update(self._table())
            self._live.stop()

    def tell(self, progress: Progress) -> None:
        """Show how far the iteration has come; at first, with what the run goes on."""
        if not self._begun:
            self._begin(progress.iteration - 1)
        self._bar.show(progress.done, progress.total, f"iteration {progress.iteration}: {progress.stage}")

    def _begin(self, before: int) -> None:
        self._begun = True
        self._preparing.close()
        if before and not self._as_json:
            err.print(f"goes on with {self._folder} after iteration {before}")
        if not self._quiet:
            self._live.start()
            self._draw()

    def show(self, facts: dict[str, Any]) -> None:
        """An iteration is over, with this line of the journal."""
        if self._as_json:
            print_json(facts)
        elif not self._quiet:
            self._draw()

    def _draw(self) -> None:
        self._live.update(Group(self._table(), self._bar.picture))

    def _table(self) -> Table:
        from plyground.learning.run import Journal

        lines = Journal(self._folder / "journal.jsonl").read()[-SHOWN:]
        columns = [name for name in COLUMNS if any(_cell(name, line) for line in lines)]
        table = plain_table(*columns)
        for line in lines:
            table.add_row(*(_cell(name, line) for name in columns))
        return table


def _cell(column: str, line: dict[str, Any]) -> str:
    """What a line of the journal says in a column; nothing where it says nothing, or not a number."""
    try:
        return COLUMNS[column](line)
    except (KeyError, TypeError, ValueError):
        return ""
