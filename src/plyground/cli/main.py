"""The command line: thin commands over the library. Every error is one line; status 0, 1 (stopped) or 2 (wrong)."""

from __future__ import annotations

import contextlib
import importlib
import json
import shlex
import sys
import time as clock
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from plyground.cli.analyze import analyze_command
from plyground.cli.arena import arena_command
from plyground.cli.bandit import bandit_command, pi_command
from plyground.cli.battleship import battleship_command
from plyground.cli.board_argument import TakesBoards
from plyground.cli.bridge import bridge_command
from plyground.cli.cfr import cfr_command
from plyground.cli.db import db_app
from plyground.cli.matrix import matrix_app
from plyground.cli.pacman import pacman_command, train_pacman_command
from plyground.cli.protocols import botzone_command, gtp_command, nboard_command, saiblo_command
from plyground.cli.queens import queens_command
from plyground.cli.solve import solve_command
from plyground.cli.tables import book_command, endgame_command
from plyground.cli.train import train_app
from plyground.cli.train_book import train_book_command
from plyground.cli.tree import tree_command
from plyground.cli.web import serve, web_command
from plyground.cli.wumpus import wumpus_command
from plyground.core.registry import Option, Registry
from plyground.errors import BadOption, MissingExtra, PlygroundError, SpecError
from plyground.version import __version__

if TYPE_CHECKING:
    from plyground.core.game import Game
    from plyground.core.played_game import PlayedMove
    from plyground.players import Move

app = typer.Typer(
    name="plyground",
    help="Adversarial search, readable, visible, playable and fast.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
out = Console()
err = Console(stderr=True)

INTERRUPTED = 130

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


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


@app.command()
def games(as_json: JsonFlag = False) -> None:
    """List the games with every option.

    Example: plyground games --json
    """
    from plyground.games import GAMES

    _print_registry(GAMES, "Games", as_json)
    if not as_json:
        out.print("A tree file [bold]x.json[/] or a Python file [bold]x.py[/] is a game too.", highlight=False)


@app.command()
def players(as_json: JsonFlag = False) -> None:
    """List the players with every option.

    Example: plyground players
    """
    from plyground.players import PLAYERS

    _print_registry(PLAYERS, "Players", as_json)


def _print_registry(registry: Registry[Any], title: str, as_json: bool) -> None:
    if as_json:
        listing = [
            {
                "name": name,
                "summary": registry.summary(name),
                "options": [
                    {"name": o.name, "type": o.type, "default": o.default, "required": o.required, "help": o.help}
                    for o in registry.options(name)
                ],
            }
            for name in registry
        ]
        _print_json(listing)
    else:
        _print_table(registry, title)


def _print_table(registry: Registry[Any], title: str) -> None:
    table = Table(title=title, title_justify="left", show_edge=False, pad_edge=False, header_style="bold")
    for column in ("name / option", "type", "default", "what it is"):
        table.add_column(column, overflow="fold", no_wrap=column in ("name / option", "default"))
    for name in registry:
        table.add_row(f"[bold cyan]{name}[/]", "", "", registry.summary(name))
        for option in registry.options(name):
            table.add_row(f"  {option.name}", option.type, _default_text(option), f"[dim]{option.help}[/]")
    out.print(table)


def _default_text(option: Option) -> str:
    if option.required:
        return "(required)"
    if isinstance(option.default, bool):
        return "on" if option.default else "off"
    if isinstance(option.default, tuple):
        return ",".join(map(str, option.default))
    return "" if option.default is None else str(option.default)


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False))


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="A game with options, a tree file or a Python file.")],
    first: Annotated[str | None, typer.Option(help="Who moves first, e.g. human or minimax:depth=6.")] = None,
    second: Annotated[str | None, typer.Option(help="Who moves second.")] = None,
    player: Annotated[list[str] | None, typer.Option(help="For any number of players: one for each seat.")] = None,
    move_time: Annotated[float | None, typer.Option(help="Seconds a move; who takes longer loses.")] = None,
    moves: Annotated[str, typer.Option(help="Go on from these moves, e.g. 'f5 d6 c3'.")] = "",
    seed: Annotated[int | None, typer.Option(help="The same seed plays the same game.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the result.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Play a game in the terminal, or let two players play it.

    Without players named, you meet the computer and the lot decides who moves first.

    Example: plyground play reversi --first human --second minimax:depth=5
    """
    from plyground.arena.referee import FRIENDLY, play_game
    from plyground.core.notation import read_moves
    from plyground.games import make_game
    from plyground.native.randomness import fresh_seed
    from plyground.players import make_player

    if move_time is not None and not move_time > 0:
        raise BadOption(f"--move-time must be a positive number of seconds, not {move_time:g}")
    seed = fresh_seed() if seed is None else seed
    chosen = make_game(game)
    specs = _seating(chosen, [first, second], player or [], seed)
    read_moves(chosen, moves)
    if as_json and any(spec.partition(":")[0] == "human" for spec in specs):
        raise SpecError("--json is for games between programs; a person needs the terminal")
    seated = [make_player(spec, chosen, seed * 1000 + seat + 1) for seat, spec in enumerate(specs)]
    show = not (quiet or as_json)
    if show:
        pairs = ", ".join(f"{seat}: {spec}" for seat, spec in zip(chosen.seats, specs, strict=True))
        out.print(f"[bold]{escape(chosen.name)}[/]  {escape(pairs)}  [dim](seed {seed})[/]", highlight=False)
    turns: list[PlayedMove] = []
    facts: list[dict[str, Any]] = []
    people = [seat for seat, spec in enumerate(specs) if spec.partition(":")[0] == "human"]

    def on_move(turn: PlayedMove, _state: Any, answer: Move) -> None:
        if as_json:
            facts.append(_turn_facts(turn, answer, _before_last(chosen, turns)))
        if show:
            before = _before_last(chosen, turns)
            if chosen.axes.hidden and people:
                line = _seen_line(chosen, len(turns), turn, before, people)
            else:
                line = _turn_line(chosen, len(turns), turn, answer, before)
            out.print(line, highlight=False, soft_wrap=True)

    def waiting(seat: int) -> contextlib.AbstractContextManager[Any]:
        quiet_player = not show or specs[seat].partition(":")[0] == "human"
        return contextlib.nullcontext() if quiet_player else err.status(f"{escape(chosen.seats[seat])} is thinking ...")

    try:
        record = play_game(
            chosen,
            seated,
            seed=seed,
            rules=replace(FRIENDLY, move_time=move_time),
            moves=moves,
            on_move=on_move,
            waiting=waiting,
            record_into=turns,
        )
    except KeyboardInterrupt:
        if not (chosen.axes.hidden and people):  # the moves would show what the people may not see
            _say_how_to_go_on(game, specs, turns, seed)
        raise
    finally:
        for seat in seated:
            seat.close()
    winner = record.winner if len(specs) > 1 else 0  # programs that read this know nothing else of a game of one
    if as_json:
        _print_json(
            {
                "game": chosen.spec,
                "players": specs,
                "seed": seed,
                "moves": facts,
                "returns": list(record.returns),
                "winner": winner,
                "reason": record.reason,
            }
        )
        return
    if show:
        _print_state(record.states(chosen.initial)[-1])
    if winner is not None:
        verdict = f"{chosen.seats[winner]} ({specs[winner]}) wins"
    else:
        verdict = "Draw" if record.complete else "The game ends early"
    reason = "" if record.complete else f": {record.reason}"
    results = ", ".join(f"{seat} {value:+g}" for seat, value in zip(chosen.seats, record.returns, strict=True))
    out.print(f"[bold]{escape(verdict)}[/]{escape(reason)}  [dim]({escape(results)})[/]", highlight=False)


def _seating(game: Game, two: list[str | None], listed: list[str], seed: int) -> list[str]:
    """A spec for every seat; seats left open are filled with the person and the computer, by lot."""
    from plyground.native.randomness import random_below, stream
    from plyground.players import default_opponent

    seats = game.axes.players
    if listed:
        if any(two):
            raise SpecError("give either --player for each seat, or --first and --second, not both")
        if len(listed) != seats:
            raise SpecError(f"{game.name} has {seats} seats; give --player {seats} times, not {len(listed)}")
        return listed
    if seats == 1:
        return [two[0] or "human"]
    opponent = default_opponent(game)
    if not any(two):
        specs = ["human"] + [opponent] * (seats - 1)
        shift = random_below(stream(seed), seats)
        return specs[-shift:] + specs[:-shift] if shift else specs
    named = next(spec for spec in two if spec)
    filler = opponent if named.partition(":")[0] == "human" else "human"
    return [spec or filler for spec in two] + [opponent] * (seats - 2)


SHOWN_LINE = 8
"""How many moves of a line stand in the terminal."""


def _before_last(game: Game, turns: list[Any]) -> Any:
    """The state in which the last of the turns was chosen."""
    from plyground.core.game import result

    state = game.initial
    for turn in turns[:-1]:
        state = result(state, turn.action)
    return state


def _line_texts(state: Any, line: tuple[int, ...]) -> list[str]:
    """The moves of a line as people write them, from the state in which it begins."""
    from plyground.core.game import action_text, result

    texts = []
    for action in line:
        texts.append(action_text(state, action))
        state = result(state, action)
    return texts


def _turn_facts(turn: PlayedMove, move: Move, state: Any) -> dict[str, Any]:
    """A move for JSON: who, what, how long, and what the player thought of it."""
    facts = {
        "player": turn.player,
        "action": turn.action,
        "text": turn.text,
        "time": round(turn.time, 6),
        "value": move.value,
        "line": _line_texts(state, move.line),
        "depth": move.depth,
        "nodes": move.nodes,
        "cuts": move.cuts,
        "table_hits": move.table_hits,
    }
    if move.lines:
        facts["lines"] = [{"value": value, "line": _line_texts(state, line)} for value, line in move.lines]
    return facts


def _turn_line(game: Game, number: int, turn: PlayedMove, move: Move, state: Any) -> str:
    from plyground.core.game import CHANCE

    who = "chance" if turn.player == CHANCE else game.seats[turn.player]
    facts = []
    if move.value is not None:
        facts.append(f"value {_signed(move.value)}")
    if move.depth:
        facts.append(f"depth {move.depth}")
    if move.nodes:
        facts.append(f"{move.nodes:,} {'node' if move.nodes == 1 else 'nodes'}")
    if move.cuts:
        facts.append(f"{move.cuts:,} cut{'s' * (move.cuts != 1)}")
    if move.table_hits:
        facts.append(f"{move.table_hits:,} table hit{'s' * (move.table_hits != 1)}")
    if turn.time >= 0.0005:
        facts.append(f"{turn.time:.3f} s")

    def written(line: tuple[int, ...]) -> str:
        return " ".join(_line_texts(state, line[:SHOWN_LINE])) + (" ..." if len(line) > SHOWN_LINE else "")

    if len(move.line) > 1 and not move.lines:
        facts.append(f"line {written(move.line)}")
    best = "".join(f"\n       {_signed(value)}  {written(line)}" for value, line in move.lines)
    return f"{number:>3}. {escape(who)}: [bold]{escape(turn.text)}[/]  [dim]{escape(', '.join(facts) + best)}[/]"


def _seen_line(game: Game, number: int, turn: Any, state: Any, people: list[int]) -> str:
    """A move as it is told to people who do not see everything: only what all of them see, and no player's thoughts."""
    from plyground.core.game import CHANCE, action_seen

    who = "chance" if turn.player == CHANCE else game.seats[turn.player]
    seen = all(action_seen(state, turn.action, person) for person in people)
    shown = f"[bold]{escape(turn.text)}[/]" if seen else "[dim]not to be seen[/]"
    return f"{number:>3}. {escape(who)}: {shown}"


def _signed(value: float) -> str:
    """A value with its sign and two digits, and never -0.00."""
    return f"{round(value, 2) + 0.0:+.2f}"


def _print_state(state: Any) -> None:
    from plyground.core.game import grid, text
    from plyground.pictures.terminal import grid_terminal

    board = grid(state)
    out.print(grid_terminal(board) if board is not None else escape(text(state)), highlight=False)


def _say_how_to_go_on(game: str, specs: list[str], turns: list[Any], seed: int) -> None:
    if not turns:
        return
    moves = " ".join(turn.text for turn in turns)
    command = ["plyground", "play", game, "--seed", str(seed), "--moves", moves]
    for spec in specs:
        command += ["--player", spec]
    err.print(f"\nStopped after {len(turns)} moves. To go on:\n{shlex.join(command)}", highlight=False, soft_wrap=True)


@app.command()
def perft(
    game: Annotated[str, typer.Argument(help="A game with options.")],
    depth: Annotated[int, typer.Argument(help="How many moves.", min=0)],
    count_ended: Annotated[
        bool, typer.Option("--count-ended", help="Count a game that ended earlier as one leaf at every greater depth.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Count the sequences of moves from the start, the standard check of a game's rules and speed.

    A forced pass is a move.

    Example: plyground perft reversi 11
    """
    from plyground.core.limits import Budget
    from plyground.games import make_game
    from plyground.search.perft import perft as count
    from plyground.search.perft import perft_parts

    chosen = make_game(game)
    count.prepare(chosen.initial, 1, 0, Budget())
    rows = []
    with Progress(
        TextColumn("depth {task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=err, transient=True, disable=not err.is_terminal,
    ) as progress:  # fmt: skip
        for d in range(depth + 1):
            start = clock.perf_counter()
            task = progress.add_task(str(d), total=None)
            budget = Budget()

            def count_all(d: int = d, task: Any = task, budget: Budget = budget) -> int:
                total = 0
                for part, left in perft_parts(chosen.initial, d, int(count_ended), budget):
                    total += part
                    if progress.tasks[-1].total is None:
                        progress.update(task, total=left)
                    else:
                        progress.advance(task)
                return total

            leaves = budget.run(count_all)
            spent = clock.perf_counter() - start
            progress.remove_task(task)
            rows.append({"depth": d, "leaves": leaves, "seconds": spent, "leaves_per_second": leaves / spent})
    if as_json:
        _print_json({"game": chosen.spec, "count_ended": count_ended, "rows": rows})
        return
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column in ("depth", "leaves", "seconds", "leaves/s"):
        table.add_column(column, justify="right")
    for row in rows:
        speed = f"{row['leaves_per_second']:,.0f}" if row["seconds"] >= 0.001 else ""
        table.add_row(str(row["depth"]), f"{row['leaves']:,}", f"{row['seconds']:.3f}", speed)
    out.print(table)


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
train_app.command("book")(train_book_command)
train_app.command("pacman")(train_pacman_command)
app.add_typer(train_app, name="train")
app.add_typer(db_app, name="db")
app.add_typer(matrix_app, name="matrix")


@app.command()
def bench(
    name: Annotated[str | None, typer.Argument(help="Which benchmark; without one they are listed.")] = None,
    repeats: Annotated[int, typer.Option(help="Interleaved repeats; the median counts.", min=1)] = 5,
    as_json: JsonFlag = False,
) -> None:
    """Measure speed against named peers in one run. Needs a clone of the repository, and is run from its root.

    Example: plyground bench perft
    """
    if not Path("benchmarks/__main__.py").is_file():
        raise MissingExtra(
            "the benchmarks are in the repository, not in the package; run this from the root of a clone"
        )
    sys.path.insert(0, str(Path.cwd()))
    importlib.import_module("benchmarks.__main__").run(name, repeats, as_json)


if __name__ == "__main__":
    main()
