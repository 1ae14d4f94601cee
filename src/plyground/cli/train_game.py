"""The command ``plyground train GAME``: a network learns a game from its own play, and one can watch its curves."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Column, Table
from typer.core import TyperGroup

from plyground.errors import BadOption

if TYPE_CHECKING:
    from plyground.core.game import Game
    from plyground.learning.onnx_file import OnnxNetwork
    from plyground.learning.run import Progress
    from plyground.learning.zero import Run

__all__ = ["GameOrCommand", "game_command", "td_command"]

GAME = "game"
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
    given: dict[str, Any] = {
        "size": size or (begin.facts.get("size") if begin else None),
        "simulations": simulations,
        "positions": positions,
        "workers": workers,
    }
    recipe = replace(recipe, **{name: value for name, value in given.items() if value is not None})
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
    console = Console(stderr=True)
    if known and not as_json:
        console.print(f"goes on with {folder} after iteration {run.iteration}", highlight=False)
    if minutes is None and iterations is None:
        minutes = run.seconds / 60 + 10.0
    with _Screen(console, run, quiet=as_json) as screen:
        while not _done(run, minutes, iterations):
            facts = run.iterate(_progress(run, minutes, iterations), screen.tell)
            if as_json:
                print(json.dumps(facts), flush=True)
            screen.show()
            run.save_in_time()
        run.save()
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
    from plyground.core.files import check_writable
    from plyground.games import make_game
    from plyground.learning.temporal import Learning, learn, match_share, new_net
    from plyground.players import answering
    from plyground.search.learned_values import load_value, save_value

    for name, value, most in (("alpha", alpha, 1.0), ("lambda", decay, 1.0), ("epsilon", epsilon, 1.0)):
        if not 0.0 <= value <= most or (name == "alpha" and value == 0.0):
            raise BadOption(f"--{name} must be from 0 to {most:g}, not {value:g}")
    if out.suffix != ".npz":
        raise BadOption(f"--out must end in .npz, not '{out}'")
    check_writable(out, "--out")
    chosen = make_game(game)
    net, done = load_value(out, chosen) if out.exists() else (new_net(chosen, hidden, seed), 0)
    console = Console(stderr=True)
    if done >= games:
        raise BadOption(f"{out} has learned from {done:,} games already; ask for more with --games")
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,}/{task.total:,} games"))
    lines: list[dict[str, Any]] = []
    stages = learn(
        chosen, net, Learning(alpha, decay, epsilon), games, seed=seed, done=done, every=max(1, games // 100)
    )
    with Bar(*columns, TimeRemainingColumn(), console=console, disable=as_json) as bar:
        task = bar.add_task("learning", total=games, completed=done)
        try:
            for stage in stages:
                done = stage.games
                bar.update(task, completed=done)
                if match_games and (done * 10 // games > len(lines) or done == games):
                    share = match_share(chosen, net, answering(opponent, chosen, seed), match_games, seed)
                    lines.append({"games": done, "difference": round(stage.surprise, 4), "score": round(share, 4)})
                    if as_json:
                        print(json.dumps(lines[-1]), flush=True)
                    else:
                        bar.console.print(f"{done:>12,} games  {share:.0%} against {opponent}", highlight=False)
        finally:
            save_value(out, net, chosen, done)
    if not as_json:
        console.print(f"[bold]{out}[/]: play with alphabeta:depth=4,evaluation={out}", highlight=False)


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

    def __init__(self, console: Console, run: Run, quiet: bool) -> None:
        self._run = run
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
        if not self._quiet:
            self._live.start()
            self._draw()
        return self

    def __exit__(self, *trouble: object) -> None:
        if not self._quiet:
            self._bar.update(self._task, visible=False)
            self._draw()
            self._live.stop()

    def tell(self, progress: Progress) -> None:
        """Show how far the iteration has come."""
        if self._quiet:
            return
        if (progress.iteration, progress.stage) != self._stage:
            self._stage = (progress.iteration, progress.stage)
            self._bar.reset(self._task, description=f"iteration {progress.iteration}: {progress.stage}")
        self._bar.update(self._task, completed=progress.done, total=progress.total)

    def show(self) -> None:
        """An iteration is over."""
        if not self._quiet:
            self._draw()

    def _draw(self) -> None:
        lines = self._run.journal.lines[-SHOWN:]
        columns = [name for name, show in COLUMNS.items() if any(show(line) for line in lines)]
        table = Table(*(Column(name, justify="right") for name in columns), box=None, pad_edge=False)
        for line in lines:
            table.add_row(*(COLUMNS[name](line) for name in columns))
        self._live.update(Group(table, self._bar))
