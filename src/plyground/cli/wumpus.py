"""The command ``plyground wumpus``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground.cli.console import JsonFlag, check_out, chosen_seed, out, picked, plain_table, print_json, progress_bar
from plyground.core.files import write_file
from plyground.errors import BadOption

if TYPE_CHECKING:
    from plyground.subjects.wumpus.agents import Record
    from plyground.subjects.wumpus.statistics import Statistics

__all__ = ["wumpus_command"]


def wumpus_command(
    agent: Annotated[
        str, typer.Option(help="random, search, lrta, logical or probabilistic; several with commas for --worlds.")
    ] = "probabilistic",
    size: Annotated[str, typer.Option(help="Columns and rows of the cave.")] = "4x4",
    pits: Annotated[float, typer.Option(help="Probability of a pit in a square.")] = 0.2,
    solvable: Annotated[bool, typer.Option("--solvable", help="Only caves whose gold can be reached safely.")] = False,
    worlds: Annotated[int, typer.Option(help="Compare agents in this many caves; 1 shows one visit.")] = 1,
    steps: Annotated[int, typer.Option(help="Most actions of a visit; 20 for each square if not given.")] = 0,
    seed: Annotated[int | None, typer.Option(help="The same seed makes the same caves.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the visit (.html), the cave (.svg, .png), or the plot of --worlds.")
    ] = None,
    lang: Annotated[str, typer.Option(help="Language of pictures: en or zh.")] = "en",
    as_json: JsonFlag = False,
) -> None:
    """Explore the Wumpus world with agents that know only their percepts.

    Example: plyground wumpus --agent probabilistic --seed 52 --out visit.html
    """
    from plyground.pictures.picture_file import PICTURE_FORMATS, write_picture
    from plyground.pictures.player_words import check_language
    from plyground.subjects.wumpus.world import Cave

    cave = Cave(*_size(size), pits, steps)
    check_language(lang)
    check_out(out, *PICTURE_FORMATS)
    seed = chosen_seed(seed)
    names = [name.strip() for name in agent.split(",")]
    if worlds != 1:
        if out is not None and out.suffix.lower() == ".html":
            raise BadOption("a plot is .svg or .png; .html is for one visit")
        _compare(names, worlds, cave, seed, solvable, out, lang, as_json)
        return
    if len(names) != 1:
        raise BadOption("one visit has one agent; compare several with --worlds 1000")
    from plyground.subjects.wumpus.agents import explore, make_agent
    from plyground.subjects.wumpus.world import make_world

    world = make_world(cave, seed=seed, solvable=solvable)
    record = explore(world, make_agent(names[0], cave, seed), keep_turns=True)
    if out is not None:
        from plyground.subjects.wumpus.pictures import picture_svg, visit_film

        if out.suffix.lower() == ".html":
            write_file(out, visit_film(record, names[0], lang=lang).encode())
        else:
            write_picture(out, picture_svg(record.world, lang=lang), "Wumpus")
    if as_json:
        print_json(_facts(record, names[0], seed))
    else:
        _print(record, names[0], seed)


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(\d{1,3})\s*[x×,]\s*(\d{1,3})\s*", text)
    if not found:
        raise BadOption(f"--size is columns x rows, such as 4x4, not '{text[:40]}'")
    return int(found[1]), int(found[2])


def _facts(record: Record, agent: str, seed: int) -> dict[str, Any]:
    from plyground.subjects.wumpus.world import ACTIONS

    world, final = record.world, record.final
    return {
        "agent": agent,
        "seed": seed,
        "width": world.cave.width,
        "height": world.cave.height,
        "pits": sorted(world.pits),
        "wumpus": world.wumpus,
        "gold": world.gold,
        **picked(final, "score", "steps", "has_gold", "alive", "out"),
        "turns": [
            {
                "at": turn.state.at,
                "percept": [name for name, felt in turn.percept._asdict().items() if felt],
                "action": ACTIONS[turn.action],
                "reward": turn.reward,
            }
            for turn in record.turns
        ],
    }


def _print(record: Record, agent: str, seed: int) -> None:
    from plyground.subjects.wumpus.world import ACTIONS, cave_text

    out.print(cave_text(record.world, record.final), markup=False)
    for number, turn in enumerate(record.turns, 1):
        felt = ", ".join(name for name, on in turn.percept._asdict().items() if on) or "nothing"
        where = "{},{}".format(*turn.state.at)
        out.print(f"{number:>3}. at {where}: {felt} → [bold]{ACTIONS[turn.action]}[/]")
    final = record.final
    end = "dead" if not final.alive else "out of the cave" if final.out else "out of actions"
    gold = " with the gold" if final.has_gold else ""
    out.print(f"[bold]{agent}[/]: {end}{gold}, score {final.score} after {final.steps} actions  [dim](seed {seed})[/]")


def _compare(
    names: list[str], worlds: int, cave: Any, seed: int, solvable: bool, out: Path | None, lang: str, as_json: bool
) -> None:
    from plyground.subjects.wumpus.agents import AGENTS
    from plyground.subjects.wumpus.statistics import compare_agents

    chosen = list(AGENTS) if names == ["all"] else names
    with progress_bar("exploring caves") as show:
        rows = compare_agents(chosen, worlds=worlds, cave=cave, seed=seed, solvable=solvable, on_progress=show)
    if as_json:
        answer = [picked(row, "agent", "mean", "margin", "gold", "died", "steps") for row in rows]
        print_json({"worlds": worlds, "seed": seed, "agents": answer})
    else:
        _print_rows(rows, worlds, seed)
    if out is not None:
        from plyground.pictures.picture_file import write_picture
        from plyground.subjects.wumpus.pictures import scores_svg

        write_picture(out, scores_svg(rows, lang=lang), "Wumpus")


def _print_rows(rows: list[Statistics], worlds: int, seed: int) -> None:
    columns = "agent", "mean score", "gold", "dead", "actions"
    table = plain_table(*columns, left=("agent",), whole=columns)
    for row in rows:
        score = f"{row.mean:.1f} ± {row.margin:.1f}"
        table.add_row(row.agent, score, f"{100 * row.gold:.1f}%", f"{100 * row.died:.1f}%", f"{row.steps:.1f}")
    out.print(table)
    out.print(f"[dim]{worlds:,} worlds, seeds from {seed}; ± is the 95% interval[/]")
