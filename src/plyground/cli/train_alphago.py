"""The commands ``plyground train alphago ...``: the networks of AlphaGo as it was in 2016, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from rich.table import Table

from plyground.cli.console import JsonFlag, check_out, err, out, plain_table, print_json, progress_bar
from plyground.cli.train_options import (
    DeviceOption,
    FolderOption,
    IterationsOption,
    MinutesOption,
    RunSeedOption,
    SizeOption,
    told,
)
from plyground.core.files import write_file
from plyground.errors import BadOption

if TYPE_CHECKING:
    from plyground.learning.run import Progress, Tell

__all__ = ["train_alphago_app"]

train_alphago_app = typer.Typer(
    help="The pipeline of AlphaGo (2016) for Reversi: a policy and fast rollouts from human games, a policy that "
    "learned to win, a value network from its games.",
    rich_markup_mode="rich",
)

BatchOption = Annotated[int | None, typer.Option(help="Positions in a step.", min=1, max=1_000_000)]
EveryOption = Annotated[int | None, typer.Option(help="Steps in an iteration; after each the run is kept.", min=1)]
RateOption = Annotated[float | None, typer.Option(help="The highest learning rate.")]
JournalFlag = Annotated[bool, typer.Option("--json", help="Print the journal's lines and the report as JSON.")]


@train_alphago_app.command("policy")
def policy_command(
    games: Annotated[Path, typer.Argument(help="A folder of WTHOR files, or sample for the bundled games.")],
    out: FolderOption,
    minutes: MinutesOption = None,
    iterations: IterationsOption = None,
    size: SizeOption = None,
    batch: BatchOption = None,
    every: EveryOption = None,
    rate: RateOption = None,
    smoothing: Annotated[float, typer.Option(help="Share of the target that goes to all legal squares.")] = 0.0,
    report: Annotated[
        int | None, typer.Option(help="Positions of each part in the report; all if not given.", min=1)
    ] = None,
    device: DeviceOption = "auto",
    seed: RunSeedOption = 0,
    as_json: JournalFlag = False,
) -> None:
    """Train a network to predict the moves of people, and report how often it does on the games of the last years.

    Ctrl-C loses nothing but the iteration in progress: the same command goes on.

    Example: plyground train alphago policy sample --out runs/policy --minutes 5 --report 5000
    """
    _load_torch()
    from plyground.engines.reversi.alphago.supervised import train_policy, usual_policy_recipe

    check_positive("--rate", rate)
    if not 0.0 <= smoothing < 1.0:
        raise BadOption(f"--smoothing must be a share from 0 to 1, such as 0.05, not {smoothing:g}")
    recipe = replace(usual_policy_recipe(device), smoothing=smoothing, seed=seed)
    recipe = replace(recipe, **told(size=size, batch=batch, every=every, rate=rate))
    columns = {"moves": "positions", "loss": "validation_loss", "top-1": "validation_top1", "top-3": "validation_top3"}
    with watched(as_json, columns) as screen:
        found = train_policy(
            games, out, recipe, device,
            minutes=minutes, iterations=iterations, most=report, tell=screen.tell, done=screen.done,
        )  # fmt: skip
    if as_json:
        print_json({"report": found})
        return
    table = plain_table("", "positions", "top-1", "top-3", "loss", "top-1 of 8 views", left=("",))
    for part, facts in found.items():
        table.add_row(f"[bold]{part} {facts['years']}[/]")
        for group in ("all", "choice", "opening", "midgame", "endgame", "seen", "unseen"):
            row, views = facts[group], facts[f"{group} eight views"]
            figures = f"{row['top1']:.2%}", f"{row['top3']:.2%}", f"{row['loss']:.4f}", f"{views['top1']:.2%}"
            table.add_row(f"  {group}", f"{row['positions']:,}", *figures)
    _print_report(table, f"[bold]{out / 'network.onnx'}[/]: the policy")


@train_alphago_app.command("rollout")
def rollout_command(
    games: Annotated[Path, typer.Argument(help="A folder of WTHOR files, or sample for the bundled games.")],
    out: Annotated[Path, typer.Option(help="Write the weights to this file.")],
    epochs: Annotated[int, typer.Option(help="How often to go through all moves.", min=1, max=1000)] = 4,
    seed: RunSeedOption = 0,
    as_json: JsonFlag = False,
) -> None:
    """Fit the fast rollout policy, a linear softmax over the legal moves, to the moves of people.

    The last three years of the games are the test, and the three years before them are held out as well. Takes a few
    minutes on one core.

    Example: plyground train alphago rollout sample --out rollout.npz
    """
    from plyground.engines.reversi.alphago.human_games import read_human_games, split_by_year
    from plyground.engines.reversi.alphago.rollout_fit import fit_rollout, measure_rollout, stored_weights
    from plyground.engines.reversi.rollout import save_rollout
    from plyground.formats.sample import games_folder

    check_out(out, inputs=games_folder(games).glob("*.[wW][tT][bB]"))
    split = split_by_year(read_human_games(games))
    with progress_bar("learning", "moves") as show:

        def tell(epoch: int, done: int, loss: float) -> None:
            moves = len(split.train)
            show((epoch - 1) * moves + done, epochs * moves, f"loss {loss:.3f}")

        weights = fit_rollout(split.train, epochs=epochs, seed=seed, tell=tell)
    save_rollout(out, weights)
    stored = stored_weights(weights)
    parts = {"validation": split.validation, "test": split.test}
    found = {name: measure_rollout(held, stored) for name, held in parts.items()}
    if as_json:
        facts = {name: accuracy._asdict() for name, accuracy in found.items()}
        print_json({"file": str(out), "bytes": out.stat().st_size, "learned": len(split.train), **facts})
        return
    for name, accuracy in found.items():
        typer.echo(
            f"{name}: {accuracy.top:.2%} of {accuracy.moves:,} moves are the first choice "
            f"({accuracy.choices:.2%} where there is one), loss {accuracy.loss:.4f}"
        )
    typer.echo(f"wrote {out}")


@train_alphago_app.command("reinforce")
def reinforce_command(
    policy: Annotated[Path, typer.Argument(help="The network file of a policy to begin from.")],
    out: FolderOption,
    minutes: MinutesOption = None,
    iterations: IterationsOption = None,
    games: Annotated[int | None, typer.Option(help="Games at once, against one opponent of the pool.", min=2)] = None,
    rate: RateOption = None,
    entropy: Annotated[float, typer.Option(help="Reward for keeping choices open; the paper has none.")] = 0.0,
    opening: Annotated[
        int, typer.Option(help="Up to this many random moves begin a game; the paper has none.", min=0, max=40)
    ] = 0,
    baseline: Annotated[Path | None, typer.Option(help="The network file of a value network as the baseline.")] = None,
    pairs: Annotated[int, typer.Option(help="Pairs of games against the first policy at the end.", min=1)] = 1000,
    device: DeviceOption = "auto",
    seed: RunSeedOption = 0,
    as_json: JournalFlag = False,
) -> None:
    """Let a policy learn to win, from games against its past selves, and report its share against the first of them.

    Ctrl-C loses nothing but the iteration in progress: the same command goes on.

    Example: plyground train alphago reinforce runs/policy/network.onnx --out runs/reinforced --minutes 30
    """
    _load_torch()
    from plyground.engines.reversi.alphago.reinforce import train_reinforce, usual_reinforce_recipe

    check_positive("--rate", rate)
    if not 0.0 <= entropy < 10.0:
        raise BadOption(f"--entropy must be from 0 to 10, such as 0.01, not {entropy:g}")
    recipe = replace(usual_reinforce_recipe(device), entropy=entropy, opening=opening, seed=seed)
    recipe = replace(recipe, match_pairs=min(recipe.match_pairs, pairs), **told(games=games, rate=rate))
    columns = {"games": "games", "pool": "pool", "entropy": "entropy", "share": "share", "greedy": "greedy_share"}
    with watched(as_json, columns) as screen:
        found = train_reinforce(
            policy, out, recipe, device,
            baseline=baseline, minutes=minutes, iterations=iterations, pairs=pairs, tell=screen.tell, done=screen.done,
        )  # fmt: skip
    if as_json:
        print_json({"report": found})
        return
    opponent = "against the first policy"
    table = plain_table(opponent, "won", "drawn", "lost", "share", "95% interval", left=(opponent,))
    for how, label in (("drawn", "both draw their moves"), ("greedy", "both greedy, random openings")):
        row = found[how]
        counts = f"{row['won']:,}", f"{row['drawn']:,}", f"{row['lost']:,}"
        table.add_row(label, *counts, f"{row['share']:.2%}", f"{row['low']:.2%} to {row['high']:.2%}")
    _print_report(table, f"[bold]{out / 'network.onnx'}[/]: the policy")


@train_alphago_app.command("value")
def value_command(
    policy: Annotated[Path, typer.Argument(help="The network file of the policy that predicts people.")],
    reinforced: Annotated[Path, typer.Argument(help="The network file of the policy that learned to win.")],
    out: FolderOption,
    minutes: MinutesOption = None,
    iterations: IterationsOption = None,
    positions: Annotated[int | None, typer.Option(help="Positions to learn from.", min=100)] = None,
    whole: Annotated[bool, typer.Option("--whole-games", help="All positions of fewer games: it overfits.")] = False,
    size: SizeOption = None,
    batch: BatchOption = None,
    every: EveryOption = None,
    rate: RateOption = None,
    device: DeviceOption = "auto",
    seed: RunSeedOption = 0,
    as_json: JournalFlag = False,
) -> None:
    """Play games between the policies, and train a network to say from one position of each game who will win.

    The minutes are those of learning; how long the games take is set by --positions. Ctrl-C loses nothing but the
    games or the iteration in progress: the same command goes on.

    Example: plyground train alphago value runs/policy/network.onnx runs/reinforced/network.onnx --out runs/value
    """
    _load_torch()
    from plyground.engines.reversi.alphago.value_network import train_value, usual_value_recipe

    check_positive("--rate", rate)
    recipe = replace(usual_value_recipe(device), whole=whole, seed=seed)
    recipe = replace(recipe, **told(size=size, positions=positions, batch=batch, every=every, rate=rate))
    recipe = replace(recipe, games=min(recipe.games, recipe.positions))
    columns = {"steps": "steps", "error": "error", "held out": "held_error"}
    with watched(as_json, columns) as screen:
        found = train_value(
            policy, reinforced, out, recipe, device,
            minutes=minutes, iterations=iterations, tell=screen.tell, done=screen.done,
        )  # fmt: skip
    if as_json:
        print_json({"report": found})
        return
    table = plain_table("", "positions", "games", "mean squared error", left=("",))
    table.add_row("learned from", f"{found['positions']:,}", f"{found['games']:,}", f"{found['error']:.4f}")
    held = f"{found['held_positions']:,}", f"{found['held_games']:,}", f"{found['held_error']:.4f}"
    table.add_row("held out", *held)
    _print_report(table, f"[bold]{out / 'network.onnx'}[/]: the value network")


@train_alphago_app.command("overfitting")
def overfitting_command(
    one: Annotated[Path, typer.Argument(help="The folder of a value network that saw one position of each game.")],
    whole: Annotated[Path, typer.Argument(help="The folder of one that saw whole games.")],
    out: Annotated[Path | None, typer.Option(help="Write the errors as a picture (.svg).")] = None,
    device: DeviceOption = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Compare two value networks: why AlphaGo took only one position of each game.

    Example: plyground train alphago overfitting runs/value runs/value-whole --out overfitting.svg
    """
    _load_torch()
    from plyground.engines.reversi.alphago.value_network import overfitting, overfitting_svg

    check_out(out, ".svg")
    rows = overfitting(one, whole, device)
    if out is not None:
        write_file(out, overfitting_svg(rows).encode())
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    columns = "positions", "games", "learned from", "held out", "held out, one of each game"
    table = plain_table(*columns, left=("positions",))
    for row in rows:
        errors = f"{row.error:.4f}", f"{row.held_error:.4f}", f"{row.common_error:.4f}"
        table.add_row(f"{row.positions:,} {row.sampling}", f"{row.games:,}", *errors)
    _print_report(table)


# Watching -----------------------------------------------------------------------------------------------------------


def _print_report(table: Table, end: str = "") -> None:
    out.print(table)
    if end:
        err.print(end)


def check_positive(option: str, value: float | None) -> None:
    """Refuse what cannot be a learning rate."""
    if value is not None and not 0.0 < value < 10.0:
        raise BadOption(f"{option} must be a positive number, such as 0.001, not {value:g}")


class Screen(NamedTuple):
    """What a training reports: how far an iteration is, and the line of one that is over."""

    tell: Tell
    done: Any


def _load_torch() -> None:
    """Import PyTorch, which takes seconds; where it is missing, this says what to install."""
    with progress_bar("loading PyTorch"):
        from plyground.learning import network  # noqa: F401


@contextmanager
def watched(as_json: bool, columns: dict[str, str]) -> Iterator[Screen]:
    """Show a bar and a line for each iteration; or print the lines as JSON. `columns` are names and journal figures."""

    def done(facts: dict[str, Any]) -> None:
        if as_json:
            print_json(facts)
            return
        figures = [(label, facts[name]) for label, name in columns.items() if facts.get(name) is not None]
        words = [f"{label} {value:,}" if isinstance(value, int) else f"{label} {value:.4f}" for label, value in figures]
        err.print(f"{facts['iteration']:>6}  {facts['seconds'] / 60:6.1f} min  {'  '.join(words)}", style="dim")

    with progress_bar(quiet=as_json) as show:

        def tell(progress: Progress) -> None:
            show(progress.done, progress.total, f"iteration {progress.iteration}: {progress.stage}")

        yield Screen(tell, done)
