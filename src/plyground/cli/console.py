"""What the commands share: the two streams, options, and the ways to show progress and results."""

from __future__ import annotations

import contextlib
import json
import time as clock
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

__all__ = ["JsonFlag", "OutOption", "SeedOption", "count_bar", "err", "out", "print_json", "print_row", "progress_bar"]

out = Console()

err = Console(stderr=True)

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]

SeedOption = Annotated[int | None, typer.Option(help="The same seed gives the same numbers.")]

OutOption = Annotated[Path | None, typer.Option(help="Write a picture (SVG) to this file.")]


def print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False))


def print_row(row: dict[str, str]) -> None:
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column in row:
        table.add_column(column, justify="right", overflow="fold")
    table.add_row(*row.values())
    Console().print(table)


@contextlib.contextmanager
def progress_bar(what: str) -> Iterator[Callable[[float], None]]:
    """A bar on standard error that appears when the work has taken two seconds; call it with the part that is done."""
    console = Console(stderr=True)
    bar = Progress(
        TextColumn(what), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(),
        console=console, transient=True, disable=not console.is_terminal,
    )  # fmt: skip
    task = bar.add_task(what, total=1.0)
    begin, shown = clock.monotonic(), False

    def show(part: float) -> None:
        nonlocal shown
        bar.update(task, completed=part)
        if not shown and clock.monotonic() - begin > 2:
            bar.start()
            shown = True

    try:
        yield show
    finally:
        if shown:
            bar.stop()


@contextlib.contextmanager
def count_bar(unit: str) -> Iterator[Callable[[str, int, int], None]]:
    """A bar on standard error that appears when the work has taken a second; call it with what is done, and how far."""
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeElapsedColumn(),
        console=console, transient=True, disable=not console.is_terminal,
    )  # fmt: skip
    task = bar.add_task("", total=1)
    begin, shown = clock.monotonic(), False

    def show(what: str, done: int, total: int) -> None:
        nonlocal shown
        bar.update(task, description=what, completed=done, total=total)
        if not shown and clock.monotonic() - begin > 1:
            bar.start()
            shown = True

    try:
        yield show
    finally:
        if shown:
            bar.stop()
