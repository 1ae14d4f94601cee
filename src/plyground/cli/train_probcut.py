"""The command ``plyground train probcut``."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plyground.cli.console import JsonFlag, check_out, print_json, print_rows, progress_bar
from plyground.cli.train_evaluation import GamesArgument, ThreadsOption, WeightsOption, chosen_weights, saving
from plyground.cli.train_options import PositionsSeedOption
from plyground.errors import FormatError

if TYPE_CHECKING:
    from plyground.engines.reversi.probcut_fit import Measured

__all__ = ["train_probcut_command"]


def train_probcut_command(
    games: GamesArgument,
    out: Annotated[Path, typer.Option(help="Keep what was measured in this file. If it exists, the work goes on.")],
    each: Annotated[int, typer.Option(help="Positions of each number of empty squares.", min=8)] = 60,
    threads: ThreadsOption = 1,
    seed: PositionsSeedOption = 0,
    weights: WeightsOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure how far shallow searches are from deeper ones, and fit the deviations for Multi-ProbCut.

    Prints the fit, and next to it what was measured. Ctrl-C loses nothing: the same command goes on.

    Example: plyground train probcut games.npz --out measured.npz
    """

    from plyground.core.array_file import write_arrays
    from plyground.engines.reversi import probcut_fit
    from plyground.engines.reversi.positions import load_games

    check_out(out, inputs=(*games, weights))
    boards = probcut_fit.choose_positions([load_games(file) for file in games], each, seed)
    known = _load_measured(out) if out.exists() else probcut_fit.NOTHING_MEASURED
    if list(zip(known.own.tolist(), known.opponent.tolist(), strict=True)) != boards[: len(known.own)]:
        raise FormatError(f"{out} was measured on other positions; choose another name, or the same games and seed")
    parts = [known]

    def save() -> None:
        write_arrays(out, **probcut_fit.join_measured(parts)._asdict())

    table = chosen_weights(weights)
    with (
        progress_bar(unit="positions") as show,
        contextlib.closing(
            probcut_fit.measure_positions(boards[len(known.own) :], weights=table, threads=threads)
        ) as measured,
    ):
        for part in saving(measured, save):
            parts.append(part)
            show(len(known.own) + len(parts) - 1, len(boards))
    found = probcut_fit.deviations(probcut_fit.join_measured(parts))
    fit = probcut_fit.fit_deviations(found)
    lines = [{**row._asdict(), "fitted": probcut_fit.fitted(fit, row)} for row in found]
    if as_json:
        print_json({"fit": list(fit), "positions": len(boards), "deviations": lines})
        return
    typer.echo(f"FIT = ({', '.join(f'{number:.4f}' for number in fit)})")
    print_rows(lines)


def _load_measured(path: Path) -> Measured:
    from plyground.core.array_file import read_arrays
    from plyground.engines.reversi.probcut_fit import DEPTHS, Measured

    known = {
        "own": ("u8", ("n",)),
        "opponent": ("u8", ("n",)),
        "values": ("i8", ("n", DEPTHS)),
        "scores": ("i8", ("n",)),
    }
    return Measured(**read_arrays(path, "file of measurements", known, hint="choose another name"))
