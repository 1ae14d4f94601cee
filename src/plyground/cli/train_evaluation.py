"""The commands ``plyground train evaluation ...``."""

from __future__ import annotations

import contextlib
import time as clock
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground.cli.console import JsonFlag, check_out, print_json, print_rows, progress_bar
from plyground.cli.train_options import GamesSeedOption, PositionsSeedOption
from plyground.errors import BadOption, FormatError

if TYPE_CHECKING:
    import numpy as np

    from plyground.engines.reversi.positions import Games, Sample
    from plyground.engines.reversi.self_play import GameRow
    from plyground.engines.reversi.training import Errors
    from plyground.engines.reversi.weights import Weights

__all__ = ["train_evaluation_app"]

train_evaluation_app = typer.Typer(
    help="Games to learn from, the fit of the weights, and a report on their errors.", rich_markup_mode="rich"
)

SAVE_EVERY = 60.0
"""Seconds between two savings of work that goes on."""

GamesArgument = Annotated[list[Path], typer.Argument(help="Files of games.")]
ThreadsOption = Annotated[int, typer.Option(help="How many threads.", min=1, max=256)]
WeightsOption = Annotated[Path | None, typer.Option(help="A file of weights; without it those of the package.")]
SolveFromOption = Annotated[int, typer.Option(help="Solve exactly from this many empty squares on.", min=1, max=30)]


@train_evaluation_app.command("games")
def games_command(
    out: Annotated[Path, typer.Option(help="The file of games. If it exists, more are added.")],
    games: Annotated[int | None, typer.Option(help="How many games the file has in the end.", min=1)] = None,
    time: Annotated[float | None, typer.Option(help="Stop after this many seconds.")] = None,
    threads: ThreadsOption = 1,
    depth: Annotated[int, typer.Option(help="Plies that each move looks ahead.", min=1, max=30)] = 8,
    solve_from: SolveFromOption = 16,
    seed: GamesSeedOption = 0,
    weights: WeightsOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Let the engine play against itself; its games end with exact scores.

    Ctrl-C loses nothing: the same command goes on, and makes the same games as if it had not been interrupted.

    Example: plyground train evaluation games --out games.npz --games 1000 --threads 2
    """
    from plyground.engines.reversi.positions import NO_GAMES, load_games
    from plyground.engines.reversi.self_play import play_games

    if games is None and time is None:
        raise BadOption("say how long: --games for the number of games, --time for seconds, or both")
    if time is not None and not time > 0:
        raise BadOption(f"--time must be a positive number of seconds, not {time:g}")
    check_out(out, inputs=(weights,))
    known = load_games(out) if out.exists() else NO_GAMES
    table = chosen_weights(weights)
    deadline = None if time is None else clock.monotonic() + time
    played = play_games(seed, len(known), weights=table, depth=depth, solve_from=solve_from, threads=threads)
    everything = _collect(out, known, played, games, deadline)
    _tell({"games": len(everything), "new": len(everything) - len(known), "file": str(out)}, as_json)


@train_evaluation_app.command("label")
def label_command(
    files: Annotated[list[Path], typer.Argument(help="WTHOR files with games that others have played.")],
    out: Annotated[Path, typer.Option(help="The file of games. If it exists, the work goes on from it.")],
    threads: ThreadsOption = 1,
    solve_from: SolveFromOption = 16,
    weights: WeightsOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Take the moves of recorded games, and solve what their last positions are worth: written results are not trusted.

    A game counts once, and only if it goes on until so few squares are empty. Ctrl-C loses nothing: the same command
    goes on.

    Example: plyground train evaluation label WTH_2019.wtb WTH_2020.wtb --out human.npz
    """
    import numpy as np

    from plyground.engines.reversi.positions import NO_GAMES, load_games
    from plyground.engines.reversi.self_play import score_games

    check_out(out, inputs=(*files, weights))
    found, written = _recorded_games(files, solve_from)
    known = load_games(out) if out.exists() else NO_GAMES
    if len(known) > len(written) or not np.array_equal(known.moves, written[: len(known)]):
        raise FormatError(f"{out} holds other games than these files; choose another name, or the same files")
    scored = score_games(written[len(known) :], weights=chosen_weights(weights), solve_from=solve_from, threads=threads)
    everything = _collect(out, known, scored, len(written), None)
    row = {"games": len(everything), "new": len(everything) - len(known), "left_out": found - len(written)}
    _tell({**row, "file": str(out)}, as_json)


def _recorded_games(files: list[Path], solve_from: int) -> tuple[int, np.ndarray[Any, np.dtype[np.uint8]]]:
    """How many games there are, and those that are legal, different, and long enough."""
    import numpy as np

    from plyground.formats.replay import END
    from plyground.formats.wthor import read_wthor

    bases = [read_wthor(file) for file in files]
    written = np.concatenate([base.moves for base in bases])
    legal = np.concatenate([base.replayed.faults for base in bases]) < 0
    chosen = written[legal & (written[:, 60 - solve_from] != END)]
    first = np.sort(np.unique(chosen, axis=0, return_index=True)[1])
    return len(written), np.ascontiguousarray(chosen[first])


@train_evaluation_app.command("fit")
def fit_command(
    games: GamesArgument,
    out: Annotated[Path, typer.Option(help="Write the weights to this file.")],
    threads: ThreadsOption = 1,
    ridge: Annotated[float, typer.Option(help="How strongly weights that are seldom seen are held near 0.")] = 100.0,
    steps: Annotated[int, typer.Option(help="Steps of conjugate gradients in each of three rounds.", min=1)] = 10,
    as_json: JsonFlag = False,
) -> None:
    """Fit the weights and the network of the evaluation to games, and show the errors on games that were held out.

    One game in 50 of each file is held out. Finished stages are kept beside --out until all is done: after Ctrl-C
    the same command goes on.

    Example: plyground train evaluation fit human.npz games.npz --out weights.npz --threads 2
    """
    from plyground.engines.reversi.correction_fit import NetworkTraining, fit_network
    from plyground.engines.reversi.evaluation import STAGES
    from plyground.engines.reversi.positions import load_games, split
    from plyground.engines.reversi.training import Checkpoint, Training, fingerprint, fit_stages
    from plyground.engines.reversi.weights import Weights, load_weights, save_weights, whole_weights

    if not 0 < ridge < float("inf"):
        raise BadOption(f"--ridge must be a positive number, not {ridge:g}")
    check_out(out, inputs=games)
    parts = [load_games(file) for file in games]
    training = Training(ridge=ridge, steps=steps)
    checkpoint = Checkpoint(out.with_name(f"{out.name}.partial"), fingerprint(parts, training))
    learned, held = map(list, zip(*split(parts), strict=True))
    if not any(map(len, learned)):
        raise FormatError(f"{', '.join(map(str, games))}: no positions to learn from; one game in 50 is held out")
    missing = [stage for stage in range(STAGES) if stage not in checkpoint.stages]
    with progress_bar(unit="steps") as show:
        done = 0

        def on_step(stage: int) -> None:
            nonlocal done
            done += 1
            show(done, len(missing) * training.rounds * steps, f"stage {stage}")

        with contextlib.closing(fit_stages(learned, missing, training, threads=threads, on_step=on_step)) as fitted:
            for stage, weights in fitted:
                checkpoint.add(stage, weights)
    patterns = whole_weights(checkpoint.table())
    with progress_bar(unit="steps of the network") as show:
        network = fit_network(learned, patterns, NetworkTraining(), show)
    save_weights(out, Weights(patterns, network))
    checkpoint.path.unlink(missing_ok=True)
    table = load_weights(out)
    rows = [_stage_row(stage, table, held, learned) for stage in range(STAGES)]
    if as_json:
        print_json({"file": str(out), "bytes": out.stat().st_size, "stages": rows})
        return
    print_rows(rows)
    typer.echo(f"wrote {out}")


@train_evaluation_app.command("report")
def report_command(
    games: GamesArgument,
    weights: WeightsOption = None,
    at: Annotated[
        list[int] | None, typer.Option(help="Numbers of empty squares to measure exactly; 16, 20 and 24 if not given.")
    ] = None,
    solve: Annotated[int, typer.Option(help="How many positions to solve where scores are missing.", min=1)] = 100,
    threads: ThreadsOption = 1,
    seed: PositionsSeedOption = 0,
    as_json: JsonFlag = False,
) -> None:
    """Measure the evaluation, without any search, on the held-out games: against exact scores, and by stage.

    Give the same files as for the fit: a position that occurs in a game that was learned from is left out.

    Example: plyground train evaluation report human.npz games.npz --weights weights.npz
    """
    from plyground.engines.reversi.evaluation import STAGES
    from plyground.engines.reversi.positions import load_games, split
    from plyground.engines.reversi.training import judged, measure

    chosen = [16, 20, 24] if at is None else at
    for empties in chosen:
        if not 1 <= empties <= 30:
            raise BadOption(f"--at must be from 1 to 30 empty squares, not {empties}")
    table = chosen_weights(weights)
    learned, held = map(list, zip(*split([load_games(file) for file in games]), strict=True))
    exact = []
    for empties in chosen:
        solved = _solved(held[empties], solve, seed, table, threads)
        exact.append({"empties": empties, **_error_columns(measure(solved, judged(solved, table)), margin=True)})
    stages = [_stage_row(stage, table, held, learned) for stage in range(STAGES)]
    if as_json:
        print_json({"exact": exact, "stages": stages})
        return
    typer.echo("Against exact scores:")
    print_rows(exact)
    typer.echo("\nBy stage, against what the games came to where nothing exact is known:")
    print_rows(stages)


def _solved(held: Sample, most: int, seed: int, weights: Weights, threads: int) -> Sample:
    """The positions whose exact score is known; if they are fewer than `most`, `most` that are solved now."""
    import numpy as np

    from plyground.engines.reversi.self_play import solve_positions

    if held.exact.sum() >= min(most, len(held)):
        return held[held.exact]
    chosen = held[np.sort(np.random.default_rng(seed).permutation(len(held))[:most])]
    boards = [(int(own), int(opponent)) for own, opponent in zip(chosen.own, chosen.opponent, strict=True)]
    scores = []
    with (
        progress_bar(unit="positions solved") as show,
        contextlib.closing(solve_positions(boards, weights=weights, threads=threads)) as found,
    ):
        for score in found:
            scores.append(score)
            show(len(scores), len(boards))
    return replace(chosen, score=np.array(scores, np.float32), exact=np.ones(len(chosen), np.bool_))


def _stage_row(stage: int, weights: Weights, held: list[Sample], learned: list[Sample]) -> dict[str, Any]:
    """The errors of a stage on all of its held-out positions."""
    from plyground.engines.reversi.positions import Sample
    from plyground.engines.reversi.training import judged, measure, stage_empties

    empties = stage_empties(stage)
    sample = Sample.joined([held[number] for number in empties])
    errors = measure(sample, judged(sample, weights))
    return {
        "stage": stage,
        "empties": ",".join(map(str, reversed(empties))),
        "learned": sum(len(learned[number]) for number in empties),
        **_error_columns(errors),
    }


def _error_columns(errors: Errors | None, *, margin: bool = False) -> dict[str, Any]:
    """The errors under the names that reports have; with the margin of the mean, twice its standard error."""
    if errors is None:
        return {"held_out": 0, "mae": None, **({"margin": None} if margin else {}), "rmse": None, "bias": None}
    facts = asdict(errors)
    row = {"held_out": facts["positions"], "mae": facts["mean_absolute"]}
    if margin:
        variance = max(0.0, facts["root_mean_square"] ** 2 - facts["mean_absolute"] ** 2)
        row["margin"] = 2 * (variance / facts["positions"]) ** 0.5
    return {**row, "rmse": facts["root_mean_square"], "bias": facts["bias"]}


# Working and showing ------------------------------------------------------------------------------------------------


def chosen_weights(path: Path | None) -> Weights:
    from plyground.engines.reversi.weights import PACKAGED, load_weights

    return load_weights(PACKAGED if path is None else path)


def _collect(
    out: Path, known: Games, played: Generator[GameRow, None, None], most: int | None, deadline: float | None
) -> Games:
    """Add games to those that are known, up to this many or until a time, and write them; also if interrupted."""
    import numpy as np

    from plyground.engines.reversi.positions import Games, join_games, save_games

    new: list[GameRow] = []

    def everything() -> Games:
        if not new:
            return known
        moves, scores, estimates, openings = zip(*new, strict=True)
        fresh = Games(np.stack(moves), np.stack(scores), np.stack(estimates), np.array(openings, np.uint8))
        return join_games([known, fresh])

    def enough() -> bool:
        full = most is not None and len(known) + len(new) >= most
        return full or (deadline is not None and clock.monotonic() >= deadline)

    with progress_bar(unit="games") as show, contextlib.closing(played):
        for game in saving(played, lambda: save_games(out, everything()), enough):
            new.append(game)
            show(len(known) + len(new), most)
    return everything()


def saving(
    results: Iterable[Any], save: Callable[[], None], enough: Callable[[], bool] = lambda: False
) -> Iterator[Any]:
    """Hand results on until there are enough; save them from time to time and in the end, however it comes."""
    saved = clock.monotonic()
    source = iter(results)
    try:
        while not enough():
            try:
                result = next(source)
            except StopIteration:
                break
            yield result
            if clock.monotonic() - saved > SAVE_EVERY:
                save()
                saved = clock.monotonic()
    finally:
        save()


def _tell(row: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(row)
    else:
        print_rows([row])
