"""What the commands share: the two streams, options, progress, tables, JSON, and how a command ends."""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import re
import sys
import time as clock
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from plyground.core.files import check_writable
from plyground.errors import BadOption, PlygroundError

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = [
    "GameArgument", "GameSeedOption", "JsonFlag", "LangOption", "LinesJsonFlag", "OutOption", "ProgressBar",
    "SeedOption", "Show", "check_out", "chosen_seed", "compile_note", "done_each", "err", "note", "out", "picked",
    "plain_table", "print_json", "print_rows", "progress_bar", "run_app",
]  # fmt: skip

T = TypeVar("T")
R = TypeVar("R")

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

INTERRUPTED = 130
DISK_ERRORS = {
    getattr(errno, name)
    for name in ["EACCES", "EDQUOT", "EFBIG", "EIO", "ENOSPC", "ENOTDIR", "EPERM", "EROFS"]
    if hasattr(errno, name)
}
"""What a full, broken or read-only disk answers; everything else is a fault of this program."""
PATIENCE = 2.0
"""Seconds of work before a bar appears."""

GameArgument = Annotated[str, typer.Argument(help="A game with options, a tree file or a Python file.")]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
LinesJsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for programs, an object a line.")]
LangOption = Annotated[str, typer.Option(help="Language of the picture: en or zh.")]
OutOption = Annotated[Path | None, typer.Option(help="Write a picture (SVG) to this file.")]
SeedOption = Annotated[int | None, typer.Option(help="The same seed gives the same numbers.")]
GameSeedOption = Annotated[int | None, typer.Option(help="The same seed plays the same game.")]


def chosen_seed(seed: int | None) -> int:
    """The seed that was given, or else a random one."""
    from plyground.native.randomness import fresh_seed

    return fresh_seed() if seed is None else seed


def check_out(
    path: Path | None, *endings: str, option: str = "--out", inputs: Iterable[str | Path | None] = ()
) -> None:
    """Refuse a name with another ending, or a place that cannot be written, before the work; None is no file.

    `inputs` are what else the command was given, specs such as tree:file=x.json too: none of these files is replaced.
    """
    if path is None:
        return
    if endings and path.suffix.lower() not in endings:
        known = " or ".join(filter(None, (", ".join(endings[:-1]), endings[-1])))
        raise BadOption(f"{option} must end in {known}, not '{path.name}'")
    check_writable(path, option)
    for text in map(str, filter(None, inputs)):
        for name in (text, *re.split("[=,]", text)):
            # Beside a database lie files that belong to it.
            if any(_same_file(path, name + beside) for beside in ("", "-wal", "-shm", "-journal")):
                raise BadOption(f"{option} would replace '{path}', which is read here; name another file")


def _same_file(path: Path, text: str) -> bool:
    try:
        return bool(text) and (os.path.realpath(path) == os.path.realpath(text) or path.samefile(text))
    except (OSError, ValueError):  # not there, or no name of a file at all
        return False


# Results ------------------------------------------------------------------------------------------------------------


def print_json(value: Any) -> None:
    """Print a line of JSON at once; what is not a finite number, such as the error of a single run, becomes null."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)
    typer.echo(text)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def picked(thing: object, *names: str) -> dict[str, Any]:
    """Some attributes of a thing, for JSON."""
    return {name: getattr(thing, name) for name in names}


def plain_table(*columns: str, left: Collection[str] = (), whole: Collection[str] = (), **looks: Any) -> Table:
    """A table without a frame: figures at the right, the columns of `left` at the left; `whole` ones are not broken."""
    table = Table(show_edge=False, pad_edge=False, header_style="bold", **looks)
    for column in columns:
        table.add_column(
            column,
            justify="left" if column in left else "right",
            no_wrap=column in whole,
            overflow="ellipsis" if column in whole else "fold",
        )
    return table


def print_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print records that have the same fields as a table; None is an empty cell."""
    table = plain_table(*(name.replace("_", " ") for name in rows[0]))
    for row in rows:
        table.add_row(*map(_cell, row.values()))
    out.print(table)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


# Progress -----------------------------------------------------------------------------------------------------------


class Show(Protocol):
    """Says how much is done: a part of 1, or a number of a total, which may be unknown; and what is being done."""

    def __call__(self, done: float, total: float | None = 1.0, what: str = "") -> None: ...


class ProgressBar:
    """The bar that all commands have, to be drawn by itself or within something else; `unit` is what is counted."""

    def __init__(self, what: str = "", unit: str = "", **settings: Any) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.what, self.unit = what, unit
        columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[amount]}")
        # What is printed meanwhile stays on its own stream.
        self.picture: Progress = Progress(
            *columns, TimeRemainingColumn(), console=err, transient=True, redirect_stdout=False, **settings
        )
        self._task = self.picture.add_task(escape(what), total=None, amount="")

    def show(self, done: float, total: float | None = 1.0, what: str = "") -> None:
        """Move the bar; it does not draw, unless it draws itself all the time."""
        if total == 1.0 and not self.unit:
            amount = f"{done:.0%}"
        else:
            amount = f"{done:,}{'' if total is None else f'/{total:,}'} {self.unit}"
        if done < self.picture.tasks[0].completed:  # another count begins, with a speed of its own
            self.picture.reset(self._task)
        what = ": ".join(filter(None, (self.what, what)))
        self.picture.update(self._task, description=escape(what), completed=done, total=total, amount=amount)


@contextlib.contextmanager
def progress_bar(what: str = "", unit: str = "", *, quiet: bool = False, threadless: bool = False) -> Iterator[Show]:
    """A bar on standard error, if that is a terminal: appears when the work has taken two seconds, and goes with it.

    Without `unit` the parts of 1 are shown as percentages. A `threadless` bar is drawn when it is updated, and
    takes no time between.
    """
    if quiet or not err.is_terminal:
        yield lambda done, total=1.0, what="": None
        return
    bar = ProgressBar(what, unit, auto_refresh=not threadless)
    begin = clock.monotonic()

    def show(done: float, total: float | None = 1.0, what: str = "") -> None:
        bar.show(done, total, what)
        if not bar.picture.live.is_started and clock.monotonic() - begin > PATIENCE:
            bar.picture.start()
        elif threadless:
            bar.picture.refresh()

    try:
        yield show
    finally:
        if bar.picture.live.is_started:
            bar.picture.stop()


def done_each(what: str, items: Sequence[T], work: Callable[[T, Callable[[float], None]], R]) -> list[R]:
    """What the work makes of each item, under one bar; the work says which part of an item is done."""

    def part_of(number: int) -> Callable[[float], None]:
        return lambda part: show((number + part) / len(items))

    with progress_bar(what) as show:
        return [work(item, part_of(number)) for number, item in enumerate(items)]


# Notes and ends -----------------------------------------------------------------------------------------------------


def note(text: str) -> None:
    """Say on standard error what a reader of the result should know."""
    err.print(f"[yellow]note:[/] {escape(text)}", soft_wrap=True)


@contextlib.contextmanager
def compile_note() -> Iterator[None]:
    """Tell people, once a run, that the first start takes longer because code is being compiled."""
    from plyground.native.compiling import cache_folder, on_compile

    told = False

    def listen(what: str, starting: bool) -> None:
        nonlocal told
        if starting and not told:
            kept = "; this happens once and is kept for the next start" if cache_folder() else ""
            err.print(f"[dim]Compiling {what} to machine code{kept} ...[/]")
            told = True

    with on_compile(listen):
        yield


def run_app(app: Callable[..., Any]) -> int:
    """Run a Typer app; every failure is one line. Returns the exit status: 0, 1 (stopped) or 2 (wrong)."""
    warnings.showwarning = lambda message, *_, **__: note(str(message))
    warnings.filterwarnings("ignore", module="numba")
    try:
        answer = app(standalone_mode=False)
        sys.stdout.flush()  # here a full disk can be told; at the end of the process nobody could
        if answer == INTERRUPTED:  # Typer's answer to Ctrl-C
            raise KeyboardInterrupt
        return answer if isinstance(answer, int) else 0  # a command's own `typer.Exit`
    except typer.TyperException as error:  # unknown commands and options, bad values
        context = getattr(error, "ctx", None)
        where = context.command_path if context else "plyground"
        message = getattr(error, "format_message", error.__str__)().rstrip().rstrip(".")
        _say_error(f"{message}; see {where} --help")
        return 2
    except PlygroundError as error:
        _say_error(str(error))
        return 2
    except (KeyboardInterrupt, typer.Abort):
        err.print("stopped")
        return 1
    except typer.Exit as error:
        return error.exit_code
    except BrokenPipeError:  # whoever was reading has gone, as with `| head`
        sys.stderr.close()
        return 1
    except OSError as error:
        if error.errno not in DISK_ERRORS:
            raise
        _say_error(f"cannot read or write {error.filename or 'the output'}: {error.strerror}")
        with contextlib.suppress(OSError):  # what is left would be tried again at the end of the process
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2


def _say_error(message: str) -> None:
    err.print(f"[bold red]error:[/] {escape(' '.join(message.split()))}", soft_wrap=True)
