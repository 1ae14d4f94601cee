"""The command ``plyground bridge``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from plyground.cli.console import progress_bar
from plyground.errors import BadOption

__all__ = ["bridge_command"]


def bridge_command(
    game: Annotated[
        str | None, typer.Argument(help="A game of minibridge; without one, a deal that shows strategy fusion.")
    ] = None,
    simulations: Annotated[int, typer.Option(help="Simulations of information set MCTS.")] = 500_000,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same deal and the same numbers.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write a picture: .svg, .png or .html.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Compare what a card is worth with all cards open (PIMC) and with one plan for all deals (information set MCTS).

    If the game does not give the hands of North and South, a deal is drawn and solved with open cards.

    Example: plyground bridge "minibridge:cards=3,suits=2,north=AJ.9,south=KT.A,leader=S"
    """
    from plyground.core.game import svg, text
    from plyground.engines.bridge.double_dummy import double_dummy, double_dummy_values
    from plyground.games import make_game
    from plyground.games.minibridge import card_name
    from plyground.native.randomness import fresh_seed
    from plyground.pictures.picture_file import check_picture, write_picture
    from plyground.subjects.bridge.fusion import FUSION, compare_leads, dealt, leads_svg

    check_picture(out)
    if simulations < 1:
        raise BadOption(f"--simulations must be at least 1, not {simulations}")
    chosen = make_game(FUSION if game is None else game)
    seed = fresh_seed() if seed is None else seed
    state = dealt(chosen, seed)
    console = Console()
    if chosen.initial.hands[0] == 0 or state.leader % 2:
        values = {card_name(card, state.ranks): tricks for card, tricks in double_dummy_values(state).items()}
        if as_json:
            deal = text(state).split("\n")[:4]
            typer.echo(json.dumps({"game": chosen.spec, "seed": seed, "deal": deal, "tricks": double_dummy(state),
                                   "leads": values}, ensure_ascii=False))  # fmt: skip
        else:
            console.print(escape(text(state)), highlight=False)
            leads = ", ".join(f"{name} {tricks}" for name, tricks in values.items())
            won = double_dummy(state)
            console.print(f"double-dummy the declarer wins [bold]{won}[/]; by lead: {leads}", highlight=False)
            console.print(f"[dim]seed {seed}[/]", highlight=False)
        if out is not None:
            write_picture(out, svg(state), chosen.spec)
        return
    with progress_bar("planning") as show:
        found = compare_leads(chosen, simulations=simulations, seed=seed, on_progress=show)
    if as_json:
        answer = {
            "game": chosen.spec,
            "seed": seed,
            "worlds": found.worlds,
            "simulations": found.simulations,
            "pimc": found.pimc,
            "ismcts": found.ismcts,
            "leads": [
                {
                    "card": one.name,
                    "opened": one.opened,
                    "least": one.least,
                    "planned": one.planned,
                    "visits": one.visits,
                }
                for one in found.reports
            ],
        }
        typer.echo(json.dumps(answer))
    else:
        console.print(escape(text(found.state)), highlight=False)
        console.print()
        table = Table(show_edge=False, pad_edge=False, header_style="bold")
        for column in ("card", "cards open", "at least", "one plan", "visits"):
            table.add_column(column, justify="left" if column == "card" else "right")
        for one in found.reports:
            table.add_row(one.name, f"{one.opened:.3f}", str(one.least), f"{one.planned:.3f}", f"{one.visits:,}")
        console.print(table)
        console.print(
            f"PIMC plays [bold]{found.pimc}[/], information set MCTS plays [bold]{found.ismcts}[/]  "
            f"[dim]({found.worlds:,} worlds, {found.simulations:,} simulations, seed {seed})[/]",
            highlight=False, soft_wrap=True,
        )  # fmt: skip
    if out is not None:
        write_picture(out, leads_svg(found), chosen.spec)
