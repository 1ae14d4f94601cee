"""The command ``plyground queens``."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from plyground.cli import console
from plyground.cli.cage_option import CageOption, chosen_cage
from plyground.core.files import write_file
from plyground.errors import BadOption
from plyground.visible_text import visible

if TYPE_CHECKING:
    from plyground.subjects.queens.min_conflicts import Method
    from plyground.subjects.queens.placement import Queens
    from plyground.subjects.queens.rivals import Measured

__all__ = ["queens_command"]


def queens_command(
    n: Annotated[str, typer.Argument(metavar="N", help="How many queens, on a board of N times N squares.")],
    start: Annotated[str, typer.Option(help="greedy, permutation or random.")] = "greedy",
    choice: Annotated[str, typer.Option(help="Which queen under attack moves: random or first.")] = "random",
    walk: Annotated[float, typer.Option(help="Probability of a move to any row.")] = 0.0,
    tabu: Annotated[int, typer.Option(help="Steps during which a queen does not return to a row.")] = 0,
    restart: Annotated[int | None, typer.Option(help="Restart after this many steps; 0 for never.")] = None,
    max_steps: Annotated[int | None, typer.Option(help="Give up after this many steps in all.")] = None,
    solver: Annotated[
        str, typer.Option(help="A function of your own, file.py:solve; it runs in a cage, and is checked and timed.")
    ] = "",
    time: Annotated[float, typer.Option(help="Seconds for the answer of --solver.")] = 60.0,
    cage: CageOption = "plain",
    runs: Annotated[int, typer.Option(help="Solve it this many times, and show the medians.")] = 1,
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare with hill climbing and backtracking, on boards up to N.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same queens.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the board (.svg, .png), the search step by step (.html), or the plot.")
    ] = None,
    lang: console.LangOption = "en",
    as_json: console.JsonFlag = False,
) -> None:
    """Place N queens so that none attacks another, by min-conflicts.

    Example: plyground queens 1000000 --seed 7

    Example: plyground queens 50 --solver solver.py:solve
    """
    from plyground.pictures.picture_file import PICTURE_FORMATS, write_picture
    from plyground.pictures.player_words import check_language
    from plyground.subjects.queens.min_conflicts import Method
    from plyground.subjects.queens.placement import check_size

    size = check_size(_number(n))
    method = Method(start, choice, walk, tabu, restart)
    check_language(lang)
    if runs < 1:
        raise BadOption(f"--runs must be at least 1, not {runs}")
    if max_steps is not None and max_steps < 0:
        raise BadOption(f"--max-steps is a number of steps, not {max_steps}")
    console.check_out(out, *PICTURE_FORMATS)
    seed = console.chosen_seed(seed)
    if solver:
        if compare or runs != 1 or (out is not None and out.suffix.lower() == ".html"):
            raise BadOption("--solver answers once; it goes without --compare, --runs and a film")
        _check_own(size, solver, time, seed, cage, out, lang, as_json)
        return
    if compare:
        _compare(size, runs, seed, out, as_json)
        return
    if out is not None and out.suffix.lower() == ".html":
        from plyground.subjects.queens.pictures import queens_film

        write_file(out, queens_film(size, method, seed=seed, lang=lang).encode())
    found = _solve(size, method, seed, runs, max_steps)
    if out is not None and out.suffix.lower() != ".html" and found[0].rows is not None:
        from plyground.subjects.queens.pictures import queens_svg

        write_picture(out, queens_svg(found[0].rows, lang=lang), "Queens")
    if as_json:
        _print_facts(found)
    else:
        _print(found)
    if not found[0].solved and max_steps is not None:
        raise typer.Exit(1)


def _check_own(
    n: int, solver: str, seconds: float, seed: int, cage: str, out: Path | None, lang: str, as_json: bool
) -> None:
    """Ask a function of the user's own, and say whether its answer is right; status 1 if it is not."""
    from plyground.course.handins.assignments import ASSIGNMENTS
    from plyground.course.handins.queens_marks import placement_fault
    from plyground.course.handins.student_program import StudentProgram, named_in_file

    if n in (2, 3):
        raise BadOption(f"{n} queens cannot be placed so that none attacks another; ask for another number")
    if not 0 < seconds <= 1e6:
        raise BadOption(f"--time must be a positive number of seconds, not {seconds:g}")
    file, name = named_in_file(solver, "--solver", "solver.py:solve")
    chosen_cage(cage, [f"course:file={file}"])
    given = ASSIGNMENTS["queens"].folder
    with (
        console.progress_bar("asking the solver"),
        StudentProgram(file, name, given=given, timeout=seconds, seed=seed, cage=cage, on_output=_show) as program,
    ):
        rows = program.call(n)
    fault, taken = placement_fault(n, rows), program.seconds
    if as_json:
        answer = {"n": n, "seed": seed, "solved": not fault, "fault": fault, "seconds": taken}
        console.print_json({**answer, "memory": program.most_memory, "rows": rows if not fault else None})
    elif fault:
        console.out.print(f"wrong after {taken:.3f} s: {escape(visible(fault))}  [dim](seed {seed})[/]", soft_wrap=True)
    else:
        if n <= 20:
            for row in range(n):
                console.out.print(" ".join("Q" if place == row else "." for place in rows))
        memory = f"{program.most_memory / 1e6:.0f} MB"
        console.out.print(f"{n:,} queens placed and verified, {taken:.3f} s, {memory}  [dim](seed {seed})[/]")
    if fault:
        raise typer.Exit(1)
    if out is not None:
        import numpy as np

        from plyground.pictures.picture_file import write_picture
        from plyground.subjects.queens.pictures import queens_svg

        write_picture(out, queens_svg(np.array(rows), lang=lang), "Queens")


def _show(line: str) -> None:
    """What a function of the user's own prints, on the standard error stream."""
    console.err.print(f"[dim]|[/] {escape(visible(line))}", soft_wrap=True)


def _number(text: str) -> int:
    plain = text.strip().replace(",", "").replace("_", "")
    try:
        return int(plain)
    except ValueError:
        raise BadOption(f"N is a whole number of queens, such as 8 or 1000000, not '{text[:40]}'") from None


def _solve(n: int, method: Method, seed: int, runs: int, max_steps: int | None) -> list[Queens]:
    from plyground.subjects.queens.min_conflicts import solve_queens

    return console.done_each(
        "placing queens",
        range(seed, seed + runs),
        lambda one, tell: solve_queens(n, method, seed=one, max_steps=max_steps, on_progress=tell),
    )


def _print_facts(found: list[Queens]) -> None:
    from plyground.subjects.queens.placement import is_solution

    first = found[0]
    answer: dict[str, Any] = {
        "n": first.n,
        "seed": first.seed,
        "solved": first.solved,
        "verified": first.rows is not None and is_solution(first.rows),
        **console.picked(first, "steps", "all_steps", "restarts"),
        "attacked_at_start": first.attacked,
        "seconds": first.seconds,
        "rows": None if first.rows is None else first.rows.tolist(),
    }
    if len(found) > 1:
        answer["runs"] = [
            {"seed": one.seed, "solved": one.solved, "steps": one.all_steps, "seconds": one.seconds} for one in found
        ]
        answer["median_steps"] = statistics.median(one.all_steps for one in found)
        answer["median_seconds"] = statistics.median(one.seconds for one in found)
    console.print_json(answer)


def _print(found: list[Queens]) -> None:
    from plyground.subjects.queens.placement import NO_SOLUTION, is_solution

    first = found[0]
    if first.n in NO_SOLUTION:
        console.out.print(f"no solution: {first.n} queens cannot be placed so that none attacks another")
        return
    if len(found) > 1:
        solved, median = sum(one.solved for one in found), statistics.median(one.all_steps for one in found)
        console.out.print(
            f"{first.n:,} queens, {len(found)} runs, {solved} solved; median {median:g} steps, "
            f"{statistics.median(one.seconds for one in found):.3f} s  [dim](seeds from {first.seed})[/]",
        )
        return
    if first.rows is None:
        console.out.print(f"not solved after {first.all_steps:,} steps  [dim](seed {first.seed})[/]")
        return
    if first.n <= 20:
        for row in range(first.n):
            console.out.print(" ".join("Q" if place == row else "." for place in first.rows))
    assert is_solution(first.rows)
    again = f", {first.restarts} restarts" if first.restarts else ""
    queens = "1 queen" if first.n == 1 else f"{first.n:,} queens"
    console.out.print(
        f"{queens} placed and verified; {first.attacked} under attack after the start, {first.steps} "
        f"{'step' if first.steps == 1 else 'steps'}{again}, {first.seconds:.3f} s  [dim](seed {first.seed})[/]",
    )


def _compare(n: int, runs: int, seed: int, out: Path | None, as_json: bool) -> None:
    from plyground.subjects.queens.rivals import measure_queens, sizes_up_to

    if out is not None and out.suffix.lower() == ".html":
        raise BadOption("--compare makes a plot; let --out end in .svg or .png")
    sizes = sizes_up_to(n)
    with console.progress_bar("comparing") as show:
        rows = measure_queens(sizes, runs=max(runs, 5), seed=seed, on_progress=show)
    if as_json:
        console.print_json({"seed": seed, "rows": [vars(row) for row in rows]})
    else:
        _print_rows(rows, seed)
    if out is not None:
        from plyground.pictures.picture_file import write_picture
        from plyground.subjects.queens.pictures import comparison_svg

        write_picture(out, comparison_svg(rows), "Queens")


def _print_rows(rows: list[Measured], seed: int) -> None:
    figures = "queens", "solved", "median steps", "median time"
    table = console.plain_table("way", *figures, left=("way",), whole=figures)
    for row in rows:
        table.add_row(row.rival, f"{row.n:,}", f"{100 * row.success:.0f}%", f"{row.steps:,.0f}", f"{row.seconds:.5f} s")
    console.out.print(table)
    note = f"at least 5 runs each, 1 of backtracking; given up after 100,000 steps; seed {seed}"
    console.out.print(f"[dim]{note}[/]")
