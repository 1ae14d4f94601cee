"""The command ``plyground train td``: a small network learns to judge positions by temporal differences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from plyground.cli.console import check_out, err, print_json, progress_bar
from plyground.cli.train_options import GamesSeedOption
from plyground.errors import BadOption

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
        str, typer.Option(help="Whom to meet ten times on the way, one ply deep.")
    ] = "alphabeta:depth=2",
    match_games: Annotated[int, typer.Option(help="Games of each of these matches; 0 for none.", min=0)] = 100,
    seed: GamesSeedOption = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each match.")] = False,
) -> None:
    """Let a small network learn to judge positions by temporal differences, as TD-Gammon did.

    The file serves every search as its evaluation: alphabeta:depth=4,evaluation=FILE.npz. Ctrl-C keeps what was
    learned; the same command goes on.

    Example: plyground train td connect4 --out connect4.npz
    """
    from plyground.games import make_game
    from plyground.learning.temporal import Learning, learn, match_share, new_net
    from plyground.players import answering
    from plyground.search.learned_values import load_value, save_value

    for name, value, most in (("alpha", alpha, 1.0), ("lambda", decay, 1.0), ("epsilon", epsilon, 1.0)):
        if not 0.0 <= value <= most or (name == "alpha" and value == 0.0):
            raise BadOption(f"--{name} must be from 0 to {most:g}, not {value:g}")
    check_out(out, ".npz")
    chosen = make_game(game)
    net, done = load_value(out, chosen) if out.exists() else (new_net(chosen, hidden, seed), 0)
    if done >= games:
        raise BadOption(f"{out} has learned from {done:,} games already; ask for more with --games")
    lines: list[dict[str, Any]] = []
    stages = learn(
        chosen, net, Learning(alpha, decay, epsilon), games, seed=seed, done=done, every=max(1, games // 100)
    )
    with progress_bar("learning", "games", quiet=as_json) as show:
        try:
            for stage in stages:
                done = stage.games
                show(done, games)
                if match_games and (done * 10 // games > len(lines) or done == games):
                    share = match_share(chosen, net, answering(opponent, chosen, seed), match_games, seed)
                    lines.append({"games": done, "difference": round(stage.surprise, 4), "score": round(share, 4)})
                    if as_json:
                        print_json(lines[-1])
                    else:
                        err.print(f"{done:>12,} games  {share:.0%} against {opponent}")
        finally:
            save_value(out, net, chosen, done)
    if not as_json:
        err.print(f"[bold]{out}[/]: play with alphabeta:depth=4,evaluation={out}")
