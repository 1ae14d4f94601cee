"""The command line: thin commands over the library. Every error is one line; status 0, 1 (stopped) or 2 (wrong)."""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from plyground import __version__
from plyground.cli.analyze import analyze_command
from plyground.cli.arena import arena_command
from plyground.cli.bandit import bandit_command
from plyground.cli.battleship import battleship_command
from plyground.cli.bench import bench_command
from plyground.cli.board_argument import TakesBoards
from plyground.cli.book import book_command
from plyground.cli.botzone import botzone_command
from plyground.cli.bridge import bridge_command
from plyground.cli.cfr import cfr_command
from plyground.cli.console import err, out
from plyground.cli.db import db_app
from plyground.cli.endgame import endgame_command
from plyground.cli.games import games_command
from plyground.cli.gtp import gtp_command
from plyground.cli.matrix import matrix_app
from plyground.cli.nboard import nboard_command
from plyground.cli.pacman import pacman_command
from plyground.cli.perft import perft_command
from plyground.cli.pi import pi_command
from plyground.cli.play import play_command
from plyground.cli.players import players_command
from plyground.cli.queens import queens_command
from plyground.cli.saiblo import saiblo_command
from plyground.cli.solve import solve_command
from plyground.cli.train import train_app
from plyground.cli.tree import tree_command
from plyground.cli.web import serve, web_command
from plyground.cli.wumpus import wumpus_command
from plyground.errors import PlygroundError

if TYPE_CHECKING:
    pass

app = typer.Typer(
    name="plyground",
    help="Adversarial search, readable, visible, playable and fast.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

INTERRUPTED = 130


def main() -> None:
    """The command's entry: turns every failure into one line and an exit status."""
    warnings.showwarning = _show_warning
    warnings.filterwarnings("ignore", module="numba")
    status = 0
    try:
        answer = app(standalone_mode=False)
        if answer == INTERRUPTED:  # Typer's answer to Ctrl-C
            raise KeyboardInterrupt
        if isinstance(answer, int):  # a command's own `typer.Exit`
            status = answer
    except typer.TyperException as error:  # unknown commands and options, bad values
        context = getattr(error, "ctx", None)
        where = context.command_path if context else "plyground"
        message = " ".join(getattr(error, "format_message", error.__str__)().split()).rstrip(".")
        err.print(f"[bold red]error:[/] {escape(message)}; see {where} --help", highlight=False, soft_wrap=True)
        status = 2
    except PlygroundError as error:
        err.print(f"[bold red]error:[/] {escape(' '.join(str(error).split()))}", highlight=False, soft_wrap=True)
        status = 2
    except (KeyboardInterrupt, typer.Abort):
        err.print("stopped", highlight=False)
        status = 1
    except typer.Exit as error:
        status = error.exit_code
    except BrokenPipeError:  # whoever was reading has gone, as with `| head`
        sys.stderr.close()
        status = 1
    sys.exit(status)


def _show_warning(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
    err.print(f"[yellow]note:[/] {escape(str(message))}", highlight=False, soft_wrap=True)


@contextlib.contextmanager
def _compile_notes() -> Iterator[None]:
    """Tell people, once a run, that the first start takes longer because code is being compiled."""
    from plyground.native.compiling import on_compile

    told = False

    def listen(what: str, starting: bool) -> None:
        nonlocal told
        if starting and not told:
            err.print(f"[dim]Compiling {what} to machine code; this happens once and is kept for the next start ...[/]")
            told = True

    with on_compile(listen):
        yield


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.", is_eager=True)] = False,
) -> None:
    """Adversarial search, readable, visible, playable and fast.

    Without a command the app opens in the browser; the same as plyground web.
    """
    if version:
        out.print(f"plyground {__version__}", highlight=False)
        raise typer.Exit
    if context.invoked_subcommand is None:
        serve()
    elif context.invoked_subcommand != "web":  # whose compiling is done by other processes
        context.with_resource(_compile_notes())


app.command("games")(games_command)
app.command("players")(players_command)
app.command("play")(play_command)
app.command("perft")(perft_command)
app.command("web")(web_command)
app.command("bandit")(bandit_command)
app.command("pi")(pi_command)
app.command("queens", context_settings={"ignore_unknown_options": True})(queens_command)  # -1 is a number
app.command("wumpus")(wumpus_command)
app.command("cfr")(cfr_command)
app.command("pacman")(pacman_command)
app.command("battleship")(battleship_command)
app.command("bridge")(bridge_command)
app.command("endgame")(endgame_command)
app.command("book")(book_command)
app.command("tree")(tree_command)
app.command("solve", cls=TakesBoards)(solve_command)
app.command("analyze", cls=TakesBoards)(analyze_command)
app.command("arena")(arena_command)
app.command("gtp")(gtp_command)
app.command("nboard")(nboard_command)
app.command("botzone")(botzone_command)
app.command("saiblo")(saiblo_command)
app.command("bench")(bench_command)
app.add_typer(train_app, name="train")
app.add_typer(db_app, name="db")
app.add_typer(matrix_app, name="matrix")


if __name__ == "__main__":
    main()
