"""The command ``plyground train GAME``: a network learns a game from its own play, and one can watch its curves."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Column, Table
from typer.core import TyperGroup

if TYPE_CHECKING:
    from plyground.learning.run import Progress

__all__ = ["GameOrCommand", "game_command", "td_command"]

GAME = "game"
SHOWN = 12
"""Iterations in the table on the screen."""

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


class GameOrCommand(TyperGroup):
    """A group of commands in which any other word is a game to learn."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            mistyped = args[0].isalpha() and difflib.get_close_matches(args[0], self.commands)
            args = args if mistyped else [GAME, *args]
        return super().resolve_command(ctx, args)


def game_command(
    game: Annotated[str, typer.Argument(help="A game, such as connect4 or reversi:size=6.")],
    minutes: Annotated[
        float | None, typer.Option(help="Stop after so many minutes of work, all starts together.")
    ] = None,
    iterations: Annotated[int | None, typer.Option(help="Stop after so many iterations in all.", min=1)] = None,
    out: Annotated[Path | None, typer.Option(help="The run's folder; goes on with what is in it.")] = None,
    size: Annotated[
        str, typer.Option(help="tiny, small, medium, large, huge, or blocks x channels such as 6x128.")
    ] = "",
    start: Annotated[
        str, typer.Option(help="A network to begin a new run with, such as minialphago_reversi or FILE.onnx.")
    ] = "",
    simulations: Annotated[int | None, typer.Option(help="Simulations a move.", min=2, max=10000)] = None,
    positions: Annotated[int | None, typer.Option(help="Positions of self-play in an iteration.", min=1)] = None,
    workers: Annotated[
        int | None, typer.Option(help="Threads of self-play; processes of a local cluster.", min=1, max=256)
    ] = None,
    device: Annotated[str, typer.Option(help="cpu, cuda, cuda:1 ...; auto takes a GPU if there is one.")] = "auto",
    cluster: Annotated[
        str, typer.Option(help="Self-play on the Ray cluster at this address; local for one on this machine.")
    ] = "",
    classic: Annotated[bool, typer.Option(help="Noise and temperature instead of Gumbel numbers.")] = False,
    gate: Annotated[float, typer.Option(help="Share of points a new network must take to replace the old.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Another seed, another run.", min=0)] = 0,
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

    chosen, console = make_game(game), Console(stderr=True)
    folder = out or usual_folder(chosen)
    with _Screen(console, folder, quiet=as_json) as screen:
        train(
            chosen,
            minutes=minutes,
            iterations=iterations,
            out=folder,
            size=size,
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
        console.print(f"[bold]{folder / 'network.onnx'}[/]: play with minialphago:network={folder / 'network.onnx'}")
        console.print(f"[bold]{folder / 'curves.svg'}[/]: the curves", highlight=False)


def td_command(
    game: Annotated[str, typer.Argument(help="A game, such as connect4 or reversi:size=6.")],
    out: Annotated[Path, typer.Option(help="The file of learned values; goes on with what is in it.")],
    games: Annotated[int, typer.Option(help="Games against itself, those before included.", min=1)] = 200_000,
    hidden: Annotated[
        int, typer.Option(help="Units of the hidden layer; 0 for a linear network.", min=0, max=1024)
    ] = 64,
    alpha: Annotated[float, typer.Option(help="Size of a step; it falls to a tenth.")] = 0.01,
    decay: Annotated[float, typer.Option("--lambda", help="Decay of the traces, from 0 to 1.")] = 0.7,
    epsilon: Annotated[float, typer.Option(help="Share of random moves.")] = 0.1,
    opponent: Annotated[
        str, typer.Option(help="Whom to meet ten times on the way, one ply deep.")
    ] = "alphabeta:depth=2",
    match_games: Annotated[int, typer.Option(help="Games of each of these matches; 0 for none.", min=0)] = 100,
    seed: Annotated[int, typer.Option(help="Another seed, other games.", min=0)] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each match.")] = False,
) -> None:
    """Let a small network learn to judge positions by temporal differences, as TD-Gammon did.

    The file serves every search as its evaluation: alphabeta:depth=4,evaluation=FILE.npz. Ctrl-C keeps what was
    learned; the same command goes on.

    Example: plyground train td connect4 --out connect4.npz
    """
    from plyground.games import make_game
    from plyground.learning.temporal import Stage, match_share
    from plyground.learning.train import train_td
    from plyground.players import answering
    from plyground.search.learned_values import ValueNet

    chosen, console = make_game(game), Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,}/{task.total:,} games"))

    def measure(net: ValueNet) -> float:
        return match_share(chosen, net, answering(opponent, chosen, seed), match_games, seed)

    def tell(stage: Stage) -> None:
        bar.update(task, completed=stage.games)
        if stage.score is None:
            return
        if as_json:
            line = {"games": stage.games, "difference": round(stage.surprise, 4), "score": round(stage.score, 4)}
            print(json.dumps(line), flush=True)
        else:
            bar.console.print(f"{stage.games:>12,} games  {stage.score:.0%} against {opponent}", highlight=False)

    with Bar(*columns, TimeRemainingColumn(), console=console, disable=as_json) as bar:
        task = bar.add_task("learning", total=games)
        train_td(
            chosen,
            out=out,
            games=games,
            hidden=hidden,
            alpha=alpha,
            decay=decay,
            epsilon=epsilon,
            seed=seed,
            measure=measure if match_games else None,
            on_progress=tell,
        )
    if not as_json:
        console.print(f"[bold]{out}[/]: play with alphabeta:depth=4,evaluation={out}", highlight=False)


class _Screen:
    """The live table of the last iterations, with a bar for the one in progress."""

    def __init__(self, console: Console, folder: Path, quiet: bool) -> None:
        self._folder, self._as_json = folder, quiet
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed}/{task.total}"),
            TimeRemainingColumn(),
        )
        self._task = self._bar.add_task("starts", total=1)
        self._live = Live(console=console, refresh_per_second=4, transient=False)
        self._quiet = quiet or not console.is_terminal
        self._console = console
        self._stage: tuple[int, str] | None = None

    def __enter__(self) -> _Screen:
        return self

    def __exit__(self, *trouble: object) -> None:
        if self._stage is not None and not self._quiet:
            self._bar.update(self._task, visible=False)
            self._draw()
            self._live.stop()

    def tell(self, progress: Progress) -> None:
        """Show how far the iteration has come; at first, with what the run goes on."""
        if self._stage is None:
            self._begin(progress.iteration - 1)
        if (progress.iteration, progress.stage) != self._stage:
            self._stage = (progress.iteration, progress.stage)
            self._bar.reset(self._task, description=f"iteration {progress.iteration}: {progress.stage}")
        self._bar.update(self._task, completed=progress.done, total=progress.total)

    def _begin(self, before: int) -> None:
        if before and not self._as_json:
            self._console.print(f"goes on with {self._folder} after iteration {before}", highlight=False)
        if not self._quiet:
            self._live.start()
            self._draw()

    def show(self, facts: dict[str, Any]) -> None:
        """An iteration is over, with this line of the journal."""
        if self._as_json:
            print(json.dumps(facts), flush=True)
        elif not self._quiet:
            self._draw()

    def _draw(self) -> None:
        from plyground.learning.run import Journal

        lines = Journal(self._folder / "journal.jsonl").read()[-SHOWN:]
        columns = [name for name, show in COLUMNS.items() if any(show(line) for line in lines)]
        table = Table(*(Column(name, justify="right") for name in columns), box=None, pad_edge=False)
        for line in lines:
            table.add_row(*(COLUMNS[name](line) for name in columns))
        self._live.update(Group(table, self._bar))
