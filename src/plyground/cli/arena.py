"""The command `plyground arena`: tournaments between players, with a table that grows while they play."""

from __future__ import annotations

import contextlib
import math
import shlex
import sys
import time as clock
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from plyground.cli.cage_option import CageOption, chosen_cage
from plyground.cli.console import JsonFlag, ProgressBar, chosen_seed, err, out, picked, print_json
from plyground.errors import BadOption, SpecError

if TYPE_CHECKING:
    from plyground.arena.crew import Crew
    from plyground.arena.database import Database
    from plyground.arena.hall import Setting
    from plyground.arena.match import Outcome
    from plyground.arena.referee import Rules
    from plyground.arena.sprt import Sprt
    from plyground.arena.tournament import Plan
    from plyground.core.played_game import PlayedGame

__all__ = ["arena_command"]

REDRAWN = 1.0
"""Seconds between two calculations of the table while games are played; more if it would take more than a share."""
SHARE_DRAWN = 0.05
AROUND = 5
"""Lines of a terminal that are not for players: the head of the table, its last word and the progress."""


def arena_command(
    game: Annotated[str, typer.Argument(help="A game of two players, with options.")],
    players: Annotated[
        list[str], typer.Argument(help="Two players or more, such as random mcts:time=1 or anna=course:file=a.py.")
    ],
    games: Annotated[int, typer.Option(help="Games each time that two players meet.", min=1)] = 100,
    openings: Annotated[
        str, typer.Option(help="Random moves to begin with, balanced; or a file of openings.", show_default=False)
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
    anchor: Annotated[str | None, typer.Option(help="The player whose Elo is 0; in a gauntlet the first.")] = None,
    move_time: Annotated[float, typer.Option(help="Seconds a move; taking longer loses. 0 for no limit.")] = 60.0,
    clock_: Annotated[str, typer.Option("--clock", help="Seconds for all moves, and for each on top, as 300+2.")] = "",
    illegal_moves: Annotated[int, typer.Option(help="How many illegal moves in a row lose.", min=1)] = 3,
    cage: CageOption = "plain",
    as_json: JsonFlag = False,
) -> None:
    """Let players meet, and see who is better and how sure that is.

    Each opening is played twice, with swapped colours.

    Whoever oversteps the time, plays three illegal moves in a row, crashes or hangs loses that game.

    Example: plyground arena reversi random mcts:simulations=100 minimax:depth=2 --games 10 --jobs 2
    """
    from plyground.arena.hall import enter_players
    from plyground.arena.match import Outcome, hold
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
    if anchor is None and format_ == "gauntlet":
        anchor = plan.players[0].name  # the yardstick
    chosen_cage(cage, (player.spec for player in plan.players))
    with contextlib.ExitStack() as open_files:
        base, plan = _begun(
            open_files,
            plan,
            db,
            resume,
            lambda plan: tuple(choose_openings(chosen, plan.opened_by, plan.opening_count, plan.seed)),
        )
        outcome = Outcome(sprt=test)
        if base is not None:
            outcome.results = {result.key: result for result in base.results(tournament=plan.id)}

        def keep(result: PlayedGame) -> None:
            if base is not None:
                base.add(result)
            advance()

        try:
            with _live(plan, outcome, anchor) as advance:
                crew_of = _on_cluster(cluster, jobs) if cluster else None
                hold(plan, outcome, jobs=jobs, crew_of=crew_of, cage=cage, on_result=keep)
        except KeyboardInterrupt:
            if not as_json:
                _print_outcome(plan, outcome, anchor)
            _say_how_to_go_on(plan, outcome, db)
            raise
    if as_json:
        print_json(_facts(plan, outcome, anchor))
    else:
        _print_outcome(plan, outcome, anchor)


def _on_cluster(address: str, jobs: int) -> Callable[[Setting], Crew]:
    from plyground.arena.cluster_crew import Cluster

    return lambda setting: Cluster(setting, address, jobs)


def _rules(move_time: float, game_time: str, illegal_moves: int) -> Rules:
    from plyground.arena.referee import Rules
    from plyground.core.game_time import GameTime

    if not 0 <= move_time <= 1e7:
        raise BadOption(f"--move-time must be a positive number of seconds, or 0 for no limit, not {move_time:g}")
    return Rules(move_time or None, GameTime.parse(game_time, "--clock") if game_time else None, illegal_moves)


def _read_test(text: str, games: int, players: list[str]) -> Sprt:
    from plyground.arena.sprt import Sprt

    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise BadOption(f"--sprt must be two numbers of Elo, such as 0,20, not '{text}'") from None
    if len(players) != 2 or games % 2:
        raise BadOption("--sprt is for two players, and an even number of --games at most")
    return Sprt(low, high)


def _begun(
    open_files: contextlib.ExitStack,
    plan: Plan,
    path: Path | None,
    resume: bool,
    draw: Callable[[Plan], tuple[str, ...]],
) -> tuple[Database | None, Plan]:
    """The database, if there is one, and the plan with seed and openings: a new one, or that which is resumed."""
    from plyground.arena.database import Database

    base = None if path is None else open_files.enter_context(Database(path, guard=True))
    if base is not None and resume:
        if remark := base.check_chain():
            err.print(f"[bold]{escape(remark)}.[/]", soft_wrap=True)
        kept = [found for summary in reversed(base.tournaments()) if (found := _kept(base, summary.id))]
        for found in kept:
            if _seeded(plan, found).id == found.id:
                plan = _longer(found, plan, draw)
                base.save_tournament(plan.id, plan.as_dict())
                return base, plan
        _say_why_it_begins(plan, kept)
    plan = replace(plan, seed=chosen_seed(None if plan.seed < 0 else plan.seed))
    plan = replace(plan, openings=draw(plan))
    if base is not None:
        if not resume and base.keys(plan.id):
            raise BadOption(f"{path} has games of this very tournament; --resume goes on with it, --seed plays another")
        base.save_tournament(plan.id, plan.as_dict())
    return base, plan


def _kept(base: Database, name: str) -> Plan | None:
    """The plan of a tournament; None if it is another program's, and not ours to read."""
    from plyground.arena.tournament import Plan

    try:
        return Plan.from_dict(base.tournament(name) or {})
    except (TypeError, KeyError):
        return None


def _seeded(plan: Plan, found: Plan) -> Plan:
    """Without a seed, any one is taken."""
    return replace(plan, seed=found.seed) if plan.seed < 0 else plan


def _longer(found: Plan, wanted: Plan, draw: Callable[[Plan], tuple[str, ...]]) -> Plan:
    """A tournament that is in the database, with as many games as are wanted now, or as it had if those were more."""
    plan = replace(found, games=max(found.games, wanted.games), rounds=max(found.rounds, wanted.rounds))
    if plan.games > wanted.games or plan.rounds > wanted.rounds:
        err.print(f"[dim]The tournament has been planned with {plan.total()} games already.[/]")
    if plan.opening_count > found.opening_count:
        plan = replace(plan, openings=draw(plan))
        if plan.openings[: len(found.openings)] != found.openings:
            raise BadOption(f"the openings of '{plan.opened_by}' have changed; without more games it goes on")
    return plan


def _say_why_it_begins(plan: Plan, known: list[Plan]) -> None:
    """Nothing in the database is resumed: perhaps because a player is no longer what it was."""
    why = "There is no such tournament in the database; it begins now."
    for found in known:
        before = {player.name: player for player in found.players}
        same = tuple(before.get(player.name, player) for player in plan.players)
        if replace(_seeded(plan, found), players=same).id == found.id:
            edited = [player.name for player, old in zip(plan.players, same, strict=True) if player != old]
            are = "it is another player" if len(edited) == 1 else "they are other players"
            why = f"The code of {' and '.join(edited)} has changed: {are} now. Another tournament begins."
            break
    err.print(f"[dim]{escape(why)}[/]", soft_wrap=not err.is_terminal)


# What people see --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _live(plan: Plan, outcome: Outcome, anchor: str | None) -> Iterator[Callable[[], None]]:
    """The table and the progress while games are played, on a terminal; called after each game."""
    bar = ProgressBar(unit="games")

    def advance() -> None:
        bar.show(len(outcome.results), plan.total())

    advance()
    drawn: list[Any] = [-math.inf, None]

    def picture() -> Group:
        if (start := clock.monotonic()) > drawn[0]:
            test = [Text(f"SPRT: {outcome.sprt.text}")] if outcome.sprt is not None else []
            room = max(1, err.height - AROUND - len(test))
            table, _ = _table(plan, dict(outcome.results), anchor, err, most=room)
            now = clock.monotonic()
            drawn[:] = now + max(REDRAWN, (now - start) / SHARE_DRAWN), Group(table, *test)
        return Group(drawn[1], Padding(bar.picture, (0, 3, 0, 0)))  # room for ^C, which else would be a line more

    with Live(get_renderable=picture, console=err, transient=True) if err.is_terminal else contextlib.nullcontext():
        yield advance


def _table(
    plan: Plan, results: dict[str, PlayedGame], anchor: str | None, console: Console, most: int | None = None
) -> tuple[Table, tuple[str, ...]]:
    """The table by points, and what a reader of it must know."""
    from plyground.arena.scoreboard import rank, scoreboard

    ratings, lines = rank(plan, list(results.values()), anchor)
    forfeits = {line.name: line.forfeits for line in lines}
    names = [line.name for line in lines]
    return scoreboard(ratings, console, names=names, forfeits=forfeits, most=most), ratings.notes


def _print_outcome(plan: Plan, outcome: Outcome, anchor: str | None) -> None:
    out.print(
        f"[bold]{escape(plan.game)}[/]  {plan.format}, {len(outcome.results)} of {plan.total()} games "
        f"[dim](seed {plan.seed})[/]",
    )
    table, notes = _table(plan, outcome.results, anchor, out)
    out.print(table)
    for note in notes:
        out.print(f"[dim]{escape(note)}[/]", soft_wrap=not out.is_terminal)
    if outcome.sprt is not None:
        out.print(f"SPRT: {outcome.sprt.text}", soft_wrap=not out.is_terminal)


def _say_how_to_go_on(plan: Plan, outcome: Outcome, db: Path | None) -> None:
    words = ["plyground", *sys.argv[1:]]
    words += [] if "--seed" in sys.argv else ["--seed", str(plan.seed)]
    words += [] if "--resume" in sys.argv else ["--resume"]
    done = f"\nStopped after {len(outcome.results)} of {plan.total()} games."
    rest = "To go on:" if db else "They are not kept; with --db FILE one can go on later."
    err.print(f"{done} {rest}", soft_wrap=not err.is_terminal)
    if db:
        err.print(shlex.join(words), soft_wrap=True, markup=False)


def _facts(plan: Plan, outcome: Outcome, anchor: str | None) -> dict[str, Any]:
    """The outcome for JSON: Elo from the anchor or the mean, null where the games do not tell."""
    from plyground.arena.scoreboard import rank, row_facts

    ratings, lines = rank(plan, list(outcome.results.values()), anchor)
    specs = {player.name: player.spec for player in plan.players}
    used = dict.fromkeys(specs, 0.0)
    for result in outcome.results.values():
        for player, seconds in zip(result.players, result.processor_times, strict=False):
            used[player.name] += seconds
    rows = [row_facts(ratings, *pair) for pair in zip(lines, [*lines[1:], None], strict=True)]
    facts: dict[str, Any] = {
        "tournament": plan.id,
        "game": plan.game,
        "format": plan.format,
        "seed": plan.seed,
        "games": len(outcome.results),
        "planned": plan.total(),
        "table": [{"spec": specs[row["name"]], **row, "processor_time": round(used[row["name"]], 6)} for row in rows],
        "notes": list(ratings.notes),
    }
    if (test := outcome.sprt) is not None:
        facts["sprt"] = picked(test, "elo0", "elo1", "llr", "bounds", "decision", "games")
    return facts
