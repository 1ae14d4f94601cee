"""The command ``plyground train GAME``: a network learns a game from its own play, and one can watch its curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group
from rich.live import Live
from rich.table import Table

from plyground.cli.console import ProgressBar, err, plain_table, print_json
from plyground.cli.train_options import DeviceOption, IterationsOption, MinutesOption, RunSeedOption, SizeOption, told
from plyground.errors import BadOption

if TYPE_CHECKING:
    from plyground.core.game import Game
    from plyground.learning.onnx_file import OnnxNetwork
    from plyground.learning.zero import Progress, Run

__all__ = ["train_game_command"]

SHOWN = 12
"""Iterations in the table on the screen."""
POSITIONS_PER_PROCESSOR = 1000
"""In an iteration on a cluster: every processor has some tasks to do."""


COLUMNS: dict[str, Callable[[dict[str, Any]], str]] = {
    "iteration": lambda line: str(line["iteration"]),
    "minutes": lambda line: f"{line['seconds'] / 60:.1f}",
    "positions": lambda line: f"{line['positions']:,}",
    "pos/s": lambda line: f"{line['positions_per_second']:,.0f}",
    "net/s": lambda line: f"{line['evaluations_per_second']:,.0f}",
    "GPU": lambda line: f"{line['gpu_use']:.0%}" if "gpu_use" in line else "",
    "policy": lambda line: f"{line['policy_loss'] - line['policy_entropy']:.3f}" if "policy_loss" in line else "",
    "value": lambda line: f"{line['value_loss']:.3f}" if "value_loss" in line else "",
    "plies": lambda line: f"{line['plies_per_game']:.1f}",
    "first wins": lambda line: f"{line['first_wins']:.0%}",
    "Elo": lambda line: f"{line['elo']:+.0f}" if "elo" in line else "",
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
    from plyground.learning import network  # noqa: F401 - where PyTorch is missing, this says what to install
    from plyground.learning.zero import Run, chosen_device, usual_recipe

    if minutes is not None and not 0 < minutes < 1e6:
        raise BadOption(f"--minutes must be a positive number, not {minutes:g}")
    if not 0.0 <= gate < 1.0:
        raise BadOption(f"--gate must be a share from 0 to 1, such as 0.55, not {gate:g}")
    chosen = make_game(game)
    device = chosen_device(device)
    recipe = replace(usual_recipe(device, chosen), gumbel=not classic, gate=gate, seed=seed)
    begin = _network_to_begin_with(start, chosen) if start else None
    size = size or (begin.facts.get("size") if begin else None)
    recipe = replace(recipe, **told(size=size, simulations=simulations, positions=positions, workers=workers))
    folder = out or Path("runs") / chosen.spec.replace(":", "-").replace("=", "").replace(",", "-")
    away = None
    if cluster:
        from plyground.learning.cluster_self_play import ClusterSelfPlay

        away = ClusterSelfPlay(chosen, cluster, recipe.workers, solve=recipe.solve, seed=seed)
        if positions is None:
            recipe = replace(recipe, positions=max(recipe.positions, POSITIONS_PER_PROCESSOR * away.processors))
    run = Run(chosen, folder, recipe, device=device, cluster=away)
    try:
        _train(run, begin, minutes, iterations, as_json)
    finally:
        run.close()


def _network_to_begin_with(name: str, game: Game) -> OnnxNetwork:
    """The network of a name or file, if it is one for this game."""
    from plyground.learning.onnx_file import load_network
    from plyground.players.net_player import network_path

    network = load_network(network_path(name))
    if (known := network.facts.get("game")) != game.spec:
        raise BadOption(f"--start: {network.name} is a network for {known}, not for {game.spec}")
    return network


def _train(run: Run, begin: OnnxNetwork | None, minutes: float | None, iterations: int | None, as_json: bool) -> None:
    """Iterate to the nearer of the limits; a new run may begin with a network."""
    folder = run.folder
    known = run.open()
    if begin and not known:
        run.begin_with(begin)
    if known and not as_json:
        err.print(f"goes on with {folder} after iteration {run.iteration}")
    if minutes is None and iterations is None:
        minutes = run.seconds / 60 + 10.0
    with _Screen(run, quiet=as_json) as screen:
        while not _done(run, minutes, iterations):
            facts = run.iterate(_progress(run, minutes, iterations), screen.tell)
            if as_json:
                print_json(facts)
            screen.show()
            run.save_in_time()
        run.save()
    if not as_json:
        err.print(f"[bold]{folder / 'network.onnx'}[/]: play with minialphago:network={folder / 'network.onnx'}")
        err.print(f"[bold]{folder / 'curves.svg'}[/]: the curves")


def _done(run: Run, minutes: float | None, iterations: int | None) -> bool:
    return (minutes is not None and run.seconds >= 60 * minutes) or (
        iterations is not None and run.iteration >= iterations
    )


def _progress(run: Run, minutes: float | None, iterations: int | None) -> float:
    """How much of the run is over, by whichever limit is nearer."""
    by_time = 0.0 if minutes is None else run.seconds / (60 * minutes)
    return max(by_time, 0.0 if iterations is None else run.iteration / iterations)


class _Screen:
    """The live table of the last iterations, with a bar for the one in progress."""

    def __init__(self, run: Run, quiet: bool) -> None:
        self._run, self._quiet = run, quiet or not err.is_terminal
        self._bar = ProgressBar()
        self._live = Live(console=err, refresh_per_second=4)

    def __enter__(self) -> _Screen:
        if not self._quiet:
            self._live.start()
            self._draw()
        return self

    def __exit__(self, *trouble: object) -> None:
        if not self._quiet:
            self._live.update(self._table())
            self._live.stop()

    def tell(self, progress: Progress) -> None:
        """Show how far the iteration has come."""
        self._bar.show(progress.done, progress.total, f"iteration {progress.iteration}: {progress.stage}")

    def show(self) -> None:
        """An iteration is over."""
        if not self._quiet:
            self._draw()

    def _draw(self) -> None:
        self._live.update(Group(self._table(), self._bar.picture))

    def _table(self) -> Table:
        lines = self._run.journal.lines[-SHOWN:]
        columns = [name for name, show in COLUMNS.items() if any(show(line) for line in lines)]
        table = plain_table(*columns)
        for line in lines:
            table.add_row(*(COLUMNS[name](line) for name in columns))
        return table
