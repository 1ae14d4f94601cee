"""The entry of ``python -m benchmarks`` and of ``plyground bench``."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import itertools
import json
import platform
from importlib import metadata
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.harness import Comparison, Report, compare, one_core, report_table
from plyground.cli.console import err, out
from plyground.errors import PlygroundError, UnknownName, suggestion

__all__ = ["BENCHMARKS", "main", "run"]

BENCHMARKS = (
    "endgame",
    "mcts",
    "midgame",
    "minimax",
    "nash",
    "pacman",
    "perft",
    "playouts",
    "queens",
    "referee",
    "rollout",
    "search",
    "solving",
    "startup",
    "stops",
)


def run(name: str | None, repeats: int, as_json: bool) -> None:
    """Measure one benchmark and print its tables, or JSON; without a name, list the benchmarks."""
    if name is None:
        _list(as_json)
        return
    if name not in BENCHMARKS:
        raise UnknownName(f"there is no benchmark '{name}'{suggestion(name, BENCHMARKS)}")
    reports: list[Report] = []
    notes: list[str] = []
    with one_core(), contextlib.closing(_module(name).comparisons()) as comparisons:
        for comparison in comparisons:
            reports.append(_measured(comparison, repeats))
            notes += [note for note in comparison.notes if note not in notes]
    if as_json:
        answer = {
            "benchmark": name,
            "repeats": repeats,
            "versions": _versions(),
            "comparisons": [report.as_dict() for report in reports],
            "notes": notes,
        }
        print(json.dumps(answer, ensure_ascii=False))
        return
    for report in reports:
        out.print(report_table(report), "", highlight=False)
    rounds = f"{repeats} interleaved repeats" if repeats > 1 else "one repeat"
    versions = ", ".join(f"{program} {version}" for program, version in _versions().items())
    out.print(f"Medians of {rounds} on one core; {versions}", highlight=False, soft_wrap=True)
    for note in notes:
        out.print(note, highlight=False, markup=False, soft_wrap=True)


def _module(name: str) -> Any:
    return importlib.import_module(f"benchmarks.{name}")


def _list(as_json: bool) -> None:
    lines = {name: (_module(name).__doc__ or "").partition("\n")[0] for name in BENCHMARKS}
    if as_json:
        print(json.dumps({"benchmarks": [{"name": name, "description": line} for name, line in lines.items()]}))
        return
    for name, line in lines.items():
        out.print(f"[bold]{name:<10}[/]{line}", highlight=False, soft_wrap=True)


def _measured(comparison: Comparison, repeats: int) -> Report:
    # Drawn between the runs only: a thread that draws would share the core with what is measured.
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=err, transient=True, auto_refresh=False, disable=not err.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task(comparison.title, total=len(comparison.subjects) * (repeats + 1))
        done = itertools.count()

        def before_run(subject: str) -> None:
            progress.update(task, completed=next(done), description=f"{comparison.title}: {subject}", refresh=True)

        return compare(comparison, repeats, before_run)


def _versions() -> dict[str, str]:
    versions = {"Python": platform.python_version()}
    for package in ("plyground", "numba", "open_spiel", "nashpy", "pygambit", "simpleai"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[package] = metadata.version(package)
    return versions


def main() -> None:
    """Read the command line; exit status 0, 1 (stopped) or 2 (wrong), as the `plyground` command has it."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks", description="Measure speed against named peers in one run."
    )
    parser.add_argument("name", nargs="?", help="which benchmark; without one they are listed")
    parser.add_argument("--repeats", type=int, default=5, help="interleaved repeats; the median counts (5)")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    arguments = parser.parse_args()
    try:
        run(arguments.name, arguments.repeats, arguments.json)
    except PlygroundError as error:
        parser.exit(2, f"error: {error}\n")
    except KeyboardInterrupt:
        parser.exit(1, "stopped\n")


if __name__ == "__main__":
    main()
