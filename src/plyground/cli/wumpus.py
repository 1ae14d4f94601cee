"""The command ``plyground wumpus``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from plyground.cli.cage_option import CageOption, chosen_cage
from plyground.cli.console import (
    JsonFlag,
    check_out,
    chosen_seed,
    err,
    note,
    out,
    picked,
    plain_table,
    print_json,
    progress_bar,
)
from plyground.core.files import write_file
from plyground.errors import BadOption
from plyground.visible_text import visible

if TYPE_CHECKING:
    from plyground.course.handins.student_program import StudentProgram
    from plyground.subjects.wumpus.agents import Record
    from plyground.subjects.wumpus.statistics import Statistics
    from plyground.subjects.wumpus.world import Cave, World

__all__ = ["wumpus_command"]


def wumpus_command(
    agent: Annotated[
        str,
        typer.Option(
            help="random, search, lrta, logical, probabilistic, or your own, file.py:Class, which runs in a cage; "
            "several with commas for --worlds and --caves."
        ),
    ] = "probabilistic",
    caves: Annotated[Path | None, typer.Option(help="A text file of caves, to be visited instead of random ones.")] = (
        None
    ),
    size: Annotated[str, typer.Option(help="Columns and rows of the cave.")] = "4x4",
    pits: Annotated[float, typer.Option(help="Probability of a pit in a square.")] = 0.2,
    solvable: Annotated[bool, typer.Option("--solvable", help="Only caves whose gold can be reached safely.")] = False,
    worlds: Annotated[int, typer.Option(help="Compare agents in this many caves; 1 shows one visit.")] = 1,
    steps: Annotated[int, typer.Option(help="Most actions of a visit; 20 for each square if not given.")] = 0,
    seed: Annotated[int | None, typer.Option(help="The same seed makes the same caves.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the visit (.html), the cave (.svg, .png), or the plot of --worlds.")
    ] = None,
    time: Annotated[float, typer.Option(help="Seconds for a visit of your own agent.")] = 60.0,
    cage: CageOption = "plain",
    lang: Annotated[str, typer.Option(help="Language of pictures: en or zh.")] = "en",
    as_json: JsonFlag = False,
) -> None:
    """Explore the Wumpus world with agents that know only their percepts.

    Example: plyground wumpus --agent probabilistic --seed 52 --out visit.html

    Example: plyground wumpus --agent agent.py:Agent,logical --caves caves.txt
    """
    from plyground.pictures.picture_file import PICTURE_FORMATS, write_picture
    from plyground.pictures.player_words import check_language
    from plyground.subjects.wumpus.world import Cave

    if not 0 < time <= 1e6:
        raise BadOption(f"--time must be a positive number of seconds, not {time:g}")
    cave = Cave(*_size(size), pits, steps)
    check_language(lang)
    check_out(out, *PICTURE_FORMATS)
    seed = chosen_seed(seed)
    names = [name.strip() for name in agent.split(",")]
    own = _Own(names, seed, time, cage)
    listed = None
    if caves is not None:
        from plyground.subjects.wumpus.caves import read_caves

        if worlds != 1:
            raise BadOption("--caves names the caves, and --worlds makes random ones; give one of the two")
        listed = read_caves(caves, most_steps=steps)
    if worlds != 1 or (listed is not None and (len(listed) > 1 or len(names) > 1)):
        if out is not None and out.suffix.lower() == ".html":
            raise BadOption("a plot is .svg or .png; .html is for one visit")
        if listed is None and not own.agents:
            _compare(names, worlds, cave, seed, solvable, out, lang, as_json)
        else:
            _compare_own(names, listed, own, (cave, worlds, solvable), seed, out, lang, as_json)
        return
    if len(names) != 1:
        raise BadOption("one visit has one agent; compare several with --worlds 1000")
    from plyground.subjects.wumpus.agents import explore, make_agent
    from plyground.subjects.wumpus.world import make_world

    world = listed[0] if listed else make_world(cave, seed=seed, solvable=solvable)
    if own.agents:
        record = own.visit(names[0], world)
    else:
        record = explore(world, make_agent(names[0], world.cave, seed), keep_turns=True)
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


class _Own:
    """The agents of the user's own files, each of which runs in a cage."""

    def __init__(self, names: list[str], seed: int, seconds: float, cage: str) -> None:
        from plyground.course.handins.student_program import named_in_file

        self.agents = {name: named_in_file(name, "--agent", "agent.py:Agent") for name in names if ":" in name}
        self._seed, self._seconds, self._cage = seed, seconds, cage
        if self.agents:
            chosen_cage(cage, [f"course:file={file}" for file, _ in self.agents.values()])

    def _program(self, name: str) -> StudentProgram:
        from plyground.course.handins.assignments import ASSIGNMENTS
        from plyground.course.handins.student_program import StudentProgram

        file, wanted = self.agents[name]
        given = ASSIGNMENTS["wumpus"].folder
        return StudentProgram(
            file, wanted, given=given, timeout=self._seconds, seed=self._seed, cage=self._cage, on_output=_show
        )

    def visit(self, name: str, world: World) -> Record:
        """One visit; what goes wrong there is an error here."""
        from plyground.course.handins.wumpus_marks import StudentAgent
        from plyground.subjects.wumpus.agents import explore

        with self._program(name) as program:
            return explore(world, StudentAgent(program, world.cave, seconds=self._seconds), keep_turns=True)

    def visits(self, name: str, worlds: Sequence[World], on_visit: Callable[[], None]) -> Statistics:
        """Many visits; those that fail count as deaths, and the first of them is told."""
        from dataclasses import replace

        from plyground.course.handins.wumpus_marks import visit_all

        with self._program(name) as program:
            found, faults = visit_all(program, worlds, seconds=self._seconds, on_visit=on_visit)
        for fault in faults[:1]:
            where = f"cave {fault.where['cave']}: " if "cave" in fault.where else ""
            note(f"{name}: {where}{fault.detail or 'took too long'}; a visit that fails counts as a death")
        return replace(found, agent=name)


def _show(line: str) -> None:
    """What an agent of the user's own prints, on the standard error stream."""
    err.print(f"[dim]|[/] {escape(visible(line))}", soft_wrap=True)


def _compare_own(
    names: list[str],
    listed: Sequence[World] | None,
    own: _Own,
    made: tuple[Cave, int, bool],
    seed: int,
    out: Path | None,
    lang: str,
    as_json: bool,
) -> None:
    """Agents of the house and of the user's own in the same caves: those of a file, or random ones."""
    from plyground.subjects.wumpus.agents import AGENTS
    from plyground.subjects.wumpus.statistics import MOST_WORLDS, visit_worlds
    from plyground.subjects.wumpus.world import make_world

    cave, count, solvable = made
    if listed is None and not 1 <= count <= MOST_WORLDS:
        raise BadOption(f"the number of worlds is from 1 to {MOST_WORLDS:,}, not {count}")
    worlds = listed or [make_world(cave, seed=seed + number, solvable=solvable) for number in range(count)]
    names = list(AGENTS) if names == ["all"] else names
    rows, done = [], 0
    with progress_bar("exploring caves") as show:

        def advance() -> None:
            nonlocal done
            done += 1
            show(done / (len(worlds) * len(names)))

        for name in names:
            visited = own.visits(name, worlds, advance) if name in own.agents else None
            rows.append(visited or visit_worlds(name, worlds, seed=seed, on_visit=advance))
    _tell(rows, len(worlds), seed, "of the file" if listed is not None else "", out, lang, as_json)


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
    out.print(
        f"[bold]{escape(agent)}[/]: {end}{gold}, score {final.score} after {final.steps} actions  [dim](seed {seed})[/]"
    )


def _compare(
    names: list[str], worlds: int, cave: Any, seed: int, solvable: bool, out: Path | None, lang: str, as_json: bool
) -> None:
    from plyground.subjects.wumpus.agents import AGENTS
    from plyground.subjects.wumpus.statistics import compare_agents

    chosen = list(AGENTS) if names == ["all"] else names
    with progress_bar("exploring caves") as show:
        rows = compare_agents(chosen, worlds=worlds, cave=cave, seed=seed, solvable=solvable, on_progress=show)
    _tell(rows, worlds, seed, "", out, lang, as_json)


def _tell(
    rows: list[Statistics], worlds: int, seed: int, source: str, out: Path | None, lang: str, as_json: bool
) -> None:
    if as_json:
        answer = [picked(row, "agent", "mean", "margin", "gold", "died", "steps") for row in rows]
        print_json({"worlds": worlds, "seed": seed, "agents": answer})
    else:
        _print_rows(rows, worlds, seed, source)
    if out is not None:
        from plyground.pictures.picture_file import write_picture
        from plyground.subjects.wumpus.pictures import scores_svg

        write_picture(out, scores_svg(rows, lang=lang), "Wumpus")


def _print_rows(rows: list[Statistics], worlds: int, seed: int, source: str = "") -> None:
    columns = "agent", "mean score", "gold", "dead", "actions"
    table = plain_table(*columns, left=("agent",), whole=columns)
    for row in rows:
        score = f"{row.mean:.1f} ± {row.margin:.1f}"
        table.add_row(escape(row.agent), score, f"{100 * row.gold:.1f}%", f"{100 * row.died:.1f}%", f"{row.steps:.1f}")
    out.print(table)
    out.print(f"[dim]{worlds:,} worlds{f' {source}' if source else f', seeds from {seed}'}; ± is the 95% interval[/]")
