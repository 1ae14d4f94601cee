"""The command ``plyground pacman``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape

from plyground.cli.console import JsonFlag, check_out, chosen_seed, out, picked, plain_table, print_json, progress_bar
from plyground.core.files import write_file
from plyground.errors import BadOption

if TYPE_CHECKING:
    from plyground.core.game import Game
    from plyground.core.played_game import PlayedGame
    from plyground.subjects.pacman.many_games import Tally

__all__ = ["pacman_command"]

MazeArgument = Annotated[
    str, typer.Argument(help="trapped, corridor, tiny, small, open, rooms, classic, or a text file x.txt.")
]
PICTURES = (".html", ".svg", ".png")


def pacman_command(
    maze: MazeArgument = "small",
    player: Annotated[
        list[str] | None, typer.Option(help="Who plays Pac-Man, e.g. expectiminimax:depth=3; several are compared.")
    ] = None,
    ghosts: Annotated[
        str, typer.Option(help="For each ghost minimax, random, directional or none; one alone stands for all.")
    ] = "random",
    games: Annotated[int, typer.Option(help="How many games each player plays.", min=1)] = 1,
    believes: Annotated[
        str | None,
        typer.Option(help="What Pac-Man takes the ghosts for: minimax, random, directional, or true: what they are."),
    ] = None,
    ghost_player: Annotated[
        str, typer.Option(help="Who plays the minimax ghosts; alpha-beta, two rounds deep, if not set.")
    ] = "",
    steps: Annotated[int, typer.Option(help="Pac-Man's steps before time is up; 0 for what fits the maze.")] = 0,
    seed: Annotated[int | None, typer.Option(help="The same seed plays the same games.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the last game: x.html to step through, x.svg that moves, x.png.")
    ] = None,
    strip: Annotated[bool, typer.Option("--strip", help="In an SVG, positions side by side instead.")] = False,
    lang: Annotated[str, typer.Option(help="Language of the HTML page: en or zh.")] = "en",
    as_json: JsonFlag = False,
) -> None:
    """Let players play Pac-Man, and count how often they win.

    Players that need an opponent, as minimax does, believe that all ghosts play against them; see --believes.

    Example: plyground pacman small --player expectiminimax:depth=3 --player alphabeta:depth=6 --games 100
    """
    from plyground.core.rules import text
    from plyground.games import make_game
    from plyground.pictures.player_words import check_language
    from plyground.players import make_player
    from plyground.subjects.pacman.many_games import belief_of, default_ghosts, play_games, seated

    check_out(out, *PICTURES, inputs=(maze,))
    if strip and (out is None or out.suffix.lower() != ".svg"):
        raise BadOption("--strip is for --out x.svg")
    check_language(lang)
    spec = f"pacman:maze={maze},ghosts={ghosts}" + (f",steps={steps}" if steps else "")
    game = make_game(spec)
    chosen = player or ["expectiminimax:depth=3"]
    seed = chosen_seed(seed)
    if any(one.partition(":")[0] == "human" for one in chosen):
        raise BadOption(f"people play in the app, plyground web, or with: plyground play {spec} --first human")
    for one in chosen:  # what is wrong is said before the first game
        make_player(one)
        for made in seated(game, one, belief_of(one, game, believes), ghost_player or default_ghosts(game), seed):
            made.close()

    last: list[PlayedGame] = []
    tallies = []
    done = 0
    with progress_bar(unit="games") as show:

        def on_game(played: PlayedGame) -> None:
            nonlocal done
            last[:], done = [played], done + 1
            show(done, len(chosen) * games)

        for one in chosen:
            tallies.append(play_games(game, one, games, seed, believes=believes, ghosts=ghost_player, on_game=on_game))
    if as_json:
        print_json(_facts(game, tallies, seed))
    else:
        if games == len(chosen) == 1:
            typer.echo(text(last[0].states(game.initial)[-1]))
        _print_tallies(tallies, game, seed)
    if out is not None:
        _write_picture(out, game, last[0], tallies[-1], strip, lang)


def _facts(game: Game, tallies: list[Tally], seed: int) -> dict[str, Any]:
    return {
        "game": game.spec,
        "seed": seed,
        "players": [
            {
                **picked(tally, "player", "believes", "games", "won", "caught"),
                "time_up": tally.late,
                "win_share": tally.won / tally.games,
                **picked(tally, "win_interval", "mean_score", "score_error", "scores", "steps"),
                "seconds_a_move": tally.mean_time,
                "longest_move": tally.longest_time,
            }
            for tally in tallies
        ],
    }


def _print_tallies(tallies: list[Tally], game: Game, seed: int) -> None:
    figures = "won", "95%", "caught", "time up", "score", "steps", "ms/move"
    names = "player", "believes"
    table = plain_table(*names, *figures, left=names, whole=figures, padding=(0, 1, 0, 0), box=SIMPLE_HEAD)
    for tally in tallies:
        low, high = tally.win_interval
        error = "" if math.isnan(tally.score_error) else f" ± {tally.score_error:.0f}"
        table.add_row(
            escape(tally.player),
            tally.believes,
            f"{tally.won}",
            f"{100 * low:.0f}-{100 * high:.0f}%",
            f"{tally.caught}",
            f"{tally.late}",
            f"{tally.mean_score:.0f}{error}",
            f"{sum(tally.steps) / tally.games:.0f}",
            f"{1000 * tally.mean_time:.1f}",
        )
    out.print(table)
    each = tallies[0].games
    out.print(f"[dim]{escape(game.spec)}, {each} game{'s' * (each != 1)} each, seed {seed}[/]", soft_wrap=True)


def _write_picture(out: Path, game: Game, played: PlayedGame, tally: Tally, strip: bool, lang: str) -> None:
    from plyground.games.pacman.picture import STYLE, moving_picture, strip_picture
    from plyground.pictures.filmstrip import film_html
    from plyground.pictures.picture_file import write_picture
    from plyground.subjects.pacman.film import film_frames, film_title

    ending, states = out.suffix.lower(), played.states(game.initial)
    if ending == ".html":
        frames = film_frames(played, game.initial, lang)
        title = film_title(tally.player, tally.believes, lang)
        write_file(out, film_html(frames, title=title, styles=[STYLE], lang=lang).encode())
    else:
        write_picture(out, strip_picture(states) if strip or ending == ".png" else moving_picture(states), "Pac-Man")
