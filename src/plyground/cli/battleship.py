"""The command ``plyground battleship``."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from plyground.cli.console import JsonFlag, SeedOption, check_out, chosen_seed, done_each, out, plain_table, print_json
from plyground.errors import BadOption

if TYPE_CHECKING:
    from plyground.subjects.battleship.belief import Belief, Sea, Shots
    from plyground.subjects.battleship.shooters import Aim, ShotStatistics

__all__ = ["battleship_command"]

GAMES = 200


def battleship_command(
    size: Annotated[str, typer.Option(help="The board: 10, or 6x8 for six rows of eight.")] = "10",
    ships: Annotated[str, typer.Option(help="The lengths of the ships.")] = "5,4,3,3,2",
    shots: Annotated[
        str | None,
        typer.Option(help="What is known, such as 'c4 miss, d4 hit, d5 sunk 2': shows how likely a hit is everywhere."),
    ] = None,
    aims: Annotated[str, typer.Option(help="Which shooters to compare.")] = "random,hunt,probable,informed",
    games: Annotated[int, typer.Option(help="Random fleets that each has to sink.")] = GAMES,
    seed: SeedOption = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write a picture, .svg or .png; with .html one game, by the last shooter named."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Say where the ships of Battleship most likely lie, or measure how many shots shooters need.

    Example: plyground battleship --shots "c4 miss, e5 hit, e6 hit" --out belief.svg
    """
    from plyground.pictures.picture_file import PICTURE_FORMATS
    from plyground.subjects.battleship.belief import Sea

    check_out(out, *PICTURE_FORMATS)
    match = re.fullmatch(r"(\d{1,3})(?:x(\d{1,3}))?", size.strip())
    if not match:
        raise BadOption(f"--size must be a number such as 10, or 6x8, not '{size[:20]}'")
    try:
        lengths = tuple(int(part) for part in ships.split(","))
    except ValueError:
        raise BadOption(f"--ships must be lengths such as 5,4,3,3,2, not '{ships[:40]}'") from None
    sea = Sea(int(match[1]), int(match[2] or match[1]), lengths)
    seed = chosen_seed(seed)
    if shots is not None:
        _tell_belief(sea, read_shots(sea, shots), seed, out, as_json)
    else:
        _measure(sea, aims, games, seed, out, as_json)


def read_shots(sea: Sea, text: str) -> Shots:
    """Shots from a text: ``c4 miss, d4 hit, d5 sunk 2``, where the number is the length of the ship that is sunk."""
    from plyground.games.battleship import HIT, MISS, SUNK, cell_of

    found: Shots = []
    gone: set[int] = set()
    for part in filter(None, (part.strip() for part in re.split("[,;]", text))):
        match = re.fullmatch(r"(\S+)\s+(miss|hit|sunk)(?:\s+(\d+))?", part.lower())
        if not match or (match[2] == "sunk") != bool(match[3]):
            raise BadOption(f"'{part[:40]}' is not a shot; write c4 miss, c4 hit, or c4 sunk 3 for a ship of three")
        answer = {"miss": MISS, "hit": HIT}.get(match[2], -1)
        if match[3]:
            ship = next((n for n, length in enumerate(sea.ships) if length == int(match[3]) and n not in gone), None)
            if ship is None:
                raise BadOption(f"'{part[:40]}': no ship of {match[3]} is left to sink")
            gone.add(ship)
            answer = SUNK + ship
        found.append((cell_of(match[1], sea.rows, sea.columns), answer))
    return found


def _tell_belief(sea: Sea, known: Shots, seed: int, out: Path | None, as_json: bool) -> None:
    from plyground.games.battleship import cell_text
    from plyground.pictures.picture_file import write_picture
    from plyground.subjects.battleship.belief import believe
    from plyground.subjects.battleship.pictures import belief_svg
    from plyground.subjects.battleship.shooters import aim_at

    belief = believe(sea, known, samples=20_000, seed=seed)
    fired = {cell for cell, _ in known}
    ordered = sorted(set(range(sea.cells)) - fired, key=lambda cell: -belief.chances[cell])
    if not ordered:
        raise BadOption("every cell has been shot at")
    best = ordered[0]
    informed, _ = aim_at(sea, known, "informed", seed, samples=5000)
    if as_json:
        answer = {
            "rows": sea.rows,
            "columns": sea.columns,
            "ships": list(sea.ships),
            "exact": belief.exact,
            "fleets": belief.fleets,
            "chances": {cell_text(cell, sea.columns): round(float(belief.chances[cell]), 6) for cell in ordered},
            "errors": {cell_text(cell, sea.columns): round(float(belief.errors[cell]), 6) for cell in ordered},
            "probable": cell_text(best, sea.columns),
            "informed": cell_text(informed, sea.columns),
            "seed": seed,
        }
        print_json(answer)
    else:
        _print_belief(sea, known, belief, best, informed)
    if out is not None:
        write_picture(out, belief_svg(sea, known, belief, best), "Battleship")


def _print_belief(sea: Sea, known: Shots, belief: Belief, best: int, informed: int) -> None:
    from plyground.core.grid import column_name
    from plyground.games.battleship import cell_text
    from plyground.subjects.battleship.pictures import marks

    board = Text("   " + "".join(f"{column_name(c):>4}" for c in range(sea.columns)) + "\n", "dim")
    for cell, mark in enumerate(marks(sea, known)):
        if cell % sea.columns == 0:
            board.append(f"{cell // sea.columns + 1:>3}", "dim")
        if mark == ".":
            board.append(f"{100 * belief.chances[cell]:>4.0f}", "bold green" if cell == best else "")
        else:
            board.append(f"{mark:>4}", "bold red" if mark in "x#" else "dim")
        if cell % sea.columns == sea.columns - 1:
            board.append("\n")
    out.print(board)
    how = "exact" if belief.exact else f"sampled, ± {196 * float(belief.errors.max()):.1f} at most"
    out.print(
        f"chance of a hit in percent ({how}); {'' if belief.exact else 'about '}{belief.fleets:,.0f} fleets fit",
        soft_wrap=True,
    )  # fmt: skip
    out.print(
        f"likeliest: [bold]{cell_text(best, sea.columns)}[/] {100 * belief.chances[best]:.1f}%; "
        f"with an eye on information: [bold]{cell_text(informed, sea.columns)}[/]",
        soft_wrap=True,
    )  # fmt: skip


def _measure(sea: Sea, aims: str, games: int, seed: int, out: Path | None, as_json: bool) -> None:
    from plyground.core.files import write_file
    from plyground.pictures.filmstrip import film_html
    from plyground.pictures.picture_file import write_picture
    from plyground.subjects.battleship.pictures import battle_film, shots_svg
    from plyground.subjects.battleship.shooters import AIMS, measure_shots

    names = [name.strip() for name in aims.split(",")]
    for name in names:
        if name not in AIMS:
            raise BadOption(f"--aims: there is no shooter '{name[:40]}'; there are {', '.join(AIMS)}")
    chosen: list[Aim] = names  # type: ignore[assignment]
    results = done_each("shooting", chosen, lambda aim, tell: measure_shots(sea, aim, games, seed, on_progress=tell))
    if as_json:
        answer = {
            "rows": sea.rows,
            "columns": sea.columns,
            "ships": list(sea.ships),
            "games": games,
            "seed": seed,
            "shooters": [
                {"aim": one.aim, "mean": one.mean, "error": one.error, "shots": one.shots.tolist()} for one in results
            ],
        }
        print_json(answer)
    else:
        _print_shots(results, games, seed)
    if out is not None and out.suffix.lower() == ".html":
        page = film_html(battle_film(sea, chosen[-1], seed), title=f"Battleship: {chosen[-1]}", styles=[])
        write_file(out, page.encode())
    elif out is not None:
        write_picture(out, shots_svg(results, sea), "Battleship")


def _print_shots(results: list[ShotStatistics], games: int, seed: int) -> None:
    table = plain_table("shooter", "shots, mean", "median", "fewest", "most", left=("shooter",))
    for one in results:
        interval = "" if math.isnan(one.error) else f" ± {1.96 * one.error:.1f}"
        ordered = sorted(one.shots.tolist())
        table.add_row(
            one.aim, f"{one.mean:.1f}{interval}", str(ordered[len(ordered) // 2]), str(ordered[0]), str(ordered[-1])
        )
    out.print(table)
    out.print(f"[dim]{games:,} random fleets, seed {seed}; ± is the 95% interval[/]")
