"""The command ``plyground train td``: a small network learns to judge positions by temporal differences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plyground.cli.console import check_out, err, print_json, progress_bar
from plyground.cli.train_options import GamesSeedOption

__all__ = ["train_td_command"]


def train_td_command(
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
        str,
        typer.Option(
            help="Whom to meet ten times on the way, one ply deep; if not set alphabeta:depth=2, in games with chance "
            "expectiminimax:depth=1.",
            show_default=False,
        ),
    ] = "",
    match_games: Annotated[int, typer.Option(help="Games of each of these matches; 0 for none.", min=0)] = 100,
    seed: GamesSeedOption = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each match.")] = False,
) -> None:
    """Let a small network learn to judge positions by temporal differences, as TD-Gammon did.

    The file serves every search as its evaluation: alphabeta:depth=4,evaluation=FILE.npz, and with dice
    expectiminimax:depth=1,evaluation=FILE.npz. Ctrl-C keeps what was learned; the same command goes on.

    Example: plyground train td connect4 --out connect4.npz
    """
    from plyground.games import make_game
    from plyground.learning.temporal import Stage, match_share
    from plyground.learning.train import train_td
    from plyground.players import answering
    from plyground.search.learned_values import ValueNet

    check_out(out, ".npz", inputs=(game,))
    chosen = make_game(game)
    opponent = opponent or ("expectiminimax:depth=1" if chosen.axes.chance else "alphabeta:depth=2")
    most = max(map(abs, chosen.utilities))

    def tell_score(share: float) -> str:
        return f"{share:.0%}" if most == 1 else f"{most * (2 * share - 1):+.2f} points a game"

    def measure(net: ValueNet) -> float:
        return match_share(chosen, net, answering(opponent, chosen, seed), match_games, seed)

    with progress_bar("learning", "games", quiet=as_json) as show:

        def tell(stage: Stage) -> None:
            show(stage.games, games)
            if stage.score is None:
                return
            if as_json:
                difference, score = round(stage.surprise, 4), round(stage.score, 4)
                print_json({"games": stage.games, "difference": difference, "score": score})
            else:
                err.print(f"{stage.games:>12,} games  {tell_score(stage.score)} against {opponent}")

        made = train_td(
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
        err.print(f"[bold]{out}[/]: play with {made.spec.replace(str(made.path), str(out))}")
