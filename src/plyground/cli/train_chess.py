"""The commands ``plyground train chess ...``."""

from __future__ import annotations

import contextlib
import time as clock
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from plyground.cli.console import JsonFlag, check_out, print_json, print_rows, progress_bar
from plyground.cli.train_options import GamesSeedOption
from plyground.errors import BadOption, FormatError

__all__ = ["train_chess_app"]

train_chess_app = typer.Typer(
    help="What the chess engine knows: positions to learn from, weights of a lecture's sum and of its own, a network. "
    "For a network that learns chess by itself: [bold]plyground train game chess[/].",
    rich_markup_mode="rich",
)

HELD_OUT = 50
"""One game in so many is not learned from, but measured on."""
SETTLED = 150
"""The network learns from positions whose score has changed by no more since the move before, in centipawns,"""
UNDECIDED = 3000
"""and is no greater than this."""

FolderArgument = Annotated[Path, typer.Argument(help="A folder of positions.")]


@train_chess_app.command("positions")
def positions_command(
    out: Annotated[Path, typer.Option(help="The folder for the positions. If it holds some, more are added.")],
    teacher: Annotated[
        str, typer.Option(help="Who plays and judges: a program that speaks UCI, or 'engine', which is our own.")
    ] = "engine",
    nodes: Annotated[int, typer.Option(help="Nodes for each position.", min=1)] = 80,
    positions: Annotated[int | None, typer.Option(help="How many positions the folder has in the end.", min=1)] = None,
    minutes: Annotated[float | None, typer.Option(help="Stop after this many minutes.")] = None,
    random: Annotated[
        int,
        typer.Option(help="After the opening one move in so many is random; the more, the more even the games.", min=1),
    ] = 8,
    jobs: Annotated[int, typer.Option(help="Processes, each with a teacher of its own.", min=1, max=1024)] = 1,
    seed: GamesSeedOption = 0,
    as_json: JsonFlag = False,
) -> None:
    """Let a teacher play against itself, and keep what it says of every position.

    Games begin with random moves after which the teacher sees neither side ahead by much, and some later ones are
    random too. Ctrl-C loses nothing: the same command goes on, with new games.

    Example: plyground train chess positions --out positions --teacher stockfish --minutes 60
    """
    from plyground.core.files import check_writable
    from plyground.engines.chess.positions import CHUNK, Positions, chunk_files, count_positions, save_chunk
    from plyground.engines.chess.teacher import make_teacher
    from plyground.engines.chess.training_crew import TrainingCrew
    from plyground.engines.chess.training_games import TrainingGames

    if positions is None and minutes is None:
        raise BadOption("say how long: --positions for how many there are in the end, --minutes for the time, or both")
    if minutes is not None and not 0 < minutes < 1e6:
        raise BadOption(f"--minutes must be a positive number, not {minutes:g}")
    if out.exists() and not out.is_dir():
        raise BadOption(f"--out must be a folder, and {out} is a file")
    check_writable(out, "--out") if not out.exists() else check_writable(out / "positions-00000.npz", "--out")
    files = chunk_files(out)
    known = count_positions(files)
    deadline = None if minutes is None else clock.monotonic() + 60 * minutes
    new, parts, waiting = 0, list[Positions](), 0
    with progress_bar(unit="positions") as show, contextlib.ExitStack() as open_ones:
        first, new_teacher = len(files) * CHUNK, partial(make_teacher, teacher, nodes)
        games: TrainingGames | TrainingCrew
        if jobs == 1:
            games = TrainingGames(open_ones.enter_context(contextlib.closing(new_teacher())), seed, first, random)
        else:
            games = open_ones.enter_context(TrainingCrew(new_teacher, jobs, seed, first, random))
        try:
            for game in games.played() if positions is None or known < positions else ():
                parts.append(game)
                waiting += len(game)
                new += len(game)
                show(known + new, positions)
                if waiting >= CHUNK:
                    save_chunk(out, Positions.joined(parts))
                    parts, waiting = [], 0
                full = positions is not None and known + new >= positions
                if full or (deadline is not None and clock.monotonic() >= deadline):
                    break
        finally:
            rest = games.rest()
            if sum(map(len, parts + rest)):
                save_chunk(out, Positions.joined(parts + rest))
    new += sum(map(len, rest))
    row = {"positions": known + new, "new": new, "teacher": teacher, "nodes": nodes, "folder": str(out)}
    _tell([row], row, as_json)


@train_chess_app.command("sum")
def sum_command(folder: FolderArgument, as_json: JsonFlag = False) -> None:
    """Learn what a bishop is worth: the weights of a lecture's sum, from the results of the games.

    The weights are those that make the results most likely, in pawns, each with its standard error.

    Example: plyground train chess sum positions
    """
    from plyground.engines.chess.positions import load_positions
    from plyground.engines.chess.sum_fit import fit_sum
    from plyground.games.chess.features import FEATURES

    with progress_bar("learning"):
        learnt = fit_sum(load_positions(folder))
    rows = [
        {"counted": name, "weight": round(float(weight), 3), "error": round(float(error), 3)}
        for name, weight, error in zip(FEATURES, learnt.weights, learnt.errors, strict=True)
    ]
    facts = {"positions": learnt.positions, "games": learnt.games, "log_likelihood": learnt.likelihood}
    _tell(rows, {"weights": rows, "log_odds_of_a_pawn": learnt.slope, **facts}, as_json)
    if not as_json:
        typer.echo(
            f"\nFrom {learnt.positions:,} positions of {learnt.games:,} games. Log-likelihood {learnt.likelihood:.4f}; "
            f"knowing nothing: -0.6931."
        )


@train_chess_app.command("weights")
def weights_command(
    folder: FolderArgument,
    out: Annotated[Path, typer.Option(help="Write the weights to this file.")],
    result_share: Annotated[
        float, typer.Option(help="How much of the target is the game's result; the rest is the teacher's score.")
    ] = 0.2,
    as_json: JsonFlag = False,
) -> None:
    """Learn the weights of the engine's sum, all at once, and measure them on games that were held out.

    Example: plyground train chess weights positions --out weights.npz
    """
    from plyground.engines.chess.evaluation import save_weights
    from plyground.engines.chess.evaluation_fit import fit_weights, loss_of_shares, sums_of
    from plyground.engines.chess.positions import load_positions, teaching

    if not 0 <= result_share <= 1:
        raise BadOption(f"--result-share must be between 0 and 1, not {result_share:g}")
    check_out(out, ".npz")
    positions = load_positions(folder)
    positions = positions[teaching(positions)]
    held, learned = positions[positions.games % HELD_OUT == 0], positions[positions.games % HELD_OUT != 0]
    if not len(held) or not len(learned):
        raise FormatError(f"{folder} holds too few games: one in {HELD_OUT} is held out to measure on")
    with progress_bar(unit="steps") as show:
        weights = fit_weights(learned, result_share, lambda done, total: show(done, total))
    save_weights(out, weights.middlegame, weights.endgame)
    row = {
        "learned": len(learned),
        "held_out": len(held),
        "loss_on_learned": loss_of_shares(sums_of(learned, weights), learned),
        "loss": loss_of_shares(sums_of(held, weights), held),
        "loss_of_the_bundled": loss_of_shares(sums_of(held), held),
        "loss_of_knowing_nothing": loss_of_shares(0 * sums_of(held), held),
        "file": str(out),
    }
    _tell([row], row, as_json)


@train_chess_app.command("network")
def network_command(
    folder: FolderArgument,
    out: Annotated[Path, typer.Option(help="Write the network to this file.")],
    passes: Annotated[int, typer.Option(help="How often to go through all positions.", min=1)] = 20,
    batch: Annotated[int, typer.Option(help="Positions in a step.", min=16)] = 16_384,
    rate: Annotated[float, typer.Option(help="How fast it learns at first.")] = 0.001,
    seed: Annotated[int, typer.Option(help="Another seed, another network.", min=0)] = 1,
    as_json: JsonFlag = False,
) -> None:
    """Learn the network that corrects the sum, and measure it on games that were held out.

    It is learnt on a GPU if PyTorch finds one. Ctrl-C loses nothing but the pass it is in: the same command goes on
    from a file beside --out.

    Example: plyground train chess network positions --out network.npz
    """
    from plyground.engines.chess.network import save_network
    from plyground.engines.chess.network_fit import (
        NetworkTraining,
        fit_network,
        loss_of,
        loss_of_nothing,
        loss_of_sum,
        quantised_loss,
    )
    from plyground.engines.chess.positions import load_positions, teaching

    if not 0 < rate < 1:
        raise BadOption(f"--rate must be between 0 and 1, not {rate:g}")
    check_out(out, ".npz")
    positions = load_positions(folder)
    positions = positions[teaching(positions, SETTLED) & (abs(positions.scores) <= UNDECIDED)]
    held, learned = positions[positions.games % HELD_OUT == 0], positions[positions.games % HELD_OUT != 0]
    if not len(held) or not len(learned):
        raise FormatError(f"{folder} holds too few games: one in {HELD_OUT} is held out to measure on")
    training = NetworkTraining(passes=passes, batch=batch, rate=rate, seed=seed)
    with progress_bar(unit="steps") as show:
        network = fit_network(
            learned,
            training,
            lambda done, total, loss: show(done, total, f"loss {loss:.5f}"),
            out.with_name(f"{out.name}.partial"),
        )
    whole = network.quantised()
    save_network(out, whole)
    row = {
        "learned": len(learned),
        "held_out": len(held),
        "loss": loss_of(network, held),
        "quantised_loss": quantised_loss(whole, held),
        "loss_of_the_sum": loss_of_sum(held),
        "loss_of_knowing_nothing": loss_of_nothing(held),
        "bytes": out.stat().st_size,
        "file": str(out),
    }
    _tell([row], row, as_json)


def _tell(rows: list[dict[str, Any]], facts: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(facts)
    else:
        print_rows(rows)
