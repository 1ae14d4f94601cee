"""The command ``plyground train pacman``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plyground.cli.console import JsonFlag, check_out, print_json, print_rows, progress_bar
from plyground.core.files import write_file
from plyground.errors import BadOption

__all__ = ["train_pacman_command"]


def train_pacman_command(
    out: Annotated[Path, typer.Option(help="Write the evaluation to this Python file.")],
    maze: Annotated[str, typer.Option(help="The maze to learn in.")] = "small",
    ghosts: Annotated[str, typer.Option(help="The ghosts: random, directional, or one for each.")] = "random",
    generations: Annotated[int, typer.Option(help="How many generations.", min=1)] = 20,
    population: Annotated[int, typer.Option(help="How many sets of weights are tried in each.", min=5)] = 50,
    games: Annotated[int, typer.Option(help="How many games each of them plays.", min=1)] = 20,
    seed: Annotated[int, typer.Option(help="The same seed learns the same weights.", min=0)] = 1,
    as_json: JsonFlag = False,
) -> None:
    """Learn an evaluation for Pac-Man from the scores of games, by the cross-entropy method.

    Use it with evaluation=FILE:learned, in every player that has this option.

    Example: plyground train pacman --out weights.py --maze rooms --seed 1
    """
    from plyground.games import make_game
    from plyground.games.pacman import FEATURES
    from plyground.subjects.pacman.learning import Generation, learn_weights, weights_module

    check_out(out, inputs=(maze,))
    if out.suffix != ".py":
        raise BadOption(f"--out must end in .py, because it is an evaluation in Python, not '{out.name}'")
    game = make_game(f"pacman:maze={maze},ghosts={ghosts}")
    rows: list[Generation] = []
    with progress_bar(unit="generations") as show:

        def on_generation(generation: Generation) -> None:
            rows.append(generation)
            show(len(rows), generations)

        weights = learn_weights(
            game, generations, seed, population=population, games=games, on_generation=on_generation
        )
    how = f"--maze {maze} --ghosts {ghosts} --generations {generations} --population {population} --games {games}"
    write_file(out, weights_module(weights, f"plyground train pacman {how} --seed {seed}").encode())
    if as_json:
        answer = {
            "weights": dict(zip(FEATURES, weights, strict=True)),
            "file": str(out),
            "generations": [{"score": row.score, "won": row.won, "weights": row.weights} for row in rows],
        }
        print_json(answer)
        return
    print_rows(
        [
            {"generation": row.number, "score of the best": f"{row.score:.0f}", "won": f"{100 * row.won:.0f}%"}
            | {name: f"{weight:.1f}" for name, weight in zip(FEATURES, row.weights, strict=True)}
            for row in rows
        ]
    )
