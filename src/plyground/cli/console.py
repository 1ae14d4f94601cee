"""What the commands share: the two streams, options, progress, tables, JSON, and how a command ends."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import math
import os
import re
import sys
import threading
import time as clock
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import typer
from rich.markup import escape
from rich.table import Table

from plyground.core.files import check_writable
from plyground.errors import BadOption, PlygroundError
from plyground.pictures.terminal import Terminal
from plyground.signals import Interruptible
from plyground.visible_text import ACTING

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = [
    "GameArgument", "GameSeedOption", "JsonFlag", "LangOption", "LinesJsonFlag", "OutOption", "ProgressBar",
    "SeedOption", "Show", "check_out", "chosen_seed", "compile_note", "done_each", "err", "note", "out", "picked",
    "plain_table", "print_json", "print_rows", "progress_bar", "run_app",
]  # fmt: skip

T = TypeVar("T")
R = TypeVar("R")


out = Terminal()
err = Terminal(stderr=True)

STOPPED = 1
WRONG = 2
INTERRUPTED = 130
"""Typer's answer to Ctrl-C."""
DISK_ERRORS = {
    getattr(errno, name)
    for name in ["EACCES", "EDQUOT", "EFBIG", "EIO", "ELOOP", "ENAMETOOLONG", "ENOSPC", "ENOTDIR", "EPERM", "EROFS"]
    if hasattr(errno, name)
}
"""What a full, broken or read-only disk answers, or one that gets an impossible name; all else is our own fault."""
SHORTAGES = {errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
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
    ascii_only = not out.encoding.startswith("utf")
    try:
        text = json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=ascii_only, allow_nan=False)
    typer.echo(ACTING.sub(lambda found: f"\\u{ord(found[0]):04x}", text))  # in texts alone: all else is plain


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
        columns = (
            TextColumn("{task.description}", markup=False),  # names of files and games are among it
            BarColumn(),
            TextColumn("{task.fields[amount]}", markup=False),
        )
        # What is printed meanwhile stays on its own stream.
        self.picture: Progress = Progress(
            *columns, TimeRemainingColumn(), console=err, transient=True, redirect_stdout=False, **settings
        )
        self._task = self.picture.add_task(what, total=None, amount="")

    def show(self, done: float, total: float | None = 1.0, what: str = "") -> None:
        """Move the bar; it does not draw, unless it draws itself all the time."""
        if total == 1.0 and not self.unit:
            amount = f"{done:.0%}"
        else:
            amount = f"{done:,}{'' if total is None else f'/{total:,}'} {self.unit}"
        if done < self.picture.tasks[0].completed:  # another count begins, with a speed of its own
            self.picture.reset(self._task)
        what = ": ".join(filter(None, (self.what, what)))
        self.picture.update(self._task, description=what, completed=done, total=total, amount=amount)


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
    # Work that says nothing of itself for long is seen to go on all the same.
    impatient = threading.Timer(PATIENCE, bar.picture.start)
    impatient.daemon = True
    if not threadless:
        impatient.start()

    def show(done: float, total: float | None = 1.0, what: str = "") -> None:
        bar.show(done, total, what)
        if threadless and not bar.picture.live.is_started and clock.monotonic() - begin > PATIENCE:
            bar.picture.start()
        elif threadless:
            bar.picture.refresh()

    try:
        yield show
    finally:
        impatient.cancel()
        if not threadless:
            impatient.join()
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
    _say(f"[yellow]note:[/] {escape(text)}")


@contextlib.contextmanager
def compile_note() -> Iterator[None]:
    """Tell people, once a run, that the first start takes longer because code is being compiled."""
    from plyground.native.compiling import cache_folder, on_compile

    told = False

    def listen(what: str, starting: bool) -> None:
        nonlocal told
        if starting and not told:
            kept = "; this happens once and is kept for the next start" if cache_folder() else ""
            _say(f"[dim]Compiling {escape(what)} to machine code{kept} ...[/]")
            told = True

    with on_compile(listen):
        yield


def run_app(app: Callable[..., Any]) -> int:
    """Run a Typer app; every failure is one line.

    Returns the exit status: 0, 1 (stopped by a wish, or by whoever reads the output), 2 (wrong), or 128 and the number
    of the signal that has stopped it.
    """
    _mend_streams()
    warnings.showwarning = lambda message, *_, **__: note(str(message))
    warnings.filterwarnings("ignore", module="numba")
    interruptible = Interruptible()
    try:
        with interruptible:
            answer = app(standalone_mode=False)
            sys.stdout.flush()  # here a full disk can be told; at the end of the process nobody could
            if answer == INTERRUPTED:
                raise KeyboardInterrupt
            return answer if isinstance(answer, int) else 0  # a command's own `typer.Exit`
    except BaseException as error:
        # A signal may come out as anything, for instance as a module that could not be imported.
        failure = KeyboardInterrupt() if interruptible.came else error
    status = _told(failure)
    return 128 + interruptible.came if interruptible.came else status


def _mend_streams() -> None:
    """Let no text fail for its characters, and no file take the place of a stream that was closed at the start."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            place = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is the stream's own
            setattr(sys, name, os.fdopen(place, "w" if number else "r", encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace" if number else "replace")


def _told(failure: BaseException) -> int:
    """Say what has gone wrong, if anything has; returns the exit status."""
    match failure:
        case typer.TyperException():  # unknown commands and options, bad values
            context = getattr(failure, "ctx", None)
            where = context.command_path if context else "plyground"
            message = getattr(failure, "format_message", failure.__str__)().rstrip().rstrip(".")
            _say_error(f"{message}; see {where} --help")
        case PlygroundError():
            _say_error(str(failure))
        case KeyboardInterrupt() | typer.Abort():
            _say("stopped")
            return STOPPED
        case typer.Exit():
            return failure.exit_code
        case BrokenPipeError() | SystemExit(__context__=BrokenPipeError()):  # from Typer; the reader has gone: `| head`
            _let_go()
            return STOPPED
        case SystemExit():
            _say_error(f"the code of a game or a player has asked to end the program (SystemExit: {failure.code})")
        case MemoryError():
            _say_error("there is not enough memory for this; ask for less of it")
        case OSError() if failure.errno in DISK_ERRORS:
            _say_error(f"cannot read or write {failure.filename or 'the output'}: {failure.strerror}")
            _let_go()
        case OSError() if failure.errno in SHORTAGES:
            _say_error(f"the system gives no more: {failure.strerror}; let it have a higher limit, see ulimit -a")
        case _:
            raise failure
    return WRONG


def _let_go() -> None:
    """Give up what could not be written: it would be tried again at the end of the process."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say_error(message: str) -> None:
    _say(f"[bold red]error:[/] {escape(' '.join(message.split()))}")


def _say(text: str) -> None:
    with contextlib.suppress(OSError):  # where nothing can be said, there is still the status
        err.print(text, soft_wrap=True)
