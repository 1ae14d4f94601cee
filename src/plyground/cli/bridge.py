"""The command ``plyground bridge``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from plyground.cli.console import JsonFlag, check_out, chosen_seed, out, picked, plain_table, print_json, progress_bar
from plyground.errors import BadOption

if TYPE_CHECKING:
    from plyground.core.game import Game
    from plyground.games.minibridge import MiniBridge
    from plyground.subjects.bridge.fusion import Leads

__all__ = ["bridge_command"]


def bridge_command(
    game: Annotated[
        str | None, typer.Argument(help="A game of minibridge; without one, a deal that shows strategy fusion.")
    ] = None,
    simulations: Annotated[int, typer.Option(help="Simulations of information set MCTS.")] = 500_000,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same deal and the same numbers.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write a picture: .svg, .png or .html.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Compare what a card is worth with all cards open (PIMC) and with one plan for all deals (information set MCTS).

    If the game does not give the hands of North and South, a deal is drawn and solved with open cards.

    Example: plyground bridge "minibridge:cards=3,suits=2,north=AJ.9,south=KT.A,leader=S"
    """
    from plyground.games import make_game
    from plyground.pictures.picture_file import PICTURE_FORMATS, write_picture
    from plyground.subjects.bridge.fusion import FUSION, compare_leads, dealt, leads_svg

    check_out(out, *PICTURE_FORMATS)
    if simulations < 1:
        raise BadOption(f"--simulations must be at least 1, not {simulations}")
    chosen = make_game(FUSION if game is None else game)
    seed = chosen_seed(seed)
    state = dealt(chosen, seed)
    if chosen.initial.hands[0] == 0 or state.leader % 2:
        _tell_deal(chosen, state, seed, out, as_json)
        return
    with progress_bar("planning") as show:
        found = compare_leads(chosen, simulations=simulations, seed=seed, on_progress=show)
    if as_json:
        leads = [{"card": one.name, **picked(one, "opened", "least", "planned", "visits")} for one in found.reports]
        facts = picked(found, "worlds", "simulations", "pimc", "ismcts")
        print_json({"game": chosen.spec, "seed": seed, **facts, "leads": leads})
    else:
        _print_leads(found, seed)
    if out is not None:
        write_picture(out, leads_svg(found), chosen.spec)


def _tell_deal(game: Game, state: MiniBridge, seed: int, path: Path | None, as_json: bool) -> None:
    """The deal with open cards, and what each lead is worth then."""
    from plyground.core.rules import text
    from plyground.engines.bridge.double_dummy import double_dummy, double_dummy_values
    from plyground.games.minibridge import card_name
    from plyground.pictures.board import svg
    from plyground.pictures.picture_file import write_picture

    tricks = double_dummy(state)
    leads = {card_name(card, state.ranks): won for card, won in double_dummy_values(state).items()}
    if as_json:
        deal = text(state).split("\n")[:4]
        print_json({"game": game.spec, "seed": seed, "deal": deal, "tricks": tricks, "leads": leads})
    else:
        out.print(escape(text(state)))
        by_lead = ", ".join(f"{name} {won}" for name, won in leads.items())
        out.print(f"double-dummy the declarer wins [bold]{tricks}[/]; by lead: {by_lead}")
        out.print(f"[dim]seed {seed}[/]")
    if path is not None:
        write_picture(path, svg(state), game.spec)


def _print_leads(found: Leads, seed: int) -> None:
    from plyground.core.rules import text

    out.print(escape(text(found.state)))
    out.print()
    table = plain_table("card", "cards open", "at least", "one plan", "visits", left=("card",))
    for one in found.reports:
        table.add_row(one.name, f"{one.opened:.3f}", str(one.least), f"{one.planned:.3f}", f"{one.visits:,}")
    out.print(table)
    out.print(
        f"PIMC plays [bold]{found.pimc}[/], information set MCTS plays [bold]{found.ismcts}[/]  "
        f"[dim]({found.worlds:,} worlds, {found.simulations:,} simulations, seed {seed})[/]",
        soft_wrap=True,
    )
