"""The commands ``plyground db ...``: what is in a games database, ratings, import and export."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape
from rich.table import Table

from plyground.cli.console import JsonFlag, check_out, err, note, out, picked, plain_table, print_json, progress_bar
from plyground.errors import BadOption, PlygroundError, UnknownName, suggestion
from plyground.visible_text import visible

if TYPE_CHECKING:
    from plyground.arena.database import Database, PlayerSummary
    from plyground.arena.ratings import Ratings
    from plyground.core.played_game import PlayedGame

__all__ = ["db_app", "ratings_facts"]

db_app = typer.Typer(
    help="Look into a games database: tournaments, games, ratings; import and export.", rich_markup_mode="rich"
)

SHOWN_FAULTS = 10
MOST_ROWS = 2**63 - 1
"""As many as a database can count."""
USUAL_END = "the game is over"
"""A reason that needs no words in a list."""
ARCHIVES = (".wtb", ".ggf", ".pgn")
SEVERAL = "players of one name with other options or other code are rated apart; which is which"

FileArgument = Annotated[Path, typer.Argument(help="The database's file.", metavar="DATABASE")]
TournamentOption = Annotated[str | None, typer.Option(help="Only games of this tournament.")]
GameOption = Annotated[str | None, typer.Option("--game", help="Only games of this spec, such as reversi.")]
PlayerOption = Annotated[str | None, typer.Option(help="Only games of the player of this name.")]
ReasonOption = Annotated[str | None, typer.Option(help="Only games whose end has this in its reason.")]


@db_app.command("tournaments")
def tournaments_command(file: FileArgument, as_json: JsonFlag = False) -> None:
    """List the tournaments, with how many games each has.

    Example: plyground db tournaments games.db
    """
    from plyground.arena.database import Database

    with Database(file, write=False) as database:
        found = database.tournaments()
    if as_json:
        print_json([asdict(summary) for summary in found])
        return
    table = _table("tournament", "games", "game", "players", "began", figures=("games", "players"))
    for one in found:
        table.add_row(escape(one.id), f"{one.games:,}", escape(one.game), f"{one.players:,}", _day(one.started))
    out.print(table)


@db_app.command("players")
def players_command(file: FileArgument, as_json: JsonFlag = False) -> None:
    """List the players: who they are, how many games they have, and when they played.

    Example: plyground db players games.db
    """
    from plyground.arena.database import Database

    with Database(file, write=False) as database:
        found = database.players()
    if as_json:
        facts = [
            {"name": one.entry.name, "spec": one.entry.spec, "digest": one.entry.digest, "label": one.label}
            | {"games": one.games, "first": one.first, "last": one.last}
            for one in found
        ]
        print_json(facts)
        return
    table = _table("player", "games", "from", "to", "options", figures=("games",))
    for one in found:
        spec = "" if one.entry.spec == one.label else one.entry.spec
        table.add_row(escape(one.label or "?"), f"{one.games:,}", _day(one.first), _day(one.last), escape(spec))
    out.print(table)


@db_app.command("games")
def games_command(
    file: FileArgument,
    tournament: TournamentOption = None,
    game: GameOption = None,
    player: PlayerOption = None,
    reason: ReasonOption = None,
    limit: Annotated[int, typer.Option(help="How many at most; 0 for all.", min=0, max=MOST_ROWS)] = 50,
    offset: Annotated[int, typer.Option(help="Skip this many first.", min=0, max=MOST_ROWS)] = 0,
    as_json: JsonFlag = False,
) -> None:
    """List games, in the order in which they were added.

    Example: plyground db games games.db --player mcts:time=1 --reason time
    """
    from plyground.arena.database import Database

    filters: dict[str, Any] = {"tournament": tournament, "game": game, "player": player, "reason": reason}
    with Database(file, write=False) as database:
        _check_player(database, player)
        count = database.count(**filters)
        with progress_bar("reading", "games") as show:
            found = []
            for one in database.results(**filters, limit=limit or None, offset=offset):
                found.append(one)
                show(len(found), min(limit or count, count))
    if as_json:
        print_json({"count": count, "games": [_summary(one) for one in found]})
        return
    table = _table("key", "result", "players", "moves", "began", "end", figures=("moves",))
    for one in found:
        names = escape(" - ".join(player.name or "?" for player in one.players))
        end = "" if one.reason == USUAL_END else escape(one.reason)
        table.add_row(escape(one.key), _returns(one), names, str(len(one.moves)), _day(one.started), end)
    out.print(table)
    out.print(f"[dim]{len(found):,} of {count:,} {'game' if count == 1 else 'games'}[/]")


@db_app.command("show")
def show_command(
    file: FileArgument,
    key: Annotated[str, typer.Argument(help="The game's key, as `plyground db games` lists it.")],
    boards: Annotated[bool, typer.Option("--boards", help="Show the board after each move.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show one game with every move: time, evaluation, depth and nodes.

    Example: plyground db show games.db t1/1/0-1/0
    """
    from plyground.arena.database import Database

    with Database(file, write=False) as database:
        found = list(database.results(key=key))
    if not found:
        raise UnknownName(f"{file} has no game with the key {key!r}; plyground db games lists the keys")
    result = found[0]
    if as_json:
        print_json(asdict(result))
        return
    out.print(f"[bold]{escape(result.game)}[/]  {escape(result.key)}  {_day(result.started)}")
    for seat, (player, value) in enumerate(zip(result.players, result.returns, strict=True)):
        spec = f"  [dim]{escape(player.spec)}[/]" if player.spec not in ("", player.name) else ""
        out.print(f"  {seat + 1}: {escape(player.name or '?')}{spec}  {value:+g}", soft_wrap=True)
    pictures = _pictures(result) if boards else []
    for number, move in enumerate(result.moves, 1):
        who = "chance" if move.player < 0 else str(move.player + 1)
        facts = [f"value {round(move.value, 2) + 0.0:+.2f}"] if move.value is not None else []
        facts += [f"depth {move.depth}"] if move.depth else []
        facts += [f"{move.nodes:,} nodes"] if move.nodes else []
        facts += [f"{move.time:.3f} s"] if move.time >= 0.0005 else []
        out.print(f"{number:>3}. {who}: {escape(move.text)}  [dim]{', '.join(facts)}[/]".rstrip())
        if boards:
            out.print(pictures[number], markup=False)
    out.print(escape(result.reason), soft_wrap=True)


@db_app.command("ratings")
def ratings_command(
    file: FileArgument,
    game: GameOption = None,
    tournament: TournamentOption = None,
    anchor: Annotated[str | None, typer.Option(help="The player that the others are measured from.")] = None,
    at: Annotated[float, typer.Option(help="The rating of the anchor, or the mean without one.")] = 0.0,
    least_games: Annotated[int, typer.Option(help="Show only players with at least this many games.", min=0)] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Rate the players of each game by all games between them, with 95% intervals.

    Example: plyground db ratings games.db --game reversi --anchor random
    """
    from plyground.arena.database import Database
    from plyground.arena.ratings import rate, spellings
    from plyground.arena.scoreboard import scoreboard

    with Database(file, write=False) as database:
        known = database.games()
        if game is not None and game not in known:
            raise UnknownName(f"{file} has no games of {game!r}{suggestion(game, known)}")
        if remark := database.check_chain():
            err.print(f"[bold]{escape(remark)}.[/]", soft_wrap=True)
        pools = {name: database.tallies(name, tournament) for name in ([game] if game else known)}
        players = database.players()
    pools = {name: table for name, table in pools.items() if table}
    names = {player.entry.name for player in players}
    if anchor is not None and not any(anchor in spellings(player.entry) for player in players):
        raise UnknownName(f"{file} has no player {anchor!r} to be the anchor{suggestion(anchor, names)}")
    found = {}
    with err.status("rating ...") as status:
        for name, table in pools.items():
            rated = {label for row in table for label in row[:2]}
            status.update(f"rating {len(rated):,} players of {escape(name)} ...")
            found[name] = rate(table, anchor=_anchor(anchor, rated, players) if anchor else None, at=at)
    if as_json:
        print_json({name: ratings_facts(one) for name, one in found.items()})
        return
    for number, (name, one) in enumerate(found.items()):
        if number:
            out.print()
        out.print(f"[bold]{escape(name)}[/]")
        shown = [row.name for row in one.rows if row.games >= least_games]
        out.print(scoreboard(one, out, names=shown if least_games else None))
        for remark in one.notes:
            out.print(f"[dim]{remark}[/]", soft_wrap=not out.is_terminal)
    if any(row.name not in names for one in found.values() for row in one.rows):
        out.print(f"[dim]{SEVERAL}: plyground db players {escape(str(file))}[/]", soft_wrap=True)
    if not found:
        out.print("no games between different players")


def _anchor(anchor: str, rated: set[str], players: Sequence[PlayerSummary]) -> str | None:
    """What the anchor is called among those who are rated; None if it is not there.

    Of several players of one name it is the one who has played last, and a note says so.
    """
    from plyground.arena.ratings import spellings

    same = [one for one in players if anchor in (calls := spellings(one.entry)) and rated.intersection(calls)]
    if not same:
        return None
    (label,) = rated.intersection(spellings(max(same, key=lambda one: one.last).entry))
    if len(same) > 1:
        remark = f"The anchor is {label}, the last to play of the {len(same)} players called {anchor}."
        err.print(f"[dim]{escape(remark)}[/]", soft_wrap=True)
    return label


def ratings_facts(ratings: Ratings) -> dict[str, Any]:
    """Ratings for JSON."""
    rows: list[dict[str, Any]] = [
        {**asdict(row), "points": row.points, "text": row.text, "superiority_over_next": None} for row in ratings.rows
    ]
    for row, following in itertools.pairwise(rows):
        row["superiority_over_next"] = ratings.superiority(row["name"], following["name"])
    return {"anchor": ratings.anchor, "draws": ratings.draws, "notes": list(ratings.notes), "players": rows}


@db_app.command("import")
def import_command(
    file: FileArgument,
    archives: Annotated[
        list[Path], typer.Argument(help="Files of games: PGN, WTHOR, GGF, transcripts; folders; or sample.")
    ],
    tournament: Annotated[str, typer.Option(help="The tournament to put the games in.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Add games of Reversi or chess from the files of other programs; those that are there already are left out.

    `sample` stands for the bundled games of people.

    Example: plyground db import games.db WTH_2020.wtb mine.ggf
    """
    from plyground.arena.archive import import_file
    from plyground.arena.database import Database

    files = [one for path in archives for one in _files(path)]
    faults: list[PlygroundError] = []
    left_out = 0
    counts = []

    def leave_out(fault: PlygroundError) -> None:
        nonlocal left_out
        left_out += 1
        if len(faults) < SHOWN_FAULTS:
            faults.append(fault)

    with progress_bar(unit="files") as show, Database(file) as database:
        for one in files:
            counts.append(import_file(database, one, tournament=tournament, on_error=leave_out))
            show(len(counts), len(files), one.name)
    games, added = (sum(column) for column in zip(*counts, strict=True))
    for fault in faults:
        note(f"left out: {fault}")
    if as_json:
        print_json({"files": len(files), "games": games, "added": added, "left_out": left_out})
        return
    left = f", {left_out:,} left out" if left_out else ""
    out.print(f"{games:,} games read, {added:,} added{left}")


def _files(path: Path) -> list[Path]:
    from plyground.formats.sample import games_folder

    path = games_folder(path)
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.iterdir() if one.suffix.lower() in ARCHIVES)
    if not found:
        raise BadOption(f"the folder {path} has no files {', '.join(ARCHIVES[:-1])} or {ARCHIVES[-1]}")
    return found


@db_app.command("export")
def export_command(
    file: FileArgument,
    out: Annotated[Path | None, typer.Option(help="Write to this file; without it, to the standard output.")] = None,
    form: Annotated[
        Literal["json", "csv", "ggf", "pgn", "transcript"] | None,
        typer.Option("--format", help="By default what the name of the file says, else json."),
    ] = None,
    tournament: TournamentOption = None,
    game: GameOption = None,
    player: PlayerOption = None,
    reason: ReasonOption = None,
) -> None:
    """Write games for other programs: JSON and CSV for any game, GGF for Reversi, PGN for chess, transcripts.

    Example: plyground db export games.db --player engine --out games.ggf
    """
    from plyground.arena.archive import EXPORTS
    from plyground.arena.database import Database
    from plyground.core.files import write_file

    check_out(out, inputs=(file,))
    suffix = "" if out is None else out.suffix.lower().removeprefix(".").replace("txt", "transcript")
    chosen = form or (suffix if suffix in EXPORTS else "json")
    with Database(file, write=False) as database:
        _check_player(database, player)
        filters: dict[str, Any] = {"tournament": tournament, "game": game, "player": player, "reason": reason}
        results = database.results(**filters)
        if out is None:
            for part in EXPORTS[chosen](results):
                typer.echo(visible(part), nl=False)
            return
        count, parts = database.count(**filters), []
        with progress_bar("writing", "games") as show:
            for part in EXPORTS[chosen](results):
                parts.append(part)
                show(len(parts), max(count, len(parts)))
            write_file(out, "".join(parts).encode("utf-8", "replace"))


def _check_player(database: Database, player: str | None) -> None:
    if player is not None and not database.count(player=player):
        names = {one.entry.name for one in database.players()}
        raise UnknownName(f"{database.path} has no player {player!r}{suggestion(player, names)}")


def _table(*columns: str, figures: tuple[str, ...]) -> Table:
    """Figures are not broken, nor is a key, which people copy."""
    return plain_table(*columns, left=set(columns) - set(figures), whole=(*figures, "key"))


def _summary(result: PlayedGame) -> dict[str, Any]:
    return {
        **picked(result, "key", "tournament", "game"),
        "players": [player.name for player in result.players],
        **picked(result, "returns", "winner", "reason", "opening"),
        "moves": len(result.moves),
        **picked(result, "started", "seconds"),
    }


def _pictures(result: PlayedGame) -> list[str]:
    """The board at the beginning and after each move."""
    from plyground.arena.archive import record_of
    from plyground.core.rules import text
    from plyground.errors import FormatError
    from plyground.games import make_game

    try:
        start: Any = record_of(result).start  # an imported game may begin with any position
    except FormatError:
        start = make_game(result.game).initial
    return [text(state) for state in result.states(start)]


def _returns(result: PlayedGame) -> str:
    if len(result.returns) == 2 and set(result.returns) <= {-1.0, 0.0, 1.0}:
        first, second = result.returns
        return "1-0" if first > second else "0-1" if first < second else "½-½"
    return " ".join(f"{value:+g}" for value in result.returns)


def _day(started: float) -> str:
    if not started:
        return ""
    try:
        return datetime.fromtimestamp(started, UTC).strftime("%Y-%m-%d")
    except (OverflowError, ValueError, OSError):
        return ""
