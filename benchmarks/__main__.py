"""The entry of ``python -m benchmarks`` and of ``plyground bench``."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import platform
import sys
from importlib import metadata
from typing import Any

import typer

from benchmarks.harness import Comparison, Report, compare, one_core, report_table
from plyground.cli.bench import bench_command
from plyground.cli.console import out, print_json, progress_bar, run_app
from plyground.errors import UnknownName, suggestion

__all__ = ["BENCHMARKS", "main", "run"]

BENCHMARKS = (
    "cage",
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
        print_json(answer)
        return
    for report in reports:
        out.print(report_table(report), "")
    rounds = f"{repeats} interleaved repeats" if repeats > 1 else "one repeat"
    versions = ", ".join(f"{program} {version}" for program, version in _versions().items())
    out.print(f"Medians of {rounds} on one core; {versions}", soft_wrap=True)
    for note in notes:
        out.print(note, markup=False, soft_wrap=True)


def _module(name: str) -> Any:
    return importlib.import_module(f"benchmarks.{name}")


def _list(as_json: bool) -> None:
    lines = {name: (_module(name).__doc__ or "").partition("\n")[0] for name in BENCHMARKS}
    if as_json:
        print_json({"benchmarks": [{"name": name, "description": line} for name, line in lines.items()]})
        return
    for name, line in lines.items():
        out.print(f"[bold]{name:<10}[/]{line}", soft_wrap=True)


def _measured(comparison: Comparison, repeats: int) -> Report:
    # Drawn between the runs only: a thread that draws would share the core with what is measured.
    with progress_bar(comparison.title, "runs", threadless=True) as show:
        done = itertools.count()

        def before_run(subject: str) -> None:
            show(next(done), len(comparison.subjects) * (repeats + 1), subject)

        return compare(comparison, repeats, before_run)


def _versions() -> dict[str, str]:
    versions = {"Python": platform.python_version()}
    for package in ("plyground", "numba", "open_spiel", "nashpy", "pygambit", "simpleai"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[package] = metadata.version(package)
    return versions


def main() -> None:
    """Read the command line, which is that of ``plyground bench``."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(bench_command)
    sys.exit(run_app(app))


if __name__ == "__main__":
    main()
