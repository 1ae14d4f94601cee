"""The command `plyground arena`: tournaments between players, with a table that grows while they play."""

from __future__ import annotations

import contextlib
import json
import math
import shlex
import sys
import time as clock
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, cast, get_args

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from plyground.errors import BadOption, SpecError

__all__ = ["arena_command"]

out = Console()
err = Console(stderr=True)

REDRAWN = 1.0
"""Seconds between two calculations of the table while games are played."""


def arena_command(
    game: Annotated[str, typer.Argument(help="A game of two players, with options.")],
    players: Annotated[list[str], typer.Argument(help="Two players or more, such as random mcts:time=1.")],
    games: Annotated[int, typer.Option(help="Games each time that two players meet.", min=1)] = 100,
    openings: Annotated[
        str, typer.Option(help="Begin with so many random moves, balanced; or a file of openings.", show_default=False)
    ] = "",
    format_: Annotated[str, typer.Option("--format", help="round-robin, gauntlet (first against all) or swiss.")] = (
        "round-robin"
    ),
    rounds: Annotated[int | None, typer.Option(help="Rounds of a Swiss tournament.", min=1)] = None,
    jobs: Annotated[int, typer.Option(help="Games at once, each in a process of its own.", min=1)] = 1,
    seed: Annotated[int | None, typer.Option(help="The same seed plays the same tournament.", min=0)] = None,
    cluster: Annotated[
        str, typer.Option(help="Play on the Ray cluster at this address; local for one on this machine.")
    ] = "",
    db: Annotated[Path | None, typer.Option(help="Keep every game in this database.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is in the database.")] = False,
    sprt: Annotated[
        str, typer.Option(help="Stop when it is sure enough: the first is stronger by ELO0 or ELO1, e.g. 0,20.")
    ] = "",
    anchor: Annotated[str | None, typer.Option(help="The player whose Elo is 0.")] = None,
    move_time: Annotated[float, typer.Option(help="Seconds a move; who takes longer loses. 0 for no limit.")] = 60.0,
    clock_: Annotated[str, typer.Option("--clock", help="Seconds for all moves, and for each on top, as 300+2.")] = "",
    illegal_moves: Annotated[int, typer.Option(help="So many illegal moves in a row lose.", min=1)] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Let players meet, and see who is better and how sure that is.

    Each opening is played twice, with swapped colours.

    Who oversteps the time, plays three illegal moves in a row, crashes or hangs loses that game.

    Example: plyground arena reversi random mcts:simulations=100 minimax:depth=2 --games 10 --jobs 2
    """
    from plyground.arena.match import Outcome, enter_players, hold
    from plyground.arena.openings import choose_openings, default_plies
    from plyground.arena.tournament import Format, Plan
    from plyground.games import make_game

    chosen = make_game(game)
    if format_ not in get_args(Format):
        raise BadOption(f"--format must be one of {', '.join(get_args(Format))}, not '{format_}'")
    if rounds is not None and format_ != "swiss":
        raise BadOption("--rounds is for --format swiss; with the other formats --games says how often players meet")
    if resume and db is None:
        raise SpecError("--resume needs the database in which the games are: --db games.db")
    if len(players) < 2:
        raise SpecError("the arena needs at least two players, such as: plyground arena reversi random mcts:time=1")
    test = _read_test(sprt, games, players) if sprt else None
    plan = Plan(
        chosen.spec,
        enter_players(players, chosen),
        games,
        cast("Format", format_),
        rounds or (math.ceil(math.log2(len(players))) + 1 if format_ == "swiss" else 1),
        -1 if seed is None else seed,
        (),
        openings or str(default_plies(chosen)),
        _rules(move_time, clock_, illegal_moves),
    )
    if anchor is not None and anchor not in {player.name for player in plan.players}:
        raise BadOption(f"--anchor must be one of the players, not '{anchor}'")
    with contextlib.ExitStack() as open_files:
        base, plan = _begun(
            open_files, plan, db, resume, lambda seed: choose_openings(chosen, plan.opened_by, (games + 1) // 2, seed)
        )
        outcome = Outcome(sprt=test)
        if base is not None:
            outcome.results = {result.key: result for result in base.results(tournament=plan.id)}
        show = not as_json
        try:
            with _live(plan, outcome, anchor) as advance:
                hold(
                    plan,
                    outcome,
                    jobs=jobs,
                    crew_of=_on_cluster(cluster, jobs) if cluster else None,
                    on_result=lambda result: (base is None or base.add(result)) and advance(),
                )
        except KeyboardInterrupt:
            if show:
                _print_outcome(plan, outcome, anchor)
            _say_how_to_go_on(plan, outcome, db)
            raise
    if as_json:
        typer.echo(json.dumps(_facts(plan, outcome, anchor), ensure_ascii=False))
    else:
        _print_outcome(plan, outcome, anchor)


def _on_cluster(address: str, jobs: int) -> Callable[[Any], Any]:
    from plyground.arena.cluster import Cluster

    return lambda setting: Cluster(setting, address, jobs)


def _rules(move_time: float, game_time: str, illegal_moves: int) -> Any:
    from plyground.arena.clocks import GameTime
    from plyground.arena.referee import Rules

    if not 0 <= move_time <= 1e7:
        raise BadOption(f"--move-time must be a positive number of seconds, or 0 for no limit, not {move_time:g}")
    return Rules(
        move_time=move_time or None,
        game_time=GameTime.parse(game_time, "--clock") if game_time else None,
        illegal_moves=illegal_moves,
    )


def _read_test(text: str, games: int, players: list[str]) -> Any:
    from plyground.arena.sprt import Sprt

    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise BadOption(f"--sprt must be two numbers of Elo, such as 0,20, not '{text}'") from None
    if len(players) != 2 or games % 2:
        raise BadOption("--sprt is for two players, and an even number of --games at most")
    return Sprt(low, high)


def _begun(
    open_files: contextlib.ExitStack, plan: Any, path: Path | None, resume: bool, draw: Callable[[int], list[str]]
) -> tuple[Any, Any]:
    """The database, if there is one, and the plan with seed and openings: a new one, or that which is resumed."""
    from dataclasses import replace

    from plyground.arena.database import Database
    from plyground.arena.tournament import Plan
    from plyground.randomness import fresh_seed

    base = None if path is None else open_files.enter_context(Database(path))
    if base is not None and resume:
        for summary in reversed(base.tournaments()):
            facts = base.tournament(summary.id) or {}
            with contextlib.suppress(TypeError, KeyError):  # plans of other programs are not ours to read
                found = Plan.from_dict(facts)
                drawn = {"seed": found.seed if plan.seed < 0 else plan.seed, "openings": found.openings}
                if found == replace(plan, **drawn):
                    return base, found
        err.print("[dim]There is no such tournament in the database; it begins now.[/]", highlight=False)
    seed = fresh_seed() if plan.seed < 0 else plan.seed
    plan = replace(plan, seed=seed, openings=tuple(draw(seed)))
    if base is not None:
        if not resume and base.keys(plan.id):
            raise BadOption(f"{path} has games of this very tournament; --resume goes on with it, --seed plays another")
        base.save_tournament(plan.id, plan.as_dict())
    return base, plan


# What people see --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _live(plan: Any, outcome: Any, anchor: str | None) -> Iterator[Callable[[], None]]:
    """The table and the progress while games are played, on a terminal; called after each game."""
    progress = Progress(
        TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"),
        TimeRemainingColumn(), console=err,
    )  # fmt: skip
    known = len(outcome.results)
    task = progress.add_task("games", total=plan.total(), completed=known)
    drawn: list[Any] = [-math.inf, None]

    def picture() -> Group:
        if clock.monotonic() - drawn[0] > REDRAWN:
            drawn[:] = clock.monotonic(), _table(plan, dict(outcome.results), anchor)
        return Group(drawn[1], progress)

    with Live(get_renderable=picture, console=err, transient=True) if err.is_terminal else contextlib.nullcontext():
        yield lambda: progress.update(task, completed=len(outcome.results))


def _table(plan: Any, results: dict[str, Any], anchor: str | None) -> Table:
    from plyground.arena.tournament import standings

    lines = standings(plan, list(results.values()))
    forfeits = any(line.forfeits for line in lines)
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    table.add_column("player", overflow="fold")
    for column in ("games", "won", "drawn", "lost", *(["forfeit"] if forfeits else []), "score", "Elo", "95%"):
        table.add_column(column, justify="right", no_wrap=True)
    ratings = _rated(plan, results, anchor)
    for line in lines:
        rating = ratings[line.name]
        sure = rating.low is None or line.name == anchor
        interval = "" if sure else f"{round(rating.low):+d} .. {round(rating.high):+d}"
        share = f"{100 * line.points / line.games:.1f}%" if line.games else ""
        numbers = (line.games, line.wins, line.draws, line.losses, *([line.forfeits] if forfeits else []))
        table.add_row(escape(line.name), *map(str, numbers), share, rating.text, interval)
    return table


def _rated(plan: Any, results: dict[str, Any], anchor: str | None) -> Any:
    from plyground.arena.ratings import rate

    return rate(results.values(), anchor=anchor, players=[player.name for player in plan.players])


def _print_outcome(plan: Any, outcome: Any, anchor: str | None) -> None:
    out.print(
        f"[bold]{escape(plan.game)}[/]  {plan.format}, {len(outcome.results)} of {plan.total()} games "
        f"[dim](seed {plan.seed})[/]",
        highlight=False,
    )
    out.print(_table(plan, outcome.results, anchor), highlight=False)
    for note in _rated(plan, outcome.results, anchor).notes:
        out.print(escape(note), highlight=False, soft_wrap=True)
    if outcome.sprt is not None:
        out.print(f"SPRT: {outcome.sprt.text}", highlight=False, soft_wrap=True)


def _say_how_to_go_on(plan: Any, outcome: Any, db: Path | None) -> None:
    words = ["plyground", *sys.argv[1:]]
    words += [] if "--seed" in sys.argv else ["--seed", str(plan.seed)]
    words += [] if "--resume" in sys.argv else ["--resume"]
    done = f"Stopped after {len(outcome.results)} of {plan.total()} games."
    rest = f"To go on:\n{shlex.join(words)}" if db else "They are not kept; with --db FILE one can go on later."
    err.print(f"\n{done} {rest}", highlight=False, soft_wrap=True, markup=False)


def _facts(plan: Any, outcome: Any, anchor: str | None) -> dict[str, Any]:
    """The outcome for JSON: Elo from the anchor or the mean, null where the games do not tell."""
    from plyground.arena.tournament import standings

    ratings = _rated(plan, outcome.results, anchor)
    specs = {player.name: player.spec for player in plan.players}
    rows = []
    for line in standings(plan, list(outcome.results.values())):
        rating = ratings[line.name]
        rows.append(
            {
                "name": line.name,
                "spec": specs[line.name],
                "games": line.games,
                "wins": line.wins,
                "draws": line.draws,
                "losses": line.losses,
                "forfeits": line.forfeits,
                "points": line.points,
                "elo": rating.rating,
                "bound": rating.bound,
                "low": rating.low,
                "high": rating.high,
            }
        )
    facts = {
        "tournament": plan.id,
        "game": plan.game,
        "format": plan.format,
        "seed": plan.seed,
        "games": len(outcome.results),
        "planned": plan.total(),
        "table": rows,
        "notes": list(ratings.notes),
    }
    if (test := outcome.sprt) is not None:
        facts["sprt"] = {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "llr": test.llr,
            "bounds": list(test.bounds),
            "decision": test.decision,
            "games": test.games,
        }
    return facts
